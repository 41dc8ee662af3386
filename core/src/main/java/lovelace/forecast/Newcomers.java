package lovelace.forecast;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.series.Outlook;
import lovelace.series.Similar;
import lovelace.series.counts.WholeOutlook;

/// Forecasts series without a value, by the forecasts of others with similar traits. Immutable.
///
/// ```java
/// Newcomers newcomers = Newcomers.of(traits, forecasts, 12);
/// double sales = newcomers.forecast("shop 21", new Traits(List.of("north"), List.of())).median(0);
/// ```
public final class Newcomers {

  /// The fewest series with forecasts.
  public static final int FEWEST = Similar.FEWEST;

  /// The most traits of a series.
  public static final int MOST_TRAITS = Similar.MOST_TRAITS;

  private final Similar similar;
  private final List<Map<String, Integer>> words;
  private final int numbers;
  private final int horizon;
  private final boolean counts;

  /// The outlook from a later step on.
  private record Later(Outlook outlook, int lead, int steps) implements Outlook {
    @Override
    public double cdf(int step, double y) {
      return outlook.cdf(lead + step, y);
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return outlook.quantiles(lead + step, levels);
    }

    @Override
    public double[][] paths(int count, SplittableRandom random) {
      double[][] paths = outlook.paths(count, random);
      for (int i = 0; i < count; i++)
        paths[i] = java.util.Arrays.copyOfRange(paths[i], lead, lead + steps);
      return paths;
    }
  }

  /// A series that others are like.
  ///
  /// @param forecast of the series
  /// @param lead the steps of its forecast before the first common one
  public record Member(Traits traits, Forecast forecast, int lead) {}

  private Newcomers(List<Member> members, int horizon) {
    this.horizon = horizon;
    counts = members.stream().allMatch(m -> m.forecast.likelihood() == ValueKind.COUNTS);
    Traits first = members.getFirst().traits;
    numbers = first.numbers().size();
    words = new ArrayList<>();
    for (int w = 0; w < first.words().size(); w++) words.add(new HashMap<>());
    List<double[]> traits = new ArrayList<>();
    List<Outlook> outlooks = new ArrayList<>();
    for (Member each : members) {
      for (int w = 0; w < words.size(); w++) {
        Map<String, Integer> known = words.get(w);
        known.putIfAbsent(each.traits.words().get(w), known.size());
      }
      traits.add(numbers(each.traits));
      outlooks.add(new Later(each.forecast.outlook(), each.lead, horizon));
    }
    boolean[] kinds = new boolean[words.size() + numbers];
    for (int w = 0; w < words.size(); w++) kinds[w] = true;
    similar = Similar.of(kinds, traits, outlooks, horizon);
  }

  /// Series with forecasts.
  ///
  /// @param horizon the steps to forecast, which all forecasts have after their leads
  public static Newcomers of(List<Member> members, int horizon) {
    for (Member each : members) {
      if (each.forecast.kind() == Forecast.Kind.NONE)
        throw new IllegalArgumentException(
            "series '%s' has no forecast; leave it out".formatted(each.forecast.id()));
      if (each.lead < 0 || each.lead + horizon > each.forecast.horizon())
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s' has a forecast of %,d steps; %,d after the first %,d are needed",
                each.forecast.id(),
                each.forecast.horizon(),
                horizon,
                each.lead));
    }
    return new Newcomers(members, horizon);
  }

  /// The numbers of traits. A word that no series has gets a number of its own.
  private double[] numbers(Traits traits) {
    if (traits.words().size() != words.size() || traits.numbers().size() != numbers)
      throw new IllegalArgumentException(
          "a series has %s words and %s numbers, others have %s and %s; give all of them the same"
              .formatted(traits.words().size(), traits.numbers().size(), words.size(), numbers));
    double[] all = new double[words.size() + numbers];
    for (int w = 0; w < words.size(); w++)
      all[w] = words.get(w).getOrDefault(traits.words().get(w), -1);
    for (int n = 0; n < numbers; n++) all[words.size() + n] = traits.numbers().get(n);
    return all;
  }

  /// Whether a series has a word that no other has.
  public boolean isStrange(Traits traits) {
    for (int w = 0; w < words.size(); w++)
      if (!words.get(w).containsKey(traits.words().get(w))) return true;
    return false;
  }

  /// The number of series that tell about a new one.
  public int members() {
    return similar.series();
  }

  /// The forecast of a series without a value.
  public Forecast forecast(String id, Traits traits) {
    Outlook outlook = similar.outlook(numbers(traits));
    return new Forecast(
        TimeSeries.of(id),
        Forecast.Kind.NEW,
        horizon,
        counts ? new WholeOutlook(outlook) : outlook,
        counts ? ValueKind.COUNTS : ValueKind.NUMBERS,
        Reasons.NONE);
  }
}
