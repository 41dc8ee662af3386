package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

/// Parts, fitted values and coefficients against the equations of kriging with a flat level.
///
/// Quantiles are found to 1e-7 of the distribution function.
class ExplanationTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 60 : 6;
  private static final int HORIZON = 4;
  private static final double[] LEVELS = {0.1, 0.3, 0.9};
  private static final List<String> NAMES = List.of("h1", "price", "h2");

  /// A history with gaps and columns, and shares of four points of a library with all terms.
  private static final class Case {
    final SplittableRandom random;
    final Library library = Library.of(4, 7);
    final int n;
    final double[] y;
    final double[][] columns;
    final History history;
    final double[] shares = new double[library.size()];
    final int[] points = new int[4];

    Case(long seed) {
      random = new SplittableRandom(seed);
      n = random.nextInt(14, 30);
      y = Oracle.walk(n, random);
      for (int t = 1; t < n - 1; t++) if (random.nextInt(6) == 0) y[t] = Double.NaN;
      columns = new double[3][n + HORIZON];
      for (int t = 0; t < n + HORIZON; t++) {
        columns[0][t] = random.nextInt(3) == 0 ? 1 : 0;
        columns[1][t] = random.nextDouble(5, 9);
        columns[2][t] = random.nextInt(4) == 0 ? 1 : 0;
      }
      history = History.of(y, library.warps()).with(Covariates.of(NAMES, columns));
      for (int p = 0; p < points.length; p++) {
        points[p] = random.nextInt(library.size());
        shares[points[p]] = random.nextDouble(0.1, 1);
      }
      double sum = Arrays.stream(shares).sum();
      for (int j = 0; j < shares.length; j++) shares[j] /= sum;
    }

    Explanation explanation() {
      return new Explanation(library, history, y, shares, Calibration.NONE, HORIZON);
    }

    int steps() {
      return n + HORIZON;
    }

    double prior(int point) {
      return 10 * (1 + library.shape(point).level());
    }

    double unit(int column) {
      if (column != 1) return 1;
      double mean = Arrays.stream(columns[1]).average().orElseThrow();
      return Math.sqrt(
          Arrays.stream(columns[1]).map(x -> (x - mean) * (x - mean)).average().orElseThrow());
    }

    /// The mean of a column over the values; 0 for zeros and ones.
    double mean(int column) {
      return column != 1
          ? 0
          : IntStream.of(history.observed).mapToDouble(t -> columns[1][t]).average().orElseThrow();
    }

    double[][] covariance(int point) {
      double[][] k = Oracle.covariance(library.shape(point), steps());
      for (int c = 0; c < 3; c++)
        for (int i = 0; i < steps(); i++)
          for (int j = 0; j < steps(); j++)
            k[i][j] += prior(point) * columns[c][i] * columns[c][j] / (unit(c) * unit(c));
      return k;
    }

    double[] warped(int point) {
      Warp warp = library.warp(point);
      return IntStream.of(history.observed)
          .mapToDouble(t -> warp.of(y[t] / history.scale))
          .toArray();
    }
  }

  /// Place and variance of something with a covariance with the values, that grows by `flat` with
  /// the level: `[K 1; 1ᵀ 0] (λ, μ) = (c, flat)`, place `λᵀz`, variance `k₀ − λᵀc − μ flat`.
  private static double[] kriged(
      double[][] k, int[] seen, double[] z, double[] c, double flat, double variance) {
    int n = seen.length;
    double[][] a = new double[n + 1][n + 1];
    double[][] b = new double[n + 1][1];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i][j] = k[seen[i]][seen[j]];
      a[i][n] = 1;
      a[n][i] = 1;
      b[i][0] = c[i];
    }
    b[n][0] = flat;
    Oracle.solve(a, b);
    double place = 0;
    double left = variance - b[n][0] * flat;
    for (int i = 0; i < n; i++) {
      place += b[i][0] * z[i];
      left -= b[i][0] * c[i];
    }
    return new double[] {place, left};
  }

  private static double unit(double[][] k, int[] seen, double[] z) {
    return Oracle.estimate(k, seen, z, new int[0], 0).squares() / (seen.length - 1);
  }

  /// The parts of one point before the mixture: by part, then step, place and variance.
  private static double[][][] parts(Case c, int point, List<int[]> groups) {
    Shape shape = c.library.shape(point);
    int steps = c.steps();
    int[] seen = c.history.observed;
    double[][] k = c.covariance(point);
    double[] z = c.warped(point);
    double unit = unit(k, seen, z);
    Shape bare = new Shape(shape.level(), Slope.NONE, List.of(), 0, 0);
    double[][] level = Oracle.covariance(bare, steps);
    List<double[][]> covariances = new ArrayList<>();
    covariances.add(
        less(
            Oracle.covariance(new Shape(shape.level(), shape.slope(), List.of(), 0, 0), steps),
            identity(steps)));
    for (double period : c.library.seasons()) {
      List<Season> some =
          shape.seasons().stream().filter(season -> season.period() == period).toList();
      covariances.add(
          less(Oracle.covariance(new Shape(shape.level(), Slope.NONE, some, 0, 0), steps), level));
    }
    covariances.add(
        less(
            Oracle.covariance(
                new Shape(shape.level(), Slope.NONE, List.of(), shape.deviation(), shape.memory()),
                steps),
            level));
    double[][][] result = new double[covariances.size() + groups.size() + 1][steps][];
    for (int part = 0; part < covariances.size(); part++)
      for (int s = 0; s < steps; s++) {
        double[] cross = new double[seen.length];
        double variance = covariances.get(part)[s][s];
        for (int i = 0; i < seen.length; i++) cross[i] = covariances.get(part)[s][seen[i]];
        if (part == 0)
          for (int column = 0; column < 3; column++) { // the trend has the columns' means
            double f = c.prior(point) * c.mean(column) / Math.pow(c.unit(column), 2);
            for (int i = 0; i < seen.length; i++) cross[i] += f * c.columns[column][seen[i]];
            variance += f * c.mean(column);
          }
        result[part][s] = kriged(k, seen, z, cross, part == 0 ? 1 : 0, variance);
      }
    for (int g = 0; g < groups.size(); g++)
      for (int s = 0; s < steps; s++) {
        double[] cross = new double[seen.length];
        double variance = 0;
        for (int column : groups.get(g)) {
          double x = c.columns[column][s] - c.mean(column);
          double f = c.prior(point) * x / Math.pow(c.unit(column), 2);
          for (int i = 0; i < seen.length; i++) cross[i] += f * c.columns[column][seen[i]];
          variance += f * x;
        }
        result[covariances.size() + g][s] = kriged(k, seen, z, cross, 0, variance);
      }
    for (int s = 0; s < steps; s++) {
      double[] cross = new double[seen.length];
      for (int i = 0; i < seen.length; i++) cross[i] = seen[i] == s ? 1 : 0;
      result[result.length - 1][s] = kriged(k, seen, z, cross, 0, 1);
    }
    for (double[][] part : result) for (double[] at : part) at[1] *= unit;
    return result;
  }

  private static double[][] identity(int n) {
    double[][] one = new double[n][n];
    for (int i = 0; i < n; i++) one[i][i] = 1;
    return one;
  }

  private static double[][] less(double[][] a, double[][] b) {
    for (int i = 0; i < a.length; i++) for (int j = 0; j < a.length; j++) a[i][j] -= b[i][j];
    return a;
  }

  @Test
  void partsAreThoseOfKrigingAndAddUpToTheValues() {
    for (long seed = 0; seed < CASES; seed++) {
      Case c = new Case(seed);
      Components found =
          c.explanation().components(name -> name.startsWith("h") ? "holidays" : name, LEVELS);
      List<int[]> groups = List.of(new int[] {0, 2}, new int[] {1});
      List<String> names = found.parts().stream().map(Components.Part::name).toList();
      assertEquals(
          List.of("trend", "season 4", "season 7", "deviations", "holidays", "price", "remainder"),
          names);
      double[][][][] points = new double[c.library.size()][][][];
      for (int point : c.points) points[point] = parts(c, point, groups);
      for (int s = 0; s < c.steps(); s++) {
        double[] base = new double[c.library.size()];
        double sum = 0;
        for (int part = 0; part < names.size(); part++) {
          String where = "seed " + seed + ", " + names.get(part) + ", step " + s;
          Components.Part given = found.parts().get(part);
          double estimate = 0;
          double[] cdf = new double[LEVELS.length];
          for (int point = 0; point < points.length; point++) {
            if (c.shares[point] == 0) continue;
            Warp warp = c.library.warp(point);
            double[] at = points[point][part][s];
            double from = part == 0 ? 0 : warp.back(base[point]);
            estimate += c.shares[point] * (warp.back(base[point] + at[0]) - from);
            for (int l = 0; l < cdf.length; l++) {
              double value = given.quantiles()[s][l] / c.history.scale + from;
              cdf[l] += c.shares[point] * below(warp, value, base[point] + at[0], at[1], c);
            }
            base[point] += at[0];
          }
          double scale = c.history.scale;
          assertEquals(scale * estimate, given.estimate()[s], 1e-6 * scale, where);
          for (int l = 0; l < cdf.length; l++)
            if (Math.abs(given.quantiles()[s][l]) > 1e-6 * scale)
              assertEquals(LEVELS[l], cdf[l], 1e-5, where);
          sum += given.estimate()[s];
        }
        if (s < c.n && !Double.isNaN(c.y[s]))
          assertEquals(c.y[s], sum, 1e-7 * c.y[s], "seed " + seed + ", step " + s);
      }
    }
  }

  /// P(g(T) ≤ value).
  private static double below(Warp warp, double value, double place, double variance, Case c) {
    double z = warp.takes(value) ? warp.of(value) : Double.NEGATIVE_INFINITY;
    double spread = Math.sqrt(Math.max(variance, 0));
    if (spread < 1e-7) return z >= place ? 1 : 0;
    return Oracle.student((z - place) / spread, c.history.seen() - 1);
  }

  @Test
  void fittedValuesAreForecastsFromPrefixes() {
    Calibration calibration = new Calibration(new double[][] {{1.2, 1.1, 1.3}, {2, 2, 2}});
    for (long seed = 100; seed < 100 + CASES; seed++) {
      Case c = new Case(seed);
      Fitted fitted =
          new Explanation(c.library, c.history, c.y, c.shares, calibration, HORIZON).fitted(LEVELS);
      int[] seen = c.history.observed;
      int from = seen[2] + 1;
      assertEquals(c.n - from, fitted.steps().length, "seed " + seed);
      for (int r = 0; r < fitted.steps().length; r++) {
        int step = fitted.steps()[r];
        assertEquals(from + r, step);
        int[] before = IntStream.of(seen).filter(t -> t < step).toArray();
        double[] cdf = new double[LEVELS.length + 1];
        for (int point = 0; point < c.shares.length; point++) {
          if (c.shares[point] == 0) continue;
          Oracle.Estimate e =
              Oracle.estimate(
                  c.covariance(point),
                  before,
                  Arrays.copyOf(c.warped(point), before.length),
                  new int[] {step},
                  0);
          Warp warp = c.library.warp(point);
          for (int l = 0; l < cdf.length; l++) {
            double y = l < LEVELS.length ? fitted.quantiles()[r][l] : fitted.median()[r];
            double value = y / c.history.scale;
            double z = warp.takes(value) ? warp.of(value) : Double.NEGATIVE_INFINITY;
            cdf[l] +=
                c.shares[point]
                    * Oracle.student((z - e.place()[0]) / e.spread(0), before.length - 1);
          }
        }
        double low = Arrays.stream(c.history.values).min().orElseThrow();
        double high = Arrays.stream(c.history.values).max().orElseThrow();
        for (int l = 0; l < cdf.length; l++) {
          double y = l < LEVELS.length ? fitted.quantiles()[r][l] : fitted.median()[r];
          double level = l < LEVELS.length ? calibration.level(0, HORIZON, LEVELS[l]) : 0.5;
          // Fitted values keep to the same bounds as forecasts.
          if (y > 0 && y < c.history.scale * (high + 39 * (high - low)))
            assertEquals(level, cdf[l], 1e-5, "seed " + seed + ", step " + step);
        }
      }
    }
  }

  @Test
  void coefficientsAreThoseOfKriging() {
    for (long seed = 200; seed < 200 + CASES; seed++) {
      Case c = new Case(seed);
      Coefficients found = c.explanation().coefficients(LEVELS);
      int[] seen = c.history.observed;
      double[] sorted = IntStream.of(seen).mapToDouble(t -> c.y[t]).sorted().toArray();
      double typical = sorted[sorted.length / 2];
      assertEquals(typical, found.typical(), 1e-9 * typical);
      for (int column = 0; column < 3; column++) {
        Coefficients.Coefficient given = found.all().get(column);
        assertEquals(NAMES.get(column), given.column());
        double estimate = 0;
        double[] cdf = new double[LEVELS.length];
        for (int point = 0; point < c.shares.length; point++) {
          if (c.shares[point] == 0) continue;
          double[][] k = c.covariance(point);
          double[] z = c.warped(point);
          double f = c.prior(point) / Math.pow(c.unit(column), 2);
          double[] cross = new double[seen.length];
          for (int i = 0; i < seen.length; i++) cross[i] = f * c.columns[column][seen[i]];
          double[] at = kriged(k, seen, z, cross, 0, f);
          at[1] *= unit(k, seen, z);
          Warp warp = c.library.warp(point);
          double base = warp.of(typical / c.history.scale);
          estimate += c.shares[point] * (warp.back(base + at[0]) - warp.back(base));
          for (int l = 0; l < cdf.length; l++)
            cdf[l] +=
                c.shares[point]
                    * below(
                        warp,
                        (given.quantiles()[l] + typical) / c.history.scale,
                        base + at[0],
                        at[1],
                        c);
        }
        String where = "seed " + seed + ", column " + column;
        assertEquals(c.history.scale * estimate, given.estimate(), 1e-7 * typical, where);
        for (int l = 0; l < cdf.length; l++) assertEquals(LEVELS[l], cdf[l], 1e-5, where);
        assertTrue(given.error() > 0, where);
      }
    }
  }

  /// A column that multiplies values by 1.2 has the effect of a fifth of a typical value.
  @Test
  void aFactorIsToldAsTheShareOfATypicalValue() {
    SplittableRandom random = new SplittableRandom(4);
    int n = 80;
    double[] promotion = new double[n + 1];
    double[] y = new double[n];
    for (int t = 0; t < n; t++) {
      promotion[t] = random.nextInt(5) == 0 ? 1 : 0;
      y[t] = 50 * Math.exp(0.02 * random.nextGaussian() + Math.log(1.2) * promotion[t]);
    }
    Library library = Library.of();
    History history =
        History.of(y, library.warps())
            .with(Covariates.of(List.of("promotion"), new double[][] {promotion}));
    double[] shares = new double[library.size()];
    for (int j = 0; j < shares.length; j++)
      if (library.warp(j).equals(new Warp.Power(0)) && library.shape(j).level() == 0)
        shares[j] = 0.1;
    Coefficients.Coefficient found =
        new Explanation(library, history, y, shares, Calibration.NONE, 1)
            .coefficients(Gaussian.cdf(-2), Gaussian.cdf(2))
            .all()
            .getFirst();
    assertEquals(10, found.estimate(), 1);
    assertTrue(found.quantiles()[0] < 10 && found.quantiles()[1] > 10);
    assertEquals(2 * found.error(), (found.quantiles()[1] - found.quantiles()[0]) / 2, 0.1);
  }
}
