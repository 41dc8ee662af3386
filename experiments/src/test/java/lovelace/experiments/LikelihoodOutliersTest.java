package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import lovelace.Fit;
import lovelace.likelihood.Likelihood;
import org.junit.jupiter.api.Test;

class LikelihoodOutliersTest {

  private static final int DRAWS = 4;

  /// Over some draws, seeds 1, 2, …
  private static double rmse(Likelihood likelihood, boolean moved, int draws) {
    double sum = 0;
    for (long seed = 1; seed <= draws; seed++)
      sum +=
          LikelihoodOutliers.error(
              LikelihoodOutliers.fit(likelihood, moved, seed, Fit.DEFAULT), seed);
    return Math.sqrt(sum / draws);
  }

  @Test
  void outliersHardlyMoveAFitWithStudentsT() {
    double clean = rmse(Likelihood.studentT(), false, DRAWS);
    double moved = rmse(Likelihood.studentT(), true, DRAWS);
    double gaussian = rmse(Likelihood.gaussian(), true, 1);
    String all =
        String.format(
            Locale.ROOT,
            "Student's t %.4f without and %.4f with outliers, Gaussian %.4f with them",
            clean,
            moved,
            gaussian);
    assertTrue(moved <= 1.2 * clean, all);
    assertTrue(gaussian > 2 * moved, all);
  }
}
