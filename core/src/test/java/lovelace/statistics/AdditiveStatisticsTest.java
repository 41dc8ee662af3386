package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridOracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdditiveStatisticsTest {

  /// Three components over four columns, one of them of two axes; points in all about the scale's.
  private static AdditiveGrid grid(int points) {
    return AdditiveGrid.of(
        4,
        List.of(
            new AdditiveGrid.Component(Grid.of(Axis.covering(0, 1, points)), 2),
            new AdditiveGrid.Component(
                Grid.of(Axis.covering(0, 1, 6), Axis.covering(-1, 1, 7)), 0, 3),
            new AdditiveGrid.Component(Grid.of(Axis.covering(-2, 2, 9)), 1)));
  }

  private static double[] points(int n, SplittableRandom random) {
    double[] x = new double[4 * n];
    for (int i = 0; i < n; i++) {
      x[4 * i] = random.nextDouble();
      x[4 * i + 1] = random.nextDouble(-2, 2);
      x[4 * i + 2] = random.nextDouble();
      x[4 * i + 3] = random.nextDouble(-1, 1);
    }
    return x;
  }

  /// The stacked weights from the definition.
  private static double[] weights(AdditiveGrid grid, double[] x, int xo) {
    double[] w = new double[grid.size()];
    for (int c = 0; c < grid.components(); c++) {
      Grid own = grid.component(c).grid();
      double[] at = new double[own.dimensions()];
      for (int a = 0; a < at.length; a++) at[a] = x[xo + grid.component(c).column(a)];
      double[] part = GridOracle.weights(own, at, 0);
      System.arraycopy(part, 0, w, grid.start(c), part.length);
    }
    return w;
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 4200})
  void statisticsEqualTheirDefinitionDenseAndSparse(int size) {
    var random = new SplittableRandom(110);
    AdditiveGrid grid = grid(size);
    int n = 50;
    int m = grid.size();
    double[] x = points(n, random);
    double[] y = GridOracle.normals(n, 1e6, random);
    double[] d = new double[n];
    for (int i = 0; i < n; i++) d[i] = random.nextDouble(0.5, 2);
    AdditiveStatistics s = AdditiveStatistics.of(grid, x, y, d, Outside.ERROR);
    double[] v = GridOracle.normals(m, 0, random);
    double[] expected = new double[m];
    double[] b = new double[m];
    double yy = 0;
    int[] index = new int[grid.stencilSize()];
    double[] weight = new double[index.length];
    double[] mean = grid.linear(1e6, 1, 2, 3, 4);
    for (int i = 0; i < n; i++) {
      double[] w = weights(grid, x, 4 * i);
      double[] found = new double[m];
      assertTrue(grid.stencil(x, 4 * i, index, weight));
      for (int k = 0; k < index.length; k++) found[index[k]] += weight[k];
      assertArrayEquals(w, found, 1e-13);
      double dot = 0;
      for (int k = 0; k < m; k++) dot += w[k] * v[k];
      double r = y[i] - 1e6 - x[4 * i] - 2 * x[4 * i + 1] - 3 * x[4 * i + 2] - 4 * x[4 * i + 3];
      for (int k = 0; k < m; k++) {
        expected[k] += d[i] * dot * w[k];
        b[k] += d[i] * r * w[k];
      }
      yy += d[i] * r * r;
    }
    double[] product = new double[m];
    s.gram().apply(v, product);
    assertArrayEquals(expected, product, 1e-11);
    assertArrayEquals(b, s.centred(mean).projected(), 1e-8);
    assertEquals(yy, s.centred(mean).squares(), 1e-7);
    assertEquals(Arrays.stream(d).map(Math::log).sum(), s.logWeights(), 1e-12);
    if (size > 1000) {
      assertNull(s.dense());
      assertThrows(UnsupportedOperationException.class, s::compressed);
      return;
    }
    CompressedWeights root = s.compressed();
    assertTrue(root.columns() <= n);
    double[] small = new double[root.columns()];
    root.applyTransposed(v, small);
    root.apply(small, product);
    assertArrayEquals(expected, product, 1e-10);
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 4200})
  void partsAddAndSubtractToExactZeros(int size) {
    var random = new SplittableRandom(111);
    AdditiveGrid grid = grid(size);
    int n = 40;
    double[] x = points(n, random);
    double[] y = GridOracle.normals(n, 100, random);
    int cut = 15;
    var whole = AdditiveStatistics.of(grid, x, y);
    var a = AdditiveStatistics.of(grid, Arrays.copyOf(x, 4 * cut), Arrays.copyOf(y, cut));
    var b =
        AdditiveStatistics.of(
            grid, Arrays.copyOfRange(x, 4 * cut, 4 * n), Arrays.copyOfRange(y, cut, n));
    var both = a.plus(b);
    double[] mean = grid.linear(100);
    assertEquals(n, both.count());
    assertEquals(whole.centred(mean).squares(), both.centred(mean).squares(), 1e-9);
    assertArrayEquals(whole.centred(mean).projected(), both.centred(mean).projected(), 1e-9);
    var nothing = whole.minus(b).minus(a);
    double[] product = new double[grid.size()];
    nothing.gram().apply(GridOracle.normals(grid.size(), 0, random), product);
    assertArrayEquals(new double[grid.size()], product, 0);
    assertArrayEquals(new double[grid.size()], nothing.projected(), 0);
    assertEquals(0, nothing.squares(), 0);
    assertThrows(IllegalArgumentException.class, () -> a.minus(whole));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void sameBitsForAnyNumberOfThreads(int threads) throws Exception {
    var random = new SplittableRandom(112);
    AdditiveGrid grid = grid(30);
    int n = 5000;
    double[] x = points(n, random);
    double[] y = GridOracle.normals(n, 0, random);
    double[] expected = AdditiveStatistics.of(grid, x, y).dense();
    try (var pool = new ForkJoinPool(threads)) {
      double[] found = pool.submit(() -> AdditiveStatistics.of(grid, x, y).dense()).get();
      assertArrayEquals(expected, found, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void weightsHaveTheGradientsOfTheirDifferences(long seed) {
    var random = new SplittableRandom(seed);
    AdditiveGrid grid = grid(11);
    int k = grid.stencilSize();
    int[] index = new int[k];
    double[] weight = new double[k];
    double[] up = new double[k];
    double[] down = new double[k];
    double[] gradient = new double[4 * k];
    double[] x = points(1, random);
    assertTrue(grid.stencilGradient(x, 0, index, weight, gradient));
    for (int c = 0; c < 4; c++) {
      double kept = x[c];
      x[c] = kept + 1e-6;
      assertTrue(grid.stencil(x, 0, index, up));
      x[c] = kept - 1e-6;
      assertTrue(grid.stencil(x, 0, index, down));
      x[c] = kept;
      for (int i = 0; i < k; i++) assertEquals((up[i] - down[i]) / 2e-6, gradient[c * k + i], 1e-7);
    }
  }

  @Test
  void latticesOfTheSamePartsAreEqualAndHaveTheirWords() {
    AdditiveGrid grid = grid(11);
    assertEquals(grid, grid(11));
    assertEquals(grid.hashCode(), grid(11).hashCode());
    assertNotEquals(grid, grid(12));
    AdditiveGrid.Component part = grid.component(1);
    assertEquals(part, grid(11).component(1));
    assertEquals(part.hashCode(), grid(11).component(1).hashCode());
    assertNotEquals(part, new AdditiveGrid.Component(part.grid(), 0, 2));
    double[] x = points(5, new SplittableRandom(1));
    assertEquals(
        "5 observations on " + grid, AdditiveStatistics.of(grid, x, new double[5]).toString());
  }
}
