package lovelace.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter.Prior;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.model.Provenance;
import lovelace.optimize.Lbfgs;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactLearningTest {

  private static Hyperparameters unset(String kernel, int d, String mean) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), Double.NaN, PriorMean.named(mean, d));
  }

  private static Learned learn(Dataset data, Hyperparameters start) {
    return Learner.DEFAULT
        .withOptimizer(Lbfgs.DEFAULT)
        .learn(ExactGp.likelihood(data), start, data, 1);
  }

  private static ExactGp learned(Dataset data, Hyperparameters start) {
    return ExactGp.of(data, learn(data, start).hyperparameters());
  }

  private static void requireFinite(ExactGp gp, double... points) {
    assertTrue(Double.isFinite(gp.logMarginalLikelihood()), gp.hyperparameters().toString());
    Prediction p = gp.predict(points);
    for (int i = 0; i < p.size(); i++) {
      assertTrue(Double.isFinite(p.mean(i)), gp.hyperparameters().toString());
      assertTrue(p.variance(i) >= 0 && p.variance(i) < Double.POSITIVE_INFINITY);
    }
  }

  @Test
  void recoversTheParametersOfADraw() {
    var random = new SplittableRandom(1);
    int n = 300;
    double[] x = random.doubles(n, 0, 20).toArray();
    var truth =
        Hyperparameters.of(Kernel.parse("4*rbf(lengthscale=0.8)").bind(1), 0.09, PriorMean.ZERO);
    // an observation so noisy that it says nothing leaves the prior
    ExactGp prior = ExactGp.of(Dataset.of(new double[] {100}, 1, new double[] {0}), truth);
    double[] y = prior.sample(x, 1, random);
    for (int i = 0; i < n; i++) y[i] += 10 + 0.3 * random.nextGaussian();
    Dataset data = Dataset.of(x, 1, y);
    Learned learned = learn(data, unset("rbf", 1, "constant"));
    assertTrue(learned.converged(), learned.toString());
    Hyperparameters h = learned.hyperparameters();
    assertEquals(0.8, h.parameter("lengthscale").values()[0], 0.2);
    assertEquals(0.09, h.noise(), 0.03);
    assertEquals(10, h.mean().at(x, 0), 2.5);
    double atTruth =
        ExactGp.of(data, truth.with(new double[] {4, 0.8, 0.09})).logMarginalLikelihood();
    double reached = ExactGp.of(data, h).logMarginalLikelihood();
    assertTrue(reached > atTruth);
    assertEquals(learned.logLikelihood(), reached, 1e-6);
  }

  @Test
  void findsAnUnsetPeriod() {
    var random = new SplittableRandom(2);
    int n = 120;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = i / 12.0;
      y[i] = 0.1 * x[i] + Math.sin(2 * Math.PI * x[i]) + 0.1 * random.nextGaussian();
    }
    ExactGp gp = learned(Dataset.of(x, 1, y), unset("periodic + matern52", 1, "linear"));
    assertEquals(1, gp.hyperparameters().parameter("period").values()[0], 0.02);
    assertEquals(0.1, Math.sqrt(gp.noise()), 0.03);
  }

  @Test
  void fixedParametersStayAndPriorsPull() {
    Dataset data = Textbook.data(60, 2, false, new SplittableRandom(3));
    Hyperparameters h = unset("rbf", 2, "constant").fix("noise", 0.05);
    ExactGp gp = learned(data, h);
    assertEquals(0.05, gp.noise(), 0);
    Hyperparameters pulled = h.withPrior("lengthscale", Prior.logNormal(Math.log(5), 0.01));
    for (double l : learned(data, pulled).hyperparameters().parameter("lengthscale").values())
      assertEquals(5, l, 0.3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rbf",
        "matern12",
        "matern32",
        "matern52",
        "rq",
        "periodic",
        "cosine",
        "sm(2)",
        "constant",
        "linear",
        "rbf + white",
        "periodic*rbf + linear + matern32"
      })
  void everyKernelFitsFromNothing(String text) {
    var random = new SplittableRandom(4);
    Dataset data = Textbook.data(40, 1, true, random);
    Learned learned = learn(data, unset(text, 1, "constant"));
    requireFinite(ExactGp.of(data, learned.hyperparameters()), -2, 0, 5);
    List<Provenance.Step> trace = learned.trace();
    assertTrue(trace.getLast().objective() <= trace.getFirst().objective());
  }

  @Test
  void awkwardDataGiveAnswersNotNaN() {
    for (String mean : new String[] {"zero", "constant", "linear"})
      for (String kernel : new String[] {"rbf", "matern12"}) {
        Hyperparameters h = unset(kernel, 1, mean);
        double[] one = {3};
        requireFinite(learned(Dataset.of(one, 1, new double[] {2}), h), 3, 9);
        requireFinite(learned(Dataset.of(one, 1, new double[] {0}), h), 3, 9);
        double[] x = {1, 2, 3, 4, 5, 6};
        double[] constant = new double[6];
        requireFinite(learned(Dataset.of(x, 1, constant), h), 3.5, 9);
        Arrays.fill(constant, 1e6);
        ExactGp flat = learned(Dataset.of(x, 1, constant), h);
        requireFinite(flat, 3.5, 9);
        assertEquals(1e6, flat.predict(new double[] {3.5}).mean(0), 1e4);
        double[] line = Arrays.stream(x).map(v -> 3 * v - 1).toArray(); // noise-free
        ExactGp straight = learned(Dataset.of(x, 1, line), h);
        requireFinite(straight, 3.5, 9);
        assertEquals(9.5, straight.predict(new double[] {3.5}).mean(0), 1);
        double[] twice = {1, 1, 2, 2, 3, 3};
        double[] same = {1, 1, 0, 0, 4, 4}; // duplicates without noise
        requireFinite(learned(Dataset.of(twice, 1, same), h), 1, 2.5);
      }
  }

  @Test
  void whereNothingIsFreeTheParametersAreTakenAsGiven() {
    Dataset data = Textbook.data(5, 1, false, new SplittableRandom(3));
    Hyperparameters h = unset("constant", 1, "zero").fix("constant.variance", 1).fix("noise", 0.1);
    Learned learned = learn(data, h);
    assertTrue(learned.given());
    assertArrayEquals(h.values(), learned.hyperparameters().values(), 0);
    assertEquals(ExactGp.of(data, h).logMarginalLikelihood(), learned.logLikelihood(), 0);
  }
}
