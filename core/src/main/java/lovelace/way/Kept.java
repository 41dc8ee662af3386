package lovelace.way;

import java.util.Locale;
import java.util.Optional;
import lovelace.statistics.Statistics;

/// The data that a model keeps from its rows: the rows themselves, their sums, or their
/// observations by place. The data of parts of a table add up to those of the whole table, in any
/// order up to rounding. Added data can be subtracted again. Immutable.
public sealed interface Kept<K extends Kept<K>>
    permits KeptRows, KeptSums, KeptTrend, KeptObservations, KeptEvents {

  /// The name of the data in messages, such as `the model's rows`.
  String name();

  /// The number of rows of the table.
  long count();

  /// The fingerprint of these rows: the sum of those of its parts.
  long fingerprint();

  /// `Σ log |dz/dy|` of the target's transform over these rows.
  double logJacobian();

  /// The sums of the rows on a lattice; empty if rows or observations are kept.
  default Optional<Statistics> sums() {
    return Optional.empty();
  }

  /// The data of these rows and of the other's.
  K plus(K other);

  /// The data of these rows without the other's, which must be among them.
  K minus(K other);

  /// These data in the form in which another model would have kept them. Its columns may be counted
  /// from other zeros.
  ///
  /// @param by the number added to each column
  /// @param like the data of the other model; these must be on the same lattice
  /// @param names the names of the two models in messages, the other one first
  K shifted(double[] by, K like, Pair names);

  /// Fails if nothing is left.
  ///
  /// @param gone the number of rows that were removed
  /// @param what the name of the rows
  static void requireSome(long left, long gone, String what) {
    if (left == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "forgetting %,d %s leaves none; a model needs at least one",
              gone,
              what));
  }
}
