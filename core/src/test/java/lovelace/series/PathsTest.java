package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathsTest {

  private static final int DRAWS = Boolean.getBoolean("lovelace.long") ? 100_000 : 16_000;

  private static final int HORIZON = 5;

  /// One series, its mixture and its paths.
  private record Case(Library library, History history, Reading reading, Forecasting forecasting) {

    static Case of(double[] y, Library library, Weights weights) {
      History history = History.of(y, library.warps());
      Reading reading = new Reader(library, HORIZON).read(List.of(history), false).getFirst();
      return new Case(library, history, reading, new Forecasting(library, HORIZON, weights));
    }

    Mixture mixture() {
      return forecasting.forecast(List.of(history), List.of(reading), false).getFirst();
    }

    double[][] paths(Calibration calibration, int count, long seed) {
      return forecasting.paths(
          history, reading, mixture(), calibration, count, new SplittableRandom(seed));
    }
  }

  private static Weights only(Library library, int point) {
    double[] log = new double[library.size()];
    Arrays.fill(log, -1e9);
    log[point] = 0;
    return new Weights(log, Weights.POWERS.clone());
  }

  private static double[] series(long seed, int n, boolean gaps) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] y = Oracle.walk(n, random);
    if (gaps) for (int t = 3; t < n - 1; t += 5) y[t] = Double.NaN;
    return y;
  }

  /// The share of draws below a quantile has a standard error of at most 0.5/√draws, and the naive
  /// process, one draw in a hundred, is normal there and Student's t in the mixture.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stepsOfPathsAreDistributedAsTheMixture(boolean gaps) {
    Library library = Library.of();
    Case one = Case.of(series(1, 25, gaps), library, Weights.start(library));
    Mixture mixture = one.mixture();
    compareShares(one.paths(Calibration.NONE, DRAWS, 11), mixture, Calibration.NONE);
  }

  @Test
  void stepsOfPathsAreDistributedAsTheCalibratedMixture() {
    Library library = Library.of();
    Case one = Case.of(series(2, 25, false), library, Weights.start(library));
    Calibration wide = new Calibration(new double[][] {{0.8, 0.9, 1.1}, {1.2, 1.4, 1.7}});
    compareShares(one.paths(wide, 4_000, 12), one.mixture(), wide);
  }

  private static void compareShares(double[][] paths, Mixture mixture, Calibration calibration) {
    double[] levels = {.01, .05, .1, .25, .5, .75, .9, .95, .99};
    double error = 4 * 0.5 / Math.sqrt(paths.length) + 0.002;
    for (int k = 0; k < HORIZON; k++) {
      int step = k;
      double[] looked =
          Arrays.stream(levels).map(p -> calibration.level(step, HORIZON, p)).toArray();
      double[] quantiles = mixture.quantiles(k, looked);
      for (int i = 0; i < levels.length; i++) {
        double q = quantiles[i];
        double below = Arrays.stream(paths).filter(path -> path[step] <= q).count();
        assertEquals(levels[i], below / paths.length, error, "step " + k + ", " + levels[i]);
      }
    }
  }

  /// Without a warp a path is Student's t with the covariance of generalised least squares times
  /// ν/(ν − 2); one path in a hundred walks instead. The covariance of n draws has a standard error
  /// of about 2/√n of the variances with 9 degrees of freedom or more; four of them are allowed.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stepsOfPathsHaveTheCovarianceOfTheProcess(boolean gaps) {
    Library library = Library.of(new double[] {4}, List.of(new Warp.Power(1)));
    // Twelve values of noise alone leave the level uncertain.
    for (int point = 0; point < library.size(); point += 140) {
      double[] y = series(3, point == 0 ? 12 : 25, gaps);
      Case one = Case.of(y, library, only(library, point));
      History history = one.history;
      int n = y.length;
      int[] seen = history.observed;
      Oracle.Estimate e =
          Oracle.estimate(
              Oracle.covariance(library.shape(point), n + HORIZON),
              seen,
              Arrays.stream(seen).mapToDouble(t -> history.values[t]).toArray(),
              IntStream.range(n, n + HORIZON).toArray(),
              0);
      int nu = seen.length - 1;
      double unit = e.squares() / (nu - 2);
      double walk = Math.pow(one.forecasting.naiveWidth(history, n), 2);
      int m = one.forecasting.naivePeriod(n);
      double[][] paths = one.paths(Calibration.NONE, DRAWS, 13);
      double[] mean = new double[HORIZON];
      for (double[] path : paths)
        for (int k = 0; k < HORIZON; k++) mean[k] += path[k] / history.scale / DRAWS;
      for (int a = 0; a < HORIZON; a++)
        for (int b = 0; b <= a; b++) {
          double naiveA = history.values[n - m + a % m] - e.place()[a];
          double naiveB = history.values[n - m + b % m] - e.place()[b];
          double naive = a % m == b % m ? walk * (1 + b / m) : 0;
          double wanted = 0.99 * unit * e.cross()[a][b] + 0.01 * naive + 0.0099 * naiveA * naiveB;
          double found = 0;
          for (double[] path : paths)
            found +=
                (path[a] / history.scale - mean[a]) * (path[b] / history.scale - mean[b]) / DRAWS;
          double size = unit * Math.sqrt(e.cross()[a][a] * e.cross()[b][b]) + 0.01 * walk;
          assertEquals(
              wanted,
              found,
              4 * 2 / Math.sqrt(DRAWS) * size,
              "point " + point + ", steps " + a + ", " + b);
        }
    }
  }

  @Test
  void pathsAreTheSameForTheSameSeed() {
    Library library = Library.of();
    Case one = Case.of(series(4, 25, false), library, Weights.start(library));
    double[][] first = one.paths(Calibration.NONE, 20, 5);
    double[][] again = one.paths(Calibration.NONE, 20, 5);
    for (int i = 0; i < 20; i++) assertArrayEquals(first[i], again[i]);
    assertEquals(0, one.paths(Calibration.NONE, 0, 5).length);
  }

  @Test
  void walksFromOneValueHaveTheQuantilesOfTheirMixture() {
    Mixture mixture = Forecasting.walk(50, 0.1, HORIZON, Library.POWERS);
    double[][] paths = Forecasting.walks(mixture, HORIZON, 4_000, new SplittableRandom(6));
    compareShares(paths, mixture, Calibration.NONE);
    double along = 0;
    for (double[] path : paths) along += (path[3] - 50) * (path[4] - 50);
    assertTrue(along > 0, "steps move together");
  }
}
