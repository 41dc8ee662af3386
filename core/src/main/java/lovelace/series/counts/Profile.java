package lovelace.series.counts;

/// Seasonal factors, learned from the past of one series. The factor of a place in a period is `(c
/// + Σ seen)/(c + Σ expected)`, which is gamma–Poisson with a prior of mean 1 and c counts. Sums
///   forget a little with each season. Several periods multiply.
final class Profile {

  /// The prior is worth as many counts.
  private static final double PRIOR = 6;

  /// How much of the sums stays from season to season.
  private static final double KEPT = 0.98;

  private final int[] periods;
  private final double[][] seen;
  private final double[][] expected;

  Profile(int... periods) {
    this.periods = periods;
    seen = new double[periods.length][];
    expected = new double[periods.length][];
    for (int p = 0; p < periods.length; p++) {
      seen[p] = new double[periods[p]];
      expected[p] = new double[periods[p]];
    }
  }

  /// The factor at a step.
  double at(int step) {
    double factor = 1;
    for (int p = 0; p < periods.length; p++) {
      int i = step % periods[p];
      factor *= (PRIOR + seen[p][i]) / (PRIOR + expected[p][i]);
    }
    return factor;
  }

  /// Learns from a value.
  ///
  /// @param value what was seen, with a weight
  /// @param level what was expected without a season, with the same weight
  /// @param all the factor at the step
  void add(int step, double value, double level, double all) {
    for (int p = 0; p < periods.length; p++) {
      int i = step % periods[p];
      double own = (PRIOR + seen[p][i]) / (PRIOR + expected[p][i]);
      seen[p][i] = KEPT * seen[p][i] + value;
      expected[p][i] = KEPT * expected[p][i] + level * all / own;
    }
  }
}
