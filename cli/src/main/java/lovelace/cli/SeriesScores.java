package lovelace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Scores of forecasts of many series: errors in units of the changes in each series' past, and
/// whether intervals hold.
///
/// With `s` the mean |y_t − y_{t−m}| of the past, `e` the error of the median: MASE is mean |e|/s,
/// sMAPE mean 200 |e|/(|y| + |median|), RMSSE √(mean e² / mean (y_t − y_{t−m})²), the interval
/// score of a level is mean [(U − L) + 2/α ((L − y)₊ + (y − U)₊)]/s with α = 1 − level, CRPS twice
/// the mean pinball loss over the quantiles 0.05, …, 0.95, in units of s, and WQL twice the sum of
/// these losses over Σ|y| (Hyndman and Koehler 2006; Gneiting and Raftery 2007). Each forecast
/// counts the same, and WQL adds up all values.
final class SeriesScores {

  /// The distribution of a forecast.
  interface Quantiles {
    /// The quantiles at a step.
    ///
    /// @param levels ascending
    double[] at(int step, double... levels);
  }

  /// Past changes of a series, a season apart.
  ///
  /// @param absolute their mean size; 0 for a constant series, NaN for one that is too short
  /// @param squared their mean square
  record Scale(double absolute, double squared) {

    /// @param values NaN is a gap
    static Scale of(double[] values, int length, int season) {
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
      return new Scale(absolute / count, squared / count);
    }
  }

  /// The quantiles whose losses make CRPS and WQL.
  private static final int QUANTILES = 19;

  /// Sums over forecasts, or over steps.
  private static final class Sums {
    private final double[] inside;
    private final double[] interval;
    private double error;
    private double smape;
    private double rmsse;
    private double crps;
    private double loss;
    private double size;
    private long count;
    private long scaled;

    Sums(int levels) {
      inside = new double[levels];
      interval = new double[levels];
    }

    /// Adds the mean of another with a weight for each of its values.
    void add(Sums other) {
      long n = other.count;
      if (n == 0) return;
      count++;
      smape += other.smape / n;
      for (int l = 0; l < inside.length; l++) inside[l] += other.inside[l] / n;
      loss += other.loss;
      size += other.size;
      if (other.scaled == 0) return;
      scaled++;
      error += other.error / n;
      rmsse += Math.sqrt(other.rmsse / n);
      crps += other.crps / n;
      for (int l = 0; l < interval.length; l++) interval[l] += other.interval[l] / n;
    }
  }

  private final double[] levels;
  private final double[] quantiles;
  private final Sums all;
  private final List<Sums> bySteps = new ArrayList<>();

  /// @param levels of the intervals in percent
  SeriesScores(double... levels) {
    this.levels = levels;
    double[] each = new double[QUANTILES + 2 * levels.length];
    for (int q = 0; q < QUANTILES; q++) each[q] = (q + 1.) / (QUANTILES + 1);
    for (int l = 0; l < levels.length; l++) {
      each[QUANTILES + 2 * l] = 0.5 - levels[l] / 200;
      each[QUANTILES + 2 * l + 1] = 0.5 + levels[l] / 200;
    }
    quantiles = Arrays.stream(each).distinct().sorted().toArray();
    all = new Sums(levels.length);
  }

  /// The quantiles of a forecast at its steps, as scores need them.
  double[][] quantiles(Quantiles forecast, int from, int steps) {
    double[][] found = new double[steps][];
    for (int k = 0; k < steps; k++) found[k] = forecast.at(from + k, quantiles);
    return found;
  }

  /// Adds a forecast.
  ///
  /// @param actual the values at its steps; NaN is not scored
  /// @param found its quantiles
  void add(double[] actual, double[][] found, Scale scale) {
    Sums one = new Sums(levels.length);
    while (bySteps.size() < found.length) bySteps.add(new Sums(levels.length));
    for (int k = 0; k < found.length; k++) {
      if (Double.isNaN(actual[k])) continue;
      Sums step = new Sums(levels.length);
      add(step, actual[k], found[k], scale);
      bySteps.get(k).add(step);
      add(one, actual[k], found[k], scale);
    }
    all.add(one);
  }

  private double at(double[] found, double level) {
    return found[Arrays.binarySearch(quantiles, level)];
  }

  private void add(Sums sums, double y, double[] found, Scale scale) {
    double median = at(found, 0.5);
    double error = Math.abs(y - median);
    double both = Math.abs(y) + Math.abs(median);
    sums.count++;
    sums.smape += both == 0 ? 0 : 200 * error / both;
    double loss = 0;
    for (int q = 1; q <= QUANTILES; q++) {
      double level = (double) q / (QUANTILES + 1);
      double d = y - at(found, level);
      loss += 2 * Math.max(level * d, (level - 1) * d) / QUANTILES;
    }
    sums.loss += loss;
    sums.size += Math.abs(y);
    boolean scaled = scale.absolute > 0;
    if (scaled) {
      sums.scaled++;
      sums.error += error / scale.absolute;
      sums.rmsse += error * error / scale.squared;
      sums.crps += loss / scale.absolute;
    }
    for (int l = 0; l < levels.length; l++) {
      double low = at(found, 0.5 - levels[l] / 200);
      double high = at(found, 0.5 + levels[l] / 200);
      if (y >= low && y <= high) sums.inside[l]++;
      if (scaled)
        sums.interval[l] +=
            (high
                    - low
                    + 2 / (1 - levels[l] / 100) * (Math.max(0, low - y) + Math.max(0, y - high)))
                / scale.absolute;
    }
  }

  /// The number of forecasts that were scored.
  long count() {
    return all.count;
  }

  double mase() {
    return all.error / all.scaled;
  }

  double smape() {
    return all.smape / all.count;
  }

  double rmsse() {
    return all.rmsse / all.scaled;
  }

  double crps() {
    return all.crps / all.scaled;
  }

  double wql() {
    return all.loss / all.size;
  }

  /// The interval score of a level, which is a place in the list of levels.
  double interval(int level) {
    return all.interval[level] / all.scaled;
  }

  /// The share of values inside the intervals of a level, which is a place in the list of levels.
  double coverage(int level) {
    return all.inside[level] / all.count;
  }

  /// MASE at each step, from the first.
  double[] maseBySteps() {
    return bySteps.stream().mapToDouble(sums -> sums.error / sums.scaled).toArray();
  }

  /// The share of values inside the intervals of a level at each step.
  double[] coverageBySteps(int level) {
    return bySteps.stream().mapToDouble(sums -> sums.inside[level] / sums.count).toArray();
  }

  /// All scores by name.
  Map<String, Object> json() {
    return json(all);
  }

  /// The scores of each step, from the first.
  List<Object> jsonBySteps() {
    List<Object> steps = new ArrayList<>();
    for (int k = 0; k < bySteps.size(); k++) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("step", k + 1);
      one.putAll(json(bySteps.get(k)));
      one.remove("rmsse"); // the root of one square
      steps.add(one);
    }
    return steps;
  }

  private Map<String, Object> json(Sums sums) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("mase", sums.error / sums.scaled);
    one.put("smape", sums.smape / sums.count);
    one.put("rmsse", sums.rmsse / sums.scaled);
    one.put("crps", sums.crps / sums.scaled);
    one.put("wql", sums.loss / sums.size);
    Map<String, Object> interval = new LinkedHashMap<>();
    Map<String, Object> coverage = new LinkedHashMap<>();
    for (int l = 0; l < levels.length; l++) {
      String name = ForecastColumns.number(levels[l]);
      interval.put(name, sums.interval[l] / sums.scaled);
      coverage.put(name, sums.inside[l] / sums.count);
    }
    one.put("interval_score", interval);
    one.put("coverage", coverage);
    return one;
  }
}
