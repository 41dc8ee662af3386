package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import lovelace.experiments.WarmMedian;

/// One cost of a method, measured at growing sizes.
///
/// @param cell the cell that it is measured in
/// @param paper the exponent of the paper's bound, without logarithms
/// @param largest the largest size of a full run; each smaller one is half of the next
/// @param work makes the work to measure at a size
record Growth(
    String cell,
    String method,
    Phase phase,
    String variable,
    double paper,
    int largest,
    IntFunction<DoubleSupplier> work) {

  /// The part of the work.
  enum Phase {
    PRECOMPUTATION,
    VARIANCE,
    SAMPLING;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How a measured growth compares with the exponent of a bound.
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

  /// Its name within a cell.
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

  /// `factor · sizeᵉˣᵖᵒⁿᵉⁿᵗ`, by least squares on the logarithms.
  ///
  /// @param bend the exponent of the upper half of the sizes minus that of the lower half
  /// @param ratio the time at the largest size over that at the smallest
  /// @param sizes the number of sizes
  record Line(double exponent, double factor, double bend, double ratio, int sizes) {

    /// An exponent counts as the bound's if it differs by at most this.
    static final double SLACK = 0.3;

    /// If times bend upwards by more than this, they have not reached their exponent yet.
    static final double BEND = 0.1;

    /// If times grow by less than this factor, most of the cost does not depend on the size.
    static final double GROWTH = 2;

    /// The line through the results of [#measure].
    static Line through(JsonNode measured) {
      return through(Bench.numbers(measured.path("sizes")), Bench.numbers(measured.path("ms")));
    }

    static Line through(double[] x, double[] y) {
      int n = x.length;
      double[] whole = fit(x, y, 0, n);
      int half = (n + 1) / 2; // a middle point belongs to both halves
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

    /// Compares the exponent with that of a bound. Two sizes give no verdict, because any two
    /// points lie on a line. If the exponent is too small and the times bend upwards or hardly
    /// grow, there is no verdict either: a fixed cost hides the growth.
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
