package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The free values of parameters, on which an optimiser works: those of fixed parameters are left
/// out, and of positive ones the logarithms stand.
final class FreeValues {

  private FreeValues() {}

  /// Tells which values are free.
  static boolean[] mask(List<Parameter> parameters) {
    boolean[] mask = new boolean[total(parameters)];
    int at = 0;
    for (Parameter p : parameters) {
      Arrays.fill(mask, at, at + p.size(), !p.fixed());
      at += p.size();
    }
    return mask;
  }

  /// The number of free values.
  static int size(List<Parameter> parameters) {
    return parameters.stream().filter(p -> !p.fixed()).mapToInt(Parameter::size).sum();
  }

  private static int total(List<Parameter> parameters) {
    return parameters.stream().mapToInt(Parameter::size).sum();
  }

  /// The free values; for positive ones, their logarithms.
  static double[] of(List<Parameter> parameters) {
    return gather(parameters, (p, i) -> scale(p, p.raw()[i]));
  }

  /// The lower bounds of [#of].
  static double[] lower(List<Parameter> parameters) {
    return gather(parameters, (p, i) -> scale(p, p.lower()));
  }

  /// The upper bounds of [#of].
  static double[] upper(List<Parameter> parameters) {
    return gather(parameters, (p, i) -> scale(p, p.upper()));
  }

  private static double scale(Parameter p, double value) {
    return p.positive() ? Math.log(value) : value;
  }

  /// Returns parameters with other free values.
  static List<Parameter> with(List<Parameter> parameters, double[] free) {
    requireLength("free values", free, size(parameters));
    List<Parameter> next = new ArrayList<>();
    int at = 0;
    for (Parameter p : parameters) {
      if (!p.fixed()) {
        double[] values = Arrays.copyOfRange(free, at, at + p.size());
        at += p.size();
        if (p.positive()) for (int i = 0; i < values.length; i++) values[i] = Math.exp(values[i]);
        next.add(p.withValues(values));
      } else next.add(p);
    }
    return next;
  }

  /// Turns a gradient in natural order into one in free values: fixed entries are dropped, and
  /// entries of positive parameters are multiplied by their value.
  static double[] gradient(List<Parameter> parameters, double[] natural) {
    requireLength("gradient", natural, total(parameters));
    double[] free = new double[size(parameters)];
    int from = 0;
    int to = 0;
    for (Parameter p : parameters)
      for (double v : p.raw()) {
        if (!p.fixed()) free[to++] = p.positive() ? natural[from] * v : natural[from];
        from++;
      }
    return free;
  }

  private interface Entry {
    double of(Parameter p, int i);
  }

  private static double[] gather(List<Parameter> parameters, Entry entry) {
    double[] free = new double[size(parameters)];
    int at = 0;
    for (Parameter p : parameters)
      if (!p.fixed()) for (int i = 0; i < p.size(); i++) free[at++] = entry.of(p, i);
    return free;
  }

  static void requireLength(String what, double[] array, int length) {
    if (array.length != length)
      throw new IllegalArgumentException(
          "there are " + length + " " + what + ", got " + array.length);
  }
}
