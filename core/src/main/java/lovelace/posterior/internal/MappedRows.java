package lovelace.posterior.internal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Prediction;

/// The posterior of rows behind a [FeatureMap]. It holds the rows unchanged from the table, and its
/// process is over their features.
public final class MappedRows implements WrappedRows {

  private final FeatureMap map;
  private final Dataset data;
  private final RowPosterior inner;

  private MappedRows(FeatureMap map, Dataset data, RowPosterior inner) {
    this.map = map;
    this.data = data;
    this.inner = inner;
  }

  /// Wraps the posterior of the rows' features.
  ///
  /// @param data the rows, with the same target as `inner`
  /// @param inner of their features, [#features(FeatureMap, Dataset)]
  public static MappedRows of(FeatureMap map, Dataset data, RowPosterior inner) {
    if (map.outputs() != inner.dimensions()
        || map.inputs() != data.dimensions()
        || data.size() != inner.data().size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a map of %d columns to %d features needs rows and a posterior of the same sizes, got %d and %d",
              map.inputs(),
              map.outputs(),
              data.dimensions(),
              inner.dimensions()));
    return new MappedRows(map, data, inner);
  }

  /// Wraps the posterior of features that are known without their places. The rows are the inverse
  /// of the map at the features, up to rounding.
  public static MappedRows ofFeatures(PlaceMap map, List<Column> columns, RowPosterior inner) {
    Dataset features = inner.data();
    double[] x = new double[features.inputs().length];
    map.columns(features.inputs(), features.size(), x);
    return of(map, features.withInputs(x, columns), inner);
  }

  /// The rows with features in place of their columns.
  public static Dataset features(FeatureMap map, Dataset data) {
    return data.withInputs(Points.features(map, data.inputs()), map.features(data.columns()));
  }

  /// The map from columns to features.
  public FeatureMap map() {
    return map;
  }

  /// The posterior over the features.
  @Override
  public RowPosterior inner() {
    return inner;
  }

  private double[] features(double[] points) {
    return Points.features(map, points);
  }

  /// The rows unchanged from the table, with the transformed target.
  @Override
  public Dataset data() {
    return data;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public RowPosterior with(Dataset rows, Hyperparameters hyperparameters) {
    Dataset features = rows == data ? inner.data() : features(map, rows);
    return new MappedRows(map, rows, inner.with(features, hyperparameters));
  }

  @Override
  public double logMarginalLikelihood() {
    return inner.logMarginalLikelihood();
  }

  @Override
  public double[] likelihoodGradient() {
    return inner.likelihoodGradient();
  }

  @Override
  public long bytes() {
    return inner.bytes() + 8L * data.size() * map.outputs();
  }

  @Override
  public long jointBytes(int points) {
    return inner.jointBytes(points) + 8L * points * map.outputs();
  }

  @Override
  public long panelBytes(int points) {
    return inner.panelBytes(points) + 8L * points * map.outputs();
  }

  /// Adds at least the operations of a row of a linear map.
  @Override
  public double operations(int points) {
    return inner.operations(points) + 1.0 * points * map.inputs() * map.outputs();
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

  @Override
  public Optional<Prediction> leftOut() {
    return inner.leftOut();
  }
}
