package lovelace.series.state;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.linear.Blas;
import lovelace.linear.Gaussian;

/// The forecast of series at times after a snapshot: Student's t with n − 1 degrees of freedom at
/// each time, and joint paths.
final class Ahead {

  private final Chain chain;
  private final Filter.Snapshot snapshot;
  private final Regression regression;
  private final int series;
  private final double[] gaps;
  private final int columns;
  private final double[] rest; // by time: a column less what the states say of it

  /// The variances in units of the mean square.
  final double[] variance;

  /// The places by time, then series.
  final double[] place;

  private Ahead(
      Chain chain,
      Filter.Snapshot snapshot,
      Regression regression,
      int series,
      double[] gaps,
      double[] rest,
      double[] own) { // the variance that the chain adds, with noise
    this.chain = chain;
    this.snapshot = snapshot;
    this.regression = regression;
    this.series = series;
    this.gaps = gaps;
    this.rest = rest;
    int m = regression.size + 1;
    columns = m + series;
    int h = gaps.length;
    variance = regression.variances(h, rest, columns);
    place = new double[h * series];
    double[][] coefficients = new double[series][];
    for (int s = 0; s < series; s++) coefficients[s] = regression.coefficients(s);
    for (int k = 0; k < h; k++) {
      variance[k] += own[k];
      for (int s = 0; s < series; s++)
        place[k * series + s] =
            Blas.dot(m, rest, k * columns, coefficients[s], 0) - rest[k * columns + m + s];
    }
  }

  /// The forecast.
  ///
  /// @param gaps from time to time, the first from the last value
  /// @param rows the columns at these times, with any values of the series
  static Ahead of(
      Chain chain,
      Filter.Snapshot snapshot,
      Regression regression,
      int series,
      double[] gaps,
      double[] rows) {
    int columns = regression.size + 1 + series;
    int d = chain.size;
    double[] a = snapshot.states().clone();
    double[] p = snapshot.covariance().clone();
    double[] rest = new double[gaps.length * columns];
    double[] own = new double[gaps.length];
    double before = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int k = 0; k < gaps.length; k++) {
      if (gaps[k] != before) step = chain.over(gaps[k]);
      before = gaps[k];
      step.move(columns, a);
      step.spread(p);
      int row = k * columns;
      System.arraycopy(rows, row, rest, row, columns - series);
      own[k] = 1;
      for (int i : chain.at) {
        for (int c = 0; c < columns; c++) rest[row + c] -= a[i * columns + c];
        for (int j : chain.at) own[k] += p[i * d + j];
      }
    }
    return new Ahead(chain, snapshot, regression, series, gaps, rest, own);
  }

  /// The spreads of the first series.
  double[] spreads() {
    double unit = regression.scale(0);
    return Arrays.stream(variance).map(v -> Math.sqrt(unit * v)).toArray();
  }

  /// Degrees of freedom.
  int freedom() {
    return regression.seen - 1;
  }

  /// A joint path of a series: the scale first, then the coefficients, the states, and noise.
  double[] path(int s, SplittableRandom random) {
    int nu = regression.seen - 1;
    double chi = chiSquare(nu, random);
    double width = Math.sqrt(regression.squares[s] / chi);
    int m = regression.size + 1;
    double[] z = new double[m];
    for (int c = 0; c < m; c++) z[c] = normal(random);
    double[] moved = regression.spread(z);
    int d = chain.size;
    double[] root = root(d, snapshot.covariance());
    double[] own = new double[d];
    double[] noise = new double[d];
    for (int i = 0; i < d; i++) noise[i] = normal(random);
    for (int i = 0; i < d; i++) own[i] = Blas.dot(i + 1, root, i * d, noise, 0);
    double[] path = new double[gaps.length];
    double before = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int k = 0; k < path.length; k++) {
      if (gaps[k] != before) step = chain.over(gaps[k]);
      before = gaps[k];
      step.move(1, own);
      for (int b = 0; b < chain.at.length; b++) {
        double[] q = step.q()[b];
        int i = chain.at[b];
        double x = normal(random);
        double first = Math.sqrt(Math.max(q[0], 0));
        own[i] += first * x;
        if (chain.blocks.get(b).size() == 1) continue;
        double cross = first > 0 ? q[1] / first : 0;
        own[i + 1] += cross * x + Math.sqrt(Math.max(q[2] - cross * cross, 0)) * normal(random);
      }
      double sum = normal(random);
      for (int i : chain.at) sum += own[i];
      path[k] = place[k * series + s] + width * (sum + Blas.dot(m, rest, k * columns, moved, 0));
    }
    return path;
  }

  private static double normal(SplittableRandom random) {
    return Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
  }

  /// A draw of χ² by Marsaglia and Tsang (2000).
  private static double chiSquare(int nu, SplittableRandom random) {
    double shape = nu / 2.;
    double boost = 1;
    if (shape < 1) {
      boost = Math.pow(Math.max(random.nextDouble(), 0x1p-60), 1 / shape);
      shape += 1;
    }
    double d = shape - 1 / 3.;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = normal(random);
      double v = 1 + c * x;
      if (v <= 0) continue;
      v = v * v * v;
      double u = Math.max(random.nextDouble(), 0x1p-60);
      if (Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return 2 * boost * d * v;
    }
  }

  /// A lower triangular root of a covariance that need not be definite.
  static double[] root(int d, double[] p) {
    double[] l = new double[d * d];
    for (int j = 0; j < d; j++) {
      double own = p[j * d + j] - Blas.dot(j, l, j * d, l, j * d);
      if (!(own > 1e-13 * Math.abs(p[j * d + j]))) continue;
      double pivot = Math.sqrt(own);
      l[j * d + j] = pivot;
      for (int i = j + 1; i < d; i++)
        l[i * d + j] = (p[i * d + j] - Blas.dot(j, l, i * d, l, j * d)) / pivot;
    }
    return l;
  }
}
