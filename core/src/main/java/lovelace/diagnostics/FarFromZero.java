package lovelace.diagnostics;

import java.util.Locale;
import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;

/// Checks whether linear kernels leave enough digits. Far from its centre such a kernel is so large
/// that, once the rows are known, the small remainder is rounding.
public final class FarFromZero {

  /// A variance with this many digits needs no remark.
  private static final int ENOUGH = 4;

  private FarFromZero() {}

  /// A remark on linear kernels that leave few digits; empty if they leave enough.
  ///
  /// @param points places where the kernel is large, row-major: rows, or the corners of a grid
  /// @param rows the number of rows that take part in a prediction
  /// @param noise the smallest variance that must be right
  /// @param apart whether lines and sums of lines are computed separately, which loses no digits
  public static Optional<String> remark(
      Hyperparameters h, double[] points, long rows, double noise, boolean apart) {
    int d = h.kernel().dimensions();
    double most = 0;
    boolean lines = false;
    for (Term term : h.kernel().terms()) {
      boolean linear = term.factors().stream().anyMatch(Leaf::isLinear);
      boolean line = linear && term.factors().stream().allMatch(Leaf::isLinear);
      if (!linear || (line && apart)) continue;
      lines |= line;
      Kernel kernel = term.kernel(d);
      for (int i = 0; i < points.length; i += d) most = Math.max(most, kernel.variance(points, i));
    }
    double rounding = 50 * Math.ulp(1.0) * Math.sqrt((double) rows) * most;
    if (!(noise > 0) || !(rounding > 0)) return Optional.empty();
    int left = (int) Math.max(0, Math.floor(Math.log10(noise / rounding)));
    if (left >= ENOUGH) return Optional.empty();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s of a variance: far from its centre the linear kernel is %.1g times the noise, and what is left of it is rounding; subtract a number from the inputs so that they are near 0, or give the kernel a centre among them, as in linear(centre=…) + constant%s",
            left == 0 ? "not one digit is right" : "about " + left + " of 16 digits are right",
            most / noise,
            lines ? "; engines exact and spectral lose no digits to lines" : ""));
  }
}
