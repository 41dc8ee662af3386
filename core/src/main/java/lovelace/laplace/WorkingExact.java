package lovelace.laplace;

import lovelace.budget.Budget;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import org.jspecify.annotations.Nullable;

/// Working observations under the exact kernel, by `B = I + √W K √W`, whose eigenvalues are at
/// least 1 (Rasmussen and Williams 2006, eq. 3.26): `A⁻¹ = √W B⁻¹ √W`. K is computed once for the
/// steps under the same parameters.
public final class WorkingExact implements WorkingProcess {

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final double[] places;
  private final int dimensions;

  /// @param places row-major; not copied
  public WorkingExact(double[] places, int dimensions) {
    this.places = places;
    this.dimensions = dimensions;
    int n = places.length / dimensions;
    Budget.require(
        32L * n * n,
        "the exact process of %s places".formatted(n),
        "use a grid, engine neighbours, or fewer rows");
  }

  @Override
  public String name() {
    return "exact";
  }

  @Override
  public int size() {
    return places.length / dimensions;
  }

  @Override
  public double[] prior(Hyperparameters working) {
    return WorkingRows.prior(working, places, dimensions);
  }

  /// K under some parameters.
  private static final class Covariance implements WarmStart {
    final Hyperparameters working;
    final double[] matrix;

    Covariance(Hyperparameters working, double[] matrix) {
      this.working = working;
      this.matrix = matrix;
    }
  }

  @Override
  public Solution solve(
      Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
    Covariance k =
        start instanceof Covariance known
                && known.working.equals(working)
                && known.matrix.length == size() * size()
            ? known
            : new Covariance(working, matrix(working.kernel()));
    return new Solved(k, weights, targets, factor(k.matrix, weights));
  }

  private double[] matrix(Kernel kernel) {
    int n = size();
    double[] k = new double[n * n];
    kernel.withoutWhite().matrix(places, n, places, n, k);
    return k;
  }

  private static Cholesky factor(double[] k, double[] weights) {
    int n = weights.length;
    double[] root = new double[n];
    for (int i = 0; i < n; i++) root[i] = Math.sqrt(weights[i]);
    double[] b = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) b[i * n + j] = b[j * n + i] = root[i] * k[i * n + j] * root[j];
      b[i * n + i] += 1;
    }
    return Cholesky.of(b, n);
  }

  private final class Solved implements Solution {
    private final Covariance k;
    private final double[] weights;
    private final double[] targets;
    private final Cholesky factor; // of B
    private final double[] mu;
    private final double[] alpha; // A⁻¹(z − μ)
    private double @Nullable [] inverse; // B⁻¹

    Solved(Covariance k, double[] weights, double[] targets, Cholesky factor) {
      this.k = k;
      this.weights = weights;
      this.targets = targets;
      this.factor = factor;
      mu = prior(k.working);
      double[] off = targets.clone();
      for (int i = 0; i < off.length; i++) off[i] -= mu[i];
      alpha = solved(off);
    }

    /// A⁻¹v.
    private double[] solved(double[] v) {
      double[] x = v.clone();
      for (int i = 0; i < x.length; i++) x[i] *= Math.sqrt(weights[i]);
      factor.solve(x);
      for (int i = 0; i < x.length; i++) x[i] *= Math.sqrt(weights[i]);
      return x;
    }

    /// μ + Kα, which is accurate even if weights are small.
    @Override
    public double[] means() {
      int n = alpha.length;
      double[] f = mu.clone();
      for (int i = 0; i < n; i++) f[i] += Blas.dot(n, k.matrix, i * n, alpha, 0);
      return f;
    }

    private double[] inverse() {
      double[] known = inverse;
      if (known == null) inverse = known = factor.inverse();
      return known;
    }

    /// `P = K − K√W B⁻¹ √WK`. On the diagonal it is `(1 − B⁻¹ᵢᵢ)/Wᵢ`. If that loses digits, it is
    /// the prior variance minus the square of one solve.
    @Override
    public double[] variances() {
      int n = alpha.length;
      double[] b = inverse();
      double[] p = new double[n];
      for (int i = 0; i < n; i++) {
        double share = 1 - b[i * n + i];
        p[i] = share > 1e-6 ? share / weights[i] : explained(i);
      }
      return p;
    }

    private double explained(int i) {
      int n = alpha.length;
      double[] v = new double[n];
      for (int j = 0; j < n; j++) v[j] = Math.sqrt(weights[j]) * k.matrix[i * n + j];
      double[] x = v.clone();
      factor.solve(x);
      return Math.max(0, k.matrix[i * n + i] - Blas.dot(n, v, 0, x, 0));
    }

    @Override
    public double evidence() {
      int n = alpha.length;
      double sum = factor.logDeterminant() + n * LOG_2PI;
      for (int i = 0; i < n; i++) sum += alpha[i] * (targets[i] - mu[i]) - Math.log(weights[i]);
      return -0.5 * sum;
    }

    @Override
    public double[] gradient(double[] delta) {
      int n = alpha.length;
      double[] u = solved(delta);
      double[] m = inverse().clone();
      double[] root = new double[n];
      for (int i = 0; i < n; i++) root[i] = Math.sqrt(weights[i]);
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          m[i * n + j] =
              0.5 * (alpha[i] * alpha[j] - root[i] * m[i * n + j] * root[j]) + u[i] * alpha[j];
      Kernel full = k.working.kernel();
      Kernel latent = full.withoutWhite();
      double[] own = new double[latent.parameterCount() + 1];
      latent.gradientSum(places, n, places, n, m, own);
      double[] kernel = new double[full.parameterCount()];
      int[] at = full.latentPlaces();
      for (int j = 0; j < at.length; j++) kernel[at[j]] = own[j];
      double[] basis = new double[k.working.mean().size()];
      double[] mean = new double[basis.length];
      for (int i = 0; i < n; i++) {
        k.working.mean().basis(places, i * dimensions, basis, 0);
        for (int j = 0; j < basis.length; j++) mean[j] += (alpha[i] + u[i]) * basis[j];
      }
      return Evidence.gradient(k.working, kernel, 0, mean);
    }

    @Override
    public double[] response(double[] delta) {
      int n = delta.length;
      double[] x = solved(delta);
      double[] f = new double[n];
      for (int i = 0; i < n; i++) f[i] = Blas.dot(n, k.matrix, i * n, x, 0);
      return f;
    }

    @Override
    public WarmStart next() {
      return k;
    }
  }
}
