package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.kernel.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The covariances of one radial kernel and their derivatives beside those of the kernel itself.
class RadialPairsTest {

  private static Kernel kernel(String text, int d, SplittableRandom random) {
    Kernel bound = Kernel.parse(text).bind(d);
    double[] values = bound.values();
    for (int i = 0; i < values.length; i++)
      if (Double.isNaN(values[i])) values[i] = Math.exp(0.5 * random.nextGaussian());
    return bound.with(values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"matern12", "matern32", "matern52", "rbf", "rq", "3*constant*matern32"})
  void pairsAreThoseOfTheKernel(String text) {
    for (int seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int d = 1 + random.nextInt(11);
      int[] words = random.ints(0, d).limit(random.nextInt(3)).distinct().toArray();
      Kernel plain = kernel(text, d, random);
      Kernel kernel = words.length > 0 ? plain.withCategories(words) : plain;
      int most = 1 + random.nextInt(21);
      Pairs radial = Pairs.of(kernel, most, true, 0);
      assertInstanceOf(RadialPairs.class, radial);
      Pairs general = new KernelPairs(kernel, most, 0);
      for (int m : new int[] {(most + 1) / 2, most}) compare(radial, general, m, d, words, random);
      double[] expected = general.slopes();
      double[] actual = radial.slopes();
      double size = Arrays.stream(expected).map(Math::abs).max().orElse(0);
      for (int i = 0; i < expected.length; i++)
        assertEquals(expected[i], actual[i], 1e-11 * size, "seed " + seed + ", parameter " + i);
    }
  }

  /// Places some points, with repeated ones and ones far from zero, and adds slopes to both.
  private static void compare(
      Pairs radial, Pairs general, int m, int d, int[] words, SplittableRandom random) {
    double[] x = new double[m * d];
    for (int c = 0; c < d; c++) {
      boolean coded = Arrays.stream(words).boxed().toList().contains(c);
      double far = coded ? 0 : random.nextInt(2) * 1024.0;
      for (int a = 0; a < m; a++)
        x[a * d + c] = coded ? random.nextInt(-1, 3) : far + random.nextInt(1000) / 512.0;
    }
    if (m > 2) System.arraycopy(x, 0, x, (m - 1) * d, d);
    double[][] ours = new double[m][m];
    double[][] theirs = new double[m][m];
    for (Pairs pairs : new Pairs[] {radial, general}) {
      pairs.around(x, (m - 1) * d);
      for (int a = 0; a < m; a++) pairs.place(a, x, a * d);
      pairs.covariances(m, pairs == radial ? ours : theirs);
    }
    double[] v = random.doubles(m, -1, 1).toArray();
    double[] u = random.doubles(m, -1, 1).toArray();
    double alpha = random.nextDouble(-1, 1);
    double beta = random.nextDouble(-1, 1);
    double own = random.nextDouble();
    double whole = own * theirs[m - 1][m - 1];
    for (int a = 0; a < m; a++)
      for (int b = a; b < m; b++) {
        assertEquals(theirs[a][b], ours[a][b], 1e-13 * theirs[a][a], a + ", " + b + " of " + m);
        double weight = alpha * v[a] * v[b] + 0.5 * beta * (u[a] * v[b] + v[a] * u[b]);
        whole += (a == b ? 1 : 2) * weight * theirs[a][b];
      }
    for (Pairs pairs : new Pairs[] {radial, general})
      pairs.addSlopes(m, v, u, alpha, beta, own, whole);
  }

  /// Times in seconds are large numbers; differences of them lose nothing.
  @Test
  void numbersFarFromZeroKeepTheirDigits() {
    Kernel kernel = Kernel.parse("1*matern52(lengthscale=0.5)").bind(4);
    double[][] rows = new double[2][2];
    Pairs pairs = Pairs.of(kernel, 2, true, 0);
    double[] near = {0, 0, 0, 0, 0.25, 0.125, 0, 0.5};
    double[] far = Arrays.stream(near).map(v -> v + (1L << 40)).toArray();
    pairs.around(far, 0);
    pairs.place(0, far, 0);
    pairs.place(1, far, 4);
    pairs.covariances(2, rows);
    assertEquals(kernel.value(near, 0, near, 4), rows[0][1], 1e-15);
  }

  @Test
  void otherKernelsKeepTheirOwnMethods() {
    for (String text : new String[] {"matern32 + rbf", "matern12*rbf", "linear", "constant"})
      assertInstanceOf(
          KernelPairs.class, Pairs.of(kernel(text, 3, new SplittableRandom(1)), 5, true, 0), text);
  }
}
