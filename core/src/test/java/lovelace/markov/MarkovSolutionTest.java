package lovelace.markov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The Markov engine against the interpolated process written out densely: K by its formula, A from
/// n observations.
class MarkovSolutionTest {

  record Case(
      int order,
      int m,
      int n,
      double ratio,
      double outputscale,
      double noise,
      boolean gap,
      boolean weighted) {
    /// A lengthscale of 1 and a step of `ratio`.
    Problem problem() {
      return new Problem(this, new SplittableRandom(17 * order + m + n));
    }
  }

  static List<Case> market() {
    List<Case> cases = new ArrayList<>();
    for (int order : new int[] {1, 3, 5}) {
      cases.add(new Case(order, 5, 1, 0.3, 1.7, 0.1, false, false));
      cases.add(new Case(order, 5, 40, 0.3, 1.7, 0.1, false, true));
      cases.add(new Case(order, 12, 3, 2.0, 0.2, 0.01, false, false));
      cases.add(new Case(order, 60, 150, 0.1, 1.3, 0.02, false, false));
      cases.add(new Case(order, 60, 150, 0.1, 1.3, 0.02, true, true));
      cases.add(new Case(order, 120, 30, 0.05, 3, 1e-3, true, false));
      cases.add(new Case(order, 300, 80, 0.01, 1, 0.05, true, false));
      cases.add(new Case(order, 300, 80, 1e-4, 1, 0.05, false, false));
      cases.add(new Case(order, 150, 60, 1e-8, 1, 0.05, false, false));
      cases.add(new Case(order, 100, 120, 1e3, 1, 0.5, true, false));
      cases.add(new Case(order, 100, 120, 0.2, 50, 1e-5, false, false));
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("market")
  void meanCovarianceAndLikelihoodEqualTheDenseProcess(Case c) {
    Problem problem = c.problem();
    MarkovSolution system = problem.system(1, c.outputscale, c.noise);
    Dense dense = problem.dense(1, c.outputscale, c.noise);
    double[][] p = dense.covariance();
    double[] z = new double[problem.m];
    for (int i = 0; i < z.length; i++) z[i] = Math.cos(5.0 * i) + 0.1;
    double[] applied = new double[problem.m];
    system.apply(z, applied);
    double[] expected = new double[problem.m];
    double largest = 0;
    for (int i = 0; i < problem.m; i++) {
      for (int j = 0; j < problem.m; j++) {
        expected[i] += p[i][j] * z[j];
        largest = Math.max(largest, Math.abs(p[i][j]));
      }
    }
    double[][] band = system.covarianceDiagonals();
    double bandError = 0;
    for (int q = 0; q < 4; q++) {
      for (int i = 0; i + q < problem.m; i++) {
        bandError = Math.max(bandError, Math.abs(band[q][i] - p[i][i + q]));
      }
    }
    assertTrue(relative(dense.a, system.mean()) < 1e-8);
    assertTrue(bandError < 1e-9 * largest);
    assertTrue(relative(expected, applied) < 1e-8);
    assertEquals(
        dense.logLikelihood,
        system.logMarginalLikelihood(),
        1e-8 * Math.abs(dense.logLikelihood) + 1e-9);
  }

  @ParameterizedTest
  @MethodSource("market")
  void gradientsEqualDifferencesOfTheDenseLikelihood(Case c) {
    Problem problem = c.problem();
    double[] at = {1, c.outputscale, c.noise};
    double[] gradient = problem.system(1, c.outputscale, c.noise).gradient();
    for (int parameter = 0; parameter < 3; parameter++) {
      double[] logs = new double[4]; // fourth-order central difference
      double step = 2e-3;
      double[] offsets = {-2, -1, 1, 2};
      for (int i = 0; i < 4; i++) {
        double[] moved = at.clone();
        moved[parameter] *= 1 + offsets[i] * step;
        logs[i] = problem.dense(moved[0], moved[1], moved[2]).logLikelihood;
      }
      double expected =
          (logs[0] - 8 * logs[1] + 8 * logs[2] - logs[3]) / (12 * step * at[parameter]);
      double rounding = 1e-8 + 1e-16 * problem.n * c.outputscale / c.noise; // of the dense factor
      assertEquals(
          expected,
          gradient[parameter],
          1e-6 * Math.abs(expected) + rounding * (problem.n + 1) / at[parameter]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void withoutDataItIsThePrior(int order) {
    int m = 50;
    double step = 0.2;
    MarkovSolution system =
        MarkovSolution.of(order, 1.3, 2, 0.1, step, m, new double[4][m], new double[m], 0, 0, 0);
    assertArrayEquals(new double[m], system.mean());
    assertArrayEquals(new double[3], system.gradient(), 1e-13);
    assertEquals(0, system.logMarginalLikelihood(), 1e-13);
    double[] unit = new double[m];
    unit[7] = 1;
    double[] column = new double[m];
    system.apply(unit, column);
    for (int i = 0; i < m; i++) {
      assertEquals(2 * matern(order, Math.abs(i - 7) * step / 1.3), column[i], 1e-13);
      assertEquals(2, system.covariance(i, i), 1e-13);
      if (i >= 3)
        assertEquals(2 * matern(order, 3 * step / 1.3), system.covariance(i, i - 3), 1e-13);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void drawsHaveThePosteriorsMeanAndCovariance(int order) {
    Case c = new Case(order, 9, 4, 0.3, 2, 0.05, false, false);
    MarkovSolution system = c.problem().system(1, 2, 0.05);
    double[][] p = c.problem().dense(1, 2, 0.05).covariance();
    var random = new SplittableRandom(5);
    int draws = 20_000;
    double[] mean = system.mean();
    double[] sum = new double[c.m];
    double[][] products = new double[c.m][c.m];
    for (int draw = 0; draw < draws; draw++) {
      double[] f = system.sample(random);
      for (int i = 0; i < c.m; i++) {
        sum[i] += f[i] - mean[i];
        for (int j = 0; j < c.m; j++) products[i][j] += (f[i] - mean[i]) * (f[j] - mean[j]);
      }
    }
    for (int i = 0; i < c.m; i++) {
      assertEquals(0, sum[i] / draws, 5 * Math.sqrt(p[i][i] / draws));
      for (int j = 0; j < c.m; j++) { // five standard errors
        double spread = Math.sqrt((p[i][i] * p[j][j] + p[i][j] * p[i][j]) / draws);
        assertEquals(p[i][j], products[i][j] / draws, 5 * spread);
      }
    }
    assertArrayEquals(
        system.sample(new SplittableRandom(1)), system.sample(new SplittableRandom(1)));
  }

  @Test
  void varianceIsNeverNegative() {
    boolean full = Boolean.getBoolean("lovelace.long");
    for (int trial = 0; trial < (full ? 400 : 60); trial++) {
      var random = new SplittableRandom(trial);
      int m = 8 + random.nextInt(200);
      int n = (int) Math.pow(10, random.nextDouble(full ? 6 : 4.5));
      int order = 1 + 2 * random.nextInt(3);
      double noise = Math.pow(10, -8 * random.nextDouble());
      double outputscale = Math.pow(10, 4 * random.nextDouble() - 2);
      double lengthscale = Math.pow(10, 3 * random.nextDouble() - 2);
      double width = Math.pow(10, -4 * random.nextDouble()); // down to all data in one cell
      double[] x = new double[n];
      double[] y = new double[n];
      for (int i = 0; i < n; i++) {
        x[i] = 0.3 + width * 0.7 * random.nextDouble();
        y[i] = Math.sin(6 * x[i]) + Math.sqrt(noise) * random.nextGaussian();
      }
      Grid grid = Grid.of(Axis.covering(0, 1, m));
      GridStatistics statistics = GridStatistics.of(grid, x, y);
      MarkovSolution system =
          MarkovSolution.of(order, lengthscale, outputscale, noise, statistics, new double[m]);
      assertTrue(Double.isFinite(system.logMarginalLikelihood()), "trial " + trial);
      for (double slope : system.gradient()) assertTrue(Double.isFinite(slope), "trial " + trial);
      int[] index = new int[4];
      double[] weight = new double[4];
      for (int i = 0; i < 100; i++) {
        double[] at = {i < 50 ? random.nextDouble() : x[random.nextInt(n)]};
        grid.stencil(at, 0, index, weight);
        double variance = system.variance(index[0], weight);
        assertTrue(
            variance >= 0 && variance < 1.5 * outputscale, "trial " + trial + ": " + variance);
        double band = 0;
        for (int r = 0; r < 4; r++) {
          for (int q = 0; q < 4; q++)
            band += weight[r] * weight[q] * system.covariance(index[r], index[q]);
        }
        assertEquals(variance, band, 20 * 0x1p-52 * outputscale, "trial " + trial);
      }
    }
  }

  @Test
  void statisticsOfAnAxisGiveTheSameSystemAndTheGradientAlongAMean() {
    var random = new SplittableRandom(3);
    int n = 300;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble();
      y[i] = 40 + Math.sin(9 * x[i]) + 0.1 * random.nextGaussian();
    }
    Grid grid = Grid.of(Axis.covering(0, 1, 40));
    GridStatistics statistics = GridStatistics.of(grid, x, y);
    double[] likelihood = new double[2];
    double[] dual = {};
    for (int side = 0; side < 3; side++) {
      double[] mean = new double[40];
      for (int i = 0; i < 40; i++) mean[i] = 39.5 + (side - 1) * 1e-3 * grid.axis(0).at(i);
      MarkovSolution system = MarkovSolution.of(3, 0.3, 1, 0.01, statistics, mean);
      if (side == 1) dual = system.dual();
      else likelihood[side / 2] = system.logMarginalLikelihood();
    }
    double slope = 0;
    for (int i = 0; i < 40; i++) slope += dual[i] * grid.axis(0).at(i);
    assertEquals((likelihood[1] - likelihood[0]) / 2e-3, slope, 1e-6 * Math.abs(slope));
  }

  @Test
  void aLongAxisTakesOnePassEachWay() {
    int m = Boolean.getBoolean("lovelace.long") ? 1_000_000 : 100_000;
    double[][] gram = new double[4][m];
    double[] b = new double[m];
    for (int i = 0; i < m; i++) {
      gram[0][i] = i % 100 < 50 ? 1.5 : 0; // observations on grid points, half of the axis empty
      b[i] = gram[0][i] * Math.sin(1e-3 * i);
    }
    double yy = 0;
    for (int i = 0; i < m; i++) yy += b[i] * Math.sin(1e-3 * i);
    MarkovSolution system = MarkovSolution.of(3, 0.5, 1, 0.1, 1e-3, m, gram, b, yy, m / 2, 0);
    double[] left = new double[m];
    double[] right = new double[m];
    double[] y = new double[m];
    left[m / 2] = 1;
    right[m / 2 + 40] = 1;
    system.apply(left, y);
    double leftRight = y[m / 2 + 40];
    system.apply(right, y);
    assertEquals(leftRight, y[m / 2], 1e-12);
    assertEquals(system.covariance(m / 2 + 40, m / 2 + 40), y[m / 2 + 40], 1e-12);
    assertEquals(Math.sin(1e-3 * 5000), system.mean()[5000], 0.05);
    assertTrue(Double.isFinite(system.logMarginalLikelihood()));
  }

  @Test
  void refusesWhatHasNoMeaning() {
    double[][] gram = new double[4][5];
    double[] b = new double[5];
    assertThrows(
        IllegalArgumentException.class,
        () -> MarkovSolution.of(2, 1, 1, 1, 1, 5, gram, b, 0, 0, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> MarkovSolution.of(1, Double.NaN, 1, 1, 1, 5, gram, b, 0, 0, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> MarkovSolution.of(1, 1, 1, 0, 1, 5, gram, b, 0, 0, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> MarkovSolution.of(1, 1, 1, 1, 1, 6, gram, b, 0, 0, 0));
    gram[0][2] = -1;
    assertThrows(
        IllegalArgumentException.class,
        () -> MarkovSolution.of(1, 1, 1, 1, 1, 5, gram, b, 0, 0, 0));
  }

  static double relative(double[] expected, double[] actual) {
    double error = 0;
    double size = 0;
    for (int i = 0; i < expected.length; i++) {
      error = Math.max(error, Math.abs(expected[i] - actual[i]));
      size = Math.max(size, Math.abs(expected[i]));
    }
    return size == 0 ? error : error / size;
  }

  /// Random data on a grid, with its interpolation weights and their statistics.
  static final class Problem {
    final Case c;
    final int m;
    final int n;
    final double[][] w;
    final double[] y;
    final double[] weight;
    final double[][] gram;
    final double[] b;
    double yy;
    double sumLogWeights;

    Problem(Case c, SplittableRandom random) {
      this.c = c;
      this.m = c.m;
      this.n = c.n;
      this.w = new double[n][m];
      this.y = new double[n];
      this.weight = new double[n];
      this.gram = new double[4][m];
      this.b = new double[m];
      for (int i = 0; i < n; i++) {
        double position = random.nextDouble();
        if (c.gap && position > 0.3 && position < 0.7) position /= 3;
        position = 1 + position * (m - 3);
        int cell = Math.min((int) position, m - 3);
        double[] keys = keys(position - cell);
        System.arraycopy(keys, 0, w[i], cell - 1, 4);
        y[i] = Math.sin(7 * position / m) + Math.sqrt(c.noise) * random.nextGaussian();
        weight[i] = c.weighted ? 0.5 + random.nextDouble() : 1;
        sumLogWeights += Math.log(weight[i]);
        yy += weight[i] * y[i] * y[i];
        for (int r = 0; r < 4; r++) {
          b[cell - 1 + r] += weight[i] * keys[r] * y[i];
          for (int q = 0; r + q < 4; q++)
            gram[q][cell - 1 + r] += weight[i] * keys[r] * keys[r + q];
        }
      }
    }

    MarkovSolution system(double lengthscale, double outputscale, double noise) {
      return MarkovSolution.of(
          c.order, lengthscale, outputscale, noise, c.ratio, m, gram, b, yy, n, sumLogWeights);
    }

    Dense dense(double lengthscale, double outputscale, double noise) {
      double[][] k = new double[m][m];
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
          k[i][j] = outputscale * matern(c.order, Math.abs(i - j) * c.ratio / lengthscale);
        }
      }
      return new Dense(k, this, noise);
    }
  }

  static double matern(int order, double r) {
    double t = Math.sqrt(order) * r;
    return Math.exp(-t) * (order == 1 ? 1 : order == 3 ? 1 + t : 1 + t + t * t / 3);
  }

  static double[] keys(double f) {
    return new double[] {
      ((-0.5 * f + 1) * f - 0.5) * f,
      (1.5 * f - 2.5) * f * f + 1,
      ((-1.5 * f + 2) * f + 0.5) * f,
      (0.5 * f - 0.5) * f * f
    };
  }

  /// The definition: A = WᵀKW + σ²D⁻¹, factored; P = K − KWA⁻¹WᵀK, a = KWA⁻¹y, log p(y).
  static final class Dense {
    private final double[][] k;
    private final double[][] projected; // L⁻¹WᵀK
    final double[] a;
    final double logLikelihood;

    Dense(double[][] k, Problem problem, double noise) {
      int m = problem.m;
      int n = problem.n;
      double[][] kw = new double[n][m]; // row i: K wᵢ
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
          if (problem.w[i][j] != 0)
            for (int r = 0; r < m; r++) kw[i][r] += problem.w[i][j] * k[j][r];
        }
      }
      double[][] l = new double[n][n];
      double logDeterminant = 0;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = i == j ? noise / problem.weight[i] : 0;
          for (int r = 0; r < m; r++) sum += problem.w[i][r] * kw[j][r];
          for (int s = 0; s < j; s++) sum -= l[i][s] * l[j][s];
          l[i][j] = i == j ? Math.sqrt(sum) : sum / l[j][j];
        }
        logDeterminant += 2 * Math.log(l[i][i]);
      }
      double[] z = problem.y.clone(); // L⁻¹y, and rows of kw become those of L⁻¹WᵀK
      for (int i = 0; i < n; i++) {
        for (int s = 0; s < i; s++) {
          z[i] -= l[i][s] * z[s];
          for (int r = 0; r < m; r++) kw[i][r] -= l[i][s] * kw[s][r];
        }
        z[i] /= l[i][i];
        for (int r = 0; r < m; r++) kw[i][r] /= l[i][i];
      }
      this.k = k;
      this.projected = kw;
      this.a = new double[m];
      double quadratic = 0;
      for (int i = 0; i < n; i++) {
        quadratic += z[i] * z[i];
        for (int r = 0; r < m; r++) a[r] += kw[i][r] * z[i];
      }
      this.logLikelihood = -0.5 * (quadratic + logDeterminant + n * Math.log(2 * Math.PI));
    }

    double[][] covariance() {
      int m = k.length;
      double[][] p = new double[m][];
      for (int r = 0; r < m; r++) {
        p[r] = k[r].clone();
        for (double[] row : projected) {
          for (int s = 0; s < m; s++) p[r][s] -= row[r] * row[s];
        }
      }
      return p;
    }
  }
}
