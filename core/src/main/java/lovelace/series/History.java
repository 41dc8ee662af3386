package lovelace.series;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One series as the library sees it: values divided by their mean size, warped in each way that
/// takes them. Gaps are filled on straight lines to compare the points of the library. Forecasts
/// use only the values that are there.
public final class History {

  final double[] values;
  final double scale;
  final double step;
  final List<Warp> warps;

  /// The warped values less a centre, by warp; null where a value cannot be warped.
  final double[][] warped;

  final double[] centre;

  /// The sums of log |dz/dy| over t < n, for n = 0, …, size.
  final double[][] logSlope;

  /// The steps that have a value.
  final int[] observed;

  /// Columns whose first row is that of the first value, known beyond the last one.
  final @Nullable Covariates covariates;

  private History(
      double[] values,
      double scale,
      double step,
      List<Warp> warps,
      int[] observed,
      @Nullable Covariates covariates) {
    this.observed = observed;
    this.covariates = covariates;
    this.values = values;
    this.scale = scale;
    this.step = step;
    this.warps = warps;
    int n = values.length;
    warped = new double[warps.size()][];
    logSlope = new double[warps.size()][];
    centre = new double[warps.size()];
    for (int w = 0; w < warps.size(); w++) {
      Warp warp = warps.get(w);
      if (!Arrays.stream(values).allMatch(warp::takes)) continue;
      double[] z = new double[n];
      double[] sum = new double[n + 1];
      for (int t = 0; t < n; t++) {
        z[t] = warp.of(values[t]);
        sum[t + 1] = sum[t] + warp.logSlope(values[t]);
      }
      double[] sorted = z.clone();
      Arrays.sort(sorted);
      centre[w] = n == 0 ? 0 : sorted[n / 2];
      for (int t = 0; t < n; t++) z[t] -= centre[w];
      warped[w] = z;
      logSlope[w] = sum;
    }
  }

  /// A history of values. NaN is a gap; the first and the last value are there.
  public static History of(double[] values, List<Warp> warps) {
    double[] filled = values.clone();
    int[] observed = new int[values.length];
    int count = 0;
    for (int t = 0; t < values.length; t++) {
      if (Double.isNaN(values[t])) continue;
      if (Double.isInfinite(values[t]))
        throw new IllegalArgumentException("values must be finite, got " + values[t]);
      int before = count == 0 ? t : observed[count - 1];
      for (int g = before + 1; g < t; g++)
        filled[g] = between(values[before], values[t], (g - before) / (double) (t - before));
      observed[count++] = t;
    }
    boolean bounded = warps.stream().anyMatch(Warp.Between.class::isInstance);
    double[] seen = Arrays.stream(observed, 0, count).mapToDouble(t -> values[t]).toArray();
    double scale = bounded ? 1 : size(seen);
    for (int t = 0; t < filled.length; t++) filled[t] /= scale;
    return new History(
        filled, scale, rounding(seen) / scale, warps, Arrays.copyOf(observed, count), null);
  }

  /// The place between two values, which may be as far apart as numbers go.
  private static double between(double from, double to, double share) {
    double gap = to - from;
    return Double.isFinite(gap) ? from + gap * share : (1 - share) * from + share * to;
  }

  /// The same with columns, whose first row is that of the first value.
  public History with(Covariates columns) {
    Covariates known = columns.size() == 0 ? null : columns;
    return new History(values, scale, step, warps, observed, known);
  }

  /// The same without the columns that do not change in it.
  public History withVarying() {
    return covariates == null ? this : with(covariates.varying(values.length));
  }

  /// The last values.
  public History last(int most) {
    int from = values.length - most;
    if (from <= 0) return this;
    int[] kept = Arrays.stream(observed).filter(t -> t >= from).map(t -> t - from).toArray();
    return new History(
        Arrays.copyOfRange(values, from, values.length),
        scale,
        step,
        warps,
        kept,
        covariates == null ? null : covariates.from(from));
  }

  /// The number of values that are there.
  public int seen() {
    return observed.length;
  }

  /// Whether there are steps without a value.
  boolean hasGaps() {
    return observed.length < values.length;
  }

  /// The values that are there, one after the other.
  History withoutGaps() {
    double[] seen = Arrays.stream(observed).mapToDouble(t -> values[t]).toArray();
    int[] all = new int[seen.length];
    for (int i = 0; i < all.length; i++) all[i] = i;
    return new History(seen, scale, step, warps, all, covariates);
  }

  /// Whether there is a value at a step.
  public boolean isObserved(int step) {
    return Arrays.binarySearch(observed, step) >= 0;
  }

  /// The value at a step in its own unit, or that on a straight line in a gap.
  public double value(int step) {
    return values[step] * scale;
  }

  /// The mean of |y|, without overflow; 1 if all are zero.
  private static double size(double[] values) {
    double largest = 0;
    for (double value : values) largest = Math.max(largest, Math.abs(value));
    if (largest == 0) return 1;
    double sum = 0;
    for (double value : values) sum += Math.abs(value / largest);
    double scale = largest * (sum / values.length);
    return scale > 0 ? scale : largest;
  }

  /// The step to which values are rounded, among powers of ten that six digits show: the largest of
  /// which all values are multiples. 0 if there is none.
  static double rounding(double[] values) {
    double largest = 0;
    for (double value : values) largest = Math.max(largest, Math.abs(value));
    if (largest == 0 || largest < 1e-290) return 0;
    for (int e = (int) Math.floor(Math.log10(largest)); e >= Math.log10(largest) - 7; e--) {
      double unit = Math.pow(10, e);
      boolean all = true;
      for (double value : values) {
        double multiple = value / unit;
        if (Math.abs(multiple - Math.rint(multiple)) > 1e-11 * Math.max(1, Math.abs(multiple))) {
          all = false;
          break;
        }
      }
      if (all) return unit;
    }
    return 0;
  }

  public int size() {
    return values.length;
  }

  boolean takes(int warp) {
    return warped[warp] != null;
  }

  /// The smallest sum of squares that n rounded values leave on the scale of a warp.
  double leastSquares(int warp, int n) {
    double slope = n == 0 ? 1 : Math.exp(logSlope[warp][n] / n);
    double d = step * slope;
    return Math.max(n * d * d / 12, 1e-18);
  }
}
