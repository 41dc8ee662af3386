package lovelace.bayesopt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import lovelace.linear.Parallel;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Optimum;
import org.jspecify.annotations.Nullable;

/// Finds the point of a search space with the greatest [Merit]. It scans spread points, or a whole
/// grid if predictions are cheap. Then it runs L-BFGS from the best points that are apart. For
/// whole numbers and choices it tries the neighbours of the nearest point.
final class Maximizer {

  private static final Lbfgs CLIMBER =
      Lbfgs.DEFAULT.withMaxIterations(50).withMaxEvaluations(80).withRelativeTolerance(1e-8);

  /// The best points of a whole grid are close to the maximum.
  private static final Lbfgs REFINER =
      Lbfgs.DEFAULT.withMaxIterations(10).withMaxEvaluations(12).withRelativeTolerance(1e-5);

  private static final int REFINED = 12; // points of a grid, and points around each
  private static final double APART = 0.05;

  private final SearchSpace space;
  private final int candidates;
  private final int climbs;

  Maximizer(SearchSpace space, int candidates, int climbs) {
    this.space = space;
    this.candidates = candidates;
    this.climbs = climbs;
  }

  /// A point with its merit.
  static final class Found {
    private final double[] unit;
    private final double value;

    Found(double[] unit, double value) {
      this.unit = unit;
      this.value = value;
    }

    double[] unit() {
      return unit;
    }

    double value() {
      return value;
    }
  }

  /// Returns the best allowed point, or null if the scan found none.
  ///
  /// @param scanned points to scan instead of spread ones, row-major, or null
  /// @param around good points; the search also looks near them
  @Nullable Found maximize(
      Merit merit,
      double @Nullable [] scanned,
      List<double[]> around,
      Predicate<double[]> allowed,
      SplittableRandom random) {
    int d = space.dimensions();
    List<double[]> points = new ArrayList<>();
    if (scanned != null)
      for (int i = 0; i < scanned.length; i += d) points.add(Arrays.copyOfRange(scanned, i, i + d));
    else points.addAll(List.of(space.spread(candidates, random)));
    int spread = points.size();
    for (int i = 0; i < around.size() * 32; i++) points.add(near(around.get(i / 32), i, random));
    double[] merits = new double[points.size()];
    if (scanned != null) { // in one call, since their predictions may be known
      merit.scan(spread, scanned, merits);
      double[] rest = scanned(merit, points.subList(spread, points.size()));
      System.arraycopy(rest, 0, merits, spread, rest.length);
      merits = refined(merit, points, merits, spread, random);
    } else merits = scanned(merit, points);
    Found best = null;
    List<double[]> starts = starts(points, merits, scanned == null ? climbs : (climbs + 1) / 2);
    Found[] tops = new Found[starts.size()];
    Lbfgs climber = scanned == null ? CLIMBER : REFINER;
    Parallel.forEach(tops.length, i -> tops[i] = climb(climber, merit, starts.get(i)));
    for (int i = 0; i < tops.length; i++) {
      Found landed = land(merit, tops[i], starts.get(i), allowed);
      if (landed != null && (best == null || landed.value > best.value)) best = landed;
    }
    if (best != null) return best;
    Integer[] order = order(merits);
    for (int i : order) if (allowed.test(points.get(i))) return new Found(points.get(i), merits[i]);
    return null;
  }

  /// Adds points between those of a grid, around the best of them. Evaluating many points at once
  /// costs less than a climb from each.
  private double[] refined(
      Merit merit, List<double[]> points, double[] merits, int places, SplittableRandom random) {
    int d = space.dimensions();
    double reach = 0.6 / (Math.pow(places, 1.0 / d) - 1);
    List<double[]> more = new ArrayList<>();
    for (double[] start : starts(points, merits, REFINED))
      for (int i = 0; i < REFINED; i++) {
        double[] x = start.clone();
        for (int a = 0; a < d; a++)
          x[a] = Math.clamp(x[a] + reach * random.nextDouble(-1, 1), 0, 1);
        if (space.isValid(x)) more.add(x);
      }
    double[] rest = scanned(merit, more);
    double[] all = Arrays.copyOf(merits, merits.length + rest.length);
    System.arraycopy(rest, 0, all, merits.length, rest.length);
    points.addAll(more);
    return all;
  }

  private static double[] scanned(Merit merit, List<double[]> points) {
    double[] merits = new double[points.size()];
    if (points.isEmpty()) return merits;
    int d = points.getFirst().length;
    double[] flat = new double[points.size() * d];
    for (int i = 0; i < points.size(); i++) System.arraycopy(points.get(i), 0, flat, i * d, d);
    merit.scan(merits.length, flat, merits);
    return merits;
  }

  /// A point near a good one: either all coordinates move a little, or some of them move more.
  private double[] near(double[] centre, int i, SplittableRandom random) {
    double[] x = centre.clone();
    double width = Math.pow(10, -1 - 2.0 * (i % 32) / 32);
    double share = i % 2 == 0 ? 1 : Math.min(1, 2.0 / x.length);
    for (int a = 0; a < x.length; a++)
      if (random.nextDouble() < share)
        x[a] = Math.clamp(x[a] + width * random.nextGaussian() * (i % 2 == 0 ? 1 : 3), 0, 1);
    double[] snapped = space.snap(x);
    return space.isValid(snapped) ? snapped : centre.clone();
  }

  private static Integer[] order(double[] merits) {
    Integer[] order = new Integer[merits.length];
    for (int i = 0; i < order.length; i++) order[i] = i;
    Arrays.sort(order, (a, b) -> Double.compare(merits[b], merits[a]));
    return order;
  }

  /// The best points of the scan, each at some distance from the earlier ones.
  private static List<double[]> starts(List<double[]> points, double[] merits, int most) {
    Integer[] order = order(merits);
    List<double[]> starts = new ArrayList<>();
    for (int i = 0; i < order.length && i < 200 && starts.size() < most; i++) {
      double[] x = points.get(order[i]);
      boolean apart = true;
      for (double[] other : starts) apart &= distance(x, other) > APART;
      if (apart) starts.add(x);
    }
    return starts;
  }

  private static double distance(double[] a, double[] b) {
    double most = 0;
    for (int i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
    return most;
  }

  private static Found climb(Lbfgs climber, Merit merit, double[] start) {
    int d = start.length;
    double[] upper = new double[d];
    Arrays.fill(upper, 1);
    Optimum optimum =
        climber.minimize(
            (x, g) -> {
              double value = merit.at(x, g);
              for (int a = 0; a < d; a++) g[a] = -g[a];
              return -value;
            },
            start,
            new double[d],
            upper);
    return new Found(optimum.x(), -optimum.value());
  }

  /// The allowed point of the space nearest to the end of a climb, or null.
  private @Nullable Found land(
      Merit merit, Found found, double[] start, Predicate<double[]> allowed) {
    if (space.isContinuous()) {
      if (Double.isFinite(found.value) && allowed.test(found.unit)) return found;
      return allowed.test(start) ? new Found(start, value(merit, start)) : null;
    }
    Found best = null;
    for (double[] x : List.of(space.snap(found.unit), start)) {
      double value = value(merit, x);
      if (allowed.test(x) && (best == null || value > best.value)) best = new Found(x, value);
    }
    if (best == null) return null;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (double[] x : neighbours(best.unit)) {
        double value = value(merit, x);
        if (value > best.value + 1e-12 && allowed.test(x)) {
          best = new Found(x, value);
          moved = true;
        }
      }
    }
    return best;
  }

  private static double value(Merit merit, double[] x) {
    double[] out = new double[1];
    merit.scan(1, x, out);
    return out[0];
  }

  /// The neighbours of a point: one variable is a step higher or lower, or has another option.
  private List<double[]> neighbours(double[] unit) {
    List<double[]> all = new ArrayList<>();
    double[] values = space.decode(unit).values();
    for (int i = 0; i < values.length; i++) {
      switch (space.variables().get(i)) {
        case Variable.Real real -> {}
        case Variable.Whole whole -> {
          for (int step : new int[] {-1, 1}) {
            double[] next = values.clone();
            next[i] += step;
            if (next[i] >= whole.low() && next[i] <= whole.high()) all.add(space.encode(next));
          }
        }
        case Variable.Choice choice -> {
          for (int option = 0; option < choice.options().size(); option++) {
            double[] next = values.clone();
            next[i] = option;
            if (values[i] != option) all.add(space.encode(next));
          }
        }
      }
    }
    return all;
  }
}
