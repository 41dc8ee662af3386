package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.series.state.LongParts;
import lovelace.series.state.LongTests;
import lovelace.series.state.OneAhead;
import lovelace.series.state.StateSpace;
import lovelace.series.state.Times;
import org.junit.jupiter.api.Test;

/// Parts, tests and fitted values of a state space against whole matrices.
class StatePartsTest {

  private static final double CLOSE = 1e-6;

  /// A random process with gaps and two columns.
  private static final class Case {
    final String name;
    final Shape shape;
    final int n;
    final int h = 4;
    final double[] y;
    final int[] seen;
    final double[] values;
    final List<double[][]> parts = new ArrayList<>();
    final double[][] k;
    final StateSpace space;

    Case(int seed) {
      SplittableRandom random = new SplittableRandom(seed);
      shape = Oracle.shape(random);
      n = random.nextInt(20, 50);
      name = "seed " + seed + ", " + shape;
      y = Oracle.walk(n, random);
      for (int t = 1; t < n - 1; t++) if (random.nextInt(6) == 0) y[t] = Double.NaN;
      seen = IntStream.range(0, n).filter(t -> !Double.isNaN(y[t])).toArray();
      values = Arrays.stream(seen).mapToDouble(t -> y[t]).toArray();
      double[][] columns = new double[2][n + h];
      for (double[] column : columns)
        for (int t = 0; t < n + h; t++) column[t] = random.nextGaussian();
      Covariates known = Covariates.of(List.of("a", "b"), columns);
      double unit = 1 + shape.level();
      Slope slope = shape.slope();
      parts.add(alone(new Shape(shape.level(), slope, List.of(), 0, 0)));
      for (Season s : shape.seasons())
        parts.add(
            alone(
                new Shape(
                    0,
                    Slope.NONE,
                    List.of(
                        new Season(s.period(), unit * s.size(), s.change(), s.decay(), s.smooth())),
                    0,
                    0)));
      parts.add(
          alone(new Shape(0, Slope.NONE, List.of(), unit * shape.deviation(), shape.memory())));
      for (int c = 0; c < 2; c++) {
        double[][] own = new double[n + h][n + h];
        for (int i = 0; i < n + h; i++)
          for (int j = 0; j < n + h; j++) own[i][j] = 10 * unit * known.at(c, i) * known.at(c, j);
        parts.add(own);
      }
      double[][] sum = new double[n + h][n + h];
      for (double[][] part : parts)
        for (int i = 0; i < n + h; i++) for (int j = 0; j < n + h; j++) sum[i][j] += part[i][j];
      parts.add(sum);
      k = new double[n + h][];
      for (int i = 0; i < n + h; i++) {
        k[i] = sum[i].clone();
        k[i][i] += 1;
      }
      space = StateSpace.of(shape, known, Times.steps(n + h), y, 1e-18);
    }

    /// The covariance of a shape without noise.
    private double[][] alone(Shape one) {
      double[][] own = Oracle.covariance(one, n + h);
      for (int i = 0; i < own.length; i++) own[i][i] -= 1;
      return own;
    }
  }

  /// A part of all values is the forecast of a value that has only this part, and no noise.
  @Test
  void partsEqualConditioningByWholeMatrices() {
    for (int seed = 0; seed < 25; seed++) {
      Case one = new Case(seed);
      LongParts found = one.space.parts(0, 1);
      int all = one.n + one.h;
      assertEquals(one.parts.size(), found.place().length);
      for (int p = 0; p < one.parts.size(); p++) {
        boolean level = p == 0 || p == one.parts.size() - 1;
        double[][] own = one.parts.get(p);
        for (int t = 0; t < all; t += 3) {
          double[] expected = given(one, own, t, level);
          double size = 1e-3 + Math.abs(expected[0]) + expected[1];
          assertEquals(expected[0], found.place()[p][t], CLOSE * size, one.name + " part " + p);
          assertEquals(expected[1], found.spread()[p][t], 1e-5 * size, one.name + " part " + p);
        }
      }
    }
  }

  /// The place and the spread of a part at a step, by the joint covariance with the values. A part
  /// without the level is the difference of two forecasts, so the level is left out of its column.
  private static double[] given(Case one, double[][] own, int step, boolean level) {
    int n = one.seen.length;
    double[][] k = new double[n][n];
    double[] cross = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) k[i][j] = one.k[one.seen[i]][one.seen[j]];
      cross[i] = own[one.seen[i]][step];
    }
    double[][] inverse = inverse(k);
    double ones = 0;
    double onesY = 0;
    double onesCross = 0;
    double squares = 0;
    double place = 0;
    double variance = own[step][step];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        ones += inverse[i][j];
        onesY += inverse[i][j] * one.values[j];
        onesCross += inverse[i][j] * cross[j];
        variance -= cross[i] * inverse[i][j] * cross[j];
      }
    double mean = onesY / ones;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double e = one.values[j] - mean;
        squares += (one.values[i] - mean) * inverse[i][j] * e;
        place += cross[i] * inverse[i][j] * e;
      }
    double rest = (level ? 1 : 0) - onesCross;
    variance += rest * rest / ones;
    return new double[] {
      place + (level ? mean : 0), Math.sqrt(Math.max(variance, 0) * squares / (n - 1))
    };
  }

  @Test
  void testsOfOutliersAndShiftsEqualGeneralisedLeastSquares() {
    for (int seed = 0; seed < 25; seed++) {
      Case one = new Case(seed);
      LongTests found = one.space.tests();
      int n = one.seen.length;
      double[][] k = new double[n][n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) k[i][j] = one.k[one.seen[i]][one.seen[j]];
      double[][] p = inverse(k);
      double[] ones = new double[n];
      double total = 0;
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) ones[i] += p[i][j];
      for (double o : ones) total += o;
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) p[i][j] -= ones[i] * ones[j] / total;
      for (int i = 2; i < n; i++) {
        int t = one.seen[i];
        compare(one, p, x -> x == t ? 1 : 0, found.error()[t], found.weight()[t]);
        compare(one, p, x -> x >= t ? 1 : 0, found.shiftError()[t], found.shiftWeight()[t]);
      }
    }
  }

  private static void compare(
      Case one,
      double[][] p,
      java.util.function.IntToDoubleFunction pattern,
      double error,
      double weight) {
    double e = 0;
    double d = 0;
    for (int i = 0; i < p.length; i++)
      for (int j = 0; j < p.length; j++) {
        double x = pattern.applyAsDouble(one.seen[i]);
        e += x * p[i][j] * one.values[j];
        d += x * p[i][j] * pattern.applyAsDouble(one.seen[j]);
      }
    assertEquals(d, weight, CLOSE * (1e-3 + d), one.name);
    assertEquals(e, error, CLOSE * (1e-3 + Math.abs(e) + Math.sqrt(d)), one.name);
  }

  @Test
  void everyValueIsForecastFromThoseBeforeIt() {
    for (int seed = 0; seed < 25; seed++) {
      Case one = new Case(seed);
      OneAhead found = one.space.oneAhead();
      for (int i = 4; i < one.seen.length; i += 3) {
        int[] before = Arrays.copyOf(one.seen, i);
        Oracle.Estimate exact =
            Oracle.estimate(
                one.k, before, Arrays.copyOf(one.values, i), new int[] {one.seen[i]}, 1e-18);
        int t = one.seen[i];
        double size = Math.abs(exact.place()[0]) + exact.spread(0);
        assertEquals(exact.place()[0], found.place()[t], 1e-5 * size, one.name);
        assertEquals(exact.spread(0), found.spread()[t], 1e-4 * exact.spread(0), one.name);
        assertTrue(found.spread()[t] > 0);
      }
    }
  }

  /// By Gauss and Jordan with the largest pivot.
  private static double[][] inverse(double[][] a) {
    int n = a.length;
    double[][] w = new double[n][2 * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(a[i], 0, w[i], 0, n);
      w[i][n + i] = 1;
    }
    for (int p = 0; p < n; p++) {
      int best = p;
      for (int i = p; i < n; i++) if (Math.abs(w[i][p]) > Math.abs(w[best][p])) best = i;
      double[] swap = w[p];
      w[p] = w[best];
      w[best] = swap;
      double pivot = w[p][p];
      for (int j = 0; j < 2 * n; j++) w[p][j] /= pivot;
      for (int i = 0; i < n; i++) {
        if (i == p || w[i][p] == 0) continue;
        double f = w[i][p];
        for (int j = 0; j < 2 * n; j++) w[i][j] -= f * w[p][j];
      }
    }
    double[][] inverse = new double[n][];
    for (int i = 0; i < n; i++) inverse[i] = Arrays.copyOfRange(w[i], n, 2 * n);
    return inverse;
  }
}
