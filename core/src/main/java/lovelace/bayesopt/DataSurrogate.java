package lovelace.bayesopt;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The process interpolated on a grid of two axes (KISS-GP) in the coordinates of its observations,
/// for a suggestion: `A = WᵀKW + σ²I = LLᵀ` is formed and factorised, and the variance at a point
/// with weights w is `wᵀKw − ‖L⁻¹WᵀKw‖²`. Nothing is computed for grid points nobody asks for.
///
/// K depends on index differences only, so `wᵢᵀKwⱼ = Σ c₁[s] c₂[t] k[o₁ + s, o₂ + t]` with the
/// weights of each axis correlated first: 49 products instead of 256, and 16 where one of the
/// points lies on the grid.
final class DataSurrogate implements Surrogate {

  private static final int PANEL = 128;
  private static final int PLACES = 41; // an axis, to scan
  private static final double EPSILON = 0x1p-52;
  private static final double ON_GRID = 1e-12;

  private final Hyperparameters hyperparameters;
  private final Grid grid;
  private final double[] table; // k at all offsets, from −size on either axis
  private final Supplier<Surrogate> whole;
  private final double level;
  private final double noise;
  private final double floor;
  private final int n;
  private final Weights observed;
  private final double[] l; // n × n, lower
  private final double[] alpha;
  private volatile @Nullable Scanned scanned;

  /// The answers at the places of a scan, which the maximum and the merit both ask for.
  private static final class Scanned {
    final double[] places;
    final double[] means;
    final double[] variances;

    Scanned(double[] places, double[] means, double[] variances) {
      this.places = places;
      this.means = means;
      this.variances = variances;
    }
  }

  private DataSurrogate(
      Hyperparameters hyperparameters,
      Grid grid,
      double[] table,
      Supplier<Surrogate> whole,
      Weights observed,
      double[] l,
      double[] alpha) {
    this.hyperparameters = hyperparameters;
    this.grid = grid;
    this.table = table;
    this.whole = whole;
    this.observed = observed;
    this.l = l;
    this.alpha = alpha;
    n = alpha.length;
    level = hyperparameters.mean().at(new double[2], 0);
    noise = hyperparameters.noise();
    double variance = hyperparameters.kernel().variance(new double[2], 0);
    floor = variance * EPSILON * (64 + Math.sqrt(n * (variance + noise) / noise));
  }

  /// Conditions on the observations, all inside the grid. The kernel is stationary and even along
  /// each axis; the mean is constant.
  ///
  /// @param whole the posterior of the whole grid, for draws of functions
  static DataSurrogate of(
      Hyperparameters h, Grid grid, double[] x, double[] z, Supplier<Surrogate> whole) {
    int n = z.length;
    double[] table = table(h.kernel(), grid);
    Weights observed = new Weights(grid, x, n);
    double[] a = new double[n * n];
    Parallel.chunks(
        n,
        16,
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) {
            fill(grid, table, observed, i, observed, i + 1, a, i * n);
            a[i * n + i] += h.noise();
          }
        });
    double level = h.mean().at(x, 0);
    double[] alpha = new double[n];
    for (int i = 0; i < n; i++) alpha[i] = z[i] - level;
    Cholesky factor = Cholesky.adopt(a, n);
    factor.solve(alpha);
    return new DataSurrogate(h, grid, table, whole, observed, factor.factor(), alpha);
  }

  private static double[] table(Kernel kernel, Grid grid) {
    Axis first = grid.axis(0);
    Axis second = grid.axis(1);
    int p = first.points();
    int q = second.points();
    double[] points = new double[2 * p * q];
    for (int i = 0; i < p; i++)
      for (int j = 0; j < q; j++) {
        points[2 * (i * q + j)] = i * first.step();
        points[2 * (i * q + j) + 1] = j * second.step();
      }
    double[] quarter = new double[p * q];
    kernel.matrix(new double[2], 1, points, p * q, quarter);
    double[] table = new double[4 * p * q];
    for (int i = 1 - p; i < p; i++)
      for (int j = 1 - q; j < q; j++)
        table[(i + p) * 2 * q + j + q] = quarter[Math.abs(i) * q + Math.abs(j)];
    return table;
  }

  /// First grid index, weights and their slopes along each axis, for some points.
  private static final class Weights {
    final int[] base; // 2 a point
    final double[] weight; // 2 × 4 a point
    final double[] slope;
    final int[] node; // on the grid: which of the four is it along each axis, else −1

    private Weights(int[] base, double[] weight, double[] slope, int[] node) {
      this.base = base;
      this.weight = weight;
      this.slope = slope;
      this.node = node;
    }

    Weights(Grid grid, double[] x, int count) {
      this(new int[2 * count], new double[8 * count], new double[8 * count], new int[2 * count]);
      int[] index = new int[16];
      double[] w = new double[16];
      double[] gradient = new double[32];
      int q = grid.axis(1).points();
      for (int i = 0; i < count; i++) {
        if (!grid.stencilGradient(x, 2 * i, index, w, gradient))
          throw new IllegalArgumentException(
              "a point lies outside the unit square: %s, %s".formatted(x[2 * i], x[2 * i + 1]));
        base[2 * i] = index[0] / q;
        base[2 * i + 1] = index[0] % q;
        // the weights of an axis add up to one, its slopes to zero
        for (int k = 0; k < 16; k++) {
          weight[8 * i + k / 4] += w[k];
          weight[8 * i + 4 + k % 4] += w[k];
          slope[8 * i + k / 4] += gradient[k];
          slope[8 * i + 4 + k % 4] += gradient[16 + k];
        }
        for (int a = 0; a < 2; a++) {
          node[2 * i + a] = -1;
          for (int k = 0; k < 4; k++)
            if (Math.abs(weight[8 * i + 4 * a + k] - 1) < ON_GRID) node[2 * i + a] = k;
        }
      }
    }

    boolean onGrid(int i) {
      return node[2 * i] >= 0 && node[2 * i + 1] >= 0;
    }

    Weights and(Weights other) {
      return new Weights(
          joined(base, other.base),
          joined(weight, other.weight),
          joined(slope, other.slope),
          joined(node, other.node));
    }

    private static int[] joined(int[] a, int[] b) {
      int[] all = Arrays.copyOf(a, a.length + b.length);
      System.arraycopy(b, 0, all, a.length, b.length);
      return all;
    }

    private static double[] joined(double[] a, double[] b) {
      double[] all = Arrays.copyOf(a, a.length + b.length);
      System.arraycopy(b, 0, all, a.length, b.length);
      return all;
    }
  }

  /// Covariances of point i of `a` with the first `count` points of `b`.
  private static void fill(
      Grid grid, double[] table, Weights a, int i, Weights b, int count, double[] out, int oo) {
    if (a.onGrid(i)) {
      fillFromNode(grid, table, a, i, b, count, out, oo);
      return;
    }
    double[] first = new double[7];
    double[] second = new double[7];
    for (int j = 0; j < count; j++) {
      correlate(a.weight, 8 * i, b.weight, 8 * j, first);
      correlate(a.weight, 8 * i + 4, b.weight, 8 * j + 4, second);
      out[oo + j] = sum(grid, table, a, i, b, j, first, second);
    }
  }

  private static void fillFromNode(
      Grid grid, double[] table, Weights a, int i, Weights b, int count, double[] out, int oo) {
    int q = grid.axis(1).points();
    int width = 2 * q;
    int corner =
        (grid.axis(0).points() - a.base[2 * i] - a.node[2 * i]) * width
            + q
            - a.base[2 * i + 1]
            - a.node[2 * i + 1];
    double[] w = b.weight;
    for (int j = 0; j < count; j++) {
      int at = corner + b.base[2 * j] * width + b.base[2 * j + 1];
      double w0 = w[8 * j + 4];
      double w1 = w[8 * j + 5];
      double w2 = w[8 * j + 6];
      double w3 = w[8 * j + 7];
      double sum = 0;
      for (int s = 0; s < 4; s++, at += width)
        sum +=
            w[8 * j + s]
                * (w0 * table[at] + w1 * table[at + 1] + w2 * table[at + 2] + w3 * table[at + 3]);
      out[oo + j] = sum;
    }
  }

  /// `c[3 + s] = Σ u[k] v[k + s]`.
  private static void correlate(double[] u, int uo, double[] v, int vo, double[] c) {
    double u0 = u[uo];
    double u1 = u[uo + 1];
    double u2 = u[uo + 2];
    double u3 = u[uo + 3];
    double v0 = v[vo];
    double v1 = v[vo + 1];
    double v2 = v[vo + 2];
    double v3 = v[vo + 3];
    c[0] = u3 * v0;
    c[1] = u2 * v0 + u3 * v1;
    c[2] = u1 * v0 + u2 * v1 + u3 * v2;
    c[3] = u0 * v0 + u1 * v1 + u2 * v2 + u3 * v3;
    c[4] = u0 * v1 + u1 * v2 + u2 * v3;
    c[5] = u0 * v2 + u1 * v3;
    c[6] = u0 * v3;
  }

  private static double sum(
      Grid grid,
      double[] table,
      Weights a,
      int i,
      Weights b,
      int j,
      double[] first,
      double[] second) {
    int q = grid.axis(1).points();
    int width = 2 * q;
    int at =
        (b.base[2 * j] - a.base[2 * i] + grid.axis(0).points() - 3) * width
            + b.base[2 * j + 1]
            - a.base[2 * i + 1]
            + q
            - 3;
    double c0 = second[0];
    double c1 = second[1];
    double c2 = second[2];
    double c3 = second[3];
    double c4 = second[4];
    double c5 = second[5];
    double c6 = second[6];
    double sum = 0;
    for (int s = 0; s < 7; s++, at += width)
      sum +=
          first[s]
              * (c0 * table[at]
                  + c1 * table[at + 1]
                  + c2 * table[at + 2]
                  + c3 * table[at + 3]
                  + c4 * table[at + 4]
                  + c5 * table[at + 5]
                  + c6 * table[at + 6]);
    return sum;
  }

  private double prior(Weights points, int i) {
    double[] first = new double[7];
    double[] second = new double[7];
    correlate(points.weight, 8 * i, points.weight, 8 * i, first);
    correlate(points.weight, 8 * i + 4, points.weight, 8 * i + 4, second);
    return sum(grid, table, points, i, points, i, first, second);
  }

  @Override
  public int dimensions() {
    return 2;
  }

  @Override
  public double noise() {
    return noise;
  }

  /// Grid points spread evenly over the square: there a prior covariance costs least.
  @Override
  public double[] scan() {
    double[] places = new double[2 * PLACES * PLACES];
    for (int i = 0; i < PLACES * PLACES; i++) {
      places[2 * i] = place(grid.axis(0), i / PLACES);
      places[2 * i + 1] = place(grid.axis(1), i % PLACES);
    }
    return places;
  }

  private static double place(Axis axis, int i) {
    return Math.clamp(axis.at(1 + Math.round(i * axis.cells() / (PLACES - 1f))), 0, 1);
  }

  @Override
  public void predict(int count, double[] points, double[] means, double[] variances) {
    if (count < PLACES * PLACES / 4) {
      compute(count, points, means, variances);
      return;
    }
    Scanned known = scanned;
    if (known != null
        && Arrays.equals(known.places, 0, known.places.length, points, 0, 2 * count)) {
      System.arraycopy(known.means, 0, means, 0, count);
      System.arraycopy(known.variances, 0, variances, 0, count);
      return;
    }
    compute(count, points, means, variances);
    scanned =
        new Scanned(
            Arrays.copyOf(points, 2 * count),
            Arrays.copyOf(means, count),
            Arrays.copyOf(variances, count));
  }

  private void compute(int count, double[] points, double[] means, double[] variances) {
    Weights at = new Weights(grid, points, count);
    Parallel.chunks(
        count,
        PANEL,
        (chunk, from, to) -> {
          int rows = to - from;
          double[] panel = panel(at, from, rows);
          for (int i = 0; i < rows; i++)
            means[from + i] = level + Blas.dot(n, panel, i * n, alpha, 0);
          Blas.trsm(true, true, rows, n, 1, l, 0, n, panel, 0, n);
          for (int i = 0; i < rows; i++) {
            double explained = Blas.dot(n, panel, i * n, panel, i * n);
            variances[from + i] = Math.max(prior(at, from + i) - explained, floor);
          }
        });
  }

  /// `wᵢᵀKW`, a row for each point.
  private double[] panel(Weights at, int from, int rows) {
    double[] panel = new double[rows * n];
    for (int i = 0; i < rows; i++) fill(grid, table, at, from + i, observed, n, panel, i * n);
    return panel;
  }

  @Override
  public void gradient(double[] x, double[] out) {
    Weights at = new Weights(grid, x, 1);
    double[] k = new double[n];
    double[] dx = new double[n];
    double[] dy = new double[n];
    double[][] c = new double[4][7];
    for (int j = 0; j < n; j++) {
      correlate(at.weight, 0, observed.weight, 8 * j, c[0]);
      correlate(at.weight, 4, observed.weight, 8 * j + 4, c[1]);
      correlate(at.slope, 0, observed.weight, 8 * j, c[2]);
      correlate(at.slope, 4, observed.weight, 8 * j + 4, c[3]);
      k[j] = sum(grid, table, at, 0, observed, j, c[0], c[1]);
      dx[j] = sum(grid, table, at, 0, observed, j, c[2], c[1]);
      dy[j] = sum(grid, table, at, 0, observed, j, c[0], c[3]);
    }
    out[0] = level + Blas.dot(n, k, 0, alpha, 0);
    out[2] = Blas.dot(n, dx, 0, alpha, 0);
    out[3] = Blas.dot(n, dy, 0, alpha, 0);
    Blas.trsm(false, false, n, 1, 1, l, 0, n, k, 0, 1);
    out[1] = Math.max(prior(at, 0) - Blas.dot(n, k, 0, k, 0), floor);
    Blas.trsm(false, true, n, 1, 1, l, 0, n, k, 0, 1);
    correlate(at.weight, 0, at.weight, 0, c[0]);
    correlate(at.weight, 4, at.weight, 4, c[1]);
    correlate(at.slope, 0, at.weight, 0, c[2]);
    correlate(at.slope, 4, at.weight, 4, c[3]);
    out[4] = 2 * (sum(grid, table, at, 0, at, 0, c[2], c[1]) - Blas.dot(n, dx, 0, k, 0));
    out[5] = 2 * (sum(grid, table, at, 0, at, 0, c[0], c[3]) - Blas.dot(n, dy, 0, k, 0));
  }

  @Override
  public Surrogate believing(double[] x) {
    Weights at = new Weights(grid, x, 1);
    double[] k = panel(at, 0, 1);
    Blas.trsm(false, false, n, 1, 1, l, 0, n, k, 0, 1);
    double own = Math.max(prior(at, 0) - Blas.dot(n, k, 0, k, 0), floor) + noise;
    int m = n + 1;
    double[] next = new double[m * m];
    for (int i = 0; i < n; i++) System.arraycopy(l, i * n, next, i * m, i + 1);
    System.arraycopy(k, 0, next, n * m, n);
    next[n * m + n] = Math.sqrt(own);
    // its mean was observed: that explains nothing new
    double[] weights = Arrays.copyOf(alpha, m);
    return new DataSurrogate(hyperparameters, grid, table, whole, observed.and(at), next, weights);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    int t = points.length / 2;
    Weights at = new Weights(grid, points, t);
    double[] covariance = new double[t * t];
    double[] draws = new double[count * t];
    for (int i = 0; i < draws.length; i++) draws[i] = random.nextGaussian();
    double[] v = panel(at, 0, t);
    double[] means = new double[t];
    Blas.gemv(false, t, n, 1, v, 0, n, alpha, 0, 0, means, 0);
    for (int i = 0; i < t; i++) fill(grid, table, at, i, at, i + 1, covariance, i * t);
    Blas.trsm(true, true, t, n, 1, l, 0, n, v, 0, n);
    Blas.syrk(false, t, n, -1, v, 0, n, 1, covariance, 0, t);
    double[] root = Cholesky.adopt(covariance, t).factor();
    Blas.trmm(true, true, count, t, 1, root, 0, t, draws, 0, t);
    for (int s = 0; s < count; s++)
      for (int i = 0; i < t; i++) draws[s * t + i] += level + means[i];
    return draws;
  }

  @Override
  public List<FunctionDraw> functions(int count, RandomGenerator random) {
    return whole.get().functions(count, random);
  }

  @Override
  public String describe() {
    return "%s, %d observations, %s".formatted(grid, n, hyperparameters.kernel());
  }
}
