package lovelace.series.counts;

import java.util.List;

/// The facts learned about the counts, or the amounts, of a table.
///
/// @param pool how much these models count beside the library of processes
/// @param series the number of series learned from
@SuppressWarnings("ArrayRecordComponent")
record Family(Prior prior, Shares shares, double[] pool, int series) {

  /// Before anything is learned.
  static Family start(Support support, int seasons) {
    return support == Support.COUNTS
        ? new Family(
            Prior.counts(List.of()), Shares.even(Point.counts(seasons).size()), Pool.COUNTS, 0)
        : new Family(
            Prior.amounts(List.of()), Shares.even(Point.amounts(seasons).size()), Pool.AMOUNTS, 0);
  }
}
