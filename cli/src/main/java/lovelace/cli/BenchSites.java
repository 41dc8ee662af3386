package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.experiments.RowsCase;
import lovelace.experiments.SitesBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench sites`.
@Command(
    name = "sites",
    customSynopsis = {"lovelace bench sites [CASE...] [--out FILE.json] [OPTIONS]"},
    description = {
      "Compare sites and nearest rows with the exact process of the same rows.",
      "Each case draws rows from a process in the unit square. Both engines answer at several "
          + "settings: at places among the rows, in gaps and outside, for means over areas, and for "
          + "joint draws in and around the largest gap. The exact process, and models on grids, "
          + "stand beside them. Seconds are processor time of one thread: for 1,000 scattered "
          + "places (table), and for a map of 100,000.",
      "",
      "Errors of means are in exact posterior standard deviations, and errors of variances are "
          + "relative; both r.m.s.",
      "",
      "Examples:",
      "  lovelace bench sites --out sites.json",
      "  lovelace bench sites gaps/matern32/0.3/1/3000 uniform/rbf/0.05/0.1/1000"
    })
final class BenchSites implements Callable<Integer> {

  /// A column of the table: heading, key, format.
  private record Column(String heading, String key, String format) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("conditioning s", "conditioning_s", "%.2f"),
          new Column("table s", "table_s", "%.2f"),
          new Column("map s", "map_s", "%.2f"),
          new Column("among: mean", "among_mean", "%.3f"),
          new Column("variance", "among_variance", "%.3f"),
          new Column("gaps: mean", "gaps_mean", "%.3f"),
          new Column("variance", "gaps_variance", "%.3f"),
          new Column("outside: mean", "outside_mean", "%.3f"),
          new Column("variance", "outside_variance", "%.3f"),
          new Column("areas: mean", "areas_mean", "%.3f"),
          new Column("variance", "areas_variance", "%.3f"),
          new Column("joint: mean", "joint_mean", "%.3f"),
          new Column("covariance", "joint_covariance", "%.3f"));

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      paramLabel = "CASE",
      arity = "0..*",
      description =
          "PLACES/KERNEL/LENGTHSCALE/NOISE/ROWS. Places are uniform, clusters, tracks, gaps or "
              + "line; kernels are matern12, matern32, matern52 and rbf (default: the cases of "
              + "the decision whether there are to be sites).")
  private List<String> cases = new ArrayList<>();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Leave out cases of more rows (default: 3000). With 20,000 rows a case takes 5 GB and "
              + "some minutes.")
  private String rows = "3000";

  @Option(
      names = "--cold",
      description = "Measure at once. Times of the first cases then include compilation.")
  private boolean cold;

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException {
    long most = Bench.count("--rows", rows, 1000, 20_000);
    List<RowsCase> asked =
        cases.isEmpty()
            ? SitesBenchmark.cases().stream().filter(one -> one.rows() <= most).toList()
            : cases.stream().map(RowsCase::parse).toList();
    output.check();
    List<Map<String, Object>> results = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    if (!cold) SitesBenchmark.warmUp();
    for (RowsCase each : asked) {
      err.println("lovelace: " + each + " ...");
      err.flush();
      results.add(SitesBenchmark.run(each));
      output.keep(results);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output.print(out, results)) return 0;
    Map<Object, Integer> needed = new LinkedHashMap<>();
    for (Map<String, Object> result : results) {
      print(out, result);
      if (result.get("needs_sites") instanceof List<?> list)
        for (Object question : list) needed.merge(question, 1, Integer::sum);
    }
    out.println(
        "Cases that need sites, of " + results.size() + ": " + (needed.isEmpty() ? "none" : ""));
    needed.forEach((question, count) -> out.println("  " + question + "  " + count));
    return 0;
  }

  private static void print(PrintWriter out, Map<String, Object> result) {
    out.println(result.get("case") + ", planned: " + result.get("planned"));
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("setting"));
    COLUMNS.forEach(column -> head.add(column.heading));
    lines.add(head);
    for (Object one : result.get("trials") instanceof List<?> list ? list : List.of()) {
      if (!(one instanceof Map<?, ?> trial)) continue;
      List<String> line = new ArrayList<>(List.of("" + trial.get("setting")));
      for (Column column : COLUMNS)
        line.add(
            trial.get(column.key) instanceof Double value
                ? String.format(Locale.ROOT, column.format, value)
                : "-");
      lines.add(line);
    }
    Bench.align(out, lines);
    out.println();
  }
}
