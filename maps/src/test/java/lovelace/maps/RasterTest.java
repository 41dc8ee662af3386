package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.testing.Needs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [Raster] reads files of ours and of GDAL.
final class RasterTest {

  private static final int WIDTH = 290;
  private static final int HEIGHT = 130;
  private static final double NONE = -32_000;

  @TempDir Path folder;

  /// Whole numbers in which runs and noise alternate, so that every form of packing is used; some
  /// are the number for no data.
  private static float[][] values(int bands) {
    var random = new SplittableRandom(11);
    float[][] values = new float[bands][WIDTH * HEIGHT];
    for (float[] band : values)
      for (int i = 0; i < band.length; i++)
        band[i] =
            random.nextInt(50) == 0
                ? (float) NONE
                : i / 60 % 2 == 0 && i > 0 ? band[i - 1] : random.nextInt(0, 250);
    return values;
  }

  private Path base() throws IOException {
    Path file = folder.resolve("base.tif");
    var frame =
        new Frame(500_000, 5_000_000, 30, 20, WIDTH, HEIGHT, Optional.of(Crs.parse("EPSG:32632")));
    try (var writer = RasterWriter.create(file, frame, List.of("height & <more>", "two"))) {
      RasterWriterTest.write(writer, frame, values(2));
    }
    return file;
  }

  /// Options of `gdal_translate`, which makes the raster that we read.
  @Needs("gdal")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-ot Int16 -co COMPRESS=LZW -co PREDICTOR=2",
        "-ot Int16 -co COMPRESS=LZW -co INTERLEAVE=PIXEL -co PREDICTOR=2 -co TILED=YES",
        "-ot Int32 -co COMPRESS=PACKBITS -co INTERLEAVE=BAND",
        "-ot Int32 -co COMPRESS=DEFLATE -co ENDIANNESS=BIG -co PREDICTOR=2 -co INTERLEAVE=PIXEL",
        "-ot Float32 -co COMPRESS=LZW -co PREDICTOR=3 -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=32",
        "-ot Float32 -co COMPRESS=DEFLATE -co PREDICTOR=2 -co TILED=YES",
        "-ot Float64 -co COMPRESS=DEFLATE -co PREDICTOR=3 -co INTERLEAVE=PIXEL",
        "-ot Float64 -co BIGTIFF=YES -co ENDIANNESS=BIG -co BLOCKYSIZE=7",
        "-ot UInt16 -a_nodata 17 -a_scale 0.5 -a_offset -100 -scale 0 250 0 250",
        "-ot Byte -a_nodata 17 -scale 0 250 0 250 -co COMPRESS=LZW",
        "-of AAIGrid -b 1",
      })
  void rastersOfGdalAreRead(String options) throws Exception {
    boolean text = options.contains("AAIGrid");
    Path file = folder.resolve(text ? "made.asc" : "made.tif");
    String none = options.contains("-a_nodata") ? "" : " -a_nodata " + (int) NONE;
    Gdal.run("gdal_translate", ("-q " + options + none + " " + base() + " " + file).split(" ", -1));
    double[] raw = Gdal.pixels(file);
    double[] expected = options.contains("-a_scale") ? Gdal.pixels(file, "-unscale") : raw;
    try (Raster raster = Raster.open(file)) {
      assertEquals(
          new Frame(500_000, 5_000_000, 30, 20, WIDTH, HEIGHT, raster.frame().crs()),
          raster.frame());
      assertTrue(raster.frame().crs().orElseThrow().toString().contains("32"), raster.system());
      assertEquals(text ? "" : "height & <more>", raster.description(0));
      int size = WIDTH * HEIGHT;
      assertEquals(expected.length, raster.bands() * size);
      double nothing = none.isEmpty() ? 17 : NONE;
      int missing = 0;
      for (int band = 0; band < raster.bands(); band++) {
        double[] read = new double[size];
        raster.read(band, 0, 0, WIDTH, HEIGHT, read);
        for (int i = 0; i < size; i++) {
          boolean lacks = raw[band * size + i] == nothing;
          if (lacks) missing++;
          assertEquals(lacks ? Double.NaN : expected[band * size + i], read[i], "pixel " + i);
        }
      }
      assertTrue(missing > 50, "some pixels have no value");
    }
  }

  @Test
  void windowsAreCutFromTheWhole() throws Exception {
    float[][] values = values(2);
    try (Raster raster = Raster.open(base())) {
      var random = new SplittableRandom(4);
      for (int k = 0; k < 50; k++) {
        int column = random.nextInt(-20, WIDTH);
        int row = random.nextInt(-20, HEIGHT);
        int width = random.nextInt(1, 300);
        int height = random.nextInt(1, 150);
        double[] read = new double[width * height];
        raster.read(1, column, row, width, height, read);
        for (int i = 0; i < read.length; i++) {
          int x = column + i % width;
          int y = row + i / width;
          boolean inside = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
          assertEquals(inside ? values[1][y * WIDTH + x] : Double.NaN, read[i], "seed 4");
        }
      }
    }
  }

  /// `ncols` × `nrows` of a plane with a hole.
  private Path plane() throws IOException {
    var text =
        new StringBuilder(
            "ncols 5\nnrows 4\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -1\n");
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 5; x++)
        text.append(x == 4 && y == 3 ? -1 : 3 * x + 100 * y).append(x < 4 ? " " : "\n");
    Path file = folder.resolve("plane.asc");
    Files.writeString(file, text);
    return file;
  }

  @Test
  void samplesLieBetweenTheMiddlesOfPixels() throws Exception {
    try (Raster raster = Raster.open(plane())) {
      // the middle of pixel (x, y) is at 11 + 2 x, 27 − 2 y
      double[] places = {
        11,
        27, // first pixel
        12,
        26, // between four
        13.5,
        26.5, // a quarter further
        10,
        28, // the corner of the raster
        9.999,
        27, // outside
        20,
        25, // on the eastern edge
        18,
        22, // one of four has no value
        17,
        21, // a pixel with a value beside the hole
        Double.NaN,
        22
      };
      assertArrayEquals(
          new double[] {0, 51.5, 3.75 + 25, 0, Double.NaN, 112, Double.NaN, 309, Double.NaN},
          raster.sample(0, null, places),
          1e-12);
    }
  }

  /// Rounding moves a place off the middle of a pixel, and off the edge of a raster, by far less
  /// than a pixel: its neighbours do not count.
  @Test
  void aNeighbourWithTheWeightOfRoundingDoesNotCount() throws Exception {
    try (Raster raster = Raster.open(plane())) {
      double tiny = 2e-12; // 1e-12 of a pixel
      double small = 2e-7;
      double[] places = {
        17 + tiny,
        21 - tiny, // a pixel beside the hole
        19 - tiny,
        23 - tiny, // one above it
        19 + tiny,
        21 + tiny, // the hole
        17 + small,
        21, // the hole counts
        10 - tiny,
        28 + tiny, // the corner of the raster
        20 + tiny,
        25,
        10 - small,
        28
      };
      assertArrayEquals(
          new double[] {309, 212, Double.NaN, Double.NaN, 0, 112, Double.NaN},
          raster.sample(0, null, places),
          1e-9);
    }
  }

  @Test
  void placesInAnotherSystemAreTransformed() throws Exception {
    Crs utm = Crs.parse("EPSG:32632");
    Crs degrees = Crs.parse("EPSG:4326");
    try (Raster raster = Raster.open(base())) {
      double[] places = {503_000.1, 4_999_000.2, 507_777, 4_998_001, 508_690, 4_997_401};
      double[] lonLat = places.clone();
      utm.to(degrees).apply(lonLat, 3);
      // a micrometre on the ground
      assertArrayEquals(raster.sample(0, utm, places), raster.sample(0, degrees, lonLat), 1e-3);
      assertArrayEquals(raster.sample(0, null, places), raster.sample(0, utm, places));
    }
  }

  @Test
  void longitudesMayBeAWholeTurnApart() throws Exception {
    Path file = folder.resolve("turn.tif");
    var frame = new Frame(170, 10, 1, 1, 20, 10, Optional.of(Crs.parse("EPSG:4326")));
    float[][] values = new float[1][200];
    for (int i = 0; i < 200; i++) values[0][i] = i;
    try (var writer = RasterWriter.create(file, frame, List.of("v"))) {
      RasterWriterTest.write(writer, frame, values);
    }
    try (Raster raster = Raster.open(file)) {
      assertArrayEquals(
          new double[] {15, 15, Double.NaN},
          raster.sample(0, frame.crs().get(), new double[] {-174.5, 9.5, 185.5, 9.5, 0, 5}),
          1e-9);
    }
  }

  @Test
  @Needs("gdal")
  void aCodeThatIsNotKnownIsNamed() throws Exception {
    Path file = folder.resolve("lambert93.tif");
    Gdal.run("gdal_translate", "-q", "-a_srs", "EPSG:2154", base().toString(), file.toString());
    Crs degrees = Crs.parse("EPSG:4326");
    try (Raster raster = Raster.open(file)) {
      assertEquals(Optional.empty(), raster.frame().crs());
      var e =
          assertThrows(
              IllegalArgumentException.class,
              () -> raster.sample(0, degrees, new double[] {3, 45}));
      assertEquals(
          "the raster '%s' is in the coordinate system 'EPSG:2154', which is not known, but the places are in 'EPSG:4326'; write the raster's WKT to '%s' (gdalsrsinfo -o wkt2), or transform it (gdalwarp -t_srs)"
              .formatted(file, folder.resolve("lambert93.wkt")),
          e.getMessage());
    }
    String wkt = Gdal.run("gdalsrsinfo", "-o", "wkt2", file.toString());
    try (Raster raster = Raster.open(file, Optional.of(Crs.parse(wkt)))) {
      assertEquals("EPSG:2154", raster.frame().crs().orElseThrow().toString());
    }
    try (Raster raster = Raster.open(file, Optional.of(degrees))) {
      assertEquals(Optional.empty(), raster.frame().crs());
    }
    Files.writeString(folder.resolve("lambert93.wkt"), wkt);
    try (Raster raster = Raster.open(file)) {
      assertEquals("EPSG:2154", raster.frame().crs().orElseThrow().toString());
      assertEquals(1, raster.sample(0, degrees, new double[] {3, 45}).length);
    }
  }

  private static String refused(Path file) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              try (Raster raster = Raster.open(file)) {
                Frame frame = raster.frame();
                raster.read(
                    0,
                    0,
                    0,
                    frame.width(),
                    frame.height(),
                    new double[frame.width() * frame.height()]);
              }
            });
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("'" + file + "'"), message);
    return message;
  }

  @Test
  void aRasterCutShortIsRefusedWhereverItEnds() throws Exception {
    byte[] whole = Files.readAllBytes(base());
    Path file = folder.resolve("short.tif");
    for (int k = 0; k < 40; k++) {
      Files.write(file, java.util.Arrays.copyOf(whole, (int) ((long) whole.length * k / 40)));
      String message = refused(file);
      assertTrue(message.contains("cut short"), message);
    }
    String grid = Files.readString(plane());
    Path text = folder.resolve("short.asc");
    Files.writeString(text, grid.substring(0, grid.length() - 9));
    assertTrue(
        refused(text).contains("it is cut short: it has 18 of its 20 numbers"), refused(text));
  }

  @Test
  void aDamagedRasterIsRefusedOrReadButNeverBreaks() throws Exception {
    byte[] whole = Files.readAllBytes(base());
    Path file = folder.resolve("damaged.tif");
    var random = new SplittableRandom(8);
    for (int k = 0; k < 150; k++) {
      byte[] bytes = whole.clone();
      for (int i = 0; i < 3; i++)
        bytes[
                random.nextInt(3) == 0
                    ? random.nextInt(16)
                    : bytes.length - 1 - random.nextInt(1500)] =
            (byte) random.nextInt();
      Files.write(file, bytes);
      try (Raster raster = Raster.open(file)) {
        raster.read(0, 0, 0, 300, 150, new double[45_000]);
      } catch (IllegalArgumentException e) {
        assertTrue(e.toString().contains(file.toString()), "seed 8, " + k + ": " + e);
      }
    }
  }

  @Test
  @Needs("gdal")
  void whatCannotBeReadIsSaidInWords() throws Exception {
    String base = base().toString();
    Path file = folder.resolve("odd.tif");
    Gdal.run("gdal_translate", "-q", "-co", "COMPRESS=ZSTD", base, file.toString());
    assertTrue(refused(file).contains("compressed by method 50000"), refused(file));
    Gdal.run("gdal_translate", "-q", "-ot", "CFloat32", base, file.toString());
    assertTrue(refused(file).contains("-ot Float32"), refused(file));
    Gdal.run("gdal_translate", "-q", "-co", "PROFILE=BASELINE", base, file.toString());
    assertTrue(refused(file).contains("does not say where it lies"), refused(file));
    Files.deleteIfExists(folder.resolve("odd.tif.aux.xml"));
    Files.writeString(
        folder.resolve("turned.vrt"),
        """
        <VRTDataset rasterXSize="%s" rasterYSize="%s"><GeoTransform>0, 1, 0.5, 0, 0.5, -1</GeoTransform>
        <VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename>%s</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>
        """
            .formatted(WIDTH, HEIGHT, base));
    Gdal.run("gdal_translate", "-q", folder.resolve("turned.vrt").toString(), file.toString());
    assertTrue(refused(file).contains("its rows do not run east"), refused(file));
    Files.writeString(file, "this is no raster");
    assertTrue(refused(file).contains("it is not a TIFF"), refused(file));
    Files.writeString(folder.resolve("odd.asc"), "ncols 3\nnrows x\n");
    assertTrue(refused(folder.resolve("odd.asc")).contains("'x' is not a number"));
  }
}
