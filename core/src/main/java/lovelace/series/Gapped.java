package lovelace.series;

import lovelace.linear.Blas;

/// The forecast of a history with a few gaps by the factor of the whole steps, which other
/// histories share. A gap is a value with a free coefficient, so this is exact, and takes `O(n²)`
/// for each gap in place of a factor of its own.
///
/// With L the factor of n steps, the whitened impulses at the gaps and the whitened level are made
/// orthonormal vectors `u₁, …, u_g, u`; r is the length that the level has left. With e the rest of
/// the whitened values and l the row of L of a later step, the place is `level + l·e`, and the
/// variance is `|l₂₂|² + Σ (uᵢ·l)² + (1/r − u·l)²`.
final class Gapped {

  /// At least as many steps for each gap.
  private static final int STEPS = 8;

  private final Factor factor;
  private final int n;
  private final double[][] unit;
  private final double length;

  /// @param gaps the steps without a value
  Gapped(Factor factor, int n, int... gaps) {
    this.factor = factor;
    this.n = n;
    unit = new double[gaps.length + 1][n];
    double last = 0;
    for (int g = 0; g < unit.length; g++) {
      double[] x = unit[g];
      if (g < gaps.length) {
        x[gaps[g]] = 1;
        factor.whiten(n, 1, x);
      } else {
        System.arraycopy(factor.ones, 0, x, 0, n);
      }
      for (int twice = 0; twice < 2; twice++)
        for (int h = 0; h < g; h++) Blas.axpy(n, -Blas.dot(n, unit[h], 0, x, 0), unit[h], 0, x, 0);
      last = Blas.nrm2(n, x, 0);
      for (int i = 0; i < n; i++) x[i] /= last;
    }
    length = last;
  }

  /// Whether a history has gaps, and few.
  static boolean takes(History history) {
    int gaps = history.size() - history.seen();
    return gaps > 0 && gaps * STEPS <= history.size();
  }

  /// The rest of whitened values.
  double[] rest(double[] v) {
    double[] e = v.clone();
    for (double[] u : unit) Blas.axpy(n, -Blas.dot(n, u, 0, e, 0), u, 0, e, 0);
    return e;
  }

  /// The places of the next steps on the centred scale.
  double[] places(double[] v, double[] rest, int steps) {
    double level = Blas.dot(n, unit[unit.length - 1], 0, v, 0) / length;
    double[] places = new double[steps];
    for (int k = 0; k < steps; k++)
      places[k] = level + Blas.dot(n, factor.l, (n + k) * factor.size, rest, 0);
    return places;
  }

  /// The variances of the next steps, in units of the mean square.
  double[] variances(int steps) {
    double[] variances = new double[steps];
    for (int k = 0; k < steps; k++) {
      int row = (n + k) * factor.size;
      double sum = Blas.dot(k + 1, factor.l, row + n, factor.l, row + n);
      for (int g = 0; g < unit.length; g++) {
        double along = Blas.dot(n, factor.l, row, unit[g], 0);
        double flat = g == unit.length - 1 ? 1 / length - along : along;
        sum += flat * flat;
      }
      variances[k] = sum;
    }
    return variances;
  }
}
