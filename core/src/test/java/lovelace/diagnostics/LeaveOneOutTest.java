package lovelace.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows left out in turn, beside models that have not learned from them.
class LeaveOneOutTest {

  private static final long SEED = 12;

  private static Dataset rows(int d, boolean pixels, boolean weighted) {
    var random = new SplittableRandom(SEED);
    int n = 144;
    double[] x = new double[n * d];
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++)
        x[i * d + j] = pixels ? (j == 0 ? i % 12 : i / 12) : 12 * random.nextDouble();
      y[i] = Math.sin(x[i * d]) + 0.3 * random.nextGaussian() + (d > 1 ? x[i * d + 1] / 6 : 0);
      w[i] = 0.5 + random.nextDouble();
    }
    Dataset all = Dataset.of(x, d, y);
    return weighted ? all.withWeights(w) : all;
  }

  private static Fit fit(String kernel, Engine engine) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withEngine(engine)
        .withTraining(false)
        .set("lengthscale", 2)
        .set("outputscale", 1.2)
        .set("noise", 0.1);
  }

  @ParameterizedTest
  @CsvSource({
    "exact, 2, rbf, EXACT, false, true",
    "a grid, 2, rbf, SPECTRAL, false, true",
    "pixels, 2, matern12, SPARSE, true, true",
    "sites, 2, matern12, SITES, false, false",
    "a chain of a grid, 1, matern32, MARKOV, true, false",
    "a chain of rows, 1, matern32, CHAIN, false, false",
    "dense, 1, rbf, DENSE, false, false",
    "a drift, 2, rbf, SPECTRAL, false, false",
    "a drift of rows, 2, rbf, EXACT, false, false"
  })
  void rowsLeftOutAreThoseOfAModelWithoutThem(
      String name, int d, String kernel, Engine engine, boolean pixels, boolean weighted) {
    Dataset rows = rows(d, pixels, weighted);
    Fit fit = fit(kernel, engine);
    boolean drift = name.startsWith("a drift");
    if (drift && engine == Engine.SPECTRAL)
      fit = fit.withGrid(GridChoice.DEFAULT.withPoints(40).bounded(0, -1, 13));
    fit = drift ? fit.withDrift(List.of("x2")) : fit.set("mean", 0.5);
    Model model = fit.to(rows);
    // under the prior of sparse regressions, which is that of the kernel but for some parts in a
    // thousand
    double close = engine == Engine.SPARSE || engine == Engine.SITES ? 0.01 : 1e-8;
    Prediction left = LeaveOneOut.of(model.posterior(), model.held(), rows);
    for (int i : new int[] {0, 5, 70, 143}) {
      Dataset one =
          Dataset.of(
              Arrays.copyOfRange(rows.inputs(), i * d, (i + 1) * d),
              rows.columns(),
              new double[] {rows.target()[i]},
              rows.targetColumn());
      if (weighted) one = one.withWeights(new double[] {rows.weight(i)});
      Model without = drift ? fit.to(rest(rows, i)) : model.without(one);
      Prediction p = without.posterior().predict(one.inputs());
      String what = name + ", row " + i + ", seed " + SEED;
      assertEquals(p.mean(0), left.mean(i), close * p.deviation(0), what);
      assertEquals(1, left.variance(i) / (p.variance(0) + 0.1 / rows.weight(i)), close, what);
    }
  }

  private static Dataset rest(Dataset rows, int without) {
    int d = rows.dimensions();
    int[] kept = IntStream.range(0, rows.size()).filter(i -> i != without).toArray();
    double[] x = new double[kept.length * d];
    double[] y = new double[kept.length];
    for (int i = 0; i < kept.length; i++) {
      System.arraycopy(rows.inputs(), kept[i] * d, x, i * d, d);
      y[i] = rows.target()[kept[i]];
    }
    return Dataset.of(x, rows.columns(), y, rows.targetColumn());
  }

  @Test
  void withoutNoiseTheExactEngineIsNeeded() {
    Dataset rows = rows(2, true, false);
    Model exact = fit("matern12", Engine.EXACT).set("mean", 0).set("noise", 0).to(rows);
    Prediction left = LeaveOneOut.of(exact.posterior(), exact.held(), rows);
    Prediction p =
        exact
            .without(
                Dataset.of(Arrays.copyOf(rows.inputs(), 2), 2, new double[] {rows.target()[0]}))
            .posterior()
            .predict(Arrays.copyOf(rows.inputs(), 2));
    assertEquals(p.mean(0), left.mean(0), 1e-8);
    assertEquals(1, left.variance(0) / p.variance(0), 1e-8);
    Model grid = fit("matern12", Engine.SPARSE).set("mean", 0).set("noise", 0).to(rows);
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> LeaveOneOut.of(grid.posterior(), grid.held(), rows));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("needs the exact engine"), refused::toString);
  }

  /// Four rows on a line, three classes, by hand.
  @Test
  void theVariogramIsItsDefinition() {
    var kernel = fit("rbf", Engine.EXACT).set("mean", 0).hyperparameters(1).kernel();
    double[] x = {0, 1, 2, 4};
    double[] r = {1, 3, 2, -2};
    double[] noise = {0.1, 0.1, 0.2, 0.2};
    List<Variogram.Lag> lags =
        Variogram.of(kernel, x, r, noise, new double[] {1}, 4, SEED); // up to 2, half a unit each
    assertEquals(1, lags.size());
    Variogram.Lag one = lags.getFirst();
    assertEquals(1, one.distance());
    assertEquals(2, one.pairs());
    assertEquals((4 + 1) / 4.0, one.empirical(), 1e-14);
    double root = (Math.sqrt(2) + 1) / 2;
    assertEquals(Math.pow(root, 4) / 2 / (0.457 + 0.247), one.robust(), 1e-14);
    double k = 1.2 * Math.exp(-1 / 8.0);
    assertEquals((0.2 + 2 * (1.2 - k) + 0.3 + 2 * (1.2 - k)) / 4, one.fitted(), 1e-14);
  }

  /// Rows drawn from the process itself have the variogram that it expects.
  @Test
  void drawsOfTheProcessHaveItsVariogram() {
    var random = new SplittableRandom(SEED);
    double[] x = random.doubles(1200, 0, 60).toArray();
    Fit fit = fit("matern32", Engine.EXACT).set("mean", 0);
    double[] far = {1e6, 1e6};
    double[] y =
        fit.to(
                Dataset.of(
                    far, List.of(Column.of("a"), Column.of("b")), new double[] {0}, Column.of("y")))
            .sample(x, 1, random);
    for (int i = 0; i < y.length; i++) y[i] += Math.sqrt(0.1) * random.nextGaussian();
    double[] noise = new double[600];
    Arrays.fill(noise, 0.1);
    for (Variogram.Lag lag :
        Variogram.of(fit.hyperparameters(2).kernel(), x, y, noise, new double[] {1, 1}, 15, SEED)) {
      assertEquals(1, lag.empirical() / lag.fitted(), 0.35, "at " + lag.distance());
      assertEquals(1, lag.robust() / lag.fitted(), 0.4, "at " + lag.distance());
    }
  }
}
