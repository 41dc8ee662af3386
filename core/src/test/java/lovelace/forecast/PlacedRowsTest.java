package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.TimeForm;
import org.junit.jupiter.api.Test;

class PlacedRowsTest {

  private static final List<String> MONTHS =
      List.of("2020-01", "2020-02", "2020-03", "2020-04", "2020-05", "2020-06");
  private static final TimeForm.Column READ = TimeForm.read("table", "month", MONTHS);
  private static final Frequency STEPS =
      Frequency.infer(READ.moments(), READ.form()).frequency().orElseThrow();

  private static PlacedRows placed(double[] bounds, Object... timesAndValues) {
    List<PlacedRows.Value> rows = new ArrayList<>();
    for (int i = 0; i < timesAndValues.length; i += 2)
      rows.add(
          new PlacedRows.Value(
              READ.form().parse((String) timesAndValues[i]), (double) timesAndValues[i + 1]));
    return PlacedRows.of("a", rows, STEPS, READ.form(), bounds);
  }

  @Test
  void rowsInAnyOrderLieOnStepsWithGapsAndMeans() {
    double none = Double.NaN;
    PlacedRows rows =
        placed(
            new double[0],
            "2020-06",
            5.0,
            "2020-02",
            1.0,
            "2020-01",
            none,
            "2020-02",
            3.0,
            "2020-05",
            Double.POSITIVE_INFINITY,
            "2020-04",
            4.0);
    assertArrayEquals(new double[] {2, none, 4, none, 5}, rows.values().values());
    assertEquals(STEPS.index(READ.moments().get(1)), rows.first());
    assertEquals(rows.first() + 5, rows.end());
    assertEquals(1, rows.duplicates());
    assertEquals(2, rows.remarks().size());
  }

  @Test
  void aSeriesThatCannotBeForecastSaysWhy() {
    assertTrue(
        placed(new double[0], "2020-01", Double.NaN).remarks().getFirst().contains("no values"));
    PlacedRows outside = placed(new double[] {0, 2}, "2020-01", 1.0, "2020-02", 3.0);
    assertEquals(0, outside.values().size());
    assertTrue(outside.remarks().getFirst().startsWith("1 values lie outside"));
    TimeForm.Column days =
        TimeForm.read("table", "day", List.of("2020-01-01", "2020-01-09", "2020-02-01"));
    List<PlacedRows.Value> rows =
        days.moments().stream().map(moment -> new PlacedRows.Value(moment, 1)).toList();
    PlacedRows other = PlacedRows.of("a", rows, STEPS, days.form());
    assertEquals(0, other.values().size());
    assertTrue(other.remarks().getFirst().endsWith("so no forecast"));
  }

  @Test
  void bandsAreQuantilesByTheirNames() { // quantiles are found to 1e-7 in probability
    Forecast forecast =
        Forecaster.DEFAULT.fit(List.of(TimeSeries.of("a", 3, 5, 4, 6, 5, 7, 6, 8, 7, 9))).of("a");
    Bands bands = Bands.of(95, 50, 95, 99.5);
    assertEquals(
        List.of("median", "mean", "lo-50", "hi-50", "lo-95", "hi-95", "lo-99.5", "hi-99.5"),
        bands.names());
    double[] at = bands.at(forecast, 0);
    double[] levels = {0.5, 0, 0.25, 0.75, 0.025, 0.975, 0.0025, 0.9975};
    for (int i = 0; i < at.length; i++)
      assertEquals(
          i == 1 ? forecast.mean(0) : forecast.quantile(0, levels[i]),
          at[i],
          1e-3,
          bands.names().get(i));
    for (double wrong : new double[] {0.5, 100, Double.NaN, -80})
      assertThrows(IllegalArgumentException.class, () -> Bands.of(wrong));
  }
}
