package lovelace.posterior;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Law;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import lovelace.posterior.internal.DrawnLaw;
import org.jspecify.annotations.Nullable;

/// The predictive distribution at each of several points. It is Gaussian, unless a transform of the
/// target was undone ([#undo]) or a likelihood was applied ([#of(Likelihood, Of, double[])]).
/// Means, variances and quantiles are always those of the resulting distribution, in its own units.
public final class Prediction {

  private final double[] means; // of the Gaussian, before the transform is undone
  private final double[] variances;
  private final byte[] marks;
  private final TargetTransform transform;
  private final @Nullable Asked asked;

  /// The quantity that is predicted under a likelihood, and its law at each point.
  private record Asked(Likelihood likelihood, Of of, IntFunction<Law> laws) {}

  private static final byte OUTSIDE = 1;
  private static final byte AT_BOUND = 2;

  private Prediction(
      double[] means,
      double[] variances,
      byte[] marks,
      TargetTransform transform,
      @Nullable Asked asked) {
    this.means = means;
    this.variances = variances;
    this.marks = marks;
    this.transform = transform;
    this.asked = asked;
  }

  /// Makes a prediction of these arrays without copying them. No point is outside the grid or at
  /// its rounding bound.
  public static Prediction adopt(double[] means, double[] variances) {
    return adopt(means, variances, new byte[means.length]);
  }

  /// Makes a prediction of these arrays without copying them. Marks are those of [#mark].
  public static Prediction adopt(double[] means, double[] variances, byte[] marks) {
    if (means.length != variances.length || means.length != marks.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "means, variances and marks must have the same length, got %d, %d and %d",
              means.length,
              variances.length,
              marks.length));
    return new Prediction(means, variances, marks, TargetTransform.NONE, null);
  }

  /// Returns the mark of a row: whether it lies outside the grid, and whether its variance is at
  /// its rounding bound.
  public static byte mark(boolean outside, boolean atBound) {
    return (byte) ((outside ? OUTSIDE : 0) | (atBound ? AT_BOUND : 0));
  }

  /// The number of points.
  public int size() {
    return means.length;
  }

  /// The mean at point i.
  public double mean(int i) {
    if (asked != null) return asked.laws.apply(i).mean(means[i], variances[i]);
    return transform.mean(means[i], variances[i]);
  }

  /// The variance at point i, never negative.
  public double variance(int i) {
    if (asked != null) return asked.laws.apply(i).variance(means[i], variances[i]);
    return transform.variance(means[i], variances[i]);
  }

  /// The standard deviation at point i.
  public double deviation(int i) {
    return Math.sqrt(variance(i));
  }

  /// The variance of the Gaussian at point i, before a transform is undone or a likelihood turns it
  /// into a rate or a probability. It includes the noise of [#withNoise].
  public double gaussianVariance(int i) {
    return variances[i];
  }

  /// Whether point i lies outside the grid.
  public boolean outside(int i) {
    return (marks[i] & OUTSIDE) != 0;
  }

  /// Whether the variance at point i is too small to be known because of rounding. The variance is
  /// then the bound.
  public boolean atBound(int i) {
    return (marks[i] & AT_BOUND) != 0;
  }

  /// Returns a copy of all means.
  public double[] means() {
    double[] all = new double[size()];
    for (int i = 0; i < all.length; i++) all[i] = mean(i);
    return all;
  }

  /// Returns a copy of all variances.
  public double[] variances() {
    double[] all = new double[size()];
    for (int i = 0; i < all.length; i++) all[i] = variance(i);
    return all;
  }

  /// Returns the p-quantile at point i. For a Gaussian it is `mean + sd Φ⁻¹(p)`. For counts it is
  /// the smallest whole number that has at least probability p at or below it.
  public double quantile(int i, double p) {
    if (asked != null) return asked.laws.apply(i).quantile(means[i], variances[i], p);
    return quantileAt(i, Gaussian.quantile(p));
  }

  /// Returns the quantile at point i that lies this many standard deviations of the Gaussian above
  /// its mean: `Φ⁻¹(p)` for the p-quantile. This is cheap when many points share one p.
  public double quantileAt(int i, double deviations) {
    if (asked != null) return asked.laws.apply(i).quantileAt(means[i], variances[i], deviations);
    return transform.quantile(means[i], variances[i], deviations);
  }

  /// The standard error of the standard deviation at point i if joint draws made it, as a share of
  /// it, estimated from these draws; 0 if no draws were needed. It is infinite if a few draws make
  /// most of the deviation, because the true one may then be far larger.
  public double deviationError(int i) {
    return asked != null && asked.laws.apply(i) instanceof DrawnLaw drawn
        ? drawn.deviationError()
        : 0;
  }

  /// The standard error of the p-quantile at point i if joint draws made it, estimated from these
  /// draws; 0 if no draws were needed.
  public double quantileError(int i, double p) {
    return asked != null && asked.laws.apply(i) instanceof DrawnLaw drawn
        ? drawn.quantileError(p)
        : 0;
  }

  /// Returns the log density of y at point i; for counts and classes, the log probability.
  public double logDensity(int i, double y) {
    if (asked != null) return asked.laws.apply(i).logDensity(y, means[i], variances[i]);
    return transform.logDensity(y, means[i], variances[i]);
  }

  /// Returns the probability of a value of at most y at point i.
  public double cumulative(int i, double y) {
    if (asked != null) return asked.laws.apply(i).cumulative(y, means[i], variances[i]);
    if (!transform.takes(y)) return 0; // below all values that the transform accepts
    double r = transform.apply(y) - means[i];
    if (variances[i] == 0) return r >= 0 ? 1 : 0;
    return Gaussian.cdf(r / Math.sqrt(variances[i]));
  }

  /// Returns a draw at point i. Draws at different points are independent.
  public double draw(int i, RandomGenerator random) {
    double f = means[i] + Math.sqrt(variances[i]) * random.nextGaussian();
    return asked != null ? asked.laws.apply(i).draw(f, random) : transform.invert(f);
  }

  /// Whether values are whole numbers, that is counts or classes.
  public boolean discrete() {
    return asked != null && size() > 0 && asked.laws.apply(0).discrete();
  }

  /// Returns the lower end of the central interval that holds `level` of the probability, such as
  /// 0.95.
  public double lower(int i, double level) {
    return quantile(i, 0.5 * (1 - checked(level)));
  }

  /// Returns the upper end of the central interval that holds `level` of the probability.
  public double upper(int i, double level) {
    return quantile(i, 0.5 * (1 + checked(level)));
  }

  /// Returns the prediction of an observation, by adding the noise variance to that of the
  /// Gaussian. A transform is undone after that, so noise and transform may be given in either
  /// order.
  public Prediction withNoise(double noise) {
    requireGaussian("noise cannot be added to");
    if (!(noise >= 0)) throw new IllegalArgumentException("noise must be >= 0, got " + noise);
    double[] total = variances.clone();
    for (int i = 0; i < total.length; i++) total[i] += noise;
    return new Prediction(means, total, marks, transform, null);
  }

  /// Like [#withNoise(double)], for observations with weights: the noise variance is
  /// `noise/weight`.
  public Prediction withNoise(double noise, double[] weights) {
    requireGaussian("noise cannot be added to");
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
    return new Prediction(means, total, marks, transform, null);
  }

  /// Returns the prediction of y, if this one is of the transformed target z. For
  /// [TargetTransform#LOG] it is a log-normal distribution.
  public Prediction undo(TargetTransform transform) {
    if (transform.equals(TargetTransform.NONE)) return this;
    requireGaussian("a transform cannot be undone for");
    if (!this.transform.equals(TargetTransform.NONE))
      throw new IllegalStateException("the " + this.transform + " transform is undone already");
    return new Prediction(means, variances, marks, transform, null);
  }

  /// Returns the prediction of a quantity under a likelihood, if this one is of its latent
  /// function. Sizes are those of the observations: exposures, trials, weights or precisions, one
  /// per point. No sizes mean sizes of 1.
  public Prediction of(Likelihood likelihood, Of of, double[] sizes) {
    if (likelihood.isVarying() && of == Of.OBSERVATION)
      throw new IllegalArgumentException(
          "observations under " + likelihood + " need the prediction of the log noise deviation");
    if (!hasSizes(sizes)) {
      Law law = likelihood.law(of, 1);
      return asked(likelihood, of, i -> law);
    }
    Law[] laws = new Law[sizes.length]; // a wrong size is refused here
    for (int i = 0; i < laws.length; i++) laws[i] = likelihood.law(of, sizes[i]);
    return asked(likelihood, of, i -> laws[i]);
  }

  /// Like [#of(Likelihood, Of, double[])], for noise that has its own process. `noise` predicts the
  /// log standard deviation of the noise.
  public Prediction of(Likelihood likelihood, Of of, double[] sizes, Prediction noise) {
    if (noise.size() != size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the noise is predicted at %,d points, the function at %,d",
              noise.size(),
              size()));
    double[] own = hasSizes(sizes) ? sizes.clone() : new double[0];
    return asked(
        likelihood,
        of,
        i -> likelihood.law(of, own.length == 0 ? 1 : own[i], noise.means[i], noise.variances[i]));
  }

  /// Returns the prediction of a quantity that is given by draws, one row of `draws` for each
  /// point. The rows are not copied. Means and variances are given separately, because they may be
  /// known better than from the draws. If a variance is NaN, that of the draws is used. The marks
  /// are those of this prediction.
  public Prediction drawn(
      Likelihood likelihood, Of of, double[] means, double[] variances, double[][] draws) {
    if (means.length != size() || variances.length != size() || draws.length != size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d means, %,d variances and %,d rows of draws for %,d points",
              means.length,
              variances.length,
              draws.length,
              size()));
    Law[] laws = new Law[size()];
    for (int i = 0; i < laws.length; i++) laws[i] = new DrawnLaw(means[i], variances[i], draws[i]);
    return asked(likelihood, of, i -> laws[i]);
  }

  private boolean hasSizes(double[] sizes) {
    if (sizes.length == 0) return false;
    if (sizes.length == size()) return true;
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%,d sizes for %,d points; pass one per point, or none",
            sizes.length,
            size()));
  }

  private Prediction asked(Likelihood likelihood, Of of, IntFunction<Law> laws) {
    requireGaussian("a likelihood cannot be applied to");
    if (!transform.equals(TargetTransform.NONE))
      throw new IllegalStateException(
          "the " + transform + " transform is undone already; a likelihood replaces the transform");
    return new Prediction(means, variances, marks, transform, new Asked(likelihood, of, laws));
  }

  private void requireGaussian(String what) {
    if (asked != null)
      throw new IllegalStateException(
          what + " a prediction of the " + asked.of + " under likelihood " + asked.likelihood);
  }

  /// The likelihood, if this is a prediction under one.
  public Optional<Likelihood> likelihood() {
    return Optional.ofNullable(asked).map(Asked::likelihood);
  }

  /// The quantity that is predicted, if this is a prediction under a likelihood.
  public Optional<Of> of() {
    return Optional.ofNullable(asked).map(Asked::of);
  }

  /// The transform that was undone; [TargetTransform#NONE] for a Gaussian.
  public TargetTransform transform() {
    return transform;
  }

  double[] gaussianMeans() {
    return means;
  }

  double[] gaussianVariances() {
    return variances;
  }

  /// Describes the first points by mean and standard deviation, and says how many points there are.
  @Override
  public String toString() {
    return PredictionText.of(this);
  }

  private static double checked(double level) {
    if (!(level > 0 && level < 1))
      throw new IllegalArgumentException("interval level must lie between 0 and 1, got " + level);
    return level;
  }
}
