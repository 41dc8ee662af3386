package lovelace.series.counts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;
import lovelace.series.Outlook;

/// Learns from the counts and amounts of a table: what to expect of a series, how much each model
/// counts, and how much all of them count beside the library of processes.
public final class CountLearner {

  /// Amounts are compared in cells of this many mean amounts.
  private static final double CELL = 0.1;

  private final CountModel start;

  /// @param seasons periods in steps
  public CountLearner(double... seasons) {
    start = CountModel.start(seasons);
  }

  /// A series whose last values were forecast by the library of processes.
  ///
  /// @param values NaN is a gap
  /// @param held how many of the last values were held out
  /// @param numbers the library's outlook of these
  @SuppressWarnings("ArrayRecordComponent")
  public record Case(Support support, double[] values, int held, Outlook numbers) {}

  public CountModel learn(List<Case> cases) {
    return new CountModel(
        start.periods(), learn(Support.COUNTS, cases), learn(Support.AMOUNTS, cases));
  }

  private Family learn(Support support, List<Case> all) {
    List<Case> cases =
        all.stream()
            .filter(each -> each.support == support && each.held > 0)
            .filter(each -> support != Support.COUNTS || Support.isSmall(Support.seen(each.values)))
            .toList();
    Family first = start.family(support);
    if (cases.isEmpty()) return first;
    List<double[]> series = new ArrayList<>();
    for (Case each : cases) {
      double[] y = CountModel.last(each.values);
      double scale = CountModel.scale(support, y);
      series.add(Arrays.stream(y).map(v -> v / scale).toArray());
    }
    Prior prior = support == Support.COUNTS ? Prior.counts(series) : Prior.amounts(series);
    Family begun = new Family(prior, first.shares(), first.pool(), cases.size());
    CountModel fresh =
        support == Support.COUNTS
            ? new CountModel(start.periods(), begun, start.family(Support.AMOUNTS))
            : new CountModel(start.periods(), start.family(Support.COUNTS), begun);
    Evidence[] evidence = new Evidence[cases.size()];
    Parallel.forEach(
        evidence.length,
        i ->
            evidence[i] =
                Evidence.of(
                    fresh.tracks(support),
                    series.get(i),
                    cases.get(i).held,
                    true,
                    fresh.longest()));
    Shares shares =
        new SharesLearner(
                first.shares(),
                Point.terms(CountModel.points(support, start.periods().length)),
                List.of(evidence))
            .learn();
    Pool.Case[] pooled = new Pool.Case[cases.size()];
    Family learned = new Family(prior, shares, first.pool(), cases.size());
    CountModel model =
        support == Support.COUNTS
            ? new CountModel(start.periods(), learned, start.family(Support.AMOUNTS))
            : new CountModel(start.periods(), start.family(Support.COUNTS), learned);
    Parallel.forEach(pooled.length, i -> pooled[i] = pooled(model, cases.get(i)));
    double[] pool =
        Pool.learn(
            first.pool(),
            IntStream.range(0, pooled.length)
                .mapToObj(i -> pooled[i])
                .filter(each -> each.own().length > 0)
                .toList());
    return new Family(prior, shares, pool, cases.size());
  }

  /// The masses of the values that were held out, by these models and by the library.
  private static Pool.Case pooled(CountModel model, Case each) {
    double[] y = each.values;
    int n = y.length - each.held;
    double[] before = Arrays.copyOf(y, n);
    Support support = each.support;
    double[] features =
        support == Support.COUNTS ? Pool.counts(before, model.periods()) : Pool.amounts(before);
    if (n == 0) return new Pool.Case(features, new double[0], new double[0]);
    Outlook own = model.own(support, before, each.held);
    Outlook other = CountModel.like(support, before, each.numbers);
    double half = support == Support.COUNTS ? 0.5 : 0.5 * CELL * CountModel.scale(support, before);
    int[] seen = IntStream.range(0, each.held).filter(k -> !Double.isNaN(y[n + k])).toArray();
    return new Pool.Case(
        features,
        Arrays.stream(seen).mapToDouble(k -> mass(own, k, y[n + k], half)).toArray(),
        Arrays.stream(seen).mapToDouble(k -> mass(other, k, y[n + k], half)).toArray());
  }

  private static double mass(Outlook outlook, int step, double y, double half) {
    if (outlook instanceof CountOutlook counts) return counts.mass(step, y);
    return Math.max(0, outlook.cdf(step, y + half) - outlook.cdf(step, y - half));
  }
}
