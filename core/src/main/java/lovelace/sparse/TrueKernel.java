package lovelace.sparse;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.inference.LatticeProblem;
import lovelace.linear.Blas;
import lovelace.statistics.CompressedWeights;

/// The exact kernel again: conjugate gradients for the system of the true K, by products through
/// FFTs, preconditioned by the sparse posterior. A few steps make the mean exact, tell how far
/// variances are off, and correct the likelihood.
///
/// | | with noise | pinned |
/// |---|---|---|
/// | vectors | on the grid, inner product G | at the observed nodes |
/// | system M | `KG + σ²` | `K_oo` |
/// | preconditioner | `Λ⁻¹Q/σ²` | `Q_oo − Q_ou Q_uu⁻¹ Q_uo` |
final class TrueKernel {

  /// Steps for a mean, at most.
  private static final int STEPS = 40;

  /// Steps for a check of variances, at most.
  private static final int CHECK = 6;

  /// A mean is done when a step moves it by less than this many standard deviations.
  private static final double DONE = 3e-4;

  private final Conditioned sparse;
  private final LatticeProblem problem;
  private final int m;
  private double smallest = 1; // λmin of the preconditioned system, as far as it was seen

  TrueKernel(Conditioned sparse) {
    this.sparse = sparse;
    problem = sparse.problem;
    m = sparse.size();
  }

  Conditioned sparse() {
    return sparse;
  }

  /// What conjugate gradients work with; vectors are stored one after another.
  private interface Equations {
    int size();

    /// `g ← x` with the metric of the inner product.
    void metric(int count, double[] x, double[] g);

    /// `q ← M p`, given the metric's `gp`.
    void product(int count, double[] p, double[] gp, double[] q);

    /// `z ←` the preconditioner times r.
    void precondition(int count, double[] r, double[] z);
  }

  private final class OnGrid implements Equations {
    @Override
    public int size() {
      return m;
    }

    @Override
    public void metric(int count, double[] x, double[] g) {
      if (sparse.pinned()) System.arraycopy(x, 0, g, 0, count * m);
      else problem.statistics().gram().applyBlock(count, x, g);
    }

    @Override
    public void product(int count, double[] p, double[] gp, double[] q) {
      problem.kernel().applyBlock(count, gp, q);
      if (sparse.pinned()) sparse.mask(count, q);
      else for (int i = 0; i < count * m; i++) q[i] += problem.noise() * p[i];
    }

    @Override
    public void precondition(int count, double[] r, double[] z) {
      if (sparse.pinned()) {
        double[] x = Arrays.copyOf(r, count * m);
        sparse.krige(count, x);
        sparse.prior(count, x, z);
        sparse.mask(count, z);
      } else {
        double[] q = new double[count * m];
        sparse.prior(count, r, q);
        sparse.covariance(count, q, z);
        for (int i = 0; i < count * m; i++) z[i] /= problem.noise();
      }
    }
  }

  /// In the coordinates of the compressed weights V, `VVᵀ = G`: `VᵀKV + σ²` with the preconditioner
  /// `(1 − VᵀPV/σ²)/σ²`.
  private final class OnRoot implements Equations {
    private final CompressedWeights root;

    OnRoot(CompressedWeights root) {
      this.root = root;
    }

    @Override
    public int size() {
      return root.columns();
    }

    @Override
    public void metric(int count, double[] x, double[] g) {
      System.arraycopy(x, 0, g, 0, count * size());
    }

    private double[] lifted(int count, double[] x) {
      double[] grid = new double[count * m];
      for (int c = 0; c < count; c++) {
        double[] one = new double[m];
        root.apply(Arrays.copyOfRange(x, c * size(), (c + 1) * size()), one);
        System.arraycopy(one, 0, grid, c * m, m);
      }
      return grid;
    }

    private void project(int count, double[] grid, double[] x) {
      for (int c = 0; c < count; c++) {
        double[] one = new double[size()];
        root.applyTransposed(Arrays.copyOfRange(grid, c * m, (c + 1) * m), one);
        System.arraycopy(one, 0, x, c * size(), size());
      }
    }

    @Override
    public void product(int count, double[] p, double[] gp, double[] q) {
      double[] k = new double[count * m];
      problem.kernel().applyBlock(count, lifted(count, p), k);
      project(count, k, q);
      for (int i = 0; i < count * size(); i++) q[i] += problem.noise() * p[i];
    }

    @Override
    public void precondition(int count, double[] r, double[] z) {
      double[] pv = new double[count * m];
      sparse.covariance(count, lifted(count, r), pv);
      project(count, pv, z);
      double noise = problem.noise();
      for (int i = 0; i < count * size(); i++) z[i] = (r[i] - z[i] / noise) / noise;
    }
  }

  /// A run of preconditioned conjugate gradients from zero, several right-hand sides in step.
  private final class Run {
    final Equations system;
    final int count;
    final int n;
    final double[] x;
    final double[] r;
    final double[] z;
    final double[] p;
    final double[] rho;
    final double[][] steps; // α of each column
    final double[][] ratios; // β of each column
    final int[] taken;
    final boolean[] ended;

    Run(Equations system, int count, double[] right, int most) {
      this.system = system;
      this.count = count;
      n = system.size();
      x = new double[count * n];
      r = right;
      z = new double[count * n];
      rho = new double[count];
      steps = new double[count][most];
      ratios = new double[count][most];
      taken = new int[count];
      ended = new boolean[count];
      system.precondition(count, r, z);
      p = z.clone();
      double[] g = new double[count * n];
      system.metric(count, r, g);
      for (int c = 0; c < count; c++) {
        rho[c] = Blas.dot(n, g, c * n, z, c * n);
        ended[c] = !(rho[c] > 0);
      }
    }

    /// One step of every column that has not ended.
    void step() {
      Budget.check();
      double[] gp = new double[count * n];
      double[] q = new double[count * n];
      system.metric(count, p, gp);
      system.product(count, p, gp, q);
      for (int c = 0; c < count; c++) {
        double curvature = Blas.dot(n, gp, c * n, q, c * n);
        ended[c] |= !(curvature > 0);
        if (ended[c]) continue;
        double alpha = rho[c] / curvature;
        steps[c][taken[c]] = alpha;
        Blas.axpy(n, alpha, p, c * n, x, c * n);
        Blas.axpy(n, -alpha, q, c * n, r, c * n);
      }
      system.precondition(count, r, z);
      system.metric(count, r, gp);
      for (int c = 0; c < count; c++) {
        if (ended[c]) continue;
        double next = Blas.dot(n, gp, c * n, z, c * n);
        double ratio = Math.max(0, next / rho[c]);
        ratios[c][taken[c]++] = ratio;
        ended[c] = !(next > 1e-28 * rho[c]);
        rho[c] = Math.max(0, next);
        for (int i = c * n; i < (c + 1) * n; i++) p[i] = z[i] + ratio * p[i];
      }
    }

    /// The step that was taken last, as a change of x.
    double change(int c, int i, double[] before) {
      return x[c * n + i] - before[c * n + i];
    }

    /// Ritz values of a column, and in `first` the squares of the first components of their
    /// vectors.
    double[] ritz(int c, double[] first) {
      int s = taken[c];
      double[] t = new double[s * s];
      for (int i = 0; i < s; i++) {
        t[i * s + i] = 1 / steps[c][i] + (i == 0 ? 0 : ratios[c][i - 1] / steps[c][i - 1]);
        if (i > 0)
          t[i * s + i - 1] = t[(i - 1) * s + i] = Math.sqrt(ratios[c][i - 1]) / steps[c][i - 1];
      }
      double[] values = new double[s];
      Blas.eigen(s, t, values);
      for (int i = 0; i < s; i++) first[i] = t[i * s] * t[i * s];
      return values;
    }

    /// Remembers the smallest Ritz value seen.
    void see() {
      for (int c = 0; c < count; c++)
        if (taken[c] > 0) {
          double value = ritz(c, new double[taken[c]])[0];
          if (value > 0) smallest = Math.min(smallest, value);
        }
    }
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

    /// Less the prior mean. Not a copy.
    double[] values() {
      return values;
    }

    /// `WA⁻¹(y − μ)`. Not a copy.
    double[] dual() {
      return dual;
    }

    /// Of conjugate gradients.
    int steps() {
      return steps;
    }

    /// What the last step moved, in standard deviations, at most.
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
    Run run = new Run(new OnGrid(), 1, right, STEPS);
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
    run.see();
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
    Run run = new Run(new OnGrid(), 1, y.clone(), STEPS);
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
    run.see();
    return new Mean(mean, run.x, steps, Double.isInfinite(error) ? 0 : error);
  }

  /// Intervals around the variances of the true process for weights w on the grid, one vector after
  /// another, after some steps: the upper end is the mean squared error of a linear predictor,
  /// which nothing can beat; the lower one is less by what the steps leave, with an estimate of the
  /// smallest eigenvalue.
  ///
  /// @param enough how wide an interval may be; no more steps are taken than that needs
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
    Equations system = new OnGrid();
    double[] right = residual(system, count, k, s);
    Run run = new Run(system, count, right, CHECK);
    for (int step = 0; step < CHECK && !within(run.rho, enough); step++) run.step();
    run.see();
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
  private double[] residual(Equations system, int count, double[] k, double[] s) {
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
    Equations system;
    double[] z;
    if (nodes != null) {
      system = new OnGrid();
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
      system = new OnRoot(root);
      int n = root.columns();
      z = new double[Budget.numbers(probes, n, "probes", "use fewer grid points")];
      for (int c = 0; c < probes; c++) {
        double[] one = new double[n];
        root.applyTransposed(draw(random), one);
        double sd = Math.sqrt(problem.noise());
        for (int i = 0; i < n; i++) z[c * n + i] = one[i] + sd * random.nextGaussian();
      }
    }
    Run run = new Run(system, probes, z, most);
    double[] norms = run.rho.clone();
    for (int step = 0; step < most; step++) run.step();
    run.see();
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
