package lovelace.features;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureEvidenceTest {

  /// Central differences of a likelihood of −O(100): eight digits of it are good to 1e-4.
  @ParameterizedTest
  @CsvSource({"rbf(lengthscale=0.8), 2", "matern12(lengthscale=0.3), 1", "rbf(lengthscale=0.4), 1"})
  void featureGradientIsTheSlopeOfTheLikelihood(String kernel, int k) {
    long seed = 3;
    var random = new SplittableRandom(seed);
    int n = 40;
    double[] z = random.doubles((long) n * k, -1, 1).toArray();
    double[] y = new double[n];
    double[] weights = random.doubles(n, 0.5, 2).toArray();
    for (int i = 0; i < n; i++) y[i] = Math.sin(3 * z[i * k]) + 0.1 * random.nextGaussian();
    Axis axis = Axis.covering(-1.5, 1.5, 24);
    Grid grid = k == 1 ? Grid.of(axis) : Grid.of(axis, axis);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1.3*" + kernel).bind(k), 0.05, PriorMean.named("linear", k));
    double[] values = h.values();
    for (int i = 0; i < values.length; i++) if (Double.isNaN(values[i])) values[i] = 0.2;
    Hyperparameters full = h.with(values);
    double[] slopes = FeatureEvidence.of(grid, z, y, weights, full, 1e-9, 1).featureGradient();
    for (int at : new int[] {0, 5, n * k - 1}) {
      double step = 1e-5;
      double[] moved = z.clone();
      moved[at] = z[at] + step;
      double up = FeatureEvidence.of(grid, moved, y, weights, full, 1e-9, 1).evidence().value();
      moved[at] = z[at] - step;
      double down = FeatureEvidence.of(grid, moved, y, weights, full, 1e-9, 1).evidence().value();
      double difference = (up - down) / (2 * step);
      assertEquals(
          difference, slopes[at], 1e-3 * Math.max(1, Math.abs(difference)), "seed " + seed);
    }
  }
}
