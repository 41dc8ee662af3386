package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import lovelace.Comparison;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TimeScale;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PicturesTest {

  private static Dataset data(int d) {
    var random = new SplittableRandom(3);
    double[] x = random.doubles(60L * d, 0, 30).toArray();
    double[] y = new double[60];
    for (int i = 0; i < y.length; i++) y[i] = Math.sin(x[i * d] / 4) + 0.1 * random.nextGaussian();
    List<Column> columns =
        List.of(
                Column.of("day", TimeScale.of("day", List.of("2024-01-01", "2024-01-31"))),
                Column.of("depth", "m"),
                Column.of("</script><b>"))
            .subList(0, d);
    return Dataset.of(x, columns, y, Column.of("warmth", "°C"));
  }

  private static Model model(int d, Engine engine) {
    return Fit.DEFAULT
        .withEngine(engine)
        .withGrid(GridChoice.DEFAULT.withPoints(List.of("40", "16x16", "9x9x9").get(d - 1)))
        .withTraining(false)
        .set("lengthscale", 8)
        .set("outputscale", 1)
        .set("noise", 0.02)
        .set("mean", 0)
        .to(data(d));
  }

  @Test
  void aSubtitleNamesTheKernelWithoutValues() {
    Model model =
        Fit.DEFAULT
            .withKernel(
                "fixed(2)*rbf(lengthscale=8) + 0.5*rbf(lengthscale=9)*periodic(lengthscale=1,period=fixed(7))")
            .withTraining(false)
            .set("noise", 0.02)
            .set("mean", 0)
            .to(data(1));
    String svg = Pictures.posterior(model, data(1), Pictures.Options.DEFAULT).svg();
    assertTrue(svg.contains("rbf + rbf*periodic, 60 rows"), svg);
  }

  private static void valid(Picture picture) throws Exception {
    var image = ImageIO.read(new ByteArrayInputStream(picture.png()));
    assertEquals(2 * picture.width(), image.getWidth());
    assertEquals(2 * picture.height(), image.getHeight());
    String svg = picture.svg();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertFalse(svg.replaceAll("base64,[^\"]*", "").contains("NaN"));
    String html = picture.html();
    assertEquals(html, picture.html());
    assertTrue(
        html.contains("Apache Software Foundation"), "the library is inside, with its notice");
    String own = html.replaceFirst("(?s)<script>.*?</script>", "");
    assertFalse(own.contains("http") || own.contains("src=") || own.contains("href="), own);
    assertEquals(2, html.split("</script>", -1).length - 1, "no text ends a script");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyNumberOfInputsHasAPicture(int d) throws Exception {
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT)) {
      Model model = model(d, engine);
      valid(Pictures.posterior(model, null, Pictures.Options.DEFAULT));
      valid(
          Pictures.posterior(
              model, data(d), new Pictures.Options(0, Likelihood.Of.OBSERVATION, 2)));
    }
    String svg = Pictures.posterior(model(d, Engine.AUTO), null, Pictures.Options.DEFAULT).svg();
    assertTrue(svg.contains("2024-01-08") || svg.contains("2024-01-15"), "dates on the axis");
    assertTrue(svg.contains("warmth"), svg);
    if (d > 1) assertTrue(svg.contains("depth (m)"), "units");
  }

  @Test
  void averagesOfCellsStandForTheData() throws Exception {
    String svg = Pictures.posterior(model(1, Engine.AUTO), null, Pictures.Options.DEFAULT).svg();
    assertTrue(svg.contains("averages of grid cells"));
  }

  @Test
  void pageShowsTheProgramThatRuns(@TempDir Path folder) throws Exception {
    Dataset data = data(1);
    // begin
    Model model = Fit.DEFAULT.withKernel("matern52").to(data);
    Pictures.posterior(model, data, Pictures.Options.DEFAULT).write(folder.resolve("model.html"));
    Pictures.trace(model).write(folder.resolve("trace.svg"));
    // end
    String source = Files.readString(Path.of("src/test/java/lovelace/plot/PicturesTest.java"));
    String body =
        source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    assertTrue(
        Files.readString(Path.of("../docs/pictures.md"))
            .contains(body.stripTrailing().stripIndent()),
        body);
  }

  @Test
  void learningIsTracedAndWhatWasNotLearnedHasNoTrace() throws Exception {
    Model learned = Fit.DEFAULT.to(data(1));
    valid(Pictures.trace(learned));
    assertTrue(learned.provenance().trace().size() > 2);
    var e =
        assertThrows(IllegalArgumentException.class, () -> Pictures.trace(model(1, Engine.AUTO)));
    assertTrue(String.valueOf(e.getMessage()).contains("not learned"), e.getMessage());
  }

  @Test
  void calibrationAndComparisonAreDrawn(@TempDir Path folder) throws Exception {
    double[] zeros = new double[50];
    double[] ones = new double[50];
    Arrays.fill(ones, 1);
    double[] targets = new SplittableRandom(1).doubles(50, -2, 2).toArray();
    Plot plot = Pictures.calibration(Scores.of(zeros, ones, targets), Column.of("y"));
    valid(plot);
    for (String name : List.of("a.png", "a.svg", "a.html")) {
      plot.write(folder.resolve(name));
      assertTrue(Files.size(folder.resolve(name)) > 1000);
    }
    assertThrows(IllegalArgumentException.class, () -> Picture.check(Path.of("a.pdf")));
    List<Comparison> all = Comparison.of(Fit.DEFAULT, data(1), List.of("rbf", "matern32"), 2, 1);
    valid(Pictures.comparison(all, "warmth"));
    valid(Ranking.titled("t", List.of("a")).measure("m", new double[] {Double.NaN}, new double[1]));
  }
}
