package lovelace.data;

import java.util.List;
import java.util.Locale;

/// How the target y becomes the z that is modelled as Gaussian: `z = y`, or `z = log y` for
/// positive targets whose changes are proportional.
///
/// Undone in every output: medians and quantiles pass through [#invert], means and variances
/// through the moments of the log-normal distribution, likelihoods through the Jacobian.
public enum TargetTransform {
  /// `z = y`.
  NONE,
  /// `z = log y`, for y > 0.
  LOG;

  /// z from y; `y > 0` is needed for [#LOG].
  public double apply(double y) {
    if (this == NONE) return y;
    if (!(y > 0))
      throw new IllegalArgumentException(
          "target is %s, the log transform needs values > 0; use transform none or shift the target"
              .formatted(y));
    return Math.log(y);
  }

  /// The data with its target transformed; a value without a transform is named by its row.
  public Dataset apply(Dataset data) {
    if (this == NONE) return data;
    double[] y = data.target();
    double[] z = new double[y.length];
    Column column = data.targetColumn();
    for (int i = 0; i < z.length; i++) {
      if (!(y[i] > 0))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %,d (data rows count from 1): target '%s' is %s, the log transform needs values > 0; use transform none, shift the target, or drop the row",
                i + 1,
                column.name(),
                y[i]));
      z[i] = Math.log(y[i]);
    }
    List<Column> columns = data.columns();
    return data.with(data.inputs(), z, columns, Column.of("log " + column.name()));
  }

  /// y from z; also takes quantiles of z to quantiles of y.
  public double invert(double z) {
    return this == NONE ? z : Math.exp(z);
  }

  /// `log |dz/dy|` at y; added to a log density of z it gives that of y.
  public double logJacobian(double y) {
    return this == NONE ? 0 : -Math.log(y);
  }

  /// `Σ log |dz/dy|`; added to a log-likelihood of all z it gives that of all y.
  public double logJacobian(double[] y) {
    double sum = 0;
    for (double value : y) sum += logJacobian(value);
    return sum;
  }

  /// `E y` where z is Gaussian; for [#LOG] `exp(m + v/2)`.
  public double mean(double mean, double variance) {
    return this == NONE ? mean : Math.exp(mean + 0.5 * variance);
  }

  /// `Var y` where z is Gaussian; for [#LOG] `(exp v − 1) exp(2m + v)`.
  public double variance(double mean, double variance) {
    return this == NONE ? variance : Math.expm1(variance) * Math.exp(2 * mean + variance);
  }

  /// `Cov(y₁, y₂)` where z₁, z₂ are jointly Gaussian with covariance c; for [#LOG] `(exp c − 1) E
  /// y₁ E y₂`.
  public double covariance(
      double mean1, double variance1, double mean2, double variance2, double c) {
    return this == NONE
        ? c
        : Math.expm1(c) * Math.exp(mean1 + mean2 + 0.5 * (variance1 + variance2));
  }

  /// The quantile of y where z is Gaussian: `invert(m + √v q)`, q the standard normal quantile.
  public double quantile(double mean, double variance, double standardQuantile) {
    return invert(mean + Math.sqrt(variance) * standardQuantile);
  }

  /// The log density of y where z is Gaussian; −∞ where y has no z.
  public double logDensity(double y, double mean, double variance) {
    if (this == LOG && y <= 0) return Double.NEGATIVE_INFINITY;
    double r = apply(y) - mean;
    return -0.5 * (r * r / variance + Math.log(2 * Math.PI * variance)) + logJacobian(y);
  }

  /// `none` or `log`.
  public static TargetTransform parse(String text) {
    for (TargetTransform t : values()) if (t.toString().equals(text)) return t;
    throw new IllegalArgumentException("target transform must be none or log, got '" + text + "'");
  }

  @Override
  public String toString() {
    return this == NONE ? "none" : "log";
  }
}
