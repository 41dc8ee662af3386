package lovelace.sites;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.posterior.Prediction;
import lovelace.sparse.ConditioningSets;
import lovelace.sparse.LocalRegressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The posterior of sites beside dense algebra of the same prior, and beside the exact process.
class SiteGpTest {

  private static final long SEED = 11;

  /// Rows in the cells of a grid with unit steps: some at nodes, some at one place, some weighted.
  private static final class Case {
    final Grid grid;
    final Dataset data;
    final Hyperparameters h;
    final double[] places; // to predict at: inside, at nodes, at rows, beyond

    Case(String kernel, int[] shape, int n, double noise, PriorMean mean) {
      int d = shape.length;
      var random = new SplittableRandom(SEED);
      Axis[] axes = new Axis[d];
      for (int a = 0; a < d; a++) axes[a] = new Axis(-3 + a, 0.5 + a, shape[a]);
      grid = Grid.of(axes);
      double[] x = new double[n * d];
      double[] y = new double[n];
      double[] w = new double[n];
      for (int i = 0; i < n; i++) {
        for (int a = 0; a < d; a++)
          x[i * d + a] =
              axes[a].at(2) + random.nextDouble() * (axes[a].at(shape[a] - 3) - axes[a].at(2));
        if (i % 7 == 1)
          for (int a = 0; a < d; a++) x[i * d + a] = axes[a].at(2 + i % (shape[a] - 4));
        if (i % 7 == 3) System.arraycopy(x, (i - 3) * d, x, i * d, d);
        y[i] =
            i % 7 == 3 && noise < 1e-8 ? y[i - 3] : Math.sin(2 * x[i * d]) + random.nextGaussian();
        if (i % 7 == 1 && noise < 1e-8) y[i] = Math.sin(2 * x[i * d] + x[i * d + d - 1]);
        w[i] = 0.5 + random.nextDouble();
      }
      data = Dataset.of(x, d, y).withWeights(w);
      h = Hyperparameters.of(Kernel.parse(kernel).bind(d), noise, mean);
      places = new double[24 * d];
      for (int t = 0; t < 24; t++)
        for (int a = 0; a < d; a++)
          places[t * d + a] =
              switch (t % 6) {
                case 0 -> axes[a].at(3);
                case 1 -> x[t * d + a];
                case 2 -> axes[a].at(1) + random.nextDouble() * (shape[a] - 3) * axes[a].step();
                case 3 -> axes[a].at(0) - axes[a].step() * (a == 0 ? 2 : 0.1) * random.nextDouble();
                default ->
                    axes[a].at(2)
                        + random.nextDouble() * (axes[a].at(shape[a] - 3) - axes[a].at(2));
              };
    }

    SiteGp gp(int k) {
      return SiteGp.of(data, grid, h, k);
    }
  }

  private static final String MARKET =
      """
      1.3*matern12(lengthscale=[2,5]) | 9x8 | 40 | 0.1 | 12
      1.3*matern32(lengthscale=[2,5]) + white(variance=0.03) | 9x8 | 40 | 0.01 | 15
      0.8*matern12(lengthscale=[9,11]) + 0.1*matern32(lengthscale=[1,2]) | 8x9 | 50 | 0.001 | 60
      1.1*matern32(lengthscale=2) | 19 | 30 | 0.05 | 4
      1.1*matern32(lengthscale=[1,2,3]) | 6x5x6 | 40 | 0.05 | 20
      1.3*matern12(lengthscale=[2,5]) | 9x8 | 40 | 1e-12 | 12
      1.3*matern32(lengthscale=[2,5]) | 9x8 | 40 | 1e-14 | 15
      """;

  private static String message(Throwable error) {
    return String.valueOf(error.getMessage());
  }

  private static int[] shape(String text) {
    return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
  }

  private static Case one(String kernel, String shape, int n, double noise) {
    int[] points = shape(shape);
    PriorMean mean =
        points.length == 2 ? PriorMean.linear(0.3, 0.1, -0.2) : PriorMean.constant(0.4);
    return new Case(kernel, points, n, noise, mean);
  }

  /// The model by dense algebra: every point regressed on its set, and rows as they are.
  private static final class Dense {
    final int points;
    final double[] k; // of the points
    final double[] x; // their coordinates
    final int d;
    final Kernel kernel;
    final double[] prior; // covariance of the points under the sparse prior
    final double[] posterior;
    final double[] mean; // of the points, less the prior mean
    final double logLikelihood;

    Dense(Case one, SiteSets sets) {
      Sites sites = sets.sites;
      points = sites.points;
      d = one.grid.dimensions();
      kernel = one.h.kernel().withoutWhite();
      x = new double[points * d];
      for (int p = 0; p < points; p++) sites.point(p, x, p * d);
      k = new double[points * points];
      kernel.matrix(x, points, x, points, k);
      double[] q = new double[points * points];
      ConditioningSets nodes = sets.lattice.regressions().sets();
      for (int p = 0; p < points; p++) {
        int own = p;
        boolean site = p >= sites.nodes();
        int[] set =
            site
                ? Arrays.copyOfRange(
                    sets.members,
                    sets.starts[p - sites.nodes()],
                    sets.starts[p - sites.nodes() + 1] - 1)
                : Arrays.stream(nodes.jumps(nodes.shapeOf(p)))
                    .filter(jump -> jump != 0)
                    .map(jump -> own + jump)
                    .toArray();
        double[] row = new double[points];
        double variance = regress(set, p, site ? LocalRegressions.Point.NUGGET : 0, row);
        for (int i = 0; i < points; i++)
          for (int j = 0; j < points; j++) q[i * points + j] += row[i] * row[j] / variance;
      }
      prior = inverse(q, points);
      double noise = one.h.noise() + one.h.kernel().whiteVariance();
      int n = one.data.size();
      int[] point = new int[n];
      for (int i = 0; i < n; i++) point[i] = pointOf(one.data.inputs(), i * d);
      boolean pinned = noise < 1e-9;
      // without noise each place counts once
      int[] rows =
          IntStream.range(0, n)
              .filter(i -> !pinned || Arrays.stream(point, 0, i).noneMatch(p -> p == point[i]))
              .toArray();
      int r = rows.length;
      double[] a = new double[r * r];
      double[] cross = new double[r * points];
      double[] y = new double[r];
      for (int i = 0; i < r; i++) {
        for (int j = 0; j < r; j++) a[i * r + j] = prior[point[rows[i]] * points + point[rows[j]]];
        if (!pinned) a[i * r + i] += noise / one.data.weight(rows[i]);
        for (int p = 0; p < points; p++) cross[p * r + i] = prior[p * points + point[rows[i]]];
        y[i] = one.data.target()[rows[i]] - one.h.mean().at(one.data.inputs(), rows[i] * d);
      }
      Cholesky factor = Cholesky.of(a, r);
      double[] alpha = y.clone();
      factor.solve(alpha);
      double form = 0;
      for (int i = 0; i < r; i++) form += y[i] * alpha[i];
      logLikelihood = -0.5 * (form + factor.logDeterminant() + r * Math.log(2 * Math.PI));
      mean = new double[points];
      posterior = prior.clone();
      for (int p = 0; p < points; p++) {
        double[] c = Arrays.copyOfRange(cross, p * r, p * r + r);
        for (int i = 0; i < r; i++) mean[p] += c[i] * alpha[i];
        factor.solve(c);
        for (int o = 0; o < points; o++)
          for (int i = 0; i < r; i++) posterior[p * points + o] -= c[i] * cross[o * r + i];
      }
    }

    private int pointOf(double[] at, int offset) {
      for (int p = 0; p < points; p++) {
        double off = 0;
        for (int a = 0; a < d; a++) off += Math.abs(x[p * d + a] - at[offset + a]);
        if (off < 1e-9) return p;
      }
      throw new AssertionError("no point at row " + offset / d);
    }

    private static double[] inverse(double[] q, int n) {
      Cholesky factor = Cholesky.of(q, n);
      double[] all = new double[n * n];
      for (int i = 0; i < n; i++) {
        double[] e = new double[n];
        e[i] = 1;
        factor.solve(e);
        System.arraycopy(e, 0, all, i * n, n);
      }
      return all;
    }

    /// The weights of the k most correlated points around the cell of a place, by points.
    double[] weights(Grid grid, int k, double[] at, int offset) {
      double[] near = new double[points];
      kernel.matrix(Arrays.copyOfRange(at, offset, offset + d), 1, x, points, near);
      int[] set =
          IntStream.range(0, points)
              .filter(
                  p ->
                      IntStream.range(0, d)
                          .allMatch(
                              a -> {
                                Axis axis = grid.axis(a);
                                double middle =
                                    axis.at(axis.cell(at[offset + a]) + 1) + axis.step() / 2;
                                return Math.abs(x[p * d + a] - middle) <= 1.5 * axis.step() + 1e-9;
                              }))
              .boxed()
              .sorted((p, o) -> Double.compare(near[o], near[p]))
              .limit(k)
              .mapToInt(p -> p)
              .toArray();
      int n = set.length;
      double[] c = new double[n * n];
      double[] b = new double[n];
      for (int i = 0; i < n; i++) {
        b[i] = near[set[i]];
        for (int j = 0; j < n; j++) c[i * n + j] = k(set[i], set[j]);
        c[i * n + i] *= 1 + LocalRegressions.Point.NUGGET;
      }
      Cholesky.of(c, n).solve(b);
      double[] all = new double[points];
      for (int i = 0; i < n; i++) all[set[i]] = b[i];
      return all;
    }

    private double k(int i, int j) {
      return k[i * points + j];
    }

    /// Fills a row of R for point p, and returns D.
    private double regress(int[] set, int p, double nugget, double[] row) {
      int n = set.length;
      double[] c = new double[n * n];
      double[] b = new double[n];
      for (int i = 0; i < n; i++) {
        b[i] = k[p * points + set[i]];
        for (int j = 0; j < n; j++) c[i * n + j] = k[set[i] * points + set[j]];
        c[i * n + i] *= 1 + nugget;
      }
      Cholesky.of(c, n).solve(b);
      double variance = k[p * points + p] * (1 + nugget);
      row[p] = 1;
      for (int i = 0; i < n; i++) {
        row[set[i]] = -b[i];
        variance -= b[i] * k[p * points + set[i]];
      }
      return variance;
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = MARKET)
  void evidenceAndPointsAreThoseOfDenseAlgebra(
      String kernel, String shape, int n, double noise, int k) {
    Case one = one(kernel, shape, n, noise);
    SiteGp gp = one.gp(k);
    SiteSets sets = SiteSets.of(Sites.of(one.data, one.grid), one.h.kernel().withoutWhite(), k);
    Dense dense = new Dense(one, sets);
    double scale = n + Math.abs(dense.logLikelihood);
    assertEquals(dense.logLikelihood, gp.logMarginalLikelihood(), 1e-8 * scale, "seed " + SEED);
    // a node or site is kriged from itself, the outermost nodes too
    Prediction mine = gp.predict(dense.x);
    double most = 0;
    for (int p = 0; p < dense.points; p++) {
      double trend = one.h.mean().at(dense.x, p * dense.d);
      assertEquals(trend + dense.mean[p], mine.mean(p), 1e-6, "mean of point " + p);
      double variance = Math.max(dense.posterior[p * dense.points + p], 0);
      most = Math.max(most, variance);
      assertEquals(variance, mine.variance(p), 1e-7, "variance of point " + p);
    }
    assertTrue(most > 0.01, "the variances compared are not all nothing");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = MARKET)
  void predictionsAndCovariancesAreThoseOfDenseKriging(
      String kernel, String shape, int n, double noise, int k) {
    Case one = one(kernel, shape, n, noise);
    SiteGp gp = one.gp(k);
    Dense dense =
        new Dense(one, SiteSets.of(Sites.of(one.data, one.grid), one.h.kernel().withoutWhite(), k));
    int d = dense.d;
    int[] inside =
        IntStream.range(0, one.places.length / d)
            .filter(t -> one.grid.cell(one.places, t * d) >= 0)
            .toArray();
    int t = inside.length;
    assertTrue(t > 10, "places inside the grid");
    double[] at = new double[t * d];
    for (int i = 0; i < t; i++) System.arraycopy(one.places, inside[i] * d, at, i * d, d);
    Prediction mine = gp.predict(at);
    double[] covariance = gp.covariance(at, at);
    int m = dense.points;
    double[][] b = new double[t][];
    for (int i = 0; i < t; i++) b[i] = dense.weights(one.grid, k, at, i * d);
    double[] priors = new double[t * t];
    dense.kernel.matrix(at, t, at, t, priors);
    double[] cross = new double[t * m]; // k(x, points)
    dense.kernel.matrix(at, t, dense.x, m, cross);
    for (int i = 0; i < t; i++) {
      double mean = one.h.mean().at(at, i * d);
      for (int p = 0; p < m; p++) mean += b[i][p] * dense.mean[p];
      assertEquals(mean, mine.mean(i), 1e-6, "mean of place " + i);
      for (int j = 0; j < t; j++) {
        double sum = priors[i * t + j];
        for (int p = 0; p < m; p++) {
          sum -= b[i][p] * cross[j * m + p] + b[j][p] * cross[i * m + p];
          if (b[i][p] == 0) continue;
          for (int o = 0; o < m; o++)
            sum += b[i][p] * (dense.k(p, o) + dense.posterior[p * m + o]) * b[j][o];
        }
        assertEquals(sum, covariance[i * t + j], 1e-6, "covariance of places " + i + ", " + j);
        assertEquals(covariance[j * t + i], covariance[i * t + j], 0, "symmetric");
        if (i == j) assertEquals(sum, mine.variance(i), 1e-6, "variance of place " + i);
      }
    }
    // as one matrix with those beyond the grid it is positive semidefinite
    int all = one.places.length / d;
    double[] joint = gp.covariance(one.places, one.places);
    Prediction each = gp.predict(one.places);
    for (int i = 0; i < all; i++) {
      assertEquals(each.variance(i), joint[i * all + i], 1e-8, "variance of place " + i);
      joint[i * all + i] += 1e-7;
      assertEquals(one.grid.cell(one.places, i * d) < 0, each.outside(i), "outside");
    }
    assertEquals(0, Cholesky.of(joint, all).jitter());
    double[] part = gp.covariance(Arrays.copyOf(one.places, 5 * d), at);
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < t; j++)
        assertEquals(joint[i * all + inside[j]], part[i * t + j], i == inside[j] ? 2e-7 : 1e-10);
  }

  @Test
  void setsAreTheMostCorrelatedEarlierPoints() {
    Case one = one("1*matern32(lengthscale=[1.5,4])", "12x10", 90, 0.1);
    int k = 17;
    Sites sites = Sites.of(one.data, one.grid);
    SiteSets sets = SiteSets.of(sites, one.h.kernel(), k);
    double[] x = new double[sites.points * 2];
    for (int p = 0; p < sites.points; p++) sites.point(p, x, p * 2);
    int m = sites.nodes();
    assertTrue(sites.points > m + 50);
    for (int p = m; p < sites.points; p++) {
      double[] near = new double[p];
      one.h.kernel().matrix(Arrays.copyOfRange(x, 2 * p, 2 * p + 2), 1, x, p, near);
      double[] best = Arrays.stream(near).sorted().skip(p - k).toArray();
      double[] mine =
          Arrays.stream(sets.members, sets.starts[p - m], sets.starts[p - m + 1] - 1)
              .mapToDouble(q -> near[q])
              .sorted()
              .toArray();
      assertArrayEquals(best, mine, 0, "the set of point " + p);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = MARKET)
  void gradientIsThatOfTheEvidence(String kernel, String shape, int n, double noise, int k) {
    Case one = one(kernel, shape, n, noise);
    Kernel latent = one.h.kernel().withoutWhite();
    SiteSets sets = SiteSets.of(Sites.of(one.data, one.grid), latent, k);
    double[] g = new SiteGp(one.data, sets, one.h).likelihoodGradient();
    double[] values = one.h.values();
    int noisePlace = one.h.kernel().parameterCount();
    for (int i = 0; i < g.length; i++) {
      double[] moved = values.clone();
      double step = 1e-4 * Math.max(1e-3, Math.abs(values[i]));
      if (i == noisePlace) step = 1e-4 * values[i];
      double[] f = new double[4];
      for (int s = 0; s < 4; s++) { // of fourth order
        moved[i] = values[i] + step * new double[] {-2, -1, 1, 2}[s];
        f[s] = new SiteGp(one.data, sets, one.h.with(moved)).logMarginalLikelihood();
      }
      double slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
      if (i == noisePlace && noise < 1e-9) {
        assertEquals(0, g[i], 0, "pinned: no slope in the noise");
        assertEquals(f[0], f[3], 0, "pinned: the noise is not looked at");
      } else assertEquals(slope, g[i], 1e-5 * Math.max(1, Math.abs(g[i])), one.h.names().get(i));
    }
  }

  private static double[] draw(Kernel kernel, double[] x, int n, SplittableRandom random) {
    double[] c = new double[n * n];
    kernel.matrix(x, n, x, n, c);
    for (int i = 0; i < n; i++) c[i * n + i] += 1e-10;
    double[] l = Cholesky.of(c, n).factor();
    double[] z = random.doubles(n).map(v -> random.nextGaussian()).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) y[i] += l[i * n + j] * z[j];
    return y;
  }

  /// Rows of the process itself, and what it says at some places: the quantiles of the variance's
  /// relative error, the r.m.s. error of the mean in standard deviations, and that of log L.
  private static double[] errors(SiteGp gp, Dataset data, Hyperparameters h, double[] places) {
    ExactGp exact = ExactGp.of(data, h);
    Prediction truth = exact.predict(places);
    Prediction mine = gp.predict(places);
    int t = truth.size();
    double squares = 0;
    double[] ratio = new double[t];
    for (int i = 0; i < t; i++) {
      double off = (mine.mean(i) - truth.mean(i)) / truth.deviation(i);
      squares += off * off / t;
      ratio[i] = mine.variance(i) / truth.variance(i) - 1;
    }
    Arrays.sort(ratio);
    return new double[] {
      ratio[t / 100],
      ratio[t - 1 - t / 100],
      Math.sqrt(squares),
      gp.logMarginalLikelihood() - exact.logMarginalLikelihood()
    };
  }

  /// Eight cells a lengthscale, as many rows a cell as given.
  @ParameterizedTest
  @CsvSource({
    "matern12, 1e-2, 1, 0.03, 0.015",
    "matern32, 1e-2, 1, 0.03, 0.03",
    "matern32, 1e-4, 1, 0.04, 0.05",
    "matern32, 1e-4, 4, 0.02, 0.035",
    "matern32, 1e-12, 3, 0.03, 0.05",
    "matern12, 1e-12, 3, 0.01, 0.01"
  })
  void itIsCloseToTheExactProcess(
      String name, double noise, int density, double variance, double mean) {
    var random = new SplittableRandom(SEED);
    int cells = 16;
    int n = cells * cells * density;
    double[] x = random.doubles(2 * n, 2, 2 + cells).toArray();
    double[] places = random.doubles(600, 2, 2 + cells).toArray();
    Kernel kernel = Kernel.parse("1*" + name + "(lengthscale=8)").bind(2);
    double[] y = draw(kernel, x, n, random);
    for (int i = 0; i < n; i++) y[i] += Math.sqrt(noise) * random.nextGaussian();
    Dataset data = Dataset.of(x, 2, y);
    Hyperparameters h = Hyperparameters.of(kernel, noise, PriorMean.ZERO);
    Grid grid = Grid.of(new Axis(0, 1, cells + 5), new Axis(0, 1, cells + 5));
    double[] errors = errors(SiteGp.of(data, grid, h, SiteGp.neighbours(2)), data, h, places);
    assertTrue(
        errors[0] > -variance && errors[1] < variance && errors[2] < mean,
        () -> "variance, mean, log L " + Arrays.toString(errors) + ", seed " + SEED);
    assertEquals(0, errors[3], 2, "log L");
  }

  @Test
  void beyondTheGridItFollowsTheExactProcess() {
    var random = new SplittableRandom(SEED);
    int n = 400;
    double[] x = random.doubles(2 * n, 0, 16).toArray();
    Kernel kernel = Kernel.parse("1*matern32(lengthscale=6)").bind(2);
    Dataset data = Dataset.of(x, 2, draw(kernel, x, n, random));
    Hyperparameters h = Hyperparameters.of(kernel, 1e-2, PriorMean.constant(0.5));
    SiteGp gp = SiteGp.of(data, SiteGp.grid(data, h), h, SiteGp.neighbours(2));
    double[] places = new double[200];
    for (int t = 0; t < 100; t++) {
      places[2 * t] = -4 - 12 * random.nextDouble();
      places[2 * t + 1] = 24 * random.nextDouble() - 4;
      if (t % 2 == 0) places[2 * t] = 16 - places[2 * t];
    }
    Prediction mine = gp.predict(places);
    for (int t = 0; t < 100; t++) assertTrue(mine.outside(t));
    double[] errors = errors(gp, data, h, places);
    assertTrue(
        errors[0] > -0.01 && errors[1] < 0.01 && errors[2] < 0.03,
        () -> Arrays.toString(errors) + ", seed " + SEED);
    Prediction far = gp.predict(new double[] {1e4, -1e4});
    assertEquals(0.5, far.mean(0), 1e-12);
    assertEquals(1, far.variance(0), 1e-9);
  }

  @Test
  void drawsHaveTheMeanAndCovarianceOfThePosterior() {
    Case one = one("1.3*matern32(lengthscale=[2,5])", "9x8", 40, 0.01);
    SiteGp gp = one.gp(15);
    int t = one.places.length / 2;
    int draws = 4000;
    double[] all = gp.sample(one.places, draws, new SplittableRandom(SEED));
    Prediction mean = gp.predict(one.places);
    double[] covariance = gp.covariance(one.places, one.places);
    for (int i = 0; i < t; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        double shift = 0;
        for (int s = 0; s < draws; s++) {
          shift += (all[s * t + i] - mean.mean(i)) / draws;
          sum += (all[s * t + i] - mean.mean(i)) * (all[s * t + j] - mean.mean(j)) / draws;
        }
        double ci = covariance[i * t + i];
        double cj = covariance[j * t + j];
        double c = covariance[i * t + j];
        // five standard errors
        assertEquals(c, sum, 5 * Math.sqrt((ci * cj + c * c) / draws) + 1e-9, i + ", " + j);
        assertEquals(0, shift, 5 * Math.sqrt(ci / draws) + 1e-9, "mean of " + i);
      }
    double[] first = gp.sample(one.places, 2, new SplittableRandom(SEED));
    assertArrayEquals(Arrays.copyOf(all, 2 * t), first, 0, "the first draws");
    assertEquals(0, gp.sample(new double[0], 3, new SplittableRandom(1)).length);
  }

  @Test
  void anAnswerDoesNotDependOnItsBatchOrOnThreads() {
    Case one = one("1.3*matern32(lengthscale=[2,5])", "9x8", 40, 0.01);
    SiteGp gp = one.gp(15);
    Prediction all = gp.predict(one.places);
    for (int t = 0; t < all.size(); t++) {
      Prediction alone = gp.predict(Arrays.copyOfRange(one.places, 2 * t, 2 * t + 2));
      assertEquals(all.mean(t), alone.mean(0), 0);
      assertEquals(all.variance(t), alone.variance(0), 0);
    }
    try (var pool = new ForkJoinPool(1)) {
      SiteGp other = pool.submit(() -> one.gp(15)).join();
      assertEquals(gp.logMarginalLikelihood(), other.logMarginalLikelihood(), 0);
      assertArrayEquals(gp.likelihoodGradient(), pool.submit(other::likelihoodGradient).join(), 0);
      assertArrayEquals(all.variances(), other.predict(one.places).variances(), 0);
    }
  }

  /// As a fit of the rows would: what was there before leaves no trace.
  @Test
  void otherRowsChooseTheGridAnew() {
    Case one = one("1.3*matern32(lengthscale=[2,5])", "9x8", 40, 0.01);
    SiteGp gp = one.gp(15);
    double[] x = Arrays.copyOf(one.data.inputs(), 2 * 42);
    double[] y = Arrays.copyOf(one.data.target(), 42);
    x[80] = one.grid.axis(0).at(0) - 3.3;
    x[81] = one.grid.axis(1).at(3);
    x[82] = one.grid.axis(0).at(3);
    x[83] = one.grid.axis(1).at(7) + 0.1;
    Dataset more = Dataset.of(x, 2, y);
    SiteGp wider = gp.with(more, one.h);
    SiteGp afresh = SiteGp.of(more, SiteGp.grid(more, one.h), one.h, 15);
    assertEquals(afresh.grid(), wider.grid());
    assertEquals(afresh.logMarginalLikelihood(), wider.logMarginalLikelihood(), 0);
    assertArrayEquals(afresh.predict(one.places).means(), wider.predict(one.places).means(), 0);
    var error =
        assertThrows(IllegalArgumentException.class, () -> SiteGp.of(more, one.grid, one.h, 15));
    assertTrue(message(error).startsWith("row 41: column 1 is "), error.getMessage());
  }

  @Test
  void rowsOfOnePlaceThatDifferNeedNoise() {
    Kernel kernel = Kernel.parse("2*matern32(lengthscale=3)").bind(2);
    double[] x = {0, 0, 1.5, 2.2, 3, 1, 1.5, 2.2};
    Dataset data = Dataset.of(x, 2, new double[] {1, 2, 3, 2.5});
    Hyperparameters h = Hyperparameters.of(kernel, 1e-12, PriorMean.ZERO);
    Grid grid = SiteGp.grid(data, h);
    var error = assertThrows(IllegalArgumentException.class, () -> SiteGp.of(data, grid, h, 10));
    String[] words = message(error).split(" ", -1);
    assertTrue(message(error).contains("rows 2 and 4 lie at one place, [1.5, 2.2]"));
    double works = Double.parseDouble(words[words.length - 1]);
    assertEquals(2e-9, works, 1e-10);
    SiteGp gp = SiteGp.of(data, grid, h.set("noise", works), 10);
    assertEquals(2.25, gp.predict(new double[] {1.5, 2.2}).mean(0), 1e-6);
    Dataset equal = Dataset.of(x, 2, new double[] {1, 2, 3, 2});
    Prediction at = SiteGp.of(equal, grid, h, 10).predict(x);
    for (int i = 0; i < 4; i++) {
      assertEquals(equal.target()[i], at.mean(i), 1e-12);
      assertTrue(at.atBound(i) && at.variance(i) > 0 && at.variance(i) < 1e-8);
    }
  }

  /// Distances down to 1e-12 lengthscales: the sites cannot be told apart in double precision.
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-12})
  void sitesMayLieAsCloseAsTheyLike(double noise) {
    var random = new SplittableRandom(SEED);
    int n = 120;
    double[] x = random.doubles(2 * n, 0, 4).toArray();
    double[] y = new double[n];
    for (int i = 60; i < n; i++)
      for (int a = 0; a < 2; a++)
        x[2 * i + a] =
            x[2 * (i - 60) + a] + Math.pow(10, -12.0 * (i - 60) / 60) * random.nextDouble();
    for (int i = 0; i < n; i++) y[i] = Math.sin(x[2 * i]) * Math.cos(x[2 * i + 1]);
    Dataset data = Dataset.of(x, 2, y);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern32(lengthscale=3)").bind(2), noise, PriorMean.ZERO);
    SiteGp gp = SiteGp.of(data, SiteGp.grid(data, h), h, 30);
    double[] places = random.doubles(100, 0, 4).toArray();
    double[] errors = errors(gp, data, h.set("noise", Math.max(noise, 1e-8)), places);
    assertTrue(errors[2] < 0.08 && errors[1] < 0.06, Arrays.toString(errors) + ", seed " + SEED);
  }

  @Test
  void theGridFollowsRowsAndLengthscales() {
    var random = new SplittableRandom(SEED);
    double[] x = new double[2 * 3000];
    for (int i = 0; i < 3000; i++) {
      x[2 * i] = 100 * random.nextDouble();
      x[2 * i + 1] = 7 + random.nextDouble();
    }
    Dataset data = Dataset.of(x, 2, new double[3000]);
    for (double longer : new double[] {1, 4, 1e6}) {
      Kernel kernel = Kernel.parse("1*matern32(lengthscale=[" + 10 * longer + ",0.1])").bind(2);
      Hyperparameters h = Hyperparameters.of(kernel, 0.1, PriorMean.ZERO);
      Grid grid = SiteGp.grid(data, h);
      Axis first = grid.axis(0);
      Axis second = grid.axis(1);
      double cells = (first.points() - 5.0) * (second.points() - 5.0);
      assertTrue(cells > 750 && cells < 3000, "1 to 4 rows a cell, got " + cells + " cells");
      assertEquals(
          Math.min(longer, 64), first.step() / second.step() / 100, 0.2 * Math.min(longer, 64));
      for (int i = 0; i < 6000; i += 2) {
        assertTrue(x[i] >= first.at(2) - 1e-9 && x[i] <= first.at(first.points() - 3) + 1e-9);
        assertTrue(
            x[i + 1] >= second.at(2) - 1e-9 && x[i + 1] <= second.at(second.points() - 3) + 1e-9);
      }
    }
    // a column that does not vary, and a single row
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("1*matern32(lengthscale=2)").bind(2), 0.1, PriorMean.ZERO);
    Dataset flat = Dataset.of(new double[] {1, 5, 2, 5, 3, 5}, 2, new double[] {1, 2, 3});
    assertEquals(6, SiteGp.grid(flat, h).axis(1).points());
    Dataset row = Dataset.of(new double[] {1, 5}, 2, new double[] {1});
    Prediction at = SiteGp.of(row, SiteGp.grid(row, h), h, 9).predict(new double[] {1, 5, 1.7, 5});
    assertEquals(1 / 1.1, at.mean(0), 1e-9);
    assertEquals(ExactGp.of(row, h).predict(new double[] {1.7, 5}).mean(0), at.mean(1), 1e-3);
  }

  @Test
  void memoryIsAskedForBeforeItIsTaken() {
    var random = new SplittableRandom(SEED);
    for (int d = 1; d <= 3; d++) {
      int n = d == 3 ? 300 : 2000 / d;
      double[] x = random.doubles((long) d * n).toArray();
      Dataset data = Dataset.of(x, d, random.doubles(n).toArray());
      Hyperparameters h =
          Hyperparameters.of(
              Kernel.parse("1*matern12(lengthscale=0.2)").bind(d), 0.1, PriorMean.ZERO);
      Grid grid = SiteGp.grid(data, h);
      int k = SiteGp.neighbours(d);
      long estimate = SiteGp.bytes(grid, n, h, k);
      SiteGp gp = SiteGp.of(data, grid, h, k);
      String said =
          String.format(Locale.ROOT, "%d axes: %,d bytes, estimated %,d", d, gp.bytes(), estimate);
      assertTrue(estimate > gp.bytes() && estimate < 6 * gp.bytes(), said);
      assertTrue(SiteGp.bytes(grid, n, h.set("noise", 1e-12), k) < estimate, "pinned");
      Budget small = Budget.of(Duration.ofHours(1), estimate / 2, System::nanoTime);
      if (d < 3) // so few rows have the same cells in three dimensions
      assertTrue(small.call(() -> SiteGp.grid(data, h)).size() < grid.size(), "coarser");
      assertThrows(MemoryLimitException.class, () -> small.run(() -> SiteGp.of(data, grid, h, k)));
      assertTrue(gp.jointBytes(1000) > gp.jointBytes(10) && gp.panelBytes(10) > 0);
      assertThrows(
          MemoryLimitException.class,
          () -> small.run(() -> gp.sample(new double[gp.dimensions() * 20000], 1, random)));
    }
  }

  /// The grid has few cells, so that an estimate from its size would let it pass.
  @Test
  void memoryOfRowsInOneCellIsAskedForBeforeItIsTaken() {
    Case one = one("1.3*matern32(lengthscale=[2,5])", "9x8", 40, 0.01);
    Sites few = Sites.of(one.data, one.grid);
    long pairs = 0;
    double[] x = new double[4];
    for (int p = few.nodes(); p < few.points; p++)
      for (int q = few.nodes(); q < p; q++) {
        few.point(p, x, 0);
        few.point(q, x, 2);
        boolean near = true;
        for (int a = 0; a < 2; a++) {
          Axis axis = one.grid.axis(a);
          near &= Math.abs(axis.cell(x[a]) - axis.cell(x[2 + a])) <= 2;
        }
        if (near) pairs++;
      }
    assertEquals(pairs, few.pairs(2));
    int n = 30_000;
    Axis axis = one.grid.axis(0);
    double[] places = new double[2 * n];
    for (int i = 0; i < n; i++) {
      places[2 * i] = axis.at(3) + axis.step() * (i + 0.5) / n;
      places[2 * i + 1] = one.grid.axis(1).at(3) + 0.1;
    }
    Dataset rows = Dataset.of(places, 2, new double[n]);
    Budget small = Budget.of(Duration.ofHours(1), 4_000_000_000L, System::nanoTime);
    var error =
        assertThrows(
            MemoryLimitException.class,
            () -> small.run(() -> SiteGp.of(rows, one.grid, one.h, 15)));
    assertTrue(message(error).contains("use a finer grid"), error.getMessage());
  }

  @Test
  void aSmoothKernelIsRefused() {
    Case one = one("1*rbf(lengthscale=40)", "9x8", 40, 0.01);
    var error = assertThrows(ArithmeticException.class, () -> one.gp(30));
    assertTrue(message(error).contains("too smooth"), error.getMessage());
  }
}
