package lovelace.bayesopt;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One value for every variable of a [SearchSpace]. Immutable; equal where space and values are.
public final class Point {

  private final SearchSpace space;
  private final double[] values;

  Point(SearchSpace space, double[] values) {
    this.space = space;
    this.values = values;
  }

  /// The value of a variable as a number; of a choice, the option's place from 0.
  public double number(String name) {
    return values[space.indexOf(name)];
  }

  /// The value of a whole-numbered variable.
  public long integer(String name) {
    return Math.round(number(name));
  }

  /// The value of a variable as it is written; of a choice, the option.
  public String text(String name) {
    int i = space.indexOf(name);
    return space.variables().get(i).show(values[i]).toString();
  }

  /// All values in the order of the variables. A copy.
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

  /// `{x=0.5, mode=fast}`.
  @Override
  public String toString() {
    return asMap().toString();
  }
}
