package lovelace.latticekernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Computes f between the points of a grid by simple kriging from the 4ᵈ points S of its stencil
/// (GPML eq. (2.25) and (2.26) without noise): `f(x) = B u_S + e(x)` with `B = k(x,S) K_SS⁻¹`, The
/// residual e is independent of u_S and has the variance `D = k(x,x) − B k(S,x)`. At a grid point,
/// B selects its value and D is zero.
///
/// The kernel is stationary, so K_SS is the same for every cell and is factored once. If it is
/// singular to rounding, because the kernel is very smooth on this grid, B are Keys' weights and D
/// is the variance that they lose, `k(x,x) − 2B k(S,x) + B K_SS Bᵀ`. Immutable.
public final class LocalKriging {

  /// A point this close to a grid point, in cells along every axis, counts as lying on it. On a
  /// grid that snaps, [Grid#SNAP] applies instead.
  public static final double ON_POINT = 1e-9;

  /// A pivot of K_SS below this share of k(0) is rounding.
  private static final double ROUNDING = 1e-12;

  private final Grid grid; // does not snap
  private final double near; // a point this close counts as on a grid point
  private final Kernel kernel;
  private final double[] amplitudes;
  private final Leaf[][] factors; // of each term
  private final int d;
  private final int s;
  private final int[] shifts;
  private final double[] nodes; // of the stencil, from its lowest point on
  private final double variance;
  private final double[] covariance; // K_SS
  private final double @Nullable [] factor; // its Cholesky factor
  private final ThreadLocal<Work> work;
  private volatile double @Nullable [] lags;

  /// Buffers for one query.
  private static final class Work {
    final double[] offset; // from the middle of the cell, in cells
    final double[] place; // from the lowest point of the stencil
    final double[] k;
    final double[] term;
    final double[] next;

    Work(int d, int s) {
      offset = new double[d];
      place = new double[d];
      k = new double[s];
      term = new double[s];
      next = new double[s];
    }
  }

  private LocalKriging(Grid grid, Kernel kernel) {
    this.grid = Grid.of(grid.axes()); // one axis alone must not snap
    near = grid.snaps() ? Grid.SNAP : ON_POINT;
    this.kernel = kernel;
    d = grid.dimensions();
    s = grid.stencilSize();
    shifts = grid.stencilShifts();
    List<Term> terms = kernel.terms();
    amplitudes = terms.stream().mapToDouble(Term::amplitude).toArray();
    factors = terms.stream().map(t -> t.factors().toArray(Leaf[]::new)).toArray(Leaf[][]::new);
    nodes = new double[s * d];
    for (int i = 0; i < s; i++)
      for (int a = 0; a < d; a++)
        nodes[i * d + a] = (i >> (2 * (d - 1 - a)) & 3) * grid.axis(a).step();
    work = ThreadLocal.withInitial(() -> new Work(d, s));
    covariance = new double[s * s];
    Work own = work.get();
    for (int i = 0; i < s; i++) {
      covariances(nodes, i * d, own);
      System.arraycopy(own.k, 0, covariance, i * s, s);
    }
    variance = covariance[0];
    double[] l = covariance.clone();
    boolean singular = Blas.potrf(s, l, 0, s) != 0;
    for (int i = 0; i < s && !singular; i++)
      singular = !(l[i * s + i] * l[i * s + i] > ROUNDING * variance);
    factor = singular ? null : l;
  }

  /// Kriging with a stationary kernel without white noise, bound and with all its values.
  public static LocalKriging of(Grid grid, Kernel kernel) {
    if (kernel.dimensions() != grid.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the kernel reads %d columns, the grid has %d",
              kernel.dimensions(),
              grid.dimensions()));
    if (!kernel.isStationary() || kernel.whiteVariance() > 0)
      throw new IllegalArgumentException(
          "kriging between grid points needs a stationary kernel without white noise, not "
              + kernel);
    return new LocalKriging(grid, kernel);
  }

  /// Whether B are kriging weights. Otherwise K_SS is singular to rounding, and they are Keys'
  /// weights.
  public boolean kriges() {
    return factor != null;
  }

  /// A point this close to a grid point, in cells along every axis, counts as lying on it.
  public double near() {
    return near;
  }

  /// A copy of the Cholesky factor of K_SS, row-major. Only its lower triangle is used. Empty if B
  /// are Keys' weights.
  public double[] factor() {
    return factor == null ? new double[0] : factor.clone();
  }

  /// A copy of K_SS, row-major.
  public double[] covariance() {
    return covariance.clone();
  }

  /// k(x, x).
  public double variance() {
    return variance;
  }

  /// Whether x lies on a point of the grid.
  public boolean onPoint(double[] x, int xo) {
    Work own = work.get();
    return grid.locate(x, xo, own.offset) >= 0 && point(own) >= 0;
  }

  /// The index in its stencil of the grid point that a located point lies on, or −1.
  private int point(Work own) {
    int at = 0;
    for (int a = 0; a < d; a++) {
      double t = own.offset[a];
      if (!(Math.abs(Math.abs(t) - 0.5) <= near)) return -1;
      at = 4 * at + (t < 0 ? 1 : 2);
    }
    return at;
  }

  /// `k(x, S)` for x and S measured from the lowest point of the stencil.
  private void covariances(double[] x, int xo, Work own) {
    Arrays.fill(own.k, 0);
    for (int t = 0; t < factors.length; t++) {
      Leaf[] leaves = factors[t];
      if (leaves.length == 0) {
        for (int i = 0; i < s; i++) own.k[i] += amplitudes[t];
        continue;
      }
      leaves[0].covariances(x, xo, nodes, 0, s, own.term, 0);
      for (int f = 1; f < leaves.length; f++) {
        leaves[f].covariances(x, xo, nodes, 0, s, own.next, 0);
        for (int i = 0; i < s; i++) own.term[i] *= own.next[i];
      }
      for (int i = 0; i < s; i++) own.k[i] += amplitudes[t] * own.term[i];
    }
  }

  /// Writes S and B of the point that starts at `x[xo]` to the 4ᵈ entries of `index` and `weight`,
  /// in the order of [Grid#stencil], and returns D; NaN outside the grid. Allocates nothing for
  /// kernels of this library.
  public double weights(double[] x, int xo, int[] index, double[] weight) {
    Work own = work.get();
    int cell = grid.locate(x, xo, own.offset);
    if (cell < 0) return Double.NaN;
    int corner = grid.corner(cell);
    for (int i = 0; i < s; i++) index[i] = corner + shifts[i];
    int point = point(own);
    if (point >= 0) {
      Arrays.fill(weight, 0, s, 0);
      weight[point] = 1;
      return 0;
    }
    for (int a = 0; a < d; a++) own.place[a] = (own.offset[a] + 1.5) * grid.axis(a).step();
    covariances(own.place, 0, own);
    if (factor == null) {
      grid.stencil(x, xo, index, weight);
      return loss(own.k, weight);
    }
    System.arraycopy(own.k, 0, weight, 0, s);
    double explained = solveLower(factor, weight);
    solveUpper(factor, weight);
    return Math.max(0, variance - explained);
  }

  /// `v ← L⁻¹v`. Returns its square.
  private double solveLower(double[] l, double[] v) {
    double square = 0;
    for (int i = 0; i < s; i++) {
      double sum = v[i];
      for (int j = 0; j < i; j++) sum -= l[i * s + j] * v[j];
      v[i] = sum / l[i * s + i];
      square += v[i] * v[i];
    }
    return square;
  }

  /// `v ← L⁻ᵀv`.
  private void solveUpper(double[] l, double[] v) {
    for (int i = s - 1; i >= 0; i--) {
      v[i] /= l[i * s + i];
      for (int j = 0; j < i; j++) v[j] -= l[i * s + j] * v[i];
    }
  }

  /// `k(x,x) − 2B k(S,x) + B K_SS Bᵀ`, for any weights.
  private double loss(double[] k, double[] weight) {
    double loss = variance;
    for (int i = 0; i < s; i++) loss += weight[i] * (times(weight, i) - 2 * k[i]);
    return Math.max(0, loss);
  }

  /// The error of Keys' weights w in the middle of a cell. It is the larger of two: the variance
  /// that they lose, `k(x,x) − 2w k(S,x) + w K_SS wᵀ`, and the variance that the interpolated
  /// process lacks or has in excess, `|k(x,x) − w K_SS wᵀ|`.
  public double interpolationLoss() {
    double[] middle = new double[d];
    for (int a = 0; a < d; a++) middle[a] = grid.axis(a).at(1) + 0.5 * grid.axis(a).step();
    double[] weight = new double[s];
    grid.stencil(middle, 0, new int[s], weight);
    Work own = work.get();
    for (int a = 0; a < d; a++) own.place[a] = 1.5 * grid.axis(a).step();
    covariances(own.place, 0, own);
    double with = 0;
    for (int i = 0; i < s; i++) with += weight[i] * times(weight, i);
    return Math.max(loss(own.k, weight), Math.abs(variance - with));
  }

  /// How far kriging from the stencil may be off: the variance in the middle of a cell given the
  /// stencil, minus the variance given the 8ᵈ grid points around it.
  public double shortfall() {
    double near = remaining(4);
    double wide = remaining(8);
    return Double.isNaN(near) || Double.isNaN(wide)
        ? interpolationLoss()
        : Math.max(0, near - wide);
  }

  /// The variance in the middle of a cell given `side` points along each axis around it; NaN if
  /// their matrix is singular to rounding.
  private double remaining(int side) {
    int n = (int) Math.round(Math.pow(side, d));
    double[] around = new double[(n + 1) * d]; // the middle last, at 0
    for (int i = 0; i < n; i++)
      for (int a = d - 1, rest = i; a >= 0; a--, rest /= side)
        around[i * d + a] = (rest % side - 0.5 * (side - 1)) * grid.axis(a).step();
    double[] l = new double[(n + 1) * (n + 1)];
    kernel.matrix(around, n + 1, around, n + 1, l);
    if (Blas.potrf(n + 1, l, 0, n + 1) != 0) return Double.NaN;
    return l[l.length - 1] * l[l.length - 1];
  }

  /// Entry i of `K_SS w`.
  private double times(double[] w, int i) {
    double sum = 0;
    for (int j = 0; j < s; j++) sum += covariance[i * s + j] * w[j];
    return sum;
  }

  /// Like [#weights]. Also writes the derivatives of the weights to `slope`, with that of weight k
  /// in x_column at `column·4ᵈ + k`, and those of D to `lossSlope`. At a grid point the derivatives
  /// of a rough kernel differ on the two sides, and their means are used.
  public double gradient(
      double[] x, int xo, int[] index, double[] weight, double[] slope, double[] lossSlope) {
    double loss = weights(x, xo, index, weight);
    if (Double.isNaN(loss)) return loss;
    Work own = work.get();
    for (int a = 0; a < d; a++) own.place[a] = (own.offset[a] + 1.5) * grid.axis(a).step();
    covariances(own.place, 0, own);
    double[] byColumn = new double[d * s]; // ∂k(x, S)/∂x
    double[] g = new double[d];
    for (int i = 0; i < s; i++) {
      Arrays.fill(g, 0);
      kernel.inputGradient(own.place, 0, nodes, i * d, 1, g, 0);
      for (int a = 0; a < d; a++) byColumn[a * s + i] = g[a];
    }
    if (factor == null) grid.stencilGradient(x, xo, index, weight, slope);
    for (int a = 0; a < d; a++) {
      double[] one = Arrays.copyOfRange(factor == null ? slope : byColumn, a * s, (a + 1) * s);
      if (factor != null) {
        solveLower(factor, one);
        solveUpper(factor, one);
        System.arraycopy(one, 0, slope, a * s, s);
      }
      double sum = 0;
      for (int i = 0; i < s; i++)
        sum += one[i] * (times(weight, i) - own.k[i]) - weight[i] * byColumn[a * s + i];
      lossSlope[a] = 2 * sum;
    }
    return loss;
  }

  /// The weights B of points, row-major; all must lie inside the grid.
  public Stencils stencils(double[] points) {
    int count = points.length / d;
    int[] index = new int[count * s];
    double[] weight = new double[count * s];
    int[] i = new int[s];
    double[] w = new double[s];
    for (int p = 0; p < count; p++) {
      if (Double.isNaN(weights(points, p * d, i, w)))
        throw new IllegalArgumentException("point " + p + " lies outside the " + grid);
      System.arraycopy(i, 0, index, p * s, s);
      System.arraycopy(w, 0, weight, p * s, s);
    }
    return Stencils.adopt(s, index, weight);
  }

  /// The prior covariances of the residuals at two sets of points, row-major: `k(x,x′) − B k(S,x′)
  /// − k(x,S′) B′ᵀ + B K_SS′ B′ᵀ`, one row for each point of `a`. Rows and columns of points on the
  /// grid are zero. All points must lie inside the grid.
  @SuppressWarnings("ReferenceEquality")
  public double[] residuals(double[] a, double[] b) {
    boolean symmetric = a == b;
    Stencils left = stencils(a);
    Stencils right = symmetric ? left : stencils(b);
    int columns = right.count();
    double[] out = new double[Budget.covariance(left.count(), columns)];
    Nodes all = new Nodes(right);
    boolean[] on = new boolean[columns];
    for (int j = 0; j < columns; j++) on[j] = onPoint(b, j * d);
    double[] lag = lags();
    Parallel.forEach(
        left.count(),
        i -> {
          if (onPoint(a, i * d)) return;
          int count = symmetric ? i + 1 : columns;
          double[] own = Arrays.copyOfRange(a, i * d, (i + 1) * d);
          double[] corners = new double[s * d];
          for (int k = 0; k < s; k++)
            System.arraycopy(grid.point(left.index(i, k)), 0, corners, k * d, d);
          // cov(e(xᵢ), ·) with the grid points that the columns need, and with the columns
          double[] with = new double[all.upTo(count)];
          kernel.covariances(own, 0, all.places, 0, with.length, with, 0);
          for (int k = 0; k < s; k++) {
            double w = left.weight(i, k);
            if (w != 0)
              for (int n = 0; n < with.length; n++)
                with[n] -= w * lag[lag(left.index(i, k), all.index[n])];
          }
          double[] row = new double[count];
          double[] next = new double[count];
          kernel.covariances(own, 0, b, 0, count, row, 0);
          for (int k = 0; k < s; k++) {
            kernel.covariances(corners, k * d, b, 0, count, next, 0);
            for (int j = 0; j < count; j++) row[j] -= left.weight(i, k) * next[j];
          }
          for (int j = 0; j < count; j++) {
            if (on[j]) continue;
            double sum = row[j];
            for (int k = 0; k < s; k++) sum -= right.weight(j, k) * with[all.of[j * s + k]];
            out[i * columns + j] = sum;
          }
        });
    if (symmetric) Blas.mirror(columns, out);
    return out;
  }

  /// The grid points of some stencils, each once, in the order of their first use.
  private final class Nodes {
    final int[] of; // index here of each entry of a stencil
    final int[] index;
    final double[] places;
    private final int[] firsts; // the number of points of the first stencils together

    Nodes(Stencils stencils) {
      Map<Integer, Integer> known = new HashMap<>();
      of = new int[stencils.count() * s];
      firsts = new int[stencils.count() + 1];
      int[] found = new int[Math.min(of.length, grid.size())];
      for (int p = 0; p < stencils.count(); p++) {
        for (int k = 0; k < s; k++) {
          int node = stencils.index(p, k);
          Integer at = known.putIfAbsent(node, known.size());
          if (at == null) found[known.size() - 1] = node;
          of[p * s + k] = at == null ? known.size() - 1 : at;
        }
        firsts[p + 1] = known.size();
      }
      index = Arrays.copyOf(found, known.size());
      places = new double[index.length * d];
      for (int n = 0; n < index.length; n++)
        System.arraycopy(grid.point(index[n]), 0, places, n * d, d);
    }

    /// The number of grid points that the first stencils need.
    int upTo(int stencils) {
      return firsts[stencils];
    }
  }

  /// The index in [#lags] of k between two grid points.
  private int lag(int i, int j) {
    int lag = 0;
    for (int a = 0; a < d; a++) {
      int stride = grid.stride(a);
      int points = grid.axis(a).points();
      lag += Math.abs(i / stride % points - j / stride % points) * stride;
    }
    return lag;
  }

  /// k at the distances between grid points; it is even in every axis.
  private double[] lags() {
    double[] known = lags;
    if (known != null) return known;
    double[] places = new double[grid.size() * d];
    for (int i = 0; i < grid.size(); i++)
      for (int a = 0; a < d; a++)
        places[i * d + a] = i / grid.stride(a) % grid.axis(a).points() * grid.axis(a).step();
    known = new double[grid.size()];
    kernel.matrix(new double[d], 1, places, grid.size(), known);
    lags = known;
    return known;
  }
}
