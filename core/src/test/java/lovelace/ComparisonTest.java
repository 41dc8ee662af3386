package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static Dataset wave() {
    var random = new SplittableRandom(1);
    double[] x = random.doubles(150, 0, 6).toArray();
    double[] y = Arrays.stream(x).map(v -> Math.sin(3 * v) + 0.2 * random.nextGaussian()).toArray();
    return Dataset.of(x, 1, y);
  }

  @Test
  void theKernelThatFitsComesFirst() {
    Dataset data = wave();
    List<String> kernels = List.of("rq", "rbf", "matern12");
    List<Comparison> all = Comparison.of(Fit.DEFAULT, data, kernels, 5, 7);
    assertEquals("rbf", all.getFirst().kernel());
    Comparison best = all.getFirst();
    assertEquals(4, best.parameters(), "outputscale, lengthscale, noise, mean");
    assertEquals(4 * Math.log(150) - 2 * best.logLikelihood(), best.bic(), 1e-9);
    assertEquals(best.model().logMarginalLikelihood(), best.logLikelihood());
    for (Comparison other : all) assertTrue(other.nlpd() >= best.nlpd() - 0.1, other.kernel());
    assertTrue(best.nlpdError() > 0.01 && best.nlpdError() < 0.2, "of 150 rows");
    assertTrue(best.nlpd() < 0.2, "noise of 0.2: " + best.nlpd());
    assertEquals(
        best.nlpd(), Comparison.of(Fit.DEFAULT, data, List.of("rbf"), 5, 7).getFirst().nlpd());
    assertEquals(best.bic(), Fit.DEFAULT.compare(data, "matern12", "rbf").getFirst().bic());
  }

  @Test
  void foldsThatLeaveNothingAreRefused() {
    Dataset data = wave();
    for (int folds : new int[] {-1, 0, 1, 151})
      assertThrows(
          IllegalArgumentException.class,
          () -> Comparison.of(Fit.DEFAULT, data, List.of("rbf"), folds, 1));
  }
}
