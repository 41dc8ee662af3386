package lovelace.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class HeatMapTest {

  private static final double[] XS = {0, 1, 2, 3};
  private static final double[] YS = {10, 20, 30};

  private static HeatMap map(double... values) {
    return HeatMap.titled("map")
        .labels("east (km)", "north (km)")
        .grid(XS, YS)
        .values("mean (°C)", values);
  }

  private static void draws(HeatMap map) throws Exception {
    var image = ImageIO.read(new ByteArrayInputStream(map.png()));
    assertEquals(2 * map.width(), image.getWidth());
    String svg = map.svg();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    assertTrue(svg.contains(">mean (°C)</text>") && svg.contains(">east (km)</text>"));
    assertTrue(!svg.replaceAll("base64,[^\"]*", "").contains("NaN"));
    assertEquals(svg, map.svg());
  }

  @Test
  void everyMapIsAValidPicture() throws Exception {
    draws(map(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).doubts("sd", new double[12]).points(XS, XS));
    draws(map(new double[12]));
    draws(map(0, Double.NaN, 2, 3, 4, 5, Double.POSITIVE_INFINITY, 7, 8, 9, 10, 11));
    draws(map(-1e308, 1e308, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void colourFollowsTheValueUpwardsAndRightwards() throws Exception {
    // Value grows with y alone: the top of the panel is yellow, its foot violet.
    var map = map(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
    var image = ImageIO.read(new ByteArrayInputStream(map.png()));
    int top = image.getRGB(300, 170) & 0xffffff;
    int foot = image.getRGB(300, 870) & 0xffffff;
    assertTrue((top >> 16 & 255) > 200 && (top & 255) < 100, Integer.toHexString(top));
    assertTrue((foot >> 16 & 255) < 100 && (foot & 255) > 70, Integer.toHexString(foot));
  }

  @Test
  void wrongUseIsNamed() {
    var size = assertThrows(IllegalArgumentException.class, () -> map(1, 2, 3));
    assertEquals(
        "'mean (°C)' must have one value at each of 4 × 3 grid points, got 3", size.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> HeatMap.titled("t").grid(new double[] {2, 1}, YS));
    assertThrows(
        IllegalArgumentException.class, () -> HeatMap.titled("t").values("v", new double[0]));
  }
}
