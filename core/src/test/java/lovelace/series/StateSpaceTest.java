package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.series.state.StateSpace;
import lovelace.series.state.Times;
import org.junit.jupiter.api.Test;

/// The state space and the dense process are one process.
class StateSpaceTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 2_000 : 50;

  private static final double CLOSE = 1e-8;

  @Test
  void evidenceAndForecastsEqualThoseOfTheDenseProcessWithGapsAndColumns() {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(8, 70);
      int h = random.nextInt(1, 15);
      double[] y = values(n, seed % 3 == 0 ? 0 : 0.2, random);
      Covariates columns = seed % 2 == 0 ? null : columns(n + h, random);
      double[][] k = Oracle.covariance(shape, n + h);
      if (columns != null) add(columns, shape, k);
      StateSpace.Origin last = StateSpace.of(shape, columns, Times.steps(n + h), y, 1e-18).last();
      compare("seed " + seed + ", " + shape, k, y, last, n, h);
    }
  }

  @Test
  void earlierOriginsEqualShorterHistoriesWhenGainsAreSteady() {
    for (int seed = 0; seed < 8; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = 180;
      double[] y = values(n, seed % 2 == 0 ? 0 : 0.01, random);
      double[][] k = Oracle.covariance(shape, n + 5);
      StateSpace space = StateSpace.of(shape, null, Times.steps(n + 5), y, 1e-18);
      int[] places = {20, 90, 150, n};
      List<StateSpace.Origin> origins = space.origins(5, places);
      for (int o = 0; o < places.length; o++)
        compare(
            "seed " + seed + ", " + shape,
            k,
            Arrays.copyOf(y, places[o]),
            origins.get(o),
            places[o],
            5);
    }
  }

  @Test
  void anyTimesEqualTheProcessFromItsDefinition() {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      if (seed % 5 == 0) shape = new Shape(0.1, new Slope(1, 0.03, 0.1), shape.seasons(), 0, 0);
      int n = random.nextInt(8, 60);
      int h = random.nextInt(1, 8);
      double[] times = new double[n + h];
      for (int t = 1; t < times.length; t++)
        times[t] =
            times[t - 1] + (random.nextInt(5) == 0 ? 0.01 : 1) * -Math.log(1 - random.nextDouble());
      double[] y = values(n, 0, random);
      double[][] k = Irregular.covariance(shape, times);
      StateSpace.Origin last = StateSpace.of(shape, null, Times.of(times), y, 1e-18).last();
      compare("seed " + seed + ", " + shape, k, y, last, n, h);
    }
  }

  @Test
  void pathsHaveTheMomentsOfTheDenseProcess() {
    for (int seed = 0; seed < 6; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(20, 60);
      int h = 5;
      double[] y = values(n, 0.1, random);
      Covariates columns = columns(n + h, random);
      double[][] k = Oracle.covariance(shape, n + h);
      add(columns, shape, k);
      StateSpace.Origin last = StateSpace.of(shape, columns, Times.steps(n + h), y, 1e-18).last();
      Oracle.Estimate exact = estimate(k, y, n, h);
      int count = 3_000;
      double[] mean = new double[h];
      double[][] cross = new double[h][h];
      for (int i = 0; i < count; i++) {
        double[] path = last.path(random);
        for (int a = 0; a < h; a++) {
          double e = path[a] - exact.place()[a];
          mean[a] += e / count;
          for (int b = 0; b < h; b++) cross[a][b] += e * (path[b] - exact.place()[b]) / count;
        }
      }
      int nu = exact.n() - 1;
      double unit = exact.squares() / nu * nu / (nu - 2.);
      for (int a = 0; a < h; a++) {
        double va = exact.cross()[a][a] * unit;
        assertEquals(0, mean[a] / Math.sqrt(va), 5 / Math.sqrt(count), "seed " + seed);
        for (int b = 0; b < h; b++) {
          double size = Math.sqrt(va * exact.cross()[b][b] * unit);
          // A product of two of Student's t has at most about four times the variance of normal.
          assertEquals(
              exact.cross()[a][b] * unit / size,
              cross[a][b] / size,
              5 * 2 / Math.sqrt(count),
              "seed " + seed + ", " + shape);
        }
      }
    }
  }

  private static void compare(
      String place, double[][] k, double[] y, StateSpace.Origin found, int n, int h) {
    Oracle.Estimate exact = estimate(k, y, n, h);
    assertEquals(exact.n(), found.seen(), place);
    near(exact.evidence(), found.evidence(), 1, place);
    near(exact.squares(), found.squares(), 0, place);
    for (int s = 0; s < h; s++) {
      near(exact.place()[s], found.places()[s], exact.spread(s), place);
      near(exact.cross()[s][s], found.variances()[s], 0, place);
    }
  }

  private static void near(double expected, double found, double floor, String place) {
    double error = CLOSE * (Math.abs(expected) + floor);
    assertTrue(
        Math.abs(expected - found) <= error, () -> place + ": " + expected + " but " + found);
  }

  private static Oracle.Estimate estimate(double[][] k, double[] y, int n, int h) {
    int[] seen = IntStream.range(0, n).filter(t -> !Double.isNaN(y[t])).toArray();
    double[] values = Arrays.stream(seen).mapToDouble(t -> y[t]).toArray();
    return Oracle.estimate(k, seen, values, IntStream.range(n, n + h).toArray(), 1e-18);
  }

  private static double[] values(int n, double gaps, SplittableRandom random) {
    double[] y = Oracle.walk(n, random);
    for (int t = 1; t < n - 1; t++) if (random.nextDouble() < gaps) y[t] = Double.NaN;
    return y;
  }

  private static Covariates columns(int rows, SplittableRandom random) {
    double[] price = new double[rows];
    double[] holiday = new double[rows];
    for (int t = 0; t < rows; t++) {
      price[t] = random.nextGaussian();
      holiday[t] = random.nextInt(7) == 0 ? 1 : 0;
    }
    return Covariates.of(List.of("price", "holiday"), new double[][] {price, holiday});
  }

  private static void add(Covariates columns, Shape shape, double[][] k) {
    for (int i = 0; i < k.length; i++)
      for (int j = 0; j < k.length; j++)
        for (int c = 0; c < 2; c++)
          k[i][j] += 10 * (1 + shape.level()) * columns.at(c, i) * columns.at(c, j);
  }
}
