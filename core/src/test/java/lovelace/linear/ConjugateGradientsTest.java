package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.inference.Interpolated;
import lovelace.linear.ConjugateGradients.Solution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConjugateGradientsTest {

  /// `b − Ax` in the space's norm.
  private static double residual(Space space, double[] x, double[] b) {
    int n = space.size();
    double[] g = new double[n];
    double[] r = new double[space.liftedSize()];
    double[] y = new double[n];
    space.metric(1, x, g);
    space.lift(1, g, r);
    space.project(1, r, y);
    for (int i = 0; i < n; i++) y[i] = b[i] - y[i] - space.shift() * x[i];
    return norm(space, y);
  }

  private static double norm(Space space, double[] v) {
    double[] g = new double[v.length];
    space.metric(1, v, g);
    double sum = 0;
    for (int i = 0; i < v.length; i++) sum += v[i] * g[i];
    return Math.sqrt(Math.max(0, sum));
  }

  /// Right-hand sides in the range of K, of different difficulty.
  private static double[] sides(Space space, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] b = new double[count * space.size()];
    double[] g = new double[space.size()];
    double[] r = new double[space.liftedSize()];
    double[] y = new double[space.size()];
    for (int c = 0; c < count; c++) {
      space.metric(1, Interpolated.normals(random, space.size()), g);
      space.lift(1, g, r);
      space.project(1, r, y);
      double scale = Math.pow(10, c - 2);
      for (int i = 0; i < y.length; i++) b[c * y.length + i] = scale * y[i];
    }
    return b;
  }

  @ParameterizedTest
  @CsvSource({"grid, 200", "root, 200", "data, 200", "root, 9"})
  void residualIsWhatItSays(String name, int n) {
    Space space = LanczosTest.Market.of(n, 21).space(name);
    for (double tolerance : new double[] {1e-3, 1e-6, 1e-10}) {
      double[] b = sides(space, 1, 22);
      Solution s = ConjugateGradients.DEFAULT.withTolerance(tolerance).solve(space, b);
      assertTrue(s.converged());
      assertTrue(s.residual() <= tolerance);
      double actual = residual(space, s.x(), b) / norm(space, b);
      assertEquals(s.residual(), actual, 0.01 * tolerance + 1e-13, "tolerance " + tolerance);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grid", "root", "data"})
  void eachColumnOfABlockGoesItsOwnWay(String name) {
    Space space = LanczosTest.Market.of(120, 23).space(name);
    int n = space.size();
    int count = 5;
    double[] b = sides(space, count, 24);
    Arrays.fill(b, 2 * n, 3 * n, 0); // a column with nothing to do
    Solution block = ConjugateGradients.DEFAULT.solve(space, count, b, null);
    int slowest = 0;
    double worst = 0;
    for (int c = 0; c < count; c++) {
      double[] own = Arrays.copyOfRange(b, c * n, (c + 1) * n);
      Solution alone = ConjugateGradients.DEFAULT.solve(space, own);
      double[] difference = Arrays.copyOfRange(block.x(), c * n, (c + 1) * n);
      for (int i = 0; i < n; i++) difference[i] -= alone.x()[i];
      // in the metric: what is in the null space of G means nothing
      // and as far as the residual decides: ‖x − x′‖ ≤ (‖r‖ + ‖r′‖)/σ²
      assertEquals(0, norm(space, difference), 2e-10 * norm(space, own) / 0.05, "column " + c);
      slowest = Math.max(slowest, alone.iterations());
      worst = Math.max(worst, alone.residual());
    }
    assertEquals(slowest, block.iterations(), 2);
    assertTrue(worst <= 1e-10 && block.residual() <= 1e-10);
  }

  @Test
  void solvesWhatTheDenseMatrixSolves() {
    LanczosTest.Market market = LanczosTest.Market.of(60, 25);
    Space space = market.space("data");
    double[] a = LanczosTest.dense(space)[1];
    double[] x = Interpolated.normals(new SplittableRandom(26), 60);
    double[] b = new double[60];
    for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) b[i] += a[i * 60 + j] * x[j];
    double[] found = ConjugateGradients.DEFAULT.withTolerance(1e-13).solve(space, b).orThrow();
    assertArrayEquals(x, found, 1e-9);
  }

  @Test
  void aWarmStartIsUsed() {
    Space space = LanczosTest.Market.of(100, 27).space("root");
    double[] b = sides(space, 3, 28);
    Solution cold = ConjugateGradients.DEFAULT.solve(space, 3, b, null);
    Solution warm = ConjugateGradients.DEFAULT.solve(space, 3, b, cold.x());
    assertTrue(warm.iterations() <= 2, "from the solution, " + warm.iterations() + " steps");
    double[] near = cold.x().clone();
    for (int i = 0; i < near.length; i++) near[i] *= 1 + 1e-6;
    double[] kept = near.clone();
    Solution close = ConjugateGradients.DEFAULT.solve(space, 3, b, near);
    assertArrayEquals(kept, near, "the start is not written to");
    assertTrue(close.converged());
    assertTrue(close.iterations() < cold.iterations());
    assertArrayEquals(cold.x(), close.x(), 1e-7 * LanczosTest.norm(cold.x()));
  }

  @Test
  void nothingAskedIsNothingDone() {
    Space space = LanczosTest.Market.of(50, 29).space("root");
    Solution none = ConjugateGradients.DEFAULT.solve(space, new double[space.size()]);
    assertTrue(none.converged());
    assertEquals(0, none.iterations());
    assertArrayEquals(new double[space.size()], none.x());
    // whatever it starts from
    Solution warm =
        ConjugateGradients.DEFAULT.solve(
            space, 1, new double[space.size()], Interpolated.ones(space.size()));
    assertTrue(warm.converged());
    assertEquals(0, warm.iterations());
    assertArrayEquals(new double[space.size()], warm.x());
  }

  @Test
  void failureIsAnErrorThatStatesTheResidual() {
    Space space = LanczosTest.Market.of(200, 30).space("grid");
    double[] b = sides(space, 1, 31);
    Solution s = ConjugateGradients.DEFAULT.withLimit(2).solve(space, b);
    assertFalse(s.converged());
    assertEquals(2, s.iterations());
    assertTrue(s.residual() > 1e-10);
    ArithmeticException error = assertThrows(ArithmeticException.class, s::orThrow);
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains(String.format(Locale.ROOT, "%.2e", s.residual())), message);
    assertTrue(message.contains("2 steps"), message);
    assertThrows(ArithmeticException.class, () -> s.orThrow(s.residual() / 2));
    assertArrayEquals(s.x(), s.orThrow(2 * s.residual()));
  }

  @Test
  void notANumberIsNotASolution() {
    Space space = LanczosTest.Market.of(50, 32).space("root");
    double[] b = new double[space.size()];
    b[3] = Double.NaN;
    Solution s = ConjugateGradients.DEFAULT.solve(space, b);
    assertFalse(s.converged());
    assertThrows(ArithmeticException.class, s::orThrow);
  }
}
