package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The reasons for the forecast of a long series.
class LongReasonsTest {

  private static final int N = 1_200;
  private static final int H = 200;
  private static final int SHIFT = 700;
  private static final int OUTLIER = 300;

  private static double[] y;
  private static double[][] columns;
  private static Forecast next;

  @BeforeAll
  static void fit() {
    SplittableRandom random = new SplittableRandom(8);
    y = new double[N];
    columns = new double[2][N + H];
    for (int t = 0; t < N + H; t++) {
      columns[0][t] = 3 + random.nextGaussian();
      columns[1][t] = t % 53 == 0 ? 1 : 0;
      if (t < N)
        y[t] =
            500
                + 20 * Math.sin(2 * Math.PI * t / 12)
                + 40 * Math.cos(2 * Math.PI * t / 150.5)
                + 4 * columns[0][t]
                - 15 * columns[1][t]
                + (t >= SHIFT ? 25 : 0)
                + (t == OUTLIER ? 22 : 0)
                + 3 * random.nextGaussian();
    }
    next =
        Forecaster.DEFAULT
            .withHorizon(H)
            .withSeasons(12, 150.5)
            .fit(
                List.of(
                    TimeSeries.of("long", y).with(Columns.of(List.of("price", "event"), columns))))
            .of("long");
    assertEquals(Forecast.Kind.LONG, next.kind());
  }

  @Test
  void partsAddUpToTheValuesAndAreThoseThatMadeThem() {
    List<Component> parts = next.components(0.1, 0.9);
    assertEquals(
        List.of("trend", "season 12", "season 150.50", "deviations", "price", "event", "remainder"),
        parts.stream().map(Component::name).toList());
    int inside = 0;
    for (int t = 0; t < N; t++) {
      double sum = 0;
      for (Component part : parts) sum += part.estimate()[t];
      assertEquals(y[t], sum, 1e-6);
      double season = 40 * Math.cos(2 * Math.PI * t / 150.5);
      double[] ends = parts.get(2).quantiles()[t];
      if (season > ends[0] && season < ends[1]) inside++;
      assertEquals(season, parts.get(2).estimate()[t], 4);
      assertEquals(20 * Math.sin(2 * Math.PI * t / 12), parts.get(1).estimate()[t], 4);
    }
    assertTrue(inside > 0.5 * N, "inside " + inside); // errors of one season belong together
    assertEquals(N + H, parts.getFirst().estimate().length);
  }

  @Test
  void coefficientsAreFound() {
    List<Coefficient> all = next.coefficients(0.025, 0.975);
    assertEquals("price", all.getFirst().column());
    assertEquals(4, all.get(0).estimate(), 4 * all.get(0).error());
    assertEquals(-15, all.get(1).estimate(), 4 * all.get(1).error());
    assertTrue(all.get(1).error() < 2);
  }

  @Test
  void outlierAndShiftAreFoundAtTheirTimes() {
    List<Anomaly> all = next.anomalies();
    Anomaly shift =
        all.stream().filter(a -> a.kind() == Anomaly.Kind.SHIFT).findFirst().orElseThrow();
    assertEquals(SHIFT, shift.step(), 1);
    assertTrue(shift.low() < 25 && shift.high() > 25, shift.toString());
    Anomaly outlier =
        all.stream().filter(a -> a.kind() == Anomaly.Kind.OUTLIER).findFirst().orElseThrow();
    assertEquals(OUTLIER, outlier.step());
    assertTrue(outlier.low() < 22 && outlier.high() > 22, outlier.toString());
    assertTrue(all.size() <= 3, all.toString());
  }

  @Test
  void everyValueIsForecastFromThoseBeforeIt() {
    FittedValues fitted = next.fitted(0.1, 0.9);
    assertEquals(N - 3, fitted.steps().length);
    int inside = 0;
    int rows = 0;
    for (int r = 200; r < fitted.steps().length; r++) {
      double value = y[fitted.steps()[r]];
      double[] ends = fitted.quantiles()[r];
      rows++;
      if (value > ends[0] && value < ends[1]) inside++;
    }
    assertEquals(0.8, inside / (double) rows, 0.06);
    assertEquals(0, Arrays.stream(fitted.median()).filter(Double::isNaN).count());
  }
}
