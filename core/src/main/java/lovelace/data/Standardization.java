package lovelace.data;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The affine maps that give every input column and the target mean 0 and deviation 1, and their
/// inverses for everything a model says: `x' = (x − shift)/scale`.
///
/// Deviations are those of the population (divisor n). A column or target without spread has scale
/// 1. Immutable.
public final class Standardization {

  private final double[] shift;
  private final double[] scale;
  private final double targetShift;
  private final double targetScale;

  private Standardization(double[] shift, double[] scale, double targetShift, double targetScale) {
    this.shift = shift;
    this.scale = scale;
    this.targetShift = targetShift;
    this.targetScale = targetScale;
  }

  /// Mean and deviation of every input column and the target.
  public static Standardization of(Dataset data) {
    return of(data, true, true);
  }

  /// As [#of(Dataset)], leaving the inputs or the target as they are unless asked.
  public static Standardization of(Dataset data, boolean inputs, boolean target) {
    int d = data.dimensions();
    double[] shift = new double[d];
    double[] scale = new double[d];
    for (int j = 0; j < d; j++) {
      String name = data.columns().get(j).name();
      double[] m = inputs ? moments(data.inputs(), j, d, name) : new double[] {0, 1};
      shift[j] = m[0];
      scale[j] = m[1];
    }
    double[] m =
        target ? moments(data.target(), 0, 1, data.targetColumn().name()) : new double[] {0, 1};
    return new Standardization(shift, scale, m[0], m[1]);
  }

  /// The given maps; copies the arrays.
  public static Standardization of(
      double[] shift, double[] scale, double targetShift, double targetScale) {
    if (shift.length != scale.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "shift and scale must have one length, got %d and %d",
              shift.length,
              scale.length));
    for (int j = 0; j < scale.length; j++) requireMap("input " + (j + 1), shift[j], scale[j]);
    requireMap("target", targetShift, targetScale);
    return new Standardization(shift.clone(), scale.clone(), targetShift, targetScale);
  }

  /// The map that changes nothing.
  public static Standardization identity(int dimensions) {
    double[] ones = new double[dimensions];
    Arrays.fill(ones, 1);
    return new Standardization(new double[dimensions], ones, 0, 1);
  }

  /// The number of input columns.
  public int dimensions() {
    return shift.length;
  }

  /// What is subtracted from input column j.
  public double inputShift(int j) {
    return shift[j];
  }

  /// What input column j is divided by.
  public double inputScale(int j) {
    return scale[j];
  }

  /// What is subtracted from the target.
  public double targetShift() {
    return targetShift;
  }

  /// What the target is divided by.
  public double targetScale() {
    return targetScale;
  }

  /// The data in standard units.
  public Dataset apply(Dataset data) {
    double[] y = new double[data.size()];
    for (int i = 0; i < y.length; i++) y[i] = applyTarget(data.target()[i]);
    List<Column> columns = data.columns().stream().map(c -> Column.of(c.name())).toList();
    return data.with(applyInputs(data.inputs()), y, columns, Column.of(data.targetColumn().name()));
  }

  /// Points in standard units, as a new array.
  public double[] applyInputs(double[] points) {
    double[] result = new double[requireWhole(points)];
    int d = shift.length;
    for (int i = 0; i < result.length; i++) result[i] = (points[i] - shift[i % d]) / scale[i % d];
    return result;
  }

  /// Points in the data's units, as a new array.
  public double[] invertInputs(double[] points) {
    double[] result = new double[requireWhole(points)];
    int d = shift.length;
    for (int i = 0; i < result.length; i++) result[i] = points[i] * scale[i % d] + shift[i % d];
    return result;
  }

  /// A target value in standard units.
  public double applyTarget(double y) {
    return (y - targetShift) / targetScale;
  }

  /// A mean, quantile, sample or end of an interval, in the target's unit.
  public double mean(double standard) {
    return standard * targetScale + targetShift;
  }

  /// A variance or covariance in the target's unit squared: of f, of the noise, or an output scale.
  public double variance(double standard) {
    return standard * targetScale * targetScale;
  }

  /// Covariances in the target's unit squared, as a new array.
  public double[] covariance(double[] standard) {
    double[] result = new double[standard.length];
    for (int i = 0; i < result.length; i++) result[i] = variance(standard[i]);
    return result;
  }

  /// A lengthscale or period along input column j, in that column's unit.
  public double lengthscale(int j, double standard) {
    return standard * scale[j];
  }

  /// The log-likelihood of n targets in their own unit: `L − n log targetScale`.
  public double logLikelihood(double standard, int n) {
    return standard - n * Math.log(targetScale);
  }

  private int requireWhole(double[] points) {
    if (points.length % shift.length != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "points hold %,d numbers, not a multiple of the %d input columns",
              points.length,
              shift.length));
    return points.length;
  }

  private static void requireMap(String name, double shift, double scale) {
    if (!(Double.isFinite(shift) && scale > 0 && Double.isFinite(scale)))
      throw new IllegalArgumentException(
          "%s: shift must be finite and scale finite and > 0, got %s and %s"
              .formatted(name, shift, scale));
  }

  /// Mean and deviation of every `stride`-th number, safe from overflow of the squares.
  private static double[] moments(double[] values, int from, int stride, String name) {
    int n = values.length / stride;
    double first = values[from];
    double spread = 0; // of the distances to the first value
    double sum = 0;
    for (int i = from; i < values.length; i += stride) {
      spread = Math.max(spread, Math.abs(values[i] - first));
      sum += (values[i] - first) / n;
    }
    if (spread == 0) return new double[] {first, 1};
    double mean = first + sum;
    double squares = 0;
    for (int i = from; i < values.length; i += stride) {
      double r = (values[i] - mean) / spread;
      squares += r * r;
    }
    double deviation = spread * Math.sqrt(squares / n);
    if (!(Double.isFinite(mean) && Double.isFinite(deviation) && deviation >= Double.MIN_NORMAL))
      throw new IllegalArgumentException(
          "column '%s' has mean %s and deviation %s, beyond double precision; rescale the column"
              .formatted(name, mean, deviation));
    return new double[] {mean, deviation};
  }
}
