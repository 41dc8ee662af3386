package lovelace;

import java.io.IOException;
import java.util.List;
import lovelace.data.Column;
import lovelace.data.Dataset;
import org.jspecify.annotations.Nullable;

/// Observations that can be read more than once, a few at a time, so that a fit need not hold them.
public interface Source {

  /// The input columns.
  List<Column> columns();

  /// The target's column.
  Column target();

  /// Hands every row to the sink, in the same order each time.
  void read(Sink sink) throws IOException;

  /// Takes rows; the arrays may be used again for the next ones.
  interface Sink {
    /// The first `count` rows: inputs row-major, targets, and weights unless all are one.
    void accept(int count, double[] inputs, double[] target, double @Nullable [] weights);
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
        double[] weights = data.weighted() ? new double[data.size()] : null;
        if (weights != null) for (int i = 0; i < weights.length; i++) weights[i] = data.weight(i);
        sink.accept(data.size(), data.inputs(), data.target(), weights);
      }
    };
  }
}
