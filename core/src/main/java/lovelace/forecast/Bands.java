package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The numbers that describe a forecast at a step: the median, the mean, and the ends of central
/// intervals. `lo-80` and `hi-80` are the quantiles at 0.1 and 0.9: four of five values lie between
/// them. Immutable.
public final class Bands {

  /// Intervals of 80 and 95 %.
  public static final Bands DEFAULT = of(80, 95);

  private final double[] levels;
  private final double[] asked; // the probability of each name but the mean
  private final double[] ascending;
  private final List<String> names;

  private Bands(double[] levels) {
    this.levels = levels;
    asked = new double[2 * levels.length + 1];
    asked[0] = 0.5;
    List<String> all = new ArrayList<>(List.of("median", "mean"));
    for (int i = 0; i < levels.length; i++) {
      asked[2 * i + 1] = 0.5 - levels[i] / 200;
      asked[2 * i + 2] = 0.5 + levels[i] / 200;
      all.add("lo-" + number(levels[i]));
      all.add("hi-" + number(levels[i]));
    }
    ascending = Arrays.stream(asked).distinct().sorted().toArray();
    names = List.copyOf(all);
  }

  /// Intervals of other levels, in percent from 1 to below 100. A level counts once.
  public static Bands of(double... percent) {
    for (double level : percent)
      if (!(level >= 1 && level < 100))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the level of an interval must be a percentage from 1 to below 100, such as 80, got %s",
                number(level)));
    return new Bands(Arrays.stream(percent).distinct().sorted().toArray());
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /// The levels in percent, ascending.
  public double[] levels() {
    return levels.clone();
  }

  /// The names of the numbers: `median`, `mean`, `lo-80`, `hi-80` and so on.
  public List<String> names() {
    return names;
  }

  /// The numbers at a step of a forecast, which is counted from 0. NaN without a forecast.
  public double[] at(Forecast forecast, int step) {
    double[] found = forecast.quantiles(step, ascending);
    double[] values = new double[names.size()];
    for (int i = 0; i < asked.length; i++)
      values[i == 0 ? 0 : i + 1] = found[Arrays.binarySearch(ascending, asked[i])];
    values[1] = forecast.mean(step);
    return values;
  }
}
