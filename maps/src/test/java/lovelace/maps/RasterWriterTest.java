package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// GDAL and rasterio read the files of [RasterWriter].
final class RasterWriterTest {

  private static final int TILE = RasterWriter.TILE;

  /// The WKT of a projection without a code.
  static String projection(String name, String parameters) {
    return """
        PROJCS["Somewhere",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],
        PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["%s"],%s,
        PARAMETER["false_easting",300000],PARAMETER["false_northing",200000],UNIT["metre",1]]"""
        .formatted(name, parameters.replaceAll("([a-z_0-9]+)=([0-9.]+)", "PARAMETER[\"$1\",$2]"));
  }

  @TempDir Path folder;

  /// Bands of random pixels, some without a value.
  private static float[][] random(Frame frame, int bands, long seed) {
    var random = new SplittableRandom(seed);
    float[][] values = new float[bands][frame.width() * frame.height()];
    for (float[] band : values)
      for (int i = 0; i < band.length; i++)
        band[i] = random.nextInt(5) == 0 ? Float.NaN : (float) random.nextDouble(-1e6, 1e6);
    return values;
  }

  static void write(RasterWriter writer, Frame frame, float[][] values) throws IOException {
    int across = (frame.width() + TILE - 1) / TILE;
    int down = (frame.height() + TILE - 1) / TILE;
    for (int row = 0; row < down; row++)
      for (int column = 0; column < across; column++) {
        float[][] tile = new float[values.length][TILE * TILE];
        for (int band = 0; band < values.length; band++)
          for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++) {
              int px = column * TILE + x;
              int py = row * TILE + y;
              // what lies outside must not matter
              tile[band][y * TILE + x] =
                  px < frame.width() && py < frame.height()
                      ? values[band][py * frame.width() + px]
                      : 7e7f;
            }
        writer.write(column, row, tile);
      }
  }

  private Path write(String name, Frame frame, List<String> bands, float[][] values, boolean big)
      throws IOException {
    Path file = folder.resolve(name);
    try (var writer = RasterWriter.create(file, frame, bands, new RasterWriter.Form(big, 1))) {
      write(writer, frame, values);
    }
    return file;
  }

  /// A level of overviews from the definition: means of the pixels with a value among four.
  private static float[] halved(float[] values, int width, int height) {
    int w = (width + 1) / 2;
    float[] half = new float[w * ((height + 1) / 2)];
    for (int i = 0; i < half.length; i++) {
      double sum = 0;
      int count = 0;
      for (int y = i / w * 2; y < Math.min(height, i / w * 2 + 2); y++)
        for (int x = i % w * 2; x < Math.min(width, i % w * 2 + 2); x++)
          if (!Float.isNaN(values[y * width + x])) {
            sum += values[y * width + x];
            count++;
          }
      half[i] = count == 0 ? Float.NaN : (float) (sum / count);
    }
    return half;
  }

  @Needs("gdal")
  @ParameterizedTest
  @CsvSource({
    "1,1,1,false",
    "255,257,2,true",
    "256,512,3,false",
    "700,513,2,false",
    "1500,3,1,true"
  })
  void gdalReadsEveryPixelAndEveryOverview(int width, int height, int bands, boolean big)
      throws Exception {
    long seed = 31L * width + height;
    var frame =
        new Frame(
            -123.456,
            4_999_987.25,
            30.5,
            0.125,
            width,
            height,
            Optional.of(Crs.parse("EPSG:32632")));
    float[][] values = random(frame, bands, seed);
    List<String> names = new ArrayList<>();
    for (int band = 0; band < bands; band++)
      names.add("2024-02-%s <mean> & \"süd\"".formatted(28 + band));
    Path file = write("a.tif", frame, names, values, big);
    assertEquals(big ? 43 : 42, Files.readAllBytes(file)[2]);

    JsonNode info = Gdal.info(file);
    assertEquals("[%s,%s]".formatted(width, height), info.get("size").toString());
    double[] expected = {-123.456, 30.5, 0, 4_999_987.25, 0, -0.125};
    for (int i = 0; i < 6; i++)
      assertEquals(expected[i], info.get("geoTransform").get(i).asDouble());
    String wkt = info.get("coordinateSystem").get("wkt").asText();
    assertTrue(wkt.endsWith("ID[\"EPSG\",32632]]"), wkt);
    assertEquals(bands, info.get("bands").size());
    assertPixels(values, Gdal.pixels(file), "seed " + seed);
    for (int band = 0; band < bands; band++) {
      JsonNode said = info.get("bands").get(band);
      assertEquals(names.get(band), said.get("description").asText());
      assertEquals("NaN", said.get("noDataValue").asText());
      assertEquals("Float32", said.get("type").asText());
      assertEquals(overviews(width, height), said.path("overviews").size());
    }
    int w = width;
    int h = height;
    for (int k = 0; k < overviews(width, height); k++) {
      for (int band = 0; band < bands; band++) values[band] = halved(values[band], w, h);
      w = (w + 1) / 2;
      h = (h + 1) / 2;
      JsonNode size = info.get("bands").get(0).get("overviews").get(k).get("size");
      assertEquals("[%s,%s]".formatted(w, h), size.toString());
      double[] read = Gdal.pixels(file, "-oo", "OVERVIEW_LEVEL=" + k);
      assertPixels(values, read, "overview " + k + ", seed " + seed);
    }
  }

  /// Halves until all fits in a tile.
  private static int overviews(int width, int height) {
    int count = 0;
    while (Math.max(width, height) > TILE << count) count++;
    return count;
  }

  private static void assertPixels(float[][] expected, double[] read, String message) {
    assertEquals(expected.length * expected[0].length, read.length);
    for (int i = 0; i < read.length; i++)
      assertEquals(
          expected[i / expected[0].length][i % expected[0].length], (float) read[i], message);
  }

  @Test
  @Needs("rasterio")
  void rasterioReadsPixelsAcrossTheEdgeOfATile() throws Exception {
    var frame = new Frame(-10, 60, 0.01, 0.02, 600, 300, Optional.of(Crs.parse("EPSG:4326")));
    long seed = 5;
    float[][] values = random(frame, 2, seed);
    Path file = write("b.tif", frame, List.of("mean", "sd"), values, false);
    var points = new StringBuilder();
    List<int[]> places = new ArrayList<>();
    for (int y : new int[] {0, 254, 255, 256, 257, 299})
      for (int x : new int[] {0, 254, 255, 256, 257, 511, 512, 599}) {
        places.add(new int[] {x, y});
        points.append("[%s, %s]\n".formatted(frame.x(x), frame.y(y)));
      }
    Path rasterio = Programs.require("rasterio");
    List<String> lines =
        Gdal.run(rasterio, points.toString(), "sample", file.toString()).lines().toList();
    assertEquals(places.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      int at = places.get(i)[1] * 600 + places.get(i)[0];
      String[] read = lines.get(i).replaceAll("[\\[\\] ]", "").split(",", -1);
      for (int band = 0; band < 2; band++)
        assertEquals(values[band][at], Float.parseFloat(read[band]), "seed " + seed);
    }
    JsonNode info =
        new ObjectMapper()
            .readTree(Gdal.run(rasterio, "", "info", file.toString()).replace("NaN", "\"NaN\""));
    assertEquals("EPSG:4326", info.get("crs").asText());
    assertEquals("[\"mean\",\"sd\"]", info.get("descriptions").toString());
    assertEquals("NaN", info.get("nodata").asText());
    assertEquals("[0.01,0.02]", info.get("res").toString());
    assertEquals(-10, info.get("bounds").get(0).asDouble());
    assertEquals(60, info.get("bounds").get(3).asDouble());
  }

  @Needs("gdal")
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "EPSG:3857;",
        "EPSG:25833;",
        "EPSG:4258;",
        "Lambert_Conformal_Conic_2SP; latitude_of_origin=42,central_meridian=7,standard_parallel_1=41,standard_parallel_2=45",
        "Transverse_Mercator; latitude_of_origin=42,central_meridian=7,scale_factor=0.9999",
        "Lambert_Azimuthal_Equal_Area; latitude_of_center=42,longitude_of_center=7",
        "Albers_Conic_Equal_Area; latitude_of_center=42,longitude_of_center=7,standard_parallel_1=41,standard_parallel_2=45",
      })
  void gdalPutsARasterWhereItsSystemSays(String name, @Nullable String parameters)
      throws Exception {
    String text = parameters == null ? name : projection(name, parameters);
    Crs crs = Crs.parse(text);
    var frame = new Frame(0, 10, 1, 1, 2, 2, Optional.of(crs));
    Path file = write("c.tif", frame, List.of("v"), new float[1][4], false);
    double[] place = {9.5, 44.25};
    double[] ours = place.clone();
    Crs.parse("EPSG:4326").to(crs).apply(ours, 1);
    Path wkt = folder.resolve("c.txt");
    Files.writeString(wkt, Gdal.run("gdalsrsinfo", "-o", "wkt2", file.toString()));
    String said =
        Gdal.run(
            Programs.require("gdal").resolveSibling("gdaltransform"),
            place[0] + " " + place[1] + "\n",
            "-s_srs",
            "EPSG:4326",
            "-t_srs",
            wkt.toString());
    String[] theirs = said.strip().split(" ", -1);
    // a millimetre, in metres or in degrees
    double tolerance = crs.isGeographic() ? 1e-8 : 1e-3;
    assertEquals(Double.parseDouble(theirs[0]), ours[0], tolerance);
    assertEquals(Double.parseDouble(theirs[1]), ours[1], tolerance);
    try (Raster raster = Raster.open(file)) {
      double[] again = place.clone();
      Crs.parse("EPSG:4326").to(raster.frame().crs().orElseThrow()).apply(again, 1);
      assertArrayEquals(ours, again, 1e-6);
    }
  }

  @Test
  @Needs("gdal")
  void aRasterWithoutASystemHasItsCorner() throws Exception {
    var frame = new Frame(3, 9, 2, 1, 5, 4, Optional.empty());
    Path file = write("d.tif", frame, List.of("v"), random(frame, 1, 1), false);
    JsonNode info = Gdal.info(file);
    assertEquals(3, info.get("geoTransform").get(0).asDouble());
    assertFalse(info.has("coordinateSystem"), info.toString());
    try (Raster raster = Raster.open(file)) {
      assertEquals(frame, raster.frame());
    }
  }

  @Test
  void bytesDoNotDependOnTheNumberOfThreads() throws Exception {
    var frame = new Frame(0, 0, 1, 1, 1100, 900, Optional.empty());
    float[][] values = random(frame, 2, 3);
    byte[][] files = new byte[2][];
    for (int k = 0; k < 2; k++) {
      int threads = 1 + 3 * k;
      try (var pool = new ForkJoinPool(threads)) {
        files[k] =
            pool.submit(
                    () ->
                        Files.readAllBytes(
                            write("e" + threads + ".tif", frame, List.of("a", "b"), values, false)))
                .get();
      }
    }
    assertArrayEquals(files[0], files[1]);
  }

  /// A tile must leave far less garbage than its pixels, or the memory of a large raster grows
  /// until all of it is collected.
  @Test
  void tilesAreWrittenWithoutNewMemory() throws Exception {
    var frame = new Frame(0, 0, 1, 1, 10 * TILE, 20 * TILE, Optional.empty());
    float[][] tile = new float[2][TILE * TILE];
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (var pool = new ForkJoinPool(1);
        var writer = RasterWriter.create(folder.resolve("m.tif"), frame, List.of("a", "b"))) {
      long bytes =
          pool.submit(
                  () -> {
                    long before = 0;
                    for (int k = 0; k < 200; k++) {
                      if (k == 100) before = threads.getCurrentThreadAllocatedBytes();
                      writer.write(k % 10, k / 10, tile);
                    }
                    return threads.getCurrentThreadAllocatedBytes() - before;
                  })
              .get();
      assertTrue(bytes < 100L * TILE * TILE, bytes + " bytes for 100 tiles of two bands");
    }
  }

  @Test
  void anUnfinishedRasterLeavesWhatWasThere() throws Exception {
    Path file = folder.resolve("f.tif");
    Files.writeString(file, "before");
    var frame = new Frame(0, 0, 1, 1, 300, 1, Optional.empty());
    try (var writer = RasterWriter.create(file, frame, List.of("v"))) {
      writer.write(0, 0, new float[1][TILE * TILE]);
    }
    assertEquals("before", Files.readString(file));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void tilesOutOfOrderAreRefused() throws Exception {
    var frame = new Frame(0, 0, 1, 1, 300, 300, Optional.empty());
    try (var writer = RasterWriter.create(folder.resolve("g.tif"), frame, List.of("v"))) {
      float[][] tile = new float[1][TILE * TILE];
      writer.write(0, 0, tile);
      var e = assertThrows(IllegalArgumentException.class, () -> writer.write(0, 1, tile));
      assertEquals("tile 0, 1 is written out of order; write tile 1, 0 now", e.getMessage());
      assertThrows(
          IllegalArgumentException.class, () -> writer.write(1, 0, new float[2][TILE * TILE]));
      assertThrows(IllegalArgumentException.class, () -> writer.write(1, 0, new float[1][TILE]));
    }
  }
}
