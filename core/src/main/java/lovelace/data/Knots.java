package lovelace.data;

import java.util.Arrays;
import lovelace.linear.Gaussian;
import org.jspecify.annotations.Nullable;

/// A rising piecewise linear function z(x) through knots, with its end slopes beyond them: a
/// bijection of the real line.
///
/// [#ranks] makes the function that maps given values to their normal scores.
final class Knots {

  /// The most knots.
  static final int MOST = 64;

  /// The smallest distance between two knots, as a fraction of the spread of the values, so that
  /// equal values make no spike in a density.
  private static final double APART = 0.01;

  private final double[] x;
  private final double[] z;

  private Knots(double[] x, double[] z) {
    this.x = x;
    this.z = z;
  }

  /// Checks that x and z both rise. Takes over the arrays.
  static Knots adopt(double[] x, double[] z) {
    if (x.length != z.length || x.length < 2 || x.length > MOST)
      throw new IllegalArgumentException(
          "ranks have 2 to %s knots, got %s".formatted(MOST, x.length));
    for (int i = 0; i < x.length; i++) {
      if (!(Double.isFinite(x[i]) && Double.isFinite(z[i])))
        throw new IllegalArgumentException(
            "a knot of ranks must be finite, got %s:%s".formatted(x[i], z[i]));
      if (i == 0) continue;
      double slope = (z[i] - z[i - 1]) / (x[i] - x[i - 1]);
      if (!(x[i] > x[i - 1] && z[i] > z[i - 1] && slope > 0 && Double.isFinite(1 / slope))
          || Double.isInfinite(slope))
        throw new IllegalArgumentException(
            "the knots of ranks must rise, got %s:%s after %s:%s"
                .formatted(x[i], z[i], x[i - 1], z[i - 1]));
    }
    return new Knots(x, z);
  }

  /// Returns the function that takes values to their normal scores `Φ⁻¹(p)`, where p is the
  /// fraction of values below, plus half of the equal ones. Knots are at values whose scores are
  /// about evenly spaced. If there are few different values, the function goes through all of them.
  ///
  /// @param what what the values are, for messages
  static Knots ranks(double[] values, String what) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double[] distinct = new double[n];
    double[] scores = new double[n];
    int m = 0;
    for (int from = 0; from < n; ) {
      int to = from;
      while (to < n && sorted[to] == sorted[from]) to++;
      distinct[m] = sorted[from];
      scores[m++] = Gaussian.quantile(0.5 * (from + to) / n);
      from = to;
    }
    if (m < 2)
      throw new IllegalArgumentException(
          "%s has fewer than two different values, so it has no ranks; leave it untransformed"
              .formatted(what));
    double apart = APART * spread(sorted);
    double[] x = new double[MOST];
    double[] z = new double[MOST];
    int count = 0;
    double step = (scores[m - 1] - scores[0]) / (MOST - 2);
    for (int i = 0; i < m; i++) {
      boolean last = i == m - 1;
      boolean due =
          count == 0
              || (distinct[i] - x[count - 1] >= apart
                  && (m <= MOST || scores[i] - z[count - 1] >= step));
      if (last && !due && count > 1) count--; // the end takes the place of the knot too close to it
      if (!due && !last) continue;
      x[count] = distinct[i];
      z[count++] = scores[i];
    }
    return adopt(Arrays.copyOf(x, count), Arrays.copyOf(z, count));
  }

  /// The range of the middle half of sorted values. If most of them are nearly equal, a tenth of
  /// the range of nine tenths of them, and so on.
  private static double spread(double[] sorted) {
    double middle = quantile(sorted, 0.75) - quantile(sorted, 0.25);
    double most = (quantile(sorted, 0.95) - quantile(sorted, 0.05)) / 10;
    double nearlyAll = (quantile(sorted, 0.995) - quantile(sorted, 0.005)) / 100;
    double all = (sorted[sorted.length - 1] - sorted[0]) / 1e6;
    return Math.max(Math.max(middle, most), Math.max(nearlyAll, all));
  }

  /// The p-quantile of sorted values, which is one of them.
  static double quantile(double[] sorted, double p) {
    return sorted[Math.clamp(Math.round(p * (sorted.length - 1)), 0, sorted.length - 1)];
  }

  int count() {
    return x.length;
  }

  double x(int i) {
    return x[i];
  }

  double z(int i) {
    return z[i];
  }

  /// Returns i if the value lies in the segment from knot i to i + 1. The first and the last
  /// segment extend to infinity.
  private static int segment(double[] knots, double value) {
    int found = Arrays.binarySearch(knots, value);
    int at = found >= 0 ? found : -found - 2;
    return Math.clamp(at, 0, knots.length - 2);
  }

  /// dz/dx on the segment from knot i to i + 1.
  double slope(int i) {
    return (z[i + 1] - z[i]) / (x[i + 1] - x[i]);
  }

  double apply(double value) {
    int i = segment(x, value);
    return z[i] + (value - x[i]) * slope(i);
  }

  double invert(double score) {
    int i = segment(z, score);
    return x[i] + (score - z[i]) / slope(i);
  }

  /// dz/dx; at a knot, that of the segment above it.
  double slope(double value) {
    return slope(segment(x, value));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Knots that && Arrays.equals(x, that.x) && Arrays.equals(z, that.z);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(x) + Arrays.hashCode(z);
  }
}
