package lovelace.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class PixelMapTest {

  private static final double[] XS = {0, 1, 2, 3};
  private static final double[] YS = {10, 20, 30};
  private static final int DOTS = 250 * 250; // of one of 4 × 3 pixels

  private static PixelMap map() {
    return PixelMap.titled("map").labels("east (km)", "north (km)").grid(XS, YS);
  }

  private static BufferedImage image(PixelMap map) throws Exception {
    return ImageIO.read(new ByteArrayInputStream(map.png()));
  }

  /// How many dots have exactly this colour, and their middle.
  private static int[] dots(BufferedImage image, int color) {
    int count = 0;
    long x = 0;
    long y = 0;
    for (int row = 0; row < image.getHeight(); row++)
      for (int column = 0; column < image.getWidth(); column++)
        if ((image.getRGB(column, row) & 0xffffff) == (color & 0xffffff)) {
          count++;
          x += column;
          y += row;
        }
    return new int[] {count, (int) (x / Math.max(1, count)), (int) (y / Math.max(1, count))};
  }

  @Test
  void everyPixelIsOneColourAndGapsAreGrey() throws Exception {
    double[] values = {0, 1, 2, 3, 4, 5, 6, 7, Double.NaN, 9, 10, 11};
    BufferedImage image = image(map().values("mean", values));
    assertEquals(DOTS, dots(image, Palette.GAP.getRGB())[0]);
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i])) continue;
      int found = dots(image, Palette.value(values[i] / 11))[0];
      // the line of the x axis hides one row of dots, and the bar beside the map has all colours
      assertTrue(found >= DOTS - 250 && found < DOTS + 500, i + ": " + found);
    }
    int[] first = dots(image, Palette.value(0));
    int[] above = dots(image, Palette.value(1 / 11.0));
    int[] right = dots(image, Palette.value(3 / 11.0));
    assertEquals(-250, above[2] - first[2], 3.0, "y grows upwards");
    assertEquals(250, right[1] - first[1], 3.0, "x grows to the right");
  }

  @Test
  void panelsOfValuesShareOneScale() throws Exception {
    double[] narrow = new double[12];
    Arrays.fill(narrow, 5);
    double[] wide = IntStream.range(0, 12).mapToDouble(i -> i).toArray();
    int middle = dots(image(map().values("data", wide).values("mean", narrow)), value(5))[0];
    assertTrue(
        middle >= 13 * DOTS - 1250, "12 pixels of one panel and one of the other: " + middle);
  }

  private static int value(double v) {
    return Palette.value(v / 11);
  }

  @Test
  void differencesAreWhiteAtZeroAndEndWhereMostLieWithin() {
    double[] xs = IntStream.range(0, 20).mapToDouble(i -> i).toArray();
    double[] errors = IntStream.range(0, 400).mapToDouble(i -> i % 2 == 0 ? -2 : 2).toArray();
    errors[7] = 50;
    PixelMap outlier = PixelMap.titled("t").grid(xs, xs).differences("error", errors);
    assertEquals(-2.0, outlier.panels().getFirst().get("low"));
    assertEquals(2.0, outlier.panels().getFirst().get("high"));
    errors[7] = 1;
    PixelMap plain = PixelMap.titled("t").grid(xs, xs).differences("error", errors);
    int triangles = outlier.svg().split("<path", -1).length - plain.svg().split("<path", -1).length;
    assertEquals(4, triangles, "two points of the bar, filled and stroked");
    assertEquals(0xF7F7F7, Palette.difference(0.5));
  }

  @Test
  void doubtsBeginAtZero() {
    double[] sd = new double[12];
    Arrays.fill(sd, 3);
    sd[1] = 2;
    var panel = map().doubts("sd", sd).panels().getFirst();
    assertEquals(0.0, panel.get("low"));
    assertEquals(3.0, panel.get("high"));
  }

  @Test
  void everyMapIsAValidPicture() throws Exception {
    double[] gaps = new double[12];
    Arrays.fill(gaps, Double.NaN);
    draws(map().values("mean (°C)", gaps).doubts("sd", gaps).differences("error", gaps));
    draws(map().values("mean (°C)", new double[12]).differences("error", new double[12]));
    for (int[] size : new int[][] {{2, 1200}, {1200, 2}, {601, 7}, {3, 3}}) {
      double[] xs = IntStream.range(0, size[0]).mapToDouble(i -> 0.1 * i).toArray();
      double[] ys = IntStream.range(0, size[1]).mapToDouble(i -> -5 + 1e-3 * i).toArray();
      double[] v = IntStream.range(0, size[0] * size[1]).mapToDouble(i -> i).toArray();
      draws(PixelMap.titled("t").labels("east (km)", "north").grid(xs, ys).values("mean (°C)", v));
    }
    draws(PixelMap.titled("empty").subtitle("nothing"));
  }

  private static void draws(PixelMap map) throws Exception {
    BufferedImage image = image(map);
    assertEquals(2 * map.width(), image.getWidth());
    assertEquals(2 * map.height(), image.getHeight());
    String svg = map.svg();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    assertTrue(!svg.replaceAll("base64,[^\"]*", "").contains("NaN"));
    assertTrue(map.panels().isEmpty() || svg.contains(">mean (°C)</text>"));
    assertEquals(map.html(), map.html());
  }

  @Test
  void wrongUseIsNamed() {
    var size =
        assertThrows(IllegalArgumentException.class, () -> map().values("mean", new double[3]));
    assertEquals("'mean' must have one value at each of 4 × 3 pixels, got 3", size.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> PixelMap.titled("t").grid(new double[] {2, 1}, YS));
    assertThrows(
        IllegalArgumentException.class, () -> PixelMap.titled("t").values("v", new double[0]));
  }
}
