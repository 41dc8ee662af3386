package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.Locale;
import lovelace.linear.Parallel;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// Sets of points with weights that sum to one in every set. Immutable.
public final class Areas {

  /// The number of points whose covariances are computed at a time.
  private static final int BLOCK = 2048;

  private final int dimensions;
  private final double[] points;
  private final double[] weights;
  private final int[] starts;

  private Areas(int dimensions, double[] points, double[] weights, int[] starts) {
    this.dimensions = dimensions;
    this.points = points;
    this.weights = weights;
    this.starts = starts;
  }

  /// Area a has the points `starts[a] ≤ i < starts[a + 1]`.
  ///
  /// @param points row-major, finite; not copied
  /// @param weights finite and at least 0, with a positive sum in every area, by which they are
  ///   divided; empty for equal weights
  /// @param starts one more than there are areas, from 0 to the number of points
  public static Areas of(double[] points, int dimensions, double[] weights, int[] starts) {
    int count = Points.check(points, dimensions);
    if (weights.length != 0 && weights.length != count)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d weights for %,d points; pass one per point, or none",
              weights.length,
              count));
    if (starts.length == 0 || starts[0] != 0 || starts[starts.length - 1] != count)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the starts of areas must go from 0 to the number of points, %d; got %s",
              count,
              starts.length == 0 ? "none" : starts[0] + " to " + starts[starts.length - 1]));
    double[] shares = new double[count];
    for (int a = 0; a + 1 < starts.length; a++) {
      int from = starts[a];
      int to = starts[a + 1];
      if (!(from < to))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "area %,d (from 1) has no points; leave it out, or cut it into smaller cells",
                a + 1));
      double sum = 0;
      for (int i = from; i < to; i++) {
        shares[i] = weights.length == 0 ? 1 : weights[i];
        if (!(shares[i] >= 0 && shares[i] < Double.POSITIVE_INFINITY))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "weight %,d of area %,d (both from 1) is %s and must be finite and >= 0; drop the point or give it a weight of 0",
                  i - from + 1,
                  a + 1,
                  shares[i]));
        sum += shares[i];
      }
      if (!(sum > 0 && sum < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the weights of area %,d (from 1) sum to %s and must have a positive sum; leave the area out",
                a + 1,
                sum));
      for (int i = from; i < to; i++) shares[i] /= sum;
    }
    return new Areas(dimensions, points, shares, starts.clone());
  }

  /// The number of areas.
  public int count() {
    return starts.length - 1;
  }

  /// The number of points of some areas.
  public int size(int from, int to) {
    return starts[to] - starts[from];
  }

  /// A copy of the points of an area, row-major.
  public double[] points(int area) {
    return points(area, area + 1);
  }

  /// A copy of the points of some areas, row-major.
  public double[] points(int from, int to) {
    return Arrays.copyOfRange(points, starts[from] * dimensions, starts[to] * dimensions);
  }

  /// A copy of the weights of an area, which sum to one.
  public double[] weights(int area) {
    return Arrays.copyOfRange(weights, starts[area], starts[area + 1]);
  }

  /// The weighted means over every area of numbers at its points, `width` numbers for each point.
  public double[] means(int width, double[] values) {
    double[] out = new double[count() * width];
    for (int a = 0; a < count(); a++)
      for (int i = starts[a]; i < starts[a + 1]; i++)
        for (int j = 0; j < width; j++) out[a * width + j] += weights[i] * values[i * width + j];
    return out;
  }

  /// Means over areas. Their variances use all covariances of the points. A variance that does not
  /// exceed the mean of its points' bounds of rounding cannot be distinguished from rounding.
  public static Prediction byCovariance(Posterior posterior, Areas areas) {
    int count = areas.count();
    var all = new PredictionArrays(count);
    for (int a = 0; a < count; a++) {
      double[] x = areas.points(a);
      double[] w = areas.weights(a);
      Prediction each = posterior.predict(x);
      boolean outside = false;
      double bound = 0; // the rounding bound, from the points at theirs
      for (int i = 0; i < w.length; i++) {
        all.means[a] += w[i] * each.mean(i);
        outside |= w[i] > 0 && each.outside(i);
        if (each.atBound(i)) bound += w[i] * each.variance(i);
      }
      all.variance(a, total(posterior, x, w), bound, outside);
    }
    return all.done();
  }

  private static double total(Posterior posterior, double[] x, double[] w) {
    int d = posterior.dimensions();
    int blocks = Parallel.pieces(w.length, BLOCK);
    double sum = 0;
    for (int a = 0; a < blocks; a++)
      for (int b = 0; b <= a; b++) {
        double[] left = block(x, a, d);
        double[] right = a == b ? left : block(x, b, d);
        double[] covariance = posterior.covariance(left, right);
        int columns = right.length / d;
        double own = 0;
        for (int i = 0; i < left.length / d; i++)
          for (int j = 0; j < columns; j++)
            own += w[a * BLOCK + i] * w[b * BLOCK + j] * covariance[i * columns + j];
        sum += a == b ? own : 2 * own;
      }
    return sum;
  }

  private static double[] block(double[] x, int block, int d) {
    return Arrays.copyOfRange(x, block * BLOCK * d, Math.min(x.length, (block + 1) * BLOCK * d));
  }
}
