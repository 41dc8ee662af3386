package lovelace.tables;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Cholesky;
import org.junit.jupiter.api.Test;

/// The choice of a kernel for a map.
class KernelChoiceTest {

  /// A draw of a process on the unit square, from the dense factor of its covariance.
  private static Dataset drawn(String kernel, int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(2L * n).toArray();
    Kernel k = Kernel.parse("1.0*" + kernel + "(lengthscale=0.2)").bind(2);
    double[] a = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i * n + j] = k.value(x, 2 * i, x, 2 * j) + (i == j ? 2e-3 : 0);
    double[] factor = Cholesky.adopt(a, n).factor();
    double[] z = random.doubles(n).map(u -> random.nextGaussian()).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 5;
      for (int j = 0; j <= i; j++) y[i] += factor[i * n + j] * z[j];
    }
    return Dataset.of(x, 2, y);
  }

  private static Hyperparameters form(Kernel kernel) {
    return Hyperparameters.of(
        kernel.bind(2), Likelihood.gaussian(), PriorMean.named("constant", 2));
  }

  private static KernelChoice choice(Dataset rows) {
    return KernelChoice.of(rows, KernelChoiceTest::form, Learner.DEFAULT, 1);
  }

  @Test
  void theKernelOfADrawIsRecognised() {
    for (String kernel : List.of("rbf", "matern52", "matern32", "matern12"))
      for (long seed = 1; seed <= 2; seed++) {
        KernelChoice choice = choice(drawn(kernel, 800, seed));
        assertEquals(kernel, choice.kernel().toString(), "seed " + seed + ": " + choice.text());
        assertEquals(4, choice.candidates().size());
        assertTrue(
            choice
                .text()
                .startsWith(
                    "kernel "
                        + kernel
                        + ", chosen among 4 by the likelihood of 800 rows given their nearest; "),
            choice.text());
        assertTrue(choice.start().unset().isEmpty(), "parameters to go on from");
      }
  }

  /// Of 25 rows all but four are given all earlier ones, so little is missing.
  @Test
  void aLikelihoodIsThatOfTheExactProcess() {
    Dataset rows = drawn("matern32", 25, 3);
    KernelChoice choice = choice(rows);
    double exact = ExactGp.of(rows, choice.start()).logMarginalLikelihood();
    assertEquals(exact, choice.candidates().getFirst().logLikelihood(), 0.05);
    List<Double> all =
        choice.candidates().stream().map(KernelChoice.Candidate::logLikelihood).toList();
    assertEquals(all.stream().sorted(Comparator.reverseOrder()).toList(), all);
  }

  @Test
  void threadsDoNotChangeIt() throws Exception {
    Dataset rows = drawn("matern32", 700, 4);
    KernelChoice[] found = new KernelChoice[2];
    for (int i = 0; i < 2; i++)
      try (ForkJoinPool pool = new ForkJoinPool(i == 0 ? 1 : 5)) {
        found[i] = pool.submit(() -> choice(rows)).get();
      }
    assertEquals(found[0].candidates(), found[1].candidates());
    assertArrayEquals(found[0].start().values(), found[1].start().values());
  }

  @Test
  void fewRowsAndNoTimeLeaveTheUsualKernel() {
    KernelChoice few = choice(drawn("rbf", 24, 5));
    assertEquals("matern32", few.kernel().toString());
    assertEquals("no kernels, the rows are too few; matern32 is usual for maps", few.text());
    assertEquals(0, few.candidates().size());
    AtomicLong clock = new AtomicLong();
    Dataset rows = drawn("rbf", 100, 5);
    KernelChoice late =
        Budget.of(Duration.ofSeconds(1), Long.MAX_VALUE, () -> clock.addAndGet(400_000_000L))
            .call(() -> choice(rows));
    assertTrue(late.timeUp());
    assertTrue(late.text().contains("time"), late.text());
  }
}
