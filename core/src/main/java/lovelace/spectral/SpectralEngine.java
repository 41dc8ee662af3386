package lovelace.spectral;

import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.CheckPoints;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LatticeKernel;
import lovelace.modes.EigenModes;
import lovelace.modes.ModeStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The spectral engine: stationary kernels that die out, constant and linear ones, by Fourier
/// modes. Exact for the modes kept, deterministic, one r × r Cholesky an evaluation. H is made anew
/// only when the modes no longer carry the kernel. A kernel that is a product over two or three
/// axes has its own [EigenModes] on the grid, several times fewer: posteriors come from these, and
/// the likelihood too where Fourier modes are many.
public final class SpectralEngine implements LatticeEngine {

  /// Modes lighter than this beside the heaviest are left out of a likelihood.
  public static final double TOLERANCE = 1e-8;

  /// The most modes.
  public static final int MOST = 4000;

  /// Up to so many Fourier modes, whose H is made once, cost less than eigenvectors.
  private static final int FEW = 800;

  /// By this factor more modes are taken to bound the variances at every point of a large grid.
  private static final double MORE = 1.5;

  private final Statistics statistics;
  private final double tolerance;
  private final int most;

  public SpectralEngine(Statistics statistics, double tolerance, int most) {
    this.statistics = statistics;
    this.tolerance = tolerance;
    this.most = most;
  }

  @Override
  public String name() {
    return "spectral";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public Learnable rough() {
    return new SpectralEngine(statistics, 1e-4, Math.min(most, 1000));
  }

  /// Whether the kernel is carried by few enough modes.
  public boolean applies(Hyperparameters h) {
    return modes(h) > 0;
  }

  /// The number of modes for a kernel, or −1 where the engine does not apply.
  public int modes(Hyperparameters h) {
    return modes(LatticeProblem.of(statistics, h), tolerance);
  }

  /// What to throw where the kernel is not carried: it says why.
  OutOfReachException refusal(Hyperparameters h) {
    return refusal(statistics.lattice(), h, tolerance, most);
  }

  /// The same for any data on a lattice.
  public static OutOfReachException refusal(
      Lattice lattice, Hyperparameters h, double tolerance, int most) {
    LatticeKernel kernel = LatticeKernel.of(lattice, h.kernel());
    return new OutOfReachException(
        "the spectral engine cannot represent %s on the %s: %s; use the krylov engine"
            .formatted(
                h.kernel(), lattice, ModeStatistics.obstacle(kernel, 0.1 * tolerance, most)));
  }

  /// Why at most `most` modes do not carry a kernel, in words.
  public static String obstacle(
      Statistics statistics, Hyperparameters h, double tolerance, int most) {
    return ModeStatistics.obstacle(
        LatticeProblem.of(statistics, h).kernel(), 0.1 * tolerance, most);
  }

  private int modes(LatticeProblem grid, double floor) {
    EigenModes own = own(grid, floor);
    return own != null ? own.rank() : ModeStatistics.rank(grid.kernel(), 0.1 * floor, most);
  }

  /// The kernel's own modes, of which those left out weigh less than a tenth of `floor`, or null
  /// where it has none or too many.
  private @Nullable EigenModes own(LatticeProblem grid, double floor) {
    return EigenModes.applies(grid) ? EigenModes.of(grid, 0.1 * floor, most) : null;
  }

  /// The kernel's own modes on the grid, where they are the better choice.
  private @Nullable EigenModes eigenModes(LatticeProblem grid, @Nullable ModeStatistics known) {
    if (!EigenModes.applies(grid)) return null;
    if (known != null && known.rank() <= FEW && known.fits(grid.kernel())) return null;
    int count = ModeStatistics.rank(grid.kernel(), 0.1 * tolerance, most);
    return count >= 0 && count <= FEW
        ? null
        : EigenModes.of(grid, 0.1 * tolerance, count < 0 ? most : count / 2);
  }

  /// The known Fourier modes where they carry the kernel, else others, or null where there would be
  /// too many.
  private @Nullable ModeStatistics system(LatticeKernel kernel, @Nullable ModeStatistics known) {
    if (known != null && known.fits(kernel)) return known;
    // a tenth of the tolerance leaves room for the parameters to move
    return ModeStatistics.of(statistics, kernel, 0.1 * tolerance, most);
  }

  /// The Fourier modes of an earlier evaluation.
  private record Known(SpectralEngine engine, ModeStatistics system) implements WarmStart {}

  private @Nullable ModeStatistics known(WarmStart start) {
    return start instanceof Known known && known.engine == this ? known.system : null;
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatticeProblem grid = LatticeProblem.of(statistics, h);
    ModeStatistics known = known(start);
    EigenModes own = eigenModes(grid, known);
    if (own != null)
      return new SpectralCovariance(own.modes(), grid.kernel(), h, 0).evidence().before(start);
    // learning must not end where no other grid carries the kernel
    boolean far =
        known != null
            && !known.fits(grid.kernel())
            && !ModeStatistics.isWellWithin(grid.kernel(), 0.1 * tolerance);
    ModeStatistics modes = far ? null : system(grid.kernel(), known);
    if (modes == null) return Evidence.impossible(h).before(start);
    return new SpectralCovariance(modes, grid.kernel(), h, tolerance)
        .evidence()
        .before(modes == known ? start : new Known(this, modes));
  }

  /// By the modes of the evidence.
  @Override
  public LatticeDistribution conditioned(Hyperparameters h, WarmStart start) {
    LatticeProblem grid = LatticeProblem.of(statistics, h);
    ModeStatistics known = known(start);
    EigenModes own = eigenModes(grid, known);
    ModeStatistics modes = own == null ? system(grid.kernel(), known) : own.modes();
    if (modes == null) throw refusal(h);
    SpectralCovariance covariance =
        new SpectralCovariance(modes, grid.kernel(), h, own == null ? tolerance : 0);
    return new LatticeDistribution(grid, covariance, covariance.mean());
  }

  @Override
  public LatticeDistribution posterior(Hyperparameters h, double wanted, WarmStart start) {
    LatticeProblem grid = LatticeProblem.of(statistics, h);
    // lighter modes until the variances are close enough, or there are too many
    LatticeDistribution found = null;
    for (double floor = tolerance; floor > 1e-17; floor *= 1e-2) {
      SpectralCovariance covariance = covariance(grid, floor, known(start));
      if (covariance == null) break;
      found = new LatticeDistribution(grid, covariance, covariance.mean());
      if (found.widest() <= 0.5 * wanted && !worthwhile(grid, covariance, 1e-2 * floor, wanted))
        break;
    }
    if (found == null) throw refusal(h);
    return found;
  }

  /// Whether lighter modes are worth their cost on a grid too large to look at every point: they
  /// are few, and those left out may matter at points that were not looked at. The smallest
  /// variance is taken for half of that at the check points.
  private boolean worthwhile(
      LatticeProblem grid, SpectralCovariance covariance, double next, double wanted) {
    if (!(grid.statistics().lattice() instanceof Grid all)
        || CheckPoints.covered(all) <= CheckPoints.EVERY) return false;
    Stencils points = Stencils.of(all, CheckPoints.of(grid.statistics(), CheckPoints.COUNT));
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    double least = Double.POSITIVE_INFINITY;
    for (int p = 0; p < points.count(); p++) {
      points.copy(p, index, weight);
      least = Math.min(least, covariance.variance(index, weight));
    }
    if (covariance.missing(0.5 * least) <= 0.5 * wanted) return false;
    int modes = modes(grid, next);
    return modes > 0 && modes <= MORE * covariance.rank();
  }

  /// The posterior by modes not lighter than `floor`: the kernel's own where it has them, for one
  /// set of hyperparameters they cost less than the Fourier modes that serve many.
  private @Nullable SpectralCovariance covariance(
      LatticeProblem grid, double floor, @Nullable ModeStatistics known) {
    LatticeKernel kernel = grid.kernel();
    EigenModes own = own(grid, floor);
    if (own != null) return new SpectralCovariance(own.modes(), kernel, grid.hyperparameters(), 0);
    ModeStatistics modes =
        floor == tolerance
            ? system(kernel, known)
            : ModeStatistics.of(statistics, kernel, floor, most);
    return modes == null
        ? null
        : new SpectralCovariance(modes, kernel, grid.hyperparameters(), floor);
  }
}
