package lovelace.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lovelace.linear.Blas;
import lovelace.series.Anomalies.Anomaly;

/// Finds anomalies by auxiliary residuals (Harvey and Koopman 1992), exactly.
///
/// With `x̃ = L⁻¹x` for a [Pattern] x and e the rest of the whitened values after the level and the
/// patterns found before, both orthogonal to these, its size is `ω = x̃·e / x̃·x̃` and `t = ω
/// √(x̃·x̃) / σ`. `σ² = (|e|² − (x̃·e)²/x̃·x̃) / (n − p − 1)` is free of the pattern, so t has
/// Student's distribution with n − p − 1 degrees of freedom if there is no anomaly. The t-values of
/// points are averaged by share.
///
/// The largest t above the threshold is taken, then the search goes on with it; in the end those
/// that are small beside the others are dropped. The threshold is that of Bonferroni: the rate over
/// the number of patterns, on two sides.
final class Auxiliary {

  /// At most as many points are used for few values: one that fits with an anomaly may have a small
  /// share without it. Fewer are used for many, which tell points apart.
  private static final int MANY_POINTS = 40;

  private static final int FEW_POINTS = 12;

  /// The number of values from which there are many.
  private static final int LONG = 300;

  /// At most as many anomalies are found.
  private static final int MOST = 8;

  /// The fewest values in all.
  private static final int FEWEST = 10;

  private static final double[] ENDS = {0.025, 0.975};

  private final History history;
  private final List<PointFit> points;
  private final int n;
  private final List<Pattern> patterns;
  private final PatternSums sums;
  private final Map<Factor, double[]> squares = new HashMap<>();

  Auxiliary(Library library, History history, List<PointFit> points) {
    this.history = history;
    this.points = points;
    n = history.seen();
    patterns = Pattern.all(history.observed, library.seasons());
    sums = new PatternSums(patterns, history.observed);
    for (PointFit point : points) squares.computeIfAbsent(point.factor, sums::squares);
  }

  /// How many points are used for some values.
  static int points(int values) {
    return values < LONG ? MANY_POINTS : FEW_POINTS;
  }

  /// The anomalies of a history.
  ///
  /// @param first the step of its first value
  static List<Anomaly> find(
      Library library, History history, int first, List<PointFit> points, double rate) {
    int n = history.seen();
    if (n < FEWEST || points.stream().allMatch(point -> point.sum <= point.least(n)))
      return List.of();
    Auxiliary search = new Auxiliary(library, history, points);
    return search.described(search.search(rate), first);
  }

  /// The threshold of t-values with some degrees of freedom.
  private double threshold(double rate, int nu) {
    return -StudentTable.of(nu).quantile(rate / (2 * patterns.size()));
  }

  private List<Pattern> search(double rate) {
    List<Pattern> found = new ArrayList<>();
    while (found.size() < Math.min(MOST, n / 5)) {
      double[] t = tests(found);
      int best = -1;
      for (int j = 0; j < t.length; j++)
        if (!found.contains(patterns.get(j)) && (best < 0 || Math.abs(t[j]) > Math.abs(t[best])))
          best = j;
      if (Math.abs(t[best]) < threshold(rate, n - found.size() - 2)) break;
      found.add(patterns.get(best));
    }
    while (found.size() > 1) {
      List<Joint> all = joint(found);
      Joint least = all.stream().min(Comparator.comparingDouble(j -> Math.abs(j.t))).orElseThrow();
      if (Math.abs(least.t) >= threshold(rate, n - found.size() - 1)) break;
      found.remove(least.pattern);
    }
    return found;
  }

  /// The mean t-value of every pattern beside those that were found.
  double[] tests(List<Pattern> found) {
    Map<Factor, Regression> regressions = regressions(found);
    Map<Factor, double[]> lengths = new HashMap<>();
    regressions.forEach(
        (factor, regression) -> {
          double[] whole = Objects.requireNonNull(squares.get(factor));
          double[] left = whole.clone();
          for (int u = 0; u < regression.size(); u++) {
            double[] along = sums.products(regression.back(u));
            for (int j = 0; j < left.length; j++) left[j] -= along[j] * along[j];
          }
          for (int j = 0; j < left.length; j++) if (left[j] < 1e-9 * whole[j]) left[j] = 0;
          lengths.put(factor, left);
        });
    double[] share = shares(regressions);
    double[] t = new double[patterns.size()];
    for (int p = 0; p < points.size(); p++) {
      PointFit point = points.get(p);
      Regression regression = of(point, regressions);
      double[] e = regression.rest(point.v);
      double sum = Blas.dot(n, e, 0, e, 0);
      double[] along = sums.products(regression.back(e));
      double[] left = of(point, lengths);
      for (int j = 0; j < t.length; j++) {
        if (left[j] == 0) continue;
        double by = along[j] * along[j] / left[j];
        double free = Math.max(sum - by, point.least(n)) / (n - regression.size() - 1);
        t[j] += share[p] * along[j] / Math.sqrt(left[j] * free);
      }
    }
    return t;
  }

  /// The part that belongs to the factor of a point.
  private static <V> V of(PointFit point, Map<Factor, V> byFactor) {
    return Objects.requireNonNull(byFactor.get(point.factor));
  }

  private Map<Factor, Regression> regressions(List<Pattern> found) {
    Map<Factor, Regression> all = new HashMap<>();
    for (PointFit point : points)
      all.computeIfAbsent(point.factor, factor -> new Regression(factor, history.observed, found));
    return all;
  }

  /// The shares of the points by their evidence with patterns, in place of that without.
  private double[] shares(Map<Factor, Regression> regressions) {
    double[] share = new double[points.size()];
    double largest = Double.NEGATIVE_INFINITY;
    for (int p = 0; p < share.length; p++) {
      PointFit point = points.get(p);
      Regression regression = of(point, regressions);
      double[] e = regression.rest(point.v);
      double sum = Math.max(Blas.dot(n, e, 0, e, 0), point.least(n));
      share[p] =
          Math.log(point.share)
              - 0.5 * regression.logSquares
              - 0.5 * (n - regression.size()) * Math.log(sum)
              + 0.5 * (n - 1) * Math.log(point.sum);
      largest = Math.max(largest, share[p]);
    }
    double all = 0;
    for (int p = 0; p < share.length; p++) {
      share[p] = Math.exp(share[p] - largest);
      all += share[p];
    }
    for (int p = 0; p < share.length; p++) share[p] /= all;
    return share;
  }

  /// A pattern beside all others.
  private record Joint(Pattern pattern, double t, Blend size) {}

  private List<Joint> joint(List<Pattern> found) {
    List<Joint> all = new ArrayList<>();
    int nu = n - found.size() - 1;
    for (Pattern pattern : found) {
      List<Pattern> order = new ArrayList<>(found);
      order.remove(pattern);
      order.add(pattern);
      Map<Factor, Regression> regressions = regressions(order);
      double[] share = shares(regressions);
      Blend size = new Blend(history.scale, nu, share, points);
      double t = 0;
      for (int p = 0; p < share.length; p++) {
        PointFit point = points.get(p);
        Regression regression = of(point, regressions);
        double[] e = regression.rest(point.v);
        double free = Math.max(Blas.dot(n, e, 0, e, 0), point.least(n)) / nu;
        double size1 = regression.last(point.v);
        double error = Math.sqrt(free) / regression.lastLength;
        t += share[p] * size1 / error;
        // The value without noise; an outlier has no noise besides.
        double fit = point.z[pattern.value()] - regression.back(e)[pattern.value()];
        size.difference(p, point.centre + fit, -size1, error);
      }
      all.add(new Joint(pattern, t, size));
    }
    return all;
  }

  private List<Anomaly> described(List<Pattern> found, int first) {
    List<Anomaly> all = new ArrayList<>();
    for (Joint each : joint(found)) {
      double[] ends = each.size.quantiles(ENDS);
      Pattern pattern = each.pattern;
      all.add(
          new Anomaly(
              pattern.kind(),
              first + pattern.step(),
              pattern.period(),
              -each.size.centre(),
              -ends[1],
              -ends[0],
              each.t,
              false));
    }
    return all;
  }
}
