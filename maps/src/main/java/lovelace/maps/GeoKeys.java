package lovelace.maps;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.apache.sis.coverage.grid.GridCoverageBuilder;
import org.apache.sis.coverage.grid.GridExtent;
import org.apache.sis.coverage.grid.GridGeometry;
import org.apache.sis.coverage.grid.GridOrientation;
import org.apache.sis.geometry.GeneralEnvelope;
import org.apache.sis.storage.DataStore;
import org.apache.sis.storage.DataStoreException;
import org.apache.sis.storage.DataStores;
import org.apache.sis.storage.MemoryGridCoverageResource;
import org.apache.sis.storage.WritableAggregate;

/// Reads and writes the coordinate system of a GeoTIFF: by its EPSG code if it has one, otherwise
/// by projection, parameters and ellipsoid. This class handles codes itself. For a system without a
/// code, Apache SIS writes the keys.
final class GeoKeys {

  private static final int MODEL_TYPE = 1024;
  private static final int RASTER_TYPE = 1025;
  private static final int CITATION = 1026;
  private static final int GEOGRAPHIC_TYPE = 2048;
  private static final int PROJECTED_TYPE = 3072;
  private static final int PROJECTED = 1;
  private static final int GEOGRAPHIC = 2;
  private static final int AREA = 1;
  private static final int POINT = 2;
  private static final int USER_DEFINED = 32_767;

  private GeoKeys() {}

  /// Adds the keys of a coordinate system to a directory.
  static void write(Crs crs, TiffDirectory directory) throws IOException {
    OptionalInt code = crs.epsg();
    if (code.isEmpty()) writeDefinition(crs, directory);
    else
      directory.shorts(
          TiffDirectory.GEO_KEYS,
          words(
              new int[] {1, 1, 1, 3},
              new int[] {MODEL_TYPE, 0, 1, crs.isGeographic() ? GEOGRAPHIC : PROJECTED},
              new int[] {RASTER_TYPE, 0, 1, AREA},
              new int[] {
                crs.isGeographic() ? GEOGRAPHIC_TYPE : PROJECTED_TYPE, 0, 1, code.getAsInt()
              }));
  }

  private static int[] words(int[]... rows) {
    int[] words = new int[4 * rows.length];
    for (int i = 0; i < rows.length; i++) System.arraycopy(rows[i], 0, words, 4 * i, 4);
    return words;
  }

  /// Lets Apache SIS write one pixel in this system, and copies its keys.
  private static void writeDefinition(Crs crs, TiffDirectory directory) throws IOException {
    var extent = new GeneralEnvelope(crs.system());
    extent.setRange(0, 0, 1);
    extent.setRange(1, 0, 1);
    var pixel =
        new GridCoverageBuilder()
            .setDomain(new GridGeometry(new GridExtent(1, 1), extent, GridOrientation.REFLECTION_Y))
            .setValues(new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_GRAY))
            .build();
    Path folder = Files.createTempDirectory("lovelace-");
    Path file = folder.resolve("pixel.tif");
    try {
      try (DataStore store = DataStores.openWritable(file, "GeoTIFF")) {
        ((WritableAggregate) store).add(new MemoryGridCoverageResource(null, null, pixel, null));
      }
      try (FileChannel channel = FileChannel.open(file)) {
        TiffDirectory written = TiffDirectory.read(channel);
        directory.copy(TiffDirectory.GEO_KEYS, written);
        directory.copy(TiffDirectory.GEO_DOUBLES, written);
        directory.copy(TiffDirectory.GEO_TEXT, written);
      }
    } catch (DataStoreException e) {
      throw new IllegalArgumentException(
          "a GeoTIFF cannot hold the coordinate system '%s': %s; give one with an EPSG code in its WKT"
              .formatted(crs, e.getMessage()),
          e);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /// The EPSG code that a GeoTIFF names.
  static OptionalInt code(TiffDirectory directory) {
    int type = key(directory, MODEL_TYPE);
    int code =
        type == GEOGRAPHIC
            ? key(directory, GEOGRAPHIC_TYPE)
            : type == PROJECTED ? key(directory, PROJECTED_TYPE) : 0;
    return code <= 0 || code >= USER_DEFINED ? OptionalInt.empty() : OptionalInt.of(code);
  }

  /// Whether a GeoTIFF gives any information on its coordinate system.
  static boolean named(TiffDirectory directory) {
    return key(directory, MODEL_TYPE) > 0;
  }

  /// Whether the corner of a GeoTIFF is the centre of its first pixel.
  static boolean isPoint(TiffDirectory directory) {
    return key(directory, RASTER_TYPE) == POINT;
  }

  /// The name of the coordinate system in a GeoTIFF.
  static String citation(TiffDirectory directory) {
    long[] keys = directory.numbers(TiffDirectory.GEO_KEYS);
    String text = directory.text(TiffDirectory.GEO_TEXT);
    for (int i = 4; text != null && i + 3 < keys.length; i += 4) {
      if (keys[i] != CITATION || keys[i + 1] != TiffDirectory.GEO_TEXT) continue;
      int from = (int) Math.min(keys[i + 3], text.length());
      int to = (int) Math.min(from + keys[i + 2], text.length());
      return text.substring(from, to).replace('|', ' ').strip();
    }
    return "unnamed";
  }

  private static int key(TiffDirectory directory, int id) {
    long[] keys = directory.numbers(TiffDirectory.GEO_KEYS);
    for (int i = 4; i + 3 < keys.length; i += 4)
      if (keys[i] == id && keys[i + 1] == 0) return (int) keys[i + 3];
    return 0;
  }
}
