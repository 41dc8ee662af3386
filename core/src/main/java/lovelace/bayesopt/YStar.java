package lovelace.bayesopt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.linear.Gaussian;

/// Draws the maximum y* of the latent function over the search space, or over the part of it where
/// draws of the constraints stay below their thresholds. A draw that is feasible nowhere gives −∞,
/// or the smallest value that the method knows.
final class YStar {

  private YStar() {}

  /// The largest value of each joint draw at the points.
  static double[] joint(
      Surrogate surrogate,
      List<Surrogate> constraints,
      double[] thresholds,
      double[] points,
      int count,
      SplittableRandom random) {
    int t = points.length / surrogate.dimensions();
    double[] draws = surrogate.sample(points, count, random);
    for (int c = 0; c < thresholds.length; c++) {
      double[] limit = constraints.get(c).sample(points, count, random);
      for (int i = 0; i < draws.length; i++)
        if (limit[i] > thresholds[c]) draws[i] = Double.NEGATIVE_INFINITY;
    }
    double[] maxima = new double[count];
    for (int s = 0; s < count; s++)
      maxima[s] = Arrays.stream(draws, s * t, (s + 1) * t).max().orElseThrow();
    return maxima;
  }

  /// The maximum of each drawn function over the allowed points.
  static double[] functions(
      Surrogate surrogate,
      List<Surrogate> constraints,
      double[] thresholds,
      Maximizer maximizer,
      List<double[]> around,
      Predicate<double[]> allowed,
      int count,
      SplittableRandom random) {
    double[] maxima = new double[count];
    int at = 0;
    List<FunctionDraw> draws = surrogate.functions(count, random);
    List<List<FunctionDraw>> limits = new ArrayList<>();
    for (Surrogate c : constraints) limits.add(c.functions(count, random));
    for (FunctionDraw draw : draws) {
      int s = at;
      List<FunctionDraw> own = limits.stream().map(l -> l.get(s)).toList();
      Maximizer.Found top =
          maximizer.maximize(
              new Merit.Drawn(draw, own, thresholds), null, around, allowed, random.split());
      maxima[at++] = top == null ? Double.NEGATIVE_INFINITY : top.value();
    }
    return maxima;
  }

  /// Draws from a Gumbel distribution, at evenly spread probabilities. Its quartiles are those of
  /// the largest of independent normals at the points, `P(y* < y) = Π Φ((y − mean)/sd)` (Wang and
  /// Jegelka 2017, section 3.1). A point that is feasible with probability p has the factor `1 −
  /// p(1 − Φ)`.
  static double[] gumbel(
      Surrogate surrogate,
      List<Surrogate> constraints,
      double[] thresholds,
      double[] points,
      int count,
      SplittableRandom random) {
    int t = points.length / surrogate.dimensions();
    double[] means = new double[t];
    double[] deviations = new double[t];
    double[] feasible = new double[t];
    Arrays.fill(feasible, 1);
    for (int c = 0; c < thresholds.length; c++) {
      constraints.get(c).predict(t, points, means, deviations);
      for (int i = 0; i < t; i++)
        feasible[i] *= Gaussian.cdf((thresholds[c] - means[i]) / Math.sqrt(deviations[i]));
    }
    surrogate.predict(t, points, means, deviations);
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < t; i++) {
      deviations[i] = Math.sqrt(deviations[i]);
      // a point that may be infeasible gives no lower bound
      if (feasible[i] == 1) low = Math.max(low, means[i] - 5 * deviations[i]);
      least = Math.min(least, means[i] - 5 * deviations[i]);
      high = Math.max(high, means[i] + 6 * deviations[i]);
    }
    low = Math.max(low, least);
    double q1 = quantile(0.25, means, deviations, feasible, low, high);
    double q2 = quantile(0.5, means, deviations, feasible, low, high);
    double q3 = quantile(0.75, means, deviations, feasible, low, high);
    double scale =
        Math.max((q3 - q1) / (Math.log(Math.log(4)) - Math.log(Math.log(4.0 / 3))), 1e-12);
    double location = q2 + scale * Math.log(Math.log(2));
    double[] maxima = new double[count];
    double shift = random.nextDouble();
    for (int s = 0; s < count; s++)
      maxima[s] = location - scale * Math.log(-Math.log((s + shift) / count + 1e-12));
    return maxima;
  }

  private static double quantile(
      double p, double[] means, double[] deviations, double[] feasible, double low, double high) {
    double a = low;
    double b = high;
    double least = Math.log(p);
    while (b - a > 1e-4 * (high - low)) {
      double middle = 0.5 * (a + b);
      double log = 0;
      for (int j = 0; j < means.length && log > least; j++) {
        double z = (middle - means[j]) / deviations[j];
        if (z >= TOP) continue;
        log += feasible[j] == 1 ? logCdf(z) : Math.log1p(feasible[j] * Math.expm1(logCdf(z)));
      }
      if (log < least) a = middle;
      else b = middle;
    }
    return 0.5 * (a + b);
  }

  private static final double TOP = 6;
  private static final double BOTTOM = -8;
  private static final int PER_UNIT = 128;
  private static final double[] LOGS = new double[(int) ((TOP - BOTTOM) * PER_UNIT) + 2];

  static {
    for (int i = 0; i < LOGS.length; i++) LOGS[i] = Gaussian.logCdf(BOTTOM + i / (double) PER_UNIT);
  }

  /// `log Φ(z)` to 1e-5, which is enough for a quantile that is fitted afterwards.
  private static double logCdf(double z) {
    if (z < BOTTOM) return Gaussian.logCdf(z);
    double u = (z - BOTTOM) * PER_UNIT;
    int i = (int) u;
    return LOGS[i] + (u - i) * (LOGS[i + 1] - LOGS[i]);
  }
}
