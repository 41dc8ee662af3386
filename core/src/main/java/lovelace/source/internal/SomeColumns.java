package lovelace.source.internal;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import lovelace.data.Column;
import lovelace.source.Source;

/// The rows of a source with some of its columns.
public record SomeColumns(Source source, List<Integer> kept) implements Source {

  public static SomeColumns of(Source source, int[] places) {
    return new SomeColumns(source, Arrays.stream(places).boxed().toList());
  }

  private int[] places() {
    return kept.stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public List<Column> columns() {
    return kept.stream().map(source.columns()::get).toList();
  }

  @Override
  public Column target() {
    return source.target();
  }

  @Override
  public void read(Sink sink) throws IOException {
    int d = source.columns().size();
    int[] places = places();
    source.read(
        (count, x, y, weights) -> sink.accept(count, chosen(x, count, d, places), y, weights));
  }

  /// The values of the kept columns, from rows with all columns.
  public static double[] chosen(double[] x, int rows, int columns, int[] places) {
    int k = places.length;
    double[] chosen = new double[rows * k];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < k; j++) chosen[i * k + j] = x[i * columns + places[j]];
    return chosen;
  }
}
