package lovelace.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import lovelace.plot.SeriesPicture.Curve;
import lovelace.plot.SeriesPicture.Drawn;
import lovelace.plot.SeriesPicture.Fact;
import lovelace.plot.SeriesPicture.Fan;
import lovelace.plot.SeriesPicture.Panel;
import lovelace.plot.SeriesPicture.Times;
import lovelace.plot.SeriesPicture.Unit;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class SeriesPictureTest {

  @SuppressWarnings("UnnecessaryLambda") // series share one object
  private static final LongToDoubleFunction DAYS = step -> 86_400_000. * step;
  private static final String NASTY = "</script><img src=x onerror=alert(1)> \"&' \u2028";

  private static Fan fan(long from, int steps, double middle, double width) {
    return new Fan(
        from,
        IntStream.range(0, steps)
            .mapToObj(
                k ->
                    Arrays.stream(SeriesPicture.levels())
                        .map(p -> middle + k + width * (p - 0.5))
                        .toArray())
            .toArray(double[][]::new));
  }

  private static Drawn drawn(String id, double... values) {
    double middle = DoubleStream.of(values).filter(Double::isFinite).average().orElse(0);
    return new Drawn(
        id,
        DAYS,
        100,
        values,
        List.of(fan(100L + values.length, 5, middle, 2)),
        new double[] {middle});
  }

  private static SeriesPicture picture() {
    return SeriesPicture.titled("Forecast of <b>")
        .labels("day", "visits")
        .times(Times.DATE, Optional.empty())
        .facts(List.of(new Fact("size", "the mean", Unit.PLAIN)));
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
  }

  private static List<String> texts(Document svg) {
    NodeList all = svg.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) texts.add(all.item(i).getTextContent());
    return texts;
  }

  private static long colored(byte[] png, int rgb) throws Exception {
    var image = ImageIO.read(new ByteArrayInputStream(png));
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(all).filter(c -> (c & 0xffffff) == rgb).count();
  }

  /// Values of all sorts.
  private static List<Drawn> market() {
    return List.of(
        drawn(NASTY, 3, 4, 5, 4, 3),
        drawn("constant", 7, 7, 7, 7),
        drawn("one", 3),
        drawn("gaps", 1, Double.NaN, 2, Double.NaN, 3),
        drawn("negative", -3, -5, -4),
        drawn("large", 1e9, 1e9 + 1, 1e9 + 2),
        drawn("wide", 1e-5, 1e12, 3),
        drawn("far", -1.5e308, 1.5e308));
  }

  @Test
  void aGridShowsTwelveSeriesAndSaysHowManyThereAre() throws Exception {
    SeriesPicture picture = picture();
    for (int i = 0; i < 15; i++) picture.add(drawn("series " + i, 1, 2, i));
    Document svg = parsed(picture.image().svg());
    List<String> texts = texts(svg);
    assertEquals(12, texts.stream().filter(t -> t.startsWith("series ")).count(), texts::toString);
    assertTrue(texts.stream().anyMatch(t -> t.contains("the first 12 of 15 series")));
    List<String> pale =
        DoubleStream.of(0.16, 0.32, 0.5)
            .mapToObj(a -> Palette.pale(Palette.BLUE, a).getRGB() & 0xffffff)
            .map("#%06x"::formatted)
            .toList();
    NodeList paths = svg.getElementsByTagName("path");
    long bands =
        IntStream.range(0, paths.getLength())
            .mapToObj(i -> paths.item(i).getAttributes())
            .filter(a -> a.getNamedItem("fill") != null)
            .filter(a -> pale.contains(a.getNamedItem("fill").getNodeValue()))
            .count();
    assertEquals(12 * 3 + 3, bands, "three intervals of each series, and the legend");
  }

  @Test
  void picturesOfAllSortsAreValidAndNotBlank() throws Exception {
    for (Drawn each : market()) {
      Picture image = picture().add(each).image();
      parsed(image.svg());
      assertTrue(colored(image.png(), Palette.BLUE.getRGB() & 0xffffff) > 40, each.id());
    }
    SeriesPicture all = picture();
    market().forEach(all::add);
    List<String> texts = texts(parsed(all.image().svg()));
    assertTrue(texts.stream().anyMatch(t -> t.startsWith("</script><img")), texts::toString);
    assertTrue(texts(parsed(picture().image().svg())).contains("no data"));
  }

  @Test
  void aBacktestHasItsWindowsAndScores() throws Exception {
    double[] values = IntStream.range(0, 30).mapToDouble(t -> t % 7).toArray();
    SeriesPicture picture =
        picture()
            .add(
                new Drawn(
                    "a",
                    DAYS,
                    0,
                    values,
                    List.of(fan(20, 5, 3, 1), fan(25, 5, 3, 1)),
                    new double[1]))
            .scores(
                List.of(
                    new Panel(
                        "Error by step",
                        "MASE",
                        List.of(
                            new Curve("ours", new double[] {1, 2}, true),
                            new Curve("naive", new double[] {2, Double.NaN}, false)))),
                List.of(List.of("forecast", "MASE"), List.of("ours", "1.5")));
    List<String> texts = texts(parsed(picture.image().svg()));
    for (String word : List.of("Error by step", "ours", "naive", "values", "median"))
      assertTrue(texts.contains(word), texts::toString);
    assertTrue(picture.html().contains("\"table\":[[\"forecast\",\"MASE\"],[\"ours\",\"1.5\"]]"));
  }

  /// A value of the object that a page draws, as text.
  private static List<String> values(String page, String field) throws Exception {
    String start = "const forecasts =\n";
    int at = page.indexOf(start) + start.length();
    List<String> found = new ArrayList<>();
    try (JsonParser in =
        new JsonFactory().createParser(page.substring(at, page.indexOf(";\n", at)))) {
      for (JsonToken token = in.nextToken(); token != null; token = in.nextToken())
        if (token == JsonToken.FIELD_NAME && in.getText().equals(field)) {
          if (in.nextToken() == JsonToken.START_ARRAY)
            while (in.nextToken() != JsonToken.END_ARRAY) found.add(in.getText());
          else found.add(in.getText());
        }
    }
    return found;
  }

  @Test
  void namesInAPageAreNeverMarkup() throws Exception {
    SeriesPicture picture = picture();
    market().forEach(picture::add);
    String page = picture.html();
    assertFalse(page.contains("<img"), "ids are in JSON, without a less-than sign");
    assertTrue(page.contains("<title>Forecast of &lt;b&gt;</title>"));
    assertEquals(NASTY, values(page, "ids").getFirst());
    assertFalse(page.matches("(?s).*(src|href)=\"?(http|//).*"), "asks nothing of a network");
    assertFalse(page.contains("import "), "modules are joined");
  }

  @Test
  void aPageHoldsTheNumbersAsClosenessOfTheirRangeAllows() throws Exception {
    for (Drawn each : market()) {
      String page = picture().add(each).html();
      float[] data = new float[each.values().length + 5 * SeriesPicture.levels().length];
      ByteBuffer.wrap(Base64.getDecoder().decode(values(page, "data").getFirst()))
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .get(data);
      double level = Double.parseDouble(values(page, "level").getFirst());
      List<String> sizes = values(page, "size");
      double size = Double.parseDouble(sizes.getFirst());
      double[] found = new double[each.values().length];
      for (int i = 0; i < found.length; i++) found[i] = level + size * data[i];
      assertArrayEquals(each.values(), found, 1e-6 * size, each.id());
      double[][] q = each.fans().getFirst().quantiles();
      assertEquals(q[4][6], level + size * data[data.length - 1], 1e-6 * size, each.id());
    }
  }

  @Test
  void stepsAreWrittenOnceAndOnlyUnequalOnesOneByOne() throws Exception {
    LongToDoubleFunction months = step -> DAYS.applyAsDouble(30 * step + step % 2);
    SeriesPicture picture = picture();
    for (int i = 0; i < 3; i++) picture.add(drawn("day " + i, 1, 2, 3));
    picture.add(new Drawn("month", months, 5, new double[] {1, 2, 3}, List.of(), new double[1]));
    String page = picture.html();
    List<String> places = values(page, "places");
    assertEquals(2, places.size());
    assertEquals("", places.getFirst());
    ByteBuffer bytes =
        ByteBuffer.wrap(Base64.getDecoder().decode(places.get(1))).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 5; k < 8; k++) assertEquals(months.applyAsDouble(k), bytes.getDouble());
  }

  @Test
  void clocksAreThoseOfTheZone() throws Exception {
    Drawn one = drawn("a", IntStream.range(0, 48).mapToDouble(t -> t).toArray());
    LongToDoubleFunction hours = step -> 3_600_000. * step;
    Drawn hourly = new Drawn("a", hours, 0, one.values(), List.of(), new double[1]);
    SeriesPicture picture =
        picture().times(Times.TIME, Optional.of(ZoneId.of("Asia/Tokyo"))).add(hourly);
    assertTrue(picture.html().contains("\"zone\":\"Asia/Tokyo\""));
    List<String> texts = texts(parsed(picture.image().svg()));
    assertTrue(texts.contains("1970-01-02"), "midnight in Tokyo: " + texts);
    picture.times(Times.TIME, Optional.of(ZoneId.of("+05:30")));
    assertTrue(picture.html().contains("\"zone\":\"330\""));
  }

  @Test
  void missingQuantilesAndFactsAreNamed() {
    Drawn short1 =
        new Drawn(
            "a", DAYS, 0, new double[1], List.of(new Fan(1, new double[1][3])), new double[1]);
    String said =
        assertThrows(IllegalArgumentException.class, () -> picture().add(short1)).getMessage();
    assertEquals("series 'a' must have 7 quantiles at each step, got 3", said);
    Drawn bare = new Drawn("b", DAYS, 0, new double[1], List.of(), new double[0]);
    said = assertThrows(IllegalArgumentException.class, () -> picture().add(bare)).getMessage();
    assertEquals("series 'b' must have 1 facts, got 0", said);
  }
}
