package lovelace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A fit whose first likelihood takes longer than learning may still gives a model. Clocks stand
/// still until they have been looked at so often after the plan, and then show eight tenths of the
/// time: more than the share of learning, less than all.
class InTimeTest {

  private static final int LOOKS = 40;

  private static Dataset rows(int n, int d) {
    var random = new SplittableRandom(3);
    double[] x = random.doubles((long) n * d).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(6 * x[i * d]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, d, y);
  }

  @ParameterizedTest
  @CsvSource({
    "exact, rbf, 1, 80",
    "neighbours, rbf, 2, 80",
    "markov, matern32, 1, 80",
    "spectral, rbf, 1, 80",
    "krylov, rbf, 1, 80",
    "sparse, matern12, 2, 80",
  })
  void aModelIsMadeWhateverLikelihoodIsTooLong(String engine, String kernel, int d, int n) {
    Dataset rows = rows(n, d);
    int without = 0;
    for (int jump = 1; jump <= LOOKS; jump++) {
      AtomicInteger looks = new AtomicInteger(Integer.MIN_VALUE);
      int from = jump;
      Fit fit =
          Fit.DEFAULT
              .withKernel(kernel)
              .withEngine(Engine.parse(engine))
              .withListener(plan -> looks.compareAndExchange(Integer.MIN_VALUE, 0));
      Fit.Limits limits =
          new Fit.Limits(
              Duration.ofSeconds(10),
              1L << 30,
              () -> {
                boolean late = looks.get() >= 0 && looks.incrementAndGet() >= from;
                return late ? 8_000_000_000L : 0;
              });
      try {
        Model model = fit.with(limits).to(rows);
        assertTrue(model.predict(new double[d]).variance(0) > 0, engine + ", look " + jump);
      } catch (TimeUpException e) {
        without++;
      }
    }
    int none = without;
    assertTrue(none == 0, () -> engine + ": no model in " + none + " of " + LOOKS + " cases");
  }

  @Test
  void aPlanCountsTheModelsThatAreComparedAndEveryStart() {
    Costs table = Costs.table(3000, 8, Engine.EXACT, true);
    Costs compared = table.comparing(6, 3000, 8);
    assertTrue(compared.seconds() > table.seconds() + 1, () -> table + " " + compared);
    // few rows are split more often
    assertTrue(
        Costs.table(300, 8, Engine.EXACT, true).comparing(6, 300, 8).seconds()
            > Costs.table(1000, 8, Engine.EXACT, true).comparing(6, 1000, 8).seconds());
    Costs once = Costs.exact(3000, true);
    assertTrue(once.again(4, Costs.exact(3000, false)).seconds() > 4 * once.seconds());
  }
}
