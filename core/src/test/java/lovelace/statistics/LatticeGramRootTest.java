package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatticeGramRootTest {

  @ParameterizedTest
  @CsvSource({"1, 30, 200", "2, 10, 400", "3, 6, 900"})
  void isARootOfTheGramMatrixAndCarriesTheTarget(int d, int points, int n) {
    SplittableRandom random = new SplittableRandom(n);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
    Grid grid = Grid.of(axes);
    double[] x = random.doubles((long) n * d, -1, 1).toArray();
    double[] y = random.doubles(n, -1, 1).toArray();
    GridStatistics statistics = GridStatistics.of(grid, x, y);
    LatticeGramRoot root =
        Objects.requireNonNull(LatticeGramRoot.of(statistics.stencil(), grid.size() * grid.size()));
    int m = grid.size();
    double[] u = random.doubles(m, -1, 1).toArray();
    double[] v = new double[m];
    double[] cv = new double[m];
    double[] gu = new double[m];
    root.applyTransposed(u, v);
    root.apply(v, cv);
    statistics.gram().apply(u, gu);
    double[] b = statistics.projected();
    double[] cb = new double[m];
    root.apply(root.coordinates(b), cb);
    for (int i = 0; i < m; i++) {
      assertEquals(gu[i], cv[i], 1e-9);
      assertEquals(b[i], cb[i], 1e-9);
    }
  }
}
