package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Adam;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace fit`: makes a model file from a table.
@Command(
    name = "fit",
    customSynopsis = {"lovelace fit TABLE --target COLUMN --model FILE [OPTIONS]"},
    description = {
      "Learn a model of one column of a table from other columns, and write it to a model "
          + "file.",
      "",
      "With one to three inputs the model usually lies on a grid, and its file holds no "
          + "training rows. With more inputs, or with text among them, the model uses the rows "
          + "themselves, and its file holds them: it is exact for small tables, and predicts from "
          + "the nearest rows for large ones. In that case fit holds out some rows to choose the "
          + "kernel, the engine and the transforms. The output shows what was compared.",
      "",
      "With --projection the grid covers two learned directions. With --deep it covers the "
          + "features of a network.",
      "",
      "Examples:",
      "  lovelace fit sales.csv --target price --model sales.lvl",
      "  lovelace fit air.csv --target passengers --inputs month --kernel 'sm(10)' \\",
      "      --transform log --extend month=1949-01:1961-12 --model air.lvl",
      "  lovelace fit calls.csv --target calls --likelihood poisson \\",
      "      --exposure hours --model calls.lvl",
      "  lovelace fit events.csv --intensity --bounds day=2024-01-01:2025-01-01 \\",
      "      --model events.lvl",
      "  lovelace fit rain.csv --target rain --inputs x,y --drift elevation \\",
      "      --model rain.lvl",
      "  lovelace fit rain.csv --target rain --crs EPSG:4326 \\",
      "      --drift elevation=dem.tif --model rain.lvl",
      "  lovelace fit loans.csv --target repaid --likelihood bernoulli \\",
      "      --model loans.lvl",
      "  lovelace fit many.csv --target y --deep 1000,500,50,2 --model deep.lvl",
      "  lovelace fit train.csv.gz --target y --inputs z0,z1 --kernel rbf \\",
      "      --grid 100x100 --no-train --set lengthscale=0.5,0.4 \\",
      "      --set outputscale=1.2 --set noise=0.3 --set mean=0 --model m.lvl"
    })
final class FitCommand implements Callable<Integer> {

  /// The treatment of the inputs.
  enum Columns {
    AUTO,
    AS_IS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  enum Optimizer {
    LBFGS,
    ADAM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec own;

  /// The other command that includes these options; null for `fit` itself.
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec other;

  @Mixin private final LearningOptions columns = new LearningOptions();

  @Option(
      names = "--intensity",
      description =
          "Treat the rows as events, and learn how many there are per unit of time, area or volume."
              + " --inputs, or else all columns (one to three), say when or where each event was."
              + " There is no --target. --bounds gives the window that was observed, and --grid the"
              + " number of cells. See docs/point-patterns.md.")
  private boolean intensity = false;

  @Option(
      names = "--kernel",
      paramLabel = "EXPR",
      description =
          "The kernel, such as 'matern52 + periodic*rbf'. The default is rbf with up to three"
              + " inputs. For coordinates, or with more inputs, it is the best of matern12,"
              + " matern32, matern52 and rbf. Learning starts from values in the text, as in"
              + " periodic(period=1). It keeps values written as period=fixed(1) or fixed(2)*rbf."
              + " You can name a kernel of your own: see docs/own-kernel.md.")
  private @Nullable String kernel;

  @Mixin private final GridOptions grid = new GridOptions();

  @Mixin private final PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--additive",
      description =
          "Model a sum of functions, one for each input. Works with any number of inputs.")
  private boolean additive = false;

  @Option(
      names = "--projection",
      description =
          "Model a function of two learned directions. A direction is a weighted sum of the "
              + "inputs.")
  private boolean projection = false;

  @Option(
      names = "--columns",
      paramLabel = "auto|as-is",
      description =
          "With more than three inputs: auto takes logarithms or ranks of inputs with long "
              + "tails if that helps on held-out rows. as-is changes no input (default: auto).")
  private Columns changed = Columns.AUTO;

  @Mixin private final DeepOptions deep = new DeepOptions();

  @Option(
      names = "--engine",
      paramLabel = "auto|spectral|markov|sparse|krylov|dense|exact|chain|sites|neighbours",
      description =
          "How to compute (default: auto). spectral, markov, sparse, krylov and dense make a grid. "
              + "exact, chain, sites and neighbours keep the rows in the model file. neighbours "
              + "predicts from the nearest rows, with any number of inputs. chain (on the rows) and "
              + "markov (on a grid) take one Matérn kernel over one input. sites (on the rows) and "
              + "sparse (on a grid) take rough kernels over up to three inputs. auto keeps the rows "
              + "if that costs less than a grid.")
  private Engine engine = Engine.AUTO;

  @Option(
      names = "--neighbours",
      paramLabel = "K",
      description =
          "Predict from the K nearest rows. Implies --engine neighbours (default: K is chosen on "
              + "held-out rows).")
  private @Nullable Integer neighbours;

  @Option(
      names = "--tolerance",
      paramLabel = "T",
      description =
          "The largest relative error of variances that the approximation may cause (default: "
              + "0.01).")
  private double tolerance = 0.01;

  @Option(
      names = "--optimizer",
      paramLabel = "lbfgs|adam",
      description = "The optimizer that learns the parameters (default: lbfgs).")
  private Optimizer optimizer = Optimizer.LBFGS;

  @Option(
      names = "--starts",
      paramLabel = "N",
      description = "Learn from N starting points and keep the best result (default: 1).")
  private int starts = 1;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "The value at which learning starts for a parameter, in the table's units: "
              + "lengthscale=0.5,0.4, outputscale=2, noise=0.1 (a variance), mean=3.")
  private List<String> set = new ArrayList<>();

  @Option(
      names = "--fix",
      paramLabel = "NAME=VALUE",
      description = "Like --set, but learning does not change the value.")
  private List<String> fix = new ArrayList<>();

  @Option(names = "--no-train", description = "Learn nothing. Use the values given with --set.")
  private boolean noTrain = false;

  @Option(
      names = "--no-covariance",
      description =
          "Write a smaller file. Samples and covariances then build their cache when they are "
              + "first needed.")
  private boolean noCovariance = false;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the random choices in learning (default: 1).")
  private long seed = 1;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description =
          "The model file to write. fit requires it; map keeps the model only if it is given.")
  private @Nullable Path file;

  private CommandSpec spec() {
    return other == null ? own : other;
  }

  @Override
  public Integer call() throws IOException {
    if (file == null)
      throw new MissingParameterException(own.commandLine(), own.findOption("--model"), "");
    Map<String, Object> found = new LinkedHashMap<>();
    fit(found, (columns, chosen) -> {});
    if (json) own.commandLine().getOut().println(Json.of(found));
    return 0;
  }

  /// The table that was named, or the model for a command that takes one.
  @Nullable String table() {
    return columns.table();
  }

  /// Whether results are printed as JSON.
  boolean json() {
    return json;
  }

  long seed() {
    return seed;
  }

  /// Checks the fit before it starts, and refuses one whose model could not be used.
  @FunctionalInterface
  interface Before {
    /// Fails if the model would be of no use.
    ///
    /// @param columns the inputs that vary, and those of the drift
    void check(List<Column> columns, Fit fit) throws IOException;
  }

  /// The file for the model; null if it is not written.
  @Nullable Path file() {
    return file;
  }

  /// Fits the table, writes the model if a file is named, and reports the result: as text, or in
  /// `found` if JSON was asked for.
  Model fit(Map<String, Object> found, Before before) throws IOException {
    long start = System.nanoTime();
    Path file = this.file;
    if (file != null) ModelTarget.checkNew("--model", file);
    LearningLine line = new LearningLine(spec().commandLine().getErr());
    Fit fit = settings(line);
    line.begin("reading the table; fitting takes " + LimitOptions.text(fit));
    try (Table opened = columns.open()) {
      columns.addRasters(
          opened, other != null, process -> places.place(process, mayAssumePlaces(process)));
      TableSource source = intensity ? columns.events(opened) : columns.source(opened);
      List<Column> process = columns.process(source.columns());
      Fit chosen =
          places
              .on(
                  given(fit, process.size()),
                  process,
                  mayAssumePlaces(process),
                  other != null && !intensity && !projection && !deep.given() && !additive)
              .withGrid(grid.choice(process));
      if (other != null) before.check(varying(source), chosen);
      warnOfDegrees(chosen.place().orElse(null), source);
      long begin = System.nanoTime();
      Model model =
          deep.given() ? Networks.fit(deep, chosen, source, seed, line) : chosen.to(source);
      Duration taken = Duration.ofNanos(System.nanoTime() - begin);
      Optional<Overtime> late = Overtime.of(chosen.limits().time(), taken);
      line.done();
      long bytes = file == null ? 0 : ModelTarget.write(spec(), file, model, !noCovariance);
      double seconds = (System.nanoTime() - start) / 1e9;
      warn(model, late);
      if (json) {
        found.putAll(found(model, source, bytes, seconds));
        late.ifPresent(overtime -> found.put("overtime", overtime.json()));
      } else {
        report(model, source, bytes, seconds);
        spec().commandLine().getOut().flush();
        warn(model, late); // repeated, so that it also comes last
      }
      return model;
    }
  }

  /// Warns if the model misses its tolerance or the fit took too long.
  private void warn(Model model, Optional<Overtime> late) {
    PrintWriter err = spec().commandLine().getErr();
    late.ifPresent(overtime -> err.println(overtime.line()));
    model.missed().ifPresent(missed -> err.println(MissedText.line(missed, grid.given())));
    err.flush();
  }

  /// Remarks that coordinates in metres look like degrees, judged by their values: nobody measures
  /// within 180 m of the origin of a system.
  private void warnOfDegrees(@Nullable Place place, TableSource source) throws IOException {
    if (place == null || place.isGeographic() || place.system().equals("local")) return;
    List<String> names = source.columns().stream().map(Column::name).toList();
    int d = names.size();
    int east = names.indexOf(place.east());
    int north = names.indexOf(place.north());
    double[] furthest = new double[2];
    source.read(
        (count, x, y, weights) -> {
          for (int i = 0; i < count; i++) {
            furthest[0] = Math.max(furthest[0], Math.abs(x[i * d + east]));
            furthest[1] = Math.max(furthest[1], Math.abs(x[i * d + north]));
          }
        });
    if (!(furthest[0] <= 180 && furthest[1] <= 90)) return;
    PrintWriter err = spec().commandLine().getErr();
    err.printf(
        Locale.ROOT,
        "lovelace: the columns '%s' and '%s' look like degrees (they reach %s and %s), and --crs %s"
            + " has metres; if they are longitudes and latitudes, pass --crs EPSG:4326%n",
        place.east(),
        place.north(),
        furthest[0],
        furthest[1],
        places.system());
    err.flush();
  }

  /// The columns that have more than one value. A fit leaves out the others.
  private static List<Column> varying(TableSource source) throws IOException {
    int d = source.columns().size();
    if (d <= 2) return source.columns();
    double[] first = new double[d];
    boolean[] varies = new boolean[d];
    long[] seen = {0};
    source.read(
        (count, x, y, weights) -> {
          if (seen[0] == 0 && count > 0) System.arraycopy(x, 0, first, 0, d);
          for (int i = 0; i < count * d; i++) varies[i % d] |= x[i] != first[i % d];
          seen[0] += count;
        });
    return IntStream.range(0, d).filter(j -> varies[j]).mapToObj(source.columns()::get).toList();
  }

  /// Whether longitudes and latitudes may be recognised by their names. They may not if another
  /// option refers to the columns as they are.
  private boolean mayAssumePlaces(List<Column> inputs) {
    boolean bounded = inputs.stream().anyMatch(column -> grid.isBounded(column.name()));
    return !intensity
        && !deep.given()
        && !projection
        && !bounded
        && inputs.stream().noneMatch(Column::isText);
  }

  /// The settings of the fit that do not depend on the table.
  private Fit settings(LearningLine line) throws IOException {
    places.check();
    deep.check(starts != 1 || optimizer != Optimizer.LBFGS);
    requireOneShape();
    if (intensity) requireEvents();
    else columns.target();
    if (columns.hasDrift()) requireDrift();
    Named.within("--starts", starts, 1, 1000, "10 are many");
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException(
          "--tolerance must lie between 0 and 1, got " + tolerance + "; 0.01 is one per cent");
    Likelihood likelihood = columns.likelihood();
    if (!likelihood.isGaussian() && (projection || deep.given()))
      throw new IllegalArgumentException(
          "%s learns features under Gaussian noise, and the likelihood is %s; leave out one of the two"
              .formatted(projection ? "--projection" : "--deep", likelihood));
    Options.Maker maker = Models.maker(spec());
    Fit fit = kernel == null ? Fit.DEFAULT : Fit.DEFAULT.withKernel(parsed(kernel));
    if (neighbours != null) fit = fit.withNeighbours(neighbours);
    return columns
        .on(fit)
        .withIntensity(intensity)
        .withShape(
            additive
                ? Options.Shape.ADDITIVE
                : projection ? Options.Shape.PROJECTION : Options.Shape.AUTO)
        .withColumnMaps(changed == Columns.AUTO)
        .withOutside(grid.outside)
        .withEngine(engine())
        .withListener(line::plan)
        .withTolerance(tolerance)
        .withTraining(!noTrain)
        .withLearning(
            new Options.Learning(
                optimizer == Optimizer.ADAM ? Adam.DEFAULT : Lbfgs.DEFAULT, starts, seed, line))
        .withMaker(maker.version(), maker.command());
  }

  /// Refuses options that a model of intensity cannot follow.
  private void requireEvents() {
    columns.requireEvents();
    String other =
        additive ? "--additive" : projection ? "--projection" : deep.given() ? "--deep" : "";
    if (!other.isEmpty())
      throw new IllegalArgumentException(
          "--intensity uses one grid over all inputs, which %s does not; leave out one of the two"
              .formatted(other));
    if (engine().holdsRows())
      throw new IllegalArgumentException(
          "--intensity counts events on a grid, and --engine %s uses none; leave out one of the two"
              .formatted(engine()));
  }

  /// Refuses options that cannot be combined with a drift.
  private void requireDrift() {
    String other =
        intensity ? "--intensity" : additive ? "--additive" : deep.given() ? "--deep" : "";
    if (!other.isEmpty())
      throw new IllegalArgumentException(
          "--drift needs a process over one grid of the inputs or of a projection, and %s is another model; leave out one of the two"
              .formatted(other));
  }

  private static Kernel parsed(String kernel) {
    return Named.of("--kernel", () -> Kernel.parse(kernel));
  }

  /// The engine that was asked for. A number of neighbours implies the engine of neighbours.
  private Engine engine() {
    return neighbours != null && engine == Engine.AUTO ? Engine.NEIGHBOURS : engine;
  }

  /// The engine on a grid that is most like one on rows.
  private static Engine onGrid(Engine rows) {
    return switch (rows) {
      case CHAIN -> Engine.MARKOV;
      case SITES -> Engine.SPARSE;
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE, EXACT, NEIGHBOURS -> Engine.SPECTRAL;
    };
  }

  /// Refuses options that exclude each other.
  private void requireOneShape() {
    if (neighbours != null && neighbours < 1)
      throw new IllegalArgumentException(
          "--neighbours must be 1 or more, got "
              + neighbours
              + "; leave it out, and held-out rows choose the number");
    if (neighbours != null && engine() != Engine.NEIGHBOURS)
      throw new IllegalArgumentException(
          "--neighbours %s needs --engine neighbours, and --engine is %s; leave out one of the two"
              .formatted(neighbours, engine));
    List<String> shapes = new ArrayList<>();
    if (additive) shapes.add("--additive");
    if (projection) shapes.add("--projection");
    if (deep.given()) shapes.add("--deep");
    if (shapes.size() > 1 && projection)
      throw new IllegalArgumentException(
          String.join(" and ", shapes) + " are different models; leave out all but one");
    boolean rows = engine().holdsRows();
    String asked =
        neighbours != null && engine == Engine.AUTO ? "--neighbours" : "--engine " + engine;
    if (rows && !grid.given().isEmpty())
      throw new IllegalArgumentException(
          "%s asks for a grid, and %s makes none; leave out one of the two, or use --engine %s"
              .formatted(grid.given(), asked, onGrid(engine())));
    if (places.given() && (projection || deep.given()))
      throw new IllegalArgumentException(
          "%s needs two inputs as coordinates, and %s mixes all inputs; leave out one of the two"
              .formatted(places.name(), projection ? "--projection" : "--deep"));
    if (rows && (projection || deep.given()))
      throw new IllegalArgumentException(
          "%s needs a grid of features, and %s makes no grid; leave out one of the two"
              .formatted(projection ? "--projection" : "--deep", asked));
  }

  /// Adds the values that were given. If the columns of the kernel are known, names and values are
  /// checked one by one.
  private Fit given(Fit fit, int inputs) {
    boolean known =
        !deep.given() && !projection && (additive || inputs <= 3 || grid.given().isEmpty());
    int d = known ? inputs : 0;
    Fit given = fit;
    for (String text : set) given = given(given, "--set", text, Fit::set, d);
    for (String text : fix) given = given(given, "--fix", text, Fit::fix, d);
    return given;
  }

  private interface Giving {
    Fit give(Fit fit, String name, double... values);
  }

  private static Fit given(Fit fit, String option, String text, Giving giving, int d) {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1)
      throw new IllegalArgumentException(
          "%s needs NAME=VALUE, got '%s'; write %s noise=0.1".formatted(option, text, option));
    String[] parts = text.substring(equals + 1).split(",", -1);
    double[] values = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        values[i] = Double.parseDouble(parts[i].strip());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "%s %s: '%s' is not a number; write %s=0.1 or, for several, %s=0.1,0.2"
                .formatted(
                    option, text, parts[i], text.substring(0, equals), text.substring(0, equals)),
            e);
      }
    }
    Fit given = giving.give(fit, text.substring(0, equals).strip(), values);
    if (d > 0) Named.check(option + " " + text, () -> given.hyperparameters(d));
    return given;
  }

  /// The values in the kernel's text at which learning started.
  private List<Parameter> starts(Model model) {
    if (noTrain || kernel == null) return List.of();
    List<String> held =
        model.hyperparameters().parameters().stream()
            .filter(Parameter::fixed)
            .map(Parameter::path)
            .toList();
    return Kernel.parse(kernel).parameters().stream()
        .filter(p -> p.isSet() && !p.fixed() && !held.contains(p.path()))
        .toList();
  }

  private Map<String, Object> found(Model model, TableSource source, long bytes, double seconds) {
    Map<String, Object> all = new LinkedHashMap<>(new ModelReport(model, bytes).json());
    all.put("started_from_kernel", starts(model).stream().map(Parameter::path).toList());
    all.put("crs_assumed", places.assumed(model));
    if (file != null) all.put("model", file.toString());
    all.put("rows_missing", source.count().skipped());
    all.put("values_missing", source.reading().json(false));
    all.put("text_left_out", source.leftOut());
    if (!columns.hasLikelihood())
      source.facts().likelihood().ifPresent(name -> all.put("suggested_likelihood", name));
    all.put("seconds", seconds);
    return all;
  }

  private void report(Model model, TableSource source, long bytes, double seconds) {
    long skipped = source.count().skipped();
    PrintWriter out = spec().commandLine().getOut();
    List<Parameter> starts = starts(model);
    new ModelReport(model, bytes).print(out);
    if (!starts.isEmpty()) {
      Parameter one = starts.getFirst();
      String name = one.path().substring(one.path().lastIndexOf('.') + 1);
      double value = one.values()[0];
      ModelReport.line(
          out,
          "start",
          "learning started at %s from the kernel's text and changed it; to keep a value write %s or --fix %s=%s",
          starts.stream().map(Parameter::toString).collect(Collectors.joining(", ")),
          one.role() == Parameter.Role.OUTPUTSCALE
              ? "fixed(%s)*".formatted(value)
              : "%s=fixed(%s)".formatted(name, value),
          one.path(),
          value);
    }
    if (places.assumed(model)) ModelReport.line(out, "assumed", "%s", PlaceOptions.remark(model));
    for (String left : source.leftOut()) ModelReport.line(out, "left out", "%s", left);
    if (skipped > 0) ModelReport.line(out, "skipped", "%,d rows that lack a value", skipped);
    for (String note : source.reading().remarks()) ModelReport.line(out, "filled", "%s", note);
    if (!columns.hasLikelihood())
      source
          .facts()
          .advice(source.target().name())
          .ifPresent(advice -> ModelReport.line(out, "suggestion", "%s", advice));
    if (!intensity)
      columns
          .file()
          .flatMap(table -> ForecastHint.line(table, source.columns(), source.target().name()))
          .ifPresent(line -> ModelReport.line(out, "forecast", "%s", line));
    if (file == null) ModelReport.line(out, "fitted", "in %.2f s; --model FILE keeps it", seconds);
    else
      ModelReport.line(out, "model", "%s, %s, in %.2f s", file, ModelReport.size(bytes), seconds);
  }
}
