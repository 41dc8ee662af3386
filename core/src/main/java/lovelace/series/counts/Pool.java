package lovelace.series.counts;

import java.util.Arrays;
import java.util.List;
import lovelace.optimize.Lbfgs;

/// How much these models count beside the library of processes: `1/(1 + e^{−c·x})` for features x
/// of a series. They are 1, a size, and how much less than a Poisson count it varies.
final class Pool {

  /// The coefficients before anything is learned.
  static final double[] COUNTS = {2, -1, 3};

  static final double[] AMOUNTS = {1, 0, 0};

  /// The prior standard deviations of the coefficients.
  private static final double[] WIDTHS = {1, 0.5, 1};

  private static final double LEAST_DISPERSION = Math.exp(-4);

  private Pool() {}

  /// How one series was forecast: masses of the values by these models and by the library.
  @SuppressWarnings("ArrayRecordComponent")
  record Case(double[] features, double[] own, double[] other) {}

  /// The features of counts: with the mean m, `log(1 + m)`, and the logarithm of half the mean
  /// square of changes over m, where it is negative. Changes are from step to step or from season
  /// to season, whichever are smaller.
  static double[] counts(double[] y, int... periods) {
    double mean = Arrays.stream(Support.seen(y)).average().orElse(0);
    double square = changes(y, 1);
    for (int period : periods) square = Math.min(square, changes(y, period));
    double dispersion = mean > 0 && Double.isFinite(square) ? 0.5 * square / mean : 1;
    return new double[] {
      1, Math.log1p(mean), Math.log(Math.clamp(dispersion, LEAST_DISPERSION, 1))
    };
  }

  /// The features of amounts: the share of zeros.
  static double[] amounts(double... y) {
    double[] seen = Support.seen(y);
    double zeros = Arrays.stream(seen).filter(v -> v == 0).count();
    return new double[] {1, zeros / Math.max(1, seen.length) - 0.5, 0};
  }

  /// The mean square of changes over a gap.
  private static double changes(double[] y, int gap) {
    double sum = 0;
    int count = 0;
    for (int t = gap; t < y.length; t++) {
      double change = y[t] - y[t - gap];
      if (Double.isNaN(change)) continue;
      sum += change * change;
      count++;
    }
    return count < 3 ? Double.POSITIVE_INFINITY : sum / count;
  }

  static double share(double[] coefficients, double... features) {
    double x = 0;
    for (int c = 0; c < coefficients.length; c++) x += coefficients[c] * features[c];
    return 1 / (1 + Math.exp(-x));
  }

  /// The coefficients under which the average forecasts best (logarithmic score), with a normal
  /// prior around the start.
  static double[] learn(double[] start, List<Case> cases) {
    if (cases.isEmpty()) return start;
    double[] lower = new double[start.length];
    double[] upper = new double[start.length];
    Arrays.fill(lower, -20);
    Arrays.fill(upper, 20);
    return Lbfgs.DEFAULT
        .withMaxIterations(60)
        .minimize((x, gradient) -> loss(start, cases, x, gradient), start, lower, upper)
        .x();
  }

  static double loss(double[] start, List<Case> cases, double[] x, double[] gradient) {
    double loss = 0;
    Arrays.fill(gradient, 0);
    for (Case each : cases) {
      double w = share(x, each.features);
      int steps = each.own.length;
      for (int k = 0; k < steps; k++) {
        double q = w * each.own[k] + (1 - w) * each.other[k] + 1e-9;
        loss -= Math.log(q) / steps;
        double slope = -(each.own[k] - each.other[k]) * w * (1 - w) / (q * steps);
        for (int c = 0; c < x.length; c++) gradient[c] += slope * each.features[c];
      }
    }
    for (int c = 0; c < x.length; c++) {
      double d = (x[c] - start[c]) / WIDTHS[c];
      loss += 0.5 * d * d;
      gradient[c] += d / WIDTHS[c];
    }
    return loss;
  }
}
