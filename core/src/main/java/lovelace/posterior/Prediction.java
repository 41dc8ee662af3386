package lovelace.posterior;

/// Mean and variance of a Gaussian predictive distribution at each of several points.
public final class Prediction {

  private final double[] means;
  private final double[] variances;
  private final byte[] marks;

  private static final byte OUTSIDE = 1;
  private static final byte AT_BOUND = 2;

  private Prediction(double[] means, double[] variances, byte[] marks) {
    this.means = means;
    this.variances = variances;
    this.marks = marks;
  }

  /// Takes both arrays over; nothing is outside and nothing at its bound.
  public static Prediction adopt(double[] means, double[] variances) {
    return adopt(means, variances, new byte[means.length]);
  }

  /// Takes the arrays over; marks are sums of [#mark].
  public static Prediction adopt(double[] means, double[] variances, byte[] marks) {
    if (means.length != variances.length || means.length != marks.length)
      throw new IllegalArgumentException(
          "means, variances and marks must have one length, got %d, %d and %d"
              .formatted(means.length, variances.length, marks.length));
    return new Prediction(means, variances, marks);
  }

  /// The mark of a row that lies outside the grid, or whose variance is at its rounding bound.
  public static byte mark(boolean outside, boolean atBound) {
    return (byte) ((outside ? OUTSIDE : 0) | (atBound ? AT_BOUND : 0));
  }

  /// The number of points.
  public int size() {
    return means.length;
  }

  /// The mean at point i.
  public double mean(int i) {
    return means[i];
  }

  /// The variance at point i, never negative.
  public double variance(int i) {
    return variances[i];
  }

  /// The standard deviation at point i.
  public double deviation(int i) {
    return Math.sqrt(variances[i]);
  }

  /// Whether point i lies outside the grid.
  public boolean outside(int i) {
    return (marks[i] & OUTSIDE) != 0;
  }

  /// Whether the variance at point i is smaller than rounding lets it be known; the bound is
  /// reported.
  public boolean atBound(int i) {
    return (marks[i] & AT_BOUND) != 0;
  }

  /// A copy of all means.
  public double[] means() {
    return means.clone();
  }

  /// A copy of all variances.
  public double[] variances() {
    return variances.clone();
  }

  /// The p-quantile at point i, `mean + sd Φ⁻¹(p)`.
  public double quantile(int i, double p) {
    return means[i] + Math.sqrt(variances[i]) * Gaussian.quantile(p);
  }

  /// The lower end of the central interval that holds `level` of the probability, 0.95 say.
  public double lower(int i, double level) {
    return quantile(i, 0.5 * (1 - checked(level)));
  }

  /// The upper end of the central interval that holds `level` of the probability.
  public double upper(int i, double level) {
    return quantile(i, 0.5 * (1 + checked(level)));
  }

  /// The prediction of an observation: the same means, variances larger by the noise variance.
  public Prediction withNoise(double noise) {
    if (!(noise >= 0)) throw new IllegalArgumentException("noise must be >= 0, got " + noise);
    double[] total = variances.clone();
    for (int i = 0; i < total.length; i++) total[i] += noise;
    return new Prediction(means, total, marks);
  }

  private static double checked(double level) {
    if (!(level > 0 && level < 1))
      throw new IllegalArgumentException("interval level must lie between 0 and 1, got " + level);
    return level;
  }
}
