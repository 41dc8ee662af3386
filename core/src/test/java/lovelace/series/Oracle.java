package lovelace.series;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The definitions of the processes, written with whole matrices and no care for speed.
final class Oracle {

  private Oracle() {}

  /// The covariance of a shape, from the matrices that make the values out of independent numbers.
  static double[][] covariance(Shape shape, int n) {
    double unit = 1 + shape.level();
    double[][] k = new double[n][n];
    for (int i = 0; i < n; i++) k[i][i] = 1;
    // The level at step i is the sum of the innovations at steps 1, …, i.
    double[][] walk = new double[n][n];
    for (int i = 0; i < n; i++) for (int s = 1; s <= i; s++) walk[i][s] = 1;
    addSquare(k, walk, constant(n, shape.level()));
    // Slopes out of the first slope and its innovations, then their sums before each step.
    Slope slope = shape.slope();
    double[][] slopes = new double[n][n];
    for (int t = 0; t < n; t++)
      for (int s = 0; s <= t; s++) slopes[t][s] = s == t ? 1 : slope.damping() * slopes[t - 1][s];
    double[][] before = new double[n][n];
    for (int i = 0; i < n; i++) for (int s = 0; s < i; s++) before[i][s] = 1;
    double[] variances = constant(n, unit * slope.change());
    variances[0] = unit * slope.first();
    addSquare(k, product(before, slopes), variances);
    for (Season season : shape.seasons()) addSeason(k, season, unit);
    if (shape.deviation() > 0)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          k[i][j] += unit * shape.deviation() * Math.exp(-Math.abs(i - j) / shape.memory());
    return k;
  }

  private static double[] constant(int n, double value) {
    double[] all = new double[n];
    java.util.Arrays.fill(all, value);
    return all;
  }

  private static void addSeason(double[][] k, Season season, double unit) {
    int n = k.length;
    double m = season.period();
    double[][] pattern = new double[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        pattern[i][j] = season.smooth() == 0 ? free(i, j, (int) m) : smooth(i - j, season);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double lasts = 1;
        if (season.decay() > 0) lasts = Math.exp(-Math.abs(i - j) / (season.decay() * m));
        else for (int s = 1; s <= Math.min(i, j); s++) lasts += season.change() / m;
        k[i][j] += unit * season.size() * lasts * pattern[i][j];
      }
  }

  /// Independent values of variance m/(m − 1) less their mean, by the rows of the centring matrix.
  private static double free(int i, int j, int m) {
    double sum = 0;
    for (int s = 0; s < m; s++)
      sum += ((i % m == s ? 1 : 0) - 1. / m) * ((j % m == s ? 1 : 0) - 1. / m);
    return sum * m / (m - 1);
  }

  /// The mean of the periodic covariance is `e^{−a} I₀(a)` with a = 1/ℓ²; I₀ by its series.
  private static double smooth(int gap, Season season) {
    double a = 1 / (season.smooth() * season.smooth());
    double bessel = 0;
    double term = 1;
    for (int j = 1; j < 200; j++) {
      bessel += term;
      term *= a * a / (4. * j * j);
    }
    double mean = Math.exp(-a) * bessel;
    double angle = 2 * Math.PI * gap / season.period();
    return (Math.exp(a * (Math.cos(angle) - 1)) - mean) / (1 - mean);
  }

  private static double[][] product(double[][] a, double[][] b) {
    int n = a.length;
    double[][] c = new double[n][n];
    for (int i = 0; i < n; i++)
      for (int s = 0; s < n; s++) for (int j = 0; j < n; j++) c[i][j] += a[i][s] * b[s][j];
    return c;
  }

  private static void addSquare(double[][] k, double[][] a, double[] variances) {
    int n = k.length;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int s = 0; s < n; s++) k[i][j] += a[i][s] * variances[s] * a[j][s];
  }

  /// Generalised least squares of a flat level.
  ///
  /// @param evidence without the Jacobian of a warp
  /// @param cross the covariance of the forecasts, by steps, in units of `squares / (n − 1)`
  @SuppressWarnings("ArrayRecordComponent")
  record Estimate(int n, double squares, double evidence, double[] place, double[][] cross) {
    double spread(int step) {
      return Math.sqrt(cross[step][step] * squares / (n - 1));
    }

    /// The log density of a value at a step ahead, up to a constant of n.
    double logDensity(int step, double z) {
      double e = (z - place[step]) / spread(step);
      return -0.5 * n * Math.log1p(e * e / (n - 1)) - Math.log(spread(step));
    }
  }

  /// The estimate from values at some steps, and the forecasts at others.
  ///
  /// @param k the covariance at all steps
  /// @param y the values, one for each of the steps
  /// @param least the smallest sum of squares
  static Estimate estimate(double[][] k, int[] steps, double[] y, int[] ahead, double least) {
    int n = steps.length;
    int h = ahead.length;
    double[][] a = new double[n][n];
    double[][] right = new double[n][2 + h];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i][j] = k[steps[i]][steps[j]];
      right[i][0] = 1;
      right[i][1] = y[i];
      for (int s = 0; s < h; s++) right[i][2 + s] = k[steps[i]][ahead[s]];
    }
    double[][] b = new double[n][];
    for (int i = 0; i < n; i++) b[i] = right[i].clone();
    double logDeterminant = solve(a, b);
    double ones = 0;
    double onesY = 0;
    for (int i = 0; i < n; i++) {
      ones += b[i][0];
      onesY += b[i][1];
    }
    double level = onesY / ones;
    double squares = 0;
    for (int i = 0; i < n; i++) squares += (y[i] - level) * (b[i][1] - level * b[i][0]);
    squares = Math.max(squares, least);
    double evidence =
        -0.5 * logDeterminant - 0.5 * Math.log(ones) - 0.5 * (n - 1) * Math.log(squares);
    double[] place = new double[h];
    double[][] cross = new double[h][h];
    double[] rest = new double[h];
    for (int s = 0; s < h; s++) {
      place[s] = level;
      rest[s] = 1;
      for (int i = 0; i < n; i++) {
        place[s] += b[i][2 + s] * (y[i] - level);
        rest[s] -= b[i][2 + s];
      }
    }
    for (int s = 0; s < h; s++)
      for (int t = 0; t < h; t++) {
        cross[s][t] = k[ahead[s]][ahead[t]] + rest[s] * rest[t] / ones;
        for (int i = 0; i < n; i++) cross[s][t] -= right[i][2 + s] * b[i][2 + t];
      }
    return new Estimate(n, squares, evidence, place, cross);
  }

  /// Gauss and Jordan with the largest pivot. Overwrites both; b becomes the solution.
  ///
  /// @return log |a|
  static double solve(double[][] a, double[][] b) {
    int n = a.length;
    double log = 0;
    for (int p = 0; p < n; p++) {
      int best = p;
      for (int i = p; i < n; i++) if (Math.abs(a[i][p]) > Math.abs(a[best][p])) best = i;
      double[] swap = a[p];
      a[p] = a[best];
      a[best] = swap;
      swap = b[p];
      b[p] = b[best];
      b[best] = swap;
      log += Math.log(Math.abs(a[p][p]));
      for (int i = 0; i < n; i++) {
        if (i == p) continue;
        double f = a[i][p] / a[p][p];
        if (f == 0) continue;
        for (int j = p; j < n; j++) a[i][j] -= f * a[p][j];
        for (int j = 0; j < b[i].length; j++) b[i][j] -= f * b[p][j];
      }
    }
    for (int i = 0; i < n; i++) for (int j = 0; j < b[i].length; j++) b[i][j] /= a[i][i];
    return log;
  }

  /// Student's distribution function for whole degrees of freedom, by its finite sums (Abramowitz
  /// and Stegun 1972, 26.7.3 and 26.7.4).
  static double student(double x, int nu) {
    double theta = Math.atan2(Math.abs(x), Math.sqrt(nu));
    double sin = Math.sin(theta);
    double cos = Math.cos(theta);
    double sum = 0;
    double term = nu % 2 == 0 ? 1 : cos;
    for (int i = nu % 2 == 0 ? 1 : 2; i < nu; i += 2) {
      sum += term;
      term *= cos * cos * i / (i + 1);
    }
    double inside = nu % 2 == 0 ? sin * sum : 2 / Math.PI * (theta + sin * sum);
    return 0.5 + 0.5 * Math.copySign(inside, x);
  }

  /// A shape of any kind.
  static Shape shape(SplittableRandom random) {
    List<Season> seasons = new ArrayList<>();
    for (int count = random.nextInt(3); count > 0; count--) seasons.add(season(random));
    double deviation = random.nextInt(3) == 0 ? 5 * random.nextDouble() : 0;
    return new Shape(
        random.nextInt(4) == 0 ? 0 : Math.exp(random.nextDouble(-4, 4)),
        slope(random),
        seasons,
        deviation,
        deviation == 0 ? 0 : random.nextDouble(0.5, 20));
  }

  private static Slope slope(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> Slope.NONE;
      case 1 -> new Slope(1, 0, random.nextDouble(0, 0.1));
      case 2 -> new Slope(random.nextDouble(), 0, random.nextDouble());
      default -> new Slope(random.nextDouble(), random.nextDouble(0, 0.2), random.nextDouble());
    };
  }

  private static Season season(SplittableRandom random) {
    double size = Math.exp(random.nextDouble(-2, 3));
    return switch (random.nextInt(4)) {
      case 0 -> Season.free(random.nextInt(2, 13), size, 0);
      case 1 -> Season.free(random.nextInt(2, 13), size, random.nextDouble());
      case 2 ->
          new Season(
              random.nextDouble(2, 13), size, random.nextDouble(), 0, random.nextDouble(0.3, 2));
      default ->
          new Season(random.nextInt(2, 13), size, 0, random.nextDouble(0.5, 10), random.nextInt(2));
    };
  }

  /// Values that walk, without rounding.
  static double[] walk(int n, SplittableRandom random) {
    double[] y = new double[n];
    double level = random.nextDouble(20, 60);
    for (int t = 0; t < n; t++) {
      level *= Math.exp(0.03 * random.nextGaussian());
      y[t] = level * Math.exp(0.1 * random.nextGaussian());
    }
    return y;
  }
}
