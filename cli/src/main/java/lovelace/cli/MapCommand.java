package lovelace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.likelihood.Likelihood.Of;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.Layer;
import lovelace.maps.Layers;
import lovelace.maps.MapBand;
import lovelace.maps.MapColumns;
import lovelace.maps.MapJob;
import lovelace.maps.Polygons;
import lovelace.maps.Raster;
import lovelace.maps.TimeSteps;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace map`: rasters, pictures, pages and contours of a model over two coordinates.
@Command(
    name = "map",
    customSynopsis = {
      "lovelace map MODEL --out FILE [--out FILE]... [OPTIONS]",
      "lovelace map TABLE --target COLUMN --out FILE [--out FILE]... [OPTIONS] [OPTIONS of fit]"
    },
    description = {
      "Make a map of a model over two coordinates.",
      "The map has a band for the mean, one for its standard deviation, and others on "
          + "request. If the first argument is a table, map fits it first, with the options of "
          + "fit.",
      "",
      "The ending of --out says what to write. .tif is a GeoTIFF with its coordinate "
          + "system, no-data value and overviews. .png is a picture with legend and scale bar. "
          + ".html is a page to zoom, which needs no network. .geojson holds lines of equal "
          + "values. Maps are computed tile by tile, so any size fits in memory.",
      "",
      "Examples:",
      "  lovelace map rain.lvl --out rain.tif --out rain.png",
      "  lovelace map wells.csv --target arsenic --transform log --exceeds 10 \\",
      "      --out arsenic.html",
      "  lovelace map rain.lvl --like dem.tif --drift elevation=dem.tif \\",
      "      --mask land.tif --out rain.tif",
      "  lovelace map snow.lvl --times 2024-01-01/2024-12-31/P1M \\",
      "      --out 'snow-{time}.tif'"
    })
final class MapCommand implements Callable<Integer> {

  /// Options of `fit` that also apply to a map of a model.
  private static final Set<String> SHARED = Set.of("--seed", "--json", "--drift", "--crs");

  private static final int MOST_DRAWS = 1_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description =
          "The file to write: .tif, .png, .html or .geojson (required). Give it several times "
              + "for several files. {time} in the name makes one file for each time.")
  private List<Path> out = new ArrayList<>();

  @Option(
      names = "--bands",
      split = ",",
      paramLabel = "mean|sd|none",
      description = "Which of mean and standard deviation to compute (default: mean,sd).")
  private List<String> bands = List.of("mean", "sd");

  @Option(
      names = "--quantiles",
      split = ",",
      paramLabel = "P",
      description = "Add a band for each of these quantiles, such as 0.05,0.95.")
  private List<Double> quantiles = List.of();

  @Option(
      names = "--exceeds",
      split = ",",
      paramLabel = "T",
      description = "Add a band for each of these thresholds: the probability of a larger value.")
  private List<Double> exceeds = List.of();

  @Option(
      names = "--draws",
      paramLabel = "N",
      description =
          "Add N functions drawn from the posterior, one band each. --seed chooses them "
              + "(default: 0).")
  private int draws = 0;

  @Mixin private final AskedOptions asked = new AskedOptions();

  @Mixin private final PixelOptions pixels = new PixelOptions();

  @Option(
      names = "--mask",
      paramLabel = "FILE",
      description =
          "Map only where this raster has a value other than 0, or only inside these polygons "
              + "(.geojson).")
  private @Nullable Path mask;

  @Option(
      names = "--inside",
      description = "Leave out pixels beyond the model's grid (default: predict them too).")
  private boolean inside = false;

  @Option(
      names = "--times",
      paramLabel = "T,T|FROM/TO/STEP",
      description =
          "The times of a model over two coordinates and a time: a list 2024-01-31,2024-02-29, "
              + "or steps such as 2024-01-01/2024-12-31/P1M or 0/10/1. Every band is made for each "
              + "time.")
  private @Nullable String times;

  @Option(
      names = "--contours",
      paramLabel = "N|V,V",
      description =
          "Lines of equal values of the first band, for .geojson and .html: about N round "
              + "values, or these values. Write a single value with a decimal point (default for "
              + ".geojson: 10).")
  private @Nullable String contours;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Mixin(name = "fit")
  private final FitCommand fit = new FitCommand();

  @Override
  public Integer call() throws IOException {
    MapOutputs outputs = MapOutputs.of(out, contours);
    List<MapBand> quantities = quantities();
    pixels.check();
    Map<String, Path> rasters = rasters();
    for (Map.Entry<String, Path> entry : rasters.entrySet())
      Named.raster("--drift " + entry.getKey(), entry.getValue(), Optional.empty()).close();
    Polygons polygons = polygons();
    Map<String, Object> found = new LinkedHashMap<>();
    long start = System.nanoTime();
    Model model = model(found, (columns, fit) -> check(outputs, rasters.keySet(), columns, fit));
    double seconds = (System.nanoTime() - start) * 1e-9;
    try {
      map(outputs, quantities, rasters, polygons, model, found);
    } catch (IllegalArgumentException e) {
      if (isModel(String.valueOf(fit.table())) || fit.file() != null) throw e;
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s. The fit took %.1f s; pass --model FILE to keep it for the next map",
              e.getMessage(),
              seconds),
          e);
    }
    return 0;
  }

  /// Refuses options that are known to be wrong before a table is fitted.
  private void check(MapOutputs outputs, Set<String> rasters, List<Column> columns, Fit chosen) {
    asked.of(chosen.likelihood());
    MapColumns found = MapColumns.of(columns, chosen.place().orElse(null), rasters, times != null);
    outputs.check(steps(columns, found));
    pixels.check(system(chosen.place()));
  }

  private void map(
      MapOutputs outputs,
      List<MapBand> quantities,
      Map<String, Path> rasters,
      @Nullable Polygons polygons,
      Model model,
      Map<String, Object> found)
      throws IOException {
    Of of = asked.of(model.likelihood());
    MapColumns columns = MapColumns.of(model, rasters.keySet(), times != null);
    List<TimeSteps.Step> steps = steps(model.columns(), columns);
    Optional<Crs> own = system(model.place());
    Frame frame = pixels.frame(model, columns, own);
    List<Raster> opened = new ArrayList<>();
    try {
      Map<String, Layer> covariates = new LinkedHashMap<>();
      for (Map.Entry<String, Path> entry : rasters.entrySet()) {
        Raster raster = Named.raster("--drift " + entry.getKey(), entry.getValue(), frame.crs());
        opened.add(raster);
        remarkSystem("--drift " + entry.getKey(), raster, frame);
        covariates.put(entry.getKey(), Layers.covariate(entry.getKey(), raster, frame));
      }
      Layer masked = mask(frame, polygons, opened);
      MapJob job =
          MapJob.of(
              model,
              columns,
              frame,
              own,
              new MapJob.Asked(of, quantities, steps, covariates, masked, inside, fit.seed()));
      outputs.write(spec, model, columns, job, found, fit.json());
    } finally {
      for (Raster raster : opened) raster.close();
    }
  }

  private List<MapBand> quantities() {
    List<MapBand> all = new ArrayList<>();
    for (String name : bands)
      switch (name) {
        case "mean" -> all.add(new MapBand.Mean());
        case "sd" -> all.add(new MapBand.Deviation());
        case "none" -> {}
        default ->
            throw new IllegalArgumentException(
                "--bands must be mean, sd or none, got '%s'; for other bands use --quantiles, --exceeds or --draws"
                    .formatted(name));
      }
    for (double p : quantiles) all.add(Named.of("--quantiles", () -> new MapBand.Quantile(p)));
    for (double t : exceeds) all.add(Named.of("--exceeds", () -> new MapBand.Exceeds(t)));
    if (draws < 0 || draws > MOST_DRAWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "--draws must lie between 0 and %,d, got %d", MOST_DRAWS, draws));
    for (int i = 1; i <= draws; i++) all.add(new MapBand.Draw(i));
    if (all.stream().distinct().count() < all.size())
      throw new IllegalArgumentException(
          "--bands, --quantiles or --exceeds name a band twice; leave one out");
    if (all.isEmpty())
      throw new IllegalArgumentException(
          "--bands none leaves nothing to show; add --quantiles, --exceeds or --draws");
    return all;
  }

  /// The value of an option that `fit` and `map` share.
  private <T> T matched(String option, T otherwise) {
    return spec.commandLine().getParseResult().matchedOptionValue(option, otherwise);
  }

  /// The rasters that give columns, by column name.
  private Map<String, Path> rasters() {
    Map<String, Path> all = new LinkedHashMap<>();
    List<String> drift = matched("--drift", List.of());
    for (String text : drift) {
      if (text.equals("1")) continue; // only an intercept
      int equals = text.indexOf('=');
      if (equals < 1 || equals == text.length() - 1)
        throw new IllegalArgumentException(
            "--drift needs COLUMN=FILE, got '%s', and a map needs the values at every pixel; give them as a raster: --drift elevation=dem.tif"
                .formatted(text));
      Path file = Path.of(text.substring(equals + 1));
      if (Files.notExists(file))
        throw new IllegalArgumentException(
            "--drift %s: there is no raster '%s'".formatted(text, file));
      if (all.put(text.substring(0, equals), file) != null)
        throw new IllegalArgumentException(
            "--drift names '%s' twice".formatted(text.substring(0, equals)));
    }
    return all;
  }

  /// Reads the model that is named, or fits one to the table.
  private Model model(Map<String, Object> found, FitCommand.Before before) throws IOException {
    String named = fit.table();
    if (named == null || !isModel(named)) return fit.fit(found, before);
    List<String> fitting =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .filter(option -> fittingOptions().contains(option))
            .map(OptionSpec::longestName)
            .filter(name -> !SHARED.contains(name))
            .toList();
    if (!fitting.isEmpty())
      throw new IllegalArgumentException(
          "%s %s for fitting a table, and '%s' is a model already; leave %s out"
              .formatted(
                  String.join(", ", fitting),
                  fitting.size() == 1 ? "is" : "are",
                  named,
                  fitting.size() == 1 ? "it" : "them"));
    return models.load(spec, Path.of(named));
  }

  private List<OptionSpec> fittingOptions() {
    return Objects.requireNonNull(spec.mixins().get("fit")).options();
  }

  /// Whether a file begins like a model file or has its extension.
  private static boolean isModel(String name) throws IOException {
    if (name.equals("-") || name.startsWith("jdbc:")) return false;
    if (name.endsWith(".lvl")) return true;
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) return false;
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(8), "LOVELACE".getBytes(StandardCharsets.US_ASCII));
    }
  }

  private List<TimeSteps.Step> steps(List<Column> inputs, MapColumns columns) {
    if (columns.time() < 0) {
      if (times != null)
        throw new IllegalArgumentException(
            "--times %s: the model's inputs are %s, none of them a time; leave it out"
                .formatted(times, String.join(", ", inputs.stream().map(Column::name).toList())));
      return List.of(new TimeSteps.Step(0, ""));
    }
    Column time = inputs.get(columns.time());
    String asked = times;
    if (asked == null)
      throw new IllegalArgumentException(
          "the model also has the input '%s', and a map needs its values; pass --times %s"
              .formatted(
                  time.name(), time.time().isPresent() ? "2024-01-01/2024-12-31/P1M" : "0/10/1"));
    return Named.of("--times", () -> TimeSteps.parse(asked, time));
  }

  /// The coordinate system of the model's coordinates.
  private Optional<Crs> system(Optional<Place> place) {
    Optional<Crs> own =
        place.map(Place::system).filter(text -> !text.equals("local")).map(Crs::parse);
    String crs = matched("--crs", "none");
    if (Set.of("none", "local").contains(crs.strip().toLowerCase(Locale.ROOT))) return own;
    Crs given = Named.of("--crs", () -> Crs.parse(crs));
    if (own.isPresent() && !own.get().equals(given))
      throw new IllegalArgumentException(
          "--crs %s: the model's coordinates are in %s; leave it out, and use --out-crs for the map"
              .formatted(crs, own.get()));
    return Optional.of(given);
  }

  private @Nullable Layer mask(Frame frame, @Nullable Polygons polygons, List<Raster> opened)
      throws IOException {
    Path file = mask;
    if (file == null) return null;
    if (polygons != null) return Named.of("--mask", () -> Layers.mask(polygons, frame));
    Raster raster = Named.raster("--mask", file, frame.crs());
    opened.add(raster);
    remarkSystem("--mask", raster, frame);
    return Layers.mask("--mask", raster, frame);
  }

  /// If the map has a coordinate system, remarks that a raster does not name one.
  private void remarkSystem(String option, Raster raster, Frame frame) {
    if (frame.crs().isEmpty() || raster.frame().crs().isPresent() || !raster.system().isEmpty())
      return;
    remark(
        spec.commandLine().getErr(),
        "%s: the raster '%s' names no coordinate system; %s, that of the map, is assumed",
        option,
        raster.file(),
        frame.crs().get());
  }

  /// The polygons of the mask; null if there is no mask or it is a raster, which is checked to be
  /// readable.
  private @Nullable Polygons polygons() throws IOException {
    Path file = mask;
    if (file == null) return null;
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "--mask: there is no file '%s'; name a raster, or polygons as .geojson".formatted(file));
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".geojson") || name.endsWith(".json")) {
      try {
        return Polygons.read(file);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--mask: " + e.getMessage(), e);
      }
    }
    Named.raster("--mask", file, Optional.empty()).close();
    return null;
  }

  /// Prints a remark beside the results.
  static void remark(PrintWriter err, String format, Object... values) {
    err.printf(Locale.ROOT, "lovelace: " + format + "%n", values);
    err.flush();
  }
}
