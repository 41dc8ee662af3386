package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Outside;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridOracle;
import lovelace.grid.OutsideGridException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridStatisticsTest {

  private static double[] ones(int n) {
    double[] all = new double[n];
    Arrays.fill(all, 1);
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void statisticsEqualTheirDefinition(int d) {
    var random = new SplittableRandom(20 + d);
    Grid grid = GridOracle.grid(d);
    int n = 60;
    double[] x = GridOracle.points(grid, n, random);
    double[] y = GridOracle.normals(n, 3, random);
    double[] weight = new double[n];
    for (int i = 0; i < n; i++) weight[i] = random.nextDouble(0.1, 4);
    GridStatistics s = GridStatistics.of(grid, x, y, weight, Outside.ERROR);
    double[] r = new double[n];
    double yy = 0;
    double logs = 0;
    for (int i = 0; i < n; i++) {
      r[i] = y[i] - s.origin();
      yy += weight[i] * r[i] * r[i];
      logs += Math.log(weight[i]);
    }
    double[] gram = GridOracle.gram(grid, x, weight);
    if (d < 4) assertArrayEquals(gram, s.stencil().dense(), 1e-12);
    assertArrayEquals(GridOracle.projected(grid, x, r, weight), s.projected(), 1e-12);
    assertEquals(yy, s.squares(), 1e-11);
    assertEquals(logs, s.logWeights(), 1e-11);
    assertEquals(n, s.count());
    assertEquals(Arrays.stream(weight).sum(), s.weightSum(), 1e-12);
    int m = grid.size();
    double[] v = GridOracle.normals(m, 0, random);
    double[] product = new double[m];
    double[] expected = new double[m];
    s.gram().apply(v, product);
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) expected[i] += gram[i * m + j] * v[j];
    assertArrayEquals(expected, product, 1e-11);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void compressedWeightsAreARootOfGram(int d) {
    var random = new SplittableRandom(30 + d);
    Grid grid = GridOracle.grid(d);
    for (int n : new int[] {1, 7, 300}) {
      double[] x = GridOracle.points(grid, n, random);
      GridStatistics s = GridStatistics.of(grid, x, GridOracle.normals(n, 0, random));
      CompressedWeights root = s.compressed();
      assertTrue(root.columns() <= n);
      double[] v = GridOracle.normals(grid.size(), 0, random);
      double[] small = new double[root.columns()];
      double[] product = new double[grid.size()];
      double[] expected = new double[grid.size()];
      root.applyTransposed(v, small);
      root.apply(small, product);
      for (int i = 0; i < n; i++) {
        double[] w = GridOracle.weights(grid, x, i * d);
        double dot = 0;
        for (int k = 0; k < w.length; k++) dot += w[k] * v[k];
        for (int k = 0; k < w.length; k++) expected[k] += dot * w[k];
      }
      assertArrayEquals(expected, product, 1e-11, "n = " + n);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void mergedStatisticsEqualWholeData(int d) {
    var random = new SplittableRandom(40 + d);
    Grid grid = GridOracle.grid(d);
    int n = 500;
    double[] x = GridOracle.points(grid, n, random);
    double[] y = GridOracle.normals(n, 1e6, random);
    GridStatistics whole = GridStatistics.of(grid, x, y);
    int cut = 123;
    GridStatistics a = GridStatistics.of(grid, Arrays.copyOf(x, cut * d), Arrays.copyOf(y, cut));
    GridStatistics b =
        GridStatistics.of(
            grid, Arrays.copyOfRange(x, cut * d, n * d), Arrays.copyOfRange(y, cut, n));
    assertSame(whole, a.plus(b), 1e-9);
    assertSame(whole, GridStatistics.empty(grid).plus(a).plus(b), 1e-9);
    assertSame(a, whole.minus(b), 1e-9);
    GridStatistics nothing = whole.minus(a).minus(b);
    assertEquals(0, nothing.count());
    assertEquals(0, nothing.occupiedCells());
    assertEquals(0, nothing.squares());
    assertArrayEquals(new double[grid.size()], nothing.projected());
    assertThrows(IllegalArgumentException.class, () -> a.minus(whole));
  }

  private static void assertSame(GridStatistics a, GridStatistics b, double tolerance) {
    assertEquals(a.count(), b.count());
    assertArrayEquals(a.cellCounts(), b.cellCounts());
    assertArrayEquals(a.stencil().dense(), b.stencil().dense(), tolerance);
    double[] zero = new double[a.grid().size()];
    assertEquals(
        a.centred(a.grid().linear(1e6)).squares(),
        b.centred(a.grid().linear(1e6)).squares(),
        tolerance * a.count());
    assertArrayEquals(
        a.centred(a.grid().linear(1e6)).projected(),
        b.centred(a.grid().linear(1e6)).projected(),
        tolerance * 10);
    assertEquals(zero.length, b.projected().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void sameBitsForAnyNumberOfThreadsAndFromAStream(int d) throws Exception {
    var random = new SplittableRandom(50 + d);
    Grid grid = GridOracle.grid(d);
    int n = 70_001;
    double[] x = GridOracle.points(grid, n, random);
    x[17 * d] = 1e9;
    double[] y = GridOracle.normals(n, -7, random);
    var stream = new GridAccumulator(grid, Outside.SKIP);
    for (int i = 0; i < n; i++) stream.add(x, i * d, y[i]);
    GridStatistics expected = stream.statistics();
    assertEquals(1, expected.skipped());
    for (int threads : new int[] {1, 2, 5})
      try (var pool = new ForkJoinPool(threads)) {
        GridStatistics s =
            pool.submit(() -> GridStatistics.of(grid, x, y, null, Outside.SKIP)).get();
        GridStatistics merged = pool.submit(() -> s.plus(s)).get();
        assertEquals(2 * expected.count(), merged.count());
        assertEquals(expected.skipped(), s.skipped());
        assertEquals(expected.squares(), s.squares(), 0);
        assertArrayEquals(expected.projected(), s.projected(), 0);
        double[] gram = pool.submit(() -> s.stencil().dense()).get();
        assertArrayEquals(expected.stencil().dense(), gram, 0);
      }
  }

  /// Grids whose sums are kept in one array, in a large one, and cell by cell.
  @ParameterizedTest
  @ValueSource(ints = {30, 80, 400})
  void weightedRowsHaveTheSameBitsHoweverTheyAreDelivered(int points) throws Exception {
    var random = new SplittableRandom(points);
    Axis axis = Axis.covering(-1, 1, points);
    Grid grid = Grid.of(axis, axis);
    int n = 50_000;
    double[] x = GridOracle.points(grid, n, random);
    x[2 * 40_000] = 7;
    double[] y = GridOracle.normals(n, 3, random);
    double[] w = new double[n];
    for (int i = 0; i < n; i++) w[i] = random.nextDouble(0.5, 2);
    var rows = new GridAccumulator(grid, Outside.SKIP);
    for (int i = 0; i < n; i++) rows.add(x, 2 * i, y[i], w[i]);
    var pieces = new GridAccumulator(grid, Outside.SKIP);
    for (int from = 0; from < n; from += 20_000) {
      int to = Math.min(n, from + 20_000);
      pieces.addAll(
          to - from,
          Arrays.copyOfRange(x, 2 * from, 2 * to),
          Arrays.copyOfRange(y, from, to),
          Arrays.copyOfRange(w, from, to));
    }
    assertIdentical(rows.statistics(), pieces.statistics());
    for (int threads : new int[] {1, 3})
      try (var pool = new ForkJoinPool(threads)) {
        assertIdentical(
            rows.statistics(),
            pool.submit(() -> GridStatistics.of(grid, x, y, w, Outside.SKIP)).get());
        var error =
            assertThrows(
                Exception.class,
                () -> pool.submit(() -> GridStatistics.of(grid, x, y, w, Outside.ERROR)).get());
        assertTrue(String.valueOf(error.getMessage()).contains("row 40,001"), error::getMessage);
      }
  }

  private static void assertIdentical(GridStatistics a, GridStatistics b) {
    assertEquals(1, a.skipped());
    assertEquals(a.skipped(), b.skipped());
    assertEquals(a.origin(), b.origin(), 0);
    assertArrayEquals(a.cellCounts(), b.cellCounts());
    for (int c = 0; c < a.occupiedCells(); c++)
      assertArrayEquals(a.occupiedMoments(c), b.occupiedMoments(c), 0);
  }

  @Test
  void centringSubtractsALinearMeanEvenAMillionDeviationsAway() {
    var random = new SplittableRandom(60);
    Grid grid = GridOracle.grid(2);
    int n = 400;
    double[] x = GridOracle.points(grid, n, random);
    double[] r = GridOracle.normals(n, 0, random);
    double[] y = new double[n];
    double yy = 0;
    for (int i = 0; i < n; i++) {
      y[i] = 1e6 + 2 * x[2 * i] - 3 * x[2 * i + 1] + r[i];
      yy += r[i] * r[i];
    }
    var centred = GridStatistics.of(grid, x, y).centred(grid.linear(1e6, 2, -3));
    assertEquals(yy, centred.squares(), 1e-7 * n);
    assertArrayEquals(GridOracle.projected(grid, x, r, ones(n)), centred.projected(), 1e-7);
  }

  @Test
  void oneObservationAndAMillionInOneCell() {
    Grid grid = GridOracle.grid(1);
    double[] at = {0.123};
    GridStatistics one = GridStatistics.of(grid, at, new double[] {5});
    assertEquals(1, one.compressed().columns());
    assertArrayEquals(GridOracle.gram(grid, at, ones(1)), one.stencil().dense(), 1e-15);
    int n = 1_000_000;
    double[] x = new double[n];
    double[] y = new double[n];
    var random = new SplittableRandom(70);
    double low = grid.axis(0).at(5);
    for (int i = 0; i < n; i++) {
      x[i] = low + random.nextDouble() * grid.axis(0).step();
      y[i] = 1e6 + random.nextGaussian();
    }
    GridStatistics many = GridStatistics.of(grid, x, y);
    assertEquals(1, many.occupiedCells());
    assertEquals(4, many.compressed().columns());
    double[] gram = GridOracle.gram(grid, x, ones(n));
    double[] found = many.stencil().dense();
    for (int i = 0; i < gram.length; i++) assertEquals(gram[i], found[i], 1e-12 * n);
    assertEquals(1, many.centred(grid.linear(1e6)).squares() / n, 0.01);
  }

  @Test
  void aRowOutsideIsNamed() {
    Grid grid = Grid.of(Axis.covering(0, 1, 10), Axis.covering(-1, 1, 10));
    double[] x = {0.5, 0, 0.2, 0.1, 0.3, 1.5};
    var error =
        assertThrows(
            OutsideGridException.class, () -> GridStatistics.of(grid, x, new double[] {1, 2, 3}));
    assertEquals(2, error.row());
    assertEquals(1, error.column());
    assertEquals(
        "row 3: input column 2 is 1.5, outside the grid, which covers -1 to 1; "
            + "widen the grid's range or skip rows outside it",
        error.getMessage());
    int n = 100_000;
    double[] many = new double[2 * n];
    many[2 * 77_777] = -0.1;
    many[2 * 77_779] = Double.NaN;
    var late =
        assertThrows(
            OutsideGridException.class, () -> GridStatistics.of(grid, many, new double[n]));
    assertEquals(77_777, late.row());
    assertThrows(
        IllegalArgumentException.class,
        () -> GridStatistics.of(grid, new double[2], new double[] {Double.NaN}));
  }

  @Test
  void wordsSayHowManyCellsHoldObservations() {
    Grid grid = Grid.of(Axis.covering(0, 1, 8), Axis.covering(-1, 1, 7));
    double[] x = new double[2 * 1234];
    x[0] = 0.99;
    assertEquals(
        "1,234 observations in 2 of " + grid.cells() + " cells of a " + grid,
        GridStatistics.of(grid, x, new double[1234]).toString());
  }
}
