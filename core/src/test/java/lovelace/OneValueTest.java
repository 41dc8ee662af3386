package lovelace;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;

/// Rows at one place with different values.
class OneValueTest {

  private static final List<Column> COLUMNS = List.of(Column.of("x"), Column.of("y"));

  private static Dataset rows(double last) {
    double[] x = {0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 2, 2};
    return Dataset.of(x, COLUMNS, new double[] {1, 2, 2, 3, last, 4}, Column.of("z"));
  }

  private static Fit fit(Engine engine, double noise) {
    return Fit.DEFAULT
        .withKernel("matern32")
        .withEngine(engine)
        .withTraining(false)
        .set("lengthscale", 1)
        .set("outputscale", 1)
        .set("mean", 2)
        .fix("noise", noise);
  }

  @Test
  void areRefusedWithoutNoiseByPlaceAndValues() {
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT, Engine.SITES, Engine.NEIGHBOURS)) {
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> fit(engine, 0).to(rows(5)))
                  .getMessage());
      assertTrue(
          message.contains(
              "rows 2 and 5 (data rows count from 1) lie at one place, x = 1.0, y = 0.0, with the values 2.0 and 5.0 of 'z'"),
          engine + ": " + message);
      assertTrue(message.contains("allow noise"), message);
    }
    Model model = fit(Engine.EXACT, 0).to(rows(2).rows(0, 4));
    String updated =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> model.with(rows(5).rows(4, 6)))
                .getMessage());
    assertTrue(updated.contains("x = 1.0, y = 0.0, with the values 2.0 and 5.0"), updated);
  }

  @Test
  void areFineWithNoiseOrWhereTheyAgree() {
    for (Engine engine : List.of(Engine.EXACT, Engine.SITES, Engine.NEIGHBOURS))
      assertTrue(Double.isFinite(fit(engine, 0.1).to(rows(5)).predict(1.0, 0).mean(0)));
    assertTrue(Double.isFinite(fit(Engine.SITES, 0).to(rows(2)).predict(1.0, 0).mean(0)));
  }
}
