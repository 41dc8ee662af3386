package lovelace.sites;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.budget.Budget;
import lovelace.grid.Axis;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.posterior.internal.KernelSums;
import lovelace.sparse.LocalRegressions;
import org.jspecify.annotations.Nullable;

/// Expresses f at any place by the points of a model: `f(x) = Σⱼ Bⱼ f(xⱼ) + r(x)`. B are the
/// weights of kriging from the most correlated points of the box around the cell of x, or from
/// nodes if x is beyond the grid. The residual r is assumed independent of all points, and its
/// covariance is that of the prior. Immutable.
final class SiteKriging {

  /// The number of cells that one task works on.
  private static final int CHUNK = 4;

  /// The most places of a cell that one task works on.
  private static final int GROUP = 256;

  /// The number of rows of covariances that are computed at a time. They are so few that
  /// [Kernel#matrix] uses one thread.
  private static final int ROWS = 32;

  private final Sites sites;
  private final Kernel kernel;
  private final double[] x;
  final int size;

  /// Place t has the points from `points[starts[t]]` on with their weights, ascending.
  final int[] starts;

  final int[] points;
  final double[] weights;

  /// The variance of the residual of each place; 0 at a node or a site.
  final double[] residuals;

  final boolean[] outside;

  private SiteKriging(
      Sites sites,
      Kernel kernel,
      double[] x,
      int[] starts,
      int[] points,
      double[] weights,
      double[] residuals,
      boolean[] outside) {
    this.sites = sites;
    this.kernel = kernel;
    this.x = x;
    size = residuals.length;
    this.starts = starts;
    this.points = points;
    this.weights = weights;
    this.residuals = residuals;
    this.outside = outside;
  }

  /// The weights for places, row-major, from k points each. Places of one cell share the points of
  /// its box, and those with the same points share a factor.
  static SiteKriging of(Sites sites, Kernel kernel, int k, double[] x) {
    int d = sites.grid.dimensions();
    int t = x.length / d;
    int[] points = new int[Budget.numbers(t, k, "the weights of points", "ask for fewer points")];
    double[] weights = new double[points.length];
    int[] counts = new int[t];
    double[] residuals = new double[t];
    boolean[] outside = new boolean[t];
    long[] order = new long[t]; // by cell, those beyond the grid first
    for (int i = 0; i < t; i++) order[i] = ((long) sites.grid.cell(x, i * d) << 32) + i;
    Arrays.sort(order);
    int[] groups = groups(order);
    Parallel.chunks(
        groups.length - 1,
        CHUNK,
        (piece, first, last) -> {
          var cells = new CellSystems(sites, kernel, k);
          for (int g = first; g < last; g++) {
            int cell = (int) (order[groups[g]] >> 32);
            if (cell >= 0) cells.enter(cell, groups[g + 1] - groups[g]);
            for (int o = groups[g]; o < groups[g + 1]; o++) {
              int i = (int) order[o];
              outside[i] = cell < 0;
              int n = cell < 0 ? cells.beyond(x, i * d) : cells.inside(x, i * d);
              counts[i] = n;
              residuals[i] = cells.residual;
              System.arraycopy(cells.search.found, 0, points, i * k, n);
              System.arraycopy(cells.weights, 0, weights, i * k, n);
            }
          }
        });
    int[] starts = new int[t + 1];
    for (int i = 0; i < t; i++) {
      starts[i + 1] = starts[i] + counts[i];
      System.arraycopy(points, i * k, points, starts[i], counts[i]);
      System.arraycopy(weights, i * k, weights, starts[i], counts[i]);
    }
    return new SiteKriging(sites, kernel, x, starts, points, weights, residuals, outside);
  }

  /// The start of each group of places of one cell, and at the end the number of places. Places
  /// beyond the grid are groups of their own.
  private static int[] groups(long[] order) {
    int[] starts = new int[order.length + 1];
    int count = 0;
    for (int o = 0; o < order.length; o++)
      if (o == 0
          || order[o] < 0
          || order[o] >> 32 != order[o - 1] >> 32
          || o - starts[count - 1] == GROUP) starts[count++] = o;
    starts[count] = order.length;
    return Arrays.copyOf(starts, count + 1);
  }

  /// The systems of places, cell after cell. Working memory of one thread.
  private static final class CellSystems {
    private final Sites sites;
    private final Kernel kernel;
    private final int d;
    private final LocalRegressions.Point regression;
    private final List<Shared> known = new ArrayList<>(); // of this cell
    private double[] covariances = new double[0]; // of the box; empty if they would not pay
    private int box;

    final SiteSearch search;
    final double[] weights;
    double residual;

    /// The points of a system, and the factor of their covariances, which is null if the matrix has
    /// none.
    @SuppressWarnings("ArrayRecordComponent") // private, never compared
    private record Shared(int[] positions, double @Nullable [] factor) {}

    CellSystems(Sites sites, Kernel kernel, int k) {
      this.sites = sites;
      this.kernel = kernel;
      d = sites.grid.dimensions();
      search = new SiteSearch(sites, kernel, k);
      regression = new LocalRegressions.Point(kernel);
      regression.reserve(k + 1);
      weights = new double[k];
    }

    /// Goes to a cell that has `places` places.
    void enter(int cell, int places) {
      search.box(cell);
      known.clear();
      box = search.candidates();
      long own = Math.min(box, weights.length);
      boolean pays = (long) box * box <= places * own * own;
      covariances = new double[pays ? box * box : 0];
      double[] at = search.coordinates();
      double[] row = new double[pays ? box : 0];
      for (int i = 0; i < row.length; i++) {
        kernel.covariances(at, i * d, at, 0, i + 1, row, 0);
        for (int j = 0; j <= i; j++) covariances[i * box + j] = covariances[j * box + i] = row[j];
      }
    }

    /// The weights of a place in the cell. Returns their number.
    int inside(double[] x, int xo) {
      int n = search.inBox(x, xo);
      int own = at(sites, search, n, x, xo);
      if (own >= 0) return only(own, n);
      double[] l = shared(n).factor;
      if (l == null) return alone(n, x, xo);
      for (int j = 0; j < n; j++) weights[j] = search.covariance(search.positions[j]);
      LocalRegressions.Point.forward(n, l, n, weights);
      double left = (1 + LocalRegressions.Point.NUGGET) * kernel.variance(x, xo);
      for (int j = 0; j < n; j++) left -= weights[j] * weights[j];
      residual = Math.max(0, left);
      LocalRegressions.Point.backward(n, l, n, weights);
      return n;
    }

    /// The same for a place beyond the grid.
    int beyond(double[] x, int xo) {
      int n = search.near(x, xo, sites.nodes());
      int own = at(sites, search, n, x, xo);
      return own >= 0 ? only(own, n) : alone(n, x, xo);
    }

    /// The weights at a node or a site.
    private int only(int own, int n) {
      Arrays.fill(weights, 0, n, 0);
      weights[own] = 1;
      residual = 0;
      return n;
    }

    /// A system for one place alone.
    private int alone(int n, double[] x, int xo) {
      for (int j = 0; j < n; j++) sites.point(search.found[j], regression.points, j * d);
      System.arraycopy(x, xo, regression.points, n * d, d);
      residual = regression.solve(n + 1);
      for (int j = 0; j < n; j++) weights[j] = -regression.row[j];
      return n;
    }

    /// The system of the points that were found last.
    private Shared shared(int n) {
      int[] positions = search.positions;
      for (Shared old : known)
        if (Arrays.equals(old.positions, 0, old.positions.length, positions, 0, n)) return old;
      double[] c = new double[n * n];
      double[] here = new double[d];
      double[] row = new double[n];
      for (int j = 0; j < n; j++) sites.point(search.found[j], regression.points, j * d);
      for (int i = 0; i < n; i++) {
        if (covariances.length == 0) {
          sites.point(search.found[i], here, 0);
          kernel.covariances(here, 0, regression.points, 0, i + 1, row, 0);
        } else for (int j = 0; j <= i; j++) row[j] = covariances[positions[i] * box + positions[j]];
        System.arraycopy(row, 0, c, i * n, i + 1);
        c[i * n + i] *= 1 + LocalRegressions.Point.NUGGET;
      }
      boolean positive = Blas.potrf(n, c, 0, n) == 0;
      Shared made = new Shared(Arrays.copyOf(positions, n), positive ? c : null);
      known.add(made);
      return made;
    }
  }

  /// The index among the points found of the one that lies at the place itself, up to the rounding
  /// of a grid; −1 if there is none.
  private static int at(Sites sites, SiteSearch search, int n, double[] x, int xo) {
    int d = sites.grid.dimensions();
    double[] point = new double[d];
    for (int j = 0; j < n; j++) {
      sites.point(search.found[j], point, 0);
      boolean same = true;
      for (int a = 0; a < d; a++) {
        double slack = search.found[j] < sites.nodes() ? Axis.SLACK * sites.grid.axis(a).step() : 0;
        same &= Math.abs(point[a] - x[xo + a]) <= slack;
      }
      if (same) return j;
    }
    return -1;
  }

  /// `Σⱼ Bⱼ fⱼ` at a place. f has `columns` numbers for each point, and `column` is used.
  double mean(int place, int columns, int column, double[] f) {
    double sum = 0;
    for (int e = starts[place]; e < starts[place + 1]; e++)
      sum += weights[e] * f[points[e] * columns + column];
    return sum;
  }

  /// Writes the weights of a place to a column of a block with a row for each point.
  void scatter(int place, int columns, int column, double[] block) {
    for (int e = starts[place]; e < starts[place + 1]; e++)
      block[points[e] * columns + column] = weights[e];
  }

  /// Adds the weights of all places, each times its share, to a column of a block with a row for
  /// each point.
  void addSum(double[] shares, int columns, int column, double[] block) {
    for (int t = 0; t < size; t++)
      for (int e = starts[t]; e < starts[t + 1]; e++)
        block[points[e] * columns + column] += shares[t] * weights[e];
  }

  /// The prior variance of the sum of all residuals, each times its share.
  double sumVariance(double[] shares) {
    int d = sites.grid.dimensions();
    int[] used = used();
    double[] all = coordinates(used);
    double[] c = Arrays.copyOf(shares, size + used.length);
    for (int t = 0; t < size; t++)
      if (residuals[t] == 0) c[t] = 0; // a node or a site
      else
        for (int e = starts[t]; e < starts[t + 1]; e++)
          c[size + Arrays.binarySearch(used, points[e])] -= shares[t] * weights[e];
    int kept = 0;
    for (int i = 0; i < c.length; i++) {
      if (c[i] == 0) continue;
      System.arraycopy(all, i * d, all, kept * d, d);
      c[kept++] = c[i];
    }
    return KernelSums.variance(kernel, Arrays.copyOf(all, kept * d), Arrays.copyOf(c, kept));
  }

  /// All points with a weight somewhere, ascending.
  private int[] used() {
    return Arrays.stream(points, 0, starts[size]).sorted().distinct().toArray();
  }

  /// The most numbers that [#covariances] needs for t places beside its result.
  static long numbers(int k, int points, long t) {
    return t * (t + Math.min(t * k, points));
  }

  /// The prior covariances of the residuals, a row for each place here and a column for each of
  /// `other`. S and S′ are the points of x and x′:
  ///
  ///     k(x, x′) − B k(S, x′) − B′ k(S′, x) + B k(S, S′) B′ᵀ
  double[] covariances(SiteKriging other) {
    int d = sites.grid.dimensions();
    int[] used = used();
    int[] otherUsed = other == this ? used : other.used();
    int rows = size + used.length;
    int columns = other.size + otherUsed.length;
    double[] left = coordinates(used);
    double[] right = other == this ? left : other.coordinates(otherUsed);
    double[] half = // k(x ∪ S, ·) times the other weights
        new double[Budget.numbers(rows, other.size, "a covariance", "ask for fewer points")];
    Parallel.chunks(
        rows,
        ROWS,
        (piece, from, to) -> {
          double[] k = new double[(to - from) * columns];
          double[] some = Arrays.copyOfRange(left, from * d, to * d);
          kernel.matrix(some, to - from, right, columns, k);
          for (int i = from; i < to; i++)
            for (int j = 0; j < other.size; j++) {
              int row = (i - from) * columns;
              double sum = k[row + j];
              for (int e = other.starts[j]; e < other.starts[j + 1]; e++)
                sum -=
                    other.weights[e]
                        * k[row + other.size + Arrays.binarySearch(otherUsed, other.points[e])];
              half[i * other.size + j] = sum;
            }
        });
    double[] covariances = new double[size * other.size];
    Parallel.forEach(
        size,
        i -> {
          for (int j = 0; j < other.size; j++)
            covariances[i * other.size + j] = half[i * other.size + j];
          for (int e = starts[i]; e < starts[i + 1]; e++) {
            int row = (size + Arrays.binarySearch(used, points[e])) * other.size;
            for (int j = 0; j < other.size; j++)
              covariances[i * other.size + j] -= weights[e] * half[row + j];
          }
        });
    return covariances;
  }

  /// The coordinates of the places, then of the points.
  private double[] coordinates(int[] used) {
    int d = sites.grid.dimensions();
    double[] all = Arrays.copyOf(x, (size + used.length) * d);
    for (int i = 0; i < used.length; i++) sites.point(used[i], all, (size + i) * d);
    return all;
  }
}
