package lovelace.statistics;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import lovelace.data.Outside;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.grid.OutsideGridException;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Adds up the statistics of rows without keeping the rows. Only one thread may call it at a time.
/// To merge parts of the data, add the [#statistics] of their accumulators. It takes memory for the
/// occupied cells, and for all cells once there are a few rows per cell.
///
/// A large batch of rows is first sorted into bands of cells, in order. The bands then add up their
/// rows in parallel, each within the nearest cache. So every cell sees its rows in order, for any
/// number of threads.
public final class GridAccumulator {

  private static final int CHUNK = 1 << 13;
  private static final int BLOCK = 128; // chunks that are sorted before the bands add them up
  private static final int BANDS = 1 << 8;

  private final Grid grid;
  private final Outside outside;
  private final CellSums sums;
  private final double[] offset;
  private final double[] scratch;
  private double origin = Double.NaN;
  private long count;
  private long skipped;

  public GridAccumulator(Grid grid, Outside outside) {
    this.grid = grid;
    this.outside = outside;
    int d = grid.dimensions();
    sums = new CellSums(grid);
    offset = new double[d];
    scratch = CellMoments.scratch(d);
  }

  /// Adds the observation of y at the point that starts at `x[xo]`.
  public void add(double[] x, int xo, double y) {
    add(x, xo, y, 1);
  }

  /// Adds the observation of y at the point that starts at `x[xo]`, with noise variance σ²/weight.
  public void add(double[] x, int xo, double y, double weight) {
    int cell = grid.locate(x, xo, offset);
    if (cell < 0 || !valid(y, weight)) {
      check(grid, outside, x, xo, y, weight, count + skipped);
      skipped++;
      return;
    }
    if (count == 0) origin = y;
    count++;
    if ((count & (CHUNK - 1)) == 0) sums.expect(count);
    sums.put(cell, offset, y - origin, weight, scratch);
  }

  /// Adds the first `rows` rows of `points` (row-major, d columns), with their targets and weights
  /// (1 if null).
  public void addAll(int rows, double[] points, double[] target, double @Nullable [] weights) {
    for (int i = 0; i < rows && count == 0; i++) {
      double weight = weights == null ? 1 : weights[i];
      if (valid(target[i], weight) && grid.cell(points, i * offset.length) >= 0) {
        origin = target[i];
        break;
      }
    }
    sums.expect(count + rows);
    ForkJoinPool pool = ForkJoinTask.getPool();
    int threads = pool == null ? ForkJoinPool.getCommonPoolParallelism() : pool.getParallelism();
    Batch batch = new Batch(points, target, weights, rows);
    if (rows < 2 * CHUNK || (threads < 2 && sums.compact())) alone(batch);
    else together(batch);
  }

  static boolean valid(double y, double weight) {
    return Math.abs(y) < Double.POSITIVE_INFINITY
        && weight > 0
        && weight < Double.POSITIVE_INFINITY;
  }

  /// Throws if the row is invalid, or if it lies outside and may not be skipped.
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

  private void alone(Batch batch) {
    for (int i = 0; i < batch.rows; i++) {
      int stop = sums.putAll(batch.points, batch.target, batch.weights, origin, i, batch.rows);
      count += stop - i;
      i = stop;
      if (i == batch.rows) break;
      batch.check(i);
      skipped++;
    }
  }

  private void together(Batch batch) {
    int chunks = Parallel.pieces(batch.rows, CHUNK);
    int shift = 0;
    while ((grid.cells() - 1) >> shift >= BANDS) shift++;
    int bands = ((grid.cells() - 1) >> shift) + 1;
    Deal[] deals = new Deal[Math.min(BLOCK, chunks)];
    int down = shift;
    Arrays.setAll(deals, k -> new Deal(offset.length, down, bands, batch.weights != null));
    for (int from = 0; from < chunks; from += BLOCK) {
      int start = from;
      int used = Math.min(BLOCK, chunks - from);
      Parallel.forEach(used, k -> deals[k].take(batch, (start + k) * CHUNK));
      for (int k = 0; k < used; k++) {
        if (deals[k].bad >= 0) batch.check(deals[k].bad);
        count += deals[k].held;
        skipped += deals[k].rows - deals[k].held;
      }
      Parallel.forEach(
          bands,
          band -> {
            double[] place = new double[offset.length];
            double[] room = CellMoments.scratch(place.length);
            for (int k = 0; k < used; k++) deals[k].add(band, place, room);
          });
    }
  }

  /// Returns the statistics of the rows so far. More rows may be added afterwards.
  public GridStatistics statistics() {
    return sums.statistics(count == 0 ? 0 : origin, skipped, true);
  }

  /// As [#statistics], but hands over the sums. The accumulator must not be used again.
  GridStatistics finish() {
    return sums.statistics(count == 0 ? 0 : origin, skipped, false);
  }

  /// The rows of one call.
  private final class Batch {
    final double[] points;
    final double[] target;
    final double @Nullable [] weights;
    final int rows;
    final long before = count + skipped;

    Batch(double[] points, double[] target, double @Nullable [] weights, int rows) {
      this.points = points;
      this.target = target;
      this.weights = weights;
      this.rows = rows;
    }

    double weight(int i) {
      return weights == null ? 1 : weights[i];
    }

    void check(int i) {
      GridAccumulator.check(
          grid, outside, points, i * offset.length, target[i], weight(i), before + i);
    }
  }

  /// A chunk of located rows, sorted by band and in order within each band. The object is reused.
  private final class Deal {
    private final int d;
    private final int stride;
    private final int shift;
    private final int[] bands = new int[CHUNK];
    private final int[] ends;
    private final double[] place;

    /// A row is its cell, its offsets, its target from the origin, and its weight.
    private final double[] found;

    private final double[] sorted;
    private int rows;
    private int held;
    private int bad;

    Deal(int d, int shift, int bandCount, boolean weighted) {
      this.d = d;
      this.shift = shift;
      stride = d + (weighted ? 3 : 2);
      ends = new int[bandCount];
      place = new double[d];
      found = new double[CHUNK * stride];
      sorted = new double[CHUNK * stride];
    }

    /// Locates and sorts a chunk of rows. `bad` becomes the first row that must be refused, or −1.
    void take(Batch batch, int from) {
      Arrays.fill(ends, 0);
      held = 0;
      bad = -1;
      int to = Math.min(batch.rows, from + CHUNK);
      rows = to - from;
      for (int i = from; i < to; i++) {
        double y = batch.target[i];
        double weight = batch.weight(i);
        int cell = grid.locate(batch.points, i * d, place);
        if (cell < 0 || !valid(y, weight)) {
          if (bad < 0 && (outside == Outside.ERROR || !valid(y, weight))) bad = i;
          continue;
        }
        int at = held * stride;
        found[at] = cell;
        for (int a = 0; a < d; a++) found[at + 1 + a] = place[a];
        found[at + d + 1] = y - origin;
        if (stride == d + 3) found[at + d + 2] = weight;
        bands[held++] = cell >> shift;
        ends[cell >> shift]++;
      }
      int sum = 0;
      for (int b = 0; b < ends.length; b++) {
        int size = ends[b];
        ends[b] = sum;
        sum += size;
      }
      for (int i = 0; i < held; i++) {
        int at = ends[bands[i]]++ * stride;
        for (int k = 0; k < stride; k++) sorted[at + k] = found[i * stride + k];
      }
    }

    /// Adds the rows of a band.
    void add(int band, double[] offset, double[] scratch) {
      int at = (band == 0 ? 0 : ends[band - 1]) * stride;
      for (int to = ends[band] * stride; at < to; at += stride) {
        for (int a = 0; a < d; a++) offset[a] = sorted[at + 1 + a];
        double weight = stride == d + 3 ? sorted[at + d + 2] : 1;
        sums.put((int) sorted[at], offset, sorted[at + d + 1], weight, scratch);
      }
    }
  }
}
