package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Models of rows in memory need no choice of what lies outside, no maker and no `IOException`.
class RowsInMemoryTest {

  private static final double[] POINTS = {0.1, 2.2, 5.5};

  private static Dataset data(int n) {
    var random = new SplittableRandom(3);
    double[] x = random.doubles(n, 0, 6).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(x[i]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, 1, y);
  }

  private static Fit fit(Engine engine) {
    Fit fit =
        Fit.DEFAULT
            .withEngine(engine)
            .withTraining(false)
            .set("lengthscale", 1.5)
            .set("outputscale", 0.8)
            .set("noise", 0.05)
            .set("mean", 0);
    return engine == Engine.EXACT
        ? fit
        : fit.withGrid(GridChoice.DEFAULT.withPoints(60).bounded(0, -1, 7));
  }

  /// An engine that is chosen may be another than the one asked for; both are exact to 1e-6 here.
  private static void assertSame(Model expected, Model mine) {
    assertEquals(expected.count(), mine.count());
    assertArrayEquals(expected.predict(POINTS).means(), mine.predict(POINTS).means(), 1e-6);
    double[] variances = expected.predict(POINTS).variances();
    assertArrayEquals(variances, mine.predict(POINTS).variances(), 1e-6);
    assertEquals(Options.Maker.LIBRARY.version(), mine.provenance().version());
    assertEquals("Java", mine.provenance().command());
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL"})
  void rowsComeAndGo(Engine engine) {
    Dataset all = data(120);
    Fit fit = fit(engine);
    Model some = fit.to(all.rows(0, 80));
    Model more = some.with(all.rows(80, 120));
    assertSame(fit.to(all), more);
    assertSame(some, more.without(all.rows(80, 120)));
    assertSame(fit.to(all), Model.merge(some, fit.to(all.rows(80, 120))));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL"})
  void parametersAreGivenAndLearnedWithoutRows(Engine engine) throws Exception {
    Dataset all = data(120);
    Model model = fit(engine).to(all);
    Hyperparameters other = model.hyperparameters().set("lengthscale", 1);
    assertSame(fit(engine).set("lengthscale", 1).to(all), model.with(other));
    Model learned = model.learn();
    assertTrue(learned.logMarginalLikelihood() > model.logMarginalLikelihood() + 1);
    Model longForm =
        model.learn(
            model.hyperparameters(),
            Engine.AUTO,
            Fit.DEFAULT.learning(),
            new Options.Maker("1", "test"));
    assertEquals(longForm.hyperparameters(), learned.hyperparameters());
    Model held = model.learn(model.hyperparameters().fix("noise"));
    assertEquals(model.noise(), held.noise());
  }

  @Test
  void rowsOutsideTheGridAreRefusedAndModelsAreNamed() throws Exception {
    Model model = fit(Engine.SPECTRAL).to(data(50));
    Dataset far = Dataset.of(new double[] {1, 99}, 1, new double[] {0, 0});
    assertThrows(IllegalArgumentException.class, () -> model.with(far));
    assertEquals(51, model.with(Source.of(far), Outside.SKIP, Options.Maker.LIBRARY).count());
    Model other =
        fit(Engine.SPECTRAL)
            .withGrid(GridChoice.DEFAULT.withPoints(40).bounded(0, -1, 7))
            .to(data(50));
    var e = assertThrows(IllegalArgumentException.class, () -> Model.merge(model, other));
    assertTrue(e.toString().contains("'model 1' and 'model 2'"), e::toString);
    e = assertThrows(IllegalArgumentException.class, () -> Model.merge(model));
    assertTrue(e.toString().contains("two models or more, got 1"), e::toString);
  }

  @Test
  void aModelSaysWhichLovelaceMadeIt() throws Exception {
    String pom = Files.readString(Path.of("../pom.xml"));
    String version =
        pom.substring(pom.indexOf("<version>") + "<version>".length(), pom.indexOf("</version>"));
    assertEquals(version, fit(Engine.EXACT).to(data(20)).provenance().version());
  }
}
