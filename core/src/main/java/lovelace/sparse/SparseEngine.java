package lovelace.sparse;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeDistribution.LogLikelihood;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.StationaryPart;
import lovelace.linear.Blas;
import lovelace.plan.Engine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The sparse engine, for rough stationary kernels on one grid, as long as the factor fits into
/// memory. The precision of the prior comes from local regressions ([LatticePrecision]) and is
/// conditioned by a sparse Cholesky factor ([Conditioned]). A few steps of conjugate gradients
/// correct the result for the true kernel ([TrueKernel]).
///
/// ```
/// Λ = Q + G/σ²      a = Λ⁻¹b/σ²      P ≈ Λ⁻¹
/// −2 log p = aᵀQa + ‖y − Wᵀa‖²/σ² + n log σ² + log|Λ| − log|Q| + n log 2π
/// ```
///
/// Noise of at most 1e-9 of the prior variance counts as none. Then, if all rows lie on nodes,
/// observed nodes are pinned to their values, have variance 0 and leave the system.
public final class SparseEngine implements LatticeEngine {

  /// Noise up to this share of the prior variance counts as none.
  public static final double NO_NOISE = 1e-9;

  /// The most multiplications of a factor that has more than the fewest neighbours.
  private static final double MOST_WORK = 1.5e12;

  /// The refusal of more inputs than it accepts.
  private static final String INPUTS =
      "the sparse engine needs one grid over at most three inputs; name up to three inputs, or use"
          + " another engine";

  private static final int PROBES = 8;
  private static final int QUADRATURE = 8;

  private final GridStatistics statistics;
  private final int neighbours; // 0 if the engine chooses
  private final long seed;
  private volatile @Nullable NodeData nodes;
  private volatile boolean between; // some row lies between nodes

  /// @param neighbours the number of nodes that each one is regressed on; 0 lets the engine choose
  /// @param seed of the probes that correct the likelihood
  public SparseEngine(Statistics statistics, int neighbours, long seed) {
    if (!(statistics instanceof GridStatistics grid) || grid.grid().dimensions() > 3)
      throw new IllegalArgumentException(INPUTS);
    if (neighbours < 0)
      throw new IllegalArgumentException("neighbours must be >= 0, got " + neighbours);
    this.statistics = grid;
    this.neighbours = neighbours;
    this.seed = seed;
  }

  /// The error that says why it cannot be used for a kernel on a lattice.
  public static IllegalArgumentException refusal(Lattice lattice) {
    return lattice instanceof Grid grid && grid.dimensions() <= 3
        ? refusal(Engine.SPARSE)
        : new IllegalArgumentException(INPUTS);
  }

  /// The error that says which kernels an engine of local regressions takes.
  public static IllegalArgumentException refusal(Engine engine) {
    return new IllegalArgumentException(
        "the %s engine takes sums and products of stationary kernels that vary with an input; leave constant and linear terms of the kernel out, or use another engine"
            .formatted(engine));
  }

  /// Whether a kernel is a sum or product of stationary kernels, all of which vary.
  public static boolean applies(Grid grid, Hyperparameters h) {
    if (grid.dimensions() > 3) return false;
    LatticeKernel.Block block = LatticeKernel.of(grid, h.kernel()).blocks().getFirst();
    return block.parts().size() == 1 && block.parts().getFirst() instanceof StationaryPart;
  }

  /// The same for any grid.
  public static boolean applies(Hyperparameters h) {
    Axis[] axes = new Axis[h.kernel().dimensions()];
    Arrays.fill(axes, Axis.covering(0, 1, 4));
    return axes.length <= 3 && applies(Grid.of(axes), h);
  }

  /// Whether local regressions represent a kernel on a grid. They do if twice the number of
  /// neighbours hardly changes them. They do not represent smooth kernels.
  public static boolean carries(Grid grid, Hyperparameters h) {
    if (!applies(grid, h)) return false;
    try {
      return NeighbourLadder.carries(LatticeKernel.of(grid, h.kernel()).blocks().getFirst());
    } catch (ArithmeticException tooSmooth) {
      return false;
    }
  }

  /// Whether the noise of complete hyperparameters counts as none.
  public static boolean isNoiseless(Hyperparameters h) {
    Kernel kernel = h.kernel();
    double prior = kernel.withoutWhite().variance(new double[kernel.dimensions()], 0);
    return h.noise() + kernel.whiteVariance() <= NO_NOISE * prior;
  }

  @Override
  public String name() {
    return "sparse";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  /// About how many operations are needed for a factor over this number of nodes, with the entries
  /// of its inverse. It is a power law through measured factors.
  public static double operations(int dimensions, double nodes) {
    return switch (dimensions) {
      case 1 -> 1e5 * nodes;
      case 2 -> 3e4 * nodes * Math.sqrt(nodes);
      default -> 1500 * nodes * nodes;
    };
  }

  /// About how many bytes are needed to compute it.
  public static double bytes(int dimensions, double nodes) {
    return switch (dimensions) {
      case 1 -> 4000 * nodes;
      case 2 -> nodes * (2000 + 600 * Math.log(nodes) / Math.log(2));
      default -> 900 * nodes * Math.cbrt(nodes);
    };
  }

  /// The largest number of nodes whose factor needs at most `bytes` bytes.
  private static double mostNodes(int dimensions, double bytes) {
    double low = 1;
    double high = 1e9;
    while (high / low > 1.001) {
      double middle = Math.sqrt(low * high);
      if (bytes(dimensions, middle) <= bytes) low = middle;
      else high = middle;
    }
    return low;
  }

  /// The largest grid, with equal numbers of points along all axes, whose factor needs at most
  /// `bytes` bytes, such as `120x120`.
  public static String largest(int dimensions, long bytes) {
    int side = (int) Math.max(4, Math.pow(mostNodes(dimensions, (double) bytes), 1.0 / dimensions));
    return String.join("x", Collections.nCopies(dimensions, Integer.toString(side)));
  }

  private record Known(Grid grid, SparseFrame frame) implements WarmStart {}

  private @Nullable NodeData nodes() {
    NodeData known = nodes;
    if (known == null && !between) {
      known = NodeData.of(statistics);
      between = known == null;
      nodes = known;
    }
    return known;
  }

  /// Rows that represent the data: the nodes if all rows lie on nodes, otherwise the means of
  /// cells.
  public Dataset rows() {
    Grid grid = statistics.grid();
    int d = grid.dimensions();
    NodeData data = nodes();
    if (data == null) {
      double[] averages = statistics.averages();
      int n = averages.length / (d + 1);
      double[] x = new double[n * d];
      double[] y = new double[n];
      double[] w = new double[n];
      for (int c = 0; c < n; c++) {
        System.arraycopy(averages, c * (d + 1), x, c * d, d);
        y[c] = averages[c * (d + 1) + d];
        w[c] = statistics.occupiedMoments(c)[0];
      }
      return Dataset.of(x, d, y, w);
    }
    double[] x = new double[data.observed() * d];
    double[] y = new double[data.observed()];
    double[] w = new double[data.observed()];
    double[] b = statistics.projected();
    int r = 0;
    for (int i = 0; i < b.length; i++)
      if (data.weights()[i] > 0) {
        System.arraycopy(grid.point(i), 0, x, r * d, d);
        w[r] = data.weights()[i];
        y[r++] = statistics.origin() + b[i] / data.weights()[i];
      }
    return Dataset.of(x, d, y, w);
  }

  /// Whether [#rows] contain all information: every row has a node of its own.
  public boolean isRowPerNode() {
    NodeData data = nodes();
    return data != null && data.observed() == statistics.count();
  }

  private LatticeProblem problem(Hyperparameters h) {
    LatticeProblem problem = LatticeProblem.allowingNoNoise(statistics, h);
    if (isNoiseless(problem)) requireEqualValues(problem);
    return problem;
  }

  private static double prior(LatticeProblem problem) {
    LatticeKernel.Block block = problem.kernel().blocks().getFirst();
    return LocalRegressions.stationary(block).lagValues()[0];
  }

  private static boolean isNoiseless(LatticeProblem problem) {
    return problem.noise() <= NO_NOISE * prior(problem);
  }

  /// Fails without noise if a row does not lie on a node, or rows of one node differ.
  private void requireEqualValues(LatticeProblem problem) {
    NodeData data = nodes();
    double least = 1.01 * NO_NOISE * prior(problem);
    if (data == null) {
      if (problem.noise() > 0) return;
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "noise 0 needs rows on grid points, and some lie between; use the data's own grid, or a noise of at least %.3g",
              least));
    }
    double[] b = problem.projected();
    double scatter = problem.squares();
    for (int i = 0; i < b.length; i++)
      if (data.weights()[i] > 0) scatter -= b[i] * b[i] / data.weights()[i];
    if (scatter > 1e-10 * Math.max(problem.squares(), statistics.squares()))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rows at the same place have different values, at %s for one, and there is no noise to explain it; the smallest noise that works is %.3g",
              Arrays.toString(NodeData.mostUnequal(statistics)),
              least));
  }

  private SparseFrame frame(LatticeProblem problem, int k) {
    NodeData data = isNoiseless(problem) ? nodes() : null;
    boolean[] pinned = null;
    if (data != null) {
      pinned = new boolean[data.weights().length];
      for (int i = 0; i < pinned.length; i++) pinned[i] = data.weights()[i] > 0;
    }
    SparseFrame frame = SparseFrame.of(problem.kernel().blocks().getFirst(), k, pinned);
    requireRoom(frame);
    return frame;
  }

  private void requireRoom(SparseFrame frame) {
    long allowed = Budget.current().memory();
    if (frame.bytes() <= allowed) return;
    Grid grid = statistics.grid();
    int d = grid.dimensions();
    // the number of nodes that the memory holds by the same law, with the same proportions
    double scale = bytes(d, grid.size()) / frame.bytes();
    double side = Math.pow(mostNodes(d, scale * allowed) / grid.size(), 1.0 / d);
    StringBuilder shape = new StringBuilder();
    for (int a = 0; a < d; a++)
      shape.append(a == 0 ? "" : "x").append((int) Math.max(4, side * grid.axis(a).points()));
    Budget.require(
        frame.bytes(),
        "a sparse factor of the " + grid,
        "use a grid of at most about " + shape + " points");
  }

  private int[] ladder() {
    return neighbours > 0
        ? new int[] {neighbours}
        : NeighbourLadder.of(statistics.grid().dimensions());
  }

  /// The likelihood under the sparse prior, with its gradient. It is −∞ if the kernel is too smooth
  /// for local regressions.
  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatticeProblem problem = problem(h);
    try {
      SparseFrame frame = known(problem, start);
      Conditioned sparse = new Conditioned(problem, frame, nodes());
      double[] a = sparse.mean();
      return new SparseLikelihood(sparse, statistics)
          .evidence(a)
          .before(new Known(statistics.grid(), frame));
    } catch (ArithmeticException tooSmooth) { // for the regressions, or for the factor
      return Evidence.impossible(h);
    }
  }

  /// The posterior with the number of neighbours that the check of the variances requires. It
  /// checks points in gaps, at edges and beside data.
  @Override
  public LatticeDistribution posterior(Hyperparameters h, double tolerance, WarmStart start) {
    LatticeProblem problem = problem(h);
    int[] ladder = ladder();
    int at;
    try {
      at = NeighbourLadder.first(problem, ladder, tolerance);
    } catch (ArithmeticException tooSmooth) {
      throw tooSmooth();
    }
    SparseFrame frame = null;
    while (frame == null && at > 0) {
      frame = affordable(problem, ladder[at]);
      if (frame == null) at--;
    }
    if (frame == null) frame = frame(problem, ladder[at]);
    LatticeDistribution found = conditioned(problem, frame);
    while (at + 1 < ladder.length && found.widest() > tolerance) {
      SparseFrame next = affordable(problem, ladder[at + 1]);
      if (next == null) break;
      at++;
      LatticeDistribution closer = conditioned(problem, next);
      if (closer.widest() < found.widest()) found = closer;
    }
    return found.with(settled(((SparseCovariance) found.covariance()).exact(), found));
  }

  private OutOfReachException tooSmooth() {
    return new OutOfReachException(
        "the kernel is too smooth for the sparse engine on the %s; use the spectral engine, or a coarser grid"
            .formatted(statistics.grid()));
  }

  /// The frame with more neighbours; null if it needs too much memory or time, or the kernel is too
  /// smooth for that number.
  private @Nullable SparseFrame affordable(LatticeProblem problem, int k) {
    try {
      SparseFrame frame = frame(problem, k);
      return frame.fronts.multiplications() <= MOST_WORK ? frame : null;
    } catch (Budget.MemoryLimitException | ArithmeticException tooMuch) {
      return null;
    }
  }

  /// Only the covariance, with the engine's own number of neighbours.
  public SparseCovariance covariance(Hyperparameters h) {
    LatticeProblem problem = problem(h);
    Conditioned sparse = new Conditioned(problem, frame(problem, ladder()[0]), nodes());
    return new SparseCovariance(sparse, new TrueKernel(sparse));
  }

  /// Mean and covariance under the sparse prior itself.
  @Override
  public LatticeDistribution conditioned(Hyperparameters h, WarmStart start) {
    LatticeProblem problem = problem(h);
    try {
      Conditioned sparse = new Conditioned(problem, known(problem, start), nodes());
      return new LatticeDistribution(
          problem, new SparseCovariance(sparse, new TrueKernel(sparse)), sparse.mean());
    } catch (ArithmeticException tooSmooth) {
      throw tooSmooth();
    }
  }

  /// The frame of an earlier evaluation, or a new one.
  private SparseFrame known(LatticeProblem problem, WarmStart start) {
    return start instanceof Known known
            && known.grid.equals(statistics.grid())
            && (known.frame.number != null) == (isNoiseless(problem) && nodes() != null)
        ? known.frame
        : frame(problem, ladder()[0]);
  }

  /// Only mean and covariance, with the engine's own number of neighbours. It searches for neither
  /// a closer result nor the likelihood under the true kernel.
  public LatticeDistribution conditioned(Hyperparameters h) {
    LatticeProblem problem = problem(h);
    return conditioned(problem, frame(problem, ladder()[0]));
  }

  private LatticeDistribution conditioned(LatticeProblem problem, SparseFrame frame) {
    Conditioned sparse = new Conditioned(problem, frame, nodes());
    TrueKernel exact = new TrueKernel(sparse);
    SparseCovariance covariance = new SparseCovariance(sparse, exact);
    TrueKernel.Mean mean = exact.mean(covariance.stencil().diagonal(0));
    return new LatticeDistribution(
        problem,
        covariance,
        LatticeProblem.Mean.within(mean.values(), mean.steps(), mean.error()),
        mean.dual());
  }

  /// The likelihood under the true kernel: the mean by conjugate gradients, the determinant by
  /// stochastic Lanczos quadrature.
  private LogLikelihood settled(TrueKernel exact, LatticeDistribution found) {
    double[] a = found.mean();
    double[] dual = found.dual();
    double squares = Blas.dot(dual.length, dual, 0, a, 0);
    double value = new SparseLikelihood(exact.sparse(), statistics).value(a, squares);
    double[] change = exact.logDeterminant(PROBES, QUADRATURE, seed);
    return new LogLikelihood(value - 0.5 * change[0], 0.5 * change[1]);
  }
}
