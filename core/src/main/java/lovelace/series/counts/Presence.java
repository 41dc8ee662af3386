package lovelace.series.counts;

/// Whether there is anything at a step: a beta–Bernoulli recursion with a discount (West and
/// Harrison 1997, section 14.4). The probability p has a beta distribution of mean p and size S.
/// Each step multiplies S by the discount, and a value moves the mean by `(seen − p)/(S + 1)` and
/// adds 1 to S. A season multiplies the odds.
final class Presence {

  private static final double LEAST = 1e-4;

  private final double discount;
  private final Profile season;
  private double p;
  private double size;
  private int known = -1; // the step whose probability is kept
  private double kept;
  private double factor;

  /// @param start the prior mean, which is worth one step
  Presence(double discount, double start, int... periods) {
    this.discount = discount;
    season = new Profile(periods);
    p = start;
    size = 1;
  }

  /// The probability at a step.
  double at(int step) {
    if (step != known) {
      factor = season.at(step);
      double odds = factor * p / (1 - p);
      kept = Math.clamp(odds / (1 + odds), LEAST, 1 - LEAST);
      known = step;
    }
    return kept;
  }

  /// The share of the variance of a value that is due to the probability being unknown.
  double shared() {
    return 1 / (discount * size + 1);
  }

  void step(int step, boolean seen) {
    double expected = at(step);
    double value = seen ? 1 : 0;
    season.add(step, value, p, factor);
    size = discount * size + 1;
    p = Math.clamp(p + (value - expected) / size, LEAST, 1 - LEAST);
    known = -1;
  }

  /// A step without a value.
  void skip() {
    size = Math.max(0.1, discount * size);
  }
}
