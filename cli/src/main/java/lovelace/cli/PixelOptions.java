package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import lovelace.Model;
import lovelace.maps.Crs;
import lovelace.maps.Extent;
import lovelace.maps.Frame;
import lovelace.maps.MapColumns;
import lovelace.maps.Raster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that choose the pixels of a map.
final class PixelOptions {

  @Option(
      names = "--extent",
      paramLabel = "WEST,SOUTH,EAST,NORTH",
      description =
          "The edges of the map, in its coordinate system (default: the extent of the data).")
  private @Nullable String extent;

  @Option(
      names = "--resolution",
      paramLabel = "R[,R]",
      description =
          "The width of a pixel, and its height if that differs (default: the spacing of data "
              + "on a grid, otherwise squares with 500 pixels along the longer side).")
  private @Nullable String resolution;

  @Option(
      names = "--like",
      paramLabel = "FILE",
      description = "Use the pixels and coordinate system of this raster.")
  private @Nullable Path like;

  @Option(
      names = "--out-crs",
      paramLabel = "CODE|WKT",
      description =
          "The coordinate system of the map: a code such as EPSG:25832, WKT, or a .wkt or .prj "
              + "file (default: that of --like, otherwise that of the model).")
  private @Nullable String system;

  /// Refuses options that exclude each other, texts that are not numbers, and files that cannot be
  /// read.
  void check() throws IOException {
    String other =
        extent != null
            ? "--extent"
            : resolution != null ? "--resolution" : system != null ? "--out-crs" : "";
    if (like != null && !other.isEmpty())
      throw new IllegalArgumentException(
          "--like takes the pixels of '%s', and %s asks for others; leave out one of the two"
              .formatted(like, other));
    if (extent != null) extent(extent);
    size();
    String asked = system;
    if (asked != null) Named.check("--out-crs", () -> Crs.parse(asked));
    if (like != null) Named.raster("--like", like, Optional.empty()).close();
  }

  /// Refuses options that do not fit the map's system.
  ///
  /// @param own the coordinate system of the model's coordinates, if it is known
  void check(Optional<Crs> own) {
    Optional<Crs> out = system(own);
    if (extent == null || out.isEmpty() || !out.get().isGeographic()) return;
    Extent box = extent(extent);
    boolean lat = box.south() >= -90 && box.north() <= 90;
    if (lat && box.west() >= -360 && box.east() <= 360) return;
    boolean metres = Math.max(Math.abs(box.west()), Math.abs(box.east())) > 360;
    throw new IllegalArgumentException(
        "--extent %s: the map is in %s, where %s; %s"
            .formatted(
                extent,
                out.get(),
                lat
                    ? "longitudes lie from -360 to 360 degrees"
                    : "latitudes lie from -90 to 90 degrees",
                metres
                    ? "give degrees, or say the system of these numbers with --out-crs"
                    : "write west,south,east,north in degrees, or name another system with"
                        + " --out-crs"));
  }

  /// The coordinate system of the map.
  private Optional<Crs> system(Optional<Crs> own) {
    String asked = system;
    if (asked == null) return own;
    if (own.isEmpty())
      throw new IllegalArgumentException(
          "--out-crs %s: the coordinate system of the model is not known, so the map cannot be transformed; name the model's system with --crs"
              .formatted(system));
    return Optional.of(Named.of("--out-crs", () -> Crs.parse(asked)));
  }

  private static Extent extent(String text) {
    double[] edges = numbers("--extent", text, "west,south,east,north: 5.5,47,15,55");
    if (edges.length != 4)
      throw new IllegalArgumentException(
          "--extent needs four numbers west,south,east,north, got '%s'; write --extent 5.5,47,15,55"
              .formatted(text));
    return Named.of("--extent", () -> Extent.of(edges[0], edges[1], edges[2], edges[3]));
  }

  /// Width and height of a pixel; 0 if none is given.
  private double[] size() {
    if (resolution == null) return new double[2];
    double[] given = numbers("--resolution", resolution, "0.01, or 0.02,0.01 for width and height");
    for (double side : given)
      if (!(side > 0) || given.length > 2)
        throw new IllegalArgumentException(
            "--resolution must be one or two numbers > 0, got '%s'; write 0.01, or 0.02,0.01 for width and height"
                .formatted(resolution));
    return new double[] {given[0], given[given.length - 1]};
  }

  /// The numbers of a list with commas.
  static double[] numbers(String option, String text, String remedy) {
    String[] parts = text.split(",", -1);
    double[] values = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        values[i] = Double.parseDouble(parts[i].strip());
      } catch (NumberFormatException e) {
        values[i] = Double.NaN;
      }
      if (!Double.isFinite(values[i]))
        throw new IllegalArgumentException(
            "%s: '%s' is not a number; write %s".formatted(option, parts[i], remedy));
    }
    return values;
  }

  /// The pixels.
  ///
  /// @param own the coordinate system of the model's coordinates, if it is known
  Frame frame(Model model, MapColumns columns, Optional<Crs> own) throws IOException {
    if (like != null) return like(like, Extent.of(model, columns), own);
    check(own);
    Optional<Crs> out = system(own);
    Extent box = extent == null ? known(model, columns) : extent(extent);
    if (extent == null && own.isPresent() && !own.get().equals(out.orElseThrow()))
      box = box.transformed(own.get().to(out.orElseThrow()));
    double[] size = size();
    Extent all = box;
    return Named.of(
        resolution == null ? "--extent" : "--resolution", () -> all.frame(size[0], size[1], out));
  }

  /// The pixels of a raster. It must overlap the model's data.
  private static Frame like(Path file, Optional<Extent> data, Optional<Crs> own)
      throws IOException {
    try (Raster raster = Named.raster("--like", file, own)) {
      Frame frame = raster.frame();
      if (frame.crs().isEmpty() && own.isPresent()) {
        if (!raster.system().isEmpty())
          throw new IllegalArgumentException(
              "--like: the raster '%s' is in the coordinate system '%s', which is not known, and the model in %s; write its WKT to a file of the same name that ends in .wkt, or transform it (gdalwarp -t_srs)"
                  .formatted(file, raster.system(), own.get()));
        frame =
            new Frame(
                frame.west(),
                frame.north(),
                frame.dx(),
                frame.dy(),
                frame.width(),
                frame.height(),
                own);
      }
      Extent box = data.orElse(null);
      if (box != null && own.isPresent() && !own.get().equals(frame.crs().orElseThrow()))
        box = box.transformed(own.get().to(frame.crs().orElseThrow()));
      if (box != null && !frame.meets(box))
        throw new IllegalArgumentException(
            "--like: the raster '%s' covers %s%s, and the model's data lie outside it, at %s%s; give a raster that covers the data, or %s"
                .formatted(
                    file,
                    Extent.of(frame.west(), frame.south(), frame.east(), frame.north()),
                    frame.crs().map(crs -> " in " + crs).orElse(""),
                    box,
                    own.isPresent() ? "" : " in an unknown coordinate system",
                    own.isPresent()
                        ? "check --crs"
                        : "name the model's coordinate system with --crs"));
      return frame;
    }
  }

  private static Extent known(Model model, MapColumns columns) {
    return Extent.of(model, columns)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the model does not know where its data lie; give --extent"
                        + " west,south,east,north"));
  }
}
