package lovelace.bayesopt;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import lovelace.linear.Sobol;
import org.jspecify.annotations.Nullable;

/// The points to search: variables, and optionally a rule that says which points are valid.
/// Immutable.
///
/// ```java
/// SearchSpace space = SearchSpace.of(
///     Variable.logReal("rate", 1e-4, 1), Variable.integer("depth", 1, 12),
///     Variable.choice("method", "fast", "exact"))
///     .withValidity(p -> p.text("method").equals("fast") || p.integer("depth") < 8);
/// ```
///
/// The model sees the unit cube. Numbers are mapped to it linearly or by their logarithm, whole
/// numbers have intervals of equal width, and choices are one-hot.
public final class SearchSpace {

  private static final int TRIES = 10_000;

  private final List<Variable> variables;
  private final @Nullable Predicate<Point> valid;
  private final int dimensions;

  private SearchSpace(List<Variable> variables, @Nullable Predicate<Point> valid) {
    this.variables = variables;
    this.valid = valid;
    this.dimensions = variables.stream().mapToInt(Variable::width).sum();
  }

  public static SearchSpace of(Variable... variables) {
    return of(List.of(variables));
  }

  public static SearchSpace of(List<Variable> variables) {
    if (variables.isEmpty())
      throw new IllegalArgumentException("a search space needs at least one variable, got none");
    if (variables.stream().map(Variable::name).distinct().count() < variables.size())
      throw new IllegalArgumentException(
          "variables need different names, got " + variables.stream().map(Variable::name).toList());
    return new SearchSpace(List.copyOf(variables), null);
  }

  /// Restricts the search to points for which the rule holds. The rule must always give the same
  /// answer.
  public SearchSpace withValidity(Predicate<Point> rule) {
    return new SearchSpace(variables, rule);
  }

  public List<Variable> variables() {
    return variables;
  }

  /// The number of coordinates of the unit cube.
  public int dimensions() {
    return dimensions;
  }

  /// Whether every variable is a real number.
  public boolean isContinuous() {
    return variables.stream().allMatch(Variable.Real.class::isInstance);
  }

  /// Makes the point with these values, in the order of the variables.
  public Point point(double... values) {
    if (values.length != variables.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a point has %d values, one for each of %s, got %d",
              variables.size(),
              variables.stream().map(Variable::name).toList(),
              values.length));
    double[] checked = new double[values.length];
    for (int i = 0; i < values.length; i++) checked[i] = variables.get(i).check(values[i]);
    return new Point(this, checked);
  }

  public boolean isValid(Point point) {
    return valid == null || valid.test(point);
  }

  int indexOf(String name) {
    for (int i = 0; i < variables.size(); i++) if (variables.get(i).name().equals(name)) return i;
    throw new IllegalArgumentException(
        "no variable is called '%s'; there are %s"
            .formatted(name, variables.stream().map(Variable::name).toList()));
  }

  double[] encode(double[] values) {
    double[] unit = new double[dimensions];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      variables.get(i).encode(values[i], unit, at);
      at += variables.get(i).width();
    }
    return unit;
  }

  /// The point nearest to some coordinates of the unit cube.
  Point decode(double[] unit) {
    double[] values = new double[variables.size()];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = variables.get(i).decode(unit, at);
      at += variables.get(i).width();
    }
    return new Point(this, values);
  }

  /// Moves coordinates to those of the nearest point.
  double[] snap(double[] unit) {
    return isContinuous() ? unit : decode(unit).unit();
  }

  boolean isAlwaysValid() {
    return valid == null;
  }

  boolean isValid(double[] unit) {
    return valid == null || valid.test(decode(unit));
  }

  /// A valid point, uniform in the unit cube.
  Point random(RandomGenerator random) {
    for (int i = 0; i < TRIES; i++) {
      Point point = decode(uniform(random));
      if (isValid(point)) return point;
    }
    throw noValid();
  }

  /// Valid points, evenly spread: a shifted Sobol' sequence, or random points in more dimensions
  /// than that has.
  double[][] spread(int count, RandomGenerator random) {
    Sobol sobol = dimensions <= Sobol.MAX_DIMENSIONS ? Sobol.shifted(dimensions, random) : null;
    double[][] points = new double[count][];
    int found = 0;
    for (long k = 0; found < count; k++) {
      if (k >= TRIES + 20L * count) {
        if (found == 0) throw noValid();
        return Arrays.copyOf(points, found);
      }
      double[] unit = snap(sobol == null ? uniform(random) : sobol.point(k));
      if (isValid(unit)) points[found++] = unit;
    }
    return points;
  }

  private double[] uniform(RandomGenerator random) {
    double[] unit = new double[dimensions];
    for (int i = 0; i < dimensions; i++) unit[i] = random.nextDouble();
    return unit;
  }

  private static IllegalStateException noValid() {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "none of %,d random points is valid; widen the validity rule, or narrow the bounds to where it holds",
            TRIES));
  }

  boolean sameVariables(SearchSpace other) {
    return variables.equals(other.variables);
  }

  /// The text of the space, such as `real x 0.0 1.0; choice mode [a, b]`. Different spaces have
  /// different texts.
  @Override
  public String toString() {
    return variables.toString();
  }

  /// One value for every variable of a [SearchSpace]. Immutable. Points are equal if their spaces
  /// and values are.
  public static final class Point {

    private final SearchSpace space;
    private final double[] values;

    Point(SearchSpace space, double[] values) {
      this.space = space;
      this.values = values;
    }

    /// Returns the value of a variable as a number. For a choice it is the position of the option,
    /// from 0.
    public double number(String name) {
      return values[space.indexOf(name)];
    }

    /// Returns the value of a variable that is a whole number.
    public long integer(String name) {
      return Math.round(number(name));
    }

    /// Returns the value of a variable as text. For a choice it is the option.
    public String text(String name) {
      int i = space.indexOf(name);
      return space.variables().get(i).show(values[i]).toString();
    }

    /// A copy of all values, in the order of the variables.
    public double[] values() {
      return values.clone();
    }

    /// Names and values, in the order of the variables: Double, Long or String.
    public Map<String, Object> asMap() {
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < values.length; i++) {
        Variable v = space.variables().get(i);
        map.put(v.name(), v.show(values[i]));
      }
      return map;
    }

    /// The coordinates in the unit cube.
    double[] unit() {
      return space.encode(values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Point that
          && space.sameVariables(that.space)
          && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    /// For example `{x=0.5, mode=fast}`.
    @Override
    public String toString() {
      return asMap().toString();
    }
  }
}
