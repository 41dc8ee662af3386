package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.example.TestFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Searches over many variables, modelled by the exact process with a lengthscale for each, or by a
/// sum of functions where that is likelier.
class ManyVariablesTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final int BUDGET = LONG ? 60 : 36;

  private static final int RANDOM = 200;

  private static double searched(TestFunction f, long seed) {
    Tuner tuner =
        Tuner.of(
            f.space(),
            Tuning.DEFAULT
                .withBudget(BUDGET)
                .withAcquisition(Acquisition.LOG_EI)
                .withNoise(0)
                .withSeed(seed));
    while (tuner.finished().isEmpty()) {
      SearchSpace.Point p = tuner.ask();
      tuner.tell(p, f.at(p));
    }
    return f.regret(tuner.best().orElseThrow().value());
  }

  /// The share of random searches with as many evaluations that end worse.
  private static double beaten(TestFunction f, double regret) {
    int worse = 0;
    for (int seed = 1; seed <= RANDOM; seed++) {
      var random = new SplittableRandom(seed);
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < BUDGET; i++) best = Math.min(best, f.at(f.space().random(random)));
      if (f.regret(best) > regret) worse++;
    }
    return worse / (double) RANDOM;
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20})
  void searchesBeatNineOfTenRandomOnes(int variables) {
    TestFunction f = TestFunction.ackley(variables);
    for (long seed = 1; seed <= (LONG ? 4 : 1); seed++) {
      double regret = searched(f, seed);
      double share = beaten(f, regret);
      assertTrue(share > 0.9, "seed " + seed + ": regret " + regret + " beats " + share);
    }
  }
}
