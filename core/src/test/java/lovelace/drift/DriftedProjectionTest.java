package lovelace.drift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A linear mean over a process of directions that are learned.
class DriftedProjectionTest {

  private static final int INPUTS = 5;
  private static final double SLOPE = 3;
  private static final double NOISE = 0.1;
  private static final Fit FIT =
      Fit.DEFAULT.withShape(Options.Shape.PROJECTION).withDrift(List.of("wet"));

  private static Model model;

  /// `y = 3 wet + sin(a direction) + noise`, where wet goes with the direction.
  private static Dataset rows(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n * (INPUTS + 1)];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      int at = i * (INPUTS + 1);
      for (int j = 0; j < INPUTS; j++) x[at + j] = 2 * random.nextDouble();
      double along = x[at] + 0.8 * x[at + 1] - 0.5 * x[at + 2];
      x[at + INPUTS] = 0.3 * along + random.nextGaussian();
      y[i] = SLOPE * x[at + INPUTS] + Math.sin(2 * along) + NOISE * random.nextGaussian();
    }
    List<Column> columns =
        List.of(
            Column.of("a"),
            Column.of("b"),
            Column.of("c"),
            Column.of("d"),
            Column.of("e"),
            Column.of("wet"));
    return Dataset.of(x, columns, y, Column.of("y"));
  }

  @BeforeAll
  static void fit() {
    model = FIT.to(rows(800, 1));
  }

  @Test
  void theSlopeAndTheDirectionAreFound() {
    assertTrue(model.map().orElseThrow() instanceof LinearMap);
    assertEquals(INPUTS, model.processColumns().size());
    Model.Coefficient wet = model.drift().get(1);
    assertEquals("wet", wet.name());
    assertEquals(SLOPE, wet.value(), 4 * wet.standardError());
    assertTrue(wet.standardError() < 0.02, wet::toString);
    Dataset others = rows(400, 2);
    Prediction p = model.predictObservation(others.inputs());
    double squares = 0;
    for (int i = 0; i < 400; i++) squares += Math.pow(others.target()[i] - p.mean(i), 2);
    double rmse = Math.sqrt(squares / 400);
    assertTrue(rmse < 1.3 * NOISE, "rmse " + rmse);
  }

  /// The exact process with a drift over the two features, with the same parameters.
  @Test
  void theModelIsTheExactOneOfItsFeatures() {
    Hyperparameters h = model.hyperparameters();
    Fit fit = Fit.DEFAULT.withEngine(Engine.EXACT).withTraining(false).withDrift(List.of("wet"));
    for (Parameter p : h.kernel().parameters()) fit = fit.set(p.path(), p.values());
    Model exact = fit.set("noise", h.noise()).to(seen(rows(800, 1)));
    Dataset some = rows(50, 3);
    Prediction p = exact.predict(seen(some).inputs());
    Prediction q = model.predict(some.inputs());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 0.1 * p.deviation(i));
      assertEquals(1, q.variance(i) / p.variance(i), 0.05);
    }
    for (int j = 0; j < 2; j++)
      assertEquals(
          exact.drift().get(j).value(),
          model.drift().get(j).value(),
          0.1 * exact.drift().get(j).standardError());
  }

  private static Dataset seen(Dataset rows) {
    double[] features = model.features(rows.inputs());
    int k = features.length / rows.size();
    double[] x = new double[rows.size() * (k + 1)];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(features, i * k, x, i * (k + 1), k);
      x[i * (k + 1) + k] = rows.inputs()[i * (INPUTS + 1) + INPUTS];
    }
    List<Column> columns = List.of(Column.of("f1"), Column.of("f2"), Column.of("wet"));
    return Dataset.of(x, columns, rows.target(), rows.targetColumn());
  }

  @Test
  void verbsAndFilesWork(@TempDir Path folder) throws IOException {
    double[] x = rows(20, 4).inputs();
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model loaded = Model.load(file);
    assertArrayEquals(model.predict(x).means(), loaded.predict(x).means(), 0);
    assertArrayEquals(model.predict(x).variances(), loaded.predict(x).variances(), 0);
    assertEquals(model.drift(), loaded.drift());
    Dataset inner = rows(20, 5);
    Model more = loaded.with(inner);
    assertEquals(820, more.count());
    assertArrayEquals(
        model.predict(x).means(), more.without(inner).predict(x).means(), 1e-6, "forgotten");
    assertEquals(1600, Model.merge(model, loaded).count());
    assertTrue(model.learn().logMarginalLikelihood() > model.logMarginalLikelihood() - 0.5);
  }

  @Test
  void aSumOfFunctionsIsRefused() {
    Fit sum = FIT.withShape(Options.Shape.ADDITIVE);
    String said =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> sum.to(rows(100, 1))).getMessage());
    assertTrue(said.contains("the shape is additive"), said);
  }
}
