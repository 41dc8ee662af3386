package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import lovelace.dense.DenseEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.krylov.KrylovEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Engines remember nothing: what one evaluation leaves for the next is handed on by the caller.
class WarmStartTest {

  private static final KrylovEngine.Options BRIEF = KrylovEngine.Options.DEFAULT.withProbes(8);

  static Stream<Arguments> engines() {
    EngineCase line = new EngineCase("1.1*rbf(lengthscale=0.5)", 1, 40, 80, 0.1, "constant", false);
    EngineCase plane =
        new EngineCase("1.1*matern32(lengthscale=0.5)", 2, 12, 200, 0.1, "constant", false);
    return Stream.of(
        Arguments.of("krylov", plane, of(s -> new KrylovEngine(s, BRIEF))),
        Arguments.of(
            "krylov, no directions", plane, of(s -> new KrylovEngine(s, BRIEF.withRank(0)))),
        Arguments.of("spectral", line, of(s -> new SpectralEngine(s, 1e-6, 2000))),
        Arguments.of("dense", plane, of(DenseEngine::new)));
  }

  private static Function<GridStatistics, LatticeEngine> of(
      Function<GridStatistics, LatticeEngine> maker) {
    return maker;
  }

  /// All numbers of the evidence and of the posterior.
  private static double[] numbers(LatticeEngine engine, Hyperparameters h, WarmStart start) {
    Evidence evidence = engine.evidence(h, start);
    LatticeDistribution posterior = engine.posterior(h, 0.01, start);
    double[] mean = posterior.mean();
    double[] all = Arrays.copyOf(evidence.gradient(), h.size() + mean.length + 3);
    System.arraycopy(mean, 0, all, h.size(), mean.length);
    all[all.length - 3] = evidence.value();
    all[all.length - 2] = evidence.standardError();
    all[all.length - 1] = posterior.widest();
    return all;
  }

  private static Hyperparameters moved(Hyperparameters h, double factor) {
    double[] values = h.values();
    values[1] *= factor; // the lengthscale
    values[h.kernel().parameterCount()] *= factor;
    return h.with(values);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("engines")
  void theSameStartGivesTheSameBitsWhateverWasAskedBefore(
      String name, EngineCase c, Function<GridStatistics, LatticeEngine> maker) {
    LatticeEngine engine = maker.apply(c.statistics());
    WarmStart step = engine.evidence(moved(c.h, 0.9), WarmStart.NONE).next();
    double[] cold = numbers(engine, c.h, WarmStart.NONE);
    double[] warm = numbers(engine, c.h, step);
    for (double factor : new double[] {0.5, 1.2, 1}) numbers(engine, moved(c.h, factor), step);
    assertArrayEquals(cold, numbers(engine, c.h, WarmStart.NONE), 0);
    assertArrayEquals(warm, numbers(engine, c.h, step), 0);
    LatticeEngine other = maker.apply(c.statistics());
    assertArrayEquals(cold, numbers(other, c.h, WarmStart.NONE), 0, "another engine");
    assertArrayEquals(cold, numbers(other, c.h, step), 0, "a start of another engine is none");
  }

  @Test
  void modesAreHandedOnWhileTheyCarryTheKernel() {
    EngineCase c = new EngineCase("1.1*rbf(lengthscale=0.5)", 1, 40, 80, 0.1, "constant", false);
    LatticeEngine engine = new SpectralEngine(c.statistics(), 1e-6, 2000);
    WarmStart first = engine.evidence(c.h).next();
    assertSame(first, engine.evidence(moved(c.h, 1.2), first).next());
    WarmStart shorter = engine.evidence(moved(c.h, 0.3), first).next();
    assertNotSame(first, shorter);
  }

  @Test
  void aSolveStartsFromWhatIsHandedOn() {
    EngineCase c =
        new EngineCase("1.1*matern32(lengthscale=0.5)", 2, 12, 200, 0.1, "constant", false);
    LatticeEngine engine = new KrylovEngine(c.statistics(), BRIEF.withRank(0));
    Evidence first = engine.evidence(c.h);
    Evidence again = engine.evidence(c.h, first.next());
    assertEquals(first.value(), again.value(), 1e-8 * Math.abs(first.value()));
    assertEquals(0, ((KrylovEngine.Known) again.next()).iterations());
  }
}
