package lovelace.neighbours;

import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;

/// The regression of one point on few others, for one thread. Their covariance C, with the point
/// last, is factored as `UᵀU`. The last column of U is `(l, √D)`, and with `z = U⁻ᵀr` for the
/// residuals r of the others, `lᵀz` is the mean of the point and D its variance given them.
///
/// A point that has less than 1e-10 of its variance left, given those before it, adds no
/// information and is left out: its row of U is zero.
///
/// The rows of U are arrays of their own, and the residuals are one more column. So every inner
/// loop goes through arrays by one index, and the compiler vectorises it
/// (docs/decisions/small-systems.md).
public final class LocalSystem {

  /// If a point given others has less than this share of its variance left, that is rounding.
  public static final double ROUNDING = 1e-10;

  final double[] u; // U⁻¹z after [#solve], 0 for the last point
  public final double[]
      v; // minus the weights of the regression after [#solve], 1 for the last point
  private final Dataset data;
  private final Hyperparameters h;
  private final double noise;
  private final Pairs pairs;
  private final double[][] rows; // C, then U; and the residuals, then z
  private final double[] residuals;
  private final double[] shares; // of the noise: 1/w for a row, 0 for a point
  private final double[] pivots; // of C
  private final double[] inverse; // of the pivots of U, 0 for a point that is left out
  private int count; // of the points that the last one is regressed on

  /// A system of up to k points and one more.
  ///
  /// @param sloped whether [#addSlopes] will be called
  public LocalSystem(Dataset data, Hyperparameters h, int k, boolean sloped) {
    this(data, h, k, sloped, 0);
  }

  /// The same, with the share `nugget` of its variance added to each point as its own.
  public LocalSystem(Dataset data, Hyperparameters h, int k, boolean sloped, double nugget) {
    this.data = data;
    this.h = h;
    this.noise = h.noise() + h.kernel().whiteVariance();
    int m = k + 1;
    this.pairs = Pairs.of(h.kernel().withoutWhite(), m, sloped, nugget);
    this.rows = new double[m][m + 1];
    this.residuals = new double[m];
    this.shares = new double[m];
    this.pivots = new double[m];
    this.inverse = new double[m];
    this.u = new double[m];
    this.v = new double[m];
  }

  /// Begins a system around a place, which is that of its last point.
  public void around(double[] x, int at) {
    pairs.around(x, at);
  }

  /// Puts a row at index a, with its residual and its noise.
  public void row(int a, int row) {
    int at = row * data.dimensions();
    pairs.place(a, data.inputs(), at);
    residuals[a] = data.target()[row] - h.mean().at(data.inputs(), at);
    shares[a] = 1 / data.weight(row);
  }

  /// Puts a point without noise and with residual 0 at index a.
  public void point(int a, double[] x, int at) {
    point(a, x, at, 0);
  }

  /// Puts a point without noise at index a.
  public void point(int a, double[] x, int at, double residual) {
    pairs.place(a, x, at);
    residuals[a] = residual;
    shares[a] = 0;
  }

  /// Factors the covariance of the first `others` points and the one after them. Returns the
  /// variance of that one by itself, including its noise.
  public double factor(int others) {
    count = others;
    int m = count + 1;
    pairs.covariances(m, rows);
    for (int a = 0; a < m; a++) {
      pivots[a] = rows[a][a] + noise * shares[a];
      rows[a][a] = pivots[a];
      rows[a][m] = residuals[a];
    }
    int p = 0;
    for (; p + 4 <= count; p += 4) {
      eliminate(p, p + 4, m + 1);
      for (int i = p + 4; i <= count; i++)
        subtract(rows[i], rows[p], rows[p + 1], rows[p + 2], rows[p + 3], i, m + 1);
    }
    eliminate(p, count, m + 1);
    for (; p < count; p++) subtract(rows[count], rows[p], count, m + 1);
    return pivots[count];
  }

  /// Factors the covariance of the first `others` points, and regresses each of the `points` after
  /// them only on those. So [#rest] and [#mean] of each do not depend on the other points, to the
  /// bit.
  void share(int others, int points) {
    count = others;
    int m = others + points;
    pairs.covariances(m, rows);
    for (int a = 0; a < m; a++) {
      pivots[a] = rows[a][a] + noise * shares[a];
      rows[a][a] = pivots[a];
      rows[a][m] = residuals[a];
    }
    int p = 0;
    for (; p + 4 <= count; p += 4) {
      eliminate(p, p + 4, m + 1);
      for (int i = p + 4; i < count; i++)
        subtract(rows[i], rows[p], rows[p + 1], rows[p + 2], rows[p + 3], i, m + 1);
    }
    eliminate(p, count, m + 1);
    for (int b = others; b < m; b++) {
      u[b] = 0;
      v[b] = pivots[b];
    }
    for (p = 0; p < count; p++) {
      double[] row = rows[p];
      double z = row[m];
      for (int b = others; b < m; b++) u[b] += row[b] * z;
      for (int b = others; b < m; b++) v[b] -= row[b] * row[b];
    }
  }

  /// The variance of a point by itself, after [#share].
  double prior(int point) {
    return pivots[count + point];
  }

  /// The variance of a point given the others, after [#share]. Rounding may make it negative.
  public double rest(int point) {
    return v[count + point];
  }

  /// The mean of a point's residual given the others, after [#share].
  double mean(int point) {
    return u[count + point];
  }

  /// Turns the rows of C from `from` to `to` into rows of U.
  private void eliminate(int from, int to, int end) {
    for (int p = from; p < to; p++) {
      double[] row = rows[p];
      double rest = row[p];
      double scale = rest >= ROUNDING * pivots[p] ? 1 / Math.sqrt(rest) : 0;
      inverse[p] = scale;
      for (int j = p; j < end; j++) row[j] *= scale;
      for (int i = p + 1; i < to; i++) subtract(rows[i], row, i, end);
    }
  }

  private static void subtract(double[] row, double[] a, int i, int end) {
    double f = a[i];
    for (int j = i; j < end; j++) row[j] -= f * a[j];
  }

  private static void subtract(
      double[] row, double[] a, double[] b, double[] c, double[] d, int i, int end) {
    double f0 = a[i];
    double f1 = b[i];
    double f2 = c[i];
    double f3 = d[i];
    for (int j = i; j < end; j++) row[j] -= f0 * a[j] + f1 * b[j] + (f2 * c[j] + f3 * d[j]);
  }

  /// The variance of the last point given the others, which rounding may make negative.
  public double rest() {
    return rows[count][count];
  }

  /// The residual of the last point minus its mean given the others.
  public double error() {
    return rows[count][count + 1];
  }

  /// Solves for [#v] and [#u].
  public void solve() {
    v[count] = 1;
    u[count] = 0;
    for (int a = count - 1; a >= 0; a--) {
      double[] row = rows[a];
      double v0 = row[count];
      double u0 = row[count + 1];
      double v1 = 0;
      double u1 = 0;
      int b = a + 1;
      for (; b + 1 < count; b += 2) {
        v0 += row[b] * v[b];
        u0 -= row[b] * u[b];
        v1 += row[b + 1] * v[b + 1];
        u1 -= row[b + 1] * u[b + 1];
      }
      if (b < count) {
        v0 += row[b] * v[b];
        u0 -= row[b] * u[b];
      }
      v[a] = -(v0 + v1) * inverse[a];
      u[a] = (u0 + u1) * inverse[a];
    }
  }

  /// Adds the derivatives in the covariance with weights `α vvᵀ + β(uvᵀ + vuᵀ)/2`, and `own` times
  /// that in the last point's own variance. Returns the derivative in the noise.
  public double addSlopes(double alpha, double beta, double own) {
    double slope = 0;
    for (int a = 0; a <= count; a++) {
      double weight = alpha * v[a] * v[a] + beta * u[a] * v[a] + (a == count ? own : 0);
      slope += weight * shares[a];
    }
    double whole = alpha * rest() + own * pivots[count] - noise * slope; // C v = (0, D)
    pairs.addSlopes(count + 1, v, u, alpha, beta, own, whole);
    return slope;
  }

  /// The sums of all [#addSlopes] in the order of the latent kernel's parameters.
  public double[] slopes() {
    return pairs.slopes();
  }
}
