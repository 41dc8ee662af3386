package lovelace.sites;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.sparse.ConditioningSets;

/// The places of rows on a grid: nodes, or places between them, each of which is a *site*. The
/// nodes and then the sites are the *points* of a model, numbered in that order. Rows at one place
/// count as one observation of their weighted mean. Immutable.
final class Sites {

  /// The order of the sites is random, but the same for the same places. The errors of means are a
  /// third smaller than in the order of their coordinates.
  private static final long SEED = 7;

  final Grid grid;

  /// The number of nodes and sites together.
  final int points;

  final int rows;

  /// The number of places with rows.
  final int places;

  /// The sum of the weights of the rows at each point, 0 if there are none.
  final double[] weight;

  /// `Σ log w` of the rows.
  final double logWeights;

  /// The smallest weight of a row.
  final double leastWeight;

  /// The point of each row.
  final int[] pointOf;

  private final double[] at; // coordinates of the sites
  private final int[] cellStarts; // the sites of each cell, ascending
  private final int[] cellSites;

  private Sites(Grid grid, Dataset data, int[] pointOf, double[] at) {
    int d = grid.dimensions();
    this.grid = grid;
    this.at = at;
    points = grid.size() + at.length / d;
    rows = data.size();
    weight = new double[points];
    this.pointOf = pointOf;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < rows; i++) {
      double w = data.weight(i);
      weight[pointOf[i]] += w;
      least = Math.min(least, w);
    }
    int count = 0;
    for (double w : weight) if (w > 0) count++;
    places = count;
    logWeights = data.logWeights();
    leastWeight = least;
    int sites = points - grid.size();
    cellStarts = new int[grid.cells() + 1];
    cellSites = new int[sites];
    int[] cellOf = new int[sites];
    for (int s = 0; s < sites; s++) {
      cellOf[s] = grid.cell(at, s * d);
      cellStarts[cellOf[s] + 1]++;
    }
    for (int c = 0; c < grid.cells(); c++) cellStarts[c + 1] += cellStarts[c];
    int[] next = cellStarts.clone();
    for (int s = 0; s < sites; s++) cellSites[next[cellOf[s]]++] = grid.size() + s;
  }

  /// The observed values by points. Immutable.
  final class Observed {

    /// The weighted mean of the values at each point, 0 if there are no rows.
    final double[] value = new double[points];

    /// `Σ w (y − mean)²` of the rows about the mean of their place.
    final double within;

    /// The numbers of a row whose value differs from that of an earlier row at its place, and of
    /// that earlier row; −1 if there are none.
    final int[] unequal = {-1, -1};

    /// @param data with the weights of the rows
    /// @param y the values of the rows
    Observed(Dataset data, double[] y) {
      int[] first = new int[points];
      Arrays.fill(first, -1);
      for (int i = 0; i < rows; i++) {
        int p = pointOf[i];
        value[p] += data.weight(i) * y[i];
        if (first[p] < 0) first[p] = i;
        else if (unequal[0] < 0 && y[i] != y[first[p]]) {
          unequal[0] = i;
          unequal[1] = first[p];
        }
      }
      for (int p = 0; p < points; p++) if (weight[p] > 0) value[p] /= weight[p];
      double squares = 0;
      for (int i = 0; i < rows; i++) {
        double off = y[i] - value[pointOf[i]];
        squares += data.weight(i) * off * off;
      }
      within = squares;
    }
  }

  /// The places of rows. All must lie in cells of the grid.
  static Sites of(Dataset data, Grid grid) {
    int n = data.size();
    int d = grid.dimensions();
    if (data.dimensions() != d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the rows have %d inputs, the grid %d axes", data.dimensions(), d));
    double[] x = data.inputs().clone();
    for (int i = 0; i < x.length; i++) x[i] += 0.0; // −0.0 and 0.0 are one place
    int[] pointOf = new int[n];
    int[] between = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      requireInside(data, grid, i);
      pointOf[i] = node(grid, x, i * d);
      if (pointOf[i] < 0) between[count++] = i;
    }
    int[] sorted =
        IntStream.range(0, count)
            .mapToObj(i -> between[i])
            .sorted((i, j) -> Arrays.compare(x, i * d, i * d + d, x, j * d, j * d + d))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] place = new int[count]; // of the sorted rows
    int sites = 0;
    for (int i = 0; i < count; i++) {
      int r = sorted[i] * d;
      boolean same =
          i > 0 && Arrays.equals(x, r, r + d, x, sorted[i - 1] * d, sorted[i - 1] * d + d);
      place[i] = same ? place[i - 1] : sites++;
    }
    int[] rank = shuffled(sites);
    double[] at = new double[sites * d];
    for (int i = 0; i < count; i++) {
      int s = rank[place[i]];
      pointOf[sorted[i]] = grid.size() + s;
      System.arraycopy(x, sorted[i] * d, at, s * d, d);
    }
    return new Sites(grid, data, pointOf, at);
  }

  /// How far a cell may deviate from a square, in units of the rows' ranges.
  private static final double ASPECT = 8;

  /// The number of cells between the rows and the outermost nodes.
  private static final int MARGIN = 2;

  /// A grid with about `density` rows per cell, and a margin of two cells. The cells are roughly
  /// cubes in units of the lengthscales of the kernel's first term.
  static Grid grid(Dataset data, Kernel kernel, double density) {
    int d = data.dimensions();
    double[] low = new double[d];
    double[] range = new double[d];
    for (int a = 0; a < d; a++) {
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < data.size(); i++) {
        least = Math.min(least, data.inputs()[i * d + a]);
        most = Math.max(most, data.inputs()[i * d + a]);
      }
      low[a] = least;
      range[a] = most - least;
    }
    double[] lengths = ConditioningSets.lengths(kernel, IntStream.range(0, d).toArray());
    double middle = 0;
    int varying = 0;
    for (int a = 0; a < d; a++)
      if (range[a] > 0 && lengths[a] < Double.POSITIVE_INFINITY) {
        middle += Math.log(lengths[a] / range[a]);
        varying++;
      }
    middle = varying == 0 ? 1 : Math.exp(middle / varying);
    double[] relative = new double[d]; // ratio of a cell's side to the range, up to a common factor
    for (int a = 0; a < d; a++) {
      double own = range[a] > 0 ? lengths[a] / range[a] : Double.POSITIVE_INFINITY;
      relative[a] = Math.max(middle / ASPECT, Math.min(ASPECT * middle, own));
    }
    double[] cells = new double[d];
    boolean[] one = new boolean[d]; // axes that one cell covers
    for (int a = 0; a < d; a++) one[a] = !(range[a] > 0);
    for (boolean again = true; again; ) {
      double volume = 1;
      int free = 0;
      for (int a = 0; a < d; a++)
        if (!one[a]) {
          volume /= relative[a];
          free++;
        }
      double scale = free == 0 ? 1 : Math.pow(data.size() / density / volume, 1.0 / free);
      again = false;
      for (int a = 0; a < d; a++) {
        cells[a] = one[a] ? 1 : scale / relative[a];
        if (!one[a] && cells[a] < 1) one[a] = again = true;
      }
    }
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) {
      int count = (int) Math.max(1, Math.ceil(cells[a]));
      double step =
          range[a] > 0 ? range[a] / count : lengths[a] < Double.POSITIVE_INFINITY ? lengths[a] : 1;
      step *= 1 + 1e-12; // so that rounding leaves no row beyond the last cell
      axes[a] = new Axis(low[a] - MARGIN * step, step, count + 2 * MARGIN + 1);
    }
    return Grid.of(axes);
  }

  /// 0, 1, … in a random order.
  private static int[] shuffled(int count) {
    int[] order = IntStream.range(0, count).toArray();
    var random = new SplittableRandom(SEED);
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int own = order[i];
      order[i] = order[j];
      order[j] = own;
    }
    return order;
  }

  private static void requireInside(Dataset data, Grid grid, int row) {
    int d = grid.dimensions();
    int column = grid.outsideColumn(data.inputs(), row * d);
    if (column >= 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d: column %d is %s, outside the %s; take a grid that covers all rows",
              row + 1,
              column + 1,
              data.inputs()[row * d + column],
              grid));
  }

  /// The node at a point, up to rounding; −1 if there is none.
  static int node(Grid grid, double[] x, int xo) {
    int node = 0;
    for (int a = 0; a < grid.dimensions(); a++) {
      Axis axis = grid.axis(a);
      double u = (x[xo + a] - axis.origin()) / axis.step();
      double i = Math.rint(u);
      if (!(Math.abs(u - i) <= Axis.SLACK)) return -1;
      node += ((int) i) * grid.stride(a);
    }
    return node;
  }

  /// The number of nodes, which is also the number of the first site.
  int nodes() {
    return grid.size();
  }

  /// Writes the coordinates of a point.
  void point(int p, double[] x, int xo) {
    int d = grid.dimensions();
    int m = grid.size();
    if (p >= m) System.arraycopy(at, (p - m) * d, x, xo, d);
    else
      for (int a = 0; a < d; a++) {
        Axis axis = grid.axis(a);
        x[xo + a] = axis.at(p / grid.stride(a) % axis.points());
      }
  }

  /// The coordinates of all points in cells from the first node, one array per axis.
  double[][] coordinates() {
    int d = grid.dimensions();
    double[][] all = new double[d][points];
    double[] x = new double[d];
    for (int p = 0; p < points; p++) {
      point(p, x, 0);
      for (int a = 0; a < d; a++) all[a][p] = (x[a] - grid.axis(a).origin()) / grid.axis(a).step();
    }
    return all;
  }

  /// The position in [#site] at which the sites of a cell begin. Those of the next cell follow.
  int cellStart(int cell) {
    return cellStarts[cell];
  }

  /// The number of pairs of sites that lie at most `reach` cells apart along every axis.
  long pairs(int reach) {
    int d = grid.dimensions();
    int[] low = new int[d];
    int[] high = new int[d];
    long twice = 0;
    for (int cell = 0; cell < grid.cells(); cell++) {
      int own = cellStarts[cell + 1] - cellStarts[cell];
      if (own == 0) continue;
      int rest = cell;
      for (int a = d - 1; a >= 0; a--) {
        int cells = grid.axis(a).cells();
        low[a] = Math.max(0, rest % cells - reach);
        high[a] = Math.min(cells - 1, rest % cells + reach);
        rest /= cells;
      }
      twice += own * (within(low, high, 0, 0) - 1);
    }
    return twice / 2;
  }

  /// The number of sites in a box of cells.
  private long within(int[] low, int[] high, int axis, int cell) {
    if (axis == low.length) return (long) cellStarts[cell + 1] - cellStarts[cell];
    long sum = 0;
    for (int c = low[axis]; c <= high[axis]; c++)
      sum += within(low, high, axis + 1, cell * grid.axis(axis).cells() + c);
    return sum;
  }

  /// A site as a point, in the order of cells.
  int site(int place) {
    return cellSites[place];
  }

  /// Whether there are rows at a point.
  boolean observed(int p) {
    return weight[p] > 0;
  }
}
