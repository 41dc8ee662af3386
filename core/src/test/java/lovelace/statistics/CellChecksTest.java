package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellChecksTest {

  private static double[][] cells(SplittableRandom random, int d, double scale) {
    double[][] cells = new double[5][CellMoments.width(d)];
    for (double[] row : cells) {
      for (int i = 0; i < 40; i++) {
        double[] t = random.doubles(d, -0.5, 0.5).toArray();
        double weight = random.nextInt(3) == 0 ? Math.exp(4 * random.nextGaussian()) : 1;
        double y = scale * random.nextGaussian();
        CellMoments.add(row, 0, t, y, weight, CellMoments.scratch(d));
        if (i % 3 == 0) { // and away again
          double[] back = new double[row.length];
          CellMoments.add(back, 0, t, y, weight, CellMoments.scratch(d));
          for (int k = 0; k < row.length; k++) row[k] -= back[k];
        }
      }
    }
    return cells;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sumsOfObservationsPass(int d) {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (double scale : new double[] {0, 1e-12, 1, 1e12})
      try {
        CellChecks.require(cells(random, d, scale), d, true);
      } catch (IllegalArgumentException e) {
        throw new AssertionError("seed " + seed, e);
      }
  }

  @ParameterizedTest
  @CsvSource({
    "0, -1e308",
    "0, NaN",
    "3, 1e308",
    "3, -1e16",
    "8, Infinity",
    "9, 1e150",
    "11, -1e16",
    "11, 1e308"
  })
  void sumsOfNoObservationsAreRefused(int place, double value) {
    double[][] cells = cells(new SplittableRandom(1), 1, 1);
    cells[2][place] = value;
    assertThrows(IllegalArgumentException.class, () -> CellChecks.require(cells, 1, true));
  }

  @Test
  void observationsThatStandForOthersMayWeighLessThanNothing() {
    double[][] cells = cells(new SplittableRandom(1), 1, 1);
    for (int k = 0; k < cells[0].length; k++) cells[0][k] *= -1;
    CellChecks.require(cells, 1, false);
    cells[0][4] = Double.NaN;
    assertThrows(IllegalArgumentException.class, () -> CellChecks.require(cells, 1, false));
  }
}
