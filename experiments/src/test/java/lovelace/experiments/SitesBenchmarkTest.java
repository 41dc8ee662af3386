package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import lovelace.data.Dataset;
import org.junit.jupiter.api.Test;

class SitesBenchmarkTest {

  private static final RowsCase SMALL = new RowsCase(RowPlaces.GAPS, "matern32", 0.2, 0.1, 400, 1);

  private static double number(Map<?, ?> trial, String key) {
    return trial.get(key) instanceof Double value ? value : Double.NaN;
  }

  /// As many neighbours as there are rows are the exact process, and sites are close to it.
  @Test
  void errorsAreThoseBesideTheExactProcess() {
    Map<String, Object> result = SitesBenchmark.run(SMALL);
    int seen = 0;
    for (Object one : result.get("trials") instanceof List<?> list ? list : List.of()) {
      if (!(one instanceof Map<?, ?> trial)) continue;
      String setting = "" + trial.get("setting");
      double most =
          switch (setting) {
            case "exact" -> 1e-9;
            case "neighbours 400" -> 1e-4; // joint draws would need 448
            case "sites 80/3" -> 0.03;
            default -> Double.NaN;
          };
      if (Double.isNaN(most)) continue;
      seen++;
      for (String question : RowsTrial.QUESTIONS) {
        assertEquals(0, number(trial, question + "_mean"), most, setting + ": " + question);
        assertEquals(0, number(trial, question + "_variance"), most, setting + ": " + question);
      }
      assertEquals(0.95, number(trial, "gaps_coverage"), Math.max(most, 1e-6), setting);
    }
    assertEquals(3, seen, result::toString);
  }

  @Test
  void placesLieAsTheirNamesSay() {
    Dataset data = SMALL.data();
    assertEquals(400, data.size());
    double[] gaps = SMALL.gaps(data, 50);
    assertTrue(distance(data, gaps) > 3 * distance(data, SMALL.among(data, 50)));
    double[] outside = SMALL.outside(50);
    for (int i = 0; i < 50; i++) {
      double beyond = Math.max(Math.abs(outside[2 * i] - 0.5), Math.abs(outside[2 * i + 1] - 0.5));
      assertTrue(beyond > 0.5 && beyond <= 0.65, "beyond: " + beyond);
    }
    for (RowPlaces places : RowPlaces.values()) {
      double[] x = new RowsCase(places, "rbf", 0.1, 0.1, 500, 3).data().inputs();
      assertEquals(500 * places.dimensions(), x.length);
      assertTrue(Arrays.stream(x).allMatch(v -> v >= 0 && v <= 1), places.toString());
    }
  }

  /// The mean distance of places from the nearest row.
  private static double distance(Dataset data, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i += 2) {
      double least = Double.POSITIVE_INFINITY;
      for (int r = 0; r < data.inputs().length; r += 2)
        least =
            Math.min(least, Math.hypot(data.inputs()[r] - x[i], data.inputs()[r + 1] - x[i + 1]));
      sum += least;
    }
    return sum / (x.length / 2.0);
  }

  @Test
  void aCaseIsItsText() {
    for (RowsCase one : SitesBenchmark.cases())
      assertEquals(one.toString(), RowsCase.parse(one.toString()).toString());
    String refused =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> RowsCase.parse("gaps/rbf/1/0.1"))
                .getMessage());
    assertTrue(refused.contains("gaps/matern32/0.3/1/3000"), refused);
  }
}
