package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.Options;
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

  /// Rows of a function of one direction among four columns.
  private static Dataset ridge() {
    var random = new SplittableRandom(2);
    double[] x = random.doubles(4 * 80, -1, 1).toArray();
    double[] y = new double[80];
    for (int i = 0; i < y.length; i++) {
      double u = 0.8 * x[4 * i] + 0.6 * x[4 * i + 1] - 0.5 * x[4 * i + 3];
      y[i] = Math.sin(3 * u) + 0.3 * u * x[4 * i + 2] + 0.05 * random.nextGaussian();
    }
    return Dataset.of(x, 4, y);
  }

  @Test
  void modelsComparedAreThoseThatTheFitMakes() {
    Dataset data = ridge();
    var few = new Options.Learning(Lbfgs.DEFAULT.withMaxIterations(15), 1, 1, Progress.NONE);
    Fit fit = Fit.DEFAULT.withLearning(few).withShape(Options.Shape.PROJECTION);
    Model fitted = fit.to(data);
    Comparison compared = Comparison.of(fit, data, List.of("rbf"), 2, 7).getFirst();
    assertEquals(fitted.map(), compared.model().map());
    assertEquals(fitted.logMarginalLikelihood(), compared.logLikelihood());
    assertEquals(5 + 2 * 3, compared.parameters(), "two lengthscales, and two directions of four");
    assertTrue(compared.nlpd() < 0, "folds are projections too: " + compared.nlpd());
  }
}
