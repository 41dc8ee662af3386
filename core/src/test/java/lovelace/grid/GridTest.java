package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void weightsEqualTheirDefinitionAndReproduceLinearFunctions(int d) {
    var random = new SplittableRandom(d);
    Grid grid = GridOracle.grid(d);
    int[] index = new int[grid.stencilSize()];
    double[] weight = new double[index.length];
    double[] offset = new double[d];
    int[] shifts = grid.stencilShifts();
    for (int trial = 0; trial < 200; trial++) {
      double[] x = GridOracle.points(grid, 1, random);
      if (trial == 0) for (int a = 0; a < d; a++) x[a] = grid.low(a);
      if (trial == 1) for (int a = 0; a < d; a++) x[a] = grid.high(a);
      assertTrue(grid.stencil(x, 0, index, weight));
      double[] dense = new double[grid.size()];
      double sum = 0;
      for (int k = 0; k < index.length; k++) {
        dense[index[k]] += weight[k];
        sum += weight[k];
      }
      assertEquals(1, sum, 1e-14);
      assertArrayEquals(GridOracle.weights(grid, x, 0), dense, 1e-13);
      for (int a = 0; a < d; a++) {
        double[] u = grid.coordinates(a);
        double value = 0;
        for (int k = 0; k < index.length; k++) value += weight[k] * u[index[k]];
        assertEquals(x[a], value, 1e-13 * (1 + Math.abs(x[a])));
      }
      int cell = grid.locate(x, 0, offset);
      assertEquals(cell, grid.cell(x, 0));
      for (int k = 0; k < index.length; k++) assertEquals(index[k], grid.corner(cell) + shifts[k]);
      for (double t : offset) assertTrue(Math.abs(t) <= 0.5 + 1e-9);
      checkGradient(grid, x, index, weight);
    }
  }

  private static void checkGradient(Grid grid, double[] x, int[] index, double[] weight) {
    int d = grid.dimensions();
    double[] gradient = new double[d * index.length];
    double[] up = new double[index.length];
    double[] down = new double[index.length];
    assertTrue(grid.stencilGradient(x, 0, index, weight, gradient));
    for (int a = 0; a < d; a++) {
      double step = grid.axis(a).step();
      double kept = x[a];
      int cell = grid.cell(x, 0);
      x[a] = kept + 1e-5 * step;
      boolean same = grid.cell(x, 0) == cell && grid.stencil(x, 0, index, up);
      x[a] = kept - 1e-5 * step;
      same &= grid.cell(x, 0) == cell && grid.stencil(x, 0, index, down);
      x[a] = kept;
      if (!same) continue;
      for (int k = 0; k < index.length; k++)
        assertEquals((up[k] - down[k]) / 2e-5, step * gradient[a * index.length + k], 1e-8);
    }
  }

  @Test
  void cellsIncludeTheirLeftEndAndTheLastOneItsRight() {
    Axis axis = new Axis(-1, 0.5, 8);
    assertEquals(-0.5, axis.low());
    assertEquals(2, axis.high());
    assertEquals(0, axis.cell(-0.5));
    assertEquals(1, axis.cell(0));
    assertEquals(0, axis.cell(-0.001));
    assertEquals(4, axis.cell(2));
    assertEquals(-1, axis.cell(2.001));
    assertEquals(-1, axis.cell(-0.501));
    assertEquals(-1, axis.cell(Double.NaN));
    assertEquals(-1, axis.cell(Double.POSITIVE_INFINITY));
  }

  @Test
  void coveringAxesCoverTheirEndsFarFromZeroToo() {
    var random = new SplittableRandom(5);
    for (int trial = 0; trial < 2000; trial++) {
      double low = random.nextGaussian() * Math.pow(10, random.nextInt(-8, 9));
      double high = low + Math.pow(10, random.nextInt(-4, 6)) * random.nextDouble(0.1, 1);
      Axis axis = Axis.covering(low, high, random.nextInt(4, 300));
      assertTrue(axis.covers(low) && axis.covers(high), axis::toString);
      double rounding = 64 * (Math.ulp(low) + Math.ulp(high));
      assertEquals(high - low, axis.cells() * axis.step(), 1e-12 * (high - low) + rounding);
    }
    assertThrows(IllegalArgumentException.class, () -> Axis.covering(1, 1, 10));
    assertThrows(IllegalArgumentException.class, () -> Axis.covering(0, Double.NaN, 10));
  }

  @Test
  void interpolationConvergesAtThirdOrder() {
    DoubleUnaryOperator f = x -> Math.sin(3 * x) + Math.exp(x);
    double previous = 0;
    for (int points = 23; points <= 163; points = 2 * points - 3) {
      Grid grid = Grid.of(Axis.covering(0, 1, points));
      double[] u = grid.coordinates(0);
      double worst = 0;
      int[] index = new int[4];
      double[] weight = new double[4];
      for (double x = 0; x <= 1; x += 0.00093) {
        assertTrue(grid.stencil(new double[] {x}, 0, index, weight));
        double value = 0;
        for (int k = 0; k < 4; k++) value += weight[k] * f.applyAsDouble(u[index[k]]);
        worst = Math.max(worst, Math.abs(value - f.applyAsDouble(x)));
      }
      if (previous > 0) assertEquals(3, Math.log(previous / worst) / Math.log(2), 0.35);
      previous = worst;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void stencilMatrixActsAsItsDenseForm(int d) {
    var random = new SplittableRandom(80 + d);
    for (Grid grid : new Grid[] {GridOracle.grid(d), wide(d)}) {
      double[] x = GridOracle.points(grid, 300, random);
      StencilMatrix a = GridStatistics.of(grid, x, new double[300]).stencil();
      StencilMatrix b =
          GridStatistics.of(grid, GridOracle.points(grid, 300, random), new double[300]).stencil();
      int m = grid.size();
      double[] dense = a.dense();
      double[] other = b.dense();
      double[] v = GridOracle.normals(3 * m, 0, random);
      double[] expected = new double[3 * m];
      double trace = 0;
      for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
          for (int c = 0; c < 3; c++) expected[c * m + i] += dense[i * m + j] * v[c * m + j];
          trace += dense[i * m + j] * other[i * m + j];
          if (m < 500) assertEquals(dense[i * m + j], a.entry(i, j), 0);
        }
      double[] y = new double[3 * m];
      a.applyBlock(3, v, y);
      assertArrayEquals(expected, y, 1e-11);
      double[] rows = new double[3 * m];
      double[] image = new double[3 * m];
      for (int i = 0; i < m; i++) for (int c = 0; c < 3; c++) rows[i * 3 + c] = v[c * m + i];
      a.applyColumns(3, rows, image);
      for (int i = 0; i < m; i++)
        for (int c = 0; c < 3; c++) assertEquals(expected[c * m + i], image[i * 3 + c], 1e-11);
      double[] one = new double[m];
      a.apply(v, one);
      for (int i = 0; i < m; i++) assertEquals(y[i], one[i], 0);
      assertEquals(trace, a.dot(b), 1e-11 * Math.abs(trace));
      double[] sum = a.plus(b.times(2)).minus(b).dense();
      for (int i = 0; i < sum.length; i++) assertEquals(dense[i] + other[i], sum[i], 1e-13);
      int[] index = new int[grid.stencilSize()];
      double[] weight = new double[index.length];
      assertTrue(grid.stencil(x, 0, index, weight));
      double quadratic = 0;
      for (int i = 0; i < index.length; i++)
        for (int j = 0; j < index.length; j++)
          quadratic += weight[i] * weight[j] * dense[index[i] * m + index[j]];
      assertEquals(quadratic, a.quadratic(index[0], weight), 1e-12);
    }
    assertFalse(GridOracle.grid(d).equals(wide(d)));
  }

  private static Grid wide(int d) {
    return switch (d) {
      case 1 -> Grid.of(Axis.covering(0, 1, 2200));
      case 2 -> Grid.of(Axis.covering(0, 1, 31), Axis.covering(0, 1, 43));
      default -> Grid.of(Axis.covering(0, 1, 9), Axis.covering(0, 1, 11), Axis.covering(0, 1, 12));
    };
  }

  /// Far from zero the coordinates of points are rounded by more than the slack of a cell.
  @Test
  void anAxisCoversItsEndsFarFromZero() {
    var random = new SplittableRandom(5);
    for (int i = 0; i < 1000; i++) {
      double low = (random.nextBoolean() ? 1 : -1) * Math.pow(10, random.nextDouble(0, 12));
      double range = Math.pow(10, random.nextDouble(-1, 4));
      int points = random.nextInt(4, 400);
      if (!(range / points > 100 * Math.ulp(low))) continue;
      Axis axis = Axis.covering(low, low + range, points);
      assertTrue(axis.covers(axis.low()), axis::toString);
      assertTrue(axis.covers(axis.high()), axis::toString);
      assertTrue(axis.covers(low) && axis.covers(low + range), axis::toString);
      double x = low + random.nextDouble() * range;
      assertTrue(axis.covers(axis.nearest(x)), axis::toString);
    }
  }
}
