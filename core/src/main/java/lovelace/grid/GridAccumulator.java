package lovelace.grid;

import java.util.Arrays;

/// Adds up the statistics of rows as they come, without keeping them; one thread at a time.
/// Accumulators of parts of the data are merged by adding their [#statistics]. Memory is that of
/// the occupied cells.
public final class GridAccumulator {

  private static final double[] EMPTY = {};

  private final Grid grid;
  private final Outside outside;
  private final double[][] rows;
  private final long[] counts;
  private final double[] offset;
  private final double[] scratch;
  private final int width;
  private double origin = Double.NaN;
  private long count;
  private long skipped;

  public GridAccumulator(Grid grid, Outside outside) {
    this.grid = grid;
    this.outside = outside;
    int d = grid.dimensions();
    rows = new double[grid.cells()][];
    Arrays.fill(rows, EMPTY);
    counts = new long[grid.cells()];
    offset = new double[d];
    scratch = CellMoments.scratch(d);
    width = CellMoments.width(d);
  }

  /// Adds the observation of y at the point that starts at `x[xo]`.
  public void add(double[] x, int xo, double y) {
    add(x, xo, y, 1);
  }

  /// Adds the observation of y at the point that starts at `x[xo]`, with noise variance σ²/weight.
  public void add(double[] x, int xo, double y, double weight) {
    int cell = grid.locate(x, xo, offset);
    if (cell < 0 || !valid(y, weight)) {
      check(x, xo, y, weight, count + skipped);
      skipped++;
      return;
    }
    if (count == 0) origin = y;
    count++;
    put(cell, offset, y, weight, scratch);
  }

  static boolean valid(double y, double weight) {
    return Math.abs(y) < Double.POSITIVE_INFINITY
        && weight > 0
        && weight < Double.POSITIVE_INFINITY;
  }

  /// Fails if the row may be neither added nor skipped.
  void check(double[] x, int xo, double y, double weight, long row) {
    check(grid, outside, x, xo, y, weight, row);
  }

  static void check(
      Lattice lattice, Outside outside, double[] x, int xo, double y, double weight, long row) {
    String at = "row " + GridText.count(row + 1);
    if (!(Math.abs(y) < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(
          at + ": the target must be finite, got " + y + "; drop the row");
    if (!valid(y, weight))
      throw new IllegalArgumentException(
          at + ": the weight must be > 0 and finite, got " + weight + "; drop the row");
    int column = lattice.outsideColumn(x, xo);
    if (column >= 0 && outside == Outside.ERROR)
      throw new OutsideGridException(lattice, row, column, x[xo + column]);
  }

  /// Adds to a cell; threads may call this at once for different cells, after [#begin].
  void put(int cell, double[] offset, double y, double weight, double[] scratch) {
    double[] row = rows[cell];
    if (row.length == 0) rows[cell] = row = new double[width];
    counts[cell]++;
    if (offset.length == 1) CellMoments.add1(row, offset[0], y - origin, weight);
    else CellMoments.add(row, offset, y - origin, weight, scratch);
  }

  /// Records rows that [#put] will add.
  void begin(double first, long added, long left) {
    if (count == 0) origin = first;
    count += added;
    skipped += left;
  }

  /// The statistics so far; adding may continue.
  public GridStatistics statistics() {
    return finish(true);
  }

  /// As [#statistics], giving the sums away: the accumulator must not be used again.
  GridStatistics finish() {
    return finish(false);
  }

  private GridStatistics finish(boolean copy) {
    int occupied = 0;
    for (double[] row : rows) if (row.length > 0) occupied++;
    int[] cells = new int[occupied];
    long[] kept = new long[occupied];
    double[][] sums = new double[occupied][];
    int next = 0;
    for (int c = 0; c < rows.length; c++) {
      if (rows[c].length == 0) continue;
      cells[next] = c;
      kept[next] = counts[c];
      sums[next++] = copy ? rows[c].clone() : rows[c];
    }
    return new GridStatistics(grid, count == 0 ? 0 : origin, cells, kept, sums, skipped);
  }
}
