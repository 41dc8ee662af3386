package lovelace.statistics;

import java.util.Arrays;
import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.linear.LinearOperator;
import org.jspecify.annotations.Nullable;

/// Statistics on the stacked grids of an additive model. G has a block `W⁽ⁱ⁾DW⁽ʲ⁾ᵀ` for every pair
/// of components. G is dense up to [#DENSE] points in all, and stored by its nonzero entries beyond
/// that.
public final class AdditiveStatistics implements Statistics {

  /// The most lattice points for which G is kept dense.
  public static final int DENSE = 4096;

  private final AdditiveGrid grid;
  private final double origin;
  private final LinearOperator gram;
  private final double[] projected;
  private final Totals totals;
  private final long[][] counts;
  private volatile @Nullable CompressedWeights compressed;

  record Totals(long count, long skipped, double weightSum, double squares, double logWeights) {}

  /// Takes over everything. `counts[c]` holds the number of observations in each cell of component
  /// c.
  AdditiveStatistics(
      AdditiveGrid grid,
      double origin,
      LinearOperator gram,
      double[] projected,
      Totals totals,
      long[][] counts) {
    this.grid = grid;
    this.origin = origin;
    this.gram = gram;
    this.projected = projected;
    this.totals = totals;
    this.counts = counts;
  }

  /// Statistics of n points (row-major n×d) and their targets.
  public static AdditiveStatistics of(AdditiveGrid grid, double[] points, double[] target) {
    return of(grid, points, target, null, Outside.ERROR);
  }

  /// Statistics of n points (row-major n×d), their targets, and their weights if any.
  public static AdditiveStatistics of(
      AdditiveGrid grid,
      double[] points,
      double[] target,
      double @Nullable [] weights,
      Outside outside) {
    int n = target.length;
    int d = grid.dimensions();
    if (points.length != (long) n * d)
      throw new IllegalArgumentException(
          n + " targets need " + n + " points of " + d + " columns, got " + points.length);
    if (weights != null && weights.length != n)
      throw new IllegalArgumentException(
          n + " targets need one weight each, got " + weights.length);
    AdditiveAccumulator sums = new AdditiveAccumulator(grid, outside);
    for (int i = 0; i < n; i++)
      sums.add(points, i * d, target[i], weights == null ? 1 : weights[i]);
    return sums.statistics();
  }

  /// Puts statistics together from the parts that the accessors return, and takes them over. The
  /// cell counts of the components follow one another, and `totals` holds Σd, yᵀDy and Σ log d.
  public static AdditiveStatistics assemble(
      AdditiveGrid grid,
      double origin,
      long[] gramKeys,
      double[] gramValues,
      double[] projected,
      long[] cellCounts,
      long count,
      long skipped,
      double[] totals) {
    int m = grid.size();
    if (projected.length != m || gramKeys.length != gramValues.length || totals.length != 3)
      throw new IllegalArgumentException("its statistics do not fit its grids");
    for (int k = 0; k < gramKeys.length; k++) {
      long row = gramKeys[k] >>> 32;
      long column = gramKeys[k] & 0xffffffffL;
      if (!(row <= column && column < m && (k == 0 || gramKeys[k] > gramKeys[k - 1])))
        throw new IllegalArgumentException("its Gram matrix has an entry out of place");
    }
    long[][] counts = new long[grid.components()][];
    int at = 0;
    for (int c = 0; c < counts.length; c++) {
      int cells = grid.component(c).grid().cells();
      if (cells > cellCounts.length - at)
        throw new IllegalArgumentException("it has fewer cells than its grids");
      counts[c] = Arrays.copyOfRange(cellCounts, at, at += cells);
      long sum = 0;
      for (long n : counts[c]) {
        if (n < 0) throw new IllegalArgumentException("a cell holds " + n + " rows");
        sum += n;
      }
      if (sum != count)
        throw new IllegalArgumentException(
            "the rows in its cells do not add up to its number of rows");
    }
    if (at != cellCounts.length)
      throw new IllegalArgumentException("it has more cells than its grids");
    LinearOperator gram =
        m <= DENSE
            ? DenseGram.of(m, gramKeys, gramValues)
            : new SymmetricEntries(m, gramKeys, gramValues);
    return new AdditiveStatistics(
        grid,
        origin,
        gram,
        projected,
        new Totals(count, skipped, totals[0], totals[1], totals[2]),
        counts);
  }

  /// The number of observations in each cell of component c. Not a copy: read only.
  public long[] cellCounts(int c) {
    return counts[c];
  }

  /// The positions of the nonzero entries of G on and above the diagonal, as `row·2³² + column`,
  /// ascending.
  public long[] gramKeys() {
    return gram instanceof SymmetricEntries g ? g.keys() : ((DenseGram) gram).keys();
  }

  /// The entries of [#gramKeys].
  public double[] gramValues() {
    return gram instanceof SymmetricEntries g ? g.values() : ((DenseGram) gram).values();
  }

  public AdditiveGrid grid() {
    return grid;
  }

  @Override
  public Lattice lattice() {
    return grid;
  }

  @Override
  public LinearOperator gram() {
    return gram;
  }

  /// G row by row if it is kept dense, otherwise null. The caller must not modify it.
  public double @Nullable [] dense() {
    return gram instanceof DenseGram g ? g.entries() : null;
  }

  @Override
  public long count() {
    return totals.count;
  }

  @Override
  public long skipped() {
    return totals.skipped;
  }

  @Override
  public double weightSum() {
    return totals.weightSum;
  }

  @Override
  public double logWeights() {
    return totals.logWeights;
  }

  @Override
  public double origin() {
    return origin;
  }

  @Override
  public double[] projected() {
    return projected.clone();
  }

  @Override
  public double squares() {
    return totals.squares;
  }

  public AdditiveStatistics plus(AdditiveStatistics other) {
    return combine(other, 1);
  }

  /// Returns the statistics without the observations of the other, which must be among these.
  /// Lattice points that no observation reaches any more get exact zeros.
  public AdditiveStatistics minus(AdditiveStatistics other) {
    return combine(other, -1);
  }

  private AdditiveStatistics combine(AdditiveStatistics other, int sign) {
    if (!grid.equals(other.grid))
      throw new IllegalArgumentException(
          "statistics lie on different grids, " + grid + " and " + other.grid);
    double about = totals.count == 0 ? other.origin : origin;
    double delta = other.origin - about;
    long[][] left = new long[counts.length][];
    for (int c = 0; c < left.length; c++) {
      left[c] = counts[c].clone();
      for (int i = 0; i < left[c].length; i++) {
        left[c][i] += sign * other.counts[c][i];
        if (left[c][i] < 0)
          throw new IllegalArgumentException(
              "cannot remove more observations than a cell holds; subtract only what was added");
      }
    }
    boolean[] kept = reached(left);
    int m = grid.size();
    // moves the other to the common origin: b + δG1, yy + 2δ1ᵀb + δ²1ᵀG1
    double[] one = grid.constant();
    double[] mass = new double[m];
    other.gram.apply(one, mass);
    double sum = 0;
    double[] b = new double[m];
    for (int i = 0; i < m; i++) {
      sum += one[i] * other.projected[i];
      if (kept[i]) b[i] = projected[i] + sign * (other.projected[i] + delta * mass[i]);
    }
    Totals t = other.totals;
    double squares = t.squares + delta * (2 * sum + delta * t.weightSum);
    long n = totals.count + sign * t.count;
    Totals merged =
        n == 0
            ? new Totals(0, Math.max(0, totals.skipped + sign * t.skipped), 0, 0, 0)
            : new Totals(
                n,
                Math.max(0, totals.skipped + sign * t.skipped),
                totals.weightSum + sign * t.weightSum,
                totals.squares + sign * squares,
                totals.logWeights + sign * t.logWeights);
    LinearOperator both;
    if (gram instanceof DenseGram g && other.gram instanceof DenseGram h)
      both = g.combine(sign, h, kept);
    else if (gram instanceof SymmetricEntries g && other.gram instanceof SymmetricEntries h)
      both = g.combine(sign, h, kept);
    else throw new IllegalStateException("one grid, two forms of G");
    return new AdditiveStatistics(grid, about, both, b, merged, left);
  }

  /// Marks the lattice points in the stencil of some occupied cell.
  private boolean[] reached(long[][] cellCounts) {
    boolean[] kept = new boolean[grid.size()];
    for (int c = 0; c < cellCounts.length; c++) {
      Grid own = grid.component(c).grid();
      int[] shifts = own.stencilShifts();
      for (int i = 0; i < cellCounts[c].length; i++) {
        if (cellCounts[c][i] == 0) continue;
        int corner = grid.start(c) + own.corner(i);
        for (int shift : shifts) kept[corner + shift] = true;
      }
    }
    return kept;
  }

  @Override
  public long rankBound() {
    return Math.min(totals.count, grid.size());
  }

  /// A root of G by pivoted Cholesky of the whole matrix, O(m n′²). Works only if G is kept dense.
  @Override
  public CompressedWeights compressed() {
    CompressedWeights known = compressed;
    if (known != null) return known;
    if (!(gram instanceof DenseGram g))
      throw new UnsupportedOperationException(
          "compressed weights of an additive grid need at most "
              + DENSE
              + " lattice points, got "
              + grid.size());
    int m = grid.size();
    int[] shifts = new int[m];
    Arrays.setAll(shifts, i -> i);
    double[][] targets = new double[1][m];
    double[][] blocks = {
      CompressedWeights.root(g.entries(), m, totals.count, projected.clone(), targets[0])
    };
    compressed = known = new CompressedWeights(m, shifts, new int[1], blocks, targets);
    return known;
  }

  @Override
  public String toString() {
    return GridText.count(totals.count) + " observations on " + grid;
  }
}
