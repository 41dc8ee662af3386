package lovelace.likelihood;

import java.util.function.DoubleUnaryOperator;
import lovelace.linear.Gaussian;

/// Inverts distribution functions F. It works with `Φ⁻¹(F)`, which is nearly a straight line.
final class Roots {

  private static final double FARTHEST = 8;

  private Roots() {}

  private static double deviations(double p) {
    if (p <= 1e-15) return -FARTHEST;
    if (p >= 1 - 1e-15) return FARTHEST;
    return Gaussian.quantile(p);
  }

  /// The point where a continuous F reaches p, from a guess and a first step.
  static double increasing(DoubleUnaryOperator distribution, double p, double guess, double step) {
    double want = deviations(p);
    double low = guess;
    double high = guess;
    double atLow = deviations(distribution.applyAsDouble(guess)) - want;
    double atHigh = atLow;
    for (double reach = step; atLow > 0 && reach < 1e300; reach *= 2) {
      high = low;
      atHigh = atLow;
      low -= reach;
      atLow = deviations(distribution.applyAsDouble(low)) - want;
    }
    for (double reach = step; atHigh < 0 && reach < 1e300; reach *= 2) {
      low = high;
      atLow = atHigh;
      high += reach;
      atHigh = deviations(distribution.applyAsDouble(high)) - want;
    }
    int kept = 0; // how often the same end was kept, for the Illinois rule
    for (int i = 0; i < 100 && high - low > 1e-13 * Math.max(1e-3, Math.abs(low)); i++) {
      double share = atLow / (atLow - atHigh);
      double middle = low + (high - low) * share;
      if (!(middle > low && middle < high) || i % 4 == 3) middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      double value = deviations(distribution.applyAsDouble(middle)) - want;
      if (Math.abs(value) < 1e-13) return middle;
      if (value < 0) {
        low = middle;
        atLow = value;
        if (kept == -1) atHigh *= 0.5;
        kept = -1;
      } else {
        high = middle;
        atHigh = value;
        if (kept == 1) atLow *= 0.5;
        kept = 1;
      }
    }
    return 0.5 * (low + high);
  }

  /// The smallest whole y from 0 to `most` with F(y) ≥ p, up to rounding, from a guess.
  static double whole(DoubleUnaryOperator distribution, double p, double guess, double most) {
    double want = deviations(p);
    double reached = p - 1e-13;
    double low = -1; // F(low) < p
    double high = most; // F(high) ≥ p
    double atLow = Double.NaN;
    double atHigh = Double.NaN;
    double next = Math.clamp(Math.rint(guess), 0, most);
    double reach = Math.max(1, Math.rint(0.05 * next));
    for (int i = 0; high - low > 1; i++) {
      double value = distribution.applyAsDouble(next);
      if (value >= reached) {
        high = next;
        atHigh = deviations(value) - want;
      } else {
        low = next;
        atLow = deviations(value) - want;
      }
      if (Double.isNaN(atHigh)) {
        next = low + reach;
        reach *= 4;
      } else if (Double.isNaN(atLow)) {
        next = high - reach;
        reach *= 4;
      } else if (i % 4 == 3) next = Math.floor(0.5 * (low + high));
      else {
        double a = Math.log(low + 1);
        double b = Math.log(high + 1);
        double share = atLow / (atLow - atHigh);
        next = Math.floor(Math.exp(a + (b - a) * share) - 1 + 0.5);
      }
      if (!(next > low)) next = low + 1;
      if (!(next < high)) next = high - 1;
    }
    return high;
  }
}
