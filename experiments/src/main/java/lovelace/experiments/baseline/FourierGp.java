package lovelace.experiments.baseline;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.exact.Panels;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// Random Fourier features (Rahimi and Recht, *Random features for large-scale kernel machines*,
/// NIPS 2007): `φ(x) = √(2k(0)/D) (cos ω₁ᵀx, sin ω₁ᵀx, …)` with D/2 draws ω from the kernel's
/// spectral distribution, and Bayesian linear regression on them. With `S = diag(σ²/wᵢ)`, `B = I +
/// Φᵀ S⁻¹ Φ = LLᵀ`:
///
///     mean(x)    = μ(x) + φ(x)ᵀ B⁻¹ Φᵀ S⁻¹ (y − μ(X))
///     cov(x, x′) = (L⁻¹φ(x))ᵀ L⁻¹φ(x′)
///
/// The process has rank D, so its variance is too small away from the data. O(nD²) to make, O(D²)
/// per prediction. Immutable; safe to share between threads.
public final class FourierGp implements Posterior {

  private static final int ROWS = 1024;

  private final Hyperparameters hyperparameters;
  private final double noise;
  private final int d;
  private final int features;
  private final double[] omega;
  private final double scale;
  private final Cholesky factor;
  private final double[] weights;

  private FourierGp(
      Hyperparameters hyperparameters,
      double noise,
      double[] omega,
      double scale,
      Cholesky factor,
      double[] weights) {
    this.hyperparameters = hyperparameters;
    this.noise = noise;
    this.d = hyperparameters.kernel().dimensions();
    this.features = 2 * (omega.length / d);
    this.omega = omega;
    this.scale = scale;
    this.factor = factor;
    this.weights = weights;
  }

  /// Conditions on the data with `features` features, which must be an even number.
  public static FourierGp of(
      Dataset data, Hyperparameters hyperparameters, int features, RandomGenerator random) {
    if (features < 2 || features % 2 != 0)
      throw new IllegalArgumentException("features must be even and >= 2, got " + features);
    Kernel kernel = hyperparameters.kernel().withoutWhite();
    double noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    int n = data.size();
    int d = data.dimensions();
    double[] omega = new double[features / 2 * d];
    for (int f = 0; f < features / 2; f++) kernel.drawFrequency(random, omega, f * d);
    double scale = Math.sqrt(2 * kernel.variance(new double[d], 0) / features);
    double[] residual = ExactGp.residual(data, hyperparameters);
    double[] b =
        new double
            [Budget.numbers(features, features, "a system of features", "use fewer features")];
    for (int f = 0; f < features; f++) b[f * features + f] = 1;
    double[] weights = new double[features];
    for (int from = 0; from < n; from += ROWS) {
      int rows = Math.min(n, from + ROWS) - from;
      double[] phi = new double[rows * features];
      features(omega, scale, data.inputs(), from, rows, d, phi);
      double[] rho = new double[rows];
      for (int i = 0; i < rows; i++) {
        double root = Math.sqrt(noise / data.weight(from + i));
        rho[i] = residual[from + i] / root;
        for (int f = 0; f < features; f++) phi[i * features + f] /= root;
      }
      Blas.syrk(true, features, rows, 1, phi, 0, features, 1, b, 0, features);
      Blas.gemv(true, rows, features, 1, phi, 0, features, rho, 0, 1, weights, 0);
    }
    Cholesky factor = Cholesky.adopt(b, features);
    factor.solve(weights);
    return new FourierGp(hyperparameters, noise, omega, scale, factor, weights);
  }

  /// Rows `[from, from + rows)` of Φ.
  private static void features(
      double[] omega, double scale, double[] points, int from, int rows, int d, double[] phi) {
    int pairs = omega.length / d;
    Parallel.chunks(
        rows,
        16,
        (index, first, last) -> {
          for (int i = first; i < last; i++)
            for (int f = 0; f < pairs; f++) {
              double angle = 0;
              for (int j = 0; j < d; j++) angle += omega[f * d + j] * points[(from + i) * d + j];
              int at = (i * pairs + f) * 2;
              phi[at] = scale * Math.cos(angle);
              phi[at + 1] = scale * Math.sin(angle);
            }
        });
  }

  /// The prior covariance of the features, `φ(x)ᵀφ(x′)`: an estimate of the kernel whose error
  /// falls as one over the root of the number of features.
  public double priorCovariance(double[] x, double[] y) {
    double[] a = new double[features];
    double[] b = new double[features];
    features(omega, scale, x, 0, 1, d, a);
    features(omega, scale, y, 0, 1, d, b);
    return Panels.dot(a, 0, b, 0, features);
  }

  @Override
  public int dimensions() {
    return d;
  }

  @Override
  public double noise() {
    return noise;
  }

  @Override
  public Prediction predict(double[] points) {
    int t = Panels.count(points, d);
    double[] means = new double[t];
    double[] variances = new double[t];
    Panels.forEach(
        t,
        (from, to) -> {
          double[] panel = panel(points, from, to);
          for (int i = from; i < to; i++)
            means[i] =
                hyperparameters.mean().at(points, i * d)
                    + Panels.dot(panel, (i - from) * features, weights, 0, features);
          Panels.solveLower(factor.factor(), features, panel);
          for (int i = from; i < to; i++) {
            int row = (i - from) * features;
            variances[i] = Panels.dot(panel, row, panel, row, features);
          }
        });
    return Prediction.adopt(means, variances);
  }

  private double[] panel(double[] points, int from, int to) {
    double[] panel = new double[Panels.WIDTH * features];
    features(omega, scale, points, from, to - from, d, panel);
    return panel;
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int ta = Panels.count(a, d);
    int tb = Panels.count(b, d);
    double[] covariance = new double[Budget.covariance(ta, tb)];
    if (covariance.length == 0) return covariance;
    double[] va = solved(a, ta);
    double[] vb = Arrays.equals(a, b) ? va : solved(b, tb);
    Panels.addProduct(1, va, ta, vb, tb, features, covariance);
    return covariance;
  }

  private double[] solved(double[] points, int count) {
    double[] rows =
        new double[Panels.size((long) Math.ceilDiv(count, Panels.WIDTH) * Panels.WIDTH, features)];
    Panels.forEach(
        count,
        (from, to) -> {
          double[] panel = panel(points, from, to);
          System.arraycopy(panel, 0, rows, from * features, panel.length);
        });
    Panels.solveLowerAll(factor.factor(), features, rows);
    return rows;
  }

  /// Draws of the weights, `B⁻¹Φᵀ S⁻¹ r + L⁻ᵀz`, times the features: O(count D² + count·t·D). They
  /// are exact for this process, for any number of points.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    int t = Panels.count(points, d);
    double[] draws = new double[Budget.draws(count, t)];
    if (draws.length == 0) return draws;
    double[] w = new double[Budget.draws(count, features)];
    for (int i = 0; i < w.length; i++) w[i] = random.nextGaussian();
    Blas.trsm(true, false, count, features, 1, factor.factor(), 0, features, w, 0, features);
    for (int s = 0; s < count; s++)
      for (int f = 0; f < features; f++) w[s * features + f] += weights[f];
    for (int from = 0; from < t; from += ROWS) {
      int rows = Math.min(t, from + ROWS) - from;
      double[] phi = new double[rows * features];
      features(omega, scale, points, from, rows, d, phi);
      Blas.gemm(
          false, true, count, rows, features, 1, w, 0, features, phi, 0, features, 0, draws, from,
          t);
    }
    for (int i = 0; i < t; i++) {
      double mean = hyperparameters.mean().at(points, i * d);
      for (int s = 0; s < count; s++) draws[s * t + i] += mean;
    }
    return draws;
  }

  /// The frequencies, D/2 × d, in radians per unit.
  double[] frequencies() {
    return Arrays.copyOf(omega, omega.length);
  }
}
