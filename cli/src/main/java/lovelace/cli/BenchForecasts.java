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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;
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
          + "(24). MSIS is the score of the 95 %% interval. Numbers after ± are standard errors by "
          + "series. Time is processor time for learning and forecasting, all quantiles included; "
          + "'learned' is the time without learning.",
      "",
      "--peers forecasts the same series with R, if it is there with the packages forecast and "
          + "prophet. 'more' is how much larger the MASE is than Lovelace's, with the standard error "
          + "of the paired differences.",
      "",
      "Examples:",
      "  lovelace bench forecasts series --out forecasts.json",
      "  lovelace bench forecasts series --set m3",
      "  lovelace bench forecasts series --set m1 --peers ets,theta,prophet --limit 50"
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

  @Option(
      names = "--peers",
      paramLabel = "METHOD",
      split = ",",
      description = "Also forecast with these methods of R: ets, theta, prophet.")
  private List<BenchPeers.Method> peers = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Score at most this many series of each frequency, at equal distances. Lovelace learns "
              + "from all (default: all).")
  private int limit = Integer.MAX_VALUE;

  @Option(
      names = "--rscript",
      paramLabel = "PROGRAM",
      hidden = true,
      description = "The program that runs R (default: Rscript).")
  private @Nullable String rscript;

  @Mixin private final ResultOptions output = new ResultOptions(false);

  /// One series: what is learned from, and what is scored.
  @SuppressWarnings("ArrayRecordComponent")
  private record Case(String id, double[] train, double[] test) {}

  @Override
  public Integer call() throws IOException {
    output.check();
    if (limit < 1) throw new IllegalArgumentException("--limit must be ≥ 1, got " + limit);
    if (rscript != null && peers.isEmpty())
      throw new IllegalArgumentException(
          "--rscript names the program of --peers, and there are none; add --peers ets, or leave it out");
    List<String> names = names();
    List<Object> results = new ArrayList<>();
    List<List<String>> shown = new ArrayList<>();
    shown.add(
        List.of(
            "set, frequency",
            "method",
            "series",
            "sMAPE",
            "MASE",
            "more",
            "CRPS",
            "MSIS",
            "inside 95",
            "inside 80",
            "ms",
            "learned"));
    try (var progress = new BenchProgress(spec.commandLine().getErr(), "forecasts")) {
      for (String name : names) {
        progress.accept("reading " + name);
        Map<String, List<Case>> groups = read(name);
        List<BenchScores> whole = methods();
        for (Map.Entry<String, List<Case>> group : groups.entrySet()) {
          String place =
              String.format(
                  Locale.ROOT, "%s, %s, %,d series", name, group.getKey(), group.getValue().size());
          progress.accept(place);
          List<BenchScores> scores = methods();
          List<Case> scored = some(group.getValue());
          run(
              group.getKey(),
              group.getValue(),
              scored,
              List.of(scores.getFirst(), whole.getFirst()));
          for (int p = 0; p < peers.size(); p++) {
            progress.accept(place + ", " + peers.get(p));
            peer(
                peers.get(p),
                group.getKey(),
                scored,
                List.of(scores.get(p + 1), whole.get(p + 1)),
                progress);
          }
          add(name, group.getKey(), scores, results, shown);
        }
        add(name, ALL, whole, results, shown);
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

  /// Scores of Lovelace, then of the peers.
  private List<BenchScores> methods() {
    List<BenchScores> methods = new ArrayList<>(List.of(new BenchScores("lovelace")));
    for (BenchPeers.Method peer : peers) methods.add(new BenchScores(peer.name()));
    return methods;
  }

  private List<Case> some(List<Case> cases) {
    int count = Math.min(limit, cases.size());
    return IntStream.range(0, count)
        .mapToObj(i -> cases.get((int) ((long) i * cases.size() / count)))
        .toList();
  }

  private static void add(
      String set,
      String frequency,
      List<BenchScores> methods,
      List<Object> results,
      List<List<String>> shown) {
    for (BenchScores scores : methods) {
      if (scores.count() == 0) continue;
      Map<String, Object> one = scores.json(set, frequency, methods.getFirst());
      results.add(one);
      shown.add(
          List.of(
              set + ", " + frequency,
              scores.method(),
              String.format(Locale.ROOT, "%,d", scores.count()),
              number("%.2f", one, "smape"),
              number("%.3f", one, "mase"),
              number("%+.3f", one, "mase_difference") + chance("%.3f", one, "mase_difference_se"),
              number("%.3f", one, "crps"),
              number("%.2f", one, "msis"),
              number("%.3f", one, "coverage95") + chance("%.3f", one, "coverage95_se"),
              number("%.3f", one, "coverage80") + chance("%.3f", one, "coverage80_se"),
              number("%.1f", one, "cpu_ms_per_series"),
              number("%.1f", one, "cpu_ms_per_series_learned")));
    }
  }

  private static String number(String format, Map<String, Object> of, String key) {
    return of.containsKey(key) ? String.format(Locale.ROOT, format, of.get(key)) : "";
  }

  private static String chance(String format, Map<String, Object> of, String key) {
    return of.containsKey(key) ? " ± " + number(format, of, key) : "";
  }

  /// Learns from the series of one frequency, and forecasts some of them.
  private static void run(
      String frequency, List<Case> cases, List<Case> scored, List<BenchScores> all) {
    int horizon = cases.stream().mapToInt(each -> each.test.length).max().orElseThrow();
    int longest = cases.stream().mapToInt(each -> each.train.length).max().orElseThrow();
    double start = processorMilliseconds();
    Forecaster forecaster =
        Forecaster.DEFAULT.withHorizon(horizon).withSeasons(seasons(frequency, longest));
    ForecastModel model =
        forecaster.learn(cases.stream().map(c -> TimeSeries.of(c.id, c.train)).toList());
    double learned = processorMilliseconds();
    List<Forecast> forecasts =
        model.forecast(scored.stream().map(c -> TimeSeries.of(c.id, c.train)).toList());
    double[][][] quantiles = new double[scored.size()][][];
    Parallel.forEach(
        scored.size(),
        i ->
            quantiles[i] =
                all.getFirst().quantiles(forecasts.get(i)::quantiles, scored.get(i).test.length));
    double end = processorMilliseconds();
    // All series share in learning.
    double learning = (learned - start) * scored.size() / cases.size();
    for (int i = 0; i < scored.size(); i++) add(frequency, scored.get(i), quantiles[i], all);
    for (BenchScores scores : all) scores.addTime(learning + end - learned, end - learned);
  }

  private static void add(
      String frequency, Case each, double[][] quantiles, List<BenchScores> all) {
    SeriesScores.Scale scale =
        SeriesScores.Scale.of(each.train, each.train.length, SCALES.getOrDefault(frequency, 1));
    for (BenchScores scores : all) scores.add(each.id, each.test, quantiles, scale);
  }

  /// Forecasts series of one frequency by R. Says so if that does not work.
  private void peer(
      BenchPeers.Method peer,
      String frequency,
      List<Case> scored,
      List<BenchScores> all,
      BenchProgress progress)
      throws IOException {
    int horizon = scored.stream().mapToInt(each -> each.test.length).max().orElseThrow();
    int period = frequency.equals("W") ? 52 : SCALES.getOrDefault(frequency, 1);
    try {
      Map<Integer, BenchPeers.Found> found =
          new BenchPeers(rscript == null ? "Rscript" : rscript)
              .forecast(peer, scored.stream().map(Case::train).toList(), horizon, period);
      if (found.size() < scored.size())
        progress.accept(
            String.format(
                Locale.ROOT,
                "%s has no forecast of %,d of %,d series; they are not scored for it",
                peer,
                scored.size() - found.size(),
                scored.size()));
      found.forEach(
          (place, each) -> {
            Case one = scored.get(place);
            add(frequency, one, all.getFirst().quantiles(each::at, one.test.length), all);
            for (BenchScores scores : all) scores.addTime(each.milliseconds(), 0);
          });
    } catch (BenchPeers.Missing e) {
      progress.accept(peer + " is left out: " + e.getMessage());
    }
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
