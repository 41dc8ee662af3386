package lovelace.cli;

import java.util.Arrays;
import java.util.List;
import lovelace.forecast.TimeSeries;
import lovelace.plot.SeriesPicture;
import lovelace.plot.SeriesPicture.Fact;
import lovelace.plot.SeriesPicture.Fan;
import lovelace.plot.SeriesPicture.Unit;

/// Numbers by which people look for a series among thousands. NaN is a number that is not known.
final class SeriesFacts {

  private static final Fact GROWTH =
      new Fact(
          "growth", "the medians of the forecast against the values a season earlier", Unit.CHANGE);
  private static final Fact SIZE = new Fact("size", "the mean size of the values", Unit.PLAIN);
  private static final Fact ANOMALY =
      new Fact(
          "anomaly",
          "the largest change over a season, in robust standard deviations of such changes",
          Unit.PLAIN);

  /// The facts of forecasts, in the order in which [SeriesGallery#add] has them.
  static final List<Fact> OF_FORECASTS =
      List.of(
          GROWTH,
          SIZE,
          new Fact(
              "uncertainty",
              "half the mean width of the 80 % intervals, against the size of the values",
              Unit.PERCENT),
          ANOMALY);

  /// The facts of backtests, in the order in which [BacktestGallery] has them.
  static final List<Fact> OF_BACKTESTS =
      List.of(
          new Fact("error", "MASE over all windows", Unit.PLAIN),
          SIZE,
          new Fact(
              "growth",
              "the values of the last horizon against those a season earlier",
              Unit.CHANGE),
          new Fact(
              "miss",
              "the largest error of a median, in half widths of the 95 % interval",
              Unit.PLAIN),
          ANOMALY);

  /// Makes the median of absolute deviations that of a standard deviation of Gaussian values.
  private static final double ROBUST = 1.4826;

  private SeriesFacts() {}

  /// The mean of |y|.
  static double size(TimeSeries series) {
    return Arrays.stream(series.values())
        .filter(v -> !Double.isNaN(v))
        .map(Math::abs)
        .average()
        .orElse(Double.NaN);
  }

  /// `max |d − median d| / (1.4826 median |d − median d|)` of the changes `d_t = y_t − y_{t−m}`. If
  /// more than half of the changes are the same, their mean deviation takes the place of the
  /// median.
  static double anomaly(TimeSeries series, int season) {
    double[] y = series.values();
    if (y.length <= season) return Double.NaN;
    double[] changes = new double[y.length - season];
    for (int t = season; t < y.length; t++) changes[t - season] = y[t] - y[t - season];
    changes = Arrays.stream(changes).filter(Double::isFinite).toArray();
    if (changes.length < 3) return Double.NaN;
    double middle = median(changes);
    double[] away = Arrays.stream(changes).map(d -> Math.abs(d - middle)).toArray();
    double usual = ROBUST * median(away);
    if (!(usual > 0)) usual = Arrays.stream(away).average().orElse(0);
    double most = Arrays.stream(away).max().orElse(0);
    return most == 0 ? 0 : most / usual;
  }

  private static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /// `Σ next / Σ y − 1`, where each y lies whole seasons before its next, and is the latest that is
  /// known at the end of the series.
  ///
  /// @param lead how many steps lie between the series and the first of `next`
  static double growth(TimeSeries series, int lead, double[] next, int season) {
    double sum = 0;
    double before = 0;
    double size = 0;
    for (int k = 0; k < next.length; k++) {
      int ahead = lead + k;
      int at = series.size() - season + ahead % season;
      if (at < 0) continue;
      double y = series.value(at);
      if (Double.isNaN(y) || Double.isNaN(next[k])) continue;
      sum += next[k];
      before += y;
      size += Math.abs(y);
    }
    return size > 0 ? (sum - before) / size : Double.NaN;
  }

  /// Half the mean width of the 80 % intervals, against a size.
  static double spread(Fan fan, double size) {
    double[][] q = fan.quantiles();
    int last = SeriesPicture.levels().length - 1;
    double width =
        Arrays.stream(q).mapToDouble(step -> step[last - 1] / 2 - step[1] / 2).average().orElse(0);
    return size > 0 ? width / size : Double.NaN;
  }
}
