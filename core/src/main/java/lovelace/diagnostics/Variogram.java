package lovelace.diagnostics;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.kernel.Kernel;
import lovelace.linear.Parallel;

/// Half the mean squared difference of observations by their distance (Cressie 1993, section 2.4),
/// and the value that a process expects for the same pairs:
///
/// ```
/// empirical (Matheron)   Σ (rᵢ − rⱼ)² / 2N
/// robust (Cressie and Hawkins)   (Σ √|rᵢ − rⱼ| / N)⁴ / (2 (0.457 + 0.494/N))
/// fitted   Σ (σᵢ² + σⱼ² + k(xᵢ, xᵢ) + k(xⱼ, xⱼ) − 2k(xᵢ, xⱼ)) / 2N
/// ```
///
/// Residuals r are observations minus the mean of the process. The fitted curve uses the same
/// pairs, so directions and places affect it as they affect the data.
public final class Variogram {

  /// The largest number of rows whose pairs are used.
  public static final int MOST_ROWS = 5000;

  private static final int BLOCK = 64;

  /// A class of distances.
  ///
  /// @param distance the mean over its pairs
  public record Lag(double distance, long pairs, double empirical, double robust, double fitted) {}

  private Variogram() {}

  /// Classes of equal width up to half of the largest distance. Classes without pairs are left out.
  ///
  /// @param x places as the kernel reads them, row-major
  /// @param residuals observations minus the mean
  /// @param noises the noise variance of each observation
  /// @param scales the number by which each column is divided before distances are computed
  /// @param seed the seed of the choice of rows if there are more than [#MOST_ROWS]
  public static List<Lag> of(
      Kernel kernel,
      double[] x,
      double[] residuals,
      double[] noises,
      double[] scales,
      int classes,
      long seed) {
    int d = scales.length;
    int[] rows = chosen(residuals.length, seed);
    int n = rows.length;
    double[] places = new double[n * d];
    double[] r = new double[n];
    double[] noise = new double[n];
    double[] low = new double[d];
    double[] high = new double[d];
    for (int j = 0; j < d; j++) {
      low[j] = Double.POSITIVE_INFINITY;
      high[j] = Double.NEGATIVE_INFINITY;
    }
    for (int i = 0; i < n; i++) {
      System.arraycopy(x, rows[i] * d, places, i * d, d);
      r[i] = residuals[rows[i]];
      noise[i] = noises[rows[i]];
      for (int j = 0; j < d; j++) {
        low[j] = Math.min(low[j], places[i * d + j] / scales[j]);
        high[j] = Math.max(high[j], places[i * d + j] / scales[j]);
      }
    }
    double span = 0;
    for (int j = 0; j < d; j++) span += (high[j] - low[j]) * (high[j] - low[j]);
    double most = 0.5 * Math.sqrt(span); // half the diagonal of the box
    int blocks = Parallel.pieces(n, BLOCK);
    double[][] parts = new double[blocks][5 * classes];
    Parallel.chunks(
        n,
        BLOCK,
        (piece, from, to) -> {
          double[] sums = parts[piece];
          double[] k = new double[n];
          for (int i = from; i < to; i++) {
            kernel.covariances(places, i * d, places, 0, i + 1, k, 0);
            for (int j = 0; j < i; j++) {
              double h = distance(places, i, j, scales);
              int c = (int) (classes * h / most);
              if (!(c < classes)) continue;
              double difference = Math.abs(r[i] - r[j]);
              sums[5 * c]++;
              sums[5 * c + 1] += h;
              sums[5 * c + 2] += difference * difference;
              sums[5 * c + 3] += Math.sqrt(difference);
              sums[5 * c + 4] +=
                  noise[i] + noise[j] + k[i] + kernel.variance(places, j * d) - 2 * k[j];
            }
          }
        });
    List<Lag> lags = new ArrayList<>();
    for (int c = 0; c < classes; c++) {
      double[] sum = new double[5];
      for (double[] part : parts) for (int s = 0; s < 5; s++) sum[s] += part[5 * c + s];
      double pairs = sum[0];
      if (pairs == 0) continue;
      double root = sum[3] / pairs;
      lags.add(
          new Lag(
              sum[1] / pairs,
              (long) pairs,
              0.5 * sum[2] / pairs,
              0.5 * root * root * root * root / (0.457 + 0.494 / pairs),
              0.5 * sum[4] / pairs));
    }
    return lags;
  }

  private static double distance(double[] x, int i, int j, double[] scales) {
    int d = scales.length;
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double t = (x[i * d + c] - x[j * d + c]) / scales[c];
      sum += t * t;
    }
    return Math.sqrt(sum);
  }

  /// All rows, or [#MOST_ROWS] of them at random.
  private static int[] chosen(int n, long seed) {
    int[] rows = new int[n];
    for (int i = 0; i < n; i++) rows[i] = i;
    if (n <= MOST_ROWS) return rows;
    var random = new SplittableRandom(seed);
    int[] some = new int[MOST_ROWS];
    for (int i = 0; i < MOST_ROWS; i++) {
      int at = i + random.nextInt(n - i);
      some[i] = rows[at];
      rows[at] = rows[i];
    }
    return some;
  }
}
