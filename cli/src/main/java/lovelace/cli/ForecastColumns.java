package lovelace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import lovelace.forecast.Forecast;
import picocli.CommandLine.Option;

/// The columns of a forecast: median and mean, and ends of intervals or quantiles.
final class ForecastColumns {

  @Option(
      names = "--levels",
      split = ",",
      paramLabel = "PERCENT",
      description =
          "The intervals to add, in percent: 80 adds lo-80 and hi-80, between which four of five "
              + "values lie (default: 80,95).")
  private List<Double> levels = List.of();

  @Option(
      names = "--quantiles",
      split = ",",
      paramLabel = "P",
      description =
          "Add these quantiles in place of intervals. 0.1,0.5,0.9 adds q0.1, q0.5 and q0.9.")
  private List<Double> quantiles = List.of();

  /// Refuses wrong values before any work is done.
  void check() {
    for (double level : levels)
      if (!(level >= 1 && level < 100))
        throw new IllegalArgumentException(
            "--levels must be percentages from 1 to below 100, such as 80,95, got " + level);
    for (double p : quantiles)
      if (!(p > 0 && p < 1))
        throw new IllegalArgumentException(
            "--quantiles must lie between 0 and 1, got " + p + "; 0.5 is the median");
    if (!levels.isEmpty() && !quantiles.isEmpty())
      throw new IllegalArgumentException(
          "--levels adds intervals, and --quantiles adds quantiles in their place; leave out one of the two");
  }

  /// The levels of the intervals in percent.
  double[] levels() {
    if (!quantiles.isEmpty()) return new double[0];
    return levels.isEmpty()
        ? new double[] {80, 95}
        : levels.stream().mapToDouble(Double::doubleValue).distinct().sorted().toArray();
  }

  /// The probability of each column that is a quantile, by its name.
  Map<String, Double> probabilities() {
    Map<String, Double> all = new LinkedHashMap<>();
    for (double level : levels()) {
      all.put("lo-" + number(level), 0.5 - level / 200);
      all.put("hi-" + number(level), 0.5 + level / 200);
    }
    for (double p : quantiles) all.put("q" + number(p), p);
    return all;
  }

  /// A number without needless decimals.
  static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /// The names of the columns in their order.
  List<String> names() {
    List<String> all = new ArrayList<>(List.of("median", "mean"));
    all.addAll(probabilities().keySet());
    return all;
  }

  /// The values of the columns at a step of a forecast.
  double[] at(Forecast forecast, int step) {
    return of(levels -> forecast.quantiles(step, levels), forecast.mean(step));
  }

  /// The values of the columns for draws. Quantiles of whole numbers are whole.
  double[] of(double... draws) {
    double[] sorted = draws.clone();
    Arrays.sort(sorted);
    boolean whole = Arrays.stream(sorted).allMatch(y -> y == Math.rint(y));
    BiFunction<double[], Double, Double> at =
        (all, p) -> {
          if (whole) return all[Math.clamp((int) Math.ceil(p * all.length) - 1, 0, all.length - 1)];
          double place = p * (all.length - 1);
          int i = (int) place;
          int j = Math.min(i + 1, all.length - 1);
          return all[i] + (place - i) * (all[j] - all[i]);
        };
    return of(
        levels -> DoubleStream.of(levels).map(p -> at.apply(sorted, p)).toArray(),
        DoubleStream.of(draws).average().orElse(Double.NaN));
  }

  private double[] of(UnaryOperator<double[]> quantile, double mean) {
    List<Double> wanted = new ArrayList<>(List.of(0.5));
    wanted.addAll(probabilities().values());
    double[] ascending =
        wanted.stream().mapToDouble(Double::doubleValue).distinct().sorted().toArray();
    double[] found = quantile.apply(ascending);
    double[] values = new double[wanted.size() + 1];
    for (int i = 0; i < wanted.size(); i++)
      values[i == 0 ? 0 : i + 1] = found[Arrays.binarySearch(ascending, wanted.get(i))];
    values[1] = mean;
    return values;
  }
}
