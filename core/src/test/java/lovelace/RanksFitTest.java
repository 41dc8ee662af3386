package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fits of the ranks of a target with heavy tails on both sides.
class RanksFitTest {

  private static Dataset table(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble(0, 10);
      y[i] = Math.sinh(6 * Math.sin(x[i]) + 0.5 * random.nextGaussian());
    }
    return Dataset.of(x, 1, y);
  }

  private static Fit fit(Engine engine) {
    return Fit.DEFAULT.withEngine(engine).withTransform(TargetTransform.RANKS);
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"EXACT", "SPECTRAL"})
  void aFitTakesTheRanksOfItsTargets(Engine engine, @TempDir Path folder) throws IOException {
    Dataset rows = table(300, 1);
    Model model = fit(engine).to(rows);
    assertFalse(model.transform().isOpen());
    assertEquals(TargetTransform.ranks(rows.target()), model.transform());
    assertEquals(
        fit(engine).withTransform(model.transform()).to(rows).hyperparameters(),
        model.hyperparameters());

    Dataset out = table(500, 2);
    Scores ranks = Scores.of(model.predictObservation(out.inputs()), out.target());
    Model plain = fit(engine).withTransform(TargetTransform.NONE).to(rows);
    Scores none = Scores.of(plain.predictObservation(out.inputs()), out.target());
    assertTrue(ranks.nlpd() < none.nlpd() - 0.3, ranks + " beside " + none);
    assertEquals(0.95, ranks.coverage(0.95), 0.04);
    assertTrue(ranks.crps() < none.crps());

    Path file = folder.resolve("ranks");
    model.save(file);
    Model loaded = Model.load(file);
    assertEquals(model.transform(), loaded.transform());
    assertArrayEquals(
        model.predict(out.inputs()).variances(), loaded.predict(out.inputs()).variances());
    assertEquals(model.logMarginalLikelihood(), loaded.logMarginalLikelihood());
  }

  @Test
  void rowsThatComeHaveTheRanksOfTheFit() {
    Dataset rows = table(200, 3);
    Dataset some = rows.select(IntStream.range(0, 150).toArray());
    Dataset more = rows.select(IntStream.range(150, 200).toArray());
    Model part = fit(Engine.EXACT).to(some);
    Model updated = part.with(more);
    assertEquals(part.transform(), updated.transform());
    Model back = updated.without(more);
    Prediction p = part.predict(1, 2, 3);
    assertArrayEquals(p.means(), back.predict(1, 2, 3).means(), 1e-9);
    assertEquals(part.logMarginalLikelihood(), back.logMarginalLikelihood(), 1e-6);
    Model other = fit(Engine.EXACT).to(more);
    var e = assertThrows(IllegalArgumentException.class, () -> Model.merge(part, other));
    String text = String.valueOf(e.getMessage());
    assertTrue(text.contains("ranks of different tables"), text);
    assertTrue(text.contains("'model 2' again with the transform of 'model 1'"), text);
  }

  /// Ranks are those of the first fit: more rows, fewer rows and the rows of another model lead to
  /// the model of all rows with these ranks and parameters.
  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"EXACT", "SPECTRAL", "NEIGHBOURS", "CHAIN"})
  void revisionsEqualFitsWithTheRanksOfTheFirst(Engine engine) {
    Dataset rows = table(200, 4);
    Dataset some = rows.select(IntStream.range(0, 120).toArray());
    Dataset more = rows.select(IntStream.range(120, 200).toArray());
    GridChoice grid = GridChoice.DEFAULT.withPoints("200").bounded(0, 0, 10);
    Fit given =
        fit(engine)
            .withKernel("matern52(lengthscale=1)")
            .withTraining(false)
            .set("outputscale", 0.8)
            .set("noise", 0.05)
            .set("mean", 0.1);
    if (engine == Engine.SPECTRAL) given = given.withKernel("rbf(lengthscale=1)").withGrid(grid);
    Model first = given.to(some);
    Fit same = given.withTransform(first.transform());
    Model whole = same.to(rows);
    assertAlike(whole, first.with(more));
    assertAlike(whole, Model.merge(first, same.to(more)));
    assertAlike(first, whole.without(more));
    double[] free = given.to(rows).predict(1, 2, 3).means();
    assertNotEquals(free[0], whole.predict(1, 2, 3).mean(0), 1e-6, "ranks of all rows differ");
  }

  private static void assertAlike(Model expected, Model actual) {
    double[] places = {0.5, 1, 2.3, 4.4, 7.9, 9.5};
    assertEquals(expected.transform(), actual.transform());
    assertEquals(expected.count(), actual.count());
    Prediction p = expected.predictObservation(places);
    Prediction q = actual.predictObservation(places);
    for (int i = 0; i < places.length; i++) {
      double scale = p.deviation(i);
      assertEquals(p.mean(i), q.mean(i), 1e-8 * scale);
      assertEquals(p.deviation(i), q.deviation(i), 1e-8 * scale);
      assertEquals(p.lower(i, 0.9), q.lower(i, 0.9), 1e-8 * scale);
    }
    assertEquals(expected.logMarginalLikelihood(), actual.logMarginalLikelihood(), 1e-6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "ranks"})
  void rowsAreForgottenThoughTheirTargetsWereRounded(TargetTransform transform) {
    var random = new SplittableRandom(5);
    double[] x = new double[60];
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      x[i] = i / 4; // four rows at each place
      y[i] = Math.exp(random.nextGaussian());
    }
    Model model = fit(Engine.EXACT).withTransform(transform).to(Dataset.of(x, 1, y));
    Dataset held = model.held().orElseThrow().data();
    double[] back = new double[60];
    for (int i = 0; i < 60; i++) back[i] = model.transform().invert(held.target()[i]);
    Dataset rounded = Dataset.of(x, 1, back);
    int[] odd = IntStream.range(0, 30).map(i -> 2 * i + 1).toArray();
    Model rest = model.without(rounded.select(odd));
    assertEquals(30, rest.count());
    double[] left = rest.held().orElseThrow().data().target();
    for (int i = 0; i < 30; i++) assertEquals(held.target()[2 * i], left[i]);
    double[] other = back.clone();
    other[7] *= 1 + 1e-6;
    assertThrows(
        IllegalArgumentException.class, () -> model.without(Dataset.of(x, 1, other).select(odd)));
  }
}
