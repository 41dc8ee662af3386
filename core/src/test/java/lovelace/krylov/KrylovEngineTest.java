package lovelace.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Dataset;
import lovelace.dense.DenseEngine;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.inference.EngineCase;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KrylovEngineTest {

  private static final KrylovEngine.Options DEFAULT = KrylovEngine.Options.DEFAULT;

  @ParameterizedTest
  @CsvSource({
    "1.3*rbf(lengthscale=0.3), 1, 30, 50, zero, false",
    "1.3*matern32(lengthscale=0.5) + white(variance=0.1), 2, 8, 40, constant, true",
    "'sm(2, weight=[1, 0.5], frequency=[0.8, 2], bandwidth=[0.3, 0.2])', 1, 30, 40, constant, false",
    "1.1*linear(variance=0.7)*matern32(lengthscale=0.4) + constant(variance=0.5), 1, 20, 30, linear, true"
  })
  void aProbeForEveryColumnIsExact(
      String kernel, int d, int points, int n, String mean, boolean weighted) {
    EngineCase c = new EngineCase(kernel, d, points, n, 0.1, mean, weighted);
    Evidence exact = new DenseEngine(c.statistics()).evidence(c.h);
    for (int rank : new int[] {0, 8}) {
      Evidence evidence =
          new KrylovEngine(
                  c.statistics(), DEFAULT.withProbes(5000).withRank(rank).withTolerance(1e-12))
              .evidence(c.h);
      assertEquals(exact.value(), evidence.value(), 1e-8 * Math.abs(exact.value()));
      assertEquals(0, evidence.standardError(), 1e-6);
      double[] g = exact.gradient();
      for (int i = 0; i < g.length; i++)
        assertEquals(g[i], evidence.gradient()[i], 1e-5 * (1 + Math.abs(g[i])), "rank " + rank);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*rbf(lengthscale=0.6), 2, 10, 150, 64, 0.1",
    "1.3*matern32(lengthscale=0.5), 2, 10, 150, 0, 0.05",
    "1.1*linear(variance=0.7)*matern52(lengthscale=0.9) + 0.9*rbf(lengthscale=1), 1, 30, 200, 16, 0.1"
  })
  void theGradientIsThatOfTheEstimate(
      String kernel, int d, int points, int n, int rank, double noise) {
    EngineCase c = new EngineCase(kernel, d, points, n, noise, "constant", true);
    KrylovEngine engine =
        new KrylovEngine(
            c.statistics(), DEFAULT.withProbes(12).withRank(rank).withTolerance(1e-13));
    Evidence evidence = engine.evidence(c.h);
    c.assertGradient(
        v -> engine.evidence(c.h.with(v), evidence.next()).value(), evidence.gradient(), 1e-4);
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*matern32(lengthscale=0.5), 2, 11, 220, 0.1, 0",
    "1.1*matern12(lengthscale=0.6), 2, 10, 180, 0.05, 0",
    "1.3*rbf(lengthscale=0.7), 2, 11, 220, 0.1, 48",
    "1.1*matern12(lengthscale=0.6), 1, 100, 300, 0.05, 0"
  })
  void estimatesScatterAroundTheLikelihoodByTheirStandardError(
      String kernel, int d, int points, int n, double noise, int rank) {
    EngineCase c = new EngineCase(kernel, d, points, n, noise, "constant", false);
    double exact = new DenseEngine(c.statistics()).evidence(c.h).value();
    int trials = Boolean.getBoolean("lovelace.long") ? 100 : 8;
    double mean = 0;
    double squares = 0;
    double stated = 0;
    int beyond = 0;
    for (int seed = 0; seed < trials; seed++) {
      Evidence evidence =
          new KrylovEngine(c.statistics(), DEFAULT.withProbes(32).withRank(rank).withSeed(seed))
              .evidence(c.h);
      double error = evidence.value() - exact;
      double se = evidence.standardError();
      // se comes from a quarter of the places, some seven here. With six degrees of freedom
      // Student's t is beyond 4 once in 140 trials, and beyond 7 once in 2,400.
      assertTrue(
          se > 0 && Math.abs(error) <= (trials < 50 ? 4 : 7) * se,
          "seed " + seed + ": " + error + " beside " + se);
      if (Math.abs(error) > 4 * se) beyond++;
      mean += error / trials;
      squares += error * error / trials;
      stated += se * se / trials;
    }
    System.out.printf(
        "%s: L %.2f, bias %.2e, rms %.2e, stated %.2e, %d beyond four%n",
        kernel, exact, mean, Math.sqrt(squares), Math.sqrt(stated), beyond);
    assertTrue(beyond <= trials / 50, beyond + " beyond four standard errors");
    assertTrue(Math.abs(mean) <= 4 * Math.sqrt(stated / trials) + 1e-6, "unbiased");
    // places at the edge of the lattice share a probe with more others; where many of the places
    // that are probed twice lie there, the scatter of a small lattice is overstated
    double ratio = Math.sqrt(squares / stated);
    assertTrue(
        ratio > (trials < 50 ? 0.3 : 0.5) && ratio < (trials < 50 ? 1.7 : 1.3), "ratio " + ratio);
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*matern32(lengthscale=0.5), 2, 8, 60, true",
    "1.1*matern12(lengthscale=0.6), 2, 7, 150, false"
  })
  void thePapersWayHasTheSameLikelihood(String kernel, int d, int points, int n, boolean weighted) {
    EngineCase c = new EngineCase(kernel, d, points, n, 0.1, "constant", weighted);
    Evidence exact = new DenseEngine(c.statistics()).evidence(c.h);
    assertEquals(c.logLikelihood(c.h.values()), exact.value(), 1e-8 * Math.abs(exact.value()));
    Dataset data = Dataset.of(c.x, d, c.y, c.weights);
    KrylovEngine paper = KrylovEngine.observations(c.statistics(), data, DEFAULT);
    Evidence estimate = paper.evidence(c.h);
    assertEquals(exact.value(), estimate.value(), 4 * estimate.standardError());
    Evidence grid = new KrylovEngine(c.statistics()).evidence(c.h);
    assertEquals(
        grid.value(),
        estimate.value(),
        4 * Math.hypot(estimate.standardError(), grid.standardError()));
    c.assertGradient(
        v -> paper.evidence(c.h.with(v), estimate.next()).value(), estimate.gradient(), 1e-3);
    assertThrows(
        IllegalArgumentException.class,
        () -> KrylovEngine.observations(c.statistics(), data.rows(0, n - 1), DEFAULT));
  }

  @ParameterizedTest
  @CsvSource({
    "1.1*matern12(lengthscale=0.6), 16, 1500, 1e-2",
    "1.1*matern32(lengthscale=0.6), 16, 1500, 1e-4",
    "1.1*matern32(lengthscale=0.6), 24, 150, 1e-4",
    "1.1*linear(variance=0.7)*matern32(lengthscale=0.4), 12, 600, 1e-2"
  })
  void directionsTreatedExactlyShortenSolvesAndChangeNoAnswer(
      String kernel, int points, int n, double noise) {
    EngineCase c = new EngineCase(kernel, 2, points, n, noise, "constant", false);
    KrylovEngine plain = new KrylovEngine(c.statistics(), DEFAULT.withProbes(8).withRank(0));
    KrylovEngine deflated = new KrylovEngine(c.statistics(), DEFAULT.withProbes(8));
    int slow = iterations(plain.evidence(c.h));
    Evidence one = new DenseEngine(c.statistics()).evidence(c.h);
    Evidence other = deflated.evidence(c.h);
    int steps = iterations(other);
    System.out.printf("%s, noise %.0e: %d then %d steps of CG%n", kernel, noise, slow, steps);
    assertTrue(2 * steps < slow);
    int last = c.h.size() - 1; // the mean's slope needs the solve alone
    assertEquals(
        one.gradient()[last], other.gradient()[last], 1e-4 * Math.abs(one.gradient()[last]));
    Evidence again = deflated.evidence(c.h, other.next());
    assertTrue(iterations(again) < steps / 2, "a solve starts where the last one ended");
  }

  private static int iterations(Evidence evidence) {
    return ((KrylovEngine.Known) evidence.next()).iterations();
  }

  @Test
  void theSameCallsGiveTheSameBitsOnAnyNumberOfThreads() throws Exception {
    EngineCase c =
        new EngineCase("1.1*matern32(lengthscale=0.5)", 2, 12, 200, 0.1, "constant", false);
    double[] moved = c.h.values();
    moved[0] *= 1.1;
    double[][] results = new double[2][];
    for (int t = 0; t < 2; t++) {
      try (ForkJoinPool pool = new ForkJoinPool(1 + 2 * t)) {
        results[t] =
            pool.submit(
                    () -> {
                      KrylovEngine engine =
                          new KrylovEngine(c.statistics(), DEFAULT.withProbes(16));
                      WarmStart start = engine.evidence(c.h).next();
                      Evidence evidence = engine.evidence(c.h.with(moved), start);
                      double[] g = evidence.gradient();
                      double[] all = Arrays.copyOf(g, g.length + 2);
                      all[g.length] = evidence.value();
                      all[g.length + 1] = evidence.standardError();
                      return all;
                    })
                .get();
      }
    }
    assertArrayEquals(results[0], results[1], 0);
  }

  @Test
  void aTargetEqualToItsMeanAndNoDataAreNoTrouble() {
    EngineCase c = new EngineCase("1.1*rbf(lengthscale=0.5)", 1, 12, 30, 0.1, "constant", false);
    Arrays.fill(c.y, 2.5);
    KrylovEngine engine = new KrylovEngine(c.statistics(), DEFAULT.withProbes(500));
    double exact = c.logLikelihood(c.h.values());
    Evidence first = engine.evidence(c.h);
    assertEquals(exact, first.value(), 1e-6);
    assertEquals(exact, engine.evidence(c.h, first.next()).value(), 1e-6);
    GridStatistics none = GridStatistics.empty(c.grid);
    assertEquals(0, new KrylovEngine(none).evidence(c.h).value(), 0);
    assertEquals(0, new DenseEngine(none).evidence(c.h).value(), 0);
  }

  @Test
  void additiveLatticesAreServed() {
    EngineCase c =
        new EngineCase(
            "1.1*matern32(lengthscale=0.5, columns=[0]) + 0.5*rbf(lengthscale=0.4, columns=[1])",
            2,
            8,
            120,
            0.1,
            "constant",
            false);
    AdditiveStatistics statistics =
        AdditiveStatistics.of(
            AdditiveGrid.of(Axis.covering(-1, 1, 20), Axis.covering(-1, 1, 20)), c.x, c.y);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.additive(Kernel.parse("0.8*matern32(lengthscale=0.5)"), 2).bind(2),
            0.1,
            PriorMean.constant(2.5));
    double exact = new DenseEngine(statistics).evidence(h).value();
    Evidence estimate = new KrylovEngine(statistics, DEFAULT.withRank(0)).evidence(h);
    assertEquals(exact, estimate.value(), 4 * estimate.standardError());
  }

  /// The case the engine is for; prints what it takes.
  @Test
  void roughKernelInTwoDimensions() {
    boolean full = Boolean.getBoolean("lovelace.long");
    EngineCase c =
        new EngineCase(
            "1.1*matern32(lengthscale=0.5)",
            2,
            full ? 30 : 12,
            full ? 2000 : 250,
            0.1,
            "constant",
            false);
    double exact = new DenseEngine(c.statistics()).evidence(c.h).value();
    for (int probes : full ? new int[] {16, 64, 256} : new int[] {64}) {
      KrylovEngine engine =
          new KrylovEngine(c.statistics(), DEFAULT.withProbes(probes).withRank(0));
      Evidence e = engine.evidence(c.h);
      double[] moved = c.h.values();
      moved[1] *= 1.01;
      long start = System.nanoTime();
      Evidence next = engine.evidence(c.h.with(moved), e.next());
      System.out.printf(
          "%d probes: relative error %.1e, stated %.1e; %d Lanczos steps, %d then %d of CG, %.0f ms%n",
          probes,
          Math.abs(e.value() / exact - 1),
          e.standardError() / Math.abs(exact),
          ((KrylovEngine.Known) next.next()).steps(),
          iterations(e),
          iterations(next),
          1e-6 * (System.nanoTime() - start));
      assertEquals(exact, e.value(), 4 * e.standardError());
    }
  }
}
