package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Missed;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hourly rows with a daily and a weekly season: the grid must hold the shortest of them, and a
/// model that misses its tolerance says so.
class SeasonsTest {

  private static final double NOISE = 5;

  private static double level(double day) {
    return 50
        + 0.01 * day
        + 12 * Math.sin(2 * Math.PI * day)
        + 4 * Math.cos(4 * Math.PI * day)
        + 6 * Math.sin(2 * Math.PI * day / 7);
  }

  private static Dataset hours(int first, int count, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[count];
    double[] y = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = (first + i + random.nextDouble(-0.3, 0.3)) / 24;
      y[i] = level(x[i]) + NOISE * random.nextGaussian();
    }
    return Dataset.of(x, 1, y);
  }

  private static double error(Model model, Dataset rows) {
    Prediction p = model.predict(rows.inputs());
    double sum = 0;
    for (int i = 0; i < rows.size(); i++) sum += Math.pow(p.mean(i) - rows.target()[i], 2);
    return Math.sqrt(sum / rows.size());
  }

  @Test
  void aPeriodInAWrongUnitIsRefusedAtOnce() {
    var random = new SplittableRandom(5);
    double[] hour = IntStream.range(0, 6000).mapToDouble(i -> i).toArray();
    double[] y =
        Arrays.stream(hour).map(x -> level(x / 24) + NOISE * random.nextGaussian()).toArray();
    Dataset rows = Dataset.of(hour, 1, y);
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Fit.DEFAULT.withKernel("periodic(period=fixed(0.04)) + rbf").to(rows));
    assertTrue(
        String.valueOf(e.getMessage())
            .contains("period 0.04000 is shorter than the spacing of the data"),
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rbf + periodic(period=fixed(1)) + periodic(period=fixed(7))",
        "rbf*periodic(period=fixed(1)) + periodic(period=fixed(7)) + rbf",
        "rbf + periodic(period=1) + periodic(period=7)",
      })
  void areLearnedOnAGridThatHoldsThem(String kernel) {
    Model model = Fit.DEFAULT.withKernel(kernel).to(hours(0, 9000, 1));
    assertEquals(Engine.SPECTRAL, model.plan().chosen());
    assertEquals(NOISE, error(model, hours(100, 4000, 2)), 0.03 * NOISE, kernel);
    assertTrue(model.missed().isEmpty(), () -> model.missed().toString());
  }

  @Test
  void aToleranceThatIsMissedSaysWhatMeetsIt() {
    Dataset rows = hours(0, 9000, 1);
    Fit fit =
        Fit.DEFAULT
            .withKernel(
                "1000*rbf(lengthscale=300) + 80*periodic(lengthscale=1,period=1) + 30*periodic(lengthscale=2,period=7)")
            .set("noise", NOISE * NOISE)
            .set("mean", 50)
            .withTraining(false);
    Model coarse = fit.withGrid(GridChoice.DEFAULT.withPoints(5000)).to(rows);
    Missed missed = coarse.missed().orElseThrow();
    assertEquals(0.01, missed.askedVariance());
    assertTrue(missed.variance() > 0.01 || missed.mean() > missed.askedMean(), missed::toString);
    assertFalse(missed.grid().isEmpty());
    assertTrue(missed.grid().getFirst() > 5000, missed::toString);
    Model finer = fit.withGrid(GridChoice.DEFAULT.withPoints(missed.grid().getFirst())).to(rows);
    assertTrue(finer.missed().isEmpty(), () -> finer.missed().toString());
    if (!Double.isNaN(missed.tolerance())) {
      Model wider =
          fit.withGrid(GridChoice.DEFAULT.withPoints(5000))
              .withTolerance(missed.tolerance())
              .to(rows);
      assertTrue(wider.missed().isEmpty(), () -> wider.missed().toString());
    }
  }

  @Test
  void modelsWithoutAToleranceToMissSayNothing() {
    Dataset rows = hours(0, 200, 1);
    assertTrue(Fit.DEFAULT.withEngine(Engine.EXACT).to(rows).missed().isEmpty());
  }
}
