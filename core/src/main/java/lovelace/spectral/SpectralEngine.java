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

/// Works with Fourier modes, for stationary kernels that die out, and constant and linear kernels.
/// It is exact for the modes kept, deterministic, and takes one r × r Cholesky per evaluation. H is
/// computed again only when the modes no longer represent the kernel. A kernel that is a product
/// over two or three axes has its own [EigenModes] on the grid, several times fewer. Posteriors use
/// these, and so does the likelihood if there are many Fourier modes.
public final class SpectralEngine implements LatticeEngine {

  /// Modes lighter than this, relative to the heaviest, are left out of a likelihood.
  public static final double TOLERANCE = 1e-8;

  /// The largest number of modes.
  public static final int MOST = 4000;

  /// Up to this number of Fourier modes, whose H is computed once, they cost less than
  /// eigenvectors.
  private static final int FEW = 800;

  /// The number of modes may grow by this factor to bound the variances at every point of a large
  /// grid.
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

  /// Whether few enough modes represent the kernel.
  public boolean applies(Hyperparameters h) {
    return modes(h) > 0;
  }

  /// The number of modes for a kernel, or −1 if the engine does not apply.
  public int modes(Hyperparameters h) {
    return modes(LatticeProblem.of(statistics, h), tolerance);
  }

  /// The exception for a kernel that the modes cannot represent. Its message says why.
  OutOfReachException refusal(Hyperparameters h) {
    return refusal(statistics.lattice(), h, tolerance, most);
  }

  /// Like [#refusal(Hyperparameters)], for any data on a lattice.
  public static OutOfReachException refusal(
      Lattice lattice, Hyperparameters h, double tolerance, int most) {
    LatticeKernel kernel = LatticeKernel.of(lattice, h.kernel());
    return new OutOfReachException(
        "the spectral engine cannot represent %s on the %s: %s; use the krylov engine"
            .formatted(
                h.kernel(), lattice, ModeStatistics.obstacle(kernel, 0.1 * tolerance, most)));
  }

  /// The reason why at most `most` modes cannot represent a kernel, in words.
  public static String obstacle(
      Statistics statistics, Hyperparameters h, double tolerance, int most) {
    return ModeStatistics.obstacle(
        LatticeProblem.of(statistics, h).kernel(), 0.1 * tolerance, most);
  }

  private int modes(LatticeProblem grid, double floor) {
    EigenModes own = own(grid, floor);
    return own != null ? own.rank() : ModeStatistics.rank(grid.kernel(), 0.1 * floor, most);
  }

  /// The kernel's own modes, or null if it has none or too many. The modes left out weigh less than
  /// a tenth of `floor`.
  private @Nullable EigenModes own(LatticeProblem grid, double floor) {
    return EigenModes.applies(grid) ? EigenModes.of(grid, 0.1 * floor, most) : null;
  }

  /// The kernel's own modes on the grid if they are the better choice, otherwise null.
  private @Nullable EigenModes eigenModes(LatticeProblem grid, @Nullable ModeStatistics known) {
    if (!EigenModes.applies(grid)) return null;
    if (known != null && known.rank() <= FEW && known.fits(grid.kernel())) return null;
    int count = ModeStatistics.rank(grid.kernel(), 0.1 * tolerance, most);
    return count >= 0 && count <= FEW
        ? null
        : EigenModes.of(grid, 0.1 * tolerance, count < 0 ? most : count / 2);
  }

  /// The known Fourier modes if they represent the kernel, otherwise new ones, or null if there
  /// would be too many.
  private @Nullable ModeStatistics system(LatticeKernel kernel, @Nullable ModeStatistics known) {
    if (known != null && known.fits(kernel)) return known;
    // a tenth of the tolerance, so that the modes still fit when the parameters move
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
    // learning must not end at parameters for which no other grid works
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

  /// Uses the modes of the evidence.
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
    // takes lighter modes until the variances are accurate enough, or there are too many
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

  /// Whether lighter modes are worth their cost on a grid that is too large to check at every
  /// point. They must be few, and the modes left out must matter at points that were not checked.
  /// The smallest variance is assumed to be half of that at the check points.
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

  /// The posterior from modes not lighter than `floor`. Uses the kernel's own modes if it has them:
  /// for a single set of hyperparameters they cost less than Fourier modes, which serve many.
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
