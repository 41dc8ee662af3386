package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Lbfgs;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Learning from several starts is for every engine, and never ends lower than from one.
final class StartsTest {

  private static final int STARTS = 3;

  /// A fit and its rows.
  record Case(Fit fit, Dataset rows) {}

  private static Dataset rows(int n, int d, boolean classes) {
    var random = new SplittableRandom(11);
    double[] x = random.doubles((long) n * d, 0, 4).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double f = Math.sin(3 * x[i * d]) + 0.3 * x[i * d + d - 1];
      y[i] =
          classes
              ? (f + 0.5 * random.nextGaussian() > 0.5 ? 1 : 0)
              : f + 0.2 * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  static Stream<Named<Case>> cases() {
    Fit fit = Fit.DEFAULT;
    Fit on = fit.withGrid(GridChoice.DEFAULT.withPoints(40));
    return Stream.of(
            new Case(fit, rows(200, 1, false)),
            new Case(fit.withEngine(Engine.EXACT), rows(120, 1, false)),
            new Case(fit.withEngine(Engine.EXACT), rows(100, 5, false)),
            new Case(fit.withKernel("matern32"), rows(200, 1, false)),
            new Case(fit.withEngine(Engine.NEIGHBOURS), rows(250, 3, false)),
            new Case(fit.withEngine(Engine.SITES).withKernel("matern32"), rows(250, 2, false)),
            new Case(on.withEngine(Engine.SPECTRAL), rows(200, 1, false)),
            new Case(on.withEngine(Engine.KRYLOV), rows(200, 1, false)),
            new Case(on.withEngine(Engine.DENSE), rows(200, 1, false)),
            new Case(on.withEngine(Engine.MARKOV).withKernel("matern32"), rows(200, 1, false)),
            new Case(fit.withLikelihood(Likelihood.bernoulli()), rows(120, 1, true)),
            new Case(
                fit.withLikelihood(Likelihood.bernoulli()).withEngine(Engine.NEIGHBOURS),
                rows(120, 2, true)),
            new Case(
                fit.withEngine(Engine.EXACT).withDrift(List.of("x2"), List.of()),
                rows(100, 2, false)),
            new Case(on.withEngine(Engine.SPECTRAL).set("lengthscale", 0.5), rows(200, 1, false)))
        .map(one -> Named.of(one.fit + " of " + one.rows.size() + " rows", one));
  }

  private static Model fitted(Case one, int starts, AtomicInteger begun) {
    Options.Learning learning =
        new Options.Learning(
            Lbfgs.DEFAULT,
            starts,
            5,
            (iteration, value, norm, x) -> {
              if (iteration == 0) begun.incrementAndGet();
              return true;
            });
    return one.fit.withLearning(learning).to(one.rows);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void severalStartsAreForEveryEngineAndEndNoLowerThanOne(Case one) {
    var few = new AtomicInteger();
    var many = new AtomicInteger();
    Model single = fitted(one, 1, few);
    Model several = fitted(one, STARTS, many);
    assertEquals(single.plan().chosen(), several.plan().chosen(), "starts choose no engine");
    assertTrue(
        many.get() >= few.get() + STARTS - 1,
        () -> many + " searches began, " + few + " with one start");
    // runs end where an improvement is below 1e-6 of the likelihood
    double slack = 1e-6 * Math.abs(single.logMarginalLikelihood()) + 1e-6;
    assertTrue(
        several.logMarginalLikelihood() >= single.logMarginalLikelihood() - slack,
        () -> several.logMarginalLikelihood() + " < " + single.logMarginalLikelihood());
    assertArrayEquals(
        several.hyperparameters().values(),
        fitted(one, STARTS, many).hyperparameters().values(),
        "the same starts end at the same place");
  }
}
