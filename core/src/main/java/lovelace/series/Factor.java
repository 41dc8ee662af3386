package lovelace.series;

import java.util.Arrays;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// The Cholesky factor L of a shape's covariance over the steps of the longest history and the
/// horizon. Its leading blocks are those of shorter histories, and the rows below such a block
/// carry the forecast: `L[n+k, <n]` is `k_*ᵀ L⁻ᵀ`. One factor so serves every origin of every
/// series.
final class Factor {

  final int size;
  final double[] l;

  /// The prior variance of coefficients under the shape.
  final double prior;

  /// L⁻¹ 1, the whitened level.
  final double[] ones;

  /// The sums of log L[t, t] over t < n, for n = 0, …, size.
  final double[] logDiagonal;

  private Factor(int size, double[] l, double prior) {
    this.size = size;
    this.l = l;
    this.prior = prior;
    ones = new double[size];
    Arrays.fill(ones, 1);
    Blas.trsm(false, false, size, 1, 1, l, 0, size, ones, 0, 1);
    logDiagonal = new double[size + 1];
    for (int t = 0; t < size; t++) logDiagonal[t + 1] = logDiagonal[t] + Math.log(l[t * size + t]);
  }

  /// The factor at steps 0, …, size − 1.
  static Factor of(Shape shape, int size) {
    return adopt(shape, shape.covariance(size), size);
  }

  /// The factor at some ascending steps, with the effects of covariates. Gaps in a history leave
  /// steps out.
  static Factor of(Shape shape, int[] steps, @Nullable Covariates covariates) {
    int all = steps[steps.length - 1] + 1;
    double[] whole = shape.covariance(all);
    int n = steps.length;
    double[] k = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) k[i * n + j] = whole[steps[i] * all + steps[j]];
    if (covariates != null) covariates.addTo(shape, steps, k);
    return adopt(shape, k, n);
  }

  private static Factor adopt(Shape shape, double[] k, int n) {
    int pivot = Blas.potrf(n, k, 0, n);
    if (pivot != 0)
      throw new IllegalStateException("a process of the library has pivot " + pivot + " ≤ 0");
    return new Factor(n, k, Covariates.prior(shape));
  }

  /// `B ← L⁻¹ B` for the first rows of L; B has a row for each step.
  void whiten(int rows, int columns, double[] b) {
    Blas.trsm(false, false, rows, columns, 1, l, 0, size, b, 0, columns);
  }
}
