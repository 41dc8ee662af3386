package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.GridChoice;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.deep.Settings;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.optimize.Adam;
import lovelace.optimize.Lbfgs;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace fit`: a model file from a table.
@Command(
    name = "fit",
    description = {
      "Learn a model of one column of a table from others, and write it to a file.",
      "",
      "Up to three inputs share one grid. With more, a sum of functions of one input each and a",
      "function of two learned directions are tried, and the better one on rows held out is kept.",
      "With --deep a network makes features of the inputs, and the grid covers those.",
      "",
      "Examples:",
      "  lovelace fit sales.csv --target price --model sales.lvl",
      "  lovelace fit air.csv --target passengers --inputs month --kernel 'sm(10)' \\",
      "      --transform log --extend month=1949-01:1961-12 --model air.lvl",
      "  lovelace fit many.csv --target y --deep 1000,500,50,2 --model deep.lvl",
      "  lovelace fit train.csv.gz --target y --inputs z0,z1 --kernel rbf --grid 100x100 --no-train"
          + " \\",
      "      --set lengthscale=0.5,0.4 --set outputscale=1.2 --set noise=0.3 --set mean=0 \\",
      "      --model m.lvl"
    })
final class FitCommand implements Callable<Integer> {

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
  private CommandSpec spec;

  @Mixin private final LearningOptions columns = new LearningOptions();

  @Option(
      names = "--kernel",
      paramLabel = "EXPR",
      description = {
        "The kernel, 'matern52 + periodic*rbf' say (default: rbf). Learning starts from the values in",
        "it, as in periodic(period=1), and holds those written period=fixed(1) or fixed(2)*rbf.",
        "A kernel of your own is used by its name: docs/own-kernel.md."
      })
  private String kernel = "rbf";

  @Option(
      names = "--grid",
      paramLabel = "auto|data|100x100",
      description = {
        "Grid points along each input (default: auto). 'data' takes the data's own grid, where its",
        "values are equally spaced, gaps allowed: pixels, hours."
      })
  private String grid = "auto";

  @Option(
      names = "--extend",
      paramLabel = "COLUMN=LO:HI",
      description = "Widen the automatic grid to cover this range, a forecast's say.")
  private List<String> extend = new ArrayList<>();

  @Option(
      names = "--bounds",
      paramLabel = "COLUMN=LO:HI",
      description = "Let the grid cover exactly this range; models to be merged need that.")
  private List<String> bounds = new ArrayList<>();

  @Option(
      names = "--outside",
      paramLabel = "error|skip",
      description = "What to do with rows outside --bounds (default: error).")
  private Outside outside = Outside.ERROR;

  @Option(
      names = "--additive",
      description = "A sum of functions, one of each input; with any number of inputs.")
  private boolean additive = false;

  @Option(
      names = "--deep",
      split = ",",
      paramLabel = "SIZE",
      description = {
        "Learn a network with layers of these sizes; the last is the number of features, up to",
        "three on one grid, more in a sum. 1000,500,50,2 say."
      })
  private List<Integer> deep = new ArrayList<>();

  @Option(
      names = "--dropout",
      paramLabel = "P",
      description =
          "With --deep: the share of a layer left out at random in training (default: 0).")
  private double dropout = 0;

  @Option(
      names = "--held-out",
      paramLabel = "P",
      description = {
        "With --deep: the share of rows to stop by and to calibrate on (default: 0.1)."
      })
  private double heldOut = Settings.DEFAULT.heldOut();

  @Option(
      names = "--deep-steps",
      split = ",",
      paramLabel = "N",
      description = {
        "With --deep: the most steps of the warm-up and of the joint steps after it (default:",
        "4000,100)."
      })
  private List<Integer> deepSteps = new ArrayList<>();

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = {
        "With --deep: keep the state of training here, and go on from it if it exists. It is",
        "removed when training has ended."
      })
  private @Nullable Path checkpoint;

  @Option(
      names = "--engine",
      paramLabel = "auto|spectral|markov|sparse|krylov|dense|exact",
      description =
          "How to compute (default: auto). 'exact' keeps the rows in the model file, and so do"
              + " 'markov' (one Matérn kernel over one input) and 'sparse' (rough kernels, rows that"
              + " are not on a grid of their own) without --grid, --bounds and --extend; 'auto'"
              + " takes them where they cost less than a grid; the others make a grid.")
  private Engine engine = Engine.AUTO;

  @Option(
      names = "--tolerance",
      paramLabel = "T",
      description = "The relative error of variances to stay within (default: 0.01).")
  private double tolerance = 0.01;

  @Option(
      names = "--optimizer",
      paramLabel = "lbfgs|adam",
      description = "How to learn parameters (default: lbfgs).")
  private Optimizer optimizer = Optimizer.LBFGS;

  @Option(names = "--starts", paramLabel = "N", description = "From how many places to learn.")
  private int starts = 1;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = {
        "A parameter's start value in the table's units: lengthscale=0.5,0.4, outputscale=2,",
        "noise=0.1 (a variance), mean=3."
      })
  private List<String> set = new ArrayList<>();

  @Option(
      names = "--fix",
      paramLabel = "NAME=VALUE",
      description = "The same, and learning leaves it there.")
  private List<String> fix = new ArrayList<>();

  @Option(names = "--no-train", description = "Learn nothing: use the values that were set.")
  private boolean noTrain = false;

  @Option(
      names = "--no-covariance",
      description = "A smaller file: samples and covariances rebuild their cache when first asked.")
  private boolean noCovariance = false;

  @Option(names = "--json", description = "Print what was found as JSON.")
  private boolean json = false;

  @Option(names = "--seed", paramLabel = "N", description = "For the random choices of learning.")
  private long seed = 1;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model file to write.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Output.checkFolder("--model", file);
    LearningLine line = new LearningLine(spec.commandLine().getErr());
    Fit fit = settings(line);
    line.begin("reading the table; fitting takes " + LimitOptions.text(fit));
    try (Table opened = columns.open()) {
      TableSource source = columns.source(opened);
      Fit chosen = given(fit, source.columns().size()).withGrid(choice(source.columns()));
      Model model = deep.isEmpty() ? chosen.to(source) : network(chosen, line).to(source);
      line.done();
      long bytes = model.save(file, !noCovariance);
      double seconds = (System.nanoTime() - start) / 1e9;
      report(model, source.count(), bytes, seconds);
    }
    return 0;
  }

  /// What the options say that need not know the table.
  private Fit settings(LearningLine line) {
    if (deep.isEmpty()
        && (dropout != 0
            || checkpoint != null
            || !deepSteps.isEmpty()
            || heldOut != Settings.DEFAULT.heldOut()))
      throw new IllegalArgumentException(
          "--dropout, --held-out, --deep-steps and --checkpoint are of networks; give --deep"
              + " 1000,500,50,2 with them");
    if (!deepSteps.isEmpty() && deepSteps.size() != 2)
      throw new IllegalArgumentException(
          "--deep-steps needs two numbers, those of the warm-up and of the joint steps, got "
              + deepSteps.size()
              + "; write --deep-steps 4000,100");
    if (!deep.isEmpty() && (starts != 1 || optimizer != Optimizer.LBFGS))
      throw new IllegalArgumentException(
          "a network learns from one start by Adam; leave out --starts and --optimizer, or --deep");
    String ofGrids =
        !grid.equals("auto")
            ? "--grid"
            : !bounds.isEmpty() ? "--bounds" : !extend.isEmpty() ? "--extend" : "";
    if (engine == Engine.EXACT && !ofGrids.isEmpty())
      throw new IllegalArgumentException(
          ofGrids
              + " is of grids, and --engine exact has none; leave out one of the two, or use --engine spectral");
    if (checkpoint != null) Output.checkFolder("--checkpoint", checkpoint);
    if (starts < 1) throw new IllegalArgumentException("--starts must be >= 1, got " + starts);
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException(
          "--tolerance must lie between 0 and 1, got " + tolerance + "; 0.01 is one per cent");
    Fit.Maker maker = Models.maker(spec);
    Fit fit =
        columns
            .on(Fit.DEFAULT.withKernel(Named.of("--kernel", () -> Kernel.parse(kernel))))
            .withShape(additive ? Fit.Shape.ADDITIVE : Fit.Shape.AUTO)
            .withOutside(outside)
            .withEngine(engine)
            .withListener(line::plan)
            .withTolerance(tolerance)
            .withTraining(!noTrain)
            .withLearning(
                new Fit.Learning(
                    optimizer == Optimizer.ADAM ? Adam.DEFAULT : Lbfgs.DEFAULT, starts, seed, line))
            .withMaker(maker.version(), maker.command());
    return fit;
  }

  /// With the values given; where the columns of the kernel are known, names and values are checked
  /// one by one.
  private Fit given(Fit fit, int inputs) {
    int d = deep.isEmpty() && (additive || inputs <= 3) ? inputs : 0;
    Fit given = fit;
    for (String text : set) given = given(given, "--set", text, Fit::set, d);
    for (String text : fix) given = given(given, "--fix", text, Fit::fix, d);
    return given;
  }

  private DeepKernel network(Fit fit, LearningLine line) {
    int[] sizes = deep.stream().mapToInt(Integer::intValue).toArray();
    Settings seeded = Settings.DEFAULT.withSeed(seed);
    Settings held = Named.of("--held-out", () -> seeded.withHeldOut(heldOut));
    Settings settings =
        deepSteps.isEmpty()
            ? held
            : Named.of(
                "--deep-steps",
                () ->
                    held.withWarmUp(deepSteps.get(0), held.batch(), held.warmUpRate())
                        .withSteps(deepSteps.get(1)));
    Architecture layers = Named.of("--deep", () -> Architecture.layers(sizes));
    return DeepKernel.of(Named.of("--dropout", () -> layers.withDropout(dropout)))
        .withFit(fit)
        .withSettings(settings)
        .withWatcher(line)
        .withCheckpoint(checkpoint);
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

  /// The grid's options, whose ranges are in the units and dates of the columns.
  private GridChoice choice(List<Column> columns) {
    GridChoice choice = GridChoice.DEFAULT;
    if (!grid.equals("auto"))
      choice = Named.of("--grid", () -> GridChoice.DEFAULT.withPoints(grid));
    Set<String> bounded = new HashSet<>();
    for (String text : bounds) {
      choice = range("--bounds", text, columns, choice, true);
      if (!bounded.add(columnOf(text)))
        throw new IllegalArgumentException(
            "--bounds names '%s' twice; give it one range".formatted(columnOf(text)));
    }
    for (String text : extend) {
      choice = range("--extend", text, columns, choice, false);
      if (bounded.contains(columnOf(text)))
        throw new IllegalArgumentException(
            "--extend %s: --bounds fixes the range of '%s'; give one of the two"
                .formatted(text, columnOf(text)));
    }
    return choice;
  }

  private static String columnOf(String range) {
    return range.substring(0, Math.max(0, range.indexOf('=')));
  }

  private static GridChoice range(
      String option, String text, List<Column> columns, GridChoice choice, boolean exact) {
    int equals = text.indexOf('=');
    List<String> names = columns.stream().map(Column::name).toList();
    int index = equals < 0 ? -1 : names.indexOf(text.substring(0, equals));
    if (index < 0)
      throw new IllegalArgumentException(
          "%s needs COLUMN=LO:HI with one of the inputs %s, got '%s'"
              .formatted(option, String.join(", ", names), text));
    double[] ends = ends(columns.get(index), text.substring(equals + 1));
    if (ends.length == 0
        || !(ends[0] < ends[1])
        || Double.isInfinite(ends[0])
        || Double.isInfinite(ends[1]))
      throw new IllegalArgumentException(
          "%s %s: the range must be LO:HI with LO < HI, %s"
              .formatted(
                  option,
                  text,
                  columns.get(index).time().isEmpty() ? "numbers" : "dates like 2020-01-31"));
    return exact
        ? choice.bounded(index, ends[0], ends[1])
        : choice.including(index, ends[0], ends[1]);
  }

  /// Both ends; timestamps hold colons themselves, so each is tried as the one between.
  private static double[] ends(Column column, String text) {
    for (int at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
      try {
        return new double[] {
          value(column, text.substring(0, at)), value(column, text.substring(at + 1))
        };
      } catch (IllegalArgumentException e) {
        // not the colon between
      }
    }
    return new double[0];
  }

  private static double value(Column column, String text) {
    return column.time().isEmpty() ? Double.parseDouble(text) : column.time().get().parse(text);
  }

  /// The values in the kernel's text that learning started from and did not hold.
  private List<Parameter> starts(Model model) {
    if (noTrain) return List.of();
    List<String> held =
        model.hyperparameters().parameters().stream()
            .filter(Parameter::fixed)
            .map(Parameter::path)
            .toList();
    return Kernel.parse(kernel).parameters().stream()
        .filter(p -> p.isSet() && !p.fixed() && !held.contains(p.path()))
        .toList();
  }

  private void report(Model model, Table.Count count, long bytes, double seconds) {
    PrintWriter out = spec.commandLine().getOut();
    ModelReport report = new ModelReport(model, bytes);
    List<Parameter> starts = starts(model);
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>(report.json());
      all.put("started_from_kernel", starts.stream().map(Parameter::path).toList());
      all.put("model", file.toString());
      all.put("rows_missing", count.skipped());
      all.put("seconds", seconds);
      out.println(Json.of(all));
      return;
    }
    report.print(out);
    if (!starts.isEmpty()) {
      Parameter one = starts.getFirst();
      String name = one.path().substring(one.path().lastIndexOf('.') + 1);
      double value = one.values()[0];
      ModelReport.line(
          out,
          "start",
          "learning began at %s of the kernel's text and moved on; to hold a value write %s or"
              + " --fix %s=%s",
          starts.stream().map(Parameter::toString).collect(Collectors.joining(", ")),
          one.role() == Parameter.Role.OUTPUTSCALE
              ? "fixed(%s)*".formatted(value)
              : "%s=fixed(%s)".formatted(name, value),
          one.path(),
          value);
    }
    if (count.skipped() > 0)
      ModelReport.line(out, "skipped", "%,d rows that lack a value", count.skipped());
    ModelReport.line(out, "model", "%s, %s, in %.2f s", file, ModelReport.size(bytes), seconds);
  }
}
