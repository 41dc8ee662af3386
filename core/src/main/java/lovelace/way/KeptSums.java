package lovelace.way;

import java.util.Optional;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// The sums of rows on a lattice.
public record KeptSums(Statistics statistics, double logJacobian, long fingerprint)
    implements Kept<KeptSums> {

  @Override
  public String name() {
    return "the statistics on the same grid";
  }

  @Override
  public long count() {
    return statistics.count();
  }

  @Override
  public Optional<Statistics> sums() {
    return Optional.of(statistics);
  }

  @Override
  public KeptSums plus(KeptSums other) {
    Statistics all =
        switch (statistics) {
          case GridStatistics mine -> mine.plus(other.grid());
          case AdditiveStatistics mine -> mine.plus(other.additive());
        };
    return new KeptSums(all, logJacobian + other.logJacobian, fingerprint + other.fingerprint);
  }

  @Override
  public KeptSums minus(KeptSums other) {
    Statistics left =
        switch (statistics) {
          case GridStatistics mine -> mine.minus(other.grid());
          case AdditiveStatistics mine -> mine.minus(other.additive());
        };
    Kept.requireSome(left.count(), other.count(), "rows");
    return new KeptSums(left, logJacobian - other.logJacobian, fingerprint - other.fingerprint);
  }

  private GridStatistics grid() {
    if (statistics instanceof GridStatistics grid) return grid;
    throw differentShapes();
  }

  private AdditiveStatistics additive() {
    if (statistics instanceof AdditiveStatistics sum) return sum;
    throw differentShapes();
  }

  private static IllegalArgumentException differentShapes() {
    return new IllegalArgumentException(
        "one model is a sum of functions, the other is not; fit both with the same shape");
  }

  @Override
  public KeptSums shifted(double[] by, KeptSums like, Pair names) {
    return new KeptSums(shifted(statistics, by, like.statistics, names), logJacobian, fingerprint);
  }

  /// The sums moved to the lattice of others. It has the same places, but times may be counted from
  /// another day.
  static Statistics shifted(Statistics sums, double[] by, Statistics like, Pair names) {
    if (!(like instanceof GridStatistics mine && sums instanceof GridStatistics theirs)) {
      boolean same = like.lattice().equals(sums.lattice());
      for (double shift : by) same &= shift == 0;
      if (!same) throw names.differentGrids(like.lattice(), sums.lattice());
      return sums;
    }
    requireSame(theirs.grid(), by, mine.grid(), names);
    int c = theirs.occupiedCells();
    int[] cells = new int[c];
    long[] counts = new long[c];
    double[][] moments = new double[c][];
    for (int i = 0; i < c; i++) {
      cells[i] = theirs.occupiedCell(i);
      counts[i] = theirs.occupiedCount(i);
      moments[i] = theirs.occupiedMoments(i);
    }
    return GridStatistics.assemble(
        mine.grid(), theirs.origin(), cells, counts, moments, theirs.skipped());
  }

  /// Fails unless two grids cover the same places with the same number of cells.
  static void requireSame(Grid theirs, double[] by, Grid mine, Pair names) {
    boolean same = mine.dimensions() == theirs.dimensions();
    for (int j = 0; same && j < mine.dimensions(); j++) {
      Axis x = mine.axis(j);
      Axis y = theirs.axis(j);
      double slack = 1e-9 * x.step();
      double shift = j < by.length ? by[j] : 0; // a map may make more features than columns
      same =
          x.points() == y.points()
              && Math.abs(x.low() - y.low() - shift) <= slack
              && Math.abs(x.high() - y.high() - shift) <= slack;
    }
    if (!same) throw names.differentGrids(mine, theirs);
  }
}
