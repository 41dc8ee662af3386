package lovelace.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import lovelace.data.Column;
import lovelace.data.LeftOut;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.data.UntrustedCodeException;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.UnknownKernelException;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.MappedPosterior;
import lovelace.posterior.Posterior;
import lovelace.posterior.RowPosterior;

/// All that a model file holds, and the file itself.
///
/// ```
/// byte        bytes   what (all numbers little-endian)
/// 0           8       LOVELACE
/// 8           4       format version, 1
/// 12          4       s, the number of sections
/// 16          8       length of the file
/// 24          8       CRC-32C of bytes 0 to 24 and 32 to the first section
/// 32          40·s    one entry a section:
///                       16  name, ASCII, filled up with zeros
///                        8  where it starts, a multiple of 64
///                        8  its length
///                        8  CRC-32C of it and the zeros up to the next section
/// …                   zeros up to a multiple of 64, then the sections in the order of their entries
///
/// section     type    what
/// about       text    a line each, fields between tabs: version, time, command, fingerprint,
///                     standard errors, trace of the learning, notes; columns, columns left out with
///                     place and value, target, transform;
///                     kernel, parameters with bounds; axes; totals of the statistics; plan, which
///                     is the engine, tolerance and seed asked for; engine and its settings;
///                     certificate; likelihood. First in the file.
/// cells       int32   c numbers of the cells that hold observations, ascending
/// counts      int64   c numbers of observations
/// moments     f64     c × (7ᵈ + 4ᵈ + 2) sums over the observations of a cell
/// projected   f64     m sums WDy                         ⎫ of an additive model in place of cells and
/// gram.k      int64   g places row·2³² + column in G     ⎬ moments; its counts are those of all cells,
/// gram        f64     g entries of G at them             ⎭ component after component
/// map         bytes   what turns columns into features, as its kind writes it
/// mean        f64     m means at the grid points
/// dual        f64     m numbers (b − Ga)/σ², from which the mean goes on beyond the grid
/// tables      f64     coefficients of the cell polynomials; of an additive model the lower triangle of
///                     the posterior covariance; empty with four axes and beyond 2,048 additive points
/// love.s      f64     m × k, the cache S of LOVE         ⎫
/// love.b      f64     k × m, its cache B                 ⎬ left out on request, and rebuilt from the
/// love.t      f64     2k, the bidiagonal factor of T     ⎭ statistics when first needed, as the caches
///                                                          of the other engines always are
/// trace       f64     s × (4 + p), a row a step of training: iteration, likelihoods so far, objective,
///                     gradient norm, all p parameters; left out if nothing was learned
/// rows        f64     n·d inputs, n targets, n weights: only of a model whose engine is `exact`, or
///                     `markov` with its nodes at the rows; it has nothing else but its parameters
/// ```
///
/// The kernel is text. Who reads a file with a kernel of somebody's own needs its [KernelFunction],
/// which is not in the file.
///
/// A file is checked whole when it is opened, is mapped and not read twice, and predicts to the bit
/// as the model it was written from.
///
/// @param inputs the input columns
/// @param leftOut columns of the table that the model does not read
/// @param target the target's column
/// @param transform what was done to the target before it was modelled
/// @param logJacobian `Σ log |dz/dy|` over the training rows
/// @param logLikelihood the log marginal likelihood of the transformed target; NaN if not computed
/// @param posterior of the transformed target
/// @param plan the engine, tolerance and seed that were asked for
/// @param provenance where the model comes from
public record ModelFile(
    List<Column> inputs,
    List<LeftOut> leftOut,
    Column target,
    TargetTransform transform,
    double logJacobian,
    double logLikelihood,
    Posterior posterior,
    Plan plan,
    Provenance provenance) {

  public ModelFile {
    inputs = List.copyOf(inputs);
    leftOut = List.copyOf(leftOut);
    if (inputs.size() != posterior.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a posterior over %d columns needs as many names, got %d",
              posterior.dimensions(),
              inputs.size()));
    if (!(posterior instanceof GridPosterior
        || posterior instanceof MappedPosterior
        || posterior instanceof RowPosterior))
      throw new IllegalArgumentException(
          "a model file holds a grid's posterior or an exact one, got "
              + posterior.getClass().getSimpleName());
    if (plan.engine() == Engine.EXACT && !(posterior instanceof RowPosterior))
      throw new IllegalArgumentException("the exact engine holds rows, a posterior on a grid none");
  }

  /// Writes the file whole or not at all, with the covariance cache if asked for. Returns its
  /// length in bytes.
  public long write(Path file, boolean covariance) throws IOException {
    return Sections.write(file, Layout.sections(this, covariance));
  }

  /// Reads a file. One whose network is code needs [Trust#CODE]; one whose kernel is somebody's own
  /// needs the kernel's function here, or as a service.
  ///
  /// @throws ModelFormatException if it is not a model, is damaged, or is of a newer format
  public static ModelFile read(Path file, Trust trust, KernelFunction... own) throws IOException {
    Sections sections = Sections.open(file);
    try {
      return Layout.read(sections, trust, own);
    } catch (ModelFormatException e) {
      throw e;
    } catch (UntrustedCodeException e) {
      throw new ModelFormatException(file, "is not loaded: " + e.getMessage(), e);
    } catch (UnknownKernelException e) {
      throw new ModelFormatException(
          file,
          "is not loaded: its kernel '%s' is not known here. If it is a kernel of your own, pass its KernelFunction to Model.load, or put the jar that registers it as a service on the class path (LOVELACE_CLASSPATH for the command)"
              .formatted(e.name()),
          e);
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      throw new ModelFormatException(
          file, "is damaged: " + e.getMessage() + "; fit the model again", e);
    }
  }
}
