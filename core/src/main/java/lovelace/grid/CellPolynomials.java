package lovelace.grid;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.budget.Budget.Remedy;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Computes mean `wᵀa` and variance `wᵀPw` at any point, at a cost that depends only on the number
/// of axes. Inside a cell, along each axis, the mean is a polynomial of degree 3 and the variance
/// one of degree 6. So a query finds its cell and runs Horner's rule, in powers of the offset from
/// the middle of the cell.
///
/// Coefficients are tabulated for one and two axes (4 + 7 and 16 + 49 per cell). With three or four
/// axes, the stencils of a and P are contracted with w (172 numbers per grid point with three).
/// Rounding may make a variance negative. Immutable.
public final class CellPolynomials {

  private final Grid grid;
  private final double[] mean;
  private final boolean variance;
  private final double[] table;
  private final int width;
  private final StencilPairs pairs;

  private CellPolynomials(Grid grid, double[] mean, boolean variance, double[] table) {
    this.grid = grid;
    this.mean = mean;
    this.variance = variance;
    this.table = table;
    width = width(grid.dimensions(), variance);
    pairs = StencilPairs.of(grid);
  }

  private static int width(int d, boolean variance) {
    return Keys.power(4, d) + (variance ? Keys.power(7, d) : 0);
  }

  /// The memory that the tables of a grid take.
  public static long bytes(Grid grid, boolean variance) {
    int d = grid.dimensions();
    if (d > 2) return variance ? StencilMatrix.bytes(grid) : 0;
    return 8L * width(d, variance) * grid.cells();
  }

  /// Throws if the tables of a grid would be longer than an array can be.
  public static void requireArray(Grid grid, boolean variance) {
    long bytes = bytes(grid, variance);
    long most = 8L * (Integer.MAX_VALUE - 8);
    if (bytes > most)
      throw new IllegalArgumentException(
          "the tables of a %s take %s, more than the %s of an array; give fewer grid points"
              .formatted(grid, GridText.bytes(bytes), GridText.bytes(most)));
  }

  /// Makes tables from [#mean()] and [#table], and takes over both arrays.
  public static CellPolynomials assemble(
      Grid grid, double[] mean, boolean variance, double[] table) {
    if (mean.length != grid.size() || 8L * table.length != bytes(grid, variance))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the tables of a %s hold %d means and %d coefficients, got %d and %d",
              grid,
              grid.size(),
              bytes(grid, variance) / 8,
              mean.length,
              table.length));
    return new CellPolynomials(grid, mean, variance, table);
  }

  /// Makes tables of the mean `wᵀa` alone.
  public static CellPolynomials of(Grid grid, double[] mean) {
    return of(grid, mean, null);
  }

  /// Makes tables of the mean `wᵀa` and, if P is given, of the variance `wᵀPw`, within the memory
  /// of the current [Budget].
  public static CellPolynomials of(Grid grid, double[] mean, @Nullable StencilMatrix covariance) {
    if (mean.length != grid.size())
      throw new IllegalArgumentException(
          "the mean needs one value per grid point, " + grid.size() + ", got " + mean.length);
    if (covariance != null && !covariance.grid().equals(grid))
      throw new IllegalArgumentException(
          "the covariance lies on a " + covariance.grid() + ", the mean on a " + grid);
    long bytes = bytes(grid, covariance != null);
    requireArray(grid, covariance != null);
    Budget.require(bytes, "the table of the " + grid, Remedy.FEWER_GRID_POINTS);
    double[] table = new double[(int) (bytes / 8)];
    CellPolynomials result = new CellPolynomials(grid, mean.clone(), covariance != null, table);
    if (grid.dimensions() <= 2) {
      int rows = grid.axis(0).cells();
      int each = grid.cells() / rows;
      int chunk = Math.max(1, 256 / each);
      Parallel.chunks(
          rows, chunk, (k, from, to) -> result.fill(covariance, from * each, to * each));
    } else if (covariance != null)
      Parallel.chunks(grid.size(), 64, (k, from, to) -> result.pack(covariance, from, to));
    return result;
  }

  /// Stores P point by point instead of diagonal by diagonal, so that a stencil reads only a few
  /// stretches.
  private void pack(StencilMatrix p, int from, int to) {
    int count = p.diagonalCount();
    for (int k = 0; k < count; k++) {
      double[] diagonal = p.diagonal(k);
      for (int i = from; i < to; i++) table[i * count + k] = diagonal[i];
    }
  }

  private void fill(@Nullable StencilMatrix covariance, int from, int to) {
    int d = grid.dimensions();
    int[] shifts = grid.stencilShifts();
    double[] one = new double[Keys.power(Keys.PAIRS, d)];
    double[] products = new double[d == 2 && covariance != null ? 100 * (to - from) : 0];
    for (int cell = from; cell < to; cell++) {
      int corner = grid.corner(cell);
      int at = cell * width;
      for (int k = 0; k < shifts.length; k++) table[at + k] = mean[corner + shifts[k]];
      for (int stride = 1; stride < shifts.length; stride *= 4)
        for (int o = 0; o < shifts.length; o += 4 * stride)
          for (int i = at + o; i < at + o + stride; i++) meanAxis(table, i, stride);
      if (covariance == null) continue;
      pairs.gather(covariance.diagonals(), corner, one);
      if (d == 1) varianceAxis(one, table, at + 4);
      else System.arraycopy(one, 0, products, 100 * (cell - from), 100);
    }
    if (d == 2 && covariance != null) {
      int count = to - from;
      int at = from * width + 16;
      Blas.gemm(
          false,
          true,
          count,
          49,
          100,
          1,
          products,
          0,
          100,
          Keys.SQUARE,
          0,
          100,
          0,
          table,
          at,
          width);
    }
  }

  /// Converts values at four points to coefficients of the four powers, in place.
  static void meanAxis(double[] v, int i, int stride) {
    double outer = v[i] + v[i + 3 * stride];
    double inner = v[i + stride] + v[i + 2 * stride];
    double outerOdd = v[i] - v[i + 3 * stride];
    double innerOdd = v[i + stride] - v[i + 2 * stride];
    v[i] = 0.5625 * inner - 0.0625 * outer;
    v[i + stride] = 0.125 * outerOdd - 1.375 * innerOdd;
    v[i + 2 * stride] = 0.25 * (outer - inner);
    v[i + 3 * stride] = 1.5 * innerOdd - 0.5 * outerOdd;
  }

  /// Converts ten sums by product of weights to coefficients of the seven powers.
  private static void varianceAxis(double[] in, double[] out, int o) {
    double[] c = Keys.PRODUCTS;
    for (int r = 0; r < 7; r++) {
      double sum = 0;
      for (int p = 0; p < 10; p++) sum += c[7 * p + r] * in[p];
      out[o + r] = sum;
    }
  }

  public Grid grid() {
    return grid;
  }

  /// The values at the grid points, from which the mean is interpolated. Not a copy: read only.
  public double[] mean() {
    return mean;
  }

  /// Whether there are tables of the variance.
  public boolean hasVariance() {
    return variance;
  }

  /// The coefficients. Not a copy: read only. For one and two axes they go cell by cell, those of
  /// the mean (4ᵈ) before those of the variance (7ᵈ), with the powers of the last axis fastest. For
  /// three axes they are the entries of P point by point, in the order of its diagonals.
  public double[] table() {
    return table;
  }

  /// The mean at the point that starts at `x[xo]`; NaN outside the grid.
  public double mean(double[] x, int xo) {
    int d = grid.dimensions();
    if (d == 1) {
      Axis axis = grid.axis(0);
      double u = (x[xo] - axis.origin()) / axis.step();
      if (!inside(axis, u)) return Double.NaN;
      int c = axis.cellOf(u);
      return cubic(c * width, u - c - 1.5);
    }
    if (d == 2) {
      Axis first = grid.axis(0);
      Axis second = grid.axis(1);
      double u = (x[xo] - first.origin()) / first.step();
      double v = (x[xo + 1] - second.origin()) / second.step();
      if (!inside(first, u) || !inside(second, v)) return Double.NaN;
      int c = first.cellOf(u);
      int e = second.cellOf(v);
      return bicubic((c * second.cells() + e) * width, u - c - 1.5, v - e - 1.5);
    }
    double[] out = new double[2];
    contract(x, xo, out, false);
    return out[0];
  }

  /// The variance at the point that starts at `x[xo]`; NaN outside the grid.
  public double variance(double[] x, int xo) {
    requireVariance();
    int d = grid.dimensions();
    if (d == 1) {
      Axis axis = grid.axis(0);
      double u = (x[xo] - axis.origin()) / axis.step();
      if (!inside(axis, u)) return Double.NaN;
      int c = axis.cellOf(u);
      return sextic(c * width + 4, u - c - 1.5);
    }
    if (d == 2) {
      Axis first = grid.axis(0);
      Axis second = grid.axis(1);
      double u = (x[xo] - first.origin()) / first.step();
      double v = (x[xo + 1] - second.origin()) / second.step();
      if (!inside(first, u) || !inside(second, v)) return Double.NaN;
      int c = first.cellOf(u);
      int e = second.cellOf(v);
      return bisextic((c * second.cells() + e) * width + 16, u - c - 1.5, v - e - 1.5);
    }
    double[] out = new double[2];
    contract(x, xo, out, true);
    return out[1];
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance. Outside the grid it fills NaN and
  /// returns false. Allocates nothing for one and two axes.
  public boolean evaluate(double[] x, int xo, double[] out) {
    requireVariance();
    int d = grid.dimensions();
    if (d == 1) {
      Axis axis = grid.axis(0);
      double u = (x[xo] - axis.origin()) / axis.step();
      if (!inside(axis, u)) return nowhere(out);
      int c = axis.cellOf(u);
      double t = u - c - 1.5;
      out[0] = cubic(c * 11, t);
      out[1] = sextic(c * 11 + 4, t);
      return true;
    }
    if (d == 2) {
      Axis first = grid.axis(0);
      Axis second = grid.axis(1);
      double u = (x[xo] - first.origin()) / first.step();
      double v = (x[xo + 1] - second.origin()) / second.step();
      if (!inside(first, u) || !inside(second, v)) return nowhere(out);
      int c = first.cellOf(u);
      int e = second.cellOf(v);
      int at = (c * second.cells() + e) * 65;
      double s = u - c - 1.5;
      double t = v - e - 1.5;
      out[0] = bicubic(at, s, t);
      out[1] = bisextic(at + 16, s, t);
      return true;
    }
    return contract(x, xo, out, true);
  }

  /// Fills `out` with the mean, the variance, the d derivatives of the mean and the d of the
  /// variance. Outside the grid it fills NaN for the first two and returns false. Without a
  /// covariance the variance and its derivatives are 0.
  public boolean gradient(double[] x, int xo, double[] out) {
    int d = grid.dimensions();
    if (d > 2) return contractGradient(x, xo, out);
    double s = 0;
    double t = 0;
    int cell = 0;
    for (int a = 0; a < d; a++) {
      Axis axis = grid.axis(a);
      double u = (x[xo + a] - axis.origin()) / axis.step();
      if (!inside(axis, u)) return nowhere(out);
      int c = axis.cellOf(u);
      cell = cell * axis.cells() + c;
      s = t;
      t = u - c - 1.5;
    }
    int at = cell * width;
    double h = grid.axis(d - 1).step();
    if (d == 1) {
      out[0] = cubic(at, t);
      out[2] = slope(at, 4, t) / h;
      out[1] = !variance ? 0 : sextic(at + 4, t);
      out[3] = !variance ? 0 : slope(at + 4, 7, t) / h;
      return true;
    }
    surface(at, 4, s, t, out, 0);
    if (variance) surface(at + 16, 7, s, t, out, 1);
    else out[1] = out[4] = out[5] = 0;
    return true;
  }

  /// The value and both derivatives of a polynomial in two offsets with `count` coefficients per
  /// axis.
  private void surface(int at, int count, double s, double t, double[] out, int which) {
    double value = 0;
    double bySecond = 0;
    double byFirst = 0;
    for (int p = count - 1; p >= 0; p--) {
      double line = 0;
      double lineSlope = 0;
      for (int q = count - 1; q >= 0; q--) {
        lineSlope = lineSlope * t + line;
        line = line * t + table[at + p * count + q];
      }
      byFirst = byFirst * s + value;
      value = value * s + line;
      bySecond = bySecond * s + lineSlope;
    }
    out[which] = value;
    out[2 + 2 * which] = byFirst / grid.axis(0).step();
    out[3 + 2 * which] = bySecond / grid.axis(1).step();
  }

  private double slope(int at, int count, double t) {
    double value = 0;
    double slope = 0;
    for (int q = count - 1; q >= 0; q--) {
      slope = slope * t + value;
      value = value * t + table[at + q];
    }
    return slope;
  }

  private boolean contract(double[] x, int xo, double[] out, boolean both) {
    int count = grid.stencilSize();
    int[] index = new int[count];
    double[] weight = new double[count];
    if (!grid.stencil(x, xo, index, weight)) return nowhere(out);
    out[0] = dot(index, weight, 0);
    if (both && variance) out[1] = quadratic(index[0], weight, weight);
    return true;
  }

  private boolean contractGradient(double[] x, int xo, double[] out) {
    int count = grid.stencilSize();
    int d = grid.dimensions();
    int[] index = new int[count];
    double[] weight = new double[count];
    double[] slopes = new double[d * count];
    double[] slope = new double[count];
    if (!grid.stencilGradient(x, xo, index, weight, slopes)) return nowhere(out);
    out[0] = dot(index, weight, 0);
    out[1] = !variance ? 0 : quadratic(index[0], weight, weight);
    for (int a = 0; a < d; a++) {
      out[2 + a] = dot(index, slopes, a * count);
      System.arraycopy(slopes, a * count, slope, 0, count);
      out[2 + d + a] = !variance ? 0 : 2 * quadratic(index[0], slope, weight);
    }
    return true;
  }

  /// `vᵀPw` for two weight vectors on the stencil whose lowest point is `corner`. Only for three
  /// axes or more, whose tables are the entries of P.
  public double quadratic(int corner, double[] v, double[] w) {
    requireVariance();
    if (grid.dimensions() < 3)
      throw new IllegalStateException("these tables are polynomials; keep the entries of P");
    int count = StencilMatrix.diagonalCount(grid.dimensions());
    return pairs.quadraticPacked(table, corner, count, v, w);
  }

  private double dot(int[] index, double[] weight, int at) {
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[at + k] * mean[index[k]];
    return sum;
  }

  private static boolean inside(Axis axis, double u) {
    return u >= 1 - Axis.SLACK && u <= axis.points() - 2 + Axis.SLACK;
  }

  private static boolean nowhere(double[] out) {
    out[0] = Double.NaN;
    out[1] = Double.NaN;
    return false;
  }

  private void requireVariance() {
    if (!variance)
      throw new IllegalStateException("these tables hold the mean alone; build them with P");
  }

  private double cubic(int at, double t) {
    double[] c = table;
    return c[at] + t * (c[at + 1] + t * (c[at + 2] + t * c[at + 3]));
  }

  private double sextic(int at, double t) {
    double[] c = table;
    return c[at]
        + t
            * (c[at + 1]
                + t
                    * (c[at + 2]
                        + t * (c[at + 3] + t * (c[at + 4] + t * (c[at + 5] + t * c[at + 6])))));
  }

  private double bicubic(int at, double s, double t) {
    return cubic(at, t) + s * (cubic(at + 4, t) + s * (cubic(at + 8, t) + s * cubic(at + 12, t)));
  }

  private double bisextic(int at, double s, double t) {
    double high = sextic(at + 28, t) + s * (sextic(at + 35, t) + s * sextic(at + 42, t));
    return sextic(at, t)
        + s * (sextic(at + 7, t) + s * (sextic(at + 14, t) + s * (sextic(at + 21, t) + s * high)));
  }
}
