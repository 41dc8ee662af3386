package lovelace.sparse;

import lovelace.budget.Budget;
import lovelace.linear.Blas;

/// A run of preconditioned conjugate gradients from zero, with several right-hand sides in step.
final class TrueRun {

  private final TrueEquations system;
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

  TrueRun(TrueEquations system, int count, double[] right, int most) {
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

  /// Makes one step of every column that has not ended.
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

  /// The change of x by the last step.
  double change(int c, int i, double[] before) {
    return x[c * n + i] - before[c * n + i];
  }

  /// The Ritz values of a column. Writes the squares of the first components of their vectors to
  /// `first`.
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

  /// The smallest positive Ritz value, or `known` if that is smaller.
  double smallest(double known) {
    double smallest = known;
    for (int c = 0; c < count; c++)
      if (taken[c] > 0) {
        double value = ritz(c, new double[taken[c]])[0];
        if (value > 0) smallest = Math.min(smallest, value);
      }
    return smallest;
  }
}
