package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;

/// Pictures of models of wide tables, which hold their rows.
class WidePicturesTest {

  /// Numbers and one column of words; the last column and the words matter.
  private static Dataset data(int d) {
    var random = new SplittableRandom(3);
    int n = 250;
    double[] x = random.doubles((long) n * d, 0, 1).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i * d] = i % 5 == 0 ? 1 : i % 3 == 0 ? 2 : 0;
      y[i] = 2 * x[i * d] + 3 * x[i * d + d - 1] + 0.1 * random.nextGaussian();
    }
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("rock", List.of("clay", "sand", "silt")));
    for (int j = 1; j < d; j++) columns.add(Column.of("x" + j));
    return Dataset.of(x, columns, y, Column.of("speed", "m/s"));
  }

  private static Model model(int d, Engine engine) {
    double[] lengthscale = IntStream.range(0, d).mapToDouble(j -> 50).toArray();
    lengthscale[0] = 1;
    lengthscale[d - 1] = 2;
    return Fit.DEFAULT
        .withEngine(engine)
        .withKernel("rbf")
        .withTraining(false)
        .set("lengthscale", lengthscale)
        .set("outputscale", 9)
        .set("noise", 0.02)
        .set("mean", 2)
        .to(data(d));
  }

  @Test
  void slicesShowTheColumnsThatMatterFirst() {
    for (Engine engine : List.of(Engine.EXACT, Engine.NEIGHBOURS)) {
      Picture picture = Pictures.posterior(model(5, engine), null, Pictures.Options.DEFAULT);
      String svg = picture.svg();
      assertFalse(svg.contains("NaN"));
      List<String> labels =
          Pattern.compile(">(rock|x\\d)</text>")
              .matcher(svg)
              .results()
              .map(m -> m.group(1))
              .toList();
      assertEquals(5, labels.size(), labels.toString());
      assertEquals(
          List.of("rock", "x4"), labels.subList(0, 2).stream().sorted().toList(), "in front");
      for (String word : List.of("clay", "sand", "silt", "words at the most frequent one"))
        assertTrue(svg.contains(word), word);
      assertEquals(1, svg.split(">mean<", -1).length - 1, "one legend for all panels");
      assertTrue(picture.html().contains("\"words\":[\"clay\""), "the most frequent first");
      assertTrue(picture.png().length > 10_000);
    }
  }

  @Test
  void manyColumnsAreInThePageAndTwelveInAFile() {
    Picture picture = Pictures.posterior(model(15, Engine.EXACT), null, Pictures.Options.DEFAULT);
    String svg = picture.svg();
    assertTrue(svg.contains("the other 3 are in an .html page"), svg);
    String panel = "\"kind\":\"plot\"";
    assertEquals(15, picture.html().split(Pattern.quote(panel), -1).length - 1);
    assertEquals(3 * 380, picture.width());
    assertEquals(96 + 4 * 280, picture.height());
  }

  @Test
  void columnsThatMatterAreOnTop() {
    Ranking picture = Pictures.columns(model(5, Engine.NEIGHBOURS), null, 1);
    String svg = picture.svg();
    assertFalse(svg.contains("NaN"));
    assertTrue(svg.indexOf(">x4<") < svg.indexOf(">x1<"), "x4 matters, x1 does not");
    assertTrue(svg.contains(">lengthscale<") && svg.contains(" sd<"), svg);
    assertEquals(svg, Pictures.columns(model(5, Engine.NEIGHBOURS), null, 1).svg());
    String html = picture.html();
    assertTrue(html.contains("\"share\":true"), "bars");
    assertTrue(html.contains("\"lower\":["), "intervals");
  }

  @Test
  void aModelWithoutRowsNeedsATable() {
    Dataset data = data(5).keeping(1, 2, 3, 4);
    Model additive =
        Fit.DEFAULT
            .withShape(Options.Shape.ADDITIVE)
            .withTraining(false)
            .set("lengthscale", 1)
            .set("outputscale", 9)
            .set("noise", 0.1)
            .set("mean", 2)
            .to(data);
    var e = assertThrows(IllegalArgumentException.class, () -> Pictures.columns(additive, null, 1));
    assertTrue(String.valueOf(e.getMessage()).contains("give a table of rows"), e.getMessage());
    assertTrue(Pictures.columns(additive, data, 1).svg().contains(">x4<"));
    assertTrue(Pictures.posterior(additive, null, Pictures.Options.DEFAULT).svg().contains(">x4<"));
  }
}
