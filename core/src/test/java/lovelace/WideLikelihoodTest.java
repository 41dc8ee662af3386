package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood.Of;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables of more columns than a grid takes, whose targets are classes.
class WideLikelihoodTest {

  private static Dataset classes(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[5 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 5; j++) x[5 * i + j] = random.nextGaussian();
      double f = 3 * Math.sin(x[5 * i]) + 2 * x[5 * i + 1];
      y[i] = random.nextDouble() < 1 / (1 + Math.exp(-f)) ? 1 : 0;
    }
    return Dataset.of(x, 5, y);
  }

  private static double logScore(Model model, Dataset data) {
    Prediction p = model.predict(data.inputs(), Of.OBSERVATION);
    double sum = 0;
    for (int i = 0; i < data.size(); i++) sum -= p.logDensity(i, data.target()[i]);
    return sum / data.size();
  }

  @Test
  void neighboursComeCloseToTheExactProcess(@TempDir Path folder) throws IOException {
    Dataset rows = classes(700, 11);
    Dataset test = classes(500, 12);
    Fit fit = Fit.DEFAULT.withKernel("matern52").withLikelihood("bernoulli");
    Model exact = fit.to(rows);
    assertEquals(Engine.EXACT, exact.plan().chosen());
    Fit given = fit.withTraining(false);
    double[] values = exact.hyperparameters().values();
    int at = 0;
    for (var p : exact.hyperparameters().parameters()) {
      given = given.set(p.path(), java.util.Arrays.copyOfRange(values, at, at + p.size()));
      at += p.size();
    }
    Model near = given.withEngine(Engine.NEIGHBOURS).withNeighbours(60).to(rows);
    double score = logScore(exact, test);
    assertTrue(score < 0.45, () -> "log score " + score);
    assertEquals(score, logScore(near, test), 0.01);
    Path file = folder.resolve("near.love");
    near.save(file);
    Model again = Model.load(file);
    assertArrayEquals(
        near.predict(test.inputs(), Of.PROBABILITY).means(),
        again.predict(test.inputs(), Of.PROBABILITY).means());
    assertEquals("bernoulli", again.likelihood().toString());
  }

  @Test
  void kernelIsChosenByItsEvidence() {
    Model model = Fit.DEFAULT.withLikelihood("bernoulli").to(classes(200, 13));
    assertEquals(5, model.columns().size());
    assertEquals("bernoulli", model.likelihood().toString());
  }
}
