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

  /// How a measured growth stands beside the exponent of a bound.
  enum Verdict {
    AS_THE_BOUND("as the bound"),
    LARGER("larger than the bound"),
    SMALLER("smaller than the bound"),
    CANNOT_TELL("sizes too small to tell");

    final String words;

    Verdict(String words) {
      this.words = words;
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
  ///
  /// @param bend the exponent of the upper half of the sizes less that of the lower half
  /// @param ratio the time at the largest size over that at the smallest
  /// @param sizes how many it goes through
  record Line(double exponent, double factor, double bend, double ratio, int sizes) {

    /// An exponent within this of the bound's counts as the bound's.
    static final double SLACK = 0.3;

    /// Times that bend upwards by more have not come to their exponent yet.
    static final double BEND = 0.1;

    /// Times that grow by less than this are mostly a cost that does not depend on the size.
    static final double GROWTH = 2;

    /// The line of what [#measure] found.
    static Line through(JsonNode measured) {
      return through(Bench.numbers(measured.path("sizes")), Bench.numbers(measured.path("ms")));
    }

    static Line through(double[] x, double[] y) {
      int n = x.length;
      double[] whole = fit(x, y, 0, n);
      int half = (n + 1) / 2; // an odd one in the middle belongs to both
      double bend = n < 3 ? Double.NaN : fit(x, y, n - half, n)[0] - fit(x, y, 0, half)[0];
      return new Line(whole[0], whole[1], bend, y[n - 1] / y[0], n);
    }

    /// Exponent and factor of the points `[from, to)`.
    private static double[] fit(double[] x, double[] y, int from, int to) {
      double mx = 0;
      double my = 0;
      for (int i = from; i < to; i++) {
        mx += Math.log(x[i]) / (to - from);
        my += Math.log(y[i]) / (to - from);
      }
      double sxy = 0;
      double sxx = 0;
      for (int i = from; i < to; i++) {
        sxy += (Math.log(x[i]) - mx) * (Math.log(y[i]) - my);
        sxx += (Math.log(x[i]) - mx) * (Math.log(x[i]) - mx);
      }
      return new double[] {sxy / sxx, Math.exp(my - sxy / sxx * mx)};
    }

    /// How the exponent stands beside that of a bound. Two sizes are a line whatever was measured.
    /// An exponent that is too small says nothing while the times bend upwards or hardly grow: a
    /// fixed cost hides the growth.
    Verdict verdict(double bound) {
      if (sizes < 3 || !Double.isFinite(exponent)) return Verdict.CANNOT_TELL;
      if (Math.abs(exponent - bound) <= SLACK) return Verdict.AS_THE_BOUND;
      if (exponent > bound) return Verdict.LARGER;
      return bend > BEND || ratio < GROWTH ? Verdict.CANNOT_TELL : Verdict.SMALLER;
    }

    double[] at(double[] sizes) {
      double[] times = new double[sizes.length];
      for (int i = 0; i < times.length; i++) times[i] = factor * Math.pow(sizes[i], exponent);
      return times;
    }
  }
}
