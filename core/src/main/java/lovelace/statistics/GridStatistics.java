package lovelace.statistics;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import lovelace.data.Outside;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Keys;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.linear.LinearOperator;
import org.jspecify.annotations.Nullable;

/// Statistics of observations on a regular grid, from one pass. They are kept as the moments of the
/// occupied cells, 7ᵈ + 4ᵈ + 2 numbers each. Moments can be added and subtracted, and a cell
/// vanishes with its last observation. G, b and the compressed weights are linear functions of
/// them. Every cell sums in the order of the rows, so the bits depend neither on threads nor on how
/// rows were delivered.
public final class GridStatistics implements Statistics, Serializable {

  /// Squared distances from a node up to this, in cells, are rounding.
  private static final double NODE = 1e-15;

  private final Grid grid;
  private final double origin;
  private final int[] cells;
  private final long[] counts;
  private final double[][] rows;
  private final long skipped;
  private final long count;
  private final double weightSum;
  private final double squares;
  private final double logWeights;
  private volatile @Nullable LinearOperator gram;
  private volatile double @Nullable [] projected;
  private volatile @Nullable CompressedWeights compressed;

  /// Takes over the arrays. Cells ascend, and no count is 0.
  GridStatistics(
      Grid grid, double origin, int[] cells, long[] counts, double[][] rows, long skipped) {
    this.grid = grid;
    this.origin = origin;
    this.cells = cells;
    this.counts = counts;
    this.rows = rows;
    this.skipped = skipped;
    int last = CellMoments.width(grid.dimensions()) - 1;
    long n = 0;
    double sum = 0;
    double yy = 0;
    double logs = 0;
    for (int c = 0; c < cells.length; c++) {
      n += counts[c];
      sum += rows[c][0];
      yy += rows[c][last - 1];
      logs += rows[c][last];
    }
    count = n;
    weightSum = sum;
    squares = yy;
    logWeights = logs;
  }

  public static GridStatistics empty(Grid grid) {
    return new GridStatistics(grid, 0, new int[0], new long[0], new double[0][], 0);
  }

  /// Statistics of n points (row-major n×d) and their targets.
  public static GridStatistics of(Grid grid, double[] points, double[] target) {
    return of(grid, points, target, null, Outside.ERROR);
  }

  /// Statistics of n points (row-major n×d), their targets, and their weights if any (noise
  /// variance σ²/weight).
  public static GridStatistics of(
      Grid grid, double[] points, double[] target, double @Nullable [] weights, Outside outside) {
    int n = target.length;
    int d = grid.dimensions();
    if (points.length != (long) n * d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d targets need %d points of %d columns, got %d numbers",
              n,
              n,
              d,
              points.length));
    if (weights != null && weights.length != n)
      throw new IllegalArgumentException(
          n + " targets need one weight each, got " + weights.length);
    var sums = new GridAccumulator(grid, outside);
    sums.addAll(n, points, target, weights);
    return sums.finish();
  }

  public Grid grid() {
    return grid;
  }

  @Override
  public Lattice lattice() {
    return grid;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public long skipped() {
    return skipped;
  }

  @Override
  public double weightSum() {
    return weightSum;
  }

  @Override
  public double logWeights() {
    return logWeights;
  }

  @Override
  public double origin() {
    return origin;
  }

  @Override
  public double squares() {
    return squares;
  }

  /// Whether every observation lies on a node of the grid, to rounding. Along each axis the sum of
  /// w(t² − ¼)² is then 0 in every cell.
  public boolean onNodes() {
    int d = grid.dimensions();
    for (double[] row : rows)
      for (int a = 0, stride = Keys.power(7, d - 1); a < d; a++, stride /= 7)
        if (row[4 * stride] - row[2 * stride] / 2 + row[0] / 16 > NODE * row[0]) return false;
    return true;
  }

  /// Whether an offset in a cell, as [Grid#locate] gives it, is a node to rounding.
  public static boolean isNode(double offset) {
    double off = offset * offset - 0.25;
    return off * off <= NODE;
  }

  /// The number of cells that hold observations.
  public int occupiedCells() {
    return cells.length;
  }

  /// The number of the c-th occupied cell. The numbers ascend.
  public int occupiedCell(int c) {
    return cells[c];
  }

  /// The number of observations in the c-th occupied cell.
  public long occupiedCount(int c) {
    return counts[c];
  }

  /// The sums of the c-th occupied cell. Not a copy: the caller must not modify them. Layout: `Σ w
  /// t^p` (7ᵈ, offsets t from the middle of the cell, last axis fastest), `Σ w (y − origin) t^p`
  /// (4ᵈ), `Σ w (y − origin)²`, `Σ log w`.
  public double[] occupiedMoments(int c) {
    return rows[c];
  }

  /// The weighted means of the observations of every occupied cell: position and target, `d + 1`
  /// numbers per cell.
  public double[] averages() {
    int d = grid.dimensions();
    int targets = (int) Math.round(Math.pow(7, d));
    double[] all = new double[cells.length * (d + 1)];
    for (int c = 0; c < cells.length; c++) {
      double[] row = rows[c];
      int rest = cells[c];
      int power = 1; // the index of Σ w t along the axis
      for (int a = d - 1; a >= 0; a--) {
        Axis axis = grid.axis(a);
        double middle = axis.at(rest % axis.cells() + 1) + 0.5 * axis.step();
        all[c * (d + 1) + a] = middle + row[power] / row[0] * axis.step();
        rest /= axis.cells();
        power *= 7;
      }
      all[c * (d + 1) + d] = origin + row[targets] / row[0];
    }
    return all;
  }

  /// The number of sums of a cell with d axes, `7ᵈ + 4ᵈ + 2`.
  public static int momentCount(int dimensions) {
    return CellMoments.width(dimensions);
  }

  /// Puts statistics together from the parts that the accessors return.
  public static GridStatistics assemble(
      Grid grid, double origin, int[] cells, long[] counts, double[][] moments, long skipped) {
    int width = CellMoments.width(grid.dimensions());
    if (counts.length != cells.length || moments.length != cells.length)
      throw new IllegalArgumentException("cells, counts and moments differ in number");
    if (!Double.isFinite(origin) || skipped < 0)
      throw new IllegalArgumentException("origin must be finite and skipped ≥ 0");
    double[][] copies = new double[cells.length][];
    for (int c = 0; c < cells.length; c++) {
      if (cells[c] < 0 || cells[c] >= grid.cells() || (c > 0 && cells[c] <= cells[c - 1]))
        throw new IllegalArgumentException("cell numbers must ascend within the grid's");
      if (counts[c] <= 0 || moments[c].length != width)
        throw new IllegalArgumentException(
            "an occupied cell has a count > 0 and " + width + " moments");
      copies[c] = moments[c].clone();
    }
    return new GridStatistics(grid, origin, cells.clone(), counts.clone(), copies, skipped);
  }

  /// G, as its diagonals for up to three axes (see [#stencil]). With four axes 1201 diagonals would
  /// be larger than the data, so G is the product of the compressed weights.
  @Override
  public LinearOperator gram() {
    return grid.dimensions() < 4 ? stencil() : compressed().gram();
  }

  /// G as its diagonals.
  public StencilMatrix stencil() {
    if (gram instanceof StencilMatrix known) return known;
    StencilMatrix made = new MomentMap(grid).gram(cells, rows);
    gram = made;
    return made;
  }

  @Override
  public double[] projected() {
    double[] known = projected;
    if (known == null) projected = known = new MomentMap(grid).projected(cells, rows);
    return known.clone();
  }

  /// `Σ min(count, 4ᵈ)` over the cells.
  @Override
  public long rankBound() {
    long sum = 0;
    for (long n : counts) sum += Math.min(n, grid.stencilSize());
    return sum;
  }

  @Override
  public CompressedWeights compressed() {
    CompressedWeights known = compressed;
    if (known == null) compressed = known = CompressedWeights.of(this);
    return known;
  }

  /// Returns the statistics of both data sets together. The origin is that of this object, or of
  /// the other if this is empty.
  public GridStatistics plus(GridStatistics other) {
    return combine(other, 1);
  }

  /// Returns the statistics without the observations of the other, which must be among these.
  public GridStatistics minus(GridStatistics other) {
    return combine(other, -1);
  }

  /// Returns the statistics of the same observations with every weight multiplied by a factor > 0.
  /// This is the same as `σ²/factor` in place of σ². Sums scale, counts stay, and `Σ log w` moves
  /// by `n log factor`. A cell whose weights have faded to less than 2⁻⁶⁰ in all is dropped, with
  /// its count.
  public GridStatistics scaled(double factor) {
    if (!(factor > 0 && factor < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException("factor must be > 0 and finite, got " + factor);
    double log = Math.log(factor);
    int[] kept = new int[cells.length];
    long[] keptCounts = new long[cells.length];
    double[][] keptRows = new double[cells.length][];
    int next = 0;
    for (int c = 0; c < cells.length; c++) {
      if (!(rows[c][0] * factor >= 0x1p-60)) continue;
      double[] row = rows[c].clone();
      for (int k = 0; k < row.length - 1; k++) row[k] *= factor;
      row[row.length - 1] += counts[c] * log;
      kept[next] = cells[c];
      keptCounts[next] = counts[c];
      keptRows[next++] = row;
    }
    return new GridStatistics(
        grid,
        origin,
        Arrays.copyOf(kept, next),
        Arrays.copyOf(keptCounts, next),
        Arrays.copyOf(keptRows, next),
        skipped);
  }

  /// Returns the same sums with another number of skipped observations.
  public GridStatistics withSkipped(long value) {
    if (value < 0) throw new IllegalArgumentException("skipped must be >= 0, got " + value);
    return new GridStatistics(grid, origin, cells, counts, rows, value);
  }

  private GridStatistics combine(GridStatistics other, int sign) {
    if (!grid.equals(other.grid))
      throw new IllegalArgumentException(
          "statistics lie on different grids, a " + grid + " and a " + other.grid);
    double about = count == 0 ? other.origin : origin;
    double delta = other.origin - about;
    int d = grid.dimensions();
    int[] merged = new int[cells.length + other.cells.length];
    long[] mergedCounts = new long[merged.length];
    double[][] mergedRows = new double[merged.length][];
    int next = 0;
    for (int i = 0, j = 0; i < cells.length || j < other.cells.length; ) {
      int mine = i < cells.length ? cells[i] : Integer.MAX_VALUE;
      int theirs = j < other.cells.length ? other.cells[j] : Integer.MAX_VALUE;
      int cell = Math.min(mine, theirs);
      long n = mine == cell ? counts[i] : 0;
      double[] row = mine == cell ? rows[i] : new double[0];
      if (theirs == cell) {
        n += sign * other.counts[j];
        if (n < 0)
          throw new IllegalArgumentException(
              "cannot remove "
                  + other.counts[j]
                  + " observations from cell "
                  + cell
                  + ", which holds "
                  + (n + other.counts[j])
                  + "; subtract only what was added");
        double[] with = delta == 0 ? other.rows[j] : CellMoments.moved(other.rows[j], d, delta);
        row = row.length == 0 ? with : added(row, with, sign);
        j++;
      }
      if (mine == cell) i++;
      if (n == 0) continue;
      merged[next] = cell;
      mergedCounts[next] = n;
      mergedRows[next++] = row;
    }
    return new GridStatistics(
        grid,
        about,
        Arrays.copyOf(merged, next),
        Arrays.copyOf(mergedCounts, next),
        Arrays.copyOf(mergedRows, next),
        Math.max(0, skipped + sign * other.skipped));
  }

  private static double[] added(double[] row, double[] with, int sign) {
    double[] sum = row.clone();
    for (int k = 0; k < sum.length; k++) sum[k] += sign * with[k];
    return sum;
  }

  /// Writes the statistics for another process; see [GridCodec].
  public void write(DataOutput out) throws IOException {
    GridCodec.write(this, out);
  }

  /// Reads what [#write] wrote.
  public static GridStatistics read(DataInput in) throws IOException {
    return GridCodec.read(in);
  }

  private Object writeReplace() {
    return new GridCodec.Form(this);
  }

  /// The number of observations in every cell of the grid.
  public long[] cellCounts() {
    long[] all = new long[grid.cells()];
    for (int c = 0; c < cells.length; c++) all[cells[c]] = counts[c];
    return all;
  }

  /// For example `1,503 observations in 812 of 9,409 cells of a 100×100 grid over …`.
  @Override
  public String toString() {
    return GridText.count(count)
        + " observations in "
        + GridText.count(cells.length)
        + " of "
        + GridText.count(grid.cells())
        + " cells of a "
        + grid;
  }
}
