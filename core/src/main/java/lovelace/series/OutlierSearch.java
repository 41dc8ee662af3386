package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Finds gross outliers of a series before it is forecast, so that they drag neither forecast nor
/// scale.
///
/// A screen looks at every series: a value must be far from the median of those around it, beside
/// how far values are at the same place of other periods, in units of the median deviation. Only
/// where it fires, a few processes tell each such value from all others, by their evidence; with e
/// the distance from the centre and s the standard error, `|e|/s` must exceed a threshold.
///
/// A value stays if it is among the last ones, if a rare column of zeros and ones is 1 at it, if a
/// neighbour is off too, if a value at the same place of another period is off in the same
/// direction, or if more than one of twenty values is. Where a season has been seen fewer than
/// three times, a value is left out only if its distance from all others is many times their range.
public final class OutlierSearch {

  /// One value that does not belong to the others.
  ///
  /// @param expected the value that the others let expect
  /// @param t the distance from it in standard errors
  public record Outlier(int step, double value, double expected, double t) {}

  /// The fewest values of a series.
  private static final int FEWEST = 10;

  /// The number of last values that stay.
  private static final int LAST = 3;

  /// The screen fires at as many median deviations, scaled to standard deviations.
  private static final double SCREEN = 6;

  /// The least distance in standard errors.
  private static final double THRESHOLD = 8;

  /// In weeks and days of years, and in hours of weeks, events such as holidays are far off too,
  /// and come at other places each year. There a value must be farther off by this factor.
  private static final double STRICT = 2.5;

  /// Seasons are long from here on.
  private static final double LONG = 30;

  /// The most values of 20.
  private static final int OF = 20;

  /// A value is told from as many on each side at most, or from two periods.
  private static final int SIDE = 80;

  /// Processes with a smaller share are left out.
  private static final double SMALL = 0.01;

  /// The most values that are told from the others: those that the screen finds farthest off.
  private static final int MOST = 8;

  /// The number of periods after which a season is known.
  private static final int TIMES = 3;

  /// Where a season is not known, a value must be as many ranges of all others away from them.
  private static final double STRAY = 10;

  /// The same for a value without another at its place of the season.
  private static final double ONCE = 50;

  /// The longest season of the processes.
  private static final int LONGEST = 60;

  private static final double[] LEVELS = {.05, .5, 5, 100};
  private static final double[] SEASONS = {1, 30};

  private final double[] values;
  private final double[] periods; // as given
  private final double[] seasons; // whole, and seen three times
  private final List<Warp> warps;
  private final @Nullable Covariates columns;
  private final int[] seen;
  private final double strict;

  private OutlierSearch(
      double[] values, double[] seasons, List<Warp> warps, @Nullable Covariates columns) {
    this.columns = columns;
    this.values = values;
    this.warps = warps;
    seen = IntStream.range(0, values.length).filter(t -> !Double.isNaN(values[t])).toArray();
    periods = seasons;
    strict = Arrays.stream(seasons).anyMatch(m -> m > LONG) ? STRICT : 1;
    this.seasons =
        Arrays.stream(seasons)
            .map(Math::rint)
            .filter(m -> TIMES * m <= values.length && m <= 4 * LONGEST)
            .limit(2)
            .toArray();
  }

  /// The outliers of many series, in their order.
  ///
  /// @param columns that are known for the steps of each
  public static List<List<Outlier>> all(
      List<double[]> values,
      List<Optional<Covariates>> columns,
      double[] seasons,
      List<Warp> warps) {
    List<List<Outlier>> all = new ArrayList<>(Collections.nCopies(values.size(), List.of()));
    Parallel.forEach(
        values.size(),
        i -> all.set(i, find(values.get(i), seasons, warps, columns.get(i).orElse(null))));
    return all;
  }

  /// The outliers of a series.
  ///
  /// @param values by step; NaN in gaps
  /// @param seasons the periods that it may have, shortest first
  /// @param warps of the values
  /// @param columns that are known for its steps; null without
  public static List<Outlier> find(
      double[] values, double[] seasons, List<Warp> warps, @Nullable Covariates columns) {
    OutlierSearch search = new OutlierSearch(values, seasons, warps, columns);
    if (search.seen.length < FEWEST || search.isIntermittent()) return List.of();
    if (search.hides()) return search.stray();
    List<Integer> fired = search.screened();
    return fired.isEmpty() ? List.of() : search.tested(fired);
  }

  /// Whether a season may be there and has not been seen often enough.
  private boolean hides() {
    return periods.length > 0 && TIMES * periods[0] > values.length;
  }

  /// The one value that lies many ranges of all others away from them.
  private List<Outlier> stray() {
    double[] sorted = Arrays.stream(seen).mapToDouble(t -> values[t]).sorted().toArray();
    int n = sorted.length;
    boolean high = sorted[n - 1] - sorted[n - 2] > sorted[1] - sorted[0];
    double value = sorted[high ? n - 1 : 0];
    double[] others = Arrays.copyOfRange(sorted, high ? 0 : 1, high ? n - 1 : n);
    double range = others[n - 2] - others[0];
    double gap = high ? value - others[n - 2] : others[0] - value;
    int i = 0;
    while (values[seen[i]] != value) i++;
    int t = seen[i];
    int m = (int) Math.rint(periods[0]);
    double least = (isKnown(t - m) || isKnown(t + m) ? STRAY : ONCE) * strict;
    boolean stays = i >= n - LAST || (columns != null && columns.isRare(t));
    if (stays || range == 0 || !(gap > least * range)) return List.of();
    double expected = median(others, others.length);
    double mean = Arrays.stream(others).average().orElseThrow();
    double square = Arrays.stream(others).map(v -> (v - mean) * (v - mean)).sum();
    double deviation = Math.sqrt(square / (others.length - 1));
    return List.of(new Outlier(t, value, expected, (value - expected) / deviation));
  }

  private boolean isKnown(int t) {
    return t >= 0 && t < values.length && !Double.isNaN(values[t]);
  }

  /// Whether many values are equal, as zeros are in sales of slow items.
  private boolean isIntermittent() {
    double[] sorted = DoubleStream.of(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    int run = 1;
    int longest = 1;
    for (int i = 1; i < sorted.length; i++) {
      run = sorted[i] == sorted[i - 1] ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
    return 4 * longest > sorted.length;
  }

  /// The steps at which the screen fires, at most some; none if there are many. In a short series
  /// one value makes others look odd, so the farthest is left out and the screen looks again.
  private List<Integer> screened() {
    double[] left = values.clone();
    List<Integer> taken = new ArrayList<>();
    List<Integer> fired = fired(left);
    while (!isFew(taken.size() + fired.size() - 1)) {
      if (taken.size() == MOST || !isFew(taken.size())) return List.of();
      taken.add(fired.getFirst());
      left[fired.getFirst()] = Double.NaN;
      fired = fired(left);
    }
    taken.addAll(fired);
    return taken.stream().limit(MOST).sorted().toList();
  }

  /// Whether there is at most one of twenty values, or one.
  private boolean isFew(int count) {
    return count * OF <= seen.length + OF;
  }

  /// The steps at which the screen fires for some values, the farthest first.
  private List<Integer> fired(double[] some) {
    boolean positive = DoubleStream.of(some).allMatch(v -> !(v <= 0));
    double[] plain = deviations(some);
    double[] logs = positive ? deviations(DoubleStream.of(some).map(Math::log).toArray()) : plain;
    double most = SCREEN * strict;
    List<Integer> fired = new ArrayList<>();
    for (int i = 0; i < seen.length - LAST; i++) {
      double one = Math.abs(plain[seen[i]]);
      double other = Math.abs(logs[seen[i]]);
      if (Math.max(one, other) > most && Math.min(one, other) > most / 2) fired.add(seen[i]);
    }
    fired.sort(Comparator.comparingDouble(t -> -Math.max(Math.abs(plain[t]), Math.abs(logs[t]))));
    return fired;
  }

  /// How far each value is from those around it, in units of the median such distance.
  private double[] deviations(double[] y) {
    double period = seasons.length == 0 ? 1 : seasons[0];
    double[] around = around(y, Math.max(3, (int) (period / 2)));
    double[] least = around.clone();
    for (double season : seasons) {
      double[] beside = beside(around, (int) season);
      for (int t = 0; t < y.length; t++)
        if (Math.abs(beside[t]) < Math.abs(least[t]) || season == seasons[0]) least[t] = beside[t];
    }
    double[] sizes =
        Arrays.stream(least).map(Math::abs).filter(v -> !Double.isNaN(v)).sorted().toArray();
    double size = 1.4826 * sizes[sizes.length / 2];
    double[] known =
        DoubleStream.of(y).map(Math::abs).filter(v -> !Double.isNaN(v)).sorted().toArray();
    size = Math.max(size, 1e-4 * known[known.length / 2]);
    if (size == 0) return new double[y.length];
    for (int t = 0; t < y.length; t++) least[t] /= size;
    return least;
  }

  /// The values less the median of those around them.
  private static double[] around(double[] y, int side) {
    double[] away = new double[y.length];
    double[] some = new double[2 * side];
    for (int t = 0; t < y.length; t++) {
      int count = 0;
      for (int s = Math.max(0, t - side); s <= Math.min(y.length - 1, t + side); s++)
        if (s != t && !Double.isNaN(y[s])) some[count++] = y[s];
      away[t] = count == 0 ? 0 : y[t] - median(some, count);
    }
    return away;
  }

  /// Distances less the median of those at the same place of the two periods before and after.
  private static double[] beside(double[] away, int m) {
    double[] left = new double[away.length];
    double[] some = new double[4];
    for (int t = 0; t < away.length; t++) {
      int count = 0;
      for (int p = -2; p <= 2; p++) {
        int s = t + p * m;
        if (p != 0 && s >= 0 && s < away.length && !Double.isNaN(away[s])) some[count++] = away[s];
      }
      left[t] = away[t] - (count == 0 ? 0 : median(some, count));
    }
    return left;
  }

  private static double median(double[] some, int count) {
    Arrays.sort(some, 0, count);
    return count % 2 == 1 ? some[count / 2] : 0.5 * (some[count / 2 - 1] + some[count / 2]);
  }

  /// Those that the processes confirm. Values that are not confirmed are known to the second look.
  private List<Outlier> tested(List<Integer> fired) {
    List<Outlier> first = beside(fired);
    double least = THRESHOLD * strict;
    List<Outlier> off = first.stream().filter(each -> Math.abs(each.t) > least / 2).toList();
    List<Outlier> far = off.stream().filter(each -> Math.abs(each.t) > least).toList();
    if (!far.isEmpty() && far.size() < first.size())
      far =
          beside(far.stream().map(Outlier::step).toList()).stream()
              .filter(each -> Math.abs(each.t) > least)
              .toList();
    if (!isFew(far.size())) return List.of();
    return far.stream().filter(each -> isAlone(each, off)).toList();
  }

  /// Some values beside what all others let expect.
  private List<Outlier> beside(List<Integer> steps) {
    double[] rest = values.clone();
    for (int t : steps) rest[t] = Double.NaN;
    return steps.stream().map(t -> test(rest, t)).toList();
  }

  /// A value beside what the others around it let expect.
  private Outlier test(double[] rest, int t) {
    double period = Arrays.stream(seasons).filter(m -> m <= LONGEST).max().orElse(1);
    int side = (int) Math.max(SIDE, 2 * period);
    int from = Math.max(0, t - side);
    int to = Math.min(rest.length, t + side + 1);
    while (from < to && Double.isNaN(rest[from])) from++;
    while (from < to && Double.isNaN(rest[to - 1])) to--;
    if (t <= from || t >= to - 1 || (columns != null && columns.isRare(t)))
      return new Outlier(t, values[t], values[t], 0);
    History history = History.of(Arrays.copyOfRange(rest, from, to), warps);
    List<PointFit> points =
        PointFit.of(shapes(), history, columns == null ? null : columns.from(from));
    double scaled = values[t] / history.scale;
    double[] share = PointFit.shares(points);
    double z = 0;
    double expected = 0;
    Map<Factor, double[]> covariances = new HashMap<>();
    for (int p = 0; p < share.length; p++) {
      if (share[p] < SMALL) continue;
      PointFit point = points.get(p);
      double[] k =
          covariances.computeIfAbsent(point.factor, factor -> point.covariance(history.size()));
      double[] at = point.between(history, t - from, k);
      z += share[p] * point.distance(scaled, at[0], at[1]);
      expected += share[p] * history.scale * point.warp.back(at[0]);
    }
    return new Outlier(t, values[t], expected, z);
  }

  /// A few processes that stand for the library.
  private List<Shape> shapes() {
    List<List<Season>> all = new ArrayList<>();
    all.add(List.of());
    for (double size : SEASONS) {
      List<Season> some =
          Arrays.stream(seasons)
              .filter(m -> m <= LONGEST)
              .mapToObj(m -> Season.free(m, size, .03))
              .toList();
      if (!some.isEmpty()) all.add(some);
    }
    List<Shape> shapes = new ArrayList<>();
    for (double level : LEVELS)
      for (List<Season> each : all) shapes.add(new Shape(level, new Slope(.9, 0, .1), each, 0, 0));
    return shapes;
  }

  /// Whether no neighbour is off too, and no value at the same place of another period.
  private boolean isAlone(Outlier one, List<Outlier> off) {
    return off.stream()
        .noneMatch(
            other ->
                other.step != one.step
                    && (Math.abs(other.step - one.step) <= 1
                        || (other.t * one.t > 0 && recurs(one, other))));
  }

  /// Whether two values lie at the same place of a period. A year of weeks or days may be longer by
  /// one.
  private boolean recurs(Outlier one, Outlier other) {
    double gap = Math.abs(one.step - other.step);
    return Arrays.stream(periods)
        .anyMatch(m -> Math.abs(gap - m * Math.rint(gap / m)) <= (m > LONG ? 1.5 : 0.5));
  }
}
