package lovelace.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.budget.Budget;
import lovelace.experiments.SparseParts;
import lovelace.experiments.SparseRows;
import lovelace.sparse.SparseEngine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench sparse`.
@Command(
    name = "sparse",
    customSynopsis = {"lovelace bench sparse [GRID...] [--out FILE.json] [OPTIONS]"},
    description = {
      "Measure the parts of the sparse engine as grids grow.",
      "The parts are regressions, elimination order, factor (beside a dense factor as large "
          + "as its largest front), entries of the inverse, and solves. Then measures more and "
          + "more rows on the first grid.",
      "",
      "The kernel is Matern-3/2 with a lengthscale of a quarter of the box. Each cell has "
          + "one row. Several grids are measured one after another, each in its own process. The "
          + "default grids take some minutes and up to 4 GB.",
      "",
      "Examples:",
      "  lovelace bench sparse --out sparse.json",
      "  lovelace bench sparse 250x150 20x20x20 --neighbours 40 --rows 0"
    })
final class BenchSparse implements Callable<Integer> {

  private static final List<String> GRIDS =
      List.of("125x75", "250x150", "500x300", "20x20x20", "30x30x30", "40x40x40");

  /// A column of a table: heading, key, factor, format.
  private record Column(String heading, String key, double factor, String format) {}

  private static final List<Column> PARTS =
      List.of(
          new Column("nodes", "nodes", 1, "%,.0f"),
          new Column("shapes", "shapes", 1, "%,.0f"),
          new Column("regressions s", "regressions_s", 1, "%.2f"),
          new Column("order s", "order_s", 1, "%.2f"),
          new Column("factor s", "factor_s", 1, "%.2f"),
          new Column("GFLOP/s", "factor_gflops", 1, "%.1f"),
          new Column("dpotrf", "dense_gflops", 1, "%.1f"),
          new Column("ratio", "factor_to_dense", 1, "%.2f"),
          new Column("inverse s", "inverse_s", 1, "%.2f"),
          new Column("solve ms", "solve_s", 1e3, "%.1f"),
          new Column("16 solves ms", "solve16_s", 1e3, "%.1f"),
          new Column("front", "largest_front", 1, "%,.0f"),
          new Column("factor MB", "factor_mb", 1, "%,.0f"),
          new Column("peak MB", "peak_mb", 1, "%,.0f"));

  private static final List<Column> ROWS =
      List.of(
          new Column("pass s", "pass_s", 1, "%.2f"),
          new Column("mean and variances s", "posterior_s", 1, "%.2f"),
          new Column("likelihood + gradient s", "likelihood_gradient_s", 1, "%.2f"));

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      paramLabel = "GRID",
      arity = "0..*",
      description =
          "The number of points along each of two or three axes, such as 500x300 (default: "
              + "125x75 250x150 500x300 20x20x20 30x30x30 40x40x40).")
  private List<String> grids = new ArrayList<>();

  @Option(
      names = "--neighbours",
      paramLabel = "K",
      description = "The number of neighbours in each node's regression (default: 24).")
  private int neighbours = 24;

  @Option(
      names = "--rows",
      paramLabel = "N,N,...",
      split = ",",
      description =
          "The numbers of rows to measure on the first grid. 0 measures none (default: "
              + "1e4,1e5,1e6,1e7).")
  private List<String> rows = List.of("1e4", "1e5", "1e6", "1e7");

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> asked = (grids.isEmpty() ? GRIDS : grids).stream().distinct().toList();
    List<int[]> shapes = asked.stream().map(BenchSparse::shape).toList();
    if (neighbours < 1 || neighbours > 500)
      throw new IllegalArgumentException(
          "--neighbours must lie between 1 and 500, got " + neighbours);
    List<Long> counts =
        rows.equals(List.of("0"))
            ? List.of()
            : rows.stream().map(text -> Bench.count("--rows", text, 10, 1e12)).toList();
    output.check();
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        Locale.ROOT,
        "lovelace: sparse engine, %d neighbours, on %s%s%n",
        neighbours,
        String.join(", ", asked),
        counts.isEmpty() ? "" : "; then rows on " + asked.getFirst());
    err.flush();
    Map<String, Object> results = new LinkedHashMap<>();
    List<Map<String, Object>> parts = new ArrayList<>();
    results.put("grids", parts);
    int code = 0;
    for (int i = 0; i < asked.size(); i++) {
      if (asked.size() == 1) {
        parts.add(measure(asked.getFirst(), shapes.getFirst()));
      } else {
        ChildProcess child = ChildProcess.run(arguments(asked.get(i)), 0, err);
        if (child.code() == 0) {
          Map<String, List<Map<String, Object>>> one =
              new ObjectMapper().readValue(child.output(), new TypeReference<>() {});
          parts.addAll(one.getOrDefault("grids", List.of()));
        } else {
          Quiet.errors(err)
              .printf(
                  Locale.ROOT,
                  "lovelace: %s failed with exit code %d%n",
                  asked.get(i),
                  child.code());
          code = child.code() == Errors.WRONG_USE ? Errors.WRONG_USE : Errors.FAILURE;
        }
      }
      keep(results);
    }
    if (!counts.isEmpty()) {
      try (var progress = new BenchProgress(err, asked.getFirst())) {
        results.put(
            "rows",
            SparseRows.measure(SparseParts.grid(shapes.getFirst()), neighbours, counts, progress)
                .stream()
                .map(BenchSparse::json)
                .toList());
      }
      keep(results);
    }
    print(asked.getFirst(), results);
    return code;
  }

  /// Writes the results so far to the files that were asked for.
  private void keep(Map<String, Object> results) throws IOException {
    output.keep(results);
  }

  private static int[] shape(String text) {
    if (!text.matches("\\d{1,6}(x\\d{1,6}){1,2}"))
      throw new IllegalArgumentException(
          "a grid is two or three numbers of points joined by x, such as 500x300, got '"
              + text
              + "'");
    int[] shape = Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
    double nodes = 1;
    for (int points : shape) {
      if (points < 5)
        throw new IllegalArgumentException(
            "an axis must have 5 points or more, got " + points + " in '" + text + "'");
      nodes *= points;
    }
    double bytes = SparseEngine.bytes(shape.length, nodes);
    long most = Runtime.getRuntime().maxMemory();
    if (bytes > most)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "grid %s needs about %.1f GB and Java may use %s; take fewer points, or let -Xmx in"
                  + " LOVELACE_JAVA_OPTS allow more",
              text,
              bytes * 1e-9,
              Budget.text(most)));
    return shape;
  }

  /// The command that measures one grid.
  private List<String> arguments(String grid) {
    List<String> all =
        new ArrayList<>(
            List.of("bench", "sparse", grid, "--neighbours=" + neighbours, "--rows=0", "--json"));
    if (spec.findOption("--threads").getValue() instanceof Integer n && n > 0)
      all.add("--threads=" + n);
    return all;
  }

  private Map<String, Object> measure(String name, int[] shape) throws IOException {
    try (var progress = new BenchProgress(spec.commandLine().getErr(), name)) {
      SparseParts parts = SparseParts.measure(shape, neighbours, progress);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("grid", name);
      result.put("nodes", parts.grid().size());
      result.put("neighbours", parts.neighbours());
      result.put("shapes", parts.shapes());
      result.put("regressions_s", parts.regressionSeconds());
      result.put("order_s", parts.orderSeconds());
      result.put("factor_s", parts.factorSeconds());
      result.put("factor_gflops", parts.factorRate() * 1e-9);
      result.put("dense_gflops", parts.denseRate() * 1e-9);
      result.put("factor_to_dense", parts.factorRate() / parts.denseRate());
      result.put("inverse_s", parts.inverseSeconds());
      result.put("solve_s", parts.solveSeconds());
      result.put("solve16_s", parts.blockSeconds());
      result.put("largest_front", parts.largest());
      result.put("factor_mb", parts.factorBytes() / 1e6);
      result.put("peak_mb", parts.peakBytes() / 1e6);
      result.put("residual", parts.error());
      return result;
    }
  }

  private static Map<String, Object> json(SparseRows one) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("rows", one.rows());
    result.put("pass_s", one.passSeconds());
    result.put("posterior_s", one.posteriorSeconds());
    result.put("likelihood_gradient_s", one.likelihoodSeconds());
    return result;
  }

  private void print(String first, Map<String, Object> results) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.print(out, results)) return;
    out.println("Parts of the sparse engine, " + neighbours + " neighbours, one row a cell");
    table(out, "grid", "grid", PARTS, results.get("grids"));
    out.println("dpotrf: a dense factor with as many rows as the largest front, in the same run.");
    if (!results.containsKey("rows")) return;
    out.println();
    out.println("More rows on the " + first + " grid; the other times do not include the pass");
    table(out, "rows", "rows", ROWS, results.get("rows"));
  }

  private static void table(
      PrintWriter out, String heading, String name, List<Column> columns, @Nullable Object all) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(heading));
    columns.forEach(column -> head.add(column.heading));
    rows.add(head);
    for (Object one : all instanceof List<?> list ? list : List.of()) {
      if (!(one instanceof Map<?, ?> result)) continue;
      List<String> row = new ArrayList<>();
      row.add(
          result.get(name) instanceof Long n
              ? String.format(Locale.ROOT, "%,d", n)
              : "" + result.get(name));
      for (Column column : columns)
        row.add(
            result.get(column.key) instanceof Number n
                ? String.format(Locale.ROOT, column.format, column.factor * n.doubleValue())
                : "-");
      rows.add(row);
    }
    Bench.align(out, rows);
  }
}
