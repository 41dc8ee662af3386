package lovelace.way;

import java.util.Arrays;
import lovelace.drift.Terms;

/// An estimate of the coefficients of a linear mean. The array is not copied: read only.
public final class Estimate {
  private final Terms terms;
  private final double[] values;

  /// An estimate of the coefficients of some terms.
  public Estimate(Terms terms, double[] values) {
    this.terms = terms;
    this.values = values;
  }

  /// How the columns of the mean are standardised.
  public Terms terms() {
    return terms;
  }

  /// The coefficients of the terms.
  public double[] values() {
    return values;
  }

  /// Whether another estimate has the same terms and coefficients.
  boolean isLike(Estimate other) {
    return terms == other.terms && Arrays.equals(values, other.values);
  }
}
