package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.series.Calibration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Long and rich series go to state spaces where these forecast better.
class LongPartTest {

  @TempDir private Path folder;

  /// Three seasons, of which the longest is large.
  private static double[] rich(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] y = new double[n];
    for (int t = 0; t < n; t++)
      y[t] =
          200
              + 5 * Math.sin(2 * Math.PI * t / 6)
              + 10 * Math.cos(2 * Math.PI * t / 30)
              + 60 * Math.sin(2 * Math.PI * t / 180.5)
              + 3 * random.nextGaussian();
    return y;
  }

  @Test
  void threeSeasonsAreForecastByStateSpacesAndKeptInFiles() throws IOException {
    int n = 600;
    int h = 30;
    double[] y = rich(n + h, 1);
    Forecaster forecaster = Forecaster.DEFAULT.withHorizon(h).withSeasons(6, 30, 180.5);
    Forecasts next =
        forecaster.fit(
            List.of(
                TimeSeries.of("rich", Arrays.copyOf(y, n)),
                TimeSeries.of("short", Arrays.copyOfRange(y, n - 100, n))));
    Forecast found = next.of("rich");
    assertEquals(Forecast.Kind.LONG, found.kind());
    assertEquals(Forecast.Kind.LIBRARY, next.of("short").kind());
    assertArrayEquals(new double[] {6, 30, 180.5}, next.model().longSeasons().orElseThrow());
    double squares = 0;
    for (int k = 0; k < h; k++) squares += Math.pow(found.median(k) - y[n + k], 2) / h;
    assertTrue(squares < 9 * 1.6, "mean square " + squares);
    Path file = folder.resolve("long.lvf");
    next.save(file);
    Forecast again = Forecasts.load(file).of("rich");
    assertEquals(Forecast.Kind.LONG, again.kind());
    for (int k = 0; k < h; k++)
      assertArrayEquals(found.quantiles(k, 0.1, 0.5, 0.9), again.quantiles(k, 0.1, 0.5, 0.9));
  }

  @Test
  void aHorizonTooLongToCompareNeedsNoLibrary() {
    int n = 700;
    int h = 200;
    double[] y = rich(n + h, 2);
    Forecast next =
        Forecaster.DEFAULT
            .withHorizon(h)
            .withSeasons(6, 30, 180.5)
            .fit(List.of(TimeSeries.of("rich", Arrays.copyOf(y, n))))
            .of("rich");
    assertEquals(Forecast.Kind.LONG, next.kind());
    int inside = 0;
    for (int k = 0; k < h; k++) {
      double[] q = next.quantiles(k, 0.1, 0.9);
      if (y[n + k] > q[0] && y[n + k] < q[1]) inside++;
    }
    assertEquals(0.8, inside / (double) h, 4 * Math.sqrt(0.16 / h));
  }

  @Test
  void itsNumbersSayAll() {
    LongPart part = new LongPart(true, new Calibration(new double[][] {{1, 1.1, 1.2}, {2, 3, 4}}));
    LongPart again = LongPart.of(part.numbers());
    assertTrue(again.used());
    assertArrayEquals(part.calibration().factors(), again.calibration().factors());
    assertThrows(IllegalArgumentException.class, () -> LongPart.of(1, 2));
  }
}
