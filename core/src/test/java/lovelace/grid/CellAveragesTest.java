package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellAveragesTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void averagesAreThoseOfTheRowsOfACell(int d) {
    var random = new SplittableRandom(d);
    Axis[] axes = new Axis[d];
    Arrays.fill(axes, Axis.covering(-1, 2, 8));
    Grid grid = Grid.of(axes);
    double[] x = random.doubles(300L * d, -1, 2).toArray();
    double[] y = random.doubles(300, 100, 101).toArray();
    double[] w = random.doubles(300, 0.5, 2).toArray();
    GridStatistics statistics = GridStatistics.of(grid, x, y, w, Outside.ERROR);
    double[] averages = statistics.averages();
    assertEquals(statistics.occupiedCells() * (d + 1), averages.length);
    for (int c = 0; c < statistics.occupiedCells(); c++) {
      double[] expected = new double[d + 1];
      double sum = 0;
      for (int i = 0; i < 300; i++) {
        if (grid.cell(x, i * d) != statistics.occupiedCell(c)) continue;
        for (int j = 0; j < d; j++) expected[j] += w[i] * x[i * d + j];
        expected[d] += w[i] * y[i];
        sum += w[i];
      }
      for (int j = 0; j <= d; j++) expected[j] /= sum;
      assertArrayEquals(
          expected, Arrays.copyOfRange(averages, c * (d + 1), (c + 1) * (d + 1)), 1e-10);
    }
  }
}
