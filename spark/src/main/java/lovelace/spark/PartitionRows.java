package lovelace.spark;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.Source;
import lovelace.data.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;

/// The rows of one partition, to be read once: inputs as doubles or as one array, the target, and
/// perhaps a weight.
final class PartitionRows implements Source {

  private static final int BATCH = 1 << 13;

  private final RowShape shape;
  private final int partition;
  private final Iterator<InternalRow> rows;

  PartitionRows(RowShape shape, int partition, Iterator<InternalRow> rows) {
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

  /// Puts a row at a place of the arrays; false if it is to be skipped.
  private boolean take(
      InternalRow from, long row, int at, double[] x, double[] y, double @Nullable [] w) {
    int d = shape.dimensions();
    int next = d;
    if (shape.vector()) {
      next = 1;
      ArrayData values = from.isNullAt(0) ? null : from.getArray(0);
      if (values == null) return invalid(row, shape.features(), "missing");
      if (values.numElements() != shape.width())
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: '%s' has %d values where %d are expected; assemble vectors of one size",
                place(row),
                shape.features(),
                values.numElements(),
                shape.width()));
      for (int j = 0; j < d; j++) {
        x[at * d + j] = values.getDouble(shape.place(j));
        if (!Double.isFinite(x[at * d + j]))
          return invalid(row, shape.names()[j], String.valueOf(x[at * d + j]));
      }
    } else {
      for (int j = 0; j < d; j++) {
        x[at * d + j] = value(from, j);
        if (!Double.isFinite(x[at * d + j])) return invalid(row, shape.names()[j], from, j);
      }
    }
    y[at] = value(from, next);
    if (!Double.isFinite(y[at])) return invalid(row, shape.label(), from, next);
    if (w == null) return true;
    w[at] = value(from, next + 1);
    if (!(w[at] > 0 && w[at] < Double.POSITIVE_INFINITY))
      return invalid(row, "weight", from, next + 1);
    return true;
  }

  private static double value(InternalRow row, int column) {
    return row.isNullAt(column) ? Double.NaN : row.getDouble(column);
  }

  private boolean invalid(long row, String column, InternalRow from, int at) {
    return invalid(row, column, from.isNullAt(at) ? "missing" : String.valueOf(from.getDouble(at)));
  }

  private boolean invalid(long row, String column, String value) {
    if (shape.skipInvalid()) return false;
    throw new IllegalArgumentException(
        "%s: column '%s' is %s; correct or drop the row, or setHandleInvalid(\"skip\")"
            .formatted(place(row), column, value));
  }

  private String place(long row) {
    return String.format(Locale.ROOT, "row %,d of partition %,d", row, partition);
  }
}
