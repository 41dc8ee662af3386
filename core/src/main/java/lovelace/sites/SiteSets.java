package lovelace.sites;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.SparsePattern;
import lovelace.sites.SiteFactor.Unknowns;
import lovelace.sparse.ConditioningSets;
import lovelace.sparse.LatticePrecision;
import lovelace.sparse.LocalRegressions;
import org.jspecify.annotations.Nullable;

/// The points that each point of a model is regressed on: those of [ConditioningSets] for a node,
/// and for a site its k most correlated nodes and earlier sites. Once made, the sets are fixed for
/// all parameters of the kernel. So is the pattern of the precision, which also contains all pairs
/// of points that a prediction may krige from.
final class SiteSets {

  private static final int CHUNK = 1024;

  /// A prediction kriges from the points of its cell and of this many cells on each side.
  static final int BOX = 1;

  final Sites sites;
  final int k;

  /// The precision of the nodes for the parameters with which the sets were made.
  final LatticePrecision lattice;

  final SparsePattern pattern;

  /// The set of site m + s is `members[starts[s]]` … `members[starts[s + 1] − 1]`, ascending, with
  /// itself last; m is the number of nodes.
  final int[] starts;

  final int[] members;

  /// The sites whose sets contain point p are those from `users[userStarts[p]]` on, ascending.
  private final int[] userStarts;

  private final int[] users;
  private final @Nullable Unknowns[] choices = new Unknowns[2];

  private SiteSets(
      Sites sites, int k, LatticePrecision lattice, int[] starts, int[] members, Grid grid) {
    this.sites = sites;
    this.k = k;
    this.lattice = lattice;
    this.starts = starts;
    this.members = members;
    int n = sites.points;
    userStarts = new int[n + 1];
    for (int p : members) userStarts[p + 1]++;
    for (int p = 0; p < n; p++) userStarts[p + 1] += userStarts[p];
    users = new int[members.length];
    int[] next = userStarts.clone();
    for (int s = 0; s + 1 < starts.length; s++)
      for (int e = starts[s]; e < starts[s + 1]; e++) users[next[members[e]]++] = s;
    pattern = makePattern(grid);
  }

  /// The sets for a kernel without white terms.
  static SiteSets of(Sites sites, Kernel kernel, int k) {
    Budget.numbers(
        sites.pairs(2 * BOX),
        3,
        "the sparse process of rows that lie close together, by the pairs in neighbouring cells,",
        "use a finer grid or an engine on a lattice");
    LatticeKernel.Block block = LatticeKernel.of(sites.grid, kernel).blocks().getFirst();
    LatticePrecision lattice =
        LatticePrecision.of(LocalRegressions.of(ConditioningSets.of(block, k), block));
    int m = sites.nodes();
    int s = sites.points - m;
    int d = sites.grid.dimensions();
    int[][] parts = new int[Parallel.pieces(s, CHUNK)][];
    int[] starts = new int[s + 1];
    Parallel.chunks(
        s,
        CHUNK,
        (piece, from, to) -> {
          var search = new SiteSearch(sites, kernel, k);
          int[] part = new int[(to - from) * (k + 1)];
          double[] x = new double[d];
          int count = 0;
          for (int i = from; i < to; i++) {
            sites.point(m + i, x, 0);
            int found = search.near(x, 0, m + i);
            System.arraycopy(search.found, 0, part, count, found);
            count += found;
            part[count++] = m + i;
            starts[i + 1] = found + 1;
          }
          parts[piece] = Arrays.copyOf(part, count);
        });
    for (int i = 0; i < s; i++) starts[i + 1] = Math.addExact(starts[i], starts[i + 1]);
    int[] members = new int[starts[s]];
    int at = 0;
    for (int[] part : parts) {
      System.arraycopy(part, 0, members, at, part.length);
      at += part.length;
    }
    return new SiteSets(sites, k, lattice, starts, members, sites.grid);
  }

  /// The position of a point in the set of a site.
  private int place(int site, int point) {
    return Arrays.binarySearch(members, starts[site], starts[site + 1], point);
  }

  private SparsePattern makePattern(Grid grid) {
    int n = sites.points;
    int pieces = Parallel.pieces(n, CHUNK);
    int[][] parts = new int[pieces][];
    int[] begin = new int[n + 1];
    Parallel.chunks(
        n,
        CHUNK,
        (piece, from, to) -> {
          var row = new Row(grid);
          int[] part = new int[(to - from) * 64];
          int count = 0;
          for (int r = from; r < to; r++) {
            int size = row.collect(r);
            if (count + size > part.length)
              part = Arrays.copyOf(part, Math.max(count + size, part.length + part.length / 2));
            System.arraycopy(row.columns, 0, part, count, size);
            count += size;
            begin[r + 1] = size;
          }
          parts[piece] = Arrays.copyOf(part, count);
        });
    for (int r = 0; r < n; r++) begin[r + 1] = Math.addExact(begin[r], begin[r + 1]);
    int[] columns = new int[begin[n]];
    int at = 0;
    for (int p = 0; p < pieces; p++) {
      int[] part = parts[p];
      System.arraycopy(part, 0, columns, at, part.length);
      at += part.length;
    }
    return SparsePattern.adopt(begin, columns);
  }

  /// Collects the columns of one row after the other.
  private final class Row {
    private final Grid grid;
    private final int d;
    private final int[] seen = new int[sites.points]; // the last row of each column, from 1
    private final int[] low;
    private final int[] high;
    private final double[] x;
    private int[] columns = new int[1024];
    private int count;
    private int row;

    Row(Grid grid) {
      this.grid = grid;
      d = grid.dimensions();
      low = new int[d];
      high = new int[d];
      x = new double[d];
    }

    int collect(int r) {
      row = r;
      count = 0;
      add(r);
      for (int e = userStarts[r]; e < userStarts[r + 1]; e++) {
        int s = users[e];
        for (int i = starts[s]; members[i] < r; i++) add(members[i]);
      }
      if (r < sites.nodes()) addToNode();
      else addToSite();
      Arrays.sort(columns, 0, count);
      return count;
    }

    /// Adds the couplings of the lattice's own precision, and the nodes that share the box of some
    /// cell.
    private void addToNode() {
      SparsePattern own = lattice.pattern();
      for (int e = own.start(row); e < own.start(row + 1); e++) add(own.column(e));
      for (int a = 0; a < d; a++) {
        int at = row / grid.stride(a) % grid.axis(a).points();
        low[a] = Math.max(0, at - 2 * BOX - 1);
        high[a] = Math.min(grid.axis(a).points() - 1, at + 2 * BOX + 1);
      }
      nodes(0, 0);
    }

    /// Adds the nodes and sites that share the box of some cell with a site.
    private void addToSite() {
      sites.point(row, x, 0);
      int cell = grid.cell(x, 0);
      for (int a = d - 1; a >= 0; a--) {
        int at = cell % grid.axis(a).cells();
        cell /= grid.axis(a).cells();
        low[a] = Math.max(0, at + 1 - 2 * BOX);
        high[a] = Math.min(grid.axis(a).points() - 1, at + 2 + 2 * BOX);
      }
      nodes(0, 0);
      for (int a = 0; a < d; a++) {
        int at = grid.axis(a).cell(x[a]);
        low[a] = Math.max(0, at - 2 * BOX);
        high[a] = Math.min(grid.axis(a).cells() - 1, at + 2 * BOX);
      }
      sites(0, 0);
    }

    private void nodes(int axis, int index) {
      if (axis == d) add(index);
      else
        for (int i = low[axis]; i <= high[axis]; i++)
          nodes(axis + 1, index + i * grid.stride(axis));
    }

    private void sites(int axis, int cell) {
      if (axis == d)
        for (int i = sites.cellStart(cell); i < sites.cellStart(cell + 1); i++) add(sites.site(i));
      else
        for (int c = low[axis]; c <= high[axis]; c++)
          sites(axis + 1, cell * grid.axis(axis).cells() + c);
    }

    private void add(int column) {
      if (column > row || seen[column] == row + 1) return;
      seen[column] = row + 1;
      if (count == columns.length) columns = Arrays.copyOf(columns, 2 * count);
      columns[count++] = column;
    }
  }

  /// Adds `Σ v vᵀ/D` over the sites to the entries of the pattern. v is in the order of the sets'
  /// members.
  void addTo(double[] v, double[] variances, double[] values) {
    Parallel.chunks(
        sites.points,
        CHUNK,
        (piece, from, to) -> {
          double[] sums = new double[to];
          for (int r = from; r < to; r++) {
            if (userStarts[r] == userStarts[r + 1]) continue;
            for (int e = userStarts[r]; e < userStarts[r + 1]; e++) {
              int s = users[e];
              int at = place(s, r);
              double scale = v[at] / variances[s];
              for (int i = starts[s]; i <= at; i++) sums[members[i]] += scale * v[i];
            }
            for (int e = pattern.start(r); e < pattern.start(r + 1); e++) {
              values[e] += sums[pattern.column(e)];
              sums[pattern.column(e)] = 0;
            }
          }
        });
  }

  /// `y ← y + Σ v (vᵀx)/D` over the sites.
  void addProduct(double[] v, double[] variances, double[] x, double[] y) {
    double[] t = new double[variances.length];
    for (int s = 0; s < t.length; s++) t[s] = dot(s, v, x) / variances[s];
    Parallel.chunks(
        sites.points,
        CHUNK,
        (piece, from, to) -> {
          for (int r = from; r < to; r++)
            for (int e = userStarts[r]; e < userStarts[r + 1]; e++)
              y[r] += v[place(users[e], r)] * t[users[e]];
        });
  }

  /// `vᵀx` for a site.
  double dot(int site, double[] v, double[] x) {
    double sum = 0;
    for (int i = starts[site]; i < starts[site + 1]; i++) sum += v[i] * x[members[i]];
    return sum;
  }

  /// `out ← Z b` for n points in ascending order. Z is given by its entries, and the pattern must
  /// contain all pairs of the points.
  void product(double[] z, int[] points, int from, int n, double[] b, int bo, double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      int row = points[from + i];
      int end = pattern.start(row + 1);
      int e = pattern.start(row);
      for (int j = 0; j < i; j++) {
        e = pattern.entry(e, end, points[from + j]);
        out[i] += z[e] * b[bo + j];
        out[j] += z[e] * b[bo + i];
      }
      out[i] += z[end - 1] * b[bo + i];
    }
  }

  /// The unknowns of a posterior: all points, or only the nodes without rows if the values at rows
  /// are known.
  Unknowns unknowns(boolean pinned) {
    synchronized (choices) {
      int which = pinned ? 1 : 0;
      Unknowns made = choices[which];
      if (made == null) choices[which] = made = new Unknowns(this, pinned);
      return made;
    }
  }

  /// The bytes of sets and pattern.
  long bytes() {
    return 8L * members.length + 4L * pattern.entries() + 8L * sites.points;
  }
}
