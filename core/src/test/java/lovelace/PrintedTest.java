package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The text for a person who types the name of a fit, a model or a prediction.
class PrintedTest {

  private final Locale before = Locale.getDefault();

  @BeforeEach
  void useALocaleWithCommas() {
    Locale.setDefault(Locale.GERMANY);
  }

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  private static Dataset data(int n, int d) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles((long) n * d, 0, 6).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.exp(Math.sin(x[i * d]) + 0.1 * random.nextGaussian());
    return Dataset.of(x, d, y);
  }

  private static Fit fit() {
    return Fit.DEFAULT
        .withTraining(false)
        .set("lengthscale", 1.234567)
        .set("outputscale", 0.8)
        .fix("noise", 0.012345678)
        .set("mean", 0.25);
  }

  @Test
  void aFitSaysWhatDiffersFromTheDefault() {
    assertEquals("the default fit", Fit.DEFAULT.toString());
    assertEquals("the default fit", Fit.DEFAULT.withTolerance(0.5).withTolerance(0.01).toString());
    assertEquals(
        "fit with kernel matern52, transform log, tolerance 0.001, given [noise=0.1 (fixed)]",
        Fit.DEFAULT
            .withKernel("matern52")
            .withTransform(TargetTransform.LOG)
            .withTolerance(0.001)
            .fix("noise", 0.1)
            .toString());
    assertEquals(
        "fit with grid points [60], including column 0 from 1949 to 1961.5, engine krylov, limits 60.0 s, 2,048 MiB",
        Fit.DEFAULT
            .withGrid(GridChoice.DEFAULT.withPoints(60).including(0, 1949, 1961.5))
            .withEngine(Engine.KRYLOV)
            .withTime(java.time.Duration.ofMinutes(1))
            .withMemory(2L << 30)
            .toString());
  }

  @Test
  void aModelSaysWhatItIs() {
    Dataset data = data(40, 1).named(java.util.List.of(Column.of("depth", "m")), Column.of("clay"));
    Model exact = fit().withTransform(TargetTransform.LOG).to(data);
    String[] lines = exact.toString().split("\n", -1);
    assertEquals("model of clay given depth, 40 rows", lines[0]);
    assertEquals("  kernel     0.8*rbf(lengthscale=1.235)", lines[1]);
    assertEquals("  noise      0.01235", lines[2]);
    assertEquals("  mean       constant 0.25", lines[3]);
    assertEquals("  transform  log", lines[4]);
    assertEquals("  posterior  exact, of all rows", lines[5]);
    assertTrue(lines[6].matches(" {2}log p\\(y\\) {3}-?[0-9]+\\.[0-9]+"), lines[6]);
    assertEquals(7, lines.length);
  }

  @Test
  void aModelOnAGridSaysWhatIsCertified() {
    Model model =
        fit().withEngine(Engine.SPECTRAL).withShape(Options.Shape.ADDITIVE).to(data(400, 2));
    String text = model.toString();
    assertTrue(text.startsWith("model of y given x1, x2, 400 rows\n"), text);
    assertTrue(text.contains("\n  posterior  2 grids of "), text);
    assertTrue(
        text.contains("\n  accuracy   " + model.certificate().orElseThrow().summary() + "\n"),
        text);
    assertFalse(text.contains("transform"), text);
    assertTrue(text.length() < 1000, "JShell shows 1,000 characters: " + text);
  }

  @Test
  void aModelOfManyColumnsStaysShort() {
    Model model = fit().withShape(Options.Shape.ADDITIVE).to(data(60, 8));
    String text = model.toString();
    assertTrue(text.startsWith("model of y given 8 columns, 60 rows\n  kernel     "), text);
    assertTrue(text.length() < 1000, "JShell shows 1,000 characters: " + text);
  }

  @Test
  void aPredictionShowsItsFirstPoints() {
    assertEquals(
        "mean ± standard deviation at 1 point: 412.35 ± 0.22",
        Prediction.adopt(new double[] {412.3456}, new double[] {0.05}).toString());
    assertEquals(
        "mean ± standard deviation at 7 points: 1000 ± 100, -0.1235 ± 0.0032, 3.00000 ± 0.0, 1.00000e+12 ± 1.0, 2.0 ± 1.0, …",
        Prediction.adopt(
                new double[] {1000, -0.123456, 3, 1e12, 2, 0, 0},
                new double[] {1e4, 1e-5, 0, 1, 1, 0, 0})
            .toString());
    Model model = fit().withEngine(Engine.SPECTRAL).to(data(100, 1));
    String far = model.predict(3, 99).toString();
    assertTrue(far.endsWith(" (outside the grid)"), far);
    assertEquals(1, far.split("outside", -1).length - 1, far);
  }
}
