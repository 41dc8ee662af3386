package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import lovelace.Fit;
import lovelace.testing.Needs;
import org.junit.jupiter.api.Test;

class KrigingBenchmarkTest {

  private static final int ROWS = 300;

  private final KrigingBenchmark problem = KrigingBenchmark.of(ROWS, 1);
  private final KrigingBenchmark.Result truth = problem.truth();

  @Test
  void rowsComeFromTheProcessThatIsCalledTrue() {
    double[] y = problem.train().target();
    assertEquals(ROWS, y.length);
    assertEquals(2 * ROWS, problem.places().length);
    // Under the true process the targets are in their 95 % intervals, give or take three deviations
    // of independent ones. With twice the noise, or none, they are not.
    assertEquals(0.95, truth.scores().coverage(0.95), 3 * Math.sqrt(0.95 * 0.05 / ROWS));
    assertEquals(0.5, truth.scores().coverage(0.5), 3 * Math.sqrt(0.25 / ROWS));
    assertTrue(truth.scores().rmse() > Math.sqrt(0.1), "noise stays: " + truth);
    assertTrue(Arrays.stream(y).average().orElseThrow() > 8.5, "the mean is 10");
    assertEquals(y[7], KrigingBenchmark.of(ROWS, 1).train().target()[7], "a seed says it all");
  }

  @Test
  void learnedParametersDoNearlyAsWellAsTheTrueOnes() {
    KrigingBenchmark.Result ours = problem.ours("ours", Fit.DEFAULT.withKernel("matern32"));
    // what 300 rows leave open of four parameters
    assertEquals(truth.scores().rmse(), ours.scores().rmse(), 0.03 * truth.scores().rmse());
    assertEquals(truth.scores().crps(), ours.scores().crps(), 0.03 * truth.scores().crps());
    assertTrue(ours.learned().contains("matern32.lengthscale"), ours.learned());
    assertTrue(ours.learned().endsWith("exact engine"), ours.learned());
  }

  @Test
  @Needs("Rscript")
  void gstatPredictsTheSameRows() throws Exception {
    var near = new Gstat("near", List.of("Mat32"), 50).run(problem, "Rscript");
    // rows in another order, or another target, would have the RMSE of the process: above 1
    assertEquals(truth.scores().rmse(), near.scores().rmse(), 0.1 * truth.scores().rmse());
    assertEquals(0.95, near.scores().coverage(0.95), 0.05, "its variances are of observations");
    assertTrue(
        near.learned().contains("Mat(") && near.learned().contains("gstat 2"), near.learned());
    var all = new Gstat("all", List.of("Exp", "Sph", "Gau", "Mat"), 0).run(problem, "Rscript");
    assertEquals(truth.scores().rmse(), all.scores().rmse(), 0.2 * truth.scores().rmse());
    assertTrue(near.predictSeconds() > 0 && near.learnSeconds() > 0);
  }

  @Test
  void aMissingProgramIsNamedWithItsRemedy() {
    var missing =
        assertThrows(
            Gstat.MissingException.class,
            () -> new Gstat("x", List.of("Exp"), 50).run(problem, "no-such-Rscript"));
    assertTrue(
        String.valueOf(missing.getMessage()).contains("no program 'no-such-Rscript'; install R"),
        missing::toString);
  }
}
