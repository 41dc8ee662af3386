package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

/// Models over space and time: three inputs, and more rows than the exact process answers in a
/// moment.
class SpaceTimeTest {

  private static final List<Column> COLUMNS =
      List.of(Column.of("x"), Column.of("y"), Column.of("t"));

  private static Dataset rows(int n, boolean regular) {
    SplittableRandom random = new SplittableRandom(5);
    double[] x = new double[3 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[3 * i] = regular ? i % 12 : 12 * random.nextDouble();
      x[3 * i + 1] = regular ? i / 12 % 12 : 12 * random.nextDouble();
      x[3 * i + 2] = regular ? i / 144 : 12 * random.nextDouble();
      y[i] =
          Math.sin(x[3 * i]) * Math.cos(x[3 * i + 1] + x[3 * i + 2]) + 0.3 * random.nextGaussian();
    }
    return Dataset.of(x, COLUMNS, y, Column.of("v"));
  }

  private static Fit given(String kernel, double length) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withTraining(false)
        .set("lengthscale", length, length, length)
        .set("outputscale", 0.5)
        .set("noise", 0.09)
        .set("mean", 0);
  }

  private static Engine chosen(Fit fit, Dataset data) {
    return fit.to(data).plan().chosen();
  }

  @Test
  void scatteredRowsAreTheProcessOfTheNearest() {
    Dataset many = rows(1600, false);
    for (String kernel : List.of("matern12", "matern32", "matern52"))
      assertEquals(Engine.NEIGHBOURS, chosen(given(kernel, 2), many), kernel);
    assertEquals(Engine.EXACT, chosen(given("matern32", 2), rows(1500, false)), "few");
    assertEquals(Engine.SPARSE, chosen(given("matern32", 2), rows(1728, true)), "a grid");
    assertEquals(
        Engine.EXACT, chosen(given("matern32", 2).withEngine(Engine.EXACT), many), "as asked");
    Model model = given("matern32", 2).to(many);
    NeighbourGp gp = (NeighbourGp) model.held().orElseThrow().inner();
    assertEquals(400, gp.neighbours());
    Model drifted =
        Fit.DEFAULT
            .withKernel("matern32")
            .withDrift(List.of())
            .withTraining(false)
            .set("lengthscale", 2, 2, 2)
            .set("outputscale", 0.5)
            .set("noise", 0.09)
            .to(many);
    assertEquals(Engine.NEIGHBOURS, drifted.plan().chosen(), "with a drift");
  }

  /// Pixels beside each other show the same as the exact process, without steps between them.
  @Test
  void aMapOfOneTimeIsThatOfTheExactProcess() {
    Dataset many = rows(1600, false);
    Model model = given("matern32", 2).to(many);
    double[] x = new double[3 * 900];
    for (int i = 0; i < 900; i++) {
      x[3 * i] = 1 + i % 30 / 3.0;
      x[3 * i + 1] = 1 + i / 30 / 3.0;
      x[3 * i + 2] = 6;
    }
    Prediction ours = model.predict(x);
    Prediction exact = ExactGp.of(many, model.hyperparameters()).predict(x);
    double squares = 0;
    for (int i = 0; i < 900; i++) {
      double sd = Math.sqrt(exact.variance(i));
      double off = (ours.mean(i) - exact.mean(i)) / sd;
      squares += off * off / 900;
      assertTrue(Math.abs(off) < 0.1, "pixel " + i + " is off by " + off + " sd");
      assertEquals(1, Math.sqrt(ours.variance(i)) / sd, 0.01, "pixel " + i);
    }
    assertTrue(Math.sqrt(squares) < 0.03, "off by " + Math.sqrt(squares) + " sd");
  }
}
