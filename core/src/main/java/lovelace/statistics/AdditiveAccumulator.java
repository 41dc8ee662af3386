package lovelace.statistics;

import java.util.Arrays;
import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// Adds up the statistics of an additive model from rows, a buffer at a time. Only one thread may
/// call it at a time. Each pair of components sums its block in the order of the rows.
public final class AdditiveAccumulator {

  private static final int BUFFER = 2048;

  private final AdditiveGrid grid;
  private final Outside outside;
  private final int stencil;
  private final int parts;
  private final int[] offsets;
  private final int[][] index = new int[BUFFER][];
  private final double[][] weight = new double[BUFFER][];
  private final double[] factor = new double[BUFFER];
  private final double[] dense;
  private final SymmetricEntries.Sums[] sparse;
  private final double[] projected;
  private final long[][] counts;
  private final double[] own = new double[4];
  private double origin;
  private int buffered;
  private long count;
  private long skipped;
  private double weightSum;
  private double squares;
  private double logWeights;

  public AdditiveAccumulator(AdditiveGrid grid, Outside outside) {
    this.grid = grid;
    this.outside = outside;
    stencil = grid.stencilSize();
    parts = grid.components();
    offsets = new int[parts + 1];
    counts = new long[parts][];
    for (int c = 0; c < parts; c++) {
      offsets[c + 1] = offsets[c] + grid.component(c).grid().stencilSize();
      counts[c] = new long[grid.component(c).grid().cells()];
    }
    int m = grid.size();
    boolean full = m <= AdditiveStatistics.DENSE;
    dense = new double[full ? m * m : 0];
    sparse = new SymmetricEntries.Sums[full ? 0 : parts * (parts + 1) / 2];
    Arrays.setAll(sparse, k -> new SymmetricEntries.Sums());
    projected = new double[m];
    for (int i = 0; i < BUFFER; i++) {
      index[i] = new int[stencil];
      weight[i] = new double[stencil];
    }
  }

  /// Adds the observation of y at the point that starts at `x[xo]`, with noise variance σ²/weight.
  public void add(double[] x, int xo, double y, double noiseWeight) {
    boolean valid = GridAccumulator.valid(y, noiseWeight);
    if (!valid || !grid.stencil(x, xo, index[buffered], weight[buffered])) {
      GridAccumulator.check(grid, outside, x, xo, y, noiseWeight, count + skipped);
      skipped++;
      return;
    }
    if (count == 0) origin = y;
    count++;
    double r = y - origin;
    weightSum += noiseWeight;
    squares += noiseWeight * r * r;
    if (noiseWeight != 1) logWeights += Math.log(noiseWeight);
    int[] places = index[buffered];
    double[] w = weight[buffered];
    for (int k = 0; k < stencil; k++) projected[places[k]] += noiseWeight * r * w[k];
    for (int c = 0; c < parts; c++) {
      AdditiveGrid.Component part = grid.component(c);
      for (int a = 0; a < part.grid().dimensions(); a++) own[a] = x[xo + part.column(a)];
      counts[c][part.grid().cell(own, 0)]++;
    }
    factor[buffered++] = noiseWeight;
    if (buffered == BUFFER) flush();
  }

  private void flush() {
    int rows = buffered;
    buffered = 0;
    Parallel.forEach(
        parts * (parts + 1) / 2,
        pair -> {
          int i = 0;
          int j = pair;
          while (j >= parts - i) j -= parts - i++;
          addPair(pair, i, i + j, rows);
        });
  }

  /// Adds the block of components i ≤ j. Within a component it adds only entries on and above the
  /// diagonal.
  private void addPair(int pair, int i, int j, int rows) {
    int m = grid.size();
    for (int row = 0; row < rows; row++) {
      int[] places = index[row];
      double[] w = weight[row];
      for (int p = offsets[i]; p < offsets[i + 1]; p++) {
        double f = factor[row] * w[p];
        for (int q = i == j ? p : offsets[j]; q < offsets[j + 1]; q++)
          if (dense.length > 0) dense[places[p] * m + places[q]] += f * w[q];
          else sparse[pair].add(SymmetricEntries.key(places[p], places[q]), f * w[q]);
      }
    }
  }

  /// Returns the statistics of the rows so far. More rows may be added afterwards.
  public AdditiveStatistics statistics() {
    flush();
    long[][] copies = new long[parts][];
    for (int c = 0; c < parts; c++) copies[c] = counts[c].clone();
    return new AdditiveStatistics(
        grid,
        count == 0 ? 0 : origin,
        dense.length > 0 ? mirrored() : entries(),
        projected.clone(),
        new AdditiveStatistics.Totals(count, skipped, weightSum, squares, logWeights),
        copies);
  }

  private LinearOperator mirrored() {
    int m = grid.size();
    double[] full = dense.clone();
    for (int i = 0; i < m; i++) for (int j = 0; j < i; j++) full[i * m + j] = full[j * m + i];
    return new DenseGram(m, full);
  }

  private LinearOperator entries() {
    int total = 0;
    for (SymmetricEntries.Sums sums : sparse) total = Math.addExact(total, sums.count());
    long[] keys = new long[total];
    int filled = 0;
    for (SymmetricEntries.Sums sums : sparse) filled = sums.keys(keys, filled);
    Arrays.parallelSort(keys);
    double[] values = new double[total];
    for (SymmetricEntries.Sums sums : sparse) sums.values(keys, values);
    return new SymmetricEntries(grid.size(), keys, values);
  }
}
