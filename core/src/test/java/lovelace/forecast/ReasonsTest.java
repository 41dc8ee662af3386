package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Outliers that forecasts leave out, and the reasons that they give.
class ReasonsTest {

  private static final int STEPS = 48;

  private static Forecasts forecasts;

  /// Eight clean series of quarters; `off` has an outlier at step 20, `gap` none there, `shift`
  /// another level from step 30 on.
  private static List<TimeSeries> table() {
    SplittableRandom random = new SplittableRandom(2);
    List<TimeSeries> all = new ArrayList<>();
    for (int s = 0; s < 8; s++) {
      double[] y = new double[STEPS];
      for (int t = 0; t < STEPS; t++)
        y[t] =
            (50 + 10 * s) * (1 + 0.01 * t + 0.2 * ((t % 4) - 1.5) + 0.02 * random.nextGaussian());
      all.add(TimeSeries.of("s" + s, y));
    }
    double[] off = all.getFirst().values();
    off[20] = 1e9;
    double[] gap = all.getFirst().values();
    gap[20] = Double.NaN;
    double[] shift = all.getFirst().values();
    for (int t = 30; t < STEPS; t++) shift[t] += 40;
    all.add(TimeSeries.of("off", off));
    all.add(TimeSeries.of("gap", gap));
    all.add(TimeSeries.of("shift", shift));
    all.add(TimeSeries.of("one", 7));
    all.add(TimeSeries.of("none"));
    all.add(TimeSeries.of("same", 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3));
    all.add(TimeSeries.of("short", 3, 5, 4));
    return all;
  }

  @BeforeAll
  static void fit() {
    forecasts = Forecaster.DEFAULT.withHorizon(4).withSeasons(4).fit(table());
  }

  @Test
  void anOutlierCountsAsAGap(@TempDir Path folder) throws IOException {
    Forecast off = forecasts.of("off");
    Outlier outlier = off.outliers().getFirst();
    assertEquals(1, off.outliers().size());
    assertEquals(20, outlier.step());
    assertEquals(1e9, outlier.value());
    assertEquals(table().getFirst().value(20), outlier.expected(), 5);
    assertTrue(outlier.t() > 100);
    double[] levels = {0.025, 0.5, 0.975};
    for (int k = 0; k < 4; k++) {
      double[] with = off.quantiles(k, levels);
      double[] without = forecasts.of("gap").quantiles(k, levels);
      for (int l = 0; l < 3; l++) assertEquals(without[l], with[l], 1e-9 * without[l]);
    }
    forecasts.save(folder.resolve("f.lvf"));
    Forecast loaded = Forecasts.load(folder.resolve("f.lvf")).of("off");
    assertEquals(off.outliers(), loaded.outliers());
    assertEquals(off.median(0), loaded.median(0));
  }

  @Test
  void outliersCanBeKept() {
    Forecasts kept =
        Forecaster.DEFAULT
            .withHorizon(4)
            .withSeasons(4)
            .withOutliers(Forecaster.Outliers.KEEP)
            .fit(table());
    assertEquals(List.of(), kept.of("off").outliers());
    assertNotEquals(forecasts.of("off").median(0), kept.of("off").median(0));
  }

  @Test
  void partsAddUpToTheValuesAndTheFuture() {
    for (Forecast each : forecasts.all()) {
      List<Component> parts = each.components(0.1, 0.9);
      boolean process = each.kind() != Forecast.Kind.ONE && each.kind() != Forecast.Kind.NONE;
      assertEquals(process ? 3 : 0, parts.size(), each.id());
      for (int t = 0; process && t < each.series().size(); t++) {
        double y = each.series().value(t);
        int step = t;
        double sum = parts.stream().mapToDouble(part -> part.estimate()[step]).sum();
        if (!Double.isNaN(y) && y < 1e8) assertEquals(y, sum, 1e-6 * Math.abs(y), each.id());
      }
      for (Component part : parts) {
        assertEquals(each.series().size() + 4, part.estimate().length);
        assertEquals(0, part.first());
      }
    }
    List<Component> parts = forecasts.of("s1").components();
    assertEquals(
        List.of("trend", "season 4", "remainder"), parts.stream().map(Component::name).toList());
    double future = parts.stream().mapToDouble(part -> part.estimate()[STEPS + 1]).sum();
    assertEquals(forecasts.of("s1").median(1), future, 0.05 * future);
  }

  @Test
  void fittedValuesFollowTheThirdValue() {
    FittedValues fitted = forecasts.of("off").fitted(0.025, 0.975);
    assertEquals(STEPS - 3, fitted.steps().length);
    assertEquals(3, fitted.steps()[0]);
    int inside = 0;
    for (int r = 0; r < fitted.steps().length; r++) {
      double y = forecasts.of("off").series().value(fitted.steps()[r]);
      if (y > fitted.quantiles()[r][0] && y < fitted.quantiles()[r][1]) inside++;
    }
    assertTrue(inside >= 38 && inside < fitted.steps().length, inside + " inside");
    assertEquals(0, forecasts.of("one").fitted(0.5).steps().length);
    assertEquals(0, forecasts.of("short").fitted(0.5).steps().length);
    FittedValues same = forecasts.of("same").fitted(0.5);
    for (double median : same.median()) assertEquals(3, median, 1e-6);
  }

  @Test
  void anomaliesHaveTimeSizeAndT() {
    Anomaly outlier = forecasts.of("off").anomalies().getFirst();
    assertEquals(Anomaly.Kind.OUTLIER, outlier.kind());
    assertEquals(20, outlier.step());
    assertTrue(outlier.leftOut());
    assertEquals(1e9, outlier.size(), 1e3);
    Anomaly shift = forecasts.of("shift").anomalies().getFirst();
    assertEquals(Anomaly.Kind.SHIFT, shift.kind());
    assertEquals(30, shift.step());
    assertTrue(shift.low() < 40 && 40 < shift.high(), shift.toString());
    assertTrue(shift.t() > 5, shift.toString());
    for (String id : List.of("one", "none", "same", "short"))
      assertEquals(List.of(), forecasts.of(id).anomalies(), id);
    assertThrows(IllegalArgumentException.class, () -> forecasts.of("s1").anomalies(0));
  }

  @Test
  void aColumnHasItsCoefficient() {
    SplittableRandom random = new SplittableRandom(6);
    List<TimeSeries> all = new ArrayList<>();
    for (int s = 0; s < 6; s++) {
      double[] price = new double[64];
      double[] y = new double[60];
      for (int t = 0; t < 64; t++) price[t] = random.nextDouble(8, 12);
      for (int t = 0; t < 60; t++) y[t] = 500 - 20 * price[t] + 2 * random.nextGaussian();
      all.add(TimeSeries.of("s" + s, y).with(Columns.of(List.of("price"), new double[][] {price})));
    }
    for (Forecast each : Forecaster.DEFAULT.withHorizon(4).fit(all).all()) {
      Coefficient price = each.coefficients(0.025, 0.975).getFirst();
      assertEquals("price", price.column());
      assertEquals(-20, price.estimate(), 1.5);
      assertEquals(-20 / 3., price.percent(), 0.7);
      assertTrue(price.quantiles()[0] < price.estimate());
      Component effect =
          each.components(name -> "columns").stream()
              .filter(part -> part.kind() == Component.Kind.EFFECT)
              .findFirst()
              .orElseThrow();
      assertEquals("columns", effect.name());
    }
    assertEquals(List.of(), forecasts.of("s1").coefficients());
  }
}
