package lovelace.series.counts;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import lovelace.series.Outlook;

/// Forecasts counts, and amounts with zeros, by what was learned from a table. Immutable.
public final class CountModel {

  /// Seasons of more steps have no factors.
  private static final int LONGEST_SEASON = 400;

  /// These models are left out below this share, and the library is above 1 less it.
  private static final double LEAST_SHARE = 0.02;

  /// Nothing is forecast above this many times the largest value of a history.
  private static final double REACH = 40;

  /// At most as many last values are used.
  private static final int LONGEST = 1_008;

  private final int[] periods;
  private final Family counts;
  private final Family amounts;

  CountModel(int[] periods, Family counts, Family amounts) {
    this.periods = periods;
    this.counts = counts;
    this.amounts = amounts;
  }

  /// Before anything is learned.
  ///
  /// @param seasons periods in steps, of which the two shortest whole ones are used
  public static CountModel start(double... seasons) {
    int[] periods =
        Arrays.stream(seasons)
            .filter(s -> s <= LONGEST_SEASON)
            .mapToInt(s -> (int) Math.rint(s))
            .limit(2)
            .toArray();
    return new CountModel(
        periods,
        Family.start(Support.COUNTS, periods.length),
        Family.start(Support.AMOUNTS, periods.length));
  }

  int[] periods() {
    return periods;
  }

  Family family(Support support) {
    return support == Support.COUNTS ? counts : amounts;
  }

  /// The number of series of a kind that it was learned from.
  public int learnedFrom(Support support) {
    return support == Support.NUMBERS ? 0 : family(support).series();
  }

  /// The outlook of a series: the average of these models and of the library of processes.
  ///
  /// @param y NaN is a gap
  /// @param numbers the library's
  /// @param always whether all that is forecast must be of the kind; otherwise the library's
  ///   outlook stays as it is where these models have hardly a share
  public Outlook outlook(
      Support support, double[] y, int horizon, Outlook numbers, boolean always) {
    if (support == Support.NUMBERS) return numbers;
    double share = share(support, y);
    if (share < LEAST_SHARE) return always ? like(support, y, numbers) : numbers;
    Outlook own = own(support, y, horizon);
    if (share > 1 - LEAST_SHARE) return own;
    return new PooledOutlook(own, like(support, y, numbers), share);
  }

  /// Whether these models have a share in the outlook of a series.
  public boolean hasShare(Support support, double... y) {
    return share(support, y) >= LEAST_SHARE;
  }

  /// The share of these models in the outlook of a series.
  public double share(Support support, double... y) {
    double[] seen = Support.seen(y);
    if (support == Support.NUMBERS || seen.length == 0) return 0;
    if (support == Support.COUNTS && !Support.isSmall(seen)) return 0;
    if (Arrays.stream(seen).allMatch(v -> v == 0)) return 1;
    return Pool.share(
        family(support).pool(),
        support == Support.COUNTS ? Pool.counts(y, periods) : Pool.amounts(y));
  }

  /// The library's outlook for values of a kind.
  public static Outlook like(Support support, double[] y, Outlook numbers) {
    return switch (support) {
      case NUMBERS -> numbers;
      case COUNTS -> new WholeOutlook(numbers);
      case AMOUNTS ->
          new ZeroOutlook(numbers, 0.5 * Arrays.stream(y).filter(v -> v > 0).min().orElse(0));
    };
  }

  /// The outlook by these models alone.
  Outlook own(Support support, double[] given, int horizon) {
    double[] y = last(given);
    double scale = scale(support, y);
    double[] scaled = Arrays.stream(y).map(v -> v / scale).toArray();
    Track[] tracks = tracks(support);
    Evidence evidence = Evidence.of(tracks, scaled, horizon, false, longest());
    return own(support, family(support).shares().main(evidence), tracks, horizon, y);
  }

  /// The outlook of tracks that have read a series.
  private Outlook own(Support support, double[] shares, Track[] tracks, int horizon, double... y) {
    int[] used = IntStream.range(0, shares.length).filter(j -> shares[j] > 0).toArray();
    double[] share = Arrays.stream(used).mapToDouble(j -> shares[j]).toArray();
    if (support == Support.COUNTS)
      return new CountOutlook(
          share,
          Arrays.stream(used)
              .mapToObj(j -> (CountFuture) tracks[j].ahead(horizon))
              .toArray(CountFuture[]::new),
          (int) (REACH * largest(y)));
    return new AmountOutlook(
        share,
        Arrays.stream(used)
            .mapToObj(j -> (AmountFuture) tracks[j].ahead(horizon))
            .toArray(AmountFuture[]::new),
        scale(support, y),
        REACH * largest(y));
  }

  private static double largest(double... y) {
    double largest = Arrays.stream(y).filter(v -> v > 0).max().orElse(0);
    return largest > 0 ? largest : 1;
  }

  static double[] last(double... y) {
    return Arrays.copyOfRange(y, Math.max(0, y.length - LONGEST), y.length);
  }

  int longest() {
    return Arrays.stream(periods).max().orElse(1);
  }

  /// The unit of a series: 1 for counts, and the mean of what is there for amounts.
  static double scale(Support support, double... y) {
    if (support == Support.COUNTS) return 1;
    double largest = largest(y);
    return largest * Arrays.stream(y).filter(v -> v > 0).map(v -> v / largest).average().orElse(1);
  }

  /// Fresh tracks of all points.
  Track[] tracks(Support support) {
    return points(support, periods.length).stream()
        .map(point -> point.start(family(support).prior(), periods))
        .toArray(Track[]::new);
  }

  static List<Point> points(Support support, int seasons) {
    return support == Support.COUNTS ? Point.counts(seasons) : Point.amounts(seasons);
  }

  /// All that was learned as numbers, which [#of] takes back.
  public double[] numbers() {
    return CountNumbers.write(this);
  }

  /// The model whose [#numbers] these are; empty if they are those of another library.
  public static Optional<CountModel> of(double... numbers) {
    return CountNumbers.read(numbers);
  }
}
