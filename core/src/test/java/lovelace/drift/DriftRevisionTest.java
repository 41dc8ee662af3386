package lovelace.drift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.io.ModelFormatException;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Models with a drift that are updated, merged, given other parameters, written and read.
class DriftRevisionTest {

  private static final double[] POINTS = {
    0.2, 0.3, 500, 0.1, 0.81, 0.75, 900, -1, 0.5, 0.5, 350, 2, 1.3, 0.4, 700, 0
  };

  private static Fit fit(Engine engine) {
    String kernel = engine == Engine.SPARSE ? "matern12" : "rbf";
    Fit fit =
        DriftTest.fixed(kernel).withEngine(engine).withMean("linear").withDrift(DriftTest.BOTH);
    return switch (engine) {
      case EXACT -> fit;
      case SPARSE ->
          fit.withGrid(GridChoice.DEFAULT.bounded(0, 0, 1).bounded(1, 0, 1).withPoints(13, 13));
      default ->
          fit.withGrid(GridChoice.DEFAULT.bounded(0, 0, 1).bounded(1, 0, 1).withPoints(14, 12));
    };
  }

  private static void requireSame(Model expected, Model actual, double slack) {
    Prediction p = expected.predict(POINTS);
    Prediction q = actual.predict(POINTS);
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), slack * 10);
      assertEquals(p.variance(i), q.variance(i), slack * (1 + p.variance(i)));
    }
    for (int j = 0; j < expected.drift().size(); j++) {
      Model.Coefficient c = expected.drift().get(j);
      assertEquals(c.value(), actual.drift().get(j).value(), slack * (1 + Math.abs(c.value())));
      assertEquals(c.standardError(), actual.drift().get(j).standardError(), slack);
    }
    assertEquals(
        expected.logMarginalLikelihood(),
        actual.logMarginalLikelihood(),
        slack * 10 * Math.abs(expected.logMarginalLikelihood()));
    assertEquals(expected.count(), actual.count());
    assertEquals(expected.provenance().fingerprint(), actual.provenance().fingerprint());
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL", "DENSE"})
  void updatesEqualAFitOfAllRows(Engine engine) {
    Dataset all = DriftTest.rows(120, 41, true);
    Dataset first = all.rows(0, 70);
    Dataset more = all.rows(70, 120);
    Model whole = fit(engine).to(all);
    Model part = fit(engine).to(first);
    assertTrue(Math.abs(whole.drift().get(3).value() - part.drift().get(3).value()) > 1e-6);
    requireSame(whole, part.with(more), 1e-8);
    requireSame(part, whole.without(more), 1e-7);
    requireSame(whole, Model.merge(part, fit(engine).to(more)), 1e-8);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL"})
  void otherParametersEqualAFitWithThem(Engine engine) {
    Dataset data = DriftTest.rows(90, 43, false);
    Model model = fit(engine).to(data);
    Model other = fit(engine).set("noise", 0.2).set("lengthscale", 0.5).to(data);
    requireSame(other, model.with(other.hyperparameters(), engine, Options.Maker.LIBRARY), 1e-8);
    Model learned = model.learn();
    assertTrue(learned.logMarginalLikelihood() > model.logMarginalLikelihood() + 1);
    assertEquals(learned.hyperparameters().size(), learned.provenance().standardErrors().size());
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL", "KRYLOV", "SPARSE"})
  void fileGivesTheSameBits(Engine engine, @TempDir Path directory) throws IOException {
    Model model = fit(engine).to(DriftTest.rows(80, 45, true));
    Path file = directory.resolve("m.lvl");
    model.save(file);
    Model read = Model.load(file);
    assertArrayEquals(model.predict(POINTS).means(), read.predict(POINTS).means(), 0);
    assertArrayEquals(model.predict(POINTS).variances(), read.predict(POINTS).variances(), 0);
    assertEquals(model.drift(), read.drift());
    assertEquals(model.logMarginalLikelihood(), read.logMarginalLikelihood(), 0);
    assertEquals(model.toString(), read.toString());
    Dataset more = DriftTest.rows(20, 46, true);
    assertArrayEquals(
        model.with(more).predict(POINTS).means(), read.with(more).predict(POINTS).means(), 0);
  }

  @Test
  void programsWithoutDriftsRefuseTheFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("m.lvl");
    fit(Engine.SPECTRAL).to(DriftTest.rows(60, 47, false)).save(file);
    assertEquals(3, Files.readAllBytes(file)[8]);
    DriftTest.fixed("rbf")
        .withMean("zero")
        .to(DriftTest.rows(60, 47, false).keeping(0, 1))
        .save(file);
    assertEquals(1, Files.readAllBytes(file)[8]);
  }

  @Test
  void damagedFilesAreRefused(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("m.lvl");
    fit(Engine.SPECTRAL).to(DriftTest.rows(60, 49, false)).save(file);
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 40; at < bytes.length; at += Math.max(1, bytes.length / 50)) {
      byte[] broken = bytes.clone();
      broken[at] ^= 0x11;
      Files.write(file, broken);
      assertThrows(ModelFormatException.class, () -> Model.load(file), "byte " + at);
    }
  }

  @Test
  void modelsWithOtherDriftsAreNotMerged() {
    Dataset data = DriftTest.rows(60, 51, false);
    Model both = fit(Engine.SPECTRAL).to(data);
    Model one = fit(Engine.SPECTRAL).withMean("constant").to(data);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Model.merge(both, one));
    assertTrue(String.valueOf(e.getMessage()).contains("different drifts"), e.getMessage());
  }

  @Test
  void textShowsTheCoefficients() {
    String text = fit(Engine.EXACT).to(DriftTest.rows(60, 53, false)).toString();
    assertTrue(text.contains("elevation -0.00"), text);
    assertTrue(text.contains("(restricted)"), text);
  }
}
