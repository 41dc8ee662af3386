package lovelace.experiments.reproduce;

/// Errors of variances against reference variances.
final class Errors {

  private Errors() {}

  /// The paper's scaled mean absolute error: mean |v − w| over the variance of the target.
  static double smae(double[] v, double[] w, double[] target) {
    double sum = 0;
    for (int i = 0; i < v.length; i++) sum += Math.abs(v[i] - w[i]);
    return sum / v.length / variance(target);
  }

  static double largestRelative(double[] v, double[] w) {
    double most = 0;
    for (int i = 0; i < v.length; i++) most = Math.max(most, Math.abs(v[i] / w[i] - 1));
    return most;
  }

  static double variance(double[] values) {
    double mean = 0;
    for (double y : values) mean += y / values.length;
    double sum = 0;
    for (double y : values) sum += (y - mean) * (y - mean);
    return sum / values.length;
  }
}
