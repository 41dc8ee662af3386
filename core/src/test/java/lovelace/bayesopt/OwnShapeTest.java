package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.surrogate.ExactSurrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.example.TestFunction;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.OwnKernels;
import lovelace.kernel.PriorMean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Searches whose surrogate has a kernel of the user's own.
class OwnShapeTest {

  private static final TestFunction BRANIN = TestFunction.branin();

  private static Tuning tuning(Kernel shape, String acquisition) {
    return Tuning.DEFAULT
        .withSurrogates(Surrogates.DEFAULT.withShape(shape))
        .withAcquisition(Acquisition.named(acquisition));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mes", "logei"})
  void searchFindsTheBestWithAKernelOfYourOwn(String acquisition) {
    Tuner tuner = Tuner.of(BRANIN.space(), tuning(Kernel.of(new OwnKernels.Gamma()), acquisition));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 25; i++) {
      Point p = BRANIN.space().random(random);
      tuner.tell(p, BRANIN.at(p));
    }
    double before = BRANIN.regret(tuner.best().orElseThrow().value());
    for (int i = 0; i < 6; i++) {
      Point p = tuner.ask();
      tuner.tell(p, BRANIN.at(p));
    }
    assertTrue(tuner.model().contains("gammaexp"), tuner::model);
    double after = BRANIN.regret(tuner.best().orElseThrow().value());
    assertTrue(after < 0.25 * before, "regret " + before + " became " + after);
  }

  @Test
  void drawsOfAnOwnKernelHaveThePosteriorsMoments() {
    double[] x = {0.1, 0.35, 0.6, 0.9};
    double[] z = {0.5, -0.3, 0.8, 0.1};
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*twin32(lengthscale=0.3)", OwnKernels.all()).bind(1),
            0.01,
            PriorMean.constant(0));
    ExactSurrogate surrogate = ExactSurrogate.of(h, x, z, 4);
    double[] at = {0.48};
    double[] mean = new double[1];
    double[] variance = new double[1];
    surrogate.predict(1, at, mean, variance);
    List<FunctionDraw> draws = surrogate.functions(600, new SplittableRandom(5));
    double sum = 0;
    double squares = 0;
    for (FunctionDraw draw : draws) {
      double[] slope = new double[1];
      double value = draw.evaluate(at, slope);
      double up = draw.evaluate(new double[] {at[0] + 1e-5}, new double[0]);
      double down = draw.evaluate(new double[] {at[0] - 1e-5}, new double[0]);
      assertEquals((up - down) / 2e-5, slope[0], 1e-4 * (1 + Math.abs(slope[0])));
      sum += value;
      squares += value * value;
    }
    double average = sum / 600;
    assertEquals(mean[0], average, 4 * Math.sqrt(variance[0] / 600));
    // the standard error of a variance of normals is √(2/n) of it
    assertEquals(1, (squares / 600 - average * average) / variance[0], 4 * Math.sqrt(2.0 / 600));
  }

  @Test
  void journalIsReadWithTheShapesFunction(@TempDir Path folder) {
    Path journal = folder.resolve("journal.txt");
    Tuning tuning = tuning(Kernel.of(new OwnKernels.Twin32()), "logei");
    int told;
    try (Tuner tuner = Tuner.of(BRANIN.space(), tuning, journal)) {
      SplittableRandom random = new SplittableRandom(8);
      for (int i = 0; i < 25; i++) {
        Point p = BRANIN.space().random(random);
        tuner.tell(p, BRANIN.at(p));
      }
      tuner.tell(tuner.ask(), 1);
      told = tuner.history().size();
    }
    try (Tuner again = Tuner.of(BRANIN.space(), tuning, journal)) {
      assertEquals(told, again.history().size());
      again.tell(again.ask(), 1);
      assertTrue(again.model().contains("twin32"), again::model);
    }
  }

  @Test
  void shapesThatDoNotServeAreRefused() {
    for (Kernel shape :
        List.of(
            Kernel.rationalQuadratic(),
            Kernel.rbf(0.3),
            Kernel.rbf().plus(Kernel.matern52()),
            Kernel.of(new OwnKernels.Bump()),
            Kernel.of(new OwnKernels.Gibbs())))
      assertTrue(
          String.valueOf(
                  assertThrows(
                          IllegalArgumentException.class, () -> Surrogates.DEFAULT.withShape(shape))
                      .getMessage())
              .contains("shape must be rbf"));
  }
}
