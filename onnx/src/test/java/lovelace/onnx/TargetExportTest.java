package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Likelihoods and transforms of the target.
class TargetExportTest {

  private static final int ROWS = 10_000;

  private static Dataset rows(String likelihood) {
    SplittableRandom random = new SplittableRandom(1);
    int n = 200;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = 10 * random.nextDouble();
      double f = Math.sin(x[i]);
      y[i] =
          switch (likelihood) {
            case "poisson", "negative-binomial" ->
                Math.floor(3 * Math.exp(f) * random.nextDouble());
            case "gamma" -> Math.exp(f) * (0.5 + random.nextDouble());
            case "student-t" -> f + 0.1 * random.nextGaussian();
            default -> random.nextDouble() < 1 / (1 + Math.exp(-2 * f)) ? 1 : 0;
          };
    }
    return Dataset.of(x, List.of(Column.of("x")), y, Column.of("y"));
  }

  private static Model model(String likelihood) {
    return Fit.DEFAULT
        .withKernel("2*matern52(lengthscale=2)")
        .withLikelihood(likelihood)
        .withEngine(Engine.SPECTRAL)
        .withGrid(GridChoice.DEFAULT.withPoints(60))
        .to(rows(likelihood));
  }

  @ParameterizedTest
  @CsvSource({
    "poisson, RATE",
    "poisson, FUNCTION",
    "negative-binomial, RATE",
    "gamma, RATE",
    "bernoulli, PROBABILITY",
    "bernoulli(link=probit), PROBABILITY",
    "student-t, FUNCTION"
  })
  void ratesAndProbabilities(String likelihood, Of of) throws Exception {
    Model model = model(likelihood);
    double[] x = Exported.points(model, ROWS, new SplittableRandom(2));
    Exported.of(model, OnnxExport.DEFAULT.withOf(of), x)
        .requireSame(x, 1e-12, likelihood + ", seed 2");
  }

  @Test
  void observationsThatNeedASearchAreRefused() {
    for (String likelihood : List.of("poisson", "student-t")) {
      Model model = model(likelihood);
      Exception e =
          assertThrows(
              IllegalArgumentException.class,
              () -> Exported.size(model, OnnxExport.DEFAULT.withOf(Of.OBSERVATION)));
      assertTrue(String.valueOf(e.getMessage()).contains("export predictions of the"));
    }
  }

  @Test
  void ranksAreUndoneInTheGraph() throws Exception {
    Model model =
        GridExportTest.fit("1*matern52(lengthscale=3)", 60)
            .withEngine(Engine.SPECTRAL)
            .withTransform(TargetTransform.RANKS)
            .to(GridExportTest.data(1, 300, 1));
    double[] x = Exported.points(model, ROWS, new SplittableRandom(3));
    Exported.of(model, OnnxExport.DEFAULT.withOf(Of.OBSERVATION), x)
        .requireSame(x, 1e-12, "ranks, seed 3");
  }
}
