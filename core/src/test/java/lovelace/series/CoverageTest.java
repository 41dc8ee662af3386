package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Forecasts of series that the library itself made.
class CoverageTest {

  private static final int SERIES = Boolean.getBoolean("lovelace.long") ? 4_000 : 400;

  private static final int HORIZON = 6;

  /// Evidence alone with its own power is Bayes' rule. Then intervals hold for every level and
  /// scale: as many values lie inside as chance allows. Four standard errors, and 0.005 for the
  /// naive process.
  @ParameterizedTest
  @ValueSource(strings = {"", "4"})
  void intervalsHoldForSeriesOfTheLibrary(String periods) {
    Library library = Library.of(Seasons.of(periods), List.of(new Warp.Power(1)));
    Weights even = new Weights(Weights.start(library).logWeight(), new double[] {0, 0, -12, 0});
    SplittableRandom random = new SplittableRandom(1);
    List<History> histories = new ArrayList<>();
    List<double[]> next = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      int n = random.nextInt(8, 30);
      double[] path = Simulated.path(library.shape(choose(even, random)), n + HORIZON, random);
      double unit = Math.exp(random.nextDouble(-5, 5));
      // Far below 0, where no bound is near.
      for (int t = 0; t < path.length; t++) path[t] = unit * (path[t] - 20);
      histories.add(History.of(Arrays.copyOf(path, n), library.warps()));
      next.add(Arrays.copyOfRange(path, n, n + HORIZON));
    }
    List<Reading> readings = new Reader(library, HORIZON).read(histories, false);
    List<Mixture> mixtures =
        new Forecasting(library, HORIZON, even).forecast(histories, readings, false);
    for (int step = 0; step < HORIZON; step++)
      for (double level : new double[] {0.5, 0.8, 0.95}) {
        double inside = 0;
        for (int i = 0; i < SERIES; i++) {
          double u = mixtures.get(i).cdf(step, next.get(i)[step]);
          if (Math.abs(u - 0.5) < level / 2) inside++;
        }
        double error = 4 * Math.sqrt(level * (1 - level) / SERIES) + 0.005;
        assertEquals(level, inside / SERIES, error, "step " + step);
      }
  }

  private static int choose(Weights weights, SplittableRandom random) {
    double u = random.nextDouble();
    double[] log = weights.logWeight();
    for (int j = 0; j < log.length; j++) {
      u -= Math.exp(log[j]);
      if (u < 0) return j;
    }
    return log.length - 1;
  }
}
