package lovelace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The scores of one method on the series of a set, with what chance does to them: standard errors
/// are those of means over series.
final class BenchScores {

  /// The scores of one series.
  private record One(double mase, double inside95, double inside80) {}

  private final String method;
  private final SeriesScores all = new SeriesScores(80, 95);
  private final Map<String, One> bySeries = new LinkedHashMap<>();
  private double milliseconds;
  private double forecasting;

  /// @param method its name
  BenchScores(String method) {
    this.method = method;
  }

  String method() {
    return method;
  }

  /// Adds a forecast, which has the quantiles that [#quantiles] asks for.
  void add(String id, double[] actual, double[][] found, SeriesScores.Scale scale) {
    all.add(actual, found, scale);
    SeriesScores one = new SeriesScores(80, 95);
    one.add(actual, found, scale);
    bySeries.put(id, new One(one.mase(), one.coverage(1), one.coverage(0)));
  }

  /// Adds processor time of some series.
  ///
  /// @param whole all of it
  /// @param forecasting without learning, where that is apart
  void addTime(double whole, double forecasting) {
    milliseconds += whole;
    this.forecasting += forecasting;
  }

  /// The quantiles of a forecast at its steps, as scores need them.
  double[][] quantiles(SeriesScores.Quantiles forecast, int steps) {
    return all.quantiles(forecast, 0, steps);
  }

  long count() {
    return all.count();
  }

  private static double error(List<Double> values) {
    int n = values.size();
    double mean = values.stream().mapToDouble(v -> v).average().orElse(Double.NaN);
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (n - 1) / n);
  }

  private double error(ToDoubleFunction<One> score) {
    return error(
        bySeries.values().stream()
            .map(score::applyAsDouble)
            .filter(v -> !Double.isNaN(v))
            .toList());
  }

  /// The scores by name.
  ///
  /// @param first the method to which this one is compared, series by series; itself for none
  Map<String, Object> json(String set, String frequency, BenchScores first) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("set", set);
    one.put("frequency", frequency);
    one.put("method", method);
    one.put("series", all.count());
    one.put("smape", all.smape());
    one.put("mase", all.mase());
    one.put("mase_se", error(One::mase));
    one.put("crps", all.crps());
    one.put("wql", all.wql());
    one.put("msis", all.interval(1));
    one.put("coverage95", all.coverage(1));
    one.put("coverage95_se", error(One::inside95));
    one.put("coverage80", all.coverage(0));
    one.put("coverage80_se", error(One::inside80));
    one.put("cpu_ms_per_series", milliseconds / all.count());
    if (first == this) {
      one.put("cpu_ms_per_series_learned", forecasting / all.count());
    } else {
      List<Double> differences = differences(first);
      one.put(
          "mase_difference", differences.stream().mapToDouble(d -> d).average().orElse(Double.NaN));
      one.put("mase_difference_se", error(differences));
    }
    return one;
  }

  /// How much larger the MASE of each series is than that of another method.
  private List<Double> differences(BenchScores other) {
    List<Double> all = new ArrayList<>();
    bySeries.forEach(
        (id, one) -> {
          One same = other.bySeries.get(id);
          if (same != null && !Double.isNaN(one.mase - same.mase)) all.add(one.mase - same.mase);
        });
    return all;
  }
}
