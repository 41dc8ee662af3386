package lovelace.source.internal;

import java.io.IOException;
import java.util.List;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.posterior.internal.Points;
import lovelace.source.Source;

/// The rows of a source with features in place of their columns.
public record Features(Source source, FeatureMap map) implements Source {

  @Override
  public List<Column> columns() {
    return map.features(source.columns());
  }

  @Override
  public Column target() {
    return source.target();
  }

  @Override
  public void read(Sink sink) throws IOException {
    long[] before = {0};
    source.read(
        (count, x, y, weights) -> {
          double[] features = new double[count * map.outputs()];
          map.apply(x, count, features);
          for (int i = 0; i < count; i++) requireFinite(x, features, i, before[0]);
          before[0] += count;
          sink.accept(count, features, y, weights);
        });
  }

  /// Fails if an input or a feature of a row is not finite, and names the table's row.
  ///
  /// @param i the row in the arrays
  /// @param before the number of rows of the table before these arrays
  void requireFinite(double[] x, double[] features, int i, long before) {
    int d = map.inputs();
    for (int j = 0; j < d; j++)
      if (!Double.isFinite(x[i * d + j]))
        throw Points.notFinite(
            before + i + 1, "column '" + source.columns().get(j).name() + "'", x[i * d + j]);
    int k = map.outputs();
    for (int f = 0; f < k; f++)
      if (!Double.isFinite(features[i * k + f]))
        throw Points.noFeature(map, x, i, before + i + 1, f, features[i * k + f]);
  }
}
