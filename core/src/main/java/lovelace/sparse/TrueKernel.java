package lovelace.sparse;

import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.inference.LatticeProblem;
import lovelace.linear.Blas;
import lovelace.statistics.CompressedWeights;

/// Corrects a sparse posterior for the exact kernel. It solves the system of the true K by
/// conjugate gradients, with products by FFTs and the sparse posterior as preconditioner. A few
/// steps make the mean exact, measure the error of variances, and correct the likelihood.
///
/// | | with noise | pinned |
/// |---|---|---|
/// | vectors | on the grid, inner product G | at the observed nodes |
/// | system M | `KG + σ²` | `K_oo` |
/// | preconditioner | `Λ⁻¹Q/σ²` | `Q_oo − Q_ou Q_uu⁻¹ Q_uo` |
final class TrueKernel {

  /// The most steps for a mean.
  private static final int STEPS = 40;

  /// The most steps for a check of variances.
  private static final int CHECK = 6;

  /// A mean is accepted when a step changes it by less than this many standard deviations.
  private static final double DONE = 3e-4;

  private final Conditioned sparse;
  private final LatticeProblem problem;
  private final int m;
  private double smallest = 1; // smallest eigenvalue seen of the preconditioned system

  TrueKernel(Conditioned sparse) {
    this.sparse = sparse;
    problem = sparse.problem;
    m = sparse.size();
  }

  Conditioned sparse() {
    return sparse;
  }

  /// A mean under the true kernel.
  static final class Mean {
    private final double[] values;
    private final double[] dual;
    private final int steps;
    private final double error;

    private Mean(double[] values, double[] dual, int steps, double error) {
      this.values = values;
      this.dual = dual;
      this.steps = steps;
      this.error = error;
    }

    /// The mean minus the prior mean. Not a copy.
    double[] values() {
      return values;
    }

    /// `WA⁻¹(y − μ)`. Not a copy.
    double[] dual() {
      return dual;
    }

    /// The number of steps of conjugate gradients.
    int steps() {
      return steps;
    }

    /// How far the last step moved the mean at most, in standard deviations.
    double error() {
      return error;
    }
  }

  /// The posterior mean under the true kernel.
  ///
  /// @param variances of the nodes under the sparse prior
  Mean mean(double[] variances) {
    return sparse.pinned() ? pinnedMean(variances) : noisyMean(variances);
  }

  private Mean noisyMean(double[] variances) {
    double noise = problem.noise();
    double[] a = sparse.mean();
    double[] right = dual(a);
    double[] k = new double[m];
    problem.kernel().apply(right, k);
    for (int i = 0; i < m; i++) right[i] = a[i] - k[i];
    TrueRun run = new TrueRun(new TrueEquations.OnGrid(sparse), 1, right, STEPS);
    double error = Double.POSITIVE_INFINITY;
    int steps = 0;
    while (error > DONE && steps < STEPS && !run.ended[0]) {
      double[] before = run.x.clone();
      run.step();
      steps++;
      error = 0;
      for (int i = 0; i < m; i++)
        error =
            Math.max(error, noise * Math.abs(run.change(0, i, before)) / Math.sqrt(variances[i]));
    }
    smallest = run.smallest(smallest);
    for (int i = 0; i < m; i++) a[i] -= noise * run.x[i];
    return new Mean(a, dual(a), steps, run.ended[0] && error > 1 ? 0 : error);
  }

  /// `(b − Ga)/σ²`.
  private double[] dual(double[] a) {
    double[] ga = new double[m];
    problem.statistics().gram().apply(a, ga);
    double[] b = problem.projected();
    for (int i = 0; i < m; i++) ga[i] = (b[i] - ga[i]) / problem.noise();
    return ga;
  }

  private Mean pinnedMean(double[] variances) {
    NodeData nodes = sparse.nodes();
    if (nodes == null) throw new IllegalStateException("pinned nodes without rows on nodes");
    double[] y = sparse.values(nodes);
    TrueRun run = new TrueRun(new TrueEquations.OnGrid(sparse), 1, y.clone(), STEPS);
    double[] mean = sparse.mean();
    double error = Double.POSITIVE_INFINITY;
    int steps = 0;
    while (error > DONE && steps < STEPS && !run.ended[0]) {
      run.step();
      steps++;
      double[] next = new double[m];
      problem.kernel().apply(run.x, next);
      double[] rest = run.r.clone();
      sparse.krige(1, rest);
      error = 0;
      for (int i = 0; i < m; i++) {
        next[i] += rest[i];
        if (sparse.isPinned(i)) next[i] = y[i];
        else error = Math.max(error, Math.abs(next[i] - mean[i]) / Math.sqrt(variances[i]));
      }
      mean = next;
    }
    smallest = run.smallest(smallest);
    return new Mean(mean, run.x, steps, Double.isInfinite(error) ? 0 : error);
  }

  /// Intervals around the variances of the true process for weights w on the grid, one vector after
  /// another, after some steps. The upper end is the mean squared error of a linear predictor,
  /// which cannot be below the true variance. The lower end subtracts a bound of the remaining
  /// error, with an estimate of the smallest eigenvalue.
  ///
  /// @param enough the width of an interval at which the steps end
  void bounds(int count, double[] w, double[] enough, double[] lower, double[] upper) {
    double[] k = new double[count * m];
    problem.kernel().applyBlock(count, w, k);
    // s, the predictor's weights: those of the sparse process first
    double[] s = new double[count * m];
    sparse.covariance(count, w, s);
    if (sparse.pinned()) {
      double[] q = new double[count * m];
      sparse.prior(count, s, q);
      for (int i = 0; i < m; i++)
        for (int c = 0; c < count; c++)
          s[c * m + i] = sparse.isPinned(i) ? w[c * m + i] - q[c * m + i] : 0;
    } else {
      for (int i = 0; i < count * m; i++) s[i] /= problem.noise();
    }
    TrueEquations system = new TrueEquations.OnGrid(sparse);
    double[] right = residual(system, count, k, s);
    TrueRun run = new TrueRun(system, count, right, CHECK);
    for (int step = 0; step < CHECK && !within(run.rho, enough); step++) run.step();
    smallest = run.smallest(smallest);
    for (int i = 0; i < count * m; i++) s[i] += run.x[i];
    double[] rest = run.r;
    double[] gs = new double[count * m];
    system.metric(count, s, gs);
    for (int c = 0; c < count; c++) {
      double own = Blas.dot(m, w, c * m, k, c * m);
      // own − 2kᵀs + sᵀMs, with Ms = k − rest
      double error = own - Blas.dot(m, k, c * m, gs, c * m) - Blas.dot(m, rest, c * m, gs, c * m);
      upper[c] = Math.max(0, error);
      lower[c] = Math.max(0, upper[c] - run.rho[c] / smallest);
    }
  }

  private boolean within(double[] rho, double[] enough) {
    for (int c = 0; c < rho.length; c++) if (rho[c] > enough[c] * smallest) return false;
    return true;
  }

  /// `k − M s`, at the places of the system.
  private double[] residual(TrueEquations system, int count, double[] k, double[] s) {
    double[] gs = new double[count * m];
    double[] q = new double[count * m];
    system.metric(count, s, gs);
    system.product(count, s, gs, q);
    for (int i = 0; i < count * m; i++) q[i] = k[i] - q[i];
    if (sparse.pinned()) sparse.mask(count, q);
    return q;
  }

  /// An estimate of `log|A| − log|A_sparse|` and its standard error, by stochastic Lanczos
  /// quadrature with draws of the sparse process: `[value, error]`.
  double[] logDeterminant(int probes, int most, long seed) {
    NodeData nodes = sparse.nodes();
    SplittableRandom random = new SplittableRandom(seed);
    TrueEquations system;
    double[] z;
    if (nodes != null) {
      system = new TrueEquations.OnGrid(sparse);
      z = new double[probes * m];
      for (int c = 0; c < probes; c++) {
        double[] u = draw(random);
        for (int i = 0; i < m; i++) {
          double weight = nodes.weights()[i];
          if (!(weight > 0)) continue;
          double own = sparse.pinned() ? 0 : Math.sqrt(problem.noise() / weight);
          z[c * m + i] = u[i] + own * random.nextGaussian();
        }
      }
    } else {
      CompressedWeights root = problem.statistics().compressed();
      system = new TrueEquations.OnRoot(sparse, root);
      int n = root.columns();
      z = new double[Budget.numbers(probes, n, "probes", "use fewer grid points")];
      for (int c = 0; c < probes; c++) {
        double[] one = new double[n];
        root.applyTransposed(draw(random), one);
        double sd = Math.sqrt(problem.noise());
        for (int i = 0; i < n; i++) z[c * n + i] = one[i] + sd * random.nextGaussian();
      }
    }
    TrueRun run = new TrueRun(system, probes, z, most);
    double[] norms = run.rho.clone();
    for (int step = 0; step < most; step++) run.step();
    smallest = run.smallest(smallest);
    double sum = 0;
    double squares = 0;
    for (int c = 0; c < probes; c++) {
      double[] first = new double[run.taken[c]];
      double[] values = run.ritz(c, first);
      double log = 0;
      for (int i = 0; i < values.length; i++)
        log += first[i] * Math.log(Math.max(values[i], Double.MIN_NORMAL));
      sum += norms[c] * log;
      squares += norms[c] * log * norms[c] * log;
    }
    double mean = sum / probes;
    double variance = Math.max(0, squares / probes - mean * mean) / (probes - 1);
    return new double[] {mean, Math.sqrt(variance)};
  }

  /// A draw of the sparse process.
  private double[] draw(SplittableRandom random) {
    double[] z = new double[m];
    for (int i = 0; i < m; i++) z[i] = random.nextGaussian();
    double[] x = new double[m];
    sparse.precision.draw(z, x);
    return x;
  }
}
