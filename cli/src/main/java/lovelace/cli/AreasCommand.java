package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.maps.Unseen;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace areas`: means over polygons or groups of rows, with their standard errors.
@Command(
    name = "areas",
    customSynopsis = {
      "lovelace areas MODEL POLYGONS [--out FILE] [OPTIONS]",
      "lovelace areas MODEL TABLE --by COLUMN [--out FILE] [OPTIONS]"
    },
    description = {
      "Average a model over areas.",
      "Computes the mean over each polygon, or over each group of rows, and its standard "
          + "error.",
      "",
      "The standard error uses the covariances of all cells of an area. Errors of "
          + "neighbouring cells are correlated, so the standard error is larger than for "
          + "independent cells. Polygons come from a GeoJSON file, and their properties become "
          + "columns. A table must have the model's columns and one that names the area of each "
          + "row. Means are of the function, or of its rate or probability if the likelihood has "
          + "one.",
      "",
      "Examples:",
      "  lovelace areas model.lvl polygons.geojson --out areas.csv",
      "  lovelace areas model.lvl polygons.geojson --weights people.tif \\",
      "      --at time=2024-06-01",
      "  lovelace areas model.lvl cells.csv --by region --weight people \\",
      "      --interval 0.9"
    })
final class AreasCommand implements Callable<Integer> {

  /// The number of areas averaged in one batch.
  private static final int BATCH = 128;

  /// The number of cells of an area that are tried to see whether it is far from all data.
  private static final int PROBES = 5;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model file to read.")
  @SuppressWarnings("NullAway.Init")
  private Path model;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "POLYGONS|TABLE",
      description =
          "Polygons as GeoJSON. With --by it is a table: CSV, TSV, Parquet or JSON lines, also "
              + "with .gz. - is standard input. With --sql it may be a JDBC URL.")
  private @Nullable String given;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin private final TableOptions tables = new TableOptions();

  @Mixin private final RowOutput output = new RowOutput();

  @Option(
      names = "--by",
      paramLabel = "COLUMN",
      description = "Average over the rows of a table that have the same value in this column.")
  private @Nullable String by;

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description =
          "The weight of each row of a table, such as its area or population (default: 1).")
  private @Nullable String weight;

  @Option(
      names = "--cells",
      paramLabel = "N",
      description = "Cut each polygon into about N cells, at least 100 (default: 1000).")
  private int cells = 1000;

  @Option(
      names = "--resolution",
      paramLabel = "SIZE",
      description = "Cut polygons into cells of at most this size, in the units of their corners.")
  private @Nullable Double resolution;

  @Option(
      names = "--weights",
      paramLabel = "RASTER",
      description =
          "Weight the cells of polygons by a raster, such as the population of each pixel "
              + "(default: the area of each cell, on the ground for longitudes and latitudes).")
  private @Nullable Path weights;

  @Option(
      names = "--drift",
      paramLabel = "COLUMN=RASTER",
      description = "A raster with the values of a covariate. Give one for each covariate.")
  private Map<String, Path> drift = new LinkedHashMap<>();

  @Option(
      names = "--at",
      paramLabel = "COLUMN=VALUE",
      description =
          "The value of a column that is not a coordinate, such as a date. Give one for each "
              + "such column.")
  private Map<String, String> at = new LinkedHashMap<>();

  @Option(
      names = "--of",
      paramLabel = "function|rate|probability",
      description =
          "What to average (default: rate or probability if the likelihood has one, otherwise "
              + "function).")
  private @Nullable Of of;

  @Option(
      names = "--interval",
      paramLabel = "LEVEL",
      description = "The probability between lower and upper (default: 0.95).")
  private double interval = 0.95;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description =
          "The number of joint draws for intervals of rates, probabilities and transformed "
              + "targets, and for standard errors without a closed form (default: 1000).")
  private int draws = 1000;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the draws (default: 1).")
  private long seed = 1;

  @Mixin private final ReadingOptions reading = new ReadingOptions();

  @Override
  public Integer call() throws IOException {
    check();
    Model loaded = models.load(spec, model);
    Likelihood likelihood = loaded.likelihood();
    Of asked = of == null ? likelihood.usual() : of;
    if (!likelihood.has(asked))
      throw new IllegalArgumentException(
          "--of %s: a model with likelihood %s has no %s; leave --of out"
              .formatted(asked, likelihood, asked));
    AreaCells areas = areas(loaded);
    int[] outside = AreaReach.outside(loaded, areas);
    DrawnErrors drawn = new DrawnErrors(areas.names(), interval, draws);
    write(areas, averages(loaded, areas, asked, drawn), outside);
    remark(loaded, areas, outside);
    drawn.remarks().forEach(r -> spec.commandLine().getErr().println("lovelace: " + r));
    return 0;
  }

  /// Mean, standard error, lower and upper end of each area. They do not depend on the batches. If
  /// the work takes longer than a few seconds, progress is printed.
  private double[][] averages(Model loaded, AreaCells areas, Of asked, DrawnErrors drawn) {
    int n = areas.count();
    double[][] numbers = new double[4][n];
    try (ProgressLine line = new ProgressLine(spec.commandLine().getErr())) {
      for (int from = 0; from < n; from += BATCH) {
        int to = Math.min(n, from + BATCH);
        AreaCells some = areas.some(from, to);
        Prediction means =
            loaded.average(
                some.points(),
                some.weights(),
                some.starts(),
                asked,
                draws,
                new SplittableRandom(seed));
        for (int a = from; a < to; a++) {
          numbers[0][a] = means.mean(a - from);
          numbers[1][a] = means.deviation(a - from);
          numbers[2][a] = means.lower(a - from, interval);
          numbers[3][a] = means.upper(a - from, interval);
        }
        drawn.add(means);
        int[] starts = areas.starts();
        line.say(
            () ->
                String.format(
                    Locale.ROOT,
                    "%,d of %,d areas, about %,.0f s left",
                    to,
                    n,
                    line.seconds() * (starts[n] - starts[to]) / starts[to]));
      }
    }
    return numbers;
  }

  /// Refuses wrong options before any work is done.
  private void check() {
    if (!(interval > 0 && interval < 1))
      throw new IllegalArgumentException(
          "--interval must lie between 0 and 1, got " + interval + "; 0.95 is usual");
    if (draws < 100 || draws > 1_000_000)
      throw new IllegalArgumentException(
          "--draws must lie between 100 and 1,000,000, got " + draws + "; 1000 is usual");
    if (of == Of.OBSERVATION)
      throw new IllegalArgumentException(
          "--of observation: areas average the function, the rate or the probability, not observations; leave --of out");
    output.checked();
    if (resolution != null && !(resolution > 0 && Double.isFinite(resolution)))
      throw new IllegalArgumentException("--resolution must be > 0, got " + resolution);
    if (resolution == null && (cells < 100 || cells > 50_000_000))
      throw new IllegalArgumentException(
          "--cells must lie between 100 and 50,000,000, got " + cells + "; 1000 is usual");
    if (by == null) {
      if (weight != null)
        throw new IllegalArgumentException(
            "--weight needs a table with --by; leave it out for polygons");
      if (given == null || tables.given())
        throw new IllegalArgumentException(
            given == null && !tables.given()
                ? "name a GeoJSON file of polygons, or a TABLE with --by COLUMN"
                : "--sql reads a table; name the column with each row's area with --by");
      return;
    }
    String other =
        resolution != null
            ? "--resolution"
            : weights != null ? "--weights" : !at.isEmpty() ? "--at" : "--drift";
    if (resolution != null || weights != null || !at.isEmpty() || !drift.isEmpty())
      throw new IllegalArgumentException(
          "%s is for polygons, and --by for a table; leave out one of the two".formatted(other));
  }

  private AreaCells areas(Model loaded) throws IOException {
    if (by != null) {
      try (Table table = tables.open(given)) {
        return AreaCells.of(table, loaded, by, weight, reading);
      }
    }
    if (given == null) throw new IllegalStateException("no polygons");
    PolygonCells polygons = new PolygonCells(loaded, Path.of(given), at, drift);
    AreaCells cut = polygons.cut(cells, resolution == null ? 0 : resolution, weights);
    polygons.remarks().forEach(r -> spec.commandLine().getErr().println("lovelace: " + r));
    return cut;
  }

  private void write(AreaCells areas, double[][] numbers, int[] outside) throws IOException {
    ResultTable table = new ResultTable();
    areas.about().forEach(table::add);
    int n = areas.count();
    List<Long> cellCounts = new ArrayList<>();
    List<Long> outsideCounts = new ArrayList<>();
    for (int a = 0; a < n; a++) {
      cellCounts.add((long) areas.cells(a));
      outsideCounts.add((long) outside[a]);
    }
    table.add("mean", numbers[0]);
    table.add("standard_error", numbers[1]);
    table.add("lower", numbers[2]);
    table.add("upper", numbers[3]);
    table.add("cells", cellCounts);
    table.add("outside", outsideCounts);
    table.write(output.checked(), Models.stream(spec.commandLine().getOut()));
  }

  private void remark(Model loaded, AreaCells areas, int[] outside) {
    PrintWriter err = spec.commandLine().getErr();
    List<String> wholly = new ArrayList<>();
    int partly = 0;
    for (int a = 0; a < outside.length; a++)
      if (outside[a] == areas.cells(a)) wholly.add(areas.names().get(a));
      else if (outside[a] > 0) partly++;
    if (partly > 0)
      err.printf(
          Locale.ROOT,
          "lovelace: %,d of %,d areas lie partly beyond the model's grid; 'outside' counts their"
              + " cells there%n",
          partly,
          areas.count());
    if (!wholly.isEmpty())
      err.printf(
          Locale.ROOT,
          "lovelace: %,d of %,d areas lie wholly beyond the model's grid, where predictions are uncertain: %s%n",
          wholly.size(),
          areas.count(),
          Reading.words(wholly, 5));
    List<String> far = far(loaded, areas);
    if (!far.isEmpty())
      err.printf(
          Locale.ROOT,
          "lovelace: %,d of %,d areas are so far from the data that they get only the %s of the model: %s%n",
          far.size(),
          areas.count(),
          loaded.drift().isEmpty() ? "prior mean" : "drift",
          Reading.words(far, 5));
  }

  /// The areas that are far from every row of the model, judged by some of their cells; empty for a
  /// model on a grid.
  private static List<String> far(Model loaded, AreaCells areas) {
    Unseen unseen = Unseen.of(loaded, Of.FUNCTION).orElse(null);
    if (unseen == null) return List.of();
    int d = loaded.columns().size();
    double[] some = new double[areas.count() * PROBES * d];
    for (int a = 0; a < areas.count(); a++) {
      double[] own = areas.points(a);
      for (int k = 0; k < PROBES; k++) {
        int cell = (int) ((2L * k + 1) * areas.cells(a) / (2 * PROBES));
        System.arraycopy(own, cell * d, some, (a * PROBES + k) * d, d);
      }
    }
    Prediction there = loaded.predict(some, Of.FUNCTION, new double[0]);
    List<String> far = new ArrayList<>();
    for (int a = 0; a < areas.count(); a++) {
      int from = a * PROBES;
      if (IntStream.range(from, from + PROBES).allMatch(i -> unseen.at(there, i)))
        far.add(areas.names().get(a));
    }
    return far;
  }
}
