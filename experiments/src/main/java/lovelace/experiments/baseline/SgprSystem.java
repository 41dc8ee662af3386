package lovelace.experiments.baseline;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.exact.Panels;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;

/// The matrices of [Sgpr] for given parameters and inducing points, and the gradient of the bound.
/// It holds Aᵀ, n × m, so it is used for only one evaluation.
final class SgprSystem {

  private static final int ROWS = 256;

  final Dataset data;
  final Hyperparameters hyperparameters;
  final Kernel kernel;
  final double noise;
  final double[] inducing;
  final int n;
  final int m;
  final int d;
  final double[] l;
  final double[] lb;

  /// `L⁻ᵀ e`: the weights of k(x, Z) in the mean.
  final double[] weights;

  final double bound;

  private final double[] at;
  private final double[] b;
  private final double[] residual;
  private final Cholesky inner;

  SgprSystem(Dataset data, Hyperparameters hyperparameters, double[] inducing) {
    this.data = data;
    this.hyperparameters = hyperparameters;
    this.kernel = hyperparameters.kernel().withoutWhite();
    this.noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    this.inducing = inducing;
    this.n = data.size();
    this.d = data.dimensions();
    this.m = Panels.count(inducing, d);
    if (m == 0) throw new IllegalArgumentException("at least one inducing point is needed, got 0");
    double[] kuu = new double[m * m];
    kernel.matrix(inducing, m, inducing, m, kuu);
    Cholesky outer = Cholesky.adopt(kuu, m);
    l = outer.factor();
    at =
        new double[Budget.numbers(n, m, "the covariance of rows and inducing points", "use fewer")];
    kernel.matrix(data.inputs(), n, inducing, m, at);
    Blas.trsm(true, true, n, m, 1, l, 0, m, at, 0, m);
    residual = ExactGp.residual(data, hyperparameters);
    double[] rho = new double[n];
    double sum = 0;
    double[] q = new double[n];
    for (int i = 0; i < n; i++) {
      double s = noise / data.weight(i);
      double root = Math.sqrt(s);
      rho[i] = residual[i] / root;
      q[i] = Panels.dot(at, i * m, at, i * m, m);
      double gap = kernel.variance(data.inputs(), i * d) - q[i];
      sum += Math.log(s) + rho[i] * rho[i] + gap / s;
      for (int j = 0; j < m; j++) at[i * m + j] /= root;
    }
    b = new double[m * m];
    Blas.syrk(true, m, n, 1, at, 0, m, 0, b, 0, m);
    for (int i = 0; i < m; i++) {
      b[i * m + i] += 1;
      for (int j = 0; j < i; j++) b[j * m + i] = b[i * m + j];
    }
    inner = Cholesky.of(b, m);
    lb = inner.factor();
    double[] projected = new double[m];
    Blas.gemv(true, n, m, 1, at, 0, m, rho, 0, 0, projected, 0);
    weights = projected.clone();
    inner.solve(weights);
    double fit = Panels.dot(projected, 0, weights, 0, m);
    outer.solveLowerTransposed(1, weights);
    bound = -0.5 * (n * Math.log(2 * Math.PI) + inner.logDeterminant() + sum - fit);
  }

  /// The gradient of the bound in every parameter, on its natural scale. Adds the gradient in the
  /// inducing points to `dz`.
  ///
  /// With `a = (Q + S)⁻¹r` and `u = L⁻ᵀe` the derivatives are `∂/∂k(Z, X) = uaᵀ + L⁻ᵀ(I − B⁻¹)A
  /// S^(−½)`, `∂/∂k(Z, Z) = −½ (uuᵀ + L⁻ᵀ(B − 2I + B⁻¹)L⁻¹)` and `∂/∂kᵢᵢ = −1/2sᵢ`.
  double[] gradient(double[] dz) {
    Kernel full = hyperparameters.kernel();
    int p = full.parameterCount();
    int q = kernel.parameterCount();
    double[] x = data.inputs();
    double[] inverse = inner.inverse();
    double[] t = new double[m * m]; // (I − B⁻¹) L⁻¹
    double[] h = new double[m * m]; // B − 2I + B⁻¹
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double bi = inverse[Math.max(i, j) * m + Math.min(i, j)];
        int unit = i == j ? 1 : 0;
        t[i * m + j] = unit - bi;
        h[i * m + j] = b[i * m + j] - 2 * unit + bi;
      }
    Blas.trsm(true, false, m, m, 1, l, 0, m, t, 0, m);
    Blas.trsm(true, false, m, m, 1, l, 0, m, h, 0, m);
    Blas.trsm(false, true, m, m, 1, l, 0, m, h, 0, m);
    double[] both = symmetric(inverse);
    int chunks = Math.ceilDiv(n, ROWS);
    double[][] parts = new double[chunks][q + 1];
    double[][] moves = new double[chunks][m * d];
    double[] a = new double[n];
    // S^½ a = ρ − Aᵀe
    double[] e = weights.clone();
    Blas.trmm(false, true, m, 1, 1, l, 0, m, e, 0, 1);
    Parallel.forEach(
        chunks,
        c -> {
          int from = c * ROWS;
          int to = Math.min(n, from + ROWS);
          double[] g = new double[(to - from) * m];
          double[] solved = new double[(to - from) * m];
          Blas.gemm(false, false, to - from, m, m, 1, at, from * m, m, t, 0, m, 0, g, 0, m);
          // rows A_iᵀB⁻¹ for the diagonal of (Q + S)⁻¹
          Blas.gemm(false, false, to - from, m, m, 1, at, from * m, m, both, 0, m, 0, solved, 0, m);
          for (int i = from; i < to; i++) {
            double s = noise / data.weight(i);
            double root = Math.sqrt(s);
            int row = i * m;
            a[i] = (residual[i] / root - Panels.dot(at, row, e, 0, m)) / root;
            double leverage = Panels.dot(at, row, solved, (i - from) * m, m);
            double gap = kernel.variance(x, i * d) - s * Panels.dot(at, row, at, row, m);
            parts[c][q] +=
                0.5 * (a[i] * a[i] - (1 - leverage) / s + gap / (s * s)) / data.weight(i);
            kernel.gradient(x, i * d, x, i * d, -0.5 / s, parts[c], 0);
            for (int j = 0; j < m; j++) {
              double w = a[i] * weights[j] + g[(i - from) * m + j] / root;
              g[(i - from) * m + j] = w;
              kernel.inputGradient(inducing, j * d, x, i * d, w, moves[c], j * d);
            }
          }
          double[] rows = Arrays.copyOfRange(x, from * d, to * d);
          kernel.gradientSum(rows, to - from, inducing, m, g, parts[c]);
        });
    double[] own = new double[q + 1]; // of the latent kernel, and of the noise
    for (double[] part : parts) for (int k = 0; k <= q; k++) own[k] += part[k];
    for (double[] move : moves) for (int k = 0; k < m * d; k++) dz[k] += move[k];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double w = -0.5 * (weights[i] * weights[j] + h[i * m + j]);
        kernel.gradient(inducing, i * d, inducing, j * d, w, own, 0);
        kernel.inputGradient(inducing, i * d, inducing, j * d, 2 * w, dz, i * d);
      }
    double[] gradient = new double[hyperparameters.values().length];
    int[] places = full.latentPlaces();
    for (int k = 0; k < q; k++) gradient[places[k]] = own[k];
    gradient[p] = own[q];
    full.whiteGradient(gradient[p], gradient, 0);
    ExactGp.addMeanGradient(hyperparameters.mean(), data, a, gradient, p + 1);
    return gradient;
  }

  private double[] symmetric(double[] lower) {
    double[] full = Arrays.copyOf(lower, lower.length);
    for (int i = 0; i < m; i++) for (int j = i + 1; j < m; j++) full[i * m + j] = lower[j * m + i];
    return full;
  }
}
