package lovelace.posterior.internal;

import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// A joint normal distribution ready to be drawn from: its mean, and the Cholesky factor of its
/// covariance. Immutable.
public final class JointNormal {

  private final double[] mean;
  private final Cholesky factor;

  private JointNormal(double[] mean, Cholesky factor) {
    this.mean = mean;
    this.factor = factor;
  }

  /// Takes ownership of both arrays; reads the lower triangle of the covariance. A posterior
  /// covariance is often singular to rounding. So the smallest of 0, 16u, 16²u, … with which the
  /// factorisation succeeds is added to its diagonal, where u is the rounding of the variance
  /// `scale` of the prior.
  public static JointNormal adopt(double[] mean, double[] covariance, double scale) {
    return new JointNormal(
        mean, Cholesky.adopt(covariance, mean.length, 16 * Math.ulp(scale), 16, 1e-3 * scale));
  }

  /// The joint distribution of f at the points. `kernel` is the prior's, or a part of it.
  public static JointNormal of(Posterior posterior, Kernel kernel, double[] points) {
    Prediction prediction = posterior.predict(points);
    double[] covariance = posterior.covariance(points, points);
    int t = prediction.size();
    double scale = 0;
    for (int i = 0; i < t; i++) {
      covariance[i * t + i] = prediction.variance(i);
      double prior = kernel.variance(points, i * posterior.dimensions());
      scale = Math.max(scale, Math.max(prior, covariance[i * t + i]));
    }
    return adopt(prediction.means(), covariance, scale);
  }

  /// The number of variables.
  public int size() {
    return mean.length;
  }

  /// The number added to the diagonal of the covariance to factorise it; zero if none was needed.
  public double jitter() {
    return factor.jitter();
  }

  /// Draws, row-major, `count × size`: `mean + L z` with z standard normal. The first draws do not
  /// depend on the number of draws, up to rounding.
  public double[] draw(int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    double[] draws = new double[Budget.draws(count, size())];
    draw(count, random, draws);
    return draws;
  }

  /// Like [#draw(int, RandomGenerator)], into an array of that length.
  public void draw(int count, RandomGenerator random, double[] draws) {
    for (int i = 0; i < draws.length; i++) draws[i] = random.nextGaussian();
    transform(count, draws);
  }

  /// `z ← mean + L z` for `count` rows of standard normals.
  public void transform(int count, double[] z) {
    int t = size();
    Blas.trmm(true, true, count, t, 1, factor.factor(), 0, t, z, 0, t);
    for (int s = 0; s < count; s++) for (int i = 0; i < t; i++) z[s * t + i] += mean[i];
  }
}
