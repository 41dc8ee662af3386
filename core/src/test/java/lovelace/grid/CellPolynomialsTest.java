package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellPolynomialsTest {

  private static StencilMatrix symmetric(Grid grid, SplittableRandom random) {
    double[] x = GridOracle.points(grid, 3 * grid.size(), random);
    return GridStatistics.of(grid, x, new double[3 * grid.size()]).stencil();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void polynomialsEqualTheQuadraticFormsTheyStandFor(int d) {
    var random = new SplittableRandom(90 + d);
    Grid grid = GridOracle.grid(d);
    int m = grid.size();
    double[] a = GridOracle.normals(m, 0, random);
    StencilMatrix p = symmetric(grid, random);
    double[] dense = p.dense();
    CellPolynomials cells = CellPolynomials.of(grid, a, p);
    double[] out = new double[2];
    double[] full = new double[2 + 2 * d];
    for (int trial = 0; trial < 100; trial++) {
      double[] x = GridOracle.points(grid, 1, random);
      if (trial == 0) for (int k = 0; k < d; k++) x[k] = grid.low(k);
      if (trial == 1) for (int k = 0; k < d; k++) x[k] = grid.high(k);
      double[] w = GridOracle.weights(grid, x, 0);
      double mean = 0;
      double variance = 0;
      for (int i = 0; i < m; i++) {
        mean += w[i] * a[i];
        if (w[i] != 0) for (int j = 0; j < m; j++) variance += w[i] * w[j] * dense[i * m + j];
      }
      assertTrue(cells.evaluate(x, 0, out));
      assertEquals(mean, out[0], 1e-13);
      assertEquals(variance, out[1], 1e-13 * (1 + variance));
      assertEquals(out[0], cells.mean(x, 0), 0);
      assertEquals(out[1], cells.variance(x, 0), 0);
      assertTrue(cells.gradient(x, 0, full));
      assertEquals(mean, full[0], 1e-13);
      assertEquals(variance, full[1], 1e-13 * (1 + variance));
      for (int k = 0; k < d && trial > 1; k++) {
        double h = 1e-6 * grid.axis(k).step();
        double kept = x[k];
        x[k] = kept + h;
        double mUp = cells.mean(x, 0);
        double vUp = cells.variance(x, 0);
        x[k] = kept - h;
        double mDown = cells.mean(x, 0);
        double vDown = cells.variance(x, 0);
        x[k] = kept;
        double unit = 1 / grid.axis(k).step();
        assertEquals((mUp - mDown) / (2 * h), full[2 + k], 1e-7 * unit);
        assertEquals((vUp - vDown) / (2 * h), full[2 + d + k], 1e-7 * unit * (1 + variance));
      }
    }
    assertFalse(cells.evaluate(new double[] {1e9, 1e9, 1e9}, 0, out));
    assertTrue(Double.isNaN(out[0]) && Double.isNaN(cells.mean(new double[] {1e9, 0, 0}, 0)));
  }

  @Test
  void variancesOfATinyPosteriorKeepTheirDigits() {
    // P = F Fᵀ with entries of size 1 that cancel to 1e-8 inside the cells: rounding stays at ε·|P|
    var random = new SplittableRandom(99);
    Grid grid = Grid.of(Axis.covering(0, 1, 30), Axis.covering(0, 1, 30));
    double[][] diagonals = new double[25][grid.size()];
    int[] o = new int[2];
    StencilMatrix zero = StencilMatrix.zero(grid);
    for (int k = 0; k < 25; k++) {
      zero.offset(k, o);
      for (int i = 0; i < grid.size(); i++) {
        int r = i / 30 + o[0];
        int c = i % 30 + o[1];
        if (r < 30 && c >= 0 && c < 30) diagonals[k][i] = 1 + 1e-8 * Math.cos(0.1 * (o[0] + o[1]));
      }
    }
    StencilMatrix p = StencilMatrix.adopt(grid, diagonals);
    CellPolynomials cells = CellPolynomials.of(grid, new double[grid.size()], p);
    int[] index = new int[16];
    double[] weight = new double[16];
    double worst = 0;
    for (int trial = 0; trial < 2000; trial++) {
      double[] x = GridOracle.points(grid, 1, random);
      assertTrue(grid.stencil(x, 0, index, weight));
      worst = Math.max(worst, Math.abs(p.quadratic(index[0], weight) - cells.variance(x, 0)));
    }
    assertTrue(worst < 16 * Math.ulp(1.0), () -> "rounding above 16 ulp");
  }

  @Test
  void tooMuchMemoryIsRefusedWithTheNumber() {
    Grid grid = Grid.of(Axis.covering(0, 1, 103), Axis.covering(0, 1, 103));
    Budget small = Budget.of(Duration.ofHours(1), 1 << 20, System::nanoTime);
    double[] mean = new double[grid.size()];
    StencilMatrix p = StencilMatrix.zero(grid);
    var error =
        assertThrows(
            MemoryLimitException.class, () -> small.call(() -> CellPolynomials.of(grid, mean, p)));
    assertEquals(
        "the table of the 103×103 grid over [0, 1] × [0, 1] needs 5 MB of memory, the limit is 1 MB;"
            + " give fewer grid points or allow more memory",
        error.getMessage());
  }
}
