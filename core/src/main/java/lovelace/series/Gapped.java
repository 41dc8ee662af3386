package lovelace.series;

import java.util.stream.IntStream;
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
  private final History history;
  private final History seen;
  private final int n;
  private final double[][] unit;
  private final double length;

  /// @param factor of the steps of the history and more
  Gapped(Factor factor, History history) {
    this.factor = factor;
    this.history = history;
    seen = history.withoutGaps();
    n = history.size();
    int[] gaps = IntStream.range(0, n).filter(t -> !history.isObserved(t)).toArray();
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

  /// Whether a history has gaps, and few. The factor knows no columns.
  static boolean takes(History history) {
    int gaps = history.size() - history.seen();
    return gaps > 0 && gaps * STEPS <= history.size() && history.covariates == null;
  }

  private double[] whitened(int warp) {
    double[] v = history.warped[warp].clone();
    factor.whiten(n, 1, v);
    return v;
  }

  private double[] rest(double[] v) {
    double[] e = v.clone();
    for (double[] u : unit) Blas.axpy(n, -Blas.dot(n, u, 0, e, 0), u, 0, e, 0);
    return e;
  }

  /// The places of the next steps on the scale of a warp.
  double[] places(int warp, int steps) {
    double[] v = whitened(warp);
    double[] e = rest(v);
    double level = Blas.dot(n, unit[unit.length - 1], 0, v, 0) / length;
    double[] places = new double[steps];
    for (int k = 0; k < steps; k++)
      places[k] = history.centre[warp] + level + Blas.dot(n, factor.l, (n + k) * factor.size, e, 0);
    return places;
  }

  /// The spreads of the next steps.
  double[] spreads(int warp, int steps) {
    double[] e = rest(whitened(warp));
    int values = seen.size();
    double sum = Math.max(Blas.dot(n, e, 0, e, 0), seen.leastSquares(warp, values));
    double[] spreads = new double[steps];
    for (int k = 0; k < steps; k++) {
      int row = (n + k) * factor.size;
      double variance = Blas.dot(k + 1, factor.l, row + n, factor.l, row + n);
      for (int g = 0; g < unit.length; g++) {
        double along = Blas.dot(n, factor.l, row, unit[g], 0);
        double flat = g == unit.length - 1 ? 1 / length - along : along;
        variance += flat * flat;
      }
      spreads[k] = Math.sqrt(variance * sum / (values - 1));
    }
    return spreads;
  }
}
