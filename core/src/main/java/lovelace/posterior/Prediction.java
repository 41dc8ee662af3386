package lovelace.posterior;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.TargetTransform;
import lovelace.linear.Gaussian;

/// The predictive distribution at each of several points: Gaussian, or, once a transform of the
/// target is undone ([#undo]), what the inverse transform makes of a Gaussian. Means, variances and
/// quantiles are always those of the distribution itself, in its own units.
public final class Prediction {

  private final double[] means; // of the Gaussian, before the transform is undone
  private final double[] variances;
  private final byte[] marks;
  private final TargetTransform transform;

  private static final byte OUTSIDE = 1;
  private static final byte AT_BOUND = 2;
  private static final int SHOWN = 5;

  private Prediction(double[] means, double[] variances, byte[] marks, TargetTransform transform) {
    this.means = means;
    this.variances = variances;
    this.marks = marks;
    this.transform = transform;
  }

  /// Takes both arrays over; nothing is outside and nothing at its bound.
  public static Prediction adopt(double[] means, double[] variances) {
    return adopt(means, variances, new byte[means.length]);
  }

  /// Takes the arrays over; marks are sums of [#mark].
  public static Prediction adopt(double[] means, double[] variances, byte[] marks) {
    if (means.length != variances.length || means.length != marks.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "means, variances and marks must have one length, got %d, %d and %d",
              means.length,
              variances.length,
              marks.length));
    return new Prediction(means, variances, marks, TargetTransform.NONE);
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
    return transform.mean(means[i], variances[i]);
  }

  /// The variance at point i, never negative.
  public double variance(int i) {
    return transform.variance(means[i], variances[i]);
  }

  /// The standard deviation at point i.
  public double deviation(int i) {
    return Math.sqrt(variance(i));
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
    double[] all = new double[size()];
    for (int i = 0; i < all.length; i++) all[i] = mean(i);
    return all;
  }

  /// A copy of all variances.
  public double[] variances() {
    double[] all = new double[size()];
    for (int i = 0; i < all.length; i++) all[i] = variance(i);
    return all;
  }

  /// The p-quantile at point i; of a Gaussian `mean + sd Φ⁻¹(p)`.
  public double quantile(int i, double p) {
    return quantileAt(i, Gaussian.quantile(p));
  }

  /// The quantile at point i that lies so many standard deviations of the Gaussian above its mean,
  /// `Φ⁻¹(p)` for the p-quantile: cheap where many points share one p.
  public double quantileAt(int i, double deviations) {
    return transform.quantile(means[i], variances[i], deviations);
  }

  /// The log density of y at point i.
  public double logDensity(int i, double y) {
    return transform.logDensity(y, means[i], variances[i]);
  }

  /// The lower end of the central interval that holds `level` of the probability, 0.95 say.
  public double lower(int i, double level) {
    return quantile(i, 0.5 * (1 - checked(level)));
  }

  /// The upper end of the central interval that holds `level` of the probability.
  public double upper(int i, double level) {
    return quantile(i, 0.5 * (1 + checked(level)));
  }

  /// The prediction of an observation: the Gaussian's variance is larger by the noise variance. A
  /// transform is undone after that, so noise and transform may be given in either order.
  public Prediction withNoise(double noise) {
    if (!(noise >= 0)) throw new IllegalArgumentException("noise must be >= 0, got " + noise);
    double[] total = variances.clone();
    for (int i = 0; i < total.length; i++) total[i] += noise;
    return new Prediction(means, total, marks, transform);
  }

  /// As [#withNoise(double)] for observations with a weight each: noise variance `noise/weight`.
  public Prediction withNoise(double noise, double[] weights) {
    if (!(noise >= 0)) throw new IllegalArgumentException("noise must be >= 0, got " + noise);
    if (weights.length != size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d weights for %,d points; pass one weight per point",
              weights.length,
              size()));
    double[] total = variances.clone();
    for (int i = 0; i < total.length; i++) {
      if (!(weights[i] > 0 && weights[i] < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the weight of point %d (from 0) must be finite and > 0, got %s",
                i,
                weights[i]));
      total[i] += noise / weights[i];
    }
    return new Prediction(means, total, marks, transform);
  }

  /// The prediction of y where this one is of the transformed target z: for [TargetTransform#LOG] a
  /// log-normal distribution.
  public Prediction undo(TargetTransform transform) {
    if (transform.equals(TargetTransform.NONE)) return this;
    if (!this.transform.equals(TargetTransform.NONE))
      throw new IllegalStateException("the " + this.transform + " transform is undone already");
    return new Prediction(means, variances, marks, transform);
  }

  /// The transform that was undone, [TargetTransform#NONE] for a Gaussian.
  public TargetTransform transform() {
    return transform;
  }

  double[] gaussianMeans() {
    return means;
  }

  double[] gaussianVariances() {
    return variances;
  }

  /// Mean and standard deviation of the first points, and how many there are.
  @Override
  public String toString() {
    String points =
        IntStream.range(0, Math.min(size(), SHOWN))
            .mapToObj(i -> at(i) + (outside(i) ? " (outside the grid)" : ""))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "mean ± standard deviation at %,d point%s: %s%s",
        size(),
        size() == 1 ? "" : "s",
        points,
        size() > SHOWN ? ", …" : "");
  }

  /// The deviation to two digits, the mean to as many decimals.
  private String at(int i) {
    double sd = deviation(i);
    int decimals = 1 - (int) Math.floor(Math.log10(sd));
    double largest = Math.max(Math.abs(mean(i)), sd);
    if (!(sd > 0 && largest < 1e9 && decimals <= 9))
      return String.format(Locale.ROOT, "%.6g ± %.2g", mean(i), sd);
    String number = "%." + Math.max(0, decimals) + "f";
    return String.format(Locale.ROOT, number + " ± " + number, mean(i), sd);
  }

  private static double checked(double level) {
    if (!(level > 0 && level < 1))
      throw new IllegalArgumentException("interval level must lie between 0 and 1, got " + level);
    return level;
  }
}
