package lovelace.latticekernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelRootTest {

  private static Grid grid(int d, int points) {
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1.5, points + a);
    return Grid.of(axes);
  }

  /// `RRᵀ`, from the images of unit vectors.
  private static double[] product(KernelRoot root) {
    int m = root.size();
    int n = root.normals();
    double[] out = new double[m * m];
    double[] xi = new double[n];
    double[] u = new double[m];
    for (int j = 0; j < n; j++) {
      Arrays.fill(xi, 0);
      xi[j] = 1;
      root.apply(1, n, xi, u);
      for (int i = 0; i < m; i++) for (int k = 0; k < m; k++) out[i * m + k] += u[i] * u[k];
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource({
    "rbf(lengthscale=0.2), 1, 40, circulant",
    "rbf(lengthscale=4), 1, 30, circulant",
    "matern12(lengthscale=0.5), 1, 50, circulant 100",
    "matern32(lengthscale=0.5), 1, 50, circulant",
    "matern52(lengthscale=1.5), 1, 33, circulant",
    "rbf(lengthscale=0.5), 2, 9, factors",
    "matern12(lengthscale=0.5), 2, 8, circulant",
    "matern32(lengthscale=1), 2, 8, circulant",
    "matern52(lengthscale=0.7), 2, 9, circulant",
    "matern52(lengthscale=1), 3, 5, circulant",
    "rbf(lengthscale=1), 3, 5, factors",
    "'periodic(period=0.7, lengthscale=1)', 1, 40, dense",
    "'periodic(period=0.7, lengthscale=1)*rbf(lengthscale=4)', 1, 40, circulant",
    "'cosine(period=[0.7, 1.1]) + matern32(lengthscale=0.4)', 2, 7, dense",
    "constant(variance=0.4) + linear(variance=2), 2, 6, low",
    "rbf(lengthscale=0.6)*linear(variance=2) + constant(variance=0.5), 2, 7, factors",
    "matern32(lengthscale=0.6) + white(variance=0.3), 1, 20, circulant"
  })
  void rootTimesItsTransposeIsTheKernel(String text, int d, int points, String how) {
    Grid grid = grid(d, points);
    Kernel kernel = Kernel.parse(text).times(1.7).attach(d);
    KernelRoot root = KernelRoot.of(LatticeKernel.of(grid, kernel));
    assertTrue(root.describe().startsWith(how), root.describe());
    double[] product = product(root);
    double[] x = grid.points();
    int m = grid.size();
    double largest = 0;
    for (int i = 0; i < m; i++)
      largest = Math.max(largest, kernel.withoutWhite().variance(x, i * d));
    // modes below rounding are left out: ε times the largest eigenvalue, at most m k(0)
    double tolerance = largest * 1e-11;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        assertEquals(
            kernel.withoutWhite().value(x, i * d, x, j * d),
            product[i * m + j],
            tolerance,
            i + ", " + j);
  }

  @Test
  void componentsOfAnAdditiveLatticeAreIndependent() {
    AdditiveGrid lattice = AdditiveGrid.of(Axis.covering(-1, 1, 9), Axis.covering(0, 3, 12));
    Kernel kernel = Kernel.parse("additive(matern32(lengthscale=0.8))").times(1.3).attach(2);
    LatticeKernel k = LatticeKernel.of(lattice, kernel);
    double[] product = product(KernelRoot.of(k));
    int m = lattice.size();
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) assertEquals(k.entry(i, j), product[i * m + j], 1e-12);
  }

  @Test
  void leadingNormalsCarryTheMostVariance() {
    KernelRoot root =
        KernelRoot.of(
            LatticeKernel.of(grid(1, 60), Kernel.parse("rbf(lengthscale=0.8)").times(2).bind(1)));
    int n = root.normals();
    double[] xi = new double[n];
    double[] u = new double[root.size()];
    double all = 0;
    double[] own = new double[n];
    for (int j = 0; j < n; j++) {
      Arrays.fill(xi, 0);
      xi[j] = 1;
      root.apply(1, n, xi, u);
      for (double v : u) own[j] += v * v;
      all += own[j];
    }
    double led = 0;
    for (int j : root.leading(12)) led += own[j];
    assertTrue(led > 0.9 * all, led + " of " + all);
  }
}
