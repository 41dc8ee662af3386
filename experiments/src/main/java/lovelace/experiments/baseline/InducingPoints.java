package lovelace.experiments.baseline;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.Panels;
import lovelace.kernel.Kernel;
import lovelace.linear.Parallel;

/// Chooses places for the inducing points of [Sgpr] among or near the inputs. Row-major.
public final class InducingPoints {

  private static final int ROWS = 256;

  private InducingPoints() {}

  /// Chooses by pivoted Cholesky. Each point is the input whose prior variance, given those already
  /// chosen, is largest (Fine and Scheinberg 2001; Burt, Rasmussen and van der Wilk 2020). It stops
  /// early when only rounding is left, so it may return fewer. O(nm²).
  public static double[] pivotedCholesky(Dataset data, Kernel kernel, int count) {
    int n = data.size();
    int d = data.dimensions();
    int m = check(count, n);
    double[] x = data.inputs();
    Kernel latent = kernel.withoutWhite();
    double[] left = new double[n];
    double top = 0;
    for (int i = 0; i < n; i++) {
      left[i] = latent.variance(x, i * d);
      top = Math.max(top, left[i]);
    }
    double[] factor =
        new double
            [Budget.numbers(
                n, m, "the covariance of rows and inducing points", "use fewer")]; // row i: input i
    double[] points = new double[m * d];
    for (int c = 0; c < m; c++) {
      int pivot = 0;
      for (int i = 1; i < n; i++) if (left[i] > left[pivot]) pivot = i;
      if (!(left[pivot] > 1e-12 * top)) return Arrays.copyOf(points, Math.max(1, c) * d);
      System.arraycopy(x, pivot * d, points, c * d, d);
      double root = Math.sqrt(left[pivot]);
      double[] row = Arrays.copyOfRange(factor, pivot * m, pivot * m + c);
      double[] column = new double[n];
      latent.matrix(Arrays.copyOfRange(x, pivot * d, pivot * d + d), 1, x, n, column);
      int chosen = pivot;
      int at = c;
      Parallel.chunks(
          n,
          ROWS,
          (index, from, to) -> {
            for (int i = from; i < to; i++) {
              double v = (column[i] - Panels.dot(factor, i * m, row, 0, at)) / root;
              factor[i * m + at] = v;
              left[i] = i == chosen ? 0 : left[i] - v * v;
            }
          });
    }
    return points;
  }

  /// Chooses by k-means++ seeding (Arthur and Vassilvitskii 2007) and `rounds` of Lloyd's
  /// iteration, with columns in units of their standard deviation. O(n m d) per round.
  public static double[] kMeans(Dataset data, int count, int rounds, RandomGenerator random) {
    int n = data.size();
    int d = data.dimensions();
    int m = check(count, n);
    double[] scale = scales(data);
    double[] x = new double[n * d];
    for (int i = 0; i < n * d; i++) x[i] = data.inputs()[i] / scale[i % d];
    double[] centres = new double[m * d];
    double[] nearest = new double[n];
    Arrays.fill(nearest, Double.POSITIVE_INFINITY);
    int next = random.nextInt(n);
    for (int c = 0; c < m; c++) {
      System.arraycopy(x, next * d, centres, c * d, d);
      int at = c * d;
      Parallel.chunks(
          n,
          ROWS,
          (index, from, to) -> {
            for (int i = from; i < to; i++)
              nearest[i] = Math.min(nearest[i], distance(x, i * d, centres, at, d));
          });
      double total = 0;
      for (double r : nearest) total += r;
      if (!(total > 0)) return unscaled(Arrays.copyOf(centres, (c + 1) * d), scale);
      double u = random.nextDouble() * total;
      next = 0;
      while (next < n - 1 && u >= nearest[next]) u -= nearest[next++];
    }
    int[] owner = new int[n];
    for (int round = 0; round < rounds; round++) {
      Parallel.chunks(
          n,
          ROWS,
          (index, from, to) -> {
            for (int i = from; i < to; i++) owner[i] = closest(x, i * d, centres, d);
          });
      double[] sums = new double[m * d];
      int[] members = new int[m];
      for (int i = 0; i < n; i++) {
        members[owner[i]]++;
        for (int j = 0; j < d; j++) sums[owner[i] * d + j] += x[i * d + j];
      }
      for (int c = 0; c < m; c++)
        for (int j = 0; j < d && members[c] > 0; j++)
          centres[c * d + j] = sums[c * d + j] / members[c];
    }
    return unscaled(centres, scale);
  }

  private static int closest(double[] x, int at, double[] centres, int d) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int c = 0; c * d < centres.length; c++) {
      double r = distance(x, at, centres, c * d, d);
      if (r < least) {
        least = r;
        best = c;
      }
    }
    return best;
  }

  private static double distance(double[] x, int xo, double[] y, int yo, int d) {
    double sum = 0;
    for (int j = 0; j < d; j++) sum += (x[xo + j] - y[yo + j]) * (x[xo + j] - y[yo + j]);
    return sum;
  }

  private static double[] scales(Dataset data) {
    int n = data.size();
    int d = data.dimensions();
    double[] scale = new double[d];
    for (int j = 0; j < d; j++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += data.inputs()[i * d + j];
      double mean = sum / n;
      double squares = 0;
      for (int i = 0; i < n; i++) {
        double r = data.inputs()[i * d + j] - mean;
        squares += r * r;
      }
      scale[j] = squares > 0 ? Math.sqrt(squares / n) : 1;
    }
    return scale;
  }

  private static double[] unscaled(double[] centres, double[] scale) {
    for (int i = 0; i < centres.length; i++) centres[i] *= scale[i % scale.length];
    return centres;
  }

  private static int check(int count, int n) {
    if (count < 1)
      throw new IllegalArgumentException("count of inducing points must be >= 1, got " + count);
    return Math.min(count, n);
  }
}
