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
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The sparse engine, for rough stationary kernels on one grid of any size that its factor fits:
/// the precision of the prior from local regressions ([LatticePrecision]), conditioned by a sparse
/// Cholesky factor ([Conditioned]), and brought back to the true kernel by a few steps of conjugate
/// gradients ([TrueKernel]).
///
/// ```
/// Λ = Q + G/σ²      a = Λ⁻¹b/σ²      P ≈ Λ⁻¹
/// −2 log p = aᵀQa + ‖y − Wᵀa‖²/σ² + n log σ² + log|Λ| − log|Q| + n log 2π
/// ```
///
/// Noise of at most 1e-9 of the prior variance is none: if all rows lie on nodes, observed nodes
/// are pinned to their values, have variance 0 and leave the system.
public final class SparseEngine implements LatticeEngine {

  /// Up to this part of the prior variance, noise counts as none.
  public static final double NO_NOISE = 1e-9;

  /// How many nodes each one is regressed on, from few to many, for grids of one to three axes.
  private static final int[][] NEIGHBOURS = {
    {12, 24, 40}, {24, 40, 80}, {24, 40, 64, 80, 120, 160}
  };

  /// Where the search for k begins: the divergence a node that goes with a relative error of
  /// variances, for grids of one to three axes.
  private static final double[] DIVERGENCE = {0.005, 0.005, 0.05};

  /// The largest divergence a node of a kernel that this engine is for.
  private static final double CARRIED = 0.03;

  /// The most multiplications of a factor with more neighbours than the fewest.
  private static final double MOST_WORK = 1.5e12;

  /// What it says of more inputs than it takes.
  private static final String INPUTS =
      "the sparse engine needs one grid over at most three inputs; name up to three inputs, or use"
          + " another engine";

  private static final int PROBES = 8;
  private static final int QUADRATURE = 8;

  private final GridStatistics statistics;
  private final int neighbours; // 0: chosen
  private final long seed;
  private volatile @Nullable NodeData nodes;
  private volatile boolean between; // some row lies between nodes

  /// @param neighbours how many nodes each one is regressed on; 0 lets the engine choose
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

  /// Why it does not serve a kernel on a lattice.
  public static IllegalArgumentException refusal(Lattice lattice) {
    return new IllegalArgumentException(
        lattice instanceof Grid grid && grid.dimensions() <= 3
            ? "the sparse engine takes sums and products of stationary kernels that vary with an"
                + " input; leave constant and linear terms of the kernel out, or use another engine"
            : INPUTS);
  }

  /// Whether a kernel is a sum or product of stationary kernels, all of which vary.
  public static boolean applies(Grid grid, Hyperparameters h) {
    if (grid.dimensions() > 3) return false;
    LatticeKernel.Block block = LatticeKernel.of(grid, h.kernel()).blocks().getFirst();
    return block.parts().size() == 1 && block.parts().getFirst() instanceof StationaryPart;
  }

  /// The same whatever the grid.
  public static boolean applies(Hyperparameters h) {
    Axis[] axes = new Axis[h.kernel().dimensions()];
    Arrays.fill(axes, Axis.covering(0, 1, 4));
    return axes.length <= 3 && applies(Grid.of(axes), h);
  }

  /// Whether local regressions carry a kernel on a grid: those on twice as many neighbours hardly
  /// differ. Smooth kernels are not carried.
  public static boolean carries(Grid grid, Hyperparameters h) {
    if (!applies(grid, h)) return false;
    try {
      LatticeKernel.Block block = LatticeKernel.of(grid, h.kernel()).blocks().getFirst();
      int k = NEIGHBOURS[grid.dimensions() - 1][0];
      return 0.5 * (logVariances(block, k) - logVariances(block, 2 * k)) <= CARRIED * grid.size();
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

  /// About how many operations a factor over some nodes takes, with the entries of its inverse: a
  /// power law through factors that were counted.
  public static double operations(int dimensions, double nodes) {
    return switch (dimensions) {
      case 1 -> 1e5 * nodes;
      case 2 -> 3e4 * nodes * Math.sqrt(nodes);
      default -> 1500 * nodes * nodes;
    };
  }

  /// About how many bytes it takes while it is computed.
  public static double bytes(int dimensions, double nodes) {
    return switch (dimensions) {
      case 1 -> 4000 * nodes;
      case 2 -> nodes * (2000 + 600 * Math.log(nodes) / Math.log(2));
      default -> 900 * nodes * Math.cbrt(nodes);
    };
  }

  /// The largest number of nodes whose factor takes no more than so many bytes.
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

  /// The largest grid with as many points along each axis whose factor takes no more than so many
  /// bytes: `120x120`.
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

  /// The data as rows that stand for them: nodes where all lie on them, else the means of cells.
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

  /// Whether [#rows] are all there is to know: every row has a node of its own.
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

  /// Without noise every row must lie on a node, and those of one node must agree.
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
    // as many nodes as the same law says that the memory holds, with the same proportions
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

  /// How many nodes each one is regressed on where nothing asks for more.
  static int fewestNeighbours(int dimensions) {
    return NEIGHBOURS[dimensions - 1][0];
  }

  private int[] ladder() {
    return neighbours > 0 ? new int[] {neighbours} : NEIGHBOURS[statistics.grid().dimensions() - 1];
  }

  /// The likelihood under the sparse prior, with its gradient. −∞ where the kernel is too smooth
  /// for local regressions.
  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatticeProblem problem = problem(h);
    try {
      SparseFrame frame = known(problem, start);
      Conditioned sparse = new Conditioned(problem, frame, nodes());
      double[] a = sparse.mean();
      return evidence(sparse, a).before(new Known(statistics.grid(), frame));
    } catch (ArithmeticException tooSmooth) { // for the regressions, or for the factor
      return Evidence.impossible(h);
    }
  }

  private Evidence evidence(Conditioned sparse, double[] a) {
    LatticeProblem problem = sparse.problem;
    Hyperparameters h = problem.hyperparameters();
    double[] g = new double[h.kernel().parameterCount()];
    sparse
        .precision
        .gradient()
        .quadratic(-0.5, a)
        .trace(-0.5, sparse.frame.padded, sparse.inverse())
        .logDeterminant(0.5)
        .into(g);
    double[] dual;
    double slope = 0;
    if (sparse.pinned()) {
      dual = new double[a.length];
      sparse.prior(1, a, dual);
      sparse.mask(1, dual);
    } else {
      double noise = problem.noise();
      dual = new double[a.length];
      statistics.gram().apply(a, dual);
      double[] b = problem.projected();
      for (int i = 0; i < a.length; i++) dual[i] = (b[i] - dual[i]) / noise;
      slope =
          0.5
              / noise
              * (misfit(sparse, a) / noise
                  - statistics.count()
                  + sparse.stencil().dot(statistics.stencil()) / noise);
    }
    double squares = sparse.precision.quadratic(a);
    return new Evidence(value(sparse, a, squares), Evidence.gradient(problem, g, slope, dual), 0);
  }

  /// log p with a given quadratic form of the prior at the mean.
  private double value(Conditioned sparse, double[] a, double squares) {
    LatticeProblem problem = sparse.problem;
    double logs = sparse.factor.logDeterminant() - sparse.precision.logDeterminant();
    NodeData data = sparse.nodes();
    if (sparse.pinned() && data != null)
      return -0.5 * (squares + logs + data.observed() * Math.log(2 * Math.PI));
    double n = statistics.count();
    double noise = problem.noise();
    return -0.5
            * (squares
                + misfit(sparse, a) / noise
                + logs
                + n * Math.log(noise)
                + n * Math.log(2 * Math.PI))
        + 0.5 * statistics.logWeights();
  }

  /// `‖y − μ − Wᵀa‖²`, weighted: over nodes where rows lie on them; else from the sums, or where
  /// that would cancel, from the compressed weights.
  private double misfit(Conditioned sparse, double[] a) {
    LatticeProblem problem = sparse.problem;
    double[] b = problem.projected();
    NodeData data = sparse.nodes();
    double sum = 0;
    if (data != null) {
      double between = problem.squares();
      for (int i = 0; i < a.length; i++) {
        double w = data.weights()[i];
        if (!(w > 0)) continue;
        double y = b[i] / w;
        between -= w * y * y;
        sum += w * (y - a[i]) * (y - a[i]);
      }
      return sum + Math.max(0, between);
    }
    if (1e-15 * problem.squares() < 1e-4 * problem.noise()) {
      double[] ga = new double[a.length];
      statistics.gram().apply(a, ga);
      return Math.max(
          0,
          problem.squares() - 2 * Blas.dot(a.length, a, 0, b, 0) + Blas.dot(a.length, a, 0, ga, 0));
    }
    CompressedWeights root = statistics.compressed();
    double[] beta = problem.target(root, root.target());
    double outside = problem.squares() - Blas.dot(beta.length, beta, 0, beta, 0);
    double[] fit = new double[beta.length];
    root.applyTransposed(a, fit);
    for (int i = 0; i < fit.length; i++) sum += (beta[i] - fit[i]) * (beta[i] - fit[i]);
    return sum + Math.max(0, outside);
  }

  /// The posterior with as many neighbours as the check of the variances asks for: at points in
  /// gaps, at edges and beside data.
  @Override
  public LatticeDistribution posterior(Hyperparameters h, double tolerance, WarmStart start) {
    LatticeProblem problem = problem(h);
    int[] ladder = ladder();
    int at;
    try {
      at = first(problem, ladder, tolerance);
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

  /// The frame with more neighbours; null where it takes too much memory or time, or the kernel is
  /// too smooth for so many.
  private @Nullable SparseFrame affordable(LatticeProblem problem, int k) {
    try {
      SparseFrame frame = frame(problem, k);
      return frame.fronts.multiplications() <= MOST_WORK ? frame : null;
    } catch (Budget.MemoryLimitException | ArithmeticException tooMuch) {
      return null;
    }
  }

  /// Where to begin: with as few neighbours as the divergence from the next number allows.
  private static int first(LatticeProblem problem, int[] ladder, double tolerance) {
    LatticeKernel.Block block = problem.kernel().blocks().getFirst();
    double enough = DIVERGENCE[block.grid().dimensions() - 1] * tolerance;
    double few = logVariances(block, ladder[0]);
    int at = 0;
    while (at + 1 < ladder.length) {
      double many;
      try {
        many = logVariances(block, ladder[at + 1]);
      } catch (ArithmeticException tooSmooth) {
        break;
      }
      if (0.5 * (few - many) / block.grid().size() <= enough) break;
      few = many;
      at++;
    }
    return at;
  }

  /// Σ log D with k neighbours. Half the difference of two of them is the Kullback–Leibler
  /// divergence between the priors.
  private static double logVariances(LatticeKernel.Block block, int k) {
    return LocalRegressions.of(ConditioningSets.of(block, k), block).logVariances();
  }

  /// The covariance alone, with the number of neighbours that the engine was made with.
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

  /// Mean and covariance alone, with the number of neighbours that the engine was made with:
  /// neither a closer answer nor the likelihood under the true kernel is looked for.
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
    double[] change = exact.logDeterminant(PROBES, QUADRATURE, seed);
    return new LogLikelihood(value(exact.sparse(), a, squares) - 0.5 * change[0], 0.5 * change[1]);
  }
}
