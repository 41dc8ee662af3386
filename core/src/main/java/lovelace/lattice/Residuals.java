package lovelace.lattice;

import java.util.Arrays;
import java.util.Locale;
import lovelace.latticekernel.LocalKriging;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;

/// A sampler that adds joint draws of the residuals of kriging to a sampler of kriged values. The
/// residuals are independent of the values: `L ξ` for the Cholesky factor L of their covariance at
/// the points that are not grid points.
final class Residuals extends PointSampler {

  static final int MOST = 16_000; // points of a dense factorisation

  private final PointSampler values;
  private final int[] rows; // the points that are not grid points
  private final Cholesky factor;

  private Residuals(PointSampler values, int[] rows, Cholesky factor) {
    super(values);
    this.values = values;
    this.rows = rows;
    this.factor = factor;
  }

  /// The sampler with residuals; the same sampler if all points are grid points.
  static PointSampler added(PointSampler values, LocalKriging kriging, double[] points) {
    int t = values.size();
    int d = t == 0 ? 1 : points.length / t;
    int[] rows = new int[t];
    int count = 0;
    for (int p = 0; p < t; p++) if (!kriging.onPoint(points, p * d)) rows[count++] = p;
    if (count == 0) return values;
    if (count > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d points between grid points are too many to draw jointly with this kernel, at most %,d; ask for fewer points at once, or for grid points",
              count,
              MOST));
    double[] off = new double[count * d];
    for (int i = 0; i < count; i++) System.arraycopy(points, rows[i] * d, off, i * d, d);
    double scale = kriging.variance();
    Cholesky factor =
        Cholesky.adopt(kriging.residuals(off, off), count, 16 * Math.ulp(scale), 16, 1e-3 * scale);
    return new Residuals(values, Arrays.copyOf(rows, count), factor);
  }

  @Override
  public int normals() {
    return values.normals() + rows.length;
  }

  @Override
  int[] leading(int most) {
    return values.leading(most);
  }

  /// That of the values at the grid points. The residuals have all of their variance.
  @Override
  public double capturedVariance() {
    return values.capturedVariance();
  }

  @Override
  void fill(Normals normals, int first, int count, double[] out) {
    values.fill(normals, first, count, out);
    int n = rows.length;
    int most = fitting(n);
    for (int done = 0; done < count; done += most) {
      int some = Math.min(most, count - done);
      double[] xi = new double[some * n];
      for (int i = 0; i < some; i++) normals.residual(source(first + done + i), n, xi, i * n);
      Blas.trmm(true, true, some, n, 1, factor.factor(), 0, n, xi, 0, n);
      for (int i = 0; i < some; i++) {
        double sign = sign(first + done + i);
        for (int j = 0; j < n; j++) out[(done + i) * size() + rows[j]] += sign * xi[i * n + j];
      }
    }
  }
}
