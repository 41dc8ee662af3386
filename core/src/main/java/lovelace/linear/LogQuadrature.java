package lovelace.linear;

import java.util.Locale;

/// Computes `ξᵀ log(A) ξ` for a self-adjoint operator A > 0 by a run of [Lanczos] from ξ. It also
/// gives vectors whose outer products add up to the derivative in A (Ubaru, Chen and Saad 2017;
/// Golub and Van Loan, section 10.2). Immutable.
public final class LogQuadrature {

  private static final int CHUNK = 8;

  private final double value;
  private final double[] coefficients;
  private final int rank;

  private LogQuadrature(double value, double[] coefficients, int rank) {
    this.value = value;
    this.coefficients = coefficients;
    this.rank = rank;
  }

  /// Takes the number of steps that [#converge] needs.
  ///
  /// @param squared `‖ξ‖²`
  /// @param limit the most steps
  public static LogQuadrature of(Lanczos run, double squared, double tolerance, int limit) {
    if (!converge(run, tolerance, limit))
      throw new ArithmeticException(
          String.format(
              Locale.ROOT,
              "the quadrature of a log determinant did not converge in %d steps; give a kernel of"
                  + " less variance",
              limit));
    int k = run.steps();
    double[] lambda = new double[k];
    double[] ritz = new double[k * k]; // row i is the i-th eigenvector of T
    for (int j = 0; j < k; j++) {
      ritz[j * k + j] = run.alpha(j);
      if (j > 0) ritz[j * k + j - 1] = run.beta(j - 1);
    }
    Blas.eigen(k, ritz, lambda);
    double[] log = new double[k];
    double value = 0;
    for (int i = 0; i < k; i++) {
      if (!(lambda[i] > 0))
        throw new ArithmeticException(
            "a log determinant needs eigenvalues > 0, got "
                + lambda[i]
                + "; give other start values");
      log[i] = Math.log(lambda[i]);
      value += squared * ritz[i * k] * ritz[i * k] * log[i];
    }
    double[] c = derivative(k, lambda, log, ritz, squared);
    return new LogQuadrature(value, c, c.length / k);
  }

  /// Takes steps until the solution of `A x = ξ` implied by the basis has a relative residual of at
  /// most `enough`: `β_k |[T⁻¹]_k1|`, from the pivots of T. Returns false if `limit` steps are too
  /// few.
  public static boolean converge(Lanczos run, double enough, int limit) {
    double pivot = 1;
    double last = 1;
    int done = 0;
    while (true) {
      run.run(CHUNK);
      for (int j = done; j < run.steps(); j++) {
        double below = j > 0 ? run.beta(j - 1) : 0;
        double carry = below / pivot;
        pivot = run.alpha(j) - below * carry;
        last = j > 0 ? last * carry : 1;
      }
      done = run.steps();
      double residual = run.beta(done - 1) * Math.abs(last / pivot);
      if (residual <= enough || run.exhausted()) return true;
      if (done >= limit) return false;
    }
  }

  /// Returns rows c with `Σ cᵀc = ‖ξ‖² Σᵢⱼ sᵢsⱼ log[λᵢ,λⱼ] zᵢzⱼᵀ`, over eigenvectors z of T with
  /// first components s. The matrix of divided differences is positive, and of low rank up to
  /// rounding.
  public static double[] derivative(
      int k, double[] lambda, double[] log, double[] ritz, double squared) {
    double[] c = new double[k * k];
    for (int i = 0; i < k; i++)
      for (int j = 0; j <= i; j++) {
        double gap = lambda[i] - lambda[j];
        double slope =
            Math.abs(gap) > 1e-3 * lambda[i]
                ? (log[i] - log[j]) / gap
                : Math.abs(gap) > 0 ? Math.log1p(gap / lambda[j]) / gap : 1 / lambda[i];
        c[i * k + j] = squared * ritz[i * k] * ritz[j * k] * slope;
      }
    double[] weight = new double[k];
    Blas.eigen(k, c, weight);
    int first = 0;
    while (first < k - 1 && !(weight[first] > 1e-11 * weight[k - 1])) first++;
    int r = k - first;
    for (int i = first; i < k; i++) {
      double scale = Math.sqrt(Math.max(weight[i], 0));
      for (int j = 0; j < k; j++) c[i * k + j] *= scale;
    }
    double[] out = new double[r * k];
    Blas.gemm(false, false, r, k, k, 1, c, first * k, k, ritz, 0, k, 0, out, 0, k);
    return out;
  }

  /// `ξᵀ log(A) ξ`.
  public double value() {
    return value;
  }

  /// C, [#rank] × steps, row-major and not copied. The derivative is `Σ cᵀ ∂A c` over the rows c of
  /// `C Q`, where Q is the basis of the run.
  public double[] coefficients() {
    return coefficients;
  }

  /// The number of rows of C.
  public int rank() {
    return rank;
  }
}
