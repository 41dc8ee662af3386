package lovelace.posterior.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import lovelace.kernel.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sums of kernel values beside the same sums one value after another.
class KernelSumsTest {

  private static final long SEED = 17;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.5*rbf(lengthscale=[2,3])",
        "1.5*matern12(lengthscale=[2,3])",
        "1.5*matern32(lengthscale=[0.02,0.03])",
        "1.5*matern52(lengthscale=[2,3])",
        "1.5*rq(lengthscale=[2,3], alpha=0.7)",
        "2*matern12(columns=[1], lengthscale=2) + 0.3*rbf(lengthscale=[4,5]) + constant(variance=0.2)",
        "1.5*matern32(columns=[0], lengthscale=2)*periodic(columns=[1], lengthscale=1, period=3)",
        "0.5*linear(columns=[0], variance=2, centre=1)*matern12(columns=[1], lengthscale=2)"
      })
  void sumsEqualThoseOfSingleValues(String text) {
    Kernel kernel = Kernel.parse(text).bind(2);
    var random = new SplittableRandom(SEED);
    for (int ny : new int[] {1, 3, 13, 207, 1030}) {
      double[] y = random.doubles(2L * ny, 5_000_000, 5_000_020).toArray(); // metres north, say
      double[] x = random.doubles(2 * 9, 5_000_000, 5_000_020).toArray();
      System.arraycopy(y, 0, x, 0, 2);
      double[] w = random.doubles(9, -1, 1).toArray();
      w[4] = 0;
      double[] out = new double[ny + 3];
      out[2] = 0.25; // is added to
      new KernelSums(kernel, y).add(x, w, out, 2);
      for (int j = 0; j < ny; j++) {
        double sum = j == 0 ? 0.25 : 0;
        double size = 1;
        for (int i = 0; i < 9; i++) {
          double term = w[i] * kernel.value(x, 2 * i, y, 2 * j);
          sum += term;
          size =
              Math.max(size, Math.max(Math.abs(w[i] * kernel.variance(x, 2 * i)), Math.abs(term)));
        }
        assertEquals(sum, out[2 + j], 9 * 4 * Math.ulp(size), text + ", seed " + SEED);
      }
      assertEquals(0, out[1]);
      assertEquals(0, out[ny + 2]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.5*matern12(lengthscale=[2,3])",
        "0.5*linear(variance=2, centre=1)+2*rbf(lengthscale=3)"
      })
  void theVarianceIsTheDoubleSum(String text) {
    Kernel kernel = Kernel.parse(text).bind(2);
    var random = new SplittableRandom(SEED);
    for (int n : new int[] {1, 2, 511, 512, 1300}) {
      double[] x = random.doubles(2L * n, 0, 20).toArray();
      double[] w = random.doubles(n, -0.1, 1).toArray();
      double sum = 0;
      double size = 0;
      for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) {
          double term = w[i] * w[j] * kernel.value(x, 2 * i, x, 2 * j);
          row += term;
          size += Math.abs(term);
        }
        sum += row;
      }
      assertEquals(
          sum, KernelSums.variance(kernel, x, w), 1e-14 * size, text + ", " + n + ", seed " + SEED);
    }
  }

  /// From no distance to one where nothing is left.
  @Test
  void decayIsOffByAUnitOfOne() {
    double[] a = new double[70_000];
    for (int i = 0; i < a.length; i++) a[i] = i < 10 ? Math.scalb(1.0, -5 * i - 5) : i * 1e-3;
    double[] out = a.clone();
    KernelSums.decay(a.length, out);
    for (int i = 0; i < a.length; i++)
      assertEquals(Math.exp(-a[i]), out[i], 0x1p-52, "exp(−" + a[i] + ")");
    double[] far = {Double.MAX_VALUE, 0};
    KernelSums.decay(2, far);
    assertEquals(0, far[0], 0x1p-60);
    assertEquals(1, far[1]);
  }
}
