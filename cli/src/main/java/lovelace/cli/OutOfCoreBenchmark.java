package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.experiments.PeakMemory;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.source.Sums;
import lovelace.statistics.GridAccumulator;

/// Measures the pass of a fit over a Parquet file, and each of its parts alone, in one run:
/// DuckDB's scan, the extraction of the same columns into Java, the arithmetic on rows in memory.
/// Then it measures predictions of all rows, and DuckDB copying the same input and output.
///
/// ```
/// java -Xmx1g --enable-native-access=ALL-UNNAMED -cp 'cli/target/lib/*:cli/target/classes' \
///   lovelace.cli.OutOfCoreBenchmark [ROWS] [FOLDER]
/// ```
public final class OutOfCoreBenchmark {

  private static final int BATCH = 1 << 17;

  private OutOfCoreBenchmark() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 100_000_000;
    Path folder =
        Path.of(arguments.length > 1 ? arguments[1] : System.getProperty("java.io.tmpdir"));
    System.out.print(run(rows, folder));
  }

  /// Writes the file, measures, deletes it, and returns the table.
  static String run(long rows, Path folder) throws IOException, SQLException {
    Path file = Files.createTempFile(folder, "lovelace", ".parquet");
    try (Database database = Database.open()) {
      database.execute(
          String.format(
              Locale.ROOT,
              """
          copy (select a, b, sin(6 * a) * b + 0.3 * (hash(i + 3) %% 1000003 / 1000003.0 - 0.5) as y
            from (select i, hash(i) / 18446744073709551616.0 as a,
              hash(i * 7 + 1) / 18446744073709551616.0 as b from range(%d) t(i)))
          to %s (format parquet)
          """,
              rows,
              Database.literal(file.toString())));
      return measure(rows, file, database);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static String measure(long rows, Path file, Database database)
      throws IOException, SQLException {
    Grid grid = Grid.of(new Axis(-0.04, 0.02, 56), new Axis(-0.04, 0.02, 56));
    Time scan = new Time();
    database.strings(
        "select sum(a), sum(b), sum(y) from read_parquet(%s)"
            .formatted(Database.literal(FilePattern.exactly(file.toString()))));
    scan.stop();
    try (Table table = Table.open(file.toString(), System.in)) {
      Reading inputs =
          Reading.of(
              Reading.Missing.ERROR, table.column("a"), table.column("b"), table.column("y"));
      double[][] some = new double[3][];
      Time reading = new Time();
      table.read(
          inputs,
          (count, columns) -> {
            for (int j = 0; j < 3; j++) some[j] = columns[j];
          });
      reading.stop();
      Time arithmetic = arithmetic(rows, grid, some);
      TableSource source =
          TableSource.of(
              table,
              List.of(table.column("a"), table.column("b")),
              Column.of("y"),
              null,
              Reading.Missing.ERROR);
      Time pass = new Time();
      Sums sums = Sums.of(source, grid, TargetTransform.NONE, Outside.ERROR);
      pass.stop();
      Time fit = new Time();
      Model model = Fit.DEFAULT.to(source);
      fit.stop();
      String predictions = predictions(file, model, database);
      // reading includes the scan, so scan and extraction together are the reading
      double parts = Math.max(scan.clock, reading.clock) + arithmetic.clock;
      return String.format(
          Locale.ROOT,
          """
          rows         %,d, %,d MB of Parquet          seconds of the clock (of all processors)
          scan         %s  DuckDB alone: sums of the three columns
          reading      %s  scan, and extraction of these columns into Java
          arithmetic   %s  rows in memory into the sums
          pass         %s  %.2f times reading and arithmetic; %,d rows in the sums
          whole fit    %s  %s
          %s\
          peak memory  %s
          """,
          rows,
          Files.size(file) / 1_000_000,
          scan,
          reading,
          arithmetic,
          pass,
          pass.clock / parts,
          sums.statistics().count(),
          fit,
          model.certificate().orElseThrow(),
          predictions,
          PeakMemory.text());
    }
  }

  private static String predictions(Path file, Model model, Database database)
      throws IOException, SQLException {
    Path folder = Files.createTempDirectory(file.toAbsolutePath().getParent(), "lovelace");
    Path stored = folder.resolve("model.lvl");
    Path written = folder.resolve("predictions.parquet");
    Path copied = folder.resolve("copy.parquet");
    try {
      model.save(stored);
      Time predict = new Time();
      PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
      int code =
          Main.run(
              err, err, "predict", stored.toString(), file.toString(), "--out", written.toString());
      if (code != 0) throw new IllegalStateException("predict failed");
      predict.stop();
      Time reading = copy(file, copied, database);
      Time writing = copy(written, copied, database);
      return String.format(
          Locale.ROOT,
          """
          predict      %s  `lovelace predict`, Parquet to Parquet
          copy         %s  DuckDB copying the rows read, %.2f times faster
          copy         %s  DuckDB copying the rows written, %.2f times faster
          """,
          predict,
          reading,
          predict.clock / reading.clock,
          writing,
          predict.clock / writing.clock);
    } finally {
      Files.deleteIfExists(stored);
      Files.deleteIfExists(written);
      Files.deleteIfExists(copied);
      Files.delete(folder);
    }
  }

  private static Time copy(Path from, Path to, Database database) throws SQLException {
    Time time = new Time();
    database.execute(
        "copy (from %s) to %s (format parquet)"
            .formatted(
                Database.literal(FilePattern.exactly(from.toString())),
                Database.literal(to.toString())));
    time.stop();
    return time;
  }

  /// Measures the sums of `rows` rows in memory, by repeating the given values.
  private static Time arithmetic(long rows, Grid grid, double[][] some) {
    int size = some[0].length;
    double[] x = new double[2 * BATCH];
    double[] y = new double[BATCH];
    for (int i = 0; i < BATCH; i++) {
      x[2 * i] = (some[0][i % size] + i * 0.618) % 1;
      x[2 * i + 1] = (some[1][i % size] + i * 0.414) % 1;
      y[i] = some[2][i % size];
    }
    Time time = new Time();
    GridAccumulator sums = new GridAccumulator(grid, Outside.ERROR);
    for (long left = rows; left > 0; left -= BATCH)
      sums.addAll((int) Math.min(BATCH, left), x, y, null);
    time.stop();
    if (sums.statistics().count() != rows) throw new IllegalStateException("rows were lost");
    return time;
  }

  /// A stretch of time: by the clock, and as used by all threads.
  private static final class Time {
    private double clock = -System.nanoTime() * 1e-9;
    private double processor = -used();

    void stop() {
      clock += System.nanoTime() * 1e-9;
      processor += used();
    }

    private static double used() {
      return ManagementFactory.getOperatingSystemMXBean()
              instanceof com.sun.management.OperatingSystemMXBean system
          ? system.getProcessCpuTime() * 1e-9
          : Double.NaN;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%8.2f (%.2f)", clock, processor);
    }
  }
}
