package lovelace.bayesopt.surrogate;

import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Prior covariances `wᵢᵀKwⱼ` of a process interpolated on a grid of two axes (KISS-GP): between
/// any points, and between points and observations, which are used many times.
///
/// K depends only on index differences. So `wᵢᵀKwⱼ = Σ c₁[s] c₂[t] k[o₁ + s, o₂ + t]`, where the
/// weights of each axis are correlated first. This takes 49 products instead of 256, and 16 if one
/// of the points lies on the grid. If the kernel is a product over the axes, `Kwⱼ` is a product of
/// two vectors, which are kept for each observation.
final class ProductCovariance {

  private final Kernel kernel;
  private final Grid grid;
  private final double[] table; // k at all offsets, from −size on either axis
  private final GridWeights observed;
  private final int n;
  private final @Nullable Sides sides;

  private ProductCovariance(Kernel kernel, Grid grid, double[] table, GridWeights observed, int n) {
    this.kernel = kernel;
    this.grid = grid;
    this.table = table;
    this.observed = observed;
    this.n = n;
    sides = Sides.of(kernel, grid, table, observed, n);
  }

  /// Takes a kernel that is stationary and even along each axis, and observations inside the grid.
  static ProductCovariance of(Kernel kernel, Grid grid, double[] x, int n) {
    return new ProductCovariance(kernel, grid, table(kernel, grid), new GridWeights(grid, x, n), n);
  }

  /// Returns this with one more observation.
  ProductCovariance and(GridWeights point) {
    return new ProductCovariance(kernel, grid, table, observed.and(point), n + 1);
  }

  Grid grid() {
    return grid;
  }

  GridWeights observed() {
    return observed;
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

  /// Writes covariances of point i with the first observations.
  void withObserved(GridWeights at, int i, int count, double[] out, int oo) {
    if (sides != null) sides.fill(at, i, count, out, oo);
    else fill(at, i, observed, count, out, oo);
  }

  /// Writes covariances of point i with the first points.
  void among(GridWeights at, int i, int count, double[] out, int oo) {
    fill(at, i, at, count, out, oo);
  }

  /// Writes covariances of the first point with all observations, and their slopes along both axes.
  void slopes(GridWeights at, double[] k, double[] dx, double[] dy) {
    if (sides != null) {
      sides.slopes(at, k, dx, dy);
      return;
    }
    double[][] c = new double[4][7];
    for (int j = 0; j < n; j++) {
      correlate(at.weight, 0, observed.weight, 8 * j, c[0]);
      correlate(at.weight, 4, observed.weight, 8 * j + 4, c[1]);
      correlate(at.slope, 0, observed.weight, 8 * j, c[2]);
      correlate(at.slope, 4, observed.weight, 8 * j + 4, c[3]);
      k[j] = sum(at, 0, observed, j, c[0], c[1]);
      dx[j] = sum(at, 0, observed, j, c[2], c[1]);
      dy[j] = sum(at, 0, observed, j, c[0], c[3]);
    }
  }

  /// Half of `∂(wᵀKw)/∂x` along an axis, at the first point.
  double priorSlope(GridWeights at, int axis) {
    double[] first = new double[7];
    double[] second = new double[7];
    correlate(axis == 0 ? at.slope : at.weight, 0, at.weight, 0, first);
    correlate(axis == 1 ? at.slope : at.weight, 4, at.weight, 4, second);
    return sum(at, 0, at, 0, first, second);
  }

  /// `wᵀKw` at point i.
  double prior(GridWeights points, int i) {
    double[] first = new double[7];
    double[] second = new double[7];
    correlate(points.weight, 8 * i, points.weight, 8 * i, first);
    correlate(points.weight, 8 * i + 4, points.weight, 8 * i + 4, second);
    return sum(points, i, points, i, first, second);
  }

  /// Writes covariances of point i of `a` with the first `count` points of `b`.
  private void fill(GridWeights a, int i, GridWeights b, int count, double[] out, int oo) {
    if (a.onGrid(i)) {
      fillFromNode(a, i, b, count, out, oo);
      return;
    }
    double[] first = new double[7];
    double[] second = new double[7];
    for (int j = 0; j < count; j++) {
      correlate(a.weight, 8 * i, b.weight, 8 * j, first);
      correlate(a.weight, 8 * i + 4, b.weight, 8 * j + 4, second);
      out[oo + j] = sum(a, i, b, j, first, second);
    }
  }

  private void fillFromNode(GridWeights a, int i, GridWeights b, int count, double[] out, int oo) {
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

  private double sum(GridWeights a, int i, GridWeights b, int j, double[] first, double[] second) {
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

  /// For a product `k₁k₂` of two kernels: `K₁w` along the first axis and `K₂w` along the second for
  /// each observation, one row per grid point of the axis.
  private static final class Sides {
    private final int n;
    private final double[] first;
    private final double[] second;

    private Sides(int n, double[] first, double[] second) {
      this.n = n;
      this.first = first;
      this.second = second;
    }

    static @Nullable Sides of(
        Kernel kernel, Grid grid, double[] table, GridWeights observed, int n) {
      if (!kernel.isSeparable()) return null;
      int p = grid.axis(0).points();
      int q = grid.axis(1).points();
      int origin = p * 2 * q + q;
      double[] one = new double[p];
      double[] two = new double[q];
      for (int i = 0; i < p; i++) one[i] = table[origin + i * 2 * q];
      for (int j = 0; j < q; j++) two[j] = table[origin + j] / table[origin];
      return new Sides(n, side(one, observed, 0, n), side(two, observed, 1, n));
    }

    private static double[] side(double[] k, GridWeights observed, int axis, int n) {
      double[] side = new double[k.length * n];
      Parallel.chunks(
          k.length,
          16,
          (chunk, from, to) -> {
            for (int i = from; i < to; i++)
              for (int j = 0; j < n; j++) {
                int base = observed.base[2 * j + axis];
                double sum = 0;
                for (int s = 0; s < 4; s++)
                  sum += observed.weight[8 * j + 4 * axis + s] * k[Math.abs(i - base - s)];
                side[i * n + j] = sum;
              }
          });
      return side;
    }

    /// Writes covariances of a point with the first observations.
    void fill(GridWeights at, int i, int count, double[] out, int oo) {
      double[] other = new double[count];
      combine(at.weight, 8 * i, first, at.base[2 * i] * n, count, out, oo);
      combine(at.weight, 8 * i + 4, second, at.base[2 * i + 1] * n, count, other, 0);
      for (int j = 0; j < count; j++) out[oo + j] *= other[j];
    }

    /// Writes covariances of the one point with all observations, and their slopes along both axes.
    void slopes(GridWeights at, double[] k, double[] dx, double[] dy) {
      double[] u = new double[n];
      double[] v = new double[n];
      combine(at.weight, 0, first, at.base[0] * n, n, u, 0);
      combine(at.weight, 4, second, at.base[1] * n, n, v, 0);
      combine(at.slope, 0, first, at.base[0] * n, n, dx, 0);
      combine(at.slope, 4, second, at.base[1] * n, n, dy, 0);
      for (int j = 0; j < n; j++) {
        k[j] = u[j] * v[j];
        dx[j] *= v[j];
        dy[j] *= u[j];
      }
    }

    private void combine(
        double[] w, int wo, double[] side, int from, int count, double[] out, int oo) {
      double w0 = w[wo];
      double w1 = w[wo + 1];
      double w2 = w[wo + 2];
      double w3 = w[wo + 3];
      for (int j = 0; j < count; j++)
        out[oo + j] =
            w0 * side[from + j]
                + w1 * side[from + n + j]
                + w2 * side[from + 2 * n + j]
                + w3 * side[from + 3 * n + j];
    }
  }
}
