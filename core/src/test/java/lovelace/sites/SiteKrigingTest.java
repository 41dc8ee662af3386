package lovelace.sites;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.sparse.LocalRegressions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The weights of many places in few cells, which share systems.
class SiteKrigingTest {

  private static final long SEED = 5;
  private static final int K = 12;

  /// Few rows in a box, or too many for the table of its covariances to pay for one place.
  @ParameterizedTest
  @ValueSource(ints = {6, 90})
  void weightsSolveTheirSystemAndHaveTheSameBitsAlone(int rows) {
    var random = new SplittableRandom(SEED);
    double[] x = random.doubles(2L * rows, 2, 5).toArray();
    Grid grid = Grid.of(new Axis(0, 1, 8), new Axis(0, 1, 8));
    Sites sites = Sites.of(Dataset.of(x, 2, random.doubles(rows).toArray()), grid);
    Kernel kernel = Kernel.parse("1.3*matern12(lengthscale=[2,3])").bind(2);
    int count = 620;
    double[] places = new double[2 * count]; // most in two cells
    for (int i = 0; i < count; i++) {
      places[2 * i] = i % 9 == 0 ? 8 * random.nextDouble() : 3 + 2 * random.nextDouble();
      places[2 * i + 1] = 3 + random.nextDouble();
    }
    places[1] = 9; // beyond the grid
    System.arraycopy(x, 0, places, 2, 2); // a site
    SiteKriging all = SiteKriging.of(sites, kernel, K, places);
    double nugget = LocalRegressions.Point.NUGGET;
    for (int t = 0; t < count; t++) {
      String what = rows + " rows, place " + t + ", seed " + SEED;
      int at = all.starts[t];
      int n = all.starts[t + 1] - at;
      double[] s = new double[2 * n];
      for (int j = 0; j < n; j++) sites.point(all.points[at + j], s, 2 * j);
      if (t != 1) { // (K_SS + nugget) B = k
        double left = (1 + nugget) * kernel.variance(places, 2 * t);
        for (int i = 0; i < n; i++) {
          double k = kernel.value(s, 2 * i, places, 2 * t);
          double sum = nugget * kernel.variance(s, 2 * i) * all.weights[at + i];
          for (int j = 0; j < n; j++) sum += all.weights[at + j] * kernel.value(s, 2 * i, s, 2 * j);
          assertEquals(k, sum, 1e-12, what);
          left -= k * all.weights[at + i];
        }
        assertEquals(left, all.residuals[t], 1e-10, what);
      } else assertEquals(0, all.residuals[t], what);
      if (t % 5 > 1) continue;
      SiteKriging one =
          SiteKriging.of(sites, kernel, K, Arrays.copyOfRange(places, 2 * t, 2 * t + 2));
      assertArrayEquals(
          Arrays.copyOf(one.points, n), Arrays.copyOfRange(all.points, at, at + n), what);
      assertArrayEquals(
          Arrays.copyOf(one.weights, n), Arrays.copyOfRange(all.weights, at, at + n), 0, what);
      assertEquals(one.residuals[0], all.residuals[t], 0, what);
      assertEquals(one.outside[0], all.outside[t], what);
    }
  }
}
