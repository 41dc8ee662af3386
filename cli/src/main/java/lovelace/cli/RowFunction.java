package lovelace.cli;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBReadableVector;
import org.duckdb.DuckDBWritableVector;

/// Registers a function of a row's inputs with several results as functions of SQL, so that DuckDB
/// streams rows through it. One function takes the inputs and numbers the row, and one function per
/// result takes the number. The results of a chunk of rows are kept until all have been taken.
final class RowFunction {

  private static final AtomicInteger FUNCTIONS = new AtomicInteger();

  private final Reading reading;
  private final List<Table.Added> added;
  private final List<Table.Added> computed;
  private final Table.Extension function;
  private final String prefix = "lovelace_" + FUNCTIONS.incrementAndGet() + "_";
  private final AtomicLong rows = new AtomicLong();
  private final ConcurrentHashMap<Long, Chunk> waiting = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Chunk> idle = new ConcurrentLinkedQueue<>();

  /// Rows, their results, and how many of the results have not been taken yet.
  private final class Chunk {
    final double[][] columns = new double[reading.columns().size()][0];
    final double[][] results = new double[computed.size()][0];
    boolean[] missing = {};
    int count = 0;
    final AtomicInteger left = new AtomicInteger();

    void makeRoom(int rows) {
      count = rows;
      left.set(results.length);
      if (missing.length >= rows) return;
      missing = new boolean[rows];
      for (int j = 0; j < columns.length; j++) columns[j] = new double[rows];
      for (int j = 0; j < results.length; j++) results[j] = new double[rows];
    }
  }

  /// Registers the functions. A row that is to be skipped has no results, and one that is refused
  /// ends the query.
  RowFunction(
      Reading reading,
      List<Table.Added> added,
      Table.Extension function,
      DuckDBConnection connection)
      throws SQLException {
    this.reading = reading;
    this.added = added;
    this.computed = added.stream().filter(a -> a.expression() == null).toList();
    this.function = function;
    var numbering = DuckDBFunctions.scalarFunction().withName(prefix + "row");
    for (int j = 0; j < reading.columns().size(); j++)
      numbering =
          numbering.withParameter(
              reading.isText(j) ? DuckDBColumnType.VARCHAR : DuckDBColumnType.DOUBLE);
    numbering
        .withReturnType(DuckDBColumnType.BIGINT)
        .withVectorizedFunction(this::number)
        .register(connection);
    for (int j = 0; j < computed.size(); j++) {
      int result = j;
      DuckDBFunctions.scalarFunction()
          .withName(prefix + j)
          .withParameter(DuckDBColumnType.BIGINT)
          .withReturnType(
              computed.get(j).flag() ? DuckDBColumnType.BOOLEAN : DuckDBColumnType.DOUBLE)
          .withVectorizedFunction((in, out) -> write(in, result, out))
          .register(connection);
    }
  }

  /// A query for a relation's columns and the added ones. The inputs are given as expressions over
  /// `t`.
  String query(String relation, List<String> arguments) {
    String row = prefix + "row";
    var taken = new ArrayList<String>();
    var names = new ArrayList<String>(List.of(row));
    var columns = new ArrayList<String>();
    for (Table.Added a : added) {
      String name = Database.quoted(a.name());
      if (a.expression() == null) {
        taken.add(String.format(Locale.ROOT, "%s%d(%s) as %s", prefix, taken.size(), row, name));
        names.add(name);
        columns.add(name);
      } else columns.add(a.expression() + " as " + name);
    }
    return "select * exclude (%s), %s from (select *, %s from (select t.*, %s(%s) as %s from %s t))"
        .formatted(
            String.join(", ", names),
            String.join(", ", columns),
            String.join(", ", taken),
            row,
            String.join(", ", arguments),
            row,
            relation);
  }

  /// Reads the inputs, computes the results and numbers the rows.
  private void number(DuckDBDataChunkReader in, DuckDBWritableVector out) {
    int count = Math.toIntExact(in.rowCount());
    Chunk free = idle.poll();
    Chunk chunk = free == null ? new Chunk() : free;
    chunk.makeRoom(count);
    for (int j = 0; j < chunk.columns.length; j++) {
      double[] values = chunk.columns[j];
      DuckDBReadableVector vector = in.vector(j);
      boolean text = reading.isText(j);
      for (int i = 0; i < count; i++) {
        boolean none = vector.isNull(i);
        String written = text && !none ? vector.getString(i) : null;
        double raw = text || none ? Double.NaN : vector.getDouble(i);
        values[i] = text ? reading.text(j, written) : reading.number(j, raw);
        boolean absent = !Double.isFinite(values[i]);
        if (absent && reading.refusal(j, written, raw) != null)
          throw new DuckDBFunctions.FunctionException("an input cannot be read");
        chunk.missing[i] = (j > 0 && chunk.missing[i]) || absent;
      }
    }
    function.apply(count, chunk.columns, chunk.results);
    long first = rows.getAndAdd(count);
    waiting.put(first, chunk);
    for (int i = 0; i < count; i++) out.setLong(i, first + i);
  }

  private void write(DuckDBDataChunkReader in, int result, DuckDBWritableVector out) {
    int count = Math.toIntExact(in.rowCount());
    DuckDBReadableVector numbers = in.vector(0);
    long first = numbers.getLong(0);
    Chunk chunk = waiting.get(first);
    if (chunk == null || chunk.count != count || numbers.getLong(count - 1) != first + count - 1)
      throw new DuckDBFunctions.FunctionException("rows were asked for in other chunks");
    double[] values = chunk.results[result];
    boolean flag = computed.get(result).flag();
    for (int i = 0; i < count; i++) {
      if (chunk.missing[i]) out.setNull(i);
      else if (flag) out.setBoolean(i, values[i] == 1);
      else out.setDouble(i, values[i]);
    }
    if (chunk.left.decrementAndGet() == 0) {
      waiting.remove(first);
      idle.add(chunk);
    }
  }
}
