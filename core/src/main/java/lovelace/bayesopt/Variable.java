package lovelace.bayesopt;

import java.util.List;
import java.util.Locale;

/// A quantity to choose. Every variable has coordinates in the unit cube, which the model sees.
/// Values are numbers. The value of a [Choice] is the position of the option in its list, from 0.
public sealed interface Variable {

  String name();

  /// The number of coordinates in the unit cube.
  int width();

  /// Writes the coordinates of a value to `unit`, from index `at` on.
  void encode(double value, double[] unit, int at);

  /// Returns the value nearest to some coordinates.
  double decode(double[] unit, int at);

  /// Returns the value as a user writes it.
  Object show(double value);

  /// Checks a value and returns it, perhaps rounded to the nearest allowed value. Throws an
  /// exception that says what is wrong.
  double check(double value);

  /// A number from low to high.
  static Variable real(String name, double low, double high) {
    return new Real(name, low, high, false);
  }

  /// A number from low to high, both > 0, on a log scale.
  static Variable logReal(String name, double low, double high) {
    return new Real(name, low, high, true);
  }

  /// A whole number from low to high.
  static Variable integer(String name, long low, long high) {
    return new Whole(name, low, high, false);
  }

  /// A whole number from low to high, both > 0, on a log scale.
  static Variable logInteger(String name, long low, long high) {
    return new Whole(name, low, high, true);
  }

  /// One of several options. All options are equally far from each other.
  static Variable choice(String name, String... options) {
    return new Choice(name, List.of(options));
  }

  /// A number, on a linear or log scale between its bounds.
  record Real(String name, double low, double high, boolean log) implements Variable {
    public Real {
      requireBounds(name, low, high, log);
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void encode(double value, double[] unit, int at) {
      unit[at] = Math.clamp((scale(value) - scale(low)) / (scale(high) - scale(low)), 0, 1);
    }

    @Override
    public double decode(double[] unit, int at) {
      double u = Math.clamp(unit[at], 0, 1);
      double s = scale(low) + u * (scale(high) - scale(low));
      return Math.clamp(log ? Math.exp(s) : s, low, high);
    }

    private double scale(double value) {
      return log ? Math.log(value) : value;
    }

    @Override
    public Object show(double value) {
      return value;
    }

    @Override
    public double check(double value) {
      if (!(value >= low && value <= high))
        throw new IllegalArgumentException(
            "%s is %s, it must lie between %s and %s".formatted(name, value, low, high));
      return value;
    }
  }

  /// A whole number. Every value has its own interval of the unit line.
  record Whole(String name, long low, long high, boolean log) implements Variable {
    public Whole {
      requireBounds(name, (double) low, (double) high, log);
      if (Math.max(Math.abs(low), Math.abs(high)) > 1L << 52)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s reaches from %d to %d, beyond 2^52; use a real variable",
                name,
                low,
                high));
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public void encode(double value, double[] unit, int at) {
      unit[at] = (scale(value) - scale(low - 0.5)) / (scale(high + 0.5) - scale(low - 0.5));
    }

    @Override
    public double decode(double[] unit, int at) {
      double s = scale(low - 0.5) + unit[at] * (scale(high + 0.5) - scale(low - 0.5));
      return Math.clamp(Math.rint(log ? Math.exp(s) : s), (double) low, (double) high);
    }

    private double scale(double value) {
      return log ? Math.log(value) : value;
    }

    @Override
    public Object show(double value) {
      return (long) value;
    }

    @Override
    public double check(double value) {
      if (!(value >= low && value <= high && value == Math.rint(value)))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s is %s, it must be a whole number from %d to %d",
                name,
                value,
                low,
                high));
      return value;
    }
  }

  /// One of several options, one-hot: each option has one coordinate.
  record Choice(String name, List<String> options) implements Variable {
    public Choice {
      requireName(name);
      options = List.copyOf(options);
      if (options.size() < 2 || options.size() != options.stream().distinct().count())
        throw new IllegalArgumentException(
            name + " needs two or more different options, got " + options);
    }

    @Override
    public int width() {
      return options.size();
    }

    @Override
    public void encode(double value, double[] unit, int at) {
      for (int i = 0; i < options.size(); i++) unit[at + i] = i == (int) value ? 1 : 0;
    }

    @Override
    public double decode(double[] unit, int at) {
      int best = 0;
      for (int i = 1; i < options.size(); i++) if (unit[at + i] > unit[at + best]) best = i;
      return best;
    }

    @Override
    public Object show(double value) {
      return options.get((int) value);
    }

    @Override
    public double check(double value) {
      if (!(value >= 0 && value < options.size() && value == Math.rint(value)))
        throw new IllegalArgumentException(
            "%s is option %s, it must be the position of one of %s, counted from 0"
                .formatted(name, value, options));
      return value;
    }
  }

  private static void requireName(String name) {
    if (name.isBlank() || name.chars().anyMatch(c -> Character.isWhitespace(c) || c == '{'))
      throw new IllegalArgumentException(
          "a variable's name must be one word without braces, got '" + name + "'");
  }

  private static void requireBounds(String name, double low, double high, boolean log) {
    requireName(name);
    if (!(low < high && high - low < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(
          "%s needs finite bounds low < high, got %s and %s".formatted(name, low, high));
    if (log && !(low > 0))
      throw new IllegalArgumentException(
          "%s is logarithmic and needs low > 0, got %s; give a smallest value above 0"
              .formatted(name, low));
  }
}
