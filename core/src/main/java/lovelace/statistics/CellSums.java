package lovelace.statistics;

import java.util.Arrays;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import org.jspecify.annotations.Nullable;

/// The growing sums of the cells. They start as one array per occupied cell. Once many cells are
/// occupied they move to one array over all cells, which saves following a reference: 9 ns a row
/// instead of 14 in 1-D.
final class CellSums {

  private static final double[] EMPTY = {};
  private static final int MOST = 1 << 25;
  private static final int NEAR = 1 << 18;

  private final Grid grid;
  private final int width;
  private final long[] counts;
  private double[][] rows;
  private double[] flat = EMPTY;

  CellSums(Grid grid) {
    this.grid = grid;
    width = CellMoments.width(grid.dimensions());
    counts = new long[grid.cells()];
    rows = new double[grid.cells()][];
    Arrays.fill(rows, EMPTY);
  }

  /// Moves the sums into one array if the rows are four times as many as the cells. Call it now and
  /// then, with a lower bound of the number of rows.
  void expect(long count) {
    if (flat.length > 0 || count < 4L * grid.cells() || (long) width * grid.cells() > MOST) return;
    double[] all = new double[width * grid.cells()];
    for (int c = 0; c < rows.length; c++)
      System.arraycopy(rows[c], 0, all, c * width, rows[c].length);
    flat = all;
    rows = new double[0][];
  }

  /// Whether all sums fit a processor's own cache, so that rows can be added in any order at no
  /// extra cost.
  boolean compact() {
    return flat.length > 0 && flat.length <= NEAR;
  }

  /// Adds a row. Several threads may call this at once, for different cells.
  void put(int cell, double[] offset, double y, double weight, double[] scratch) {
    counts[cell]++;
    if (flat.length > 0) {
      CellMoments.add(flat, cell * width, offset, y, weight, scratch);
      return;
    }
    double[] row = rows[cell];
    if (row.length == 0) rows[cell] = row = new double[width];
    CellMoments.add(row, 0, offset, y, weight, scratch);
  }

  /// Adds rows `[from, to)` in order, until one is outside the grid or invalid. Returns that row,
  /// or `to`.
  int putAll(double[] x, double[] y, double @Nullable [] weights, double origin, int from, int to) {
    if (flat.length > 0 && grid.dimensions() == 1 && !grid.snaps())
      return putAll1(x, y, weights, origin, from, to);
    int d = grid.dimensions();
    double[] offset = new double[d];
    double[] scratch = CellMoments.scratch(d);
    for (int i = from; i < to; i++) {
      double weight = weights == null ? 1 : weights[i];
      int cell = grid.locate(x, i * d, offset);
      if (cell < 0 || !GridAccumulator.valid(y[i], weight)) return i;
      put(cell, offset, y[i] - origin, weight, scratch);
    }
    return to;
  }

  /// The most common case on its own, with no lookups inside the loop.
  private int putAll1(
      double[] x, double[] y, double @Nullable [] weights, double origin, int from, int to) {
    Axis axis = grid.axis(0);
    double start = axis.origin();
    double step = axis.step();
    double high = axis.points() - 2 + Axis.SLACK;
    int last = axis.points() - 4;
    double[] sums = flat;
    for (int i = from; i < to; i++) {
      double u = (x[i] - start) / step;
      double weight = weights == null ? 1 : weights[i];
      if (!(u >= 1 - Axis.SLACK && u <= high) || !GridAccumulator.valid(y[i], weight)) return i;
      int cell = Math.max(0, Math.min((int) u - 1, last));
      counts[cell]++;
      CellMoments.add1(sums, cell * 13, u - cell - 1.5, y[i] - origin, weight);
    }
    return to;
  }

  /// Returns the statistics of the rows so far. With `copy`, more rows may be added afterwards.
  GridStatistics statistics(double origin, long skipped, boolean copy) {
    int occupied = 0;
    for (long count : counts) if (count > 0) occupied++;
    int[] cells = new int[occupied];
    long[] kept = new long[occupied];
    double[][] sums = new double[occupied][];
    int next = 0;
    for (int c = 0; c < counts.length; c++) {
      if (counts[c] == 0) continue;
      cells[next] = c;
      kept[next] = counts[c];
      sums[next++] =
          flat.length > 0
              ? Arrays.copyOfRange(flat, c * width, (c + 1) * width)
              : copy ? rows[c].clone() : rows[c];
    }
    return new GridStatistics(grid, origin, cells, kept, sums, skipped);
  }
}
