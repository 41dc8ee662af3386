package lovelace.exact;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;

/// A⁻¹ of an [ExactGp], one panel of rows at a time: for the gradient of its likelihood, and for
/// rows left out.
final class ExactInverse {

  private final ExactGp gp;
  private final Dataset data;
  private final Hyperparameters hyperparameters;
  private final Kernel kernel; // without lines
  private final Cholesky factor;
  private final @Nullable LineCoefficients lines;
  private final double[] alpha;

  ExactInverse(ExactGp gp) {
    this.gp = gp;
    data = gp.data();
    hyperparameters = gp.hyperparameters();
    kernel = gp.kernel;
    factor = gp.factor;
    lines = gp.lines;
    alpha = gp.alpha;
  }

  /// The gradient of the likelihood with `½ Σⱼ ∂A/∂θ ∘ αⱼαⱼᵀ` added, which costs next to nothing.
  double[] gradient(double[][] targets) {
    double[][] others = ExactTargets.solved(gp, targets);
    double[][] more = lines == null ? others : lines.withCorrections(others);
    int n = data.size();
    int d = data.dimensions();
    double[] x = data.inputs();
    Kernel full = hyperparameters.kernel();
    int p = full.parameterCount();
    int q = kernel.parameterCount();
    boolean lags = ExactGp.equallySpaced(data, kernel);
    double[][] parts = new double[Math.ceilDiv(n, Panels.WIDTH)][q + 1];
    double[][] byLag = new double[lags ? parts.length : 0][n];
    Panels.forEach(
        n,
        (from, to) -> {
          int m = n - from;
          int rows = to - from;
          double[] panel = inverseRoots(from, to);
          Blas.trsm(true, false, rows, m, 1, factor.factor(), from * n + from, n, panel, 0, m);
          double[] g = parts[from / Panels.WIDTH];
          for (int i = 0; i < rows; i++) {
            double a = alpha[from + i];
            for (int j = 0; j < m; j++) {
              // entries right of the diagonal block also count for their mirror images
              double share = j < rows ? 0.5 : 1;
              double outer = a * alpha[from + j];
              for (double[] other : more) outer += other[from + i] * other[from + j];
              panel[i * m + j] = share * (outer - panel[i * m + j]);
            }
            g[q] += panel[i * m + i] / data.weight(from + i);
          }
          if (lags) {
            double[] sums = byLag[from / Panels.WIDTH];
            for (int i = 0; i < rows; i++)
              for (int j = 0; j < m; j++) sums[Math.abs(i - j)] += panel[i * m + j];
            return;
          }
          double[] left = Arrays.copyOfRange(x, from * d, to * d);
          double[] right = Arrays.copyOfRange(x, from * d, n * d);
          kernel.gradientSum(left, rows, right, m, panel, g);
        });
    double[] own = new double[q + 1]; // of the latent kernel, and of the noise
    for (double[] part : parts) for (int k = 0; k <= q; k++) own[k] += part[k];
    if (lags) {
      double[] sums = new double[n];
      for (double[] part : byLag) for (int k = 0; k < n; k++) sums[k] += part[k];
      kernel.gradientSum(new double[] {x[0]}, 1, x, n, sums, own);
    }
    double[] gradient = new double[hyperparameters.values().length];
    int[] places = full.latentPlaces();
    double[] latent = own;
    if (lines != null) {
      double[] residual = ExactGp.residual(data, hyperparameters);
      latent = lines.slopes(own, full.withoutWhite().values(), residual, alpha, targets, others);
    }
    for (int k = 0; k < places.length; k++) gradient[places[k]] = latent[k];
    gradient[p] = own[q];
    full.whiteGradient(gradient[p], gradient, 0);
    ExactGp.addMeanGradient(hyperparameters.mean(), data, alpha, gradient, p + 1);
    return gradient;
  }

  /// The distribution of each observation given all others.
  Prediction leaveOneOut() {
    int n = data.size();
    double[] means = new double[n];
    double[] variances = new double[n];
    double[][] corrections =
        lines == null ? new double[0][] : lines.withCorrections(new double[0][]);
    Panels.forEach(
        n,
        (from, to) -> {
          int m = n - from;
          double[] panel = inverseRoots(from, to);
          for (int i = from; i < to; i++) {
            int row = (i - from) * m;
            double precision = Panels.dot(panel, row, panel, row, m);
            for (double[] column : corrections) precision -= column[i] * column[i];
            variances[i] = 1 / precision;
            means[i] = data.target()[i] - alpha[i] * variances[i];
          }
        });
    return Prediction.adopt(means, variances);
  }

  /// Rows `L⁻¹eᵢ` for i in `[from, to)`, from entry `from` on. Earlier entries are zero, so only
  /// the trailing corner of L is needed.
  private double[] inverseRoots(int from, int to) {
    int n = data.size();
    int m = n - from;
    double[] panel = new double[(to - from) * m];
    for (int i = 0; i < to - from; i++) panel[i * m + i] = 1;
    Blas.trsm(true, true, to - from, m, 1, factor.factor(), from * n + from, n, panel, 0, m);
    return panel;
  }
}
