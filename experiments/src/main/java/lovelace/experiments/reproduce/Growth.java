package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import lovelace.experiments.WarmMedian;

/// One cost of a method against one size.
///
/// @param cell what it is measured together with
/// @param paper the exponent that the paper's bound gives, logarithms left out
/// @param largest the largest size of a full run; each smaller one is half of the next
/// @param work makes what is to be timed at a size
record Growth(
    String cell,
    String method,
    Phase phase,
    String variable,
    double paper,
    int largest,
    IntFunction<DoubleSupplier> work) {

  /// What is done.
  enum Phase {
    PRECOMPUTATION,
    VARIANCE,
    SAMPLING;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Its name among those of a cell.
  String key() {
    return "%s-%s-%s".formatted(method, phase.title(), variable);
  }

  void measure(Bench bench, ObjectNode result) {
    Size size = bench.size();
    int steps = size.ladder();
    int most = size.full() ? largest : Math.max(largest / 4, 16);
    if (size.rows() <= 200) most = Math.max(most / 8, 16);
    WarmMedian clock = new WarmMedian(Math.min(0.1, size.warmup()), 0.5);
    ArrayNode sizes = result.putArray("sizes");
    ArrayNode times = result.putArray("ms");
    for (int i = 0; i < steps; i++) {
      int at = Math.max(4, most >> (steps - 1 - i));
      DoubleSupplier timed = work.apply(at);
      sizes.add(at);
      times.add(clock.milliseconds(timed));
    }
    result.put("exponent", Line.through(result).exponent());
    if (Double.isNaN(clock.sink())) throw new ArithmeticException("a result is not a number");
  }

  /// `factor · sizeᵉˣᵖᵒⁿᵉⁿᵗ`, by least squares through the logarithms.
  record Line(double exponent, double factor) {

    /// The line of what [#measure] found.
    static Line through(JsonNode measured) {
      double[] x = Bench.numbers(measured.path("sizes"));
      double[] y = Bench.numbers(measured.path("ms"));
      double mx = 0;
      double my = 0;
      for (int i = 0; i < x.length; i++) {
        mx += Math.log(x[i]) / x.length;
        my += Math.log(y[i]) / x.length;
      }
      double sxy = 0;
      double sxx = 0;
      for (int i = 0; i < x.length; i++) {
        sxy += (Math.log(x[i]) - mx) * (Math.log(y[i]) - my);
        sxx += (Math.log(x[i]) - mx) * (Math.log(x[i]) - mx);
      }
      return new Line(sxy / sxx, Math.exp(my - sxy / sxx * mx));
    }

    double[] at(double[] sizes) {
      double[] times = new double[sizes.length];
      for (int i = 0; i < times.length; i++) times[i] = factor * Math.pow(sizes[i], exponent);
      return times;
    }
  }
}
