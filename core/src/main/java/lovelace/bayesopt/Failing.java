package lovelace.bayesopt;

import java.util.Arrays;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.linear.Gaussian;

/// Tells where evaluations fail, according to the model of failures.
///
/// @param failures the model of 0 for a success and 1 for a failure
/// @param threshold one half, in the units of the model
record Failing(Surrogate failures, double threshold) {

  /// How fast a merit falls where more than half of the evaluations fail: per unit of the model, in
  /// the units of a log acquisition.
  private static final double STEEP = 100;

  /// Whether at most half of the evaluations at a place are expected to fail.
  boolean spares(double[] unit) {
    double[] mean = new double[1];
    failures.predict(1, unit, mean, new double[1]);
    return mean[0] <= threshold;
  }

  /// The points that it [#spares], or all if it spares none.
  double[] spared(double[] points) {
    int d = failures.dimensions();
    int count = points.length / d;
    double[] means = new double[count];
    failures.predict(count, points, means, new double[count]);
    double[] kept = new double[points.length];
    int size = 0;
    for (int i = 0; i < count; i++)
      if (means[i] <= threshold) {
        System.arraycopy(points, i * d, kept, size, d);
        size += d;
      }
    return size == 0 ? points : Arrays.copyOf(kept, size);
  }

  /// A merit plus the log probability that at most half of the evaluations fail. It falls steeply
  /// where more are expected to fail, because a good value there would not be seen.
  Merit avoidedBy(Merit merit) {
    return new Avoiding(merit, this);
  }

  private record Avoiding(Merit merit, Failing failing) implements Merit {

    @Override
    public void scan(int count, double[] points, double[] out) {
      merit.scan(count, points, out);
      double[] means = new double[count];
      double[] variances = new double[count];
      failing.failures.predict(count, points, means, variances);
      for (int i = 0; i < count; i++) {
        double excess = means[i] - failing.threshold;
        out[i] += Gaussian.logCdf(-excess / Math.sqrt(variances[i])) - STEEP * Math.max(0, excess);
      }
    }

    @Override
    public double at(double[] x, double[] gradient) {
      int d = x.length;
      double value = merit.at(x, gradient);
      double[] out = new double[2 + 2 * d];
      failing.failures.gradient(x, out);
      double sd = Math.sqrt(out[1]);
      double excess = out[0] - failing.threshold;
      double[] slopes = new double[2];
      value += Criterion.logProbability(-failing.threshold).at(-out[0], sd, slopes);
      double steep = excess > 0 ? STEEP : 0;
      for (int a = 0; a < gradient.length; a++)
        gradient[a] -= (slopes[0] + steep) * out[2 + a] - slopes[1] * out[2 + d + a] / (2 * sd);
      return value - steep * excess;
    }
  }
}
