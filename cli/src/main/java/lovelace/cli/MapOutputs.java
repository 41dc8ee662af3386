package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.io.AtomicFile;
import lovelace.maps.Contours;
import lovelace.maps.Frame;
import lovelace.maps.MapBand;
import lovelace.maps.MapColumns;
import lovelace.maps.MapFiles;
import lovelace.maps.MapJob;
import lovelace.maps.MapRun;
import lovelace.maps.Overview;
import lovelace.maps.RasterWriter;
import lovelace.maps.TimeSteps;
import lovelace.plot.Pictures;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Writes all files of a map from one computation.
final class MapOutputs {

  private static final String TIME = "{time}";
  private static final List<String> ENDINGS = List.of(".tif", ".tiff", ".png", ".html", ".geojson");

  /// The most pixels along a side of pictures and pages, and of all their bands together.
  private static final int SIDE = 1_000;

  private static final double TOGETHER = 12e6;
  private static final int LINES = 10;

  /// A file and the times that it shows: `count` times from number `first` on.
  private record Target(Path file, String ending, int first, int count) {
    boolean isRaster() {
      return ending.startsWith(".tif");
    }
  }

  private final List<Path> named;
  private final int lines; // number of levels; 0 for none or given levels
  private final double[] levels;

  private MapOutputs(List<Path> named, int lines, double[] levels) {
    this.named = named;
    this.lines = lines;
    this.levels = levels;
  }

  /// Reads which files were asked for. Refuses those that cannot be written before any work is
  /// done.
  static MapOutputs of(List<Path> named, @Nullable String contours) {
    for (Path file : named) {
      ending(file);
      Output.checkFolder("--out", file);
      if (named.indexOf(file) != named.lastIndexOf(file))
        throw new IllegalArgumentException("--out names '%s' twice".formatted(file));
    }
    List<String> endings = named.stream().map(MapOutputs::ending).toList();
    if (contours == null) return new MapOutputs(named, 0, new double[0]);
    if (!endings.contains(".geojson") && !endings.contains(".html"))
      throw new IllegalArgumentException(
          "--contours makes lines for .geojson and .html, and --out names none; add --out lines.geojson");
    double[] values =
        PixelOptions.numbers("--contours", contours, "10 for ten lines, or 5,10,20 for values");
    if (values.length > 1 || contours.contains(".")) return new MapOutputs(named, 0, values);
    if (!(values[0] >= 1 && values[0] <= 1_000))
      throw new IllegalArgumentException(
          "--contours must be 1 to 1,000 lines, or values, got '%s'; a single value has a decimal point, as in 0.0"
              .formatted(contours));
    return new MapOutputs(named, (int) values[0], new double[0]);
  }

  private static String ending(Path file) {
    String lower = file.toString().toLowerCase(Locale.ROOT);
    return ENDINGS.stream()
        .filter(lower::endsWith)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--out '%s' must end in .tif, .png, .html or .geojson".formatted(file)));
  }

  /// Computes the map, writes all files, and reports the result.
  void write(
      CommandSpec spec,
      Model model,
      MapColumns columns,
      MapJob job,
      Map<String, Object> found,
      boolean json)
      throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    long start = System.nanoTime();
    List<Target> targets = targets(job.asked().times());
    String label = Pictures.label(model, job.asked().of());
    List<String> descriptions = job.descriptions(label);
    int quantities = job.asked().bands().size();
    boolean drawn = targets.stream().anyMatch(t -> !t.isRaster());
    int side = (int) Math.min(SIDE, Math.sqrt(TOGETHER / job.bands()));
    refuseTooLarge(job, targets);
    Overview overview = drawn ? new Overview(job.frame(), job.bands(), side) : null;
    List<RasterWriter> writers = new ArrayList<>();
    List<MapRun.Sink> sinks = new ArrayList<>();
    long work;
    try (var progress = new MapWork(err, job, targets.stream().filter(Target::isRaster).count())) {
      sinks.add((c, r, tile) -> refuseEmpty(job, c, r)); // before the last tile is written
      for (Target target : targets) {
        if (!target.isRaster()) continue;
        int from = target.first * quantities;
        int to = from + target.count * quantities;
        RasterWriter writer = writer(target.file, job.frame(), descriptions.subList(from, to));
        writers.add(writer);
        sinks.add((c, r, tile) -> writer.write(c, r, Arrays.copyOfRange(tile, from, to)));
      }
      if (overview != null)
        sinks.add(
            (c, r, tile) ->
                overview.add(
                    c * RasterWriter.TILE, r * RasterWriter.TILE, RasterWriter.TILE, tile));
      long begun = System.nanoTime();
      MapRun.run(job, sinks, progress);
      for (RasterWriter writer : writers) writer.close();
      work = System.nanoTime() - begun;
    } finally {
      for (RasterWriter writer : writers) writer.close(); // removes a file that is not complete
    }
    if (overview != null) {
      MapFiles files = files(model, columns, job, label);
      for (Target target : targets) draw(target, files, overview, err);
    }
    double seconds = (System.nanoTime() - start) * 1e-9;
    double rate = (double) job.frame().width() * job.frame().height() / (work * 1e-9);
    if (json) print(spec, job, targets, descriptions, found, seconds, rate);
    else report(spec, job, targets, descriptions, seconds, rate);
  }

  private static RasterWriter writer(Path file, Frame frame, List<String> descriptions)
      throws IOException {
    try {
      return RasterWriter.create(file, frame, descriptions);
    } catch (FileSystemException e) {
      throw new IllegalArgumentException(
          "--out '%s' cannot be written%s; name a file in a folder that you can write to"
              .formatted(file, e.getReason() == null ? "" : ": " + e.getReason()),
          e);
    }
  }

  /// Refuses a map that is too large for memory or disk. Packing shrinks predictions to a quarter
  /// of their size, and never to an eighth, unless a mask leaves out most of them.
  private static void refuseTooLarge(MapJob job, List<Target> targets) throws IOException {
    long needed = MapRun.bytes(job);
    long most = Runtime.getRuntime().maxMemory();
    if (needed > most / 2)
      throw new IllegalArgumentException(
          "a map of %s needs %s of memory, and half of Java's is %s; give a coarser --resolution, a smaller --extent or fewer bands"
              .formatted(job, ModelReport.size(needed), ModelReport.size(most / 2)));
    double pixels = (double) job.frame().width() * job.frame().height();
    for (Target target : targets) {
      Path folder = target.file.toAbsolutePath().getParent();
      if (!target.isRaster() || folder == null || job.asked().mask() != null) continue;
      double least = pixels * target.count * job.asked().bands().size() * 4 / 8;
      long free = Files.getFileStore(folder).getUsableSpace();
      if (least > free)
        throw new IllegalArgumentException(
            "--out %s: a map of %s is a file of %s or more, and the disk has %s; give a coarser --resolution, a smaller --extent or fewer bands"
                .formatted(
                    target.file, job, ModelReport.size((long) least), ModelReport.size(free)));
    }
  }

  /// Refuses a map without any value. This is known at the last tile.
  private static void refuseEmpty(MapJob job, int column, int row) {
    Frame frame = job.frame();
    boolean last =
        (column + 1L) * RasterWriter.TILE >= frame.width()
            && (row + 1L) * RasterWriter.TILE >= frame.height();
    long all = (long) frame.width() * frame.height();
    if (!last || job.empty() < all) return;
    throw new IllegalArgumentException(
        job.uncovered() > 0
            ? String.format(
                Locale.ROOT,
                "no pixel of the map has a value: at %,d of %,d pixels a raster of --drift has none; give rasters that cover the map",
                job.uncovered(),
                all)
            : job.outside() == 0
                ? "no pixel of the map has a value: the mask leaves none, or all lie more than 90° from the model's data; give another --mask or --extent"
                : String.format(
                    Locale.ROOT,
                    "no pixel of the map has a value: %,d of %,d lie beyond the model's grid; give another --extent or --mask, or leave out --inside",
                    job.outside(),
                    all));
  }

  /// Refuses file names that do not fit the times.
  void check(List<TimeSteps.Step> times) {
    targets(times);
  }

  /// The files. A name that asks for the time gives one file per time.
  private List<Target> targets(List<TimeSteps.Step> times) {
    List<Target> all = new ArrayList<>();
    for (Path file : named) {
      String name = file.toString();
      if (!name.contains(TIME)) {
        all.add(new Target(file, ending(file), 0, times.size()));
        continue;
      }
      if (times.getFirst().label().isEmpty())
        throw new IllegalArgumentException(
            "--out '%s' has {time} in its name, and the model has no time; leave it out"
                .formatted(file));
      for (int t = 0; t < times.size(); t++) {
        String label = times.get(t).label().replace(":", "");
        all.add(new Target(Path.of(name.replace(TIME, label)), ending(file), t, 1));
      }
    }
    List<Path> files = all.stream().map(Target::file).toList();
    for (Path file : files)
      if (files.indexOf(file) != files.lastIndexOf(file))
        throw new IllegalArgumentException(
            "--times names a time twice, and both would go to '%s'".formatted(file));
    return all;
  }

  private static MapFiles files(Model model, MapColumns columns, MapJob job, String label) {
    Frame frame = job.frame();
    Column east = model.columns().get(columns.east());
    Column north = model.columns().get(columns.north());
    boolean degrees = frame.crs().map(crs -> crs.isGeographic()).orElse(false);
    boolean plane = frame.crs().isPresent() && !degrees;
    double metres =
        plane
            ? frame.crs().get().metres()
            : east.unit().equals("m") ? 1 : east.unit().equals("km") ? 1000 : 0;
    boolean named = plane && (east.unit().isEmpty() || model.place().isEmpty());
    String unit = metres == 1 ? " (m)" : "";
    String target = model.target().name();
    List<String> names = new ArrayList<>();
    for (MapBand band : job.asked().bands()) names.add(band.describe(label, job.exceeded()));
    return new MapFiles(
        "Map of " + (model.window().isPresent() ? "the intensity of " + target : target),
        String.format(
            Locale.ROOT,
            "%,d %s; %,d × %,d pixels%s",
            model.count(),
            model.window().isPresent() ? "events" : "rows",
            frame.width(),
            frame.height(),
            frame.crs().map(crs -> ", " + crs).orElse("")),
        degrees ? "longitude (°)" : named ? "east" + unit : east.label(),
        degrees ? "latitude (°)" : named ? "north" + unit : north.label(),
        metres,
        names,
        job.asked().bands(),
        job.asked().times().stream().map(TimeSteps.Step::label).toList());
  }

  private void draw(Target target, MapFiles all, Overview overview, PrintWriter err)
      throws IOException {
    MapFiles own = all.at(all.times().subList(target.first, target.first + target.count));
    switch (target.ending) {
      case ".png" -> {
        if (overview.frame().width() < 2 || overview.frame().height() < 2)
          throw new IllegalArgumentException(
              "--out %s: a picture needs at least 2 pixels each way; give a finer --resolution"
                  .formatted(target.file));
        own.picture(overview, target.first).write(target.file);
      }
      case ".html" -> {
        List<List<Contours.Line>> contours =
            lines > 0 || levels.length > 0
                ? own.contours(overview, target.first, lines, levels)
                : List.of();
        AtomicFile.write(
            target.file,
            own.page(overview, target.first, contours).getBytes(StandardCharsets.UTF_8));
      }
      case ".geojson" -> {
        List<List<Contours.Line>> contours =
            own.contours(overview, target.first, lines == 0 ? LINES : lines, levels);
        if (overview.frame().crs().isEmpty())
          MapCommand.remark(
              err,
              "%s is in the model's coordinates; with --crs it is in longitude and latitude, as GeoJSON should be",
              target.file);
        if (contours.stream().allMatch(List::isEmpty))
          MapCommand.remark(
              err,
              "%s has no lines, because no level lies between two values of the map; choose other levels with --contours",
              target.file);
        AtomicFile.write(
            target.file, own.geoJson(overview, contours).getBytes(StandardCharsets.UTF_8));
      }
      default -> {} // a raster, which is already written
    }
  }

  private static void report(
      CommandSpec spec,
      MapJob job,
      List<Target> targets,
      List<String> descriptions,
      double seconds,
      double rate)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Frame frame = job.frame();
    ModelReport.line(
        out,
        "map",
        "%,d × %,d pixels of %.6g × %.6g, %.8g to %.8g east, %.8g to %.8g north%s",
        frame.width(),
        frame.height(),
        frame.dx(),
        frame.dy(),
        frame.west(),
        frame.east(),
        frame.south(),
        frame.north(),
        frame
            .crs()
            .map(crs -> ", " + crs)
            .orElse(", coordinate system unknown (name it with --crs)"));
    int shown = Math.min(descriptions.size(), 6);
    ModelReport.line(
        out,
        "bands",
        "%s%s",
        String.join("; ", descriptions.subList(0, shown)),
        shown < descriptions.size()
            ? String.format(Locale.ROOT, "; … %,d in all", descriptions.size())
            : "");
    if (job.outside() > 0)
      ModelReport.line(
          out,
          "outside",
          job.asked().inside()
              ? "%,d pixels beyond the model's grid have no value"
              : "%,d pixels lie beyond the model's grid; --inside leaves them out",
          job.outside());
    if (job.far() > 0)
      ModelReport.line(
          out,
          "far",
          "%,d of %,d pixels are so far from the data%s that the map shows only the prior mean of the model there",
          job.far(),
          (long) frame.width() * frame.height(),
          job.asked().times().getFirst().label().isEmpty() ? "" : ", at some of the times,");
    if (job.uncovered() > 0)
      ModelReport.line(
          out,
          "covariates",
          "%,d pixels have no value, because a raster has none",
          job.uncovered());
    if (job.empty() > 0) ModelReport.line(out, "no value", "%,d pixels", job.empty());
    for (Target target : targets)
      ModelReport.line(
          out, "file", "%s, %s", target.file, ModelReport.size(Files.size(target.file)));
    ModelReport.line(out, "made", "in %.2f s, %,.0f pixels a second", seconds, rate);
  }

  private static void print(
      CommandSpec spec,
      MapJob job,
      List<Target> targets,
      List<String> descriptions,
      Map<String, Object> found,
      double seconds,
      double rate) {
    Frame frame = job.frame();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("width", frame.width());
    all.put("height", frame.height());
    all.put("extent", List.of(frame.west(), frame.south(), frame.east(), frame.north()));
    all.put("resolution", List.of(frame.dx(), frame.dy()));
    frame.crs().ifPresent(crs -> all.put("crs", crs.toString()));
    all.put("bands", descriptions);
    all.put("pixels_outside", job.outside());
    all.put("pixels_far_from_data", job.far());
    all.put("pixels_without_covariate", job.uncovered());
    all.put("pixels_without_value", job.empty());
    all.put(
        "files",
        IntStream.range(0, targets.size()).mapToObj(i -> targets.get(i).file.toString()).toList());
    all.put("seconds", seconds);
    all.put("pixels_per_second", rate);
    if (!found.isEmpty()) all.put("fit", found);
    spec.commandLine().getOut().println(Json.of(all));
  }
}
