package lovelace.latent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;
import org.junit.jupiter.api.Test;

class LatentLearningTest {

  /// Counts of a process that is drawn from its own prior.
  @Test
  void learnsWhatCountsWereDrawnFrom() {
    int n = 2100;
    int d = 2;
    SplittableRandom random = new SplittableRandom(8);
    double[] x = random.doubles(n * d, 0, 6).toArray();
    Dataset places = Dataset.of(x, d, new double[n]);
    Hyperparameters truth =
        VecchiaLaplaceTest.parameters(Likelihood.poisson(), "0.8*matern32", d, 0.8, 2.4);
    int[] neighbours = LatentPrior.neighbours(places, 15, VecchiaLikelihood.scales(places, truth));
    LatentPrior prior = new LatentPrior(places, neighbours, 15, truth);
    double[] f = new double[n];
    for (int j = 0; j < n; j++) f[j] = Math.sqrt(prior.variances()[j]) * random.nextGaussian();
    prior.solve(f);
    double[] y = new double[n];
    for (int j = 0; j < n; j++) {
      double product = random.nextDouble();
      for (; product > Math.exp(-Math.exp(0.2 + f[j])); product *= random.nextDouble()) y[j]++;
    }
    Dataset rows = Dataset.of(x, d, y);
    Hyperparameters unset =
        Hyperparameters.of(
            truth.kernel().with(new double[] {Double.NaN, Double.NaN, Double.NaN}),
            Likelihood.poisson(),
            PriorMean.constant());
    List<Integer> sizes = new ArrayList<>();
    Learned learned =
        LatentLearning.learn(
            rows,
            unset,
            some -> {
              sizes.add(some.size());
              return evidence(some, truth);
            },
            8,
            Learner.DEFAULT.withOptimizer(Lbfgs.DEFAULT.withMaxIterations(8)),
            1,
            1);
    assertEquals(List.of(LatentLearning.FIRST_ROWS), sizes);
    double[] expected = truth.values();
    double[] found = learned.hyperparameters().values();
    String what = learned.hyperparameters().toString();
    for (int i = 0; i < 3; i++) assertEquals(1, found[i] / expected[i], 0.5, what);
    assertEquals(expected[3], found[3], 1, what); // the mean of few lengthscales varies by 0.4
    Learnable all = evidence(rows, learned.hyperparameters());
    double at = all.evidence(learned.hyperparameters()).value();
    assertTrue(at > all.evidence(truth).value() - 3, what);
  }

  private static Learnable evidence(Dataset rows, Hyperparameters h) {
    return VecchiaLaplace.of(rows, h, 6, 1).withProbes(8);
  }

  @Test
  void fewRowsAreAllTaken() {
    Dataset rows = VecchiaLaplaceTest.rows("poisson", 50, 2, 1);
    assertSame(rows, LatentLearning.first(rows, 1));
  }
}
