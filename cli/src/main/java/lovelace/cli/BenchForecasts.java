package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import lovelace.forecast.Forecast;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import lovelace.linear.Parallel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench forecasts DIR`.
@Command(
    name = "forecasts",
    customSynopsis = {"lovelace bench forecasts DIR [--out FILE.json] [OPTIONS]"},
    description = {
      "Forecast the series of forecasting competitions and score the forecasts.",
      "DIR has NAME_train.csv.gz and NAME_test.csv.gz for each set, with columns unique_id, "
          + "frequency (Y, Q, M, W, D, H, or O for others), ds and y.",
      "",
      "Weights and calibration are learned from the training parts alone, for each frequency of a "
          + "set. Scores are means over series. MASE, CRPS and MSIS are in units of the mean change of "
          + "the training part from step to step, or from season to season for M (12), Q (4) and H "
          + "(24). MSIS is the score of the 95 %% interval. Time is processor time for learning and "
          + "forecasting, all quantiles included.",
      "",
      "Examples:",
      "  lovelace bench forecasts series --out forecasts.json",
      "  lovelace bench forecasts series --set m3"
    })
final class BenchForecasts implements Callable<Integer> {

  private static final String TRAIN = "_train.csv.gz";
  private static final String TEST = "_test.csv.gz";

  /// The seasons over which errors are scaled.
  private static final Map<String, Integer> SCALES = Map.of("M", 12, "Q", 4, "H", 24);

  private static final String ALL = "all";

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The folder with two files for each set.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private Path folder;

  @Option(
      names = "--set",
      paramLabel = "NAME",
      description = "Only this set. Give it again for more (default: all sets in DIR).")
  private List<String> sets = List.of();

  @Mixin private final ResultOptions output = new ResultOptions(false);

  /// One series: what is learned from, and what is scored.
  @SuppressWarnings("ArrayRecordComponent")
  private record Case(String id, double[] train, double[] test) {}

  @Override
  public Integer call() throws IOException {
    output.check();
    List<String> names = names();
    List<Object> results = new ArrayList<>();
    List<List<String>> shown = new ArrayList<>();
    shown.add(
        List.of(
            "set, frequency",
            "series",
            "sMAPE",
            "MASE",
            "CRPS",
            "MSIS",
            "inside 95",
            "inside 80",
            "ms"));
    try (var progress = new BenchProgress(spec.commandLine().getErr(), "forecasts")) {
      for (String name : names) {
        progress.accept("reading " + name);
        Map<String, List<Case>> groups = read(name);
        SeriesScores whole = new SeriesScores(80, 95);
        double time = 0;
        int count = 0;
        for (Map.Entry<String, List<Case>> group : groups.entrySet()) {
          progress.accept(
              String.format(
                  Locale.ROOT,
                  "%s, %s, %,d series",
                  name,
                  group.getKey(),
                  group.getValue().size()));
          SeriesScores scores = new SeriesScores(80, 95);
          double milliseconds = run(group.getKey(), group.getValue(), List.of(scores, whole));
          time += milliseconds;
          count += group.getValue().size();
          add(name, group.getKey(), scores, milliseconds / group.getValue().size(), results, shown);
        }
        add(name, ALL, whole, time / count, results, shown);
        output.keep(results);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output.print(out, results)) return 0;
    out.println(
        "Forecasts after the training parts. Less is better; intervals should hold 0.95 and 0.80.");
    Bench.align(out, shown);
    return 0;
  }

  private static void add(
      String set,
      String frequency,
      SeriesScores scores,
      double milliseconds,
      List<Object> results,
      List<List<String>> shown) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("set", set);
    one.put("frequency", frequency);
    one.put("series", scores.count());
    one.put("smape", scores.smape());
    one.put("mase", scores.mase());
    one.put("crps", scores.crps());
    one.put("wql", scores.wql());
    one.put("msis", scores.interval(1));
    one.put("coverage95", scores.coverage(1));
    one.put("coverage80", scores.coverage(0));
    one.put("cpu_ms_per_series", milliseconds);
    results.add(one);
    shown.add(
        List.of(
            set + ", " + frequency,
            String.format(Locale.ROOT, "%,d", scores.count()),
            String.format(Locale.ROOT, "%.2f", scores.smape()),
            String.format(Locale.ROOT, "%.3f", scores.mase()),
            String.format(Locale.ROOT, "%.3f", scores.crps()),
            String.format(Locale.ROOT, "%.2f", scores.interval(1)),
            String.format(Locale.ROOT, "%.3f", scores.coverage(1)),
            String.format(Locale.ROOT, "%.3f", scores.coverage(0)),
            String.format(Locale.ROOT, "%.1f", milliseconds)));
  }

  /// Forecasts the series of one frequency. Returns the milliseconds of processor time.
  private static double run(String frequency, List<Case> cases, List<SeriesScores> all) {
    int horizon = cases.stream().mapToInt(each -> each.test.length).max().orElseThrow();
    int longest = cases.stream().mapToInt(each -> each.train.length).max().orElseThrow();
    double start = processorMilliseconds();
    Forecaster forecaster =
        Forecaster.DEFAULT.withHorizon(horizon).withSeasons(seasons(frequency, longest));
    List<TimeSeries> series = cases.stream().map(c -> TimeSeries.of(c.id, c.train)).toList();
    List<Forecast> forecasts = forecaster.fit(series).all();
    double[][][] quantiles = new double[cases.size()][][];
    Parallel.forEach(
        cases.size(),
        i ->
            quantiles[i] =
                all.getFirst().quantiles(forecasts.get(i)::quantiles, 0, cases.get(i).test.length));
    double milliseconds = processorMilliseconds() - start;
    int scale = SCALES.getOrDefault(frequency, 1);
    for (int i = 0; i < cases.size(); i++) {
      Case each = cases.get(i);
      for (SeriesScores scores : all)
        scores.add(
            each.test, quantiles[i], SeriesScores.Scale.of(each.train, each.train.length, scale));
    }
    return milliseconds;
  }

  /// The usual seasons of a frequency. Other series have none.
  private static double[] seasons(String frequency, int longest) {
    return frequency.equals("O") ? new double[0] : Frequency.parse(frequency).seasons(longest);
  }

  private static double processorMilliseconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() * 1e-6
        : System.nanoTime() * 1e-6;
  }

  private List<String> names() throws IOException {
    if (!Files.isDirectory(folder))
      throw new IllegalArgumentException("there is no folder '" + folder + "'; name one with sets");
    List<String> found;
    try (Stream<Path> files = Files.list(folder)) {
      found =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(TRAIN))
              .map(name -> name.substring(0, name.length() - TRAIN.length()))
              .sorted()
              .toList();
    }
    if (found.isEmpty())
      throw new IllegalArgumentException(
          "there is no file that ends in %s in '%s'; put two files for each set there"
              .formatted(TRAIN, folder));
    for (String set : sets)
      if (!found.contains(set))
        throw new IllegalArgumentException(
            "--set '%s' is not in '%s'; it has %s"
                .formatted(set, folder, String.join(", ", found)));
    List<String> wanted = sets.isEmpty() ? found : sets;
    for (String set : wanted)
      if (!Files.exists(folder.resolve(set + TEST)))
        throw new IllegalArgumentException(
            "'%s' has %s and no %s; add it".formatted(folder, set + TRAIN, set + TEST));
    return wanted;
  }

  /// The series of a set by frequency.
  private Map<String, List<Case>> read(String name) throws IOException {
    Map<String, List<Double>> tests = new LinkedHashMap<>();
    values(name + TEST).forEach((key, values) -> tests.put(key.id, values));
    Map<String, List<Case>> groups = new LinkedHashMap<>();
    values(name + TRAIN)
        .forEach(
            (key, values) -> {
              List<Double> test = tests.get(key.id);
              if (test == null)
                throw new IllegalArgumentException(
                    "'%s' has series '%s', and '%s' has not; add its rows"
                        .formatted(name + TRAIN, key.id, name + TEST));
              groups
                  .computeIfAbsent(key.frequency, f -> new ArrayList<>())
                  .add(new Case(key.id, array(values), array(test)));
            });
    return groups;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private record Key(String id, String frequency) {}

  private Map<Key, List<Double>> values(String name) throws IOException {
    Map<Key, List<Double>> all = new LinkedHashMap<>();
    try (Table table = Table.open(folder.resolve(name).toString(), System.in)) {
      for (String column : List.of("unique_id", "frequency", "ds", "y")) table.field(column);
      String query =
          "select unique_id::varchar, frequency::varchar, y::double from %s order by frequency, unique_id, try_cast(ds as double), ds"
              .formatted(table.relation().source());
      try (var chunk = new ChunkScan(table.database(), query, 3)) {
        while (chunk.next())
          for (int i = 0; i < chunk.rows(); i++) {
            Key key = new Key(chunk.column(0).getString(i), chunk.column(1).getString(i));
            double value = chunk.column(2).isNull(i) ? Double.NaN : chunk.column(2).getDouble(i);
            all.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
          }
      } catch (SQLException e) {
        throw Database.unreadable(table.name(), e);
      }
    }
    return all;
  }
}
