package lovelace.lattice;

import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.data.FeatureMap;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Points;

/// The posterior of a function of features: a [FeatureMap] followed by a posterior on a lattice of
/// its features. A point is outside if its features lie outside the lattice.
public final class MappedPosterior implements Posterior {

  private final FeatureMap map;
  private final LatticePosterior inner;

  private MappedPosterior(FeatureMap map, LatticePosterior inner) {
    this.map = map;
    this.inner = inner;
  }

  public static MappedPosterior of(FeatureMap map, LatticePosterior inner) {
    if (map.outputs() != inner.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a map to %d features needs a posterior over the same number, got %d",
              map.outputs(),
              inner.dimensions()));
    return new MappedPosterior(map, inner);
  }

  /// The map from columns to features.
  public FeatureMap map() {
    return map;
  }

  /// The posterior over the features.
  public LatticePosterior inner() {
    return inner;
  }

  private double[] features(double[] points) {
    return Points.features(map, points);
  }

  @Override
  public int dimensions() {
    return map.inputs();
  }

  @Override
  public double noise() {
    return inner.noise();
  }

  @Override
  public Prediction predict(double[] points) {
    return inner.predict(features(points));
  }

  /// Mean, variance and their gradients in the columns of x: `[mean, variance, ∂mean/∂x…,
  /// ∂variance/∂x…]`, only inside the lattice.
  public void gradient(double[] x, int xo, double[] out) {
    int d = map.inputs();
    int k = map.outputs();
    double[] point = new double[d];
    System.arraycopy(x, xo, point, 0, d);
    double[] own = new double[2 + 2 * k];
    inner.gradient(features(point), 0, own);
    out[0] = own[0];
    out[1] = own[1];
    map.pullBack(point, 0, own, 2, out, 2);
    map.pullBack(point, 0, own, 2 + k, out, 2 + d);
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] covariance(double[] a, double[] b) {
    double[] left = features(a);
    return inner.covariance(left, a == b ? left : features(b));
  }

  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return inner.average(features(points), weights, starts);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return inner.sample(features(points), count, random);
  }
}
