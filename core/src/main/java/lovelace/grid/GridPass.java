package lovelace.grid;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The pass over arrays of observations. In parallel, rows are first dealt out to bands of cells,
/// keeping their order, then each band adds up its own rows: every cell sees its rows in order,
/// whatever the threads, and there is one accumulator however many threads there are.
final class GridPass {

  private static final int CHUNK = 1 << 13;
  private static final int BLOCK = 128;
  private static final int BANDS = 256;

  private final Grid grid;
  private final double[] points;
  private final double[] target;
  private final double @Nullable [] weights;
  private final Outside outside;
  private final GridAccumulator sums;

  private GridPass(
      Grid grid, double[] points, double[] target, double @Nullable [] weights, Outside outside) {
    this.grid = grid;
    this.points = points;
    this.target = target;
    this.weights = weights;
    this.outside = outside;
    sums = new GridAccumulator(grid, outside);
  }

  static GridStatistics run(
      Grid grid, double[] points, double[] target, double @Nullable [] weights, Outside outside) {
    int n = target.length;
    int d = grid.dimensions();
    if (points.length != (long) n * d)
      throw new IllegalArgumentException(
          n
              + " targets need "
              + n
              + " points of "
              + d
              + " columns, got "
              + points.length
              + " numbers");
    if (weights != null && weights.length != n)
      throw new IllegalArgumentException(
          n + " targets need as many weights, got " + weights.length);
    GridPass pass = new GridPass(grid, points, target, weights, outside);
    ForkJoinPool pool = ForkJoinTask.getPool();
    int threads = pool == null ? ForkJoinPool.getCommonPoolParallelism() : pool.getParallelism();
    if (n < 2 * CHUNK || threads < 2) pass.alone(n);
    else pass.together(n);
    return pass.sums.finish();
  }

  private void alone(int n) {
    int d = grid.dimensions();
    for (int i = 0; i < n; i++) sums.add(points, i * d, target[i], weight(i));
  }

  private double weight(int i) {
    return weights == null ? 1 : weights[i];
  }

  private void together(int n) {
    int chunks = (n + CHUNK - 1) / CHUNK;
    for (int from = 0; from < chunks; from += BLOCK) {
      int start = from;
      int count = Math.min(BLOCK, chunks - from);
      Deal[] deals = new Deal[count];
      Parallel.forEach(
          count, k -> deals[k] = deal((start + k) * CHUNK, Math.min(n, (start + k + 1) * CHUNK)));
      int first = -1;
      int inside = 0;
      int rows = 0;
      for (Deal deal : deals) {
        if (deal.bad >= 0)
          sums.check(
              points, deal.bad * grid.dimensions(), target[deal.bad], weight(deal.bad), deal.bad);
        if (first < 0 && deal.first >= 0) first = deal.first;
        inside += deal.ends[BANDS - 1];
        rows += deal.rows;
      }
      sums.begin(first < 0 ? Double.NaN : target[first], inside, rows - inside);
      Parallel.forEach(BANDS, band -> addBand(deals, band));
    }
  }

  /// The rows of a chunk by band, in order within each.
  private Deal deal(int from, int to) {
    int d = grid.dimensions();
    int[] band = new int[to - from];
    int[] ends = new int[BANDS];
    int first = -1;
    int bad = -1;
    for (int i = from; i < to; i++) {
      int cell = grid.cell(points, i * d);
      if (cell < 0 || !GridAccumulator.valid(target[i], weight(i))) {
        if (bad < 0 && (outside == Outside.ERROR || !GridAccumulator.valid(target[i], weight(i))))
          bad = i;
        band[i - from] = -1;
        continue;
      }
      if (first < 0) first = i;
      int b = (int) ((long) cell * BANDS / grid.cells());
      band[i - from] = b;
      ends[b]++;
    }
    int sum = 0;
    for (int b = 0; b < BANDS; b++) {
      int count = ends[b];
      ends[b] = sum;
      sum += count;
    }
    int[] order = new int[sum];
    for (int i = from; i < to; i++) if (band[i - from] >= 0) order[ends[band[i - from]]++] = i;
    return new Deal(order, ends, first, bad, to - from);
  }

  private void addBand(Deal[] deals, int band) {
    double[] offset = new double[grid.dimensions()];
    double[] scratch = CellMoments.scratch(offset.length);
    for (Deal deal : deals)
      for (int k = band == 0 ? 0 : deal.ends[band - 1]; k < deal.ends[band]; k++) {
        int i = deal.order[k];
        int cell = grid.locate(points, i * offset.length, offset);
        sums.put(cell, offset, target[i], weight(i), scratch);
      }
  }

  /// One chunk's row numbers sorted by band; band b ends before `ends[b]`.
  private static final class Deal {
    final int[] order;
    final int[] ends;
    final int first;
    final int bad;
    final int rows;

    Deal(int[] order, int[] ends, int first, int bad, int rows) {
      this.order = order;
      this.ends = ends;
      this.first = first;
      this.bad = bad;
      this.rows = rows;
    }
  }
}
