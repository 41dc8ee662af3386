package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.PointSampler;
import lovelace.lattice.Sampler;
import lovelace.lattice.Sampling;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace sample`: draws jointly from a model's posterior at the rows of a table.
@Command(
    name = "sample",
    customSynopsis = {"lovelace sample MODEL TABLE --draws N [--out FILE] [OPTIONS]"},
    description = {
      "Draw functions from a model's posterior.",
      "Evaluates each of them at every row of a table. The result holds the columns of the "
          + "table, then draw1 to drawN. Draws are joint: each column is one function.",
      "",
      "Draws are of the function itself, or of its rate or probability if the likelihood "
          + "has one. --of observation draws what rows may hold, noise included. The same seed "
          + "gives the same draws. Draws are exact by default. --method love is faster for very "
          + "many draws, and says what share of the variance it captures. A model of the "
          + "neighbours engine draws each row given the nearest rows, which is an approximation.",
      "",
      "Examples:",
      "  lovelace sample model.lvl new.csv --draws 100 > draws.csv",
      "  lovelace sample model.lvl new.csv --draws 20 --seed 7 \\",
      "      --of observation --out draws.parquet"
    })
final class SampleCommand implements Callable<Integer> {

  private static final long MOST = 250_000_000;

  /// The most draws. Each is a column of the result.
  private static final int COLUMNS = 100_000;

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
          "A table: CSV, TSV, Parquet or JSON lines, also with .gz. - is standard input. With "
              + "--sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin private final TableOptions tables = new TableOptions();

  @Option(
      names = "--draws",
      paramLabel = "N",
      required = true,
      description = "The number of draws (required).")
  private int draws = 0;

  @Option(
      names = "--method",
      paramLabel = "auto|love|pathwise|spectral|markov",
      description = "How to draw (default: auto, the cheapest exact method).")
  private Sampling.Method method = Sampling.Method.AUTO;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the draws (default: 1).")
  private long seed = 1;

  @Mixin private final RowOutput output = new RowOutput();

  @Mixin private final OfOptions asked = new OfOptions();

  @Mixin private final ReadingOptions reading = new ReadingOptions();

  @Mixin private final CovariateOptions covariates = new CovariateOptions();

  @Override
  public Integer call() throws IOException {
    if (draws < 1 || draws > COLUMNS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--draws must lie between 1 and %,d, got %d; each draw is a column",
              COLUMNS,
              draws));
    String out = output.checked();
    Model loaded = models.load(spec, model);
    Likelihood.Of of = asked.of(loaded.likelihood());
    int d = loaded.columns().size();
    List<Table.Added> added = new ArrayList<>();
    for (int s = 1; s <= draws; s++) added.add(Table.Added.number("draw" + s));
    try (Table rows = tables.open(table)) {
      covariates.addTo(rows, loaded);
      List<double[]> sizes = new ArrayList<>();
      double[] points = points(rows, asked.reading(loaded, rows, reading), d, sizes);
      asked.remark(spec, loaded.likelihood());
      int t = points.length / d;
      requireMemory(loaded, points, t);
      double[] values = draw(loaded, points, of, joined(sizes, t));
      int[] row = {0};
      Reading inputs = asked.reading(loaded, rows, reading);
      rows.writer()
          .extend(
              inputs,
              added,
              (count, columns, extra) -> {
                for (int i = 0; i < count; i++) {
                  if (!complete(columns, i)) continue;
                  for (int s = 0; s < draws; s++) extra[s][i] = values[s * t + row[0]];
                  row[0]++;
                }
              },
              out,
              Models.stream(spec.commandLine().getOut()));
      Models.remark(spec, inputs);
    }
    return 0;
  }

  private static boolean complete(double[][] columns, int i) {
    for (double[] column : columns) if (!Double.isFinite(column[i])) return false;
    return true;
  }

  /// The inputs of all rows that are not skipped. Draws are joint over them.
  private double[] points(Table rows, Reading inputs, int d, List<double[]> sizes)
      throws IOException {
    var all =
        new Object() {
          double[] values = new double[1024 * d];
          int size = 0;
        };
    rows.read(
        inputs,
        (count, columns) -> {
          double[] more = Models.points(count, columns, d);
          long size = (long) all.size + more.length;
          if (size / d * draws > MOST || size > MOST)
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "more than %,d numbers to draw; ask for fewer draws or fewer rows",
                    MOST));
          if (all.size + more.length > all.values.length)
            all.values = Arrays.copyOf(all.values, 2 * (all.size + more.length));
          System.arraycopy(more, 0, all.values, all.size, more.length);
          all.size += more.length;
          sizes.add(OfOptions.sizes(count, columns, d));
        });
    return Arrays.copyOf(all.values, all.size);
  }

  private static double[] joined(List<double[]> parts, int size) {
    double[] all = new double[size];
    int at = 0;
    for (double[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  /// Refuses draws whose dense covariance does not fit into memory. Called before any is made.
  private static void requireMemory(Model loaded, double[] points, int t) {
    long bytes = loaded.jointBytes(points);
    long most = Runtime.getRuntime().maxMemory();
    boolean exact = loaded.lattice().isEmpty();
    boolean kriged = loaded.lattice().map(LatticePosterior::kriges).orElse(false);
    if (bytes > most)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "joint draws at %,d rows %s need %,d MB of memory, and Java has %,d MB; draw at fewer"
                  + " rows, %s, or set LOVELACE_JAVA_OPTS=-Xmx%dg",
              t,
              exact
                  ? "of a model that holds its rows"
                  : kriged
                      ? "of which some lie between grid points or beyond the grid"
                      : "of which some lie beyond the grid",
              bytes >> 20,
              most >> 20,
              exact
                  ? "fit the model on a grid"
                  : kriged ? "draw at grid points" : "extend the grid",
              (bytes >> 30) + 2));
  }

  /// Draws in the table's units, one row each.
  private double[] draw(Model loaded, double[] points, Likelihood.Of of, double[] sizes) {
    var random = new SplittableRandom(seed);
    Likelihood likelihood = loaded.likelihood();
    if (likelihood.isVarying() && of == Likelihood.Of.OBSERVATION) {
      if (method != Sampling.Method.AUTO)
        throw new IllegalArgumentException(
            "--method %s cannot draw observations whose noise varies; leave --method out"
                .formatted(method.name().toLowerCase(Locale.ROOT)));
      return loaded.sample(points, draws, of, sizes, random);
    }
    double[] values = functions(loaded, points, random);
    var own = random.split();
    boolean gaussian = likelihood.isGaussian();
    if (of == Likelihood.Of.OBSERVATION && gaussian) {
      double sigma = Math.sqrt(loaded.noise());
      for (int i = 0; i < values.length; i++)
        values[i] += sigma / Math.sqrt(sizes[i % sizes.length]) * own.nextGaussian();
    } else if (!gaussian) {
      Likelihood.Law[] laws =
          Arrays.stream(sizes)
              .mapToObj(size -> likelihood.law(of, size))
              .toArray(Likelihood.Law[]::new);
      for (int i = 0; i < values.length; i++)
        values[i] = laws[i % laws.length].draw(values[i], own);
    }
    for (int i = 0; i < values.length; i++) values[i] = loaded.transform().invert(values[i]);
    return values;
  }

  /// Draws of the function, before a transform is undone.
  private double[] functions(Model loaded, double[] points, SplittableRandom random) {
    LatticePosterior lattice = loaded.lattice().orElse(null);
    if (!loaded.drift().isEmpty() && method != Sampling.Method.AUTO)
      throw new IllegalArgumentException(
          "--method %s cannot draw from a model with a drift; leave --method out"
              .formatted(method.name().toLowerCase(Locale.ROOT)));
    if (lattice != null && loaded.drift().isEmpty()) {
      Sampler sampler = lattice.sampler(method);
      PointSampler at = sampler.at(loaded.features(points));
      if (sampler.capturedVariance() < 0.99)
        spec.commandLine()
            .getErr()
            .printf(
                Locale.ROOT,
                "lovelace: the draws vary less than the posterior (%s); leave --method out for"
                    + " exact draws%n",
                sampler.describe());
      return at.draw(draws, random);
    }
    if (method != Sampling.Method.AUTO)
      throw new IllegalArgumentException(
          "--method %s needs a model on a grid, and this one holds its rows; leave --method out"
              .formatted(method.name().toLowerCase(Locale.ROOT)));
    OptionalInt nearest = loaded.held().map(RowPosterior::nearestRows).orElse(OptionalInt.empty());
    if (nearest.isPresent())
      spec.commandLine()
          .getErr()
          .printf(
              Locale.ROOT,
              "lovelace: draws are joint over all rows; each row is drawn given the %,d nearest of"
                  + " the model's rows and of the rows drawn before it%n",
              nearest.getAsInt());
    return loaded.posterior().sample(points, draws, random);
  }
}
