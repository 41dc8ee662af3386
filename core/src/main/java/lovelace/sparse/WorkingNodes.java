package lovelace.sparse;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.WorkingProcess;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.Fronts;
import lovelace.linear.sparse.NestedDissection;
import lovelace.linear.sparse.SelectedInverse;
import lovelace.linear.sparse.SparseCholesky;
import lovelace.linear.sparse.SparsePattern;
import org.jspecify.annotations.Nullable;

/// Working observations on the nodes of a grid, under the sparse prior. Q is its precision and W
/// the sums of the weights of each node's observations:
///
/// ```
/// Λ = Q + W      a = Λ⁻¹ b,  b = Σ w(z − μ) of each node      P = Λ⁻¹
/// −2 log N = aᵀQa + Σ w(z − μ − a)² − Σ log w + log|Λ| − log|Q| + n log 2π
/// ```
///
/// Newton steps change W little. So means come from conjugate gradients, preconditioned by a
/// *light* factor: that of a prior with few neighbours and the weights of an earlier step. Their
/// error is too small to matter for the step, and it becomes smaller the closer a mean is to the
/// one before. The factor of Λ is only made for variances and the evidence, which have no such
/// error. Patterns, orders and fronts are computed once. Immutable.
public final class WorkingNodes implements WorkingProcess {

  /// The number of neighbours of the light prior.
  private static final int LIGHT = 6;

  /// A mean is accepted when its error is about this, in posterior standard deviations of all nodes
  /// together.
  private static final double DONE = 1e-9;

  /// A mean far from the start of its iterations is accepted when its error changes the objective
  /// of a Newton step by less than this share of the step's gain.
  private static final double PART = 1e-4;

  /// This many steps of conjugate gradients take about as long as a light factor.
  private static final int FEW = 20;

  /// The most steps with the factor of the same weights.
  private static final int MANY = 100;

  /// The speed of convergence is judged after this many steps.
  private static final int TRIAL = 5;

  private static final int CHUNK = 4096;

  private final Grid grid;
  private final int neighbours;
  private final int[] nodes; // of each observation

  private WorkingNodes(Grid grid, int neighbours, int[] nodes) {
    this.grid = grid;
    this.neighbours = neighbours;
    this.nodes = nodes;
  }

  /// The process at some places, row-major; null if one of them is not a node.
  ///
  /// @param neighbours the number of nodes that each one is regressed on; 0 for that of the
  ///   engine's evidence
  public static @Nullable WorkingNodes of(Grid grid, double[] places, int neighbours) {
    int d = grid.dimensions();
    if (neighbours == 0) return of(grid, places, NeighbourLadder.fewest(d));
    int[] nodes = new int[places.length / d];
    double slack = grid.snaps() ? Grid.SNAP : 1e-9;
    for (int p = 0; p < nodes.length; p++)
      for (int a = 0; a < d; a++) {
        double u = (places[p * d + a] - grid.axis(a).origin()) / grid.axis(a).step();
        double node = Math.rint(u);
        if (!(Math.abs(u - node) <= slack) || node < 0 || node >= grid.axis(a).points())
          return null;
        nodes[p] += ((int) node) * grid.stride(a);
      }
    return new WorkingNodes(grid, neighbours, nodes);
  }

  @Override
  public String name() {
    return "sparse";
  }

  @Override
  public int size() {
    return nodes.length;
  }

  @Override
  public double[] prior(Hyperparameters working) {
    return gathered(priorOnNodes(working));
  }

  private double[] priorOnNodes(Hyperparameters working) {
    double[] c = working.mean().coefficients();
    return c.length == 0
        ? new double[grid.size()]
        : grid.linear(c[0], Arrays.copyOfRange(c, 1, c.length));
  }

  /// The values at the observations' nodes.
  private double[] gathered(double[] all) {
    double[] own = new double[nodes.length];
    Parallel.chunks(
        own.length,
        CHUNK,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) own[i] = all[nodes[i]];
        });
    return own;
  }

  /// The sums over the observations of each node of `scale` times a value.
  private double[] scattered(double[] scale, double[] values) {
    double[] all = new double[grid.size()];
    for (int i = 0; i < values.length; i++) all[nodes[i]] += scale[i] * values[i];
    return all;
  }

  /// The precision of a prior with some number of neighbours, and the fronts of its pattern, which
  /// do not depend on the parameters.
  private record Prior(LatticePrecision precision, Fronts fronts) {

    static Prior of(LatticeKernel.Block block, int neighbours) {
      LatticePrecision precision =
          LatticePrecision.of(LocalRegressions.of(ConditioningSets.of(block, neighbours), block));
      int[] shape = new int[block.grid().dimensions()];
      for (int a = 0; a < shape.length; a++) shape[a] = block.grid().axis(a).points();
      SparsePattern pattern = precision.pattern();
      return new Prior(
          precision,
          Fronts.of(pattern, NestedDissection.of(pattern, SparsePattern.coordinates(shape))));
    }

    /// The same for other parameters.
    Prior with(LatticeKernel.Block block) {
      return new Prior(
          precision.with(LocalRegressions.of(precision.regressions().sets(), block)), fronts);
    }

    /// The factor of the precision plus a diagonal.
    SparseCholesky factor(double[] diagonal) {
      SparsePattern pattern = fronts.pattern();
      double[] values = precision.values(pattern);
      for (int i = 0; i < diagonal.length; i++) values[pattern.start(i + 1) - 1] += diagonal[i];
      return SparseCholesky.of(fronts, values);
    }
  }

  /// The start for later solutions: the priors under a kernel, a light factor and a mean.
  private static final class Start implements WarmStart {
    final WorkingNodes process;
    final Kernel kernel;
    final Prior prior;
    final Prior light;
    final SparseCholesky factor;
    final double[] mean;

    Start(
        WorkingNodes process,
        Kernel kernel,
        Prior prior,
        Prior light,
        SparseCholesky factor,
        double[] mean) {
      this.process = process;
      this.kernel = kernel;
      this.prior = prior;
      this.light = light;
      this.factor = factor;
      this.mean = mean;
    }
  }

  @Override
  public Solution solve(
      Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
    Start known = start instanceof Start s && s.process == this ? s : null;
    Kernel kernel = working.kernel();
    Weighted system;
    if (known != null && known.kernel.equals(kernel)) {
      system = new Weighted(working, known.prior, known.light, weights, known.factor);
    } else {
      LatticeKernel.Block block = LatticeKernel.of(grid, kernel).blocks().getFirst();
      system =
          known == null
              ? first(working, block, weights)
              : new Weighted(
                  working, known.prior.with(block), known.light.with(block), weights, known.factor);
    }
    return new Given(system, targets, known == null ? new double[grid.size()] : known.mean);
  }

  private Weighted first(Hyperparameters working, LatticeKernel.Block block, double[] weights) {
    Prior prior = Prior.of(block, neighbours);
    Prior light = neighbours <= LIGHT ? prior : Prior.of(block, LIGHT);
    long largest = prior.fronts.largest();
    Budget.require(
        8 * (prior.fronts.numbers() + light.fronts.numbers())
            + 64 * largest * largest
            + 48L * prior.fronts.pattern().entries(),
        "Laplace's approximation on the " + grid,
        "use a coarser grid");
    return new Weighted(working, prior, light, weights, null);
  }

  /// Λ for some weights, and its factor once that is needed.
  private final class Weighted {
    final Hyperparameters working;
    final Prior prior;
    final Prior light;
    final double[] weights; // of the observations
    final double[] sums; // of the nodes
    final double[] mu; // of the nodes
    private boolean fresh; // whether the light factor has these weights
    private @Nullable SparseCholesky lightFactor;
    private @Nullable SparseCholesky factor;
    private double @Nullable [] inverse;

    Weighted(
        Hyperparameters working,
        Prior prior,
        Prior light,
        double[] weights,
        @Nullable SparseCholesky lightFactor) {
      this.working = working;
      this.prior = prior;
      this.light = light;
      this.weights = weights;
      this.lightFactor = lightFactor;
      double[] ones = new double[weights.length];
      Arrays.fill(ones, 1);
      sums = scattered(ones, weights);
      mu = priorOnNodes(working);
    }

    synchronized SparseCholesky factor() {
      SparseCholesky made = factor;
      if (made == null) factor = made = prior.factor(sums);
      return made;
    }

    synchronized SparseCholesky lightFactor() {
      SparseCholesky made = lightFactor;
      if (made == null) {
        lightFactor = made = light.factor(sums);
        fresh = true;
      }
      return made;
    }

    /// The entries of P on the pattern.
    synchronized double[] inverse() {
      double[] made = inverse;
      if (made == null) inverse = made = SelectedInverse.onPattern(factor());
      return made;
    }

    /// `Λ⁻¹ b`. Overwrites b.
    ///
    /// @param near the start of the iterations
    /// @param part the share of the gain of a step that may be lost
    synchronized double[] solve(double[] b, double[] near, double part) {
      if (factor == null) {
        double[] x = near.clone();
        if (iterated(b, x, lightFactor(), part, fresh ? MANY : FEW)) return x;
        if (!fresh) {
          lightFactor = null;
          if (iterated(b, x, lightFactor(), part, MANY)) return x;
        }
      }
      factor().solve(b);
      return b;
    }

    /// `y ← Λ x`.
    private void apply(double[] x, double[] y) {
      prior.precision.apply(x, y);
      for (int i = 0; i < y.length; i++) y[i] += sums[i] * x[i];
    }

    /// `x ← Λ⁻¹ b` by conjugate gradients from x. Returns whether they converge within `most`
    /// steps. If that cannot be expected, they stop early.
    private boolean iterated(
        double[] b, double[] x, SparseCholesky similar, double part, int most) {
      int m = b.length;
      double[] r = new double[m];
      apply(x, r);
      for (int i = 0; i < m; i++) r[i] = b[i] - r[i];
      double[] z = r.clone();
      similar.solve(z);
      double[] p = z.clone();
      double[] q = new double[m];
      double rho = Blas.dot(m, r, 0, z, 0);
      double first = rho;
      double squares = Math.max(first, Blas.dot(m, x, 0, b, 0)); // about xᵀΛx of the solution
      double done = Math.pow(Math.max(DONE, part * first / Math.sqrt(squares)), 2);
      for (int steps = 1; rho > done; steps++) {
        Budget.check();
        apply(p, q);
        double alpha = rho / Blas.dot(m, p, 0, q, 0);
        Blas.axpy(m, alpha, p, 0, x, 0);
        Blas.axpy(m, -alpha, q, 0, r, 0);
        System.arraycopy(r, 0, z, 0, m);
        similar.solve(z);
        double next = Blas.dot(m, r, 0, z, 0);
        double ratio = next / rho;
        rho = next;
        // would it take too many steps at the present speed?
        if (steps >= TRIAL && !(steps * Math.log(first / done) <= most * Math.log(first / rho)))
          return rho <= done;
        for (int i = 0; i < m; i++) p[i] = z[i] + ratio * p[i];
      }
      return true;
    }
  }

  /// The process given targets.
  private final class Given implements Solution {
    private final Weighted system;
    private final double[] targets;
    private final double[] mean; // a, of the nodes
    private final double[] means;

    Given(Weighted system, double[] targets, double[] near) {
      this.system = system;
      this.targets = targets;
      mean = system.solve(projected(), near, PART);
      means = gathered(mean);
      for (int i = 0; i < means.length; i++) means[i] += system.mu[nodes[i]];
    }

    /// b.
    private double[] projected() {
      double[] from = new double[targets.length];
      for (int i = 0; i < from.length; i++) from[i] = targets[i] - system.mu[nodes[i]];
      return scattered(system.weights, from);
    }

    /// a, by the factor.
    private double[] factored() {
      double[] a = projected();
      system.factor().solve(a);
      return a;
    }

    @Override
    public double[] means() {
      return means;
    }

    @Override
    public double[] variances() {
      double[] inverse = system.inverse();
      SparsePattern pattern = system.prior.fronts().pattern();
      double[] own = new double[nodes.length];
      for (int i = 0; i < own.length; i++) own[i] = inverse[pattern.start(nodes[i] + 1) - 1];
      return own;
    }

    @Override
    public double evidence() {
      double[] a = factored();
      double misfit = 0;
      double logs = 0;
      for (int i = 0; i < targets.length; i++) {
        double w = system.weights[i];
        double e = targets[i] - system.mu[nodes[i]] - a[nodes[i]];
        misfit += w * e * e;
        logs += Math.log(w);
      }
      LatticePrecision precision = system.prior.precision();
      return -0.5
          * (precision.quadratic(a)
              + misfit
              - logs
              + system.factor().logDeterminant()
              - precision.logDeterminant()
              + targets.length * Math.log(2 * Math.PI));
    }

    @Override
    public double[] gradient(double[] delta) {
      Hyperparameters h = system.working;
      double[] sum = factored();
      double[] d = moved(delta);
      for (int i = 0; i < sum.length; i++) sum[i] += d[i];
      double[] g = new double[h.kernel().parameterCount()];
      // −½ aᵀ∂Q a − aᵀ∂Q d = −½ (a + d)ᵀ∂Q (a + d) + ½ dᵀ∂Q d
      system
          .prior
          .precision()
          .gradient()
          .quadratic(-0.5, sum)
          .quadratic(0.5, d)
          .trace(-0.5, system.prior.fronts().pattern(), system.inverse())
          .logDeterminant(0.5)
          .into(g);
      double[] dual = new double[delta.length];
      for (int i = 0; i < dual.length; i++)
        dual[i] = targets[i] + delta[i] - system.mu[nodes[i]] - sum[nodes[i]];
      double[] onNodes = scattered(system.weights, dual);
      double[] slopes = new double[h.mean().size()];
      for (int i = 0; i < slopes.length; i++)
        slopes[i] = Blas.dot(onNodes.length, grid.basis(i), 0, onNodes, 0);
      return Evidence.gradient(h, g, 0, slopes);
    }

    /// The movement of the nodes as targets move by δ.
    private double[] moved(double[] delta) {
      return system.solve(scattered(system.weights, delta), new double[grid.size()], 0);
    }

    @Override
    public double[] response(double[] delta) {
      return gathered(moved(delta));
    }

    @Override
    public WarmStart next() {
      return new Start(
          WorkingNodes.this,
          system.working.kernel(),
          system.prior,
          system.light,
          system.lightFactor(),
          mean);
    }
  }
}
