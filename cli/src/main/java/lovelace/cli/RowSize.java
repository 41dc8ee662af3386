package lovelace.cli;

import java.util.Locale;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// The column that says how much each row counts, and how its values become the size of an
/// observation ([Likelihood#size]).
///
/// @param kind the meaning of the column
/// @param column its name
record RowSize(Kind kind, String column) {

  /// The possible meanings of a column of sizes. Each has an option.
  enum Kind {
    WEIGHT(
        "--weights",
        Likelihood.Size.WEIGHT,
        "gaussian and student-t",
        "a weight must be finite and > 0; correct or drop the row"),
    EXPOSURE(
        "--exposure",
        Likelihood.Size.EXPOSURE,
        "poisson and negative-binomial",
        "an exposure must be finite and > 0; give the hours, people or area that the count refers"
            + " to, or drop the row"),
    TRIALS(
        "--trials",
        Likelihood.Size.TRIALS,
        "binomial",
        "trials must be a whole number >= 1; correct or drop the row"),
    NOISE_SD(
        "--noise-sd",
        Likelihood.Size.PRECISION,
        "gaussian, for noise that is known of each row",
        "a standard deviation of noise must be finite and > 0; correct or drop the row"),
    NOISE_VARIANCE(
        "--noise-variance",
        Likelihood.Size.PRECISION,
        "gaussian, for noise that is known of each row",
        "a variance of noise must be finite and > 0; correct or drop the row");

    private final String option;
    private final Likelihood.Size size;
    private final String likelihoods;
    private final String rule;

    Kind(String option, Likelihood.Size size, String likelihoods, String rule) {
      this.option = option;
      this.size = size;
      this.likelihoods = likelihoods;
      this.rule = rule;
    }

    String option() {
      return option;
    }

    Likelihood.Size size() {
      return size;
    }

    /// The likelihoods whose rows have such a column, in words.
    String likelihoods() {
      return likelihoods;
    }
  }

  /// The size of a row, given the column's value; NaN if that is not a size.
  double of(double value) {
    double size =
        switch (kind) {
          case NOISE_SD -> value > 0 ? 1 / (value * value) : Double.NaN;
          case NOISE_VARIANCE -> 1 / value;
          case TRIALS -> value == Math.rint(value) ? value : Double.NaN;
          case WEIGHT, EXPOSURE -> value;
        };
    return size > 0 && size < Double.POSITIVE_INFINITY ? size : Double.NaN;
  }

  /// Why a number is not a size; the text follows the column's name. Null if it is one.
  @Nullable String refusal(double value) {
    if (!Double.isNaN(of(value))) return null;
    return "of %s is %s; %s".formatted(kind.option, text(value), kind.rule);
  }

  /// A number as a table shows it: whole numbers have no point.
  static String text(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? String.format(Locale.ROOT, "%d", (long) value) : Double.toString(value);
  }
}
