package lovelace.maps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Uses rasters as layers of a map. They may be in another coordinate system.
public final class Layers {

  /// The number of places along a side that are tried to see whether a raster has values on a map.
  private static final int PROBES = 64;

  private Layers() {}

  /// A covariate: the only band of a raster or the one with the covariate's name, bilinear between
  /// the centres of its pixels.
  ///
  /// @throws IllegalArgumentException if the raster has no value on the map, or the relation of its
  ///   coordinates to those of the map is not known
  public static Layer covariate(String name, Raster raster, Frame map) {
    String option = "--drift " + name;
    int band = raster.band(name);
    Crs.Transform transform = transform(option, raster, map);
    Layer layer =
        places -> {
          try {
            return raster.sample(band, null, turned(transform, places));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    requireValues(option, raster, map, transform, layer);
    return layer;
  }

  /// A mask: the first band of a raster, at the pixel that contains a place.
  ///
  /// @throws IllegalArgumentException as for [#covariate]
  public static Layer mask(String option, Raster raster, Frame map) {
    Crs.Transform transform = transform(option, raster, map);
    Layer layer =
        places -> {
          try {
            return raster.nearest(0, turned(transform, places));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    requireValues(option, raster, map, transform, layer);
    return layer;
  }

  /// A mask of polygons: 1 inside and 0 elsewhere. If the map's system is not known, they are in
  /// the map's own coordinates; otherwise see [Polygons#system].
  public static Layer mask(Polygons polygons, Frame map) {
    Crs.Transform transform = null;
    if (map.crs().isPresent()) {
      Crs own = polygons.system(map.crs().get());
      if (!own.equals(map.crs().get())) transform = map.crs().get().to(own);
    }
    Crs.Transform there = transform;
    boolean degrees = map.crs().map(crs -> polygons.system(crs).isGeographic()).orElse(false);
    var strips = new Strips(polygons.polygons(), degrees);
    Layer layer = places -> strips.at(turned(there, places));
    double[] spread = new double[2 * PROBES * PROBES];
    for (int i = 0; i < PROBES * PROBES; i++) {
      spread[2 * i] = map.west() + (i % PROBES + 0.5) / PROBES * (map.east() - map.west());
      spread[2 * i + 1] = map.south() + (i / PROBES + 0.5) / PROBES * (map.north() - map.south());
    }
    boolean apart = there != null || map.crs().isPresent();
    if (!strips.meets(turned(there, spread)))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the polygons cover %s, but the map covers %s to %s, %s to %s%s; give polygons of this place%s",
              strips,
              Extent.number(map.west()),
              Extent.number(map.east()),
              Extent.number(map.south()),
              Extent.number(map.north()),
              system(map),
              apart ? "" : ", or name the coordinate system of the model with --crs"));
    return layer;
  }

  private static double[] turned(Crs.@Nullable Transform transform, double[] places) {
    if (transform == null) return places;
    double[] own = places.clone();
    transform.apply(own, own.length / 2);
    return own;
  }

  /// The transform from the map to the raster; null if they are in the same system, or neither
  /// system is known.
  private static Crs.@Nullable Transform transform(String option, Raster raster, Frame map) {
    Optional<Crs> own = raster.frame().crs();
    if (own.isEmpty() && map.crs().isPresent() && !raster.system().isEmpty())
      throw new IllegalArgumentException(
          "%s: the raster '%s' is in the coordinate system '%s', which is not known, and the map is in '%s'; write the raster's WKT to '%s' (gdalsrsinfo -o wkt2), or transform it (gdalwarp -t_srs)"
              .formatted(
                  option,
                  raster.file(),
                  raster.system(),
                  map.crs().get(),
                  Raster.sidecar(raster.file(), ".wkt")));
    if (own.isEmpty() || map.crs().isEmpty() || own.get().equals(map.crs().get())) return null;
    return map.crs().get().to(own.get());
  }

  /// Tries places spread over the overlap of map and raster. Fails if none has a value.
  private static void requireValues(
      String option, Raster raster, Frame map, Crs.@Nullable Transform transform, Layer layer) {
    Frame own = raster.frame();
    Extent box = Extent.of(own.west(), own.south(), own.east(), own.north());
    if (transform != null)
      box = box.transformed(own.crs().orElseThrow().to(map.crs().orElseThrow()));
    double south = Math.max(map.south(), box.south());
    double north = Math.min(map.north(), box.north());
    for (double turn : map.turns()) {
      double west = Math.max(map.west(), box.west() + turn);
      double east = Math.min(map.east(), box.east() + turn);
      if (!(west < east && south < north)) continue;
      double[] places = new double[2 * PROBES * PROBES];
      for (int i = 0; i < PROBES * PROBES; i++) {
        places[2 * i] = west + (i % PROBES + 0.5) / PROBES * (east - west);
        places[2 * i + 1] = south + (i / PROBES + 0.5) / PROBES * (north - south);
      }
      if (Arrays.stream(layer.at(places)).anyMatch(Double::isFinite)) return;
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: the raster '%s' has no value anywhere on the map; it covers %s to %s, %s to %s%s, but the map covers %s to %s, %s to %s%s; give a raster of this place, and say the coordinate systems of both (--crs for the model)",
            option,
            raster.file(),
            Extent.number(own.west()),
            Extent.number(own.east()),
            Extent.number(own.south()),
            Extent.number(own.north()),
            system(own),
            Extent.number(map.west()),
            Extent.number(map.east()),
            Extent.number(map.south()),
            Extent.number(map.north()),
            system(map)));
  }

  private static String system(Frame frame) {
    return frame.crs().map(crs -> " in " + crs).orElse(" in an unknown coordinate system");
  }
}
