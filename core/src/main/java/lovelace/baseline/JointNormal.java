package lovelace.baseline;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// A joint normal distribution ready to be drawn from: its mean, and the Cholesky factor of its
/// covariance. Immutable.
public final class JointNormal {

  private final double[] mean;
  private final double[] factor;
  private final double jitter;

  private JointNormal(double[] mean, double[] factor, double jitter) {
    this.mean = mean;
    this.factor = factor;
    this.jitter = jitter;
  }

  /// Takes both arrays over; reads the lower triangle of the covariance. A posterior covariance is
  /// often singular to rounding: the smallest of 0, 16u, 16²u, … that lets the factorisation
  /// succeed is added to its diagonal, where u is the rounding of the variance `scale` of the
  /// prior.
  static JointNormal adopt(double[] mean, double[] covariance, double scale) {
    int t = mean.length;
    double limit = 1e-3 * scale;
    double jitter = 0;
    while (true) {
      double[] l = covariance.clone();
      for (int i = 0; i < t; i++) l[i * t + i] += jitter;
      int pivot = Blas.potrf(t, l, 0, t);
      if (pivot == 0) {
        for (int i = 0; i < t; i++) Arrays.fill(l, i * t + i + 1, (i + 1) * t, 0);
        return new JointNormal(mean, l, jitter);
      }
      jitter = jitter == 0 ? 16 * Math.ulp(scale) : 16 * jitter;
      if (!(jitter <= limit))
        throw new ArithmeticException(
            String.format(
                Locale.ROOT,
                "covariance of %d points is not positive definite: pivot %d fails with %.1e added to the diagonal",
                t,
                pivot,
                jitter / 16));
    }
  }

  /// The joint distribution of f at the points; `kernel` is the prior's.
  static JointNormal of(Posterior posterior, Kernel kernel, double[] points) {
    Prediction prediction = posterior.predict(points);
    double[] covariance = posterior.covariance(points, points);
    int t = prediction.size();
    double scale = 0;
    for (int i = 0; i < t; i++) {
      covariance[i * t + i] = prediction.variance(i);
      scale = Math.max(scale, kernel.variance(points, i * posterior.dimensions()));
    }
    return adopt(prediction.means(), covariance, scale);
  }

  /// The number of variables.
  public int size() {
    return mean.length;
  }

  /// What was added to the diagonal of the covariance to factorise it; zero when nothing was.
  public double jitter() {
    return jitter;
  }

  /// Draws, row-major, `count × size`: `mean + L z` with z standard normal. The first draws do not
  /// depend on how many follow, up to rounding.
  public double[] draw(int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int t = mean.length;
    double[] draws = new double[Budget.draws(count, t)];
    for (int i = 0; i < draws.length; i++) draws[i] = random.nextGaussian();
    if (draws.length > 0) Blas.trmm(true, true, count, t, 1, factor, 0, t, draws, 0, t);
    for (int s = 0; s < count; s++) for (int i = 0; i < t; i++) draws[s * t + i] += mean[i];
    return draws;
  }
}
