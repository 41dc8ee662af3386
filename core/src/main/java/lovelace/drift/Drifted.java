package lovelace.drift;

import java.util.random.RandomGenerator;
import lovelace.data.FeatureMap;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.PredictionArrays;
import org.jspecify.annotations.Nullable;

/// The posterior of a function whose mean is linear in some columns, with the coefficients
/// integrated out. Let `r = f(x) − m(x)`, where m are the posterior means of processes that
/// observed the terms f in place of the target:
///
///     mean(x)    = βᵀf(x) + mean of the residuals' process
///     cov(x, x′) = covariance of that process + rᵀA⁻¹r′
///
/// GPML eq. (2.41) and (2.42). Immutable.
abstract sealed class Drifted implements Posterior permits DriftedPosterior, DriftedRows {

  final Trend trend;
  private final @Nullable FeatureMap map;

  Drifted(Trend trend, @Nullable FeatureMap map) {
    this.trend = trend;
    this.map = map;
  }

  /// The coefficients.
  public final Trend trend() {
    return trend;
  }

  /// The map from the columns of the process to its features, null if there is none.
  public final @Nullable FeatureMap map() {
    return map;
  }

  /// The posterior of the residuals, over the features.
  abstract Posterior process();

  /// The prediction of the residuals' process at features. Also writes the posterior means m of the
  /// terms there, row-major.
  abstract Prediction predict(double[] features, double[] means);

  /// The posterior means m of the terms at features, row-major.
  abstract double[] means(double[] features);

  /// The weighted means of the terms' posterior means over areas of features.
  double[] means(Areas areas) {
    return areas.means(trend.terms().size(), means(areas.points(0, areas.count())));
  }

  @Override
  public final int dimensions() {
    return trend.terms().columns();
  }

  @Override
  public final double noise() {
    return process().noise();
  }

  /// The features of points that the process reads.
  final double[] features(double[] points) {
    double[] seen = trend.terms().seen(points, Points.check(points, dimensions()));
    return map == null ? seen : Points.features(map, seen);
  }

  /// The mean given by the coefficients at each point, followed by `r = f − m`: `1 + q` numbers per
  /// point.
  private double[] trends(double[] points, double[] means) {
    Terms terms = trend.terms();
    int q = terms.size();
    int count = points.length / terms.columns();
    double[] out = new double[count * (q + 1)];
    for (int i = 0; i < count; i++) {
      int at = i * (q + 1);
      terms.basis(points, i * terms.columns(), out, at + 1);
      out[at] = trend.mean(out, at + 1);
      for (int j = 0; j < q; j++) out[at + 1 + j] -= means[i * q + j];
    }
    return out;
  }

  @Override
  public Prediction predict(double[] points) {
    double[] features = features(points);
    int q = trend.terms().size();
    int d = dimensions();
    double[] m = new double[points.length / d * q];
    var all = PredictionArrays.of(predict(features, m));
    double[] r = new double[q];
    double[] own = new double[2];
    for (int i = 0; i < all.means.length; i++) {
      own[0] = all.means[i];
      own[1] = all.variances[i];
      trend.add(points, i * d, m, i * q, r, own);
      all.means[i] = own[0];
      all.variances[i] = own[1];
    }
    return all.done();
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public final double[] covariance(double[] a, double[] b) {
    double[] left = features(a);
    double[] right = a == b ? left : features(b);
    double[] out = process().covariance(left, right);
    double[] mine = trends(a, means(left));
    trend.addCovariance(mine, a == b ? mine : trends(b, means(right)), out);
    return out;
  }

  @Override
  public final Prediction average(double[] points, double[] weights, int[] starts) {
    double[] features = features(points);
    int q = trend.terms().size();
    double[] own = // βᵀf and f
        Areas.of(points, dimensions(), weights, starts)
            .means(1 + q, trends(points, new double[points.length / dimensions() * q]));
    double[] m = means(Areas.of(features, process().dimensions(), weights, starts));
    for (int a = 0; a < m.length / q; a++)
      for (int j = 0; j < q; j++) own[a * (1 + q) + 1 + j] -= m[a * q + j];
    return trend.added(process().average(features, weights, starts), own);
  }

  @Override
  public final double[] sample(double[] points, int count, RandomGenerator random) {
    double[] features = features(points);
    double[] draws = process().sample(features, count, random);
    trend.addDraws(trends(points, means(features)), count, random, draws);
    return draws;
  }
}
