package lovelace.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.TimeSeries;
import lovelace.linear.Gaussian;

/// Forecasts that would have been made earlier, scored beside those that repeat the last season.
/// The weights are those of the model, which has seen the later values too.
///
/// With `s` the mean |y_t − y_{t−m}| before the cut and `e` the error of the median, MASE is mean
/// |e|/s, and sMAPE mean 200 |e|/(|y| + |median|). The intervals of the seasonal naive forecast are
/// those of a normal distribution with the mean square of the changes from season to season.
final class StudioBacktest {

  /// The most earlier times of one series, and of each of many.
  private static final int WINDOWS = 12;

  private static final int WINDOWS_OF_MANY = 3;

  /// The most series that are scored, at equal distances.
  private static final int MOST = 200;

  /// The ends of the intervals of 80 and 95 %, and the median.
  private static final double[] LEVELS = {0.025, 0.1, 0.5, 0.9, 0.975};

  private final ForecastModel model;
  private final int horizon;
  private final int season;
  private final Sums ours;
  private final Sums naive;
  private int forecasts = 0;
  private int scored = 0;

  /// Sums by step.
  private static final class Sums {
    final double[] error;
    final double[] smape;
    final double[] inside80;
    final double[] inside95;
    final int[] scaled;
    final int[] count;

    Sums(int horizon) {
      error = new double[horizon];
      smape = new double[horizon];
      inside80 = new double[horizon];
      inside95 = new double[horizon];
      scaled = new int[horizon];
      count = new int[horizon];
    }

    void add(int step, double y, double scale, double[] found) {
      double miss = Math.abs(y - found[2]);
      double size = Math.abs(y) + Math.abs(found[2]);
      smape[step] += size == 0 ? 0 : 200 * miss / size;
      if (y >= found[1] && y <= found[3]) inside80[step]++;
      if (y >= found[0] && y <= found[4]) inside95[step]++;
      count[step]++;
      if (!(scale > 0)) return;
      error[step] += miss / scale;
      scaled[step]++;
    }

    private static Object by(double[] sum, int[] count) {
      return IntStream.range(0, sum.length)
          .mapToObj(k -> count[k] == 0 ? null : sum[k] / count[k])
          .toList();
    }

    private static Object all(double[] sum, int[] count) {
      int n = Arrays.stream(count).sum();
      return n == 0 ? "unknown" : Arrays.stream(sum).sum() / n;
    }

    Map<String, Object> about() {
      return Answers.map(
          "mase", all(error, scaled),
          "smape", all(smape, count),
          "inside80", all(inside80, count),
          "inside95", all(inside95, count),
          "mases", by(error, scaled),
          "insides80", by(inside80, count),
          "insides95", by(inside95, count));
    }
  }

  private StudioBacktest(ForecastModel model) {
    this.model = model;
    horizon = model.options().horizon();
    double[] seasons = model.seasons();
    season = seasons.length == 0 ? 1 : (int) Math.max(1, Math.rint(seasons[0]));
    ours = new Sums(horizon);
    naive = new Sums(horizon);
  }

  /// Scores the forecasts of one series or of many.
  static Map<String, Object> of(ForecastModel model, List<TimeSeries> series) {
    StudioBacktest test = new StudioBacktest(model);
    boolean many = series.size() > 1;
    int used = Math.min(series.size(), MOST);
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < used; i++)
      cuts.addAll(test.cuts(series.get((int) ((long) i * series.size() / used)), many));
    if (cuts.isEmpty())
      throw Refusal.wrong(
          "a backtest needs more than %,d values of a series; this %s",
          test.horizon + Math.max(3, test.season + 1),
          many ? "table has none so long" : "one has " + series.getFirst().size());
    for (int from = 0; from < cuts.size(); from += MOST) {
      Budget.check();
      test.score(cuts.subList(from, Math.min(cuts.size(), from + MOST)));
    }
    return Answers.map(
        "forecasts", test.forecasts,
        "series", test.scored,
        "season", test.season,
        "ours", test.ours.about(),
        "naive", test.naive.about());
  }

  /// A series, and the number of its values before a forecast.
  private record Cut(TimeSeries series, int length) {}

  /// Cuts up to a horizon before the end. Those of one series may overlap, to have more of them.
  private List<Cut> cuts(TimeSeries series, boolean many) {
    List<Cut> cuts = new ArrayList<>();
    int stride = many ? horizon : Math.max(1, horizon / 4);
    int least = Math.max(3, season + 1);
    for (int w = 0; w < (many ? WINDOWS_OF_MANY : WINDOWS); w++) {
      int length = series.size() - horizon - w * stride;
      if (length >= least) cuts.add(new Cut(series, length));
    }
    if (!cuts.isEmpty()) scored++;
    return cuts;
  }

  private void score(List<Cut> cuts) {
    List<TimeSeries> before = cuts.stream().map(cut -> cut.series.first(cut.length)).toList();
    List<Forecast> made = model.forecast(before);
    for (int i = 0; i < cuts.size(); i++) {
      double[] values = cuts.get(i).series.values();
      int length = cuts.get(i).length;
      int lead = length - before.get(i).size(); // a gap before the cut
      if (made.get(i).kind() == Forecast.Kind.NONE || lead >= horizon) continue;
      double[] change = changes(values, length);
      forecasts++;
      for (int k = 0; k < horizon - lead; k++) {
        double y = values[length + k];
        if (Double.isNaN(y)) continue;
        ours.add(k, y, change[0], made.get(i).quantiles(lead + k, LEVELS));
        naive.add(k, y, change[0], repeated(values, length, k, Math.sqrt(change[1])));
      }
    }
  }

  /// The mean size and the mean square of the changes from season to season.
  private double[] changes(double[] values, int length) {
    double absolute = 0;
    double squared = 0;
    int count = 0;
    for (int t = season; t < length; t++) {
      double change = values[t] - values[t - season];
      if (Double.isNaN(change)) continue;
      absolute += Math.abs(change);
      squared += change * change;
      count++;
    }
    return new double[] {absolute / count, count == 0 ? 0 : squared / count};
  }

  private double[] repeated(double[] values, int length, int step, double width) {
    int at = length - season + step % season;
    while (at >= 0 && Double.isNaN(values[at])) at -= season;
    int last = length - 1;
    while (at < 0 && Double.isNaN(values[last])) last--;
    double place = values[at < 0 ? last : at];
    double far = width * Math.sqrt(step / season + 1.);
    return Arrays.stream(LEVELS).map(p -> place + far * Gaussian.quantile(p)).toArray();
  }
}
