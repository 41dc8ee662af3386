package lovelace.series;

import java.util.List;
import lovelace.linear.Blas;

/// Least squares of the level and some patterns, whitened by a factor, as orthonormal vectors.
final class Regression {

  private final Factor factor;
  private final int n;
  private final double[][] unit;

  /// The sum of the logarithms of the squared lengths that the patterns add.
  final double logSquares;

  /// The length that the last pattern adds.
  final double lastLength;

  Regression(Factor factor, int[] steps, List<Pattern> patterns) {
    this.factor = factor;
    n = steps.length;
    unit = new double[patterns.size() + 1][];
    unit[0] = factor.ones.clone();
    scale(unit[0], 1 / Blas.nrm2(n, unit[0], 0));
    double log = 0;
    double length = 0;
    for (int p = 1; p < unit.length; p++) {
      double[] x = new double[n];
      for (int i = 0; i < n; i++) x[i] = patterns.get(p - 1).at(steps[i]);
      factor.whiten(n, 1, x);
      for (int twice = 0; twice < 2; twice++)
        for (int q = 0; q < p; q++) Blas.axpy(n, -Blas.dot(n, unit[q], 0, x, 0), unit[q], 0, x, 0);
      length = Blas.nrm2(n, x, 0);
      scale(x, 1 / length);
      log += 2 * Math.log(length);
      unit[p] = x;
    }
    logSquares = log;
    lastLength = length;
  }

  private static void scale(double[] x, double by) {
    for (int i = 0; i < x.length; i++) x[i] *= by;
  }

  /// The number of coefficients, the level among them.
  int size() {
    return unit.length;
  }

  /// The rest of whitened values.
  double[] rest(double[] v) {
    double[] e = v.clone();
    for (double[] u : unit) Blas.axpy(n, -Blas.dot(n, u, 0, e, 0), u, 0, e, 0);
    return e;
  }

  /// The coefficient of the last pattern.
  double last(double[] v) {
    return Blas.dot(n, unit[unit.length - 1], 0, v, 0) / lastLength;
  }

  /// `L⁻ᵀ u` for one of the vectors.
  double[] back(int vector) {
    return back(unit[vector]);
  }

  /// `L⁻ᵀ e`.
  double[] back(double[] e) {
    double[] b = e.clone();
    Blas.trsm(false, true, n, 1, 1, factor.l, 0, factor.size, b, 0, 1);
    return b;
  }
}
