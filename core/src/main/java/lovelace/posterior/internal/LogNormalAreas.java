package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.function.Function;
import lovelace.linear.Parallel;
import lovelace.posterior.Posterior;

/// Variances of weighted means over areas of `y = exp f`. Given the joint distribution of f they
/// have a closed form: with `mᵢ = E yᵢ` and the covariances c of f,
///
///     Var Σᵢ wᵢyᵢ = Σᵢⱼ wᵢmᵢ wⱼmⱼ (exp cᵢⱼ − 1)
///
/// Draws would estimate it badly: if c is large, a few of them make most of the sum.
public final class LogNormalAreas {

  /// The most points of an area for which all pairs are computed.
  static final int MOST_POINTS = 4096;

  private static final int BLOCK = 1024;

  private LogNormalAreas() {}

  /// The variance over each area. NaN for all areas if y is not `exp f`, and for an area with too
  /// many points to compute all pairs.
  ///
  /// @param log whether y is `exp f`
  /// @param values the expectations of y at points
  public static double[] variances(
      boolean log, Posterior posterior, Areas areas, Function<double[], double[]> values) {
    double[] out = new double[areas.count()];
    Arrays.setAll(
        out,
        a ->
            !log || areas.size(a, a + 1) > MOST_POINTS
                ? Double.NaN
                : variance(posterior, areas.points(a), areas.weights(a), values));
    return out;
  }

  private static double variance(
      Posterior posterior, double[] x, double[] w, Function<double[], double[]> values) {
    double[] y = values.apply(x);
    for (int i = 0; i < w.length; i++) w[i] = w[i] == 0 ? 0 : w[i] * y[i];
    int blocks = Parallel.pieces(w.length, BLOCK);
    double sum = 0;
    for (int a = 0; a < blocks; a++)
      for (int b = 0; b <= a; b++) {
        int from = b * BLOCK;
        double[] left = block(x, a, w.length);
        double[] right = a == b ? left : block(x, b, w.length);
        double[] c = posterior.covariance(left, right);
        int columns = Math.min(BLOCK, w.length - from);
        double[] rows = new double[Math.min(BLOCK, w.length - a * BLOCK)];
        int first = a * BLOCK;
        Parallel.forEach(
            rows.length,
            i -> {
              for (int j = 0; j < columns; j++)
                if (w[from + j] != 0) rows[i] += w[from + j] * Math.expm1(c[i * columns + j]);
            });
        double own = 0;
        for (int i = 0; i < rows.length; i++) if (w[first + i] != 0) own += w[first + i] * rows[i];
        sum += a == b ? own : 2 * own;
      }
    return Math.max(0, sum);
  }

  private static double[] block(double[] x, int block, int count) {
    int d = x.length / count;
    return Arrays.copyOfRange(x, block * BLOCK * d, Math.min(count, (block + 1) * BLOCK) * d);
  }
}
