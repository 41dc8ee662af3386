package lovelace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import lovelace.data.Column;
import lovelace.data.FeatureMap;

/// The rows of a source with features in place of their columns.
record FeatureSource(Source source, FeatureMap map) implements Source {

  @Override
  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    for (int f = 1; f <= map.outputs(); f++) columns.add(Column.of("feature " + f));
    return columns;
  }

  @Override
  public Column target() {
    return source.target();
  }

  @Override
  public void read(Sink sink) throws IOException {
    source.read(
        (count, x, y, weights) -> {
          double[] features = new double[count * map.outputs()];
          map.apply(x, count, features);
          sink.accept(count, features, y, weights);
        });
  }
}
