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
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.diagnostics.Variogram;
import lovelace.plot.Checks;
import lovelace.plot.Picture;
import lovelace.plot.Plot;
import lovelace.posterior.Scores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace diagnose`: checks a model by the rows that it has learned from.
@Command(
    name = "diagnose",
    customSynopsis = {"lovelace diagnose MODEL TABLE --out DIR [OPTIONS]"},
    description = {
      "Check a model with the table from which it learned.",
      "",
      "Predicts every row from all others without fitting again. Compares the empirical "
          + "variogram with the fitted one. Maps the residuals. Shows how many rows lie inside "
          + "their intervals, by distance to the nearest observation.",
      "",
      "Writes tables (loo.csv, variogram.csv, coverage.csv) and pictures (.png and .svg) to "
          + "a folder, and prints the scores of the left-out rows. The hyperparameters stay those "
          + "of the model.",
      "",
      "Examples:",
      "  lovelace diagnose model.lvl data.csv --out checks",
      "  lovelace diagnose model.lvl data.csv --test heldout.csv --out checks --json"
    })
final class DiagnoseCommand implements Callable<Integer> {

  /// Levels of the intervals whose coverage is reported.
  static final double[] LEVELS = {0.5, 0.8, 0.95};

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Mixin private final ModelRows given = new ModelRows();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description =
          "The folder for tables and pictures (required). It is made if it does not exist.")
  @SuppressWarnings("NullAway.Init")
  private Path out;

  @Option(
      names = "--test",
      paramLabel = "TABLE",
      description =
          "A table of rows from which the model has not learned. Adds their coverage by "
              + "distance.")
  private @Nullable String test;

  @Option(
      names = "--classes",
      paramLabel = "N",
      description = "The number of distance classes of the variogram, 3 to 100 (default: 15).")
  private int classes = 15;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "The seed that chooses 5,000 rows for the variogram of a larger table (default: 1).")
  private long seed = 1;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    if (classes < 3 || classes > 100)
      throw new IllegalArgumentException("--classes must lie between 3 and 100, got " + classes);
    Model loaded = given.load(spec);
    Diagnosis.requireGaussian(loaded);
    Output.makeFolder("--out", out);
    Diagnosis diagnosis;
    try (Table rows = given.open()) {
      diagnosis = Diagnosis.of(loaded, given.source(rows, loaded), rows.name());
    }
    List<Checks.Coverage> left = diagnosis.coverage(LEVELS);
    List<Checks.Coverage> held = new ArrayList<>();
    if (test != null)
      try (Table rows = Table.open(test, System.in)) {
        held = diagnosis.coverage(given.source(rows, loaded), rows.name(), LEVELS);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--test: " + e.getMessage(), e);
      }
    List<Variogram.Lag> lags = diagnosis.variogram(classes, seed);
    tables(diagnosis, lags, left, held);
    List<String> pictures = pictures(loaded, diagnosis, lags, left, held);
    report(diagnosis, pictures);
    return 0;
  }

  private void tables(
      Diagnosis diagnosis,
      List<Variogram.Lag> lags,
      List<Checks.Coverage> left,
      List<Checks.Coverage> held)
      throws IOException {
    diagnosis.table().write(out.resolve("loo.csv").toString(), System.out);
    ResultTable variogram = new ResultTable();
    variogram.add("distance", lags.stream().mapToDouble(Variogram.Lag::distance).toArray());
    variogram.add("pairs", lags.stream().map(Variogram.Lag::pairs).toList());
    variogram.add("empirical", lags.stream().mapToDouble(Variogram.Lag::empirical).toArray());
    variogram.add("robust", lags.stream().mapToDouble(Variogram.Lag::robust).toArray());
    variogram.add("fitted", lags.stream().mapToDouble(Variogram.Lag::fitted).toArray());
    variogram.write(out.resolve("variogram.csv").toString(), System.out);
    ResultTable coverage = new ResultTable();
    List<Checks.Coverage> all = new ArrayList<>(left);
    all.addAll(held);
    List<String> of = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) of.add(i < left.size() ? "left out" : "held out");
    coverage.add("rows_are", of);
    coverage.add("distance", all.stream().mapToDouble(Checks.Coverage::distance).toArray());
    coverage.add("rows", all.stream().map(c -> (long) c.rows()).toList());
    for (int l = 0; l < LEVELS.length; l++) {
      int level = l;
      coverage.add(name(LEVELS[l]), all.stream().mapToDouble(c -> c.inside()[level]).toArray());
    }
    coverage.write(out.resolve("coverage.csv").toString(), System.out);
  }

  private static String name(double level) {
    return String.format(Locale.ROOT, "inside_%.0f", 100 * level);
  }

  private List<String> pictures(
      Model loaded,
      Diagnosis diagnosis,
      List<Variogram.Lag> lags,
      List<Checks.Coverage> left,
      List<Checks.Coverage> held)
      throws IOException {
    String target =
        loaded.transform().equals(TargetTransform.NONE)
            ? loaded.target().name()
            : loaded.transform() + " of " + loaded.target().name();
    Map<String, Picture> all = new LinkedHashMap<>();
    all.put(
        "variogram",
        Checks.variogram(target, lags, diagnosis.distanceLabel("distance"), diagnosis.nugget()));
    Plot residuals = residuals(loaded, diagnosis);
    if (residuals != null) all.put("residuals", residuals);
    if (!left.isEmpty() || !held.isEmpty())
      all.put(
          "coverage",
          Checks.coverage(
              loaded.target().name(),
              diagnosis.distanceLabel("distance to the nearest observation"),
              LEVELS,
              left,
              held));
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, Picture> one : all.entrySet())
      for (String end : List.of(".png", ".svg")) {
        one.getValue().write(out.resolve(one.getKey() + end));
        names.add(one.getKey() + end);
      }
    return names;
  }

  /// A map of the residuals; for a model of one input, a plot along it. Null if there are no two
  /// coordinates.
  private static @Nullable Plot residuals(Model loaded, Diagnosis diagnosis) {
    List<Column> columns = loaded.columns();
    Place place = loaded.place().orElse(null);
    int process = columns.size() - Math.max(0, loaded.drift().size() - 1);
    double[] z = diagnosis.standardised();
    Column first = columns.getFirst();
    if (process == 1 && place == null)
      return Checks.residuals(loaded.target().name(), first.label(), diagnosis.column(0), z)
          .time(first.time().orElse(null));
    if (place == null && process != 2) return null;
    List<String> names = columns.stream().map(Column::name).toList();
    int east = place == null ? 0 : names.indexOf(place.east());
    int north = place == null ? 1 : names.indexOf(place.north());
    double[] y = diagnosis.column(north);
    double aspect = Double.NaN;
    if (place != null) aspect = 1;
    if (place != null && place.isGeographic()) {
      double sum = 0;
      for (double latitude : y) sum += latitude / y.length;
      aspect = 1 / Math.max(0.05, Math.cos(Math.toRadians(sum)));
    }
    return Checks.residualMap(
            loaded.target().name(),
            columns.get(east).label(),
            columns.get(north).label(),
            diagnosis.column(east),
            y,
            z,
            aspect)
        .time(columns.get(east).time().orElse(null));
  }

  private void report(Diagnosis diagnosis, List<String> pictures) {
    PrintWriter print = spec.commandLine().getOut();
    Scores scores = diagnosis.scores();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("rows", scores.size());
      all.put("rows_unknown", diagnosis.unknown());
      all.put("mean_error", diagnosis.meanError());
      all.put("rmse", scores.rmse());
      all.put("crps", scores.crps());
      all.put("nlpd", scores.nlpd());
      all.put("mean_standardised", diagnosis.meanStandardised());
      all.put("rms_standardised", diagnosis.rmsStandardised());
      Map<String, Object> coverage = new LinkedHashMap<>();
      for (double level : LEVELS) coverage.put(Double.toString(level), scores.coverage(level));
      all.put("coverage", coverage);
      all.put("folder", out.toString());
      all.put("pictures", pictures);
      print.println(Json.of(all));
      return;
    }
    ModelReport.line(print, "rows", "%,d, each predicted from all others", scores.size());
    if (diagnosis.unknown() > 0)
      ModelReport.line(
          print,
          "not known",
          "%,d more rows, too far from all others to be predicted from them",
          diagnosis.unknown());
    ModelReport.line(print, "mean error", "%.6g", diagnosis.meanError());
    ModelReport.line(print, "RMSE", "%.6g", scores.rmse());
    ModelReport.line(print, "CRPS", "%.6g   continuous ranked probability score", scores.crps());
    ModelReport.line(print, "NLPD", "%.6g   mean negative log density", scores.nlpd());
    ModelReport.line(
        print,
        "z scores",
        "mean %.4f, root mean square %.4f   of residuals in standard deviations; should be 0 and 1",
        diagnosis.meanStandardised(),
        diagnosis.rmsStandardised());
    for (double level : LEVELS)
      ModelReport.line(
          print,
          String.format(Locale.ROOT, "inside %.0f %%", 100 * level),
          "%.1f %% of the rows",
          100 * scores.coverage(level));
    ModelReport.line(print, "tables", "loo.csv, variogram.csv, coverage.csv in %s", out);
    ModelReport.line(print, "pictures", "%s", String.join(", ", pictures));
  }
}
