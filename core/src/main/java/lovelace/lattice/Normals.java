package lovelace.lattice;

import java.util.SplittableRandom;
import lovelace.linear.Gaussian;
import lovelace.linear.Parallel;
import lovelace.linear.Sobol;
import org.jspecify.annotations.Nullable;

/// Standard normals for draws 0, 1, 2, …. Each draw and purpose has its own stream, so the result
/// depends neither on the number of threads nor on that of the draws.
final class Normals {

  private static final int LATENT = 1;
  private static final int NOISE = 2;
  private static final int SHIFT = 3;
  private static final int RESIDUAL = 4;
  private static final int PLACE = 5;

  private final long seed;
  private final int[] leading;
  private final @Nullable Sobol sobol;

  /// If `leading` is not empty, these normals of a draw come from a shifted Sobol' sequence.
  Normals(long seed, int[] leading) {
    this.seed = seed;
    this.leading = leading;
    sobol = leading.length == 0 ? null : Sobol.shifted(leading.length, stream(seed, SHIFT, 0));
  }

  /// Writes the first `n` normals of draws first … first + rows, from `out[0]` on, `stride` apart.
  void latent(int first, int rows, int n, int stride, double[] out) {
    Parallel.chunks(
        rows,
        Math.max(1, 4096 / Math.max(1, n)),
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) {
            SplittableRandom random = stream(seed, LATENT, first + i);
            int row = i * stride;
            for (int j = 0; j < n; j++) out[row + j] = random.nextGaussian();
            if (sobol == null) continue;
            double[] point = sobol.point(first + i);
            for (int j = 0; j < leading.length; j++)
              out[row + leading[j]] = Gaussian.quantile(point[j] + 0x1p-53);
          }
        });
  }

  /// Writes `n` normals of draw number `draw` for the residuals between grid points, from `out[oo]`
  /// on.
  void residual(int draw, int n, double[] out, int oo) {
    SplittableRandom random = stream(seed, RESIDUAL, draw);
    for (int j = 0; j < n; j++) out[oo + j] = random.nextGaussian();
  }

  /// The seed of a draw for [#at].
  long seed(int draw) {
    return mix(mix(seed + PLACE * 0x9e3779b97f4a7c15L) + draw);
  }

  /// A standard normal for a place. The same seed and place give the same number.
  static double at(long seed, double[] x, int xo, int d) {
    long hash = seed;
    for (int a = 0; a < d; a++) // the two zeros are one place
    hash = mix(hash + 0x9e3779b97f4a7c15L + Double.doubleToLongBits(x[xo + a] + 0.0));
    return new SplittableRandom(hash).nextGaussian();
  }

  /// Adds `sigma` times a normal to each of n numbers of draws first … first + rows.
  void addNoise(int first, int rows, int n, double sigma, double[] out) {
    Parallel.forEach(
        rows,
        i -> {
          SplittableRandom random = stream(seed, NOISE, first + i);
          for (int j = 0; j < n; j++) out[i * n + j] += sigma * random.nextGaussian();
        });
  }

  private static SplittableRandom stream(long seed, int purpose, int draw) {
    return new SplittableRandom(mix(mix(seed + purpose * 0x9e3779b97f4a7c15L) + draw));
  }

  /// Stafford's thirteenth mixing function.
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
