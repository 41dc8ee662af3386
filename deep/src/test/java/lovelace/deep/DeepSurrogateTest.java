package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.surrogate.FeatureLearner;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.example.TestFunction;
import org.junit.jupiter.api.Test;

/// A search for the best settings whose model lives in the features of a network.
class DeepSurrogateTest {

  private static List<Double> search() {
    FeatureLearner network =
        data ->
            DeepKernel.of(Architecture.layers(16, 2))
                .withSettings(Settings.DEFAULT.withWarmUp(100, 16, 1e-2).withSteps(5))
                .to(data)
                .map()
                .orElseThrow();
    TestFunction function = TestFunction.branin();
    Tuning tuning =
        Tuning.DEFAULT
            .withAcquisition(Acquisition.LOG_EI)
            .withInitial(20)
            .withRelearn(0.5)
            .withSurrogates(Surrogates.DEFAULT.withFeatures(network));
    List<Double> values = new ArrayList<>();
    try (Tuner tuner = Tuner.of(function.space(), tuning)) {
      for (int i = 0; i < 26; i++) {
        Point p = tuner.ask();
        values.add(function.at(p));
        tuner.tell(p, values.getLast());
      }
    }
    return values;
  }

  @Test
  void networkServesAsSurrogateAndTheSameSeedAsksForTheSamePoints() {
    List<Double> values = search();
    double spread = values.subList(0, 20).stream().mapToDouble(v -> v).average().orElseThrow();
    double asked = values.subList(20, 26).stream().mapToDouble(v -> v).average().orElseThrow();
    assertTrue(asked < 0.7 * spread, () -> "asked " + asked + ", spread " + spread);
    assertEquals(values, search());
  }
}
