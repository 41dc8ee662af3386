package lovelace.series.counts;

import java.util.SplittableRandom;

/// The next steps of a series as one point of the library sees them. Immutable.
interface Future {

  /// The logarithm of the mass or density at a step.
  double log(int step, double y);

  /// P(value ≤ y).
  double cdf(int step, double y);

  double mean(int step);

  /// A joint path.
  double[] path(SplittableRandom random);
}
