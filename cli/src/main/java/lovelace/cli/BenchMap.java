package lovelace.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.experiments.Exceedance;
import lovelace.experiments.MapBenchmark;
import lovelace.experiments.MapCase;
import lovelace.experiments.PublishedScores;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace bench map DIR`.
@Command(
    name = "map",
    customSynopsis = {"lovelace bench map DIR [--out DIR] [--out FILE.json] [OPTIONS]"},
    description = {
      "Fill the gaps of a map and score it.",
      "DIR has train.csv.gz (pixels to learn from: two or three columns of coordinates, "
          + "then the target) and test.csv.gz (the held-out pixels). Rows without a target are "
          + "predicted but not scored.",
      "",
      "Each kernel runs in its own process. It predicts every pixel and draws four maps: "
          + "data, mean, standard deviation and errors. Scores are of observations, noise "
          + "included. The probabilities of exceeding the 10, 50 and 90 %% quantiles of the "
          + "training pixels are compared with the held-out pixels, in a picture and by their "
          + "Brier score. On the satellite map of Heaton et al. (2019) the published scores are "
          + "shown beside ours.",
      "",
      "Examples:",
      "  lovelace bench map heaton --out pictures --out heaton.json",
      "  lovelace bench map mymap --kernel matern32 --kernel rbf --mean linear"
    })
final class BenchMap implements Callable<Integer> {

  /// A case to fit: a kernel and a prior mean.
  private record Case(String kernel, String mean) {

    /// The name in tables, JSON and pictures.
    String name() {
      return mean.equals("constant") ? kernel : kernel + ", " + mean + " mean";
    }

    /// The file name of its picture.
    String file() {
      return stem() + ".png";
    }

    /// The file name of the picture of its exceedances.
    String exceedances() {
      return stem() + "-exceedance.png";
    }

    private String stem() {
      String plain = kernel.replace(" ", "").replace('*', '.').replaceAll("[^\\w.+=,()-]", "_");
      return plain + (mean.equals("constant") ? "" : "-" + mean + "-mean");
    }
  }

  /// A column of the table: heading, key, format.
  private record Column(String heading, String key, String format) {}

  /// The folder for the pictures; each kernel has two PNG files.
  private Path out = Path.of("map");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("MAE", "mae", "%.3f"),
          new Column("RMSE", "rmse", "%.3f"),
          new Column("CRPS", "crps", "%.3f"),
          new Column("interval", "interval_score", "%.2f"),
          new Column("coverage", "coverage", "%.3f"),
          new Column("log L", "log_marginal_likelihood", "%,.1f"),
          new Column("fit s", "fit_s", "%.1f"),
          new Column("predict s", "predict_s", "%.2f"),
          new Column("peak MB", "peak_mb", "%,.0f"));

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The folder with train.csv.gz and test.csv.gz.")
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private Path folder;

  @Option(
      names = "--kernel",
      paramLabel = "EXPR",
      description =
          "A kernel to fit. Give it several times for several kernels (default: matern12, "
              + "matern12 with a linear mean, and matern12 + matern32). Each input has its own "
              + "lengthscale.")
  private List<String> kernels = new ArrayList<>();

  @Option(
      names = "--mean",
      paramLabel = "constant|zero|linear",
      description = "The mean far from data, for all kernels (default: constant).")
  private @Nullable String mean;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "How to compute, as in fit (default: auto).")
  private Engine engine = Engine.AUTO;

  @Mixin private final LimitOptions.OfBench limits = new LimitOptions.OfBench();

  @Mixin private final ResultOptions output = new ResultOptions(true);

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Case> cases = cases();
    List<Fit> fits = cases.stream().map(this::fit).toList();
    output.check();
    PrintWriter err = spec.commandLine().getErr();
    err.println("lovelace: reading '" + folder + "'");
    MapCase map = MapCase.read(folder);
    for (Fit fit : fits)
      Named.check("--kernel", () -> fit.hyperparameters(map.train().dimensions()));
    Path named = output.folder();
    out = named == null ? Path.of("map") : named;
    Output.makeFolder("--out", out);
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    int code = 0;
    for (int i = 0; i < cases.size(); i++) {
      if (cases.size() == 1) {
        results.add(measure(map, cases.getFirst(), fits.getFirst()));
      } else {
        ChildProcess child = ChildProcess.run(arguments(cases.get(i)), limits.bytes(), err);
        if (child.code() == 0) {
          results.addAll(new ObjectMapper().readValue(child.output(), new TypeReference<>() {}));
        } else {
          Quiet.errors(err)
              .println(
                  "lovelace: " + cases.get(i).name() + " failed with exit code " + child.code());
          code = child.code() == Errors.WRONG_USE ? Errors.WRONG_USE : Errors.FAILURE;
        }
      }
      output.keep(results);
    }
    if (!results.isEmpty()) print(map, cases, results);
    return code;
  }

  /// The cases that were asked for, each once.
  private List<Case> cases() {
    if (kernels.isEmpty() && mean == null)
      return List.of(
          new Case("matern12", "constant"),
          new Case("matern12", "linear"),
          new Case("matern12 + matern32", "constant"));
    List<String> texts = kernels.isEmpty() ? List.of("matern12", "matern12 + matern32") : kernels;
    String all = mean == null ? "constant" : mean;
    return texts.stream().map(text -> new Case(text.strip(), all)).distinct().toList();
  }

  private Fit fit(Case of) {
    Named.check("--mean", () -> PriorMean.named(of.mean, 1));
    Kernel kernel = Named.of("--kernel", () -> Kernel.parse(of.kernel));
    return limits.on(Fit.DEFAULT.withKernel(kernel).withMean(of.mean).withEngine(engine));
  }

  /// The command that measures one kernel.
  private List<String> arguments(Case of) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "bench",
                "map",
                folder.toString(),
                "--kernel=" + of.kernel,
                "--mean=" + of.mean,
                "--engine=" + engine,
                "--out=" + out,
                "--json"));
    all.addAll(limits.arguments());
    if (threads() > 0) all.add("--threads=" + threads());
    return all;
  }

  private int threads() {
    return spec.findOption("--threads").getValue() instanceof Integer n ? n : 0;
  }

  private Map<String, @Nullable Object> measure(MapCase map, Case of, Fit fit) throws IOException {
    try (var progress = new MapProgress(spec.commandLine().getErr(), of.name(), fit)) {
      Fit told =
          fit.withListener(progress::plan)
              .withLearning(new Options.Learning(Lbfgs.DEFAULT, 1, 1, progress));
      MapBenchmark run = MapBenchmark.run(map, told, progress);
      run.picture(map.train().targetColumn().name() + " by " + of.name())
          .write(out.resolve(of.file()));
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      result.put("kernel", of.name());
      result.put("mae", run.scores().mae());
      result.put("rmse", run.scores().rmse());
      result.put("crps", run.scores().crps());
      result.put("interval_score", run.scores().intervalScore(0.95));
      result.put("coverage", run.scores().coverage(0.95));
      result.put("fit_s", run.fitSeconds());
      result.put("predict_s", run.predictSeconds());
      result.put("peak_mb", run.peakBytes() / 1e6);
      result.put("log_marginal_likelihood", run.logLikelihood());
      result.put(
          "certificate", run.model().certificate().map(ModelReport::certificate).orElse(null));
      List<Exceedance> exceedances = run.exceedances();
      Exceedance.picture(
              exceedances, "Exceeding thresholds of " + map.train().targetColumn().name())
          .write(out.resolve(of.exceedances()));
      result.put("exceedance", exceedances.stream().map(BenchMap::json).toList());
      return result;
    }
  }

  private static Map<String, Object> json(Exceedance one) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("part", one.part());
    result.put("threshold", one.threshold());
    result.put("brier", one.brier());
    result.put("base_brier", one.baseBrier());
    result.put("calibration_error", one.calibrationError());
    result.put("allowed", one.classes().stream().filter(Exceedance.Part::allowed).count());
    List<Map<String, @Nullable Object>> classes = new ArrayList<>();
    for (Exceedance.Part each : one.classes()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("from", each.lower());
      row.put("to", each.upper());
      row.put("pixels", each.count());
      row.put("predicted", each.predicted());
      row.put("observed", each.observed());
      boolean drawn = !Double.isNaN(each.low());
      row.put("low", drawn ? each.low() : null);
      row.put("high", drawn ? each.high() : null);
      classes.add(row);
    }
    result.put("classes", classes);
    return result;
  }

  private void print(MapCase map, List<Case> cases, List<Map<String, @Nullable Object>> results) {
    PrintWriter print = spec.commandLine().getOut();
    if (output.print(print, results)) return;
    boolean published = map.isHeaton();
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(map.train().targetColumn().name()));
    COLUMNS.forEach(column -> head.add(column.heading));
    if (published) head.addAll(List.of("minutes", "cores"));
    rows.add(head);
    for (Map<String, @Nullable Object> result : results) {
      List<String> row = new ArrayList<>(List.of(String.valueOf(result.get("kernel"))));
      for (Column column : COLUMNS) row.add(cell(result.get(column.key), column.format));
      if (published) {
        row.add(cell((number(result, "fit_s") + number(result, "predict_s")) / 60, "%.1f"));
        row.add(Integer.toString(cores()));
      }
      rows.add(row);
    }
    if (published) for (PublishedScores other : PublishedScores.SATELLITE) rows.add(row(other));
    print.println(map + ". Scores are of observations; less is better, coverage is best at 0.95.");
    Bench.align(print, rows);
    print.println("Intervals hold 95 %. log L is the log likelihood of the standardised target.");
    if (published)
      print.println(
          "Rows without log L: Heaton et al. (2019), A Case Study Competition Among Methods for"
              + " Analyzing Large Spatial Data, JABES 24, 398-425.");
    print.println();
    exceedances(print, map, results);
    for (Case each : cases)
      if (results.stream().anyMatch(result -> each.name().equals(result.get("kernel"))))
        print.println(
            "Pictures: " + out.resolve(each.file()) + ", " + out.resolve(each.exceedances()));
  }

  /// Prints a row for each kernel and threshold.
  private static void exceedances(
      PrintWriter print, MapCase map, List<Map<String, @Nullable Object>> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "above",
            "threshold",
            "learned below",
            "Brier",
            "base rate",
            "calibration error",
            "as draws"));
    for (Map<String, @Nullable Object> result : results)
      if (result.get("exceedance") instanceof List<?> all)
        for (Object each : all)
          if (each instanceof Map<?, ?> one)
            rows.add(
                List.of(
                    String.valueOf(result.get("kernel")),
                    cell(one.get("threshold"), "%.4g"),
                    cell(one.get("part"), "%.2f"),
                    cell(one.get("brier"), "%.4f"),
                    cell(one.get("base_brier"), "%.4f"),
                    cell(one.get("calibration_error"), "%.3f"),
                    allowed(one)));
    print.println(
        "Probabilities of exceeding a threshold of "
            + map.train().targetColumn().name()
            + ", at the pixels held out. Less is better.");
    Bench.align(print, rows);
    print.println(
        "Base rate: the Brier score of the share of training pixels above the threshold."
            + " Calibration error: how far predicted and observed shares are apart. As draws:"
            + " the number of probability classes whose observed share lies within the middle 95 of"
            + " 100 joint draws.");
  }

  private static String allowed(Map<?, ?> one) {
    return one.get("classes") instanceof List<?> classes
        ? one.get("allowed") + " of " + classes.size()
        : "-";
  }

  private static List<String> row(PublishedScores other) {
    return List.of(
        other.method(),
        cell(other.mae(), "%.2f"),
        cell(other.rmse(), "%.2f"),
        cell(other.crps(), "%.2f"),
        cell(other.intervalScore(), "%.3g"),
        cell(other.coverage(), "%.2f"),
        "-",
        "-",
        "-",
        "-",
        cell(other.minutes(), other.minutes() < 10 ? "%.1f" : "%.0f"),
        Integer.toString(other.cores()));
  }

  private static double number(Map<String, @Nullable Object> result, String key) {
    return result.get(key) instanceof Number n ? n.doubleValue() : Double.NaN;
  }

  private static String cell(@Nullable Object value, String format) {
    if (!(value instanceof Number n) || Double.isNaN(n.doubleValue())) return "-";
    return String.format(Locale.ROOT, format, n.doubleValue());
  }

  private int cores() {
    int asked = threads();
    return asked > 0 ? asked : Runtime.getRuntime().availableProcessors();
  }
}
