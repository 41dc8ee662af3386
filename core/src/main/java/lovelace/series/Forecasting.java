package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import lovelace.linear.Parallel;

/// Forecasts series by the points that have a share in each.
public final class Forecasting {

  /// The share of the seasonal naive process, which no forecast is without.
  static final double NAIVE = 0.01;

  /// The points with the largest shares make a forecast, until they have this much together.
  static final double MASS = 0.995;

  /// No quantile is further outside the history than this many times its range.
  private static final double REACH = 40;

  /// Quantiles of positive series stay above the smallest value divided by this.
  private static final double POSITIVE = 100;

  /// Degrees of freedom of a forecast from one value.
  private static final int ONE_NU = 3;

  private final Library library;
  private final int horizon;
  private final Weights weights;

  public Forecasting(Library library, int horizon, Weights weights) {
    this.library = library;
    this.horizon = horizon;
    this.weights = weights;
  }

  /// The forecasts of series after their last values.
  ///
  /// @param held whether to leave out the last values that the readings held out
  public List<Mixture> forecast(List<History> histories, List<Reading> readings, boolean held) {
    int count = histories.size();
    List<Parts> parts = new ArrayList<>();
    for (Reading r : readings)
      parts.add(
          new Parts(held && !r.held().isEmpty() ? top(shares(r.held().getFirst())) : shares(r)));
    Parallel.forEach(
        count,
        i -> {
          History history = histories.get(i);
          if (!held && history.hasGaps() && !Gapped.takes(history)) parts.get(i).fill(history);
        });
    List<Kin> whole = Kin.of(histories, history -> held || !history.hasGaps());
    Parallel.forEach(
        library.shapes().size(),
        s -> {
          List<Kin> some = using(whole, parts, s);
          if (some.isEmpty()) return;
          int size = some.getLast().length() + horizon;
          Factor factor = Factor.of(library.shapes().get(s), size);
          for (Kin kin : some) {
            int cut = held ? heldOut(readings.get(kin.places()[0])) : 0;
            add(kin, parts, s, factor, cut);
          }
        });
    if (!held) Parallel.forEach(library.shapes().size(), s -> fillFewGaps(histories, parts, s));
    List<Mixture> result = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int cut = held ? heldOut(readings.get(i)) : 0;
      History history = histories.get(i);
      int unknown = !held ? history.size() - history.observed.length : cut;
      result.add(parts.get(i).mixture(history, history.size() - cut, history.size() - unknown));
    }
    return result;
  }

  /// Fills the forecasts of a shape for histories with few gaps.
  private void fillFewGaps(List<History> histories, List<Parts> parts, int shape) {
    int[] places =
        IntStream.range(0, histories.size())
            .filter(i -> Gapped.takes(histories.get(i)))
            .filter(i -> parts.get(i).uses(shape, library.warps().size()))
            .toArray();
    if (places.length == 0) return;
    int longest = IntStream.of(places).map(i -> histories.get(i).size()).max().getAsInt();
    Factor factor = Factor.of(library.shapes().get(shape), longest + horizon);
    for (int i : places) parts.get(i).fill(histories.get(i), shape, factor);
  }

  /// Those of some histories whose forecasts use a shape.
  private List<Kin> using(List<Kin> all, List<Parts> parts, int shape) {
    int warps = library.warps().size();
    List<Kin> some = new ArrayList<>();
    for (Kin kin : all) {
      int[] using =
          IntStream.range(0, kin.places().length)
              .filter(i -> parts.get(kin.places()[i]).uses(shape, warps))
              .toArray();
      if (using.length > 0)
        some.add(
            new Kin(
                Arrays.stream(using).mapToObj(kin.histories()::get).toList(),
                Arrays.stream(using).map(i -> kin.places()[i]).toArray()));
    }
    return some;
  }

  /// Adds the forecasts of a shape to those of some histories.
  ///
  /// @param cut how many last values to leave out
  private void add(Kin kin, List<Parts> parts, int shape, Factor factor, int cut) {
    int warps = library.warps().size();
    int[] places = kin.places();
    Group group =
        Group.knowing(
            kin.histories(), places, (i, w) -> parts.get(places[i]).share(shape * warps + w) > 0);
    Group.Whitened.Origin origin = group.whitened(factor).at(kin.length() - cut);
    Group.Whitened.Ahead ahead = origin.ahead(cut > 0 ? Math.min(cut, horizon) : horizon);
    for (int c = 0; c < group.columns; c++)
      parts
          .get(places[group.history[c]])
          .set(shape * warps + group.warp[c], group, c, origin, ahead);
  }

  /// The period of the seasonal naive process, for n values.
  int naivePeriod(int n) {
    int m = (int) Math.max(1, Math.rint(library.season()));
    return n <= m ? 1 : m;
  }

  /// The standard deviation of the changes from season to season.
  double naiveWidth(History history, int n) {
    int m = naivePeriod(n);
    double squares = 0;
    for (int t = m; t < n; t++) {
      double d = history.values[t] - history.values[t - m];
      squares += d * d;
    }
    double least = n * history.step * history.step / 12;
    return Math.sqrt(Math.max(Math.max(squares, least), 1e-18) / Math.max(1, n - m));
  }

  /// The shares of the points that make the forecast of a series.
  double[] shares(Reading reading) {
    return top(weights.shares(reading.length(), horizon, reading.evidence(), reading.score()));
  }

  /// The means over series of the shares of the points.
  public double[] meanShares(List<Reading> readings) {
    double[] mean = new double[library.size()];
    for (Reading reading : readings) {
      double[] shares = shares(reading);
      for (int j = 0; j < mean.length; j++) mean[j] += shares[j] / readings.size();
    }
    return mean;
  }

  /// Joint paths of a forecast, by number, then step.
  public double[][] paths(
      History history,
      Reading reading,
      Mixture mixture,
      Calibration calibration,
      int count,
      SplittableRandom random) {
    return new Paths(library, horizon, this)
        .draw(history, reading, mixture, calibration, count, random);
  }

  /// Paths of the forecast from one value.
  public static double[][] walks(Mixture mixture, int horizon, int count, SplittableRandom random) {
    double[][] paths = new double[count][horizon];
    for (double[] path : paths) {
      double z = 0;
      for (int k = 0; k < horizon; k++) {
        z += Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
        path[k] = mixture.quantiles(k, Gaussian.cdf(z / Math.sqrt(k + 1)))[0];
      }
    }
    return paths;
  }

  /// The reasons for a forecast.
  ///
  /// @param given all values of the series, those that are not used among them
  public Explained explained(
      History history, Reading reading, Calibration calibration, double[] given) {
    return new Explanation(library, history, given, shares(reading), calibration, horizon);
  }

  private static int heldOut(Reading reading) {
    return reading.held().isEmpty() ? 0 : reading.length() - reading.held().getFirst().length();
  }

  private double[] shares(Reading.Held h) {
    return weights.shares(h.length(), horizon, h.evidence(), h.score());
  }

  /// The steps of the values of a history, and those of a horizon after it.
  static int[] steps(History history, int horizon) {
    int seen = history.observed.length;
    int[] steps = Arrays.copyOf(history.observed, seen + horizon);
    for (int k = 0; k < horizon; k++) steps[seen + k] = history.size() + k;
    return steps;
  }

  /// The forecast from one value, which stays, with changes of a size relative to it.
  public static Mixture walk(double value, double change, int horizon, List<Warp> warps) {
    double[] places = new double[horizon];
    double[] spreads = new double[horizon];
    double scale = value == 0 ? 1 : Math.abs(value);
    for (int k = 0; k < horizon; k++) {
      places[k] = value / scale;
      spreads[k] = change * Math.sqrt(k + 1);
    }
    return new Mixture(
        horizon,
        scale,
        ONE_NU,
        new double[] {1},
        new Warp[] {new Warp.Power(1)},
        places,
        spreads,
        within(warps, scale, value >= 0 ? 0 : -40, 40));
  }

  /// The smallest and the largest value, divided by the scale, that lie in the bounds of all warps.
  private static double[] within(List<Warp> warps, double scale, double low, double high) {
    double[] ends = {low, high};
    for (Warp each : warps)
      if (each instanceof Warp.Between between) {
        ends[0] = Math.max(ends[0], between.low() / scale);
        ends[1] = Math.min(ends[1], between.high() / scale);
      }
    return ends;
  }

  /// The largest shares, as few as have nearly all together, made to add up to 1; the rest is 0.
  static double[] top(double[] shares) {
    double[] sorted = Arrays.stream(shares).filter(share -> share > 0).sorted().toArray();
    double dropped = 0;
    int first = 0;
    while (first < sorted.length - 1 && dropped + sorted[first] <= 1 - MASS)
      dropped += sorted[first++];
    double least = sorted[first];
    double sum = 0;
    double[] kept = new double[shares.length];
    for (int j = 0; j < kept.length; j++)
      if (shares[j] >= least) {
        kept[j] = shares[j];
        sum += shares[j];
      }
    for (int j = 0; j < kept.length; j++) kept[j] /= sum;
    return kept;
  }

  /// The points of one forecast, filled shape by shape.
  private final class Parts {
    private final int[] points;
    private final double[] share;
    private final double[][] place;
    private final double[][] spread;

    Parts(double[] shares) {
      points =
          java.util.stream.IntStream.range(0, shares.length).filter(j -> shares[j] > 0).toArray();
      share = Arrays.stream(points).mapToDouble(j -> shares[j]).toArray();
      place = new double[points.length][];
      spread = new double[points.length][];
    }

    boolean uses(int shape, int warps) {
      int at = Arrays.binarySearch(points, shape * warps);
      int next = at < 0 ? -at - 1 : at;
      return next < points.length && points[next] / warps == shape;
    }

    double share(int point) {
      int at = Arrays.binarySearch(points, point);
      return at < 0 ? 0 : share[at];
    }

    void set(int point, double[] places, double[] spreads) {
      int at = Arrays.binarySearch(points, point);
      place[at] = places;
      spread[at] = spreads;
    }

    /// Fills the forecasts of one history from the values that are there.
    void fill(History history) {
      int warps = library.warps().size();
      History seen = history.withoutGaps();
      int[] steps = steps(history, horizon);
      for (int s = 0; s < library.shapes().size(); s++) {
        if (!uses(s, warps)) continue;
        int shape = s;
        Group group = Group.of(List.of(seen), new int[1], (i, w) -> share(shape * warps + w) > 0);
        Factor factor = Factor.of(library.shapes().get(s), steps, history.covariates);
        set(group, s, group.whitened(factor).at(seen.size()));
      }
    }

    /// Fills the forecasts of a shape for a history with few gaps.
    void fill(History history, int shape, Factor factor) {
      Gapped gapped = new Gapped(factor, history);
      for (int w = 0; w < library.warps().size(); w++) {
        int point = shape * library.warps().size() + w;
        if (share(point) > 0) set(point, gapped.places(w, horizon), gapped.spreads(w, horizon));
      }
    }

    private void set(Group group, int shape, Group.Whitened.Origin origin) {
      Group.Whitened.Ahead ahead = origin.ahead(horizon);
      for (int c = 0; c < group.columns; c++)
        set(shape * library.warps().size() + group.warp[c], group, c, origin, ahead);
    }

    private void set(
        int point, Group group, int c, Group.Whitened.Origin origin, Group.Whitened.Ahead ahead) {
      double centre = group.histories.get(group.history[c]).centre[group.warp[c]];
      double width = Math.sqrt(origin.sum[c] / (origin.n - 1));
      int steps = ahead.steps();
      double[] places = new double[steps];
      double[] spreads = new double[steps];
      for (int k = 0; k < steps; k++) {
        places[k] = centre + ahead.place()[k * group.columns + c];
        spreads[k] = width * Math.sqrt(ahead.variance(k, c));
      }
      set(point, places, spreads);
    }

    /// @param n the number of steps
    /// @param seen the number of values at these steps
    Mixture mixture(History history, int n, int seen) {
      int count = points.length + 1;
      int steps = place[0].length;
      double[] shares = new double[count];
      Warp[] warp = new Warp[count];
      double[] places = new double[steps * count];
      double[] spreads = new double[steps * count];
      int c = 0;
      for (Warp each : library.warps()) // by warp: a value is warped once
      for (int i = 0; i < points.length; i++) {
          if (!library.warp(points[i]).equals(each)) continue;
          shares[c] = (1 - NAIVE) * share[i];
          warp[c] = each;
          for (int k = 0; k < steps; k++) {
            places[k * count + c] = place[i][k];
            spreads[k * count + c] = spread[i][k];
          }
          c++;
        }
      int naive = count - 1;
      shares[naive] = NAIVE;
      warp[naive] = new Warp.Power(1);
      naive(history, n, count, places, spreads);
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int t = 0; t < n; t++) {
        low = Math.min(low, history.values[t]);
        high = Math.max(high, history.values[t]);
      }
      double least = high > low ? history.step : Math.max(history.step, 0.01 * Math.abs(high));
      double range = Math.max(high - low, least);
      double lowest = low - REACH * range;
      if (low >= 0) lowest = Math.max(lowest, low / POSITIVE);
      double most = 0.999 * (Double.MAX_VALUE / Math.max(history.scale, 1)); // scaled
      double[] bounds =
          within(
              library.warps(),
              history.scale,
              Math.max(lowest, -most),
              Math.min(high + REACH * range, most));
      return new Mixture(steps, history.scale, seen - 1, shares, warp, places, spreads, bounds);
    }

    /// Repeats the last season, with the spread of the changes from season to season.
    private void naive(History history, int n, int count, double[] places, double[] spreads) {
      int m = naivePeriod(n);
      double width = naiveWidth(history, n);
      for (int k = 0; k * count < places.length; k++) {
        places[k * count + count - 1] = history.values[n - m + k % m];
        spreads[k * count + count - 1] = width * Math.sqrt(k / m + 1.0);
      }
    }
  }
}
