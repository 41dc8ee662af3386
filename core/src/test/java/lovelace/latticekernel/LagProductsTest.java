package lovelace.latticekernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LagProductsTest {

  private static final long SEED = 11;

  private static GridStatistics statistics(int d, int points, int n) {
    var random = new SplittableRandom(SEED);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points + a);
    double[] x = random.doubles((long) n * d, -1, 1).toArray();
    x[0] = -1; // the edges too
    x[x.length - 1] = 1;
    return GridStatistics.of(Grid.of(axes), x, random.doubles(n).toArray());
  }

  @ParameterizedTest
  @CsvSource({
    "'0.7*rbf(lengthscale=0.4) + 0.3*matern12(lengthscale=1) + 0.2*rbf(lengthscale=2)*periodic(period=0.5,"
        + " lengthscale=0.7)', 1, 120, 40",
    "'1.3*rbf(lengthscale=0.4) + white(variance=0.1)', 1, 9, 4",
    "'1.3*matern32(lengthscale=0.5)', 2, 18, 12",
    "'1.3*rbf(lengthscale=0.8)', 3, 12, 5"
  })
  void productsAndGradientsAreThoseOfTheLattice(String text, int d, int points, int n) {
    GridStatistics statistics = statistics(d, points, n);
    LatticeKernel kernel = LatticeKernel.of(statistics.grid(), Kernel.parse(text).bind(d));
    CompressedWeights root = statistics.compressed();
    LagProducts products = LagProducts.of(kernel, root);
    assertNotNull(products);
    int columns = root.columns();
    int m = root.size();
    double[] gram = products.gram();
    double[] all = new double[columns * m];
    double[] projected = new double[columns];
    for (int j = 0; j < columns; j++) {
      double[] unit = new double[columns];
      double[] v = new double[m];
      double[] kv = new double[m];
      unit[j] = 1;
      root.apply(unit, v);
      System.arraycopy(v, 0, all, j * m, m);
      kernel.apply(v, kv);
      root.applyTransposed(kv, projected);
      for (int i = 0; i < columns; i++)
        assertEquals(projected[i], gram[i * columns + j], 1e-12, "seed " + SEED);
    }
    // Σ Mᵢⱼ vᵢᵀ ∂K vⱼ with M of rank one, M = zzᵀ, and a part on the diagonal
    double[] z = new SplittableRandom(SEED).doubles(columns, -1, 1).toArray();
    double[] middle = new double[columns * columns];
    for (int i = 0; i < columns; i++)
      for (int j = 0; j < columns; j++) middle[i * columns + j] = z[i] * z[j] + (i == j ? 0.5 : 0);
    double[] g = new double[kernel.kernel().parameterCount()];
    products.gradient(middle, g);
    double[] expected = new double[g.length];
    double[] u = new double[m];
    root.apply(z, u);
    kernel.gradient(1, u, u, 1, expected);
    kernel.gradient(columns, all, all, 0.5, expected);
    for (int i = 0; i < g.length; i++)
      assertEquals(expected[i], g[i], 1e-10 * (1 + Math.abs(expected[i])), "seed " + SEED);
  }

  @Test
  void whatIsNotStationaryOrHasManyObservationsIsLeftToTheLattice() {
    GridStatistics few = statistics(1, 50, 5);
    assertNull(
        LagProducts.of(
            LatticeKernel.of(few.grid(), Kernel.parse("linear(variance=1)").bind(1)),
            few.compressed()));
    GridStatistics many = statistics(3, 8, 300);
    assertNull(
        LagProducts.of(
            LatticeKernel.of(many.grid(), Kernel.parse("1*rbf(lengthscale=1)").bind(3)),
            many.compressed()));
  }
}
