package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.data.TargetTransform;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.likelihood.Likelihood;
import lovelace.online.Online;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Options that can be combined with a likelihood, and options that cannot.
class LikelihoodOptionsTest {

  private static void refused(Executable what, String... words) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, what).getMessage());
    for (String word : words) assertTrue(message.contains(word), message);
  }

  @Test
  void whatALikelihoodCannotTakeIsRefusedByName() {
    Dataset counts = Observed.onNodes("poisson", 40, 1);
    Fit poisson = Fit.DEFAULT.withLikelihood("poisson");
    refused(
        () -> poisson.withTransform(TargetTransform.LOG).to(counts),
        "transform log",
        "likelihood poisson",
        "leave the transform out");
    refused(
        () ->
            Fit.DEFAULT
                .withLikelihood("gaussian(noise=known)")
                .withTransform(TargetTransform.LOG)
                .to(counts),
        "transform log",
        "noise=known");
    refused(
        () ->
            poisson.withShape(Options.Shape.PROJECTION).to(Observed.scattered("poisson", 40, 4, 2)),
        "projection",
        "poisson",
        "shape auto");
    FeatureMap map = LinearMap.of(new double[] {1}, new double[] {0});
    refused(
        () -> poisson.withEngine(Engine.EXACT).to(Source.of(counts), map, List.of()),
        "engine",
        "poisson",
        "engine on a grid");
    Dataset classes = Observed.onNodes("bernoulli", 40, 3);
    double[] weights = new double[40];
    for (int i = 0; i < 40; i++) weights[i] = i == 6 ? 2.5 : 1;
    refused(
        () -> Fit.DEFAULT.withLikelihood("bernoulli").to(classes.withWeights(weights)),
        "row 7",
        "weight is 2.5",
        "bernoulli",
        "leave the weights out");
    Model model = Observed.held("gamma", "rbf").to(Observed.onNodes("gamma", 40, 3));
    refused(
        () -> model.with(classes.rows(1, 2).withWeights(new double[] {3})), "row 1", "weight is 3");
    refused(
        () ->
            Online.of(
                Grid.of(new Axis(0, 0.1, 20)), model.hyperparameters(), Online.Options.DEFAULT),
        "stream",
        "gamma");
  }

  /// Known noise is in the units of the table: no transform is chosen by rows held out.
  @Test
  void knownNoiseKeepsTheTargetAsItStands() {
    var random = new SplittableRandom(4);
    int n = 60;
    double[] x = random.doubles(4L * n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.exp(5 * x[4 * i] + 0.5 * random.nextGaussian());
    double[] precisions = random.doubles(n, 1, 2).toArray();
    Dataset data = Dataset.of(x, 4, y, precisions);
    Fit fit = Fit.DEFAULT.withKernel("rbf").withEngine(Engine.EXACT).withColumnMaps(false);
    assertNotEquals(TargetTransform.NONE, fit.to(data).transform());
    Model model = fit.withLikelihood(Likelihood.gaussianKnown()).to(data);
    assertEquals(TargetTransform.NONE, model.transform());
    assertEquals(Likelihood.gaussianKnown(), model.likelihood());
  }

  private static double integral(double m, double v, DoubleUnaryOperator g) {
    int n = 4000;
    double sum = 0;
    double sd = Math.sqrt(v);
    for (int k = 0; k <= n; k++) {
      double t = -9 + 18.0 * k / n;
      sum += Math.exp(-0.5 * t * t) / Math.sqrt(2 * Math.PI) * g.applyAsDouble(m + sd * t);
    }
    return sum * 18 / n;
  }

  /// The density of each row held out, integrated over the function by the definition.
  private static double nlpd(Fit fit, Dataset data, int folds, long seed, String likelihood) {
    int[] order = Comparison.shuffled(data.size(), seed);
    double sum = 0;
    for (int k = 0; k < folds; k++) {
      int fold = k;
      int[] in = indices(order, i -> i % folds != fold);
      int[] out = indices(order, i -> i % folds == fold);
      Model model = fit.to(data.select(in));
      Dataset held = data.select(out);
      Prediction f = model.predict(held.inputs());
      for (int i = 0; i < held.size(); i++) {
        double y = held.target()[i];
        double size = held.weight(i);
        double m = f.mean(i);
        double v = f.variance(i);
        double p;
        if (likelihood.equals("poisson")) p = integral(m, v, u -> poisson(y, size * Math.exp(u)));
        else {
          Prediction h = model.noiseDeviation(held.inputs()[i]);
          p =
              integral(
                  h.mean(0),
                  h.variance(0),
                  u -> {
                    double s = v + Math.exp(2 * u);
                    return Math.exp(-0.5 * (y - m) * (y - m) / s) / Math.sqrt(2 * Math.PI * s);
                  });
        }
        sum -= Math.log(p);
      }
    }
    return sum / data.size();
  }

  private static double poisson(double y, double mean) {
    double log = y * Math.log(mean) - mean;
    for (int k = 2; k <= y; k++) log -= Math.log(k);
    return Math.exp(log);
  }

  private static int[] indices(int[] order, IntPredicate wanted) {
    return IntStream.range(0, order.length).filter(wanted).map(i -> order[i]).sorted().toArray();
  }

  @Test
  void comparisonsScoreRowsByTheirLikelihood() {
    for (String likelihood : new String[] {"poisson", "gaussian(noise=varying)"}) {
      Dataset data = Observed.scattered(likelihood, 40, 1, 5);
      Fit fit = Observed.held(likelihood, "rbf").withEngine(Engine.EXACT);
      Comparison got = Comparison.of(fit, data, List.of("rbf"), 4, 6).getFirst();
      assertEquals(nlpd(fit, data, 4, 6, likelihood), got.nlpd(), 1e-6, likelihood);
      assertEquals(fit.to(data).logMarginalLikelihood(), got.logLikelihood());
    }
  }

  @Test
  void aModelSaysItsLikelihood() throws IOException {
    String gamma = Observed.held("gamma", "rbf").to(Observed.onNodes("gamma", 40, 7)).toString();
    assertTrue(gamma.contains("likelihood gamma, shape 3.0"), gamma);
    assertTrue(!gamma.contains("noise"), gamma);
    String varying =
        Observed.held("gaussian(noise=varying)", "rbf")
            .to(Observed.onNodes("gaussian(noise=varying)", 40, 7))
            .toString();
    assertTrue(varying.contains("gaussian(noise=varying), kernel "), varying);
  }
}
