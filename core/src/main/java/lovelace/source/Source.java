package lovelace.source;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.source.internal.SomeColumns;

/// Observations that can be read more than once, a few at a time. A fit need not hold them in
/// memory.
public interface Source {

  /// The input columns.
  List<Column> columns();

  /// The column of the target.
  Column target();

  /// Passes every row to the sink, in the same order each time.
  void read(Sink sink) throws IOException;

  /// Facts about the rows that are known without reading all of them: the range of every column,
  /// and about `rows` rows, chosen at random. Ranges must cover all rows. Empty if the source would
  /// have to read its rows for this.
  default Optional<Overview> overview(int rows, long seed) throws IOException {
    return Optional.empty();
  }

  /// The sums over all rows on a grid, if the source can compute them itself, for example in a
  /// cluster; otherwise empty.
  default Optional<Sums> sums(Grid grid, TargetTransform transform, Outside outside)
      throws IOException {
    return Optional.empty();
  }

  /// The same rows with some of the columns, given by their positions from 0 in ascending order.
  default Source keeping(int... places) {
    return SomeColumns.of(this, places);
  }

  /// Ranges of the input columns, and some rows.
  final class Overview {
    private final double[] low;
    private final double[] high;
    private final double[] inputs;
    private final double[] target;
    private final Optional<double[]> weights;
    private final long rows;

    /// Takes ownership of the arrays. The number of rows is unknown.
    public Overview(
        double[] low, double[] high, double[] inputs, double[] target, Optional<double[]> weights) {
      this(low, high, inputs, target, weights, -1);
    }

    /// Takes ownership of the arrays; `rows` is the number of all rows, or −1 if it is unknown.
    public Overview(
        double[] low,
        double[] high,
        double[] inputs,
        double[] target,
        Optional<double[]> weights,
        long rows) {
      this.rows = rows;
      this.low = low;
      this.high = high;
      this.inputs = inputs;
      this.target = target;
      this.weights = weights;
    }

    /// The number of known rows.
    public int size() {
      return target.length;
    }

    /// The number of all rows; −1 if it is unknown.
    public long rows() {
      return rows;
    }

    /// The smallest value of each column.
    public double[] low() {
      return low;
    }

    /// The largest value of each column.
    public double[] high() {
      return high;
    }

    /// The inputs of the known rows, row-major. Not copied: read only.
    public double[] inputs() {
      return inputs;
    }

    /// Their targets. Not copied: read only.
    public double[] target() {
      return target;
    }

    /// Their weights; empty if all are one. Not copied: read only.
    public Optional<double[]> weights() {
      return weights;
    }
  }

  /// Receives rows. The source may reuse the arrays for the next rows.
  interface Sink {
    /// Takes the first `count` rows: inputs row-major, targets, and weights unless those of these
    /// rows are all one.
    void accept(int count, double[] inputs, double[] target, Optional<double[]> weights);
  }

  /// The rows of a data set.
  static Source of(Dataset data) {
    return new Source() {
      @Override
      public List<Column> columns() {
        return data.columns();
      }

      @Override
      public Column target() {
        return data.targetColumn();
      }

      @Override
      public void read(Sink sink) {
        Optional<double[]> weights =
            data.weighted() ? Optional.of(data.weights()) : Optional.empty();
        sink.accept(data.size(), data.inputs(), data.target(), weights);
      }
    };
  }
}
