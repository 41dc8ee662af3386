package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.series.sums.Innovations;
import lovelace.series.sums.JointDraws;

/// Series, and sums of them such as shops and regions. Forecasts and intervals of both come from
/// joint draws in which sums agree. Immutable.
///
/// ```java
/// SeriesSums sums = SeriesSums.of(series, List.of(new int[] {0, 1, 2}));
/// SeriesSums.Draws next = sums.forecast(model, 12, 1_000, new SplittableRandom(1));
/// double[] total = next.at(0, 11); // in each draw the sum of at(1, 11), at(2, 11) and at(3, 11)
/// ```
public final class SeriesSums {

  /// The most sums at once. They are solved for together.
  public static final int MOST = 3_000;

  /// The most last steps whose errors show how series depend on each other.
  private static final int TIMES = 150;

  private final List<TimeSeries> series;
  private final long[] first;
  private final List<int[]> members;
  private final List<TimeSeries> sums = new ArrayList<>();
  private final long[] sumFirst;
  private final long end;

  private SeriesSums(List<TimeSeries> series, long[] first, List<int[]> members, boolean zero) {
    this.series = List.copyOf(series);
    this.first = first;
    this.members = members.stream().map(int[]::clone).toList();
    if (members.size() > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there are %,d sums, and at most %,d are forecast at once; ask for fewer levels",
              members.size(),
              MOST));
    long last = Long.MIN_VALUE;
    for (int i = 0; i < first.length; i++)
      if (series.get(i).size() > 0) last = Math.max(last, first[i] + series.get(i).size());
    if (last == Long.MIN_VALUE)
      throw new IllegalArgumentException("no series has values, so there is nothing to add up");
    end = last;
    sumFirst = new long[members.size()];
    for (int a = 0; a < sumFirst.length; a++) sums.add(sum(a, zero));
  }

  /// Series that all end at the same step, and sums of them.
  ///
  /// @param members the places of the series that each sum adds
  public static SeriesSums of(List<TimeSeries> series, List<int[]> members) {
    long[] first = series.stream().mapToLong(each -> -each.size()).toArray();
    return of(series, first, members, Forecaster.Gaps.MISSING);
  }

  /// Series, and sums of them. All forecasts begin after the last value of any series. A series
  /// counts as 0 before its first value.
  ///
  /// @param first the number of the step of the first value of each
  /// @param members the places of the series that each sum adds
  /// @param gaps the meaning of gaps; a sum has a gap where one of its series has one that is not 0
  public static SeriesSums of(
      List<TimeSeries> series, long[] first, List<int[]> members, Forecaster.Gaps gaps) {
    return new SeriesSums(series, first.clone(), members, gaps == Forecaster.Gaps.ZERO);
  }

  private TimeSeries sum(int a, boolean zero) {
    long from = end;
    for (int i : members.get(a)) if (series.get(i).size() > 0) from = Math.min(from, first[i]);
    double[] sum = new double[Math.toIntExact(end - from)];
    for (int i : members.get(a)) {
      TimeSeries each = series.get(i);
      if (each.size() == 0) continue;
      int at = Math.toIntExact(first[i] - from);
      for (int t = at; t < sum.length; t++) {
        double value = t - at < each.size() ? each.value(t - at) : Double.NaN;
        sum[t] += Double.isNaN(value) && zero ? 0 : value;
      }
    }
    int lead = 0;
    while (lead < sum.length && Double.isNaN(sum[lead])) lead++;
    sumFirst[a] = from + lead;
    return TimeSeries.of("sum " + a, sum);
  }

  /// The number of the step at which all forecasts begin.
  public long begin() {
    return end;
  }

  /// The history of a sum. It has gaps where a series has one.
  public TimeSeries sum(int place) {
    return sums.get(place);
  }

  /// The number of steps of a sum, up to the first forecast, that have no value.
  public int missing(int place) {
    return sums.get(place).gaps() + lead(sums.get(place), sumFirst[place]);
  }

  private int lead(TimeSeries of, long from) {
    return Math.toIntExact(end - from - of.size());
  }

  /// The most steps between the end of a series or a sum and the first forecast. The horizon of the
  /// model must be longer by them.
  public int longestLead() {
    int longest = 0;
    for (int i = 0; i < first.length; i++)
      if (series.get(i).size() > 0) longest = Math.max(longest, lead(series.get(i), first[i]));
    for (int a = 0; a < sumFirst.length; a++)
      if (sums.get(a).size() > 0) longest = Math.max(longest, lead(sums.get(a), sumFirst[a]));
    return longest;
  }

  /// Forecasts series and sums, and makes them agree.
  ///
  /// @param steps to forecast
  /// @param draws how many
  public Draws forecast(ForecastModel model, int steps, int draws, SplittableRandom random) {
    if (model.options().bounds().length > 0)
      throw new IllegalArgumentException(
          "the model keeps values within bounds, and a sum may lie outside the bounds of its series; learn without bounds");
    int horizon = model.options().horizon();
    if (steps + longestLead() > horizon)
      throw new IllegalArgumentException(
          "%s steps after the last value of any series are %s after the end of one; learn with a horizon of %s, got %s"
              .formatted(steps, steps + longestLead(), steps + longestLead(), horizon));
    List<TimeSeries> all = new ArrayList<>(sums);
    all.addAll(series);
    List<Forecast> forecasts = model.forecast(all);
    int season = model.seasons().length == 0 ? 1 : (int) Math.max(1, Math.rint(model.seasons()[0]));
    List<JointDraws.Part> parts = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      TimeSeries each = all.get(i);
      long from = i < sums.size() ? sumFirst[i] : first[i - sums.size()];
      boolean empty = each.size() == 0;
      parts.add(
          new JointDraws.Part(
              forecasts.get(i).outlookOrZero(),
              empty ? 0 : lead(each, from),
              empty ? common(new double[0], end, season) : common(each.array(), from, season)));
    }
    boolean[] positive = new boolean[series.size()];
    for (int i = 0; i < positive.length; i++)
      positive[i] = Arrays.stream(series.get(i).array()).noneMatch(v -> v < 0);
    return new Draws(forecasts, JointDraws.of(parts, members, positive, steps, draws, random));
  }

  /// The innovations of a series at the last steps before the end.
  private double[] common(double[] values, long from, int season) {
    double[] errors = Innovations.of(values, season);
    double[] last = new double[TIMES];
    Arrays.fill(last, Double.NaN);
    for (int t = 0; t < errors.length; t++) {
      long place = from + t - end + TIMES;
      if (place >= 0) last[(int) place] = errors[t];
    }
    return last;
  }

  /// Joint draws of sums, then series, in which the sums agree.
  public static final class Draws {
    private final List<Forecast> base;
    private final JointDraws draws;

    private Draws(List<Forecast> base, JointDraws draws) {
      this.base = base;
      this.draws = draws;
    }

    /// The draws at a step of a sum, or of a series after the sums.
    public double[] at(int place, int step) {
      return draws.at(place, step);
    }

    /// The forecasts before they were made to agree, sums first.
    public List<Forecast> base() {
      return base;
    }
  }
}
