package lovelace.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import lovelace.data.TimeScale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

class PlotTest {

  private static final double[] X = {0, 1, 2, 3, 4};
  private static final double[] Y = {1, 3, 2, 5, 4};

  private static Plot typical() {
    return Plot.titled("A title")
        .size(480, 300)
        .subtitle("a subtitle")
        .labels("depth (m)", "temperature (°C)")
        .band("95 % interval", X, minus(Y, 2), minus(Y, -2), Palette.BLUE, 0.2)
        .draws("draws", X, new double[] {1, 3, 2, 5, 4, 2, 3, 2, 4, 4}, Palette.ORANGE)
        .line("mean", X, Y, Palette.BLUE, 2)
        .points("observed", X, Y, Palette.BLACK, Plot.Mark.DOT)
        .boundary(2.5, "forecast");
  }

  private static double[] minus(double[] y, double shift) {
    return Arrays.stream(y).map(v -> v - shift).toArray();
  }

  /// Plots that have broken plotting programs before.
  static Map<String, Plot> market() {
    var all = new LinkedHashMap<String, Plot>();
    all.put("typical", typical());
    all.put("nothing", Plot.titled("").labels("", ""));
    all.put(
        "empty layers",
        Plot.titled("t")
            .points("none", new double[0], new double[0], Palette.BLUE, Plot.Mark.DOT)
            .line("none", new double[0], new double[0], Palette.BLUE, 1));
    all.put("one point", points(new double[] {3}, new double[] {4}));
    all.put("constant", points(X, new double[] {7, 7, 7, 7, 7}));
    all.put("constant zero", points(X, new double[5]));
    all.put("huge", points(X, new double[] {-1.7e308, 1.7e308, 0, 1e300, -1e300}));
    all.put("tiny", points(X, new double[] {1e-320, 4e-320, 2e-320, 0, 1e-319}));
    all.put("far from zero", points(X, new double[] {1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15, 1e15}));
    all.put("gaps", points(X, new double[] {1, Double.NaN, Double.POSITIVE_INFINITY, 2, 3}));
    all.put(
        "only gaps",
        points(X, new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN}));
    all.put(
        "logarithmic",
        points(new double[] {1, 10, 100, 1e3, 1e6}, new double[] {1e-9, 1, 0, -1, 1e9})
            .log(true, true));
    all.put(
        "logarithmic, one value",
        points(new double[] {1, 2}, new double[] {5, 5}).log(false, true));
    all.put(
        "logarithmic, nothing positive",
        points(X, new double[] {-1, 0, -1, 0, -1}).log(false, true));
    all.put(
        "logarithmic, whole range",
        points(X, new double[] {1e-300, 1, 2, 3, 1e300}).log(false, true));
    all.put("days", points(X, Y).time(times("1949-01-15", "1949-02-20")));
    all.put("years", points(X, Y).time(times("1949-01", "1949-02")));
    all.put(
        "seconds",
        points(new double[] {0, 1e-9}, new double[] {1, 2})
            .time(times("2020-01-01T00:00:00", "2020-01-01T00:00:04")));
    all.put(
        "ages",
        points(new double[] {-1e12, 1e12}, new double[] {1, 2})
            .time(times("1949-01-15", "1949-02-20")));
    all.put(
        "long labels",
        points(X, Y).subtitle("word ".repeat(200)).labels("x".repeat(500), "y ".repeat(300)));
    all.put(
        "other scripts",
        Plot.titled("温度 θ ∂²f 🙂 \u0000 <&\">")
            .labels("ω", "Å")
            .points("\ud800", X, Y, Palette.BLUE, Plot.Mark.CIRCLE));
    all.put("small", points(X, Y).size(200, 150));
    return all;
  }

  private static TimeScale times(String... texts) {
    return TimeScale.of("t", List.of(texts));
  }

  private static Plot points(double[] x, double[] y) {
    return Plot.titled("t")
        .size(480, 300)
        .line("line", x, y, Palette.GREEN, 1)
        .band("band", x, minus(y, 1), y, Palette.BLUE, 0.3)
        .points("points", x, y, Palette.BLUE, Plot.Mark.CIRCLE);
  }

  static List<String> names() {
    return List.copyOf(market().keySet());
  }

  private static Plot plot(String name) {
    Plot plot = market().get(name);
    assertNotNull(plot);
    return plot;
  }

  private static Document parse(String svg) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyPlotIsAValidPictureOfItsSize(String name) throws Exception {
    Plot plot = plot(name);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(plot.png()));
    assertEquals(2 * plot.width(), image.getWidth());
    assertEquals(2 * plot.height(), image.getHeight());
    String svg = plot.svg();
    assertEquals("svg", parse(svg).getDocumentElement().getNodeName());
    assertTrue(!svg.contains("NaN") && !svg.contains("Infinity"), "coordinates are finite");
  }

  @ParameterizedTest
  @MethodSource("names")
  void samePlotGivesSameText(String name) {
    assertEquals(plot(name).svg(), plot(name).svg());
  }

  @Test
  void svgHoldsTheLabelsAsText() throws Exception {
    var nodes = parse(typical().svg()).getElementsByTagName("text");
    List<String> texts =
        IntStream.range(0, nodes.getLength())
            .mapToObj(i -> nodes.item(i).getTextContent())
            .toList();
    assertTrue(
        texts.containsAll(
            List.of(
                "A title",
                "a subtitle",
                "depth (m)",
                "temperature (°C)",
                "95 % interval",
                "draws",
                "mean",
                "observed",
                "forecast")),
        texts::toString);
  }

  @Test
  void pictureIsWrittenWholeAndLeavesNothingElse(@TempDir Path folder) throws Exception {
    typical().write(folder.resolve("a.png"));
    typical().write(folder.resolve("a.svg"));
    typical().write(folder.resolve("a.svg"));
    assertArrayEquals(typical().png(), Files.readAllBytes(folder.resolve("a.png")));
    assertEquals(typical().svg(), Files.readString(folder.resolve("a.svg")));
    try (var files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @Test
  void wrongUseIsNamed(@TempDir Path folder) {
    var extension =
        assertThrows(
            IllegalArgumentException.class, () -> typical().write(folder.resolve("a.gif")));
    assertTrue(extension.toString().contains("a.gif' must end in .png, .svg or .html"));
    var lengths =
        assertThrows(
            IllegalArgumentException.class,
            () -> typical().line("trend", X, new double[2], Palette.BLUE, 1));
    assertEquals("'trend' must have one y for each x, got 5 x and 2 y", lengths.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> typical().draws("d", X, new double[7], Palette.BLUE));
    assertThrows(IllegalArgumentException.class, () -> typical().size(1, 1));
  }

  @Test
  void typefaceReadsKnownWidths() {
    // Roboto Regular: 2048 units an em; 'A' is 1336 wide, a digit 1150, a space 507.
    assertEquals(1336.0 / 2048, Typeface.REGULAR.width("A", 1), 1e-12);
    assertEquals(2 * 1150.0 / 2048, Typeface.REGULAR.width("17", 1), 1e-12);
    var i = Typeface.REGULAR.outline("H", 2048).getBounds2D();
    assertEquals(-1456, i.getMinY(), 1, "capitals are 1456 units high");
    var composed = Typeface.REGULAR.outline("Ä", 2048).getBounds2D();
    assertTrue(composed.getMinY() < -1456, "dots above the letter");
  }

  @Test
  void longTextIsCutToItsRoom() {
    String cut = Axes.LABEL.fit("a rather long label", 60);
    assertTrue(cut.endsWith("…") && Axes.LABEL.width(cut) <= 60, cut);
    assertEquals("short", Axes.LABEL.fit("short", 60));
  }
}
