package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.likelihood.Likelihood.Size;
import lovelace.plot.Picture;
import lovelace.plot.Pictures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace plot`: draws pictures of a model.
@Command(
    name = "plot",
    customSynopsis = {"lovelace plot MODEL [TABLE] --out FILE [OPTIONS]"},
    description = {
      "Draw a model as a picture (.png, .svg) or as an interactive page (.html, which needs "
          + "no network).",
      "",
      "--what posterior: with one input, the mean, bands of 50 and 95 %%, draws and data. "
          + "With two inputs, maps of mean and standard deviation. With more, a slice along each "
          + "input. Without TABLE the picture shows the averages of the grid's cells, or the rows "
          + "that the model holds. Counts are shown as rates, and classes as probabilities, with "
          + "a line at 0.5 on maps.",
      "--what columns: which columns matter, and how sure that is.",
      "--what features: the posterior over the features of a network or projection. This is "
          + "also the default for such a model without TABLE.",
      "--what trace: how learning went.",
      "--what calibration: how often intervals contain the targets of TABLE. For classes, how "
          + "often each probability came true.",
      "",
      "Plots at most 20,000 rows, chosen at random.",
      "",
      "Examples:",
      "  lovelace plot model.lvl --out model.png",
      "  lovelace plot model.lvl data.csv --draws 5 --out model.html",
      "  lovelace plot calls.lvl data.csv --exposure hours --out calls.png",
      "  lovelace plot model.lvl --what columns --out columns.png",
      "  lovelace plot model.lvl heldout.csv --what calibration --out calibration.svg"
    })
final class PlotCommand implements Callable<Integer> {

  /// Plots at most this many rows; from a larger table they are chosen at random.
  private static final int MOST = 20_000;

  enum What {
    POSTERIOR,
    COLUMNS,
    FEATURES,
    TRACE,
    CALIBRATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model file to read.")
  @SuppressWarnings("NullAway.Init")
  private Path model;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "The rows to show, with the model's inputs and its target. - is standard input.")
  private @Nullable String table;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin private final TableOptions tables = new TableOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "The picture to write: .png, .svg or .html (required).")
  @SuppressWarnings("NullAway.Init")
  private Path out;

  @Option(
      names = "--what",
      paramLabel = "posterior|columns|features|trace|calibration",
      description = "What to draw (default: posterior).")
  private What what = What.POSTERIOR;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "How many functions to draw over one input (default: 3).")
  private int draws = 3;

  @Mixin private final OfOptions asked = new OfOptions();

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the draws (default: 1).")
  private long seed = 1;

  @Option(
      names = "--json",
      description = "Print the names of the files as JSON on standard output.")
  private boolean json = false;

  @Mixin private final ReadingOptions reading = new ReadingOptions();

  @Mixin private final CovariateOptions covariates = new CovariateOptions();

  @Override
  public Integer call() throws IOException {
    Named.check("--out", () -> Picture.check(out));
    Output.checkFolder("--out", out);
    if (draws < 0 || draws > 100)
      throw new IllegalArgumentException(
          "--draws must lie between 0 and 100, got " + draws + "; 3 show how functions vary");
    Model loaded = models.load(spec, model);
    picture(loaded).write(out);
    PrintWriter print = spec.commandLine().getOut();
    if (json) print.println(Json.of(Map.of("files", List.of(out.toString()))));
    else print.println(out);
    return 0;
  }

  private Picture picture(Model loaded) throws IOException {
    return switch (what) {
      case TRACE -> Pictures.trace(loaded);
      case FEATURES -> features(loaded);
      case COLUMNS ->
          Pictures.columns(loaded, table != null || tables.given() ? rows(loaded) : null, seed);
      case POSTERIOR -> {
        boolean given = table != null || tables.given();
        boolean features = loaded.map().isPresent() && loaded.drift().isEmpty();
        if (!given && features && loaded.held().isEmpty()) yield features(loaded);
        yield Pictures.posterior(loaded, given ? rows(loaded) : null, options(loaded));
      }
      case CALIBRATION -> {
        if (table == null && !tables.given())
          throw new IllegalArgumentException(
              "--what calibration needs a TABLE of rows with '%s' to compare with; name it after the model"
                  .formatted(loaded.target().name()));
        try (Table opened = tables.open(table)) {
          covariates.addTo(opened, loaded);
          TableSource source = TableSource.of(opened, loaded, size(loaded), reading);
          yield Evaluation.of(loaded, source, opened.name()).calibration(loaded);
        }
      }
    };
  }

  /// A picture of the posterior over the features, which a network or a projection computes from
  /// the inputs.
  private Picture features(Model loaded) throws IOException {
    if (loaded.map().isEmpty())
      throw new IllegalArgumentException(
          "--what features needs a model with a network or a projection, and this one has none; use --what posterior");
    if (!loaded.drift().isEmpty())
      throw new IllegalArgumentException(
          "--what features draws a function of features, and the mean of this model has a drift in other columns; use --what posterior with a TABLE");
    Model inner = loaded.inFeatures();
    Dataset data = null;
    if (table != null || tables.given()) {
      Dataset rows = rows(loaded);
      data =
          Dataset.of(
              loaded.features(rows.inputs()), inner.columns(), rows.target(), loaded.target());
    }
    return Pictures.features(inner, data, options(loaded));
  }

  /// The table's rows, or a random choice if there are too many to draw.
  private Dataset rows(Model loaded) throws IOException {
    int d = loaded.columns().size();
    double[] x = new double[MOST * d];
    double[] y = new double[MOST];
    double[] w = new double[MOST];
    long[] count = {0};
    var random = new SplittableRandom(seed);
    String name;
    try (Table opened = tables.open(table)) {
      name = opened.name();
      covariates.addTo(opened, loaded);
      TableSource.of(opened, loaded, size(loaded), reading)
          .read(
              (size, inputs, targets, weights) -> {
                for (int i = 0; i < size; i++) {
                  long place = count[0] < MOST ? count[0] : random.nextLong(count[0] + 1);
                  count[0]++;
                  if (place >= MOST) continue;
                  System.arraycopy(inputs, i * d, x, (int) place * d, d);
                  y[(int) place] = targets[i];
                  w[(int) place] = weights.isPresent() ? weights.get()[i] : 1;
                }
              });
    }
    int n = (int) Math.min(MOST, count[0]);
    if (n == 0)
      throw new IllegalArgumentException(
          "'%s' has no rows to draw; check filters and missing values".formatted(name));
    if (count[0] > MOST)
      spec.commandLine()
          .getErr()
          .printf(
              Locale.ROOT,
              "lovelace: %,d of %,d rows are shown, chosen at random%n",
              MOST,
              count[0]);
    return Dataset.of(
            Arrays.copyOf(x, n * d), loaded.columns(), Arrays.copyOf(y, n), loaded.target())
        .withWeights(Arrays.copyOf(w, n));
  }

  /// The options of the picture.
  private Pictures.Options options(Model loaded) {
    Likelihood likelihood = loaded.likelihood();
    Of of = asked.of(likelihood);
    if (of == Of.OBSERVATION && likelihood.size() == Size.PRECISION)
      throw new IllegalArgumentException(
          "--of observation: this model knows the noise at its rows only, not between them; pass --of function");
    return new Pictures.Options(draws, of, seed);
  }

  /// The column of sizes. Targets are shown per unit of size.
  private @Nullable RowSize size(Model loaded) {
    Likelihood likelihood = loaded.likelihood();
    if (what == What.CALIBRATION || likelihood.size() == Size.TRIALS)
      return asked.sizes().of(likelihood);
    RowSize given = asked.sizes().suiting(likelihood);
    if (given != null && likelihood.usual() == Of.FUNCTION)
      throw new IllegalArgumentException(
          "%s has no effect with --what %s; leave it out".formatted(given.kind().option(), what));
    return given;
  }
}
