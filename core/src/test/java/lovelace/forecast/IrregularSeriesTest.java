package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IrregularSeriesTest {

  private static final int SERIES = Boolean.getBoolean("lovelace.long") ? 600 : 60;

  /// Levels that walk with deviations, in a unit of one's own, from 12 to 90 values. The errors of
  /// one series belong together: eight forecasts count as two.
  @Test
  void intervalsHoldAtAnyTimes() {
    int h = 8;
    int[] inside = new int[2];
    for (int seed = 0; seed < SERIES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = random.nextInt(12, 91);
      double walk = Math.exp(random.nextDouble(-6, 0));
      double size = Math.exp(random.nextDouble(-2, 2));
      double memory = Math.exp(random.nextDouble(0, 3));
      double[] times = new double[n + h];
      double[] y = new double[n + h];
      double level = 50;
      double deviation = 0;
      for (int t = 0; t < n + h; t++) {
        double gap = -Math.log(1 - random.nextDouble()) + 0.01;
        times[t] = 3 * gap + (t == 0 ? 1e4 : times[t - 1]);
        double fade = Math.exp(-gap / memory);
        level += Math.sqrt(walk * gap) * random.nextGaussian();
        deviation = fade * deviation + Math.sqrt(size * (1 - fade * fade)) * random.nextGaussian();
        y[t] = level + deviation + random.nextGaussian();
      }
      Forecast next =
          Forecaster.DEFAULT.forecast(
              IrregularSeries.of("", Arrays.copyOf(times, n), Arrays.copyOf(y, n)),
              Arrays.copyOfRange(times, n, n + h));
      for (int k = 0; k < h; k++) {
        double u = next.probability(k, y[n + k]);
        if (Math.abs(u - 0.5) < 0.4) inside[0]++;
        if (Math.abs(u - 0.5) < 0.475) inside[1]++;
      }
    }
    double count = SERIES * h;
    assertEquals(0.8, inside[0] / count, 4 * Math.sqrt(0.16 / (2 * SERIES)));
    assertEquals(0.95, inside[1] / count, 4 * Math.sqrt(0.0475 / (2 * SERIES)));
  }

  @Test
  void longerGapsHaveWiderIntervals() {
    double[] times = {0, 1, 1.5, 4, 4.2, 6, 9, 10, 10.5, 13};
    double[] y = {5, 5.5, 5.2, 6, 6.1, 6.6, 7.2, 7, 7.4, 8};
    Forecast next = Forecaster.DEFAULT.forecast(IrregularSeries.of("a", times, y), 13.1, 14, 30);
    double before = 0;
    for (int k = 0; k < 3; k++) {
      double[] q = next.quantiles(k, 0.1, 0.9);
      assertTrue(q[1] - q[0] > before);
      before = q[1] - q[0];
    }
    assertEquals(20, next.sample(20, new SplittableRandom(1)).length);
  }

  @Test
  void fewValuesHaveForecastsToo() {
    for (int n = 0; n < 7; n++) {
      double[] times = new double[n];
      double[] y = new double[n];
      for (int t = 0; t < n; t++) {
        times[t] = t * t;
        y[t] = 3 + t % 2;
      }
      Forecast next = Forecaster.DEFAULT.forecast(IrregularSeries.of("", times, y), 40, 45);
      assertEquals(n == 0, Double.isNaN(next.median(1)), "n = " + n);
      Forecast.Kind kind =
          n == 0
              ? Forecast.Kind.NONE
              : n == 1 ? Forecast.Kind.ONE : n < 6 ? Forecast.Kind.SHORT : Forecast.Kind.LONG;
      assertEquals(kind, next.kind());
    }
  }

  @Test
  void timesThatDoNotAscendAreRefused() {
    double[] y = {1, 2};
    assertThrows(
        IllegalArgumentException.class, () -> IrregularSeries.of("a", new double[] {1, 1}, y));
    IrregularSeries series = IrregularSeries.of("a", new double[] {1, 2}, y);
    var refused =
        assertThrows(
            IllegalArgumentException.class, () -> Forecaster.DEFAULT.forecast(series, 1.5));
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains("must be after 2.0"), said);
    assertThrows(IllegalArgumentException.class, () -> Forecaster.DEFAULT.forecast(series));
  }
}
