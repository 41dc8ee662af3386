package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.experiments.BenchmarkCase;
import lovelace.experiments.CasesBenchmark;
import lovelace.experiments.WarmMedian;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench`: measures how fast and how exact this machine does a given piece of work.
@Command(
    name = "bench",
    customSynopsis = {"lovelace bench COMMAND [OPTIONS]"},
    description = {
      "Measure speed and accuracy on this machine.",
      "",
      "Examples:",
      "  lovelace bench speed",
      "  lovelace bench cases cases --out cases.json",
      "  lovelace bench map heaton --out pictures",
      "  lovelace bench field",
      "  lovelace bench kriging",
      "  lovelace bench tables uci --out tables.json",
      "  lovelace bench likelihoods --case poisson",
      "  lovelace bench sparse",
      "  lovelace bench sites",
      "  lovelace bench forecasts series",
      "  lovelace bench box",
      "  lovelace bench billion --rows 1e8"
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BenchSpeed.class,
      Bench.Cases.class,
      BenchMap.class,
      BenchField.class,
      BenchKriging.class,
      BenchTables.class,
      BenchLikelihoods.class,
      BenchSparse.class,
      BenchSites.class,
      BenchForecasts.class,
      BenchBox.class,
      BenchBillion.class
    })
final class Bench implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  /// Without a command, lists the benchmarks.
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Errors.WRONG_USE;
  }

  /// Reads a count from an option, such as `1000000` or `1e6`.
  static long count(String option, String text, double least, double most) {
    double value;
    try {
      value = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= least && value <= most) || value != Math.rint(value))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be a whole number from %.0f to %.0e, 1000000 or 1e6 say, got '%s'",
              option,
              least,
              most,
              text));
    return (long) value;
  }

  /// Prints rows as a table. The first column is aligned left, the others right.
  static void align(PrintWriter out, List<List<String>> rows) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < row.size(); c++) {
        int column = c;
        int width = rows.stream().mapToInt(r -> r.get(column).length()).max().orElse(0);
        String pad = " ".repeat(width - row.get(c).length());
        line.append(c == 0 ? row.get(c) + pad : "  " + pad + row.get(c));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /// `lovelace bench cases DIR`.
  @Command(
      name = "cases",
      customSynopsis = {"lovelace bench cases DIR [--out FILE.json] [OPTIONS]"},
      description = {
        "Measure time and error on every case folder in DIR.",
        "A case has train.csv.gz (inputs in [-1, 1], then y), test.csv.gz (also exact_mean "
            + "and exact_variance) and case.json (kernel, lengthscale, outputscale, noise, mean, "
            + "log_marginal_likelihood). Each runs on a grid of 100 points along each axis.",
        "",
        "Times are medians of warm runs. ± is half the distance between the quartiles. ! "
            + "marks a time that is not reliable, because its ± is more than 15 %% of it. A step "
            + "that takes more than a second is measured once and has no ±. Errors are those of "
            + "the posterior at relative tolerance 1e-4 against the exact columns.",
        "",
        "Example: lovelace bench cases cases --out cases.json"
      })
  static final class Cases implements Callable<Integer> {

    /// A column of the table: heading, key, format.
    private record Column(String heading, String key, String format) {}

    private static final List<Column> TIMES =
        List.of(
            new Column("n", "n", "%,d"),
            new Column("test", "t", "%,d"),
            new Column("pass", "statistics_ms", "%.2f"),
            new Column("LOVE k=50", "love_k50_ms", "%.1f"),
            new Column("LOVE 1e-4", "love_tolerance_ms", "%.1f"),
            new Column("k", "k", "%d"),
            new Column("all after", "predict_all_ms", "%.3f"),
            new Column("query ns", "query_ns", "%.0f"),
            new Column("KISS-GP", "kissgp_ms", "%,.0f"),
            new Column("Alg. 1", "algorithm1_ms", "%,.0f"),
            new Column("lik.+grad.", "likelihood_gradient_ms", "%.1f"),
            new Column("engine", "engine", "%s"),
            new Column("Krylov", "krylov_likelihood_gradient_ms", "%,.0f"));

    private static final List<Column> ERRORS =
        List.of(
            new Column("mean max", "mean_max_error", "%.1e"),
            new Column("var. SMAE", "variance_smae", "%.1e"),
            new Column("var. rel. mean", "variance_mean_relative_error", "%.1e"),
            new Column("var. rel. max", "variance_max_relative_error", "%.1e"),
            new Column("var. min", "variance_min", "%.2e"),
            new Column("log likelihood", "log_marginal_likelihood", "%.4f"));

    private static final List<Column> SAMPLES =
        List.of(
            new Column("sampler", "sampler", "%s"),
            new Column("from scratch", "scratch_ms", "%,.1f"),
            new Column("after", "after_ms", "%,.1f"),
            new Column("covariance error", "covariance_error", "%.3f"));

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The folder with one folder for each case.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path folder;

    @Mixin private final ResultOptions output = new ResultOptions(false);

    @Option(
        names = "--samples",
        arity = "0..1",
        paramLabel = "POINTS",
        fallbackValue = "10000",
        description =
            "Also measure joint samples at POINTS points (10,000 if no number follows) with a tenth"
                + " as many draws, by LOVE, pathwise, spectral, the exact GP (up to 16,000 rows),"
                + " Fourier features and SGPR.")
    private int samples = 0;

    @Option(
        names = "--warmup",
        paramLabel = "SECONDS",
        description =
            "How long to warm up each measurement (default: 1.5). It takes up to six times as "
                + "long while it still gets faster. 0 measures everything once, cold.")
    private double warmup = 1.5;

    @Override
    public Integer call() throws IOException {
      if (!(warmup >= 0 && warmup <= 3600))
        throw new IllegalArgumentException(
            "--warmup must lie between 0 and 3600 seconds, got " + warmup);
      if (samples < 0)
        throw new IllegalArgumentException("--samples must be 1 or more, got " + samples);
      output.check();
      PrintWriter err = spec.commandLine().getErr();
      List<BenchmarkCase> cases = new ArrayList<>();
      for (Path each : BenchmarkCase.folders(folder)) // reads all before any work is done
      if (BenchmarkCase.describes(each)) cases.add(BenchmarkCase.read(each));
        else err.println("lovelace: skipped '" + each + "', which has no case.json");
      if (cases.isEmpty())
        throw new IllegalArgumentException(
            "there is no folder with a case.json in '" + folder + "'");
      List<Map<String, Object>> results = new ArrayList<>();
      for (BenchmarkCase each : cases) {
        err.println("lovelace: " + each.name() + " ...");
        results.add(CasesBenchmark.run(each, warmup, samples));
      }
      PrintWriter out = spec.commandLine().getOut();
      output.keep(results);
      if (output.print(out, results)) return 0;
      out.println("Times in milliseconds, unless the heading says otherwise");
      boolean steady = print(out, TIMES, results);
      out.println();
      out.println("Against the exact Gaussian process");
      print(out, ERRORS, results);
      if (samples > 0) steady &= printSamples(out, results);
      if (!steady) {
        out.println();
        out.println(
            "! These times jump by more than 15 %: other programs were running, or the warm-up is"
                + " too short (--warmup). Measure again.");
      }
      return 0;
    }

    private boolean printSamples(PrintWriter out, List<Map<String, Object>> results) {
      out.println();
      out.printf(Locale.ROOT, "Joint samples, %,d draws at %,d points%n", samples / 10, samples);
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Map<String, Object> result : results)
        for (Object each : (List<?>) result.getOrDefault("samples", List.of())) {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("case", result.getOrDefault("case", ""));
          ((Map<?, ?>) each)
              .forEach((key, value) -> row.put(String.valueOf(key), value == null ? "-" : value));
          rows.add(row);
        }
      return print(out, SAMPLES, rows);
    }

    /// Prints a table. Returns whether all its times are steady.
    private static boolean print(
        PrintWriter out, List<Column> columns, List<Map<String, Object>> results) {
      List<List<String>> rows = new ArrayList<>();
      List<Column> shown =
          columns.stream()
              .filter(c -> results.stream().anyMatch(r -> r.containsKey(c.key)))
              .toList();
      List<String> head = new ArrayList<>(List.of("case"));
      shown.forEach(c -> head.add(c.heading));
      rows.add(head);
      boolean steady = true;
      for (Map<String, Object> result : results) {
        List<String> row = new ArrayList<>(List.of(String.valueOf(result.get("case"))));
        for (Column column : shown) {
          Object value = result.get(column.key);
          boolean plain = value == null || value.equals("-");
          WarmMedian.@Nullable Time time = time(result, column.key);
          steady &= time == null || time.steady();
          row.add(plain ? "-" : String.format(Locale.ROOT, column.format, value) + spread(time));
        }
        rows.add(row);
      }
      align(out, rows);
      return steady;
    }

    /// A time that was measured more than once, in its unit; null for other values.
    private static WarmMedian.@Nullable Time time(Map<String, Object> result, String key) {
      return result.get("quartiles") instanceof Map<?, ?> all
              && all.get(key) instanceof List<?> pair
              && result.get(key) instanceof Double median
              && pair.getFirst() instanceof Double lower
              && pair.getLast() instanceof Double upper
          ? new WarmMedian.Time(median, lower, upper, 2)
          : null;
    }

    private static String spread(WarmMedian.@Nullable Time time) {
      if (time == null) return "";
      return String.format(
          Locale.ROOT, " ±%.0f%%%s", 100 * time.spread(), time.steady() ? "" : "!");
    }
  }
}
