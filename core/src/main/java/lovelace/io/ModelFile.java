package lovelace.io;

import java.io.IOException;
import java.nio.file.Path;
import lovelace.data.Trust;
import lovelace.data.Trust.UntrustedCodeException;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.KernelFunction.UnknownKernelException;

/// Reads and writes model files.
///
/// ```
/// byte        bytes   what (all numbers little-endian)
/// 0           8       LOVELACE
/// 8           4       format version: 1, or 2 of a model with a line `observed`, or 3 of one with a line
///                     `drift`
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
///                     standard errors, trace of the learning, notes; columns (name, unit, then
///                     `words` or `filled` and what stands for a missing value, then a time scale
///                     or the words), columns left out with place and value, target, transform;
///                     kernel, parameters with bounds; axes; totals of the statistics; plan, which
///                     is the engine, tolerance and seed asked for; planned, which is the engine
///                     chosen, why, on what, seconds and bytes; engine and its settings;
///                     certificate; likelihood. Where noise is not Gaussian with one variance:
///                     observed, which is how observations depend on the function; noise-kernel of
///                     noise that varies; mode, which is the number of Newton steps, the length of the last and
///                     how many rows were observed; place, which is the columns of coordinates, their system, the Earth's
///                     radius and inverse flattening, and the metres of a unit; window of a model of the intensity of
///                     events, a line for each column with both ends and the length of its cells. Where
///                     the mean is linear in some columns: drift, which is how many columns the
///                     process reads, the first ones; covariate for each column of the mean, with its place,
///                     centre and scale; of a lattice coefficients, which are the estimates of the
///                     standardised terms, and precision, the rows of FᵀV⁻¹F. First in the file.
/// cells       int32   c numbers of the cells that hold observations, ascending
/// counts      int64   c numbers of observations
/// moments     f64     c × (7ᵈ + 4ᵈ + 2) sums over the observations of a cell
/// projected   f64     m sums WDy                         ⎫ of an additive model in place of cells and
/// gram.k      int64   g places row·2³² + column in G     ⎬ moments; its counts are those of all cells,
/// gram        f64     g entries of G at them             ⎭ component after component
/// map         bytes   what turns columns into features, as its kind writes it; also of a model with
///                     rows, which are those of the table, or with a line `mode` those of the features
/// mean        f64     m means at the grid points
/// dual        f64     m numbers (b − Ga)/σ², from which the mean goes on beyond the grid
/// tables      f64     coefficients of the cell polynomials; of an additive model the lower triangle of
///                     the posterior covariance; empty with four axes and beyond 2,048 additive points
/// entries     f64     diagonals of the posterior covariance between points of one stencil, for a model
///                     that is kriged between grid points (its line `between`); empty with three
///                     axes, whose tables have them
/// love.s      f64     m × k, the cache S of LOVE         ⎫
/// love.b      f64     k × m, its cache B                 ⎬ left out on request, and rebuilt from the
/// love.t      f64     2k, the bidiagonal factor of T     ⎭ statistics when first needed, as the caches
///                                                          of the other engines always are
/// trace       f64     s × (4 + p), a row a step of training: iteration, likelihoods so far, objective,
///                     gradient norm, all p parameters; left out if nothing was learned
/// rows        f64     n·d inputs, n targets, n weights: only of a model whose engine is `exact`,
///                     `neighbours`, `sparse`, or `markov` with its nodes at the rows; it has nothing else but its
///                     parameters, and with `sparse` the axes of its grid and the number of
///                     neighbours: loading it factors the precision again
/// observed    f64     n·d places, n values, n sizes, n extras: the observations of a model with a
///                     line `mode`, one a place where they add up; its rows or cells are
///                     those of working observations, but with `neighbours` the observations.
///                     Left out where they cannot be added to
/// drift.nodes f64     q × m, the posterior means of the terms of a drift at the grid points
/// drift.duals f64     q × m, from which these go on beyond the grid
/// drift.sums  f64     c × (p·4ᵈ + p(p + 1)/2 + p) sums of its p covariates over the observations of a cell,
///                     whose moments are those of the residuals
/// noise.…             the posterior of the log of the noise's deviation where that varies: `about` with
///                     its engine, certificate and axes, and the sections of a posterior
/// ```
///
/// The kernel is text. To read a file with a user's own kernel, the reader needs its
/// [KernelFunction], which is not in the file.
///
/// Opening a file checks all of it. The file is mapped and not read twice. The model that it holds
/// predicts the same as the one that was written, to the bit.
public final class ModelFile {

  private ModelFile() {}

  /// Writes a model whole or not at all, with the covariance cache if asked for. Returns the length
  /// of the file in bytes.
  public static long write(Path file, ModelState model, boolean covariance) throws IOException {
    return Sections.write(file, Layout.version(model), Layout.sections(model, covariance));
  }

  /// Reads a file. If its network is code, this needs [Trust#CODE]. If its kernel is a user's own,
  /// this needs the kernel's function as an argument or a service.
  ///
  /// @throws ModelFormatException if it is not a model, is damaged, or is of a newer format
  public static ModelState read(Path file, Trust trust, KernelFunction... own) throws IOException {
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
