package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.series.state.Times;
import org.junit.jupiter.api.Test;

class LongSeriesTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");

  private static final double NOISE = 5;

  /// Steps with a day, a week and a year; the level stays.
  private static double[] values(int n, double[] periods, double[][] columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] day = new double[(int) periods[0]];
    for (int i = 0; i < day.length; i++)
      day[i] = 12 * Math.sin(2 * Math.PI * i / day.length) + 3 * random.nextGaussian();
    double[] y = new double[n];
    for (int t = 0; t < n; t++) {
      int week = (int) (t % periods[1] / periods[0]);
      y[t] =
          100
              + day[t % day.length]
              - (week >= 5 ? 10 : 0)
              + 15 * Math.cos(2 * Math.PI * t / periods[2] - 1)
              + NOISE * random.nextGaussian();
      if (columns.length > 0) y[t] += 8 * columns[0][t] - 12 * columns[1][t];
    }
    return y;
  }

  private static double[][] columns(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] columns = new double[2][n];
    for (int t = 1; t < n; t++) {
      columns[0][t] = 0.9 * columns[0][t - 1] + 0.4 * random.nextGaussian();
      columns[1][t] = t / 24 % 37 == 5 ? 1 : 0;
    }
    return columns;
  }

  /// The error is that of the noise, and intervals hold within four standard errors.
  @Test
  void threeSeasonsAndColumnsAreForecastAsWellAsNoiseAllows() {
    double[] periods = LONG ? new double[] {24, 168, 8_766} : new double[] {12, 84, 900.5};
    int n = LONG ? 17_520 : 2_000;
    int h = LONG ? 744 : 150;
    int series = LONG ? 20 : 4;
    double squares = 0;
    int[] inside = new int[2];
    for (int seed = 0; seed < series; seed++) {
      double[][] columns = columns(n + h, seed);
      double[] y = values(n + h, periods, columns, seed);
      History history =
          History.of(Arrays.copyOf(y, n), Library.POWERS)
              .with(Covariates.of(List.of("temperature", "holiday"), columns));
      Outlook next =
          LongSeries.of(history, Times.steps(n + h), periods, h).outlook(Calibration.NONE);
      for (int k = 0; k < h; k++) {
        double[] q = next.quantiles(k, 0.025, 0.1, 0.5, 0.9, 0.975);
        squares += (y[n + k] - q[2]) * (y[n + k] - q[2]) / (series * h);
        if (y[n + k] > q[1] && y[n + k] < q[3]) inside[0]++;
        if (y[n + k] > q[0] && y[n + k] < q[4]) inside[1]++;
      }
    }
    double count = series * h;
    double error = NOISE * Math.sqrt(0.5 / count); // of the noise itself
    assertTrue(Math.sqrt(squares) < 1.03 * NOISE + 3 * error, "rmse " + Math.sqrt(squares));
    assertEquals(0.8, inside[0] / count, 4 * Math.sqrt(0.8 * 0.2 / count));
    assertEquals(0.95, inside[1] / count, 4 * Math.sqrt(0.95 * 0.05 / count));
  }

  @Test
  void pathsHaveTheDistributionOfEachStep() {
    int n = 400;
    int h = 24;
    double[] y = values(n, new double[] {12, 84, 200}, new double[0][], 4);
    History history = History.of(y, Library.POWERS);
    Outlook next =
        LongSeries.of(history, Times.steps(n + h), new double[] {12, 84}, h)
            .outlook(Calibration.NONE);
    int count = 2_000;
    double[][] paths = next.paths(count, new SplittableRandom(2));
    for (int k : new int[] {0, 11, 23}) {
      int step = k;
      double mean =
          Arrays.stream(paths).mapToDouble(p -> next.cdf(step, p[step])).average().orElse(0);
      double low = Arrays.stream(paths).filter(p -> next.cdf(step, p[step]) < 0.1).count();
      assertEquals(0.5, mean, 4 * Math.sqrt(1 / 12. / count));
      assertEquals(0.1, low / count, 4 * Math.sqrt(0.09 / count));
    }
    assertArrayEquals(paths, next.paths(count, new SplittableRandom(2)));
  }

  @Test
  void gapsAndValuesThatNeverChangeHaveForecasts() {
    int n = 300;
    int h = 10;
    double[] y = values(n, new double[] {12, 84, 200}, new double[0][], 5);
    for (int t = 100; t < 160; t++) y[t] = Double.NaN;
    double[] same = new double[n];
    Arrays.fill(same, 7);
    for (double[] values : List.of(y, same)) {
      boolean constant = values[1] == values[0];
      History history = History.of(values, Library.POWERS);
      Outlook next =
          LongSeries.of(history, Times.steps(n + h), new double[] {12, 84}, h)
              .outlook(Calibration.NONE);
      for (int k = 0; k < h; k++) {
        double[] q = next.quantiles(k, 0.05, 0.5, 0.95);
        assertTrue(q[0] <= q[1] && q[1] <= q[2] && Double.isFinite(q[2] - q[0]));
        if (constant) assertEquals(7, q[1], 1e-6);
      }
    }
  }
}
