package lovelace.latticekernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Cholesky;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalKrigingTest {

  private static final long SEED = 41;

  /// Axes of different steps, off the origin.
  private static Grid grid(int d) {
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = new Axis(10 - a, 0.5 / (a + 1), 9 - a);
    return Grid.of(axes);
  }

  private static Kernel kernel(String text, int d) {
    return Kernel.parse(text).times(1.7).attach(d);
  }

  private static double[] places(Grid grid, int count, SplittableRandom random) {
    int d = grid.dimensions();
    double[] x = new double[count * d];
    for (int i = 0; i < x.length; i++) {
      double low = grid.low(i % d);
      x[i] = low + random.nextDouble() * (grid.high(i % d) - low);
    }
    return x;
  }

  /// The coordinates of the stencil of a point.
  private static double[] stencil(Grid grid, int[] index) {
    int d = grid.dimensions();
    double[] nodes = new double[index.length * d];
    for (int k = 0; k < index.length; k++)
      System.arraycopy(grid.point(index[k]), 0, nodes, k * d, d);
    return nodes;
  }

  private static final String MARKET =
      """
      matern12(lengthscale=2), 1
      matern32(lengthscale=1), 1
      'matern12(lengthscale=[2,1])', 2
      'matern32(lengthscale=[1,2]) + 0.3*matern12(lengthscale=0.4)', 2
      'matern12(lengthscale=2)*matern32(lengthscale=3) + constant(variance=0.5)', 2
      matern52(lengthscale=2), 2
      matern12(lengthscale=2), 3
      'rq(alpha=1, lengthscale=0.3)', 3
      """;

  @ParameterizedTest
  @CsvSource(textBlock = MARKET)
  void weightsAndLossAreThoseOfDenseAlgebra(String text, int d) {
    Grid grid = grid(d);
    Kernel kernel = kernel(text, d);
    LocalKriging kriging = LocalKriging.of(grid, kernel);
    assertTrue(kriging.kriges());
    int s = grid.stencilSize();
    int[] index = new int[s];
    int[] keys = new int[s];
    double[] weight = new double[s];
    double[] x = places(grid, 20, new SplittableRandom(SEED));
    for (int p = 0; p < 20; p++) {
      double loss = kriging.weights(x, p * d, index, weight);
      grid.stencil(x, p * d, keys, new double[s]);
      assertArrayEquals(keys, index);
      double[] nodes = stencil(grid, index);
      double[] k = new double[s * s];
      kernel.matrix(nodes, s, nodes, s, k);
      double[] with = new double[s];
      kernel.matrix(Arrays.copyOfRange(x, p * d, (p + 1) * d), 1, nodes, s, with);
      double[] solved = with.clone();
      Cholesky.of(k, s).solve(solved);
      double expected = kernel.variance(x, p * d);
      for (int i = 0; i < s; i++) expected -= solved[i] * with[i];
      // K_SS has condition numbers up to 1e8, coordinates are rounded to 2e-15
      assertArrayEquals(solved, weight, 1e-7, "seed " + SEED + ", point " + p);
      assertEquals(expected, loss, 1e-12, "seed " + SEED + ", point " + p);
      assertTrue(loss >= 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"matern12, 1", "matern12, 2", "matern32, 2", "matern12, 3", "rbf, 2"})
  void onAGridPointItIsTheIdentity(String name, int d) {
    Grid grid = grid(d);
    // the rbf is too smooth to krige with
    LocalKriging kriging = LocalKriging.of(grid, kernel(name + "(lengthscale=5)", d));
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    for (int i = 0; i < grid.size(); i++) {
      double[] x = grid.point(i);
      if (grid.outsideColumn(x, 0) >= 0) {
        assertFalse(kriging.onPoint(x, 0));
        assertTrue(Double.isNaN(kriging.weights(x, 0, index, weight)));
        continue;
      }
      x[0] = Math.nextUp(x[0]);
      assertTrue(kriging.onPoint(x, 0));
      assertEquals(0, kriging.weights(x, 0, index, weight));
      for (int k = 0; k < s; k++) assertEquals(index[k] == i ? 1 : 0, weight[k]);
      x[d - 1] -= 1e-7;
      if (grid.outsideColumn(x, 0) < 0) assertFalse(kriging.onPoint(x, 0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          MARKET
              + """
              rbf(lengthscale=300), 1
              rbf(lengthscale=9), 2
              """)
  void slopesAreThoseOfFiniteDifferences(String text, int d) {
    Grid grid = grid(d);
    LocalKriging kriging = LocalKriging.of(grid, kernel(text, d));
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    double[] lossSlope = new double[d];
    double[] up = new double[s];
    double[] down = new double[s];
    double[] x = places(grid, 5, new SplittableRandom(SEED));
    double step = 1e-5;
    for (int p = 0; p < 5; p++) {
      double loss = kriging.gradient(x, p * d, index, weight, slope, lossSlope);
      assertEquals(kriging.weights(x, p * d, index, up), loss);
      assertArrayEquals(up, weight);
      for (int a = 0; a < d; a++) {
        double[] moved = Arrays.copyOfRange(x, p * d, (p + 1) * d);
        moved[a] += step;
        double high = kriging.weights(moved, 0, index, up);
        moved[a] -= 2 * step;
        double low = kriging.weights(moved, 0, index, down);
        String at = "seed " + SEED + ", point " + p + ", column " + a;
        assertEquals((high - low) / (2 * step), lossSlope[a], 1e-6, at);
        for (int k = 0; k < s; k++)
          assertEquals((up[k] - down[k]) / (2 * step), slope[a * s + k], 2e-5, at + ", " + k);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          MARKET
              + """
              rbf(lengthscale=9), 2
              """)
  void residualsHaveTheCovarianceOfTheirDefinition(String text, int d) {
    Grid grid = grid(d);
    Kernel kernel = kernel(text, d);
    LocalKriging kriging = LocalKriging.of(grid, kernel);
    int s = grid.stencilSize();
    int t = 12;
    double[] x = places(grid, t, new SplittableRandom(SEED));
    double[] node = grid.point(grid.corner(0) + grid.stencilShifts()[s / 3]);
    for (int a = 0; a < d; a++) node[a] = grid.axis(a).at(2);
    System.arraycopy(node, 0, x, 4 * d, d);
    for (int a = 0; a < d; a++) x[5 * d + a] = x[3 * d + a] + 0.01; // two close together
    double[] found = kriging.residuals(x, x);
    int[] i1 = new int[s];
    int[] i2 = new int[s];
    double[] w1 = new double[s];
    double[] w2 = new double[s];
    for (int p = 0; p < t; p++)
      for (int q = 0; q < t; q++) {
        double loss = kriging.weights(x, p * d, i1, w1);
        kriging.weights(x, q * d, i2, w2);
        double[] n1 = stencil(grid, i1);
        double[] n2 = stencil(grid, i2);
        double expected = kernel.value(x, p * d, x, q * d);
        for (int k = 0; k < s; k++) {
          expected -= w1[k] * kernel.value(n1, k * d, x, q * d);
          expected -= w2[k] * kernel.value(x, p * d, n2, k * d);
          for (int l = 0; l < s; l++)
            expected += w1[k] * w2[l] * kernel.value(n1, k * d, n2, l * d);
        }
        String at = "seed " + SEED + ", points " + p + ", " + q;
        assertEquals(expected, found[p * t + q], 1e-12, at);
        assertEquals(found[q * t + p], found[p * t + q], at);
        if (p == 4 || q == 4) assertEquals(0, found[p * t + q], at);
        if (p == q) assertEquals(loss, found[p * t + q], 1e-12, at);
      }
    for (int p = 0; p < t; p++) found[p * t + p] += 1e-13;
    assertEquals(0, Cholesky.of(found, t).jitter(), "a covariance is positive definite");
    double[] some = Arrays.copyOf(x, 3 * d);
    double[] block = kriging.residuals(some, x);
    for (int e = 0; e < block.length; e++) {
      double own = e / t == e % t ? 1e-13 : 0;
      assertEquals(found[e] - own, block[e], 1e-13);
    }
  }

  @Test
  void aKernelTooSmoothToKrigeWithTakesKeysWeights() {
    Grid grid = grid(2);
    Kernel kernel = kernel("rbf(lengthscale=9)", 2);
    LocalKriging kriging = LocalKriging.of(grid, kernel);
    assertFalse(kriging.kriges());
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] keys = new double[s];
    double[] x = places(grid, 9, new SplittableRandom(SEED));
    for (int p = 0; p < 9; p++) {
      double loss = kriging.weights(x, 2 * p, index, weight);
      grid.stencil(x, 2 * p, index, keys);
      assertArrayEquals(keys, weight);
      assertTrue(loss >= 0 && loss < 1e-6, "loss " + loss);
    }
  }

  @Test
  void aKernelThatVariesFromPlaceToPlaceIsRefused() {
    Grid grid = grid(1);
    var linear =
        assertThrows(
            IllegalArgumentException.class,
            () -> LocalKriging.of(grid, Kernel.linear(1).plus(Kernel.matern12(1)).bind(1)));
    assertTrue(
        String.valueOf(linear.getMessage()).contains("stationary"),
        String.valueOf(linear.getMessage()));
    var white =
        assertThrows(
            IllegalArgumentException.class,
            () -> LocalKriging.of(grid, kernel("matern12(lengthscale=1) + white(variance=1)", 1)));
    assertTrue(
        String.valueOf(white.getMessage()).contains("white"), String.valueOf(white.getMessage()));
    var columns =
        assertThrows(
            IllegalArgumentException.class,
            () -> LocalKriging.of(grid, kernel("matern12(lengthscale=1)", 2)));
    assertTrue(
        String.valueOf(columns.getMessage()).contains("2 columns"),
        String.valueOf(columns.getMessage()));
  }
}
