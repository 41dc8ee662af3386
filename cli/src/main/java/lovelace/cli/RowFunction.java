package lovelace.cli;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.data.TimeScale;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBReadableVector;
import org.duckdb.DuckDBWritableVector;

/// A function of a row's inputs with several results, as functions of SQL with one result each, so
/// that DuckDB streams rows through it. A thread remembers the last rows it saw: all results of one
/// chunk come from one call.
final class RowFunction {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final List<Table.Input> inputs;
  private final int results;
  private final Table.Extension function;
  private final boolean skip;
  private final String prefix = "lovelace_" + NUMBER.incrementAndGet() + "_";
  private final ThreadLocal<Chunk> last = ThreadLocal.withInitial(Chunk::new);

  /// The rows a thread saw last and their results.
  private final class Chunk {
    double[][] columns = new double[inputs.size()][0];
    double[][] next = new double[inputs.size()][0];
    double[][] added = new double[results][0];
    int count = -1;
  }

  /// Registers the functions; a row with a missing input has no results where that is to be
  /// skipped, else the query fails.
  RowFunction(
      List<Table.Input> inputs,
      List<Table.Added> added,
      Table.Extension function,
      boolean skip,
      DuckDBConnection connection)
      throws SQLException {
    this.inputs = inputs;
    this.results = added.size();
    this.function = function;
    this.skip = skip;
    for (int j = 0; j < results; j++) {
      int result = j;
      boolean flag = added.get(j).flag();
      var builder = DuckDBFunctions.scalarFunction().withName(name(j));
      for (Table.Input input : inputs)
        builder =
            builder.withParameter(
                input.time() == null ? DuckDBColumnType.DOUBLE : DuckDBColumnType.VARCHAR);
      builder
          .withReturnType(flag ? DuckDBColumnType.BOOLEAN : DuckDBColumnType.DOUBLE)
          .withVectorizedFunction((in, out) -> apply(in, result, flag, out))
          .register(connection);
    }
  }

  /// The name of the function of a result.
  String name(int result) {
    return prefix + result;
  }

  private void apply(DuckDBDataChunkReader in, int result, boolean flag, DuckDBWritableVector out) {
    int count = Math.toIntExact(in.rowCount());
    Chunk chunk = last.get();
    read(in, count, chunk);
    double[] values = chunk.added[result];
    for (int i = 0; i < count; i++) {
      if (isMissing(chunk.columns, i)) out.setNull(i);
      else if (flag) out.setBoolean(i, values[i] == 1);
      else out.setDouble(i, values[i]);
    }
  }

  private static boolean isMissing(double[][] columns, int i) {
    for (double[] column : columns) if (!Double.isFinite(column[i])) return true;
    return false;
  }

  /// Reads the inputs; where they are not those of the last call, calls the function.
  private void read(DuckDBDataChunkReader in, int count, Chunk chunk) {
    boolean same = count == chunk.count;
    for (int j = 0; j < inputs.size(); j++) {
      if (chunk.next[j].length < count) chunk.next[j] = new double[count];
      double[] values = chunk.next[j];
      DuckDBReadableVector vector = in.vector(j);
      TimeScale time = inputs.get(j).time();
      for (int i = 0; i < count; i++)
        values[i] =
            vector.isNull(i)
                ? Double.NaN
                : time == null ? vector.getDouble(i) : moment(time, vector.getString(i));
      same = same && Arrays.equals(values, 0, count, chunk.columns[j], 0, count);
    }
    if (same) return;
    double[][] old = chunk.columns;
    chunk.columns = chunk.next;
    chunk.next = old;
    chunk.count = -1;
    if (!skip)
      for (int i = 0; i < count; i++)
        if (isMissing(chunk.columns, i))
          throw new DuckDBFunctions.FunctionException("an input is missing");
    for (int j = 0; j < results; j++)
      if (chunk.added[j].length < count) chunk.added[j] = new double[count];
    function.apply(count, chunk.columns, chunk.added);
    chunk.count = count;
  }

  private static double moment(TimeScale time, String text) {
    return TimeScale.recognizes(text) ? time.parse(text) : Double.NaN;
  }
}
