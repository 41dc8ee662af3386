package lovelace.spark;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// The rows of one partition. They can be read once. Each is an array: inputs, target, and perhaps
/// a size, with NaN for a missing value.
final class PartitionRows implements Source {

  private static final int BATCH = 1 << 13;

  private final RowShape shape;
  private final int partition;
  private final Iterator<double[]> rows;

  PartitionRows(RowShape shape, int partition, Iterator<double[]> rows) {
    this.shape = shape;
    this.partition = partition;
    this.rows = rows;
  }

  @Override
  public List<Column> columns() {
    return shape.columns();
  }

  @Override
  public Column target() {
    return Column.of(shape.label());
  }

  @Override
  public void read(Sink sink) {
    int d = shape.dimensions();
    double[] x = new double[BATCH * d];
    double[] y = new double[BATCH];
    double[] w = shape.weighted() ? new double[BATCH] : null;
    int held = 0;
    for (long row = 1; rows.hasNext(); row++) {
      if (!take(rows.next(), row, held, x, y, w)) continue;
      if (++held < BATCH) continue;
      sink.accept(held, x, y, Optional.ofNullable(w));
      held = 0;
    }
    if (held > 0) sink.accept(held, x, y, Optional.ofNullable(w));
  }

  /// Stores a row at position `at` of the arrays. Returns false if it is to be left out.
  private boolean take(
      double[] from, long row, int at, double[] x, double[] y, double @Nullable [] w) {
    int d = shape.dimensions();
    int label = shape.labelPlace();
    int surplus = from.length - label - (w == null ? 1 : 2);
    if (surplus == -label) return invalid(row, shape.features(), Double.NaN);
    if (surplus != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: '%s' has %d values where %d are expected; assemble vectors of one size",
              place(row),
              shape.features(),
              label + surplus,
              label));
    for (int j = 0; j < d; j++) {
      double value = from[shape.place(j)];
      if (!Double.isFinite(value)) {
        if (Double.isNaN(shape.fill(j))) return invalid(row, shape.names()[j], value);
        value = shape.fill(j);
      }
      x[at * d + j] = value;
    }
    y[at] = from[label];
    if (!Double.isFinite(y[at])) return invalid(row, shape.label(), y[at]);
    if (w == null) return true;
    w[at] = from[label + 1];
    if (w[at] > 0 && w[at] < Double.POSITIVE_INFINITY) return true;
    return invalid(row, shape.weight(), w[at]);
  }

  private boolean invalid(long row, @Nullable String column, double value) {
    if (!shape.error()) return false;
    throw new IllegalArgumentException(
        "%s: column '%s' is %s; correct or drop the row, or setHandleInvalid(\"skip\")"
            .formatted(place(row), column, Scoring.shown(value)));
  }

  private String place(long row) {
    return String.format(Locale.ROOT, "row %,d of partition %,d", row, partition);
  }
}
