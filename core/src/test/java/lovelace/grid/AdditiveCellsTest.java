package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AdditiveCellsTest {

  @Test
  void gradientsAreThoseOfWhatIsEvaluated() {
    AdditiveGrid grid = AdditiveGrid.of(Axis.covering(-1, 1, 8), Axis.covering(0, 2, 7));
    int m = grid.size();
    var random = new SplittableRandom(51);
    double[] mean = random.doubles(m).toArray();
    double[] table = random.doubles((long) m * (m + 1) / 2).toArray();
    AdditiveCells cells = AdditiveCells.assemble(grid, mean, table);
    double[] x = {7, 0.33, 0.71};
    double[] out = new double[6];
    double[] here = new double[2];
    assertTrue(cells.gradient(x, 1, out));
    assertTrue(cells.evaluate(x, 1, here));
    assertEquals(here[0], out[0], 1e-13);
    assertEquals(here[1], out[1], 1e-12);
    for (int a = 0; a < 2; a++) {
      double[] up = x.clone();
      double[] down = x.clone();
      up[1 + a] += 1e-5;
      down[1 + a] -= 1e-5;
      double[] high = new double[2];
      double[] low = new double[2];
      assertTrue(cells.evaluate(up, 1, high) && cells.evaluate(down, 1, low));
      assertEquals((high[0] - low[0]) / 2e-5, out[2 + a], 1e-7, "mean, axis " + a);
      assertEquals((high[1] - low[1]) / 2e-5, out[4 + a], 1e-6, "variance, axis " + a);
    }
    double[] beyond = {0.33, 2.5};
    assertFalse(cells.evaluate(beyond, 0, here));
    assertFalse(cells.gradient(beyond, 0, out));
  }
}
