package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.statistics.DataWeights;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanczosTest {

  /// A small system and its three spaces.
  static final class Market {
    private final LatticeProblem problem;
    private final double[] x;
    private final double[] y;
    private final Grid grid;

    private Market(LatticeProblem problem, double[] x, double[] y, Grid grid) {
      this.problem = problem;
      this.x = x;
      this.y = y;
      this.grid = grid;
    }

    static Market of(int n, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      return of(Interpolated.uniform(random, n, -1, 1), random);
    }

    static Market of(double[] x, SplittableRandom random) {
      Grid grid = Interpolated.cube(1, 24);
      double[] y = Interpolated.normals(random, x.length);
      Hyperparameters h =
          Hyperparameters.of(
              Kernel.matern32(0.4).times(1.3).bind(1), 0.05, PriorMean.constant(0.2));
      return new Market(LatticeProblem.of(GridStatistics.of(grid, x, y), h), x, y, grid);
    }

    Space space(String name) {
      return switch (name) {
        case "grid" -> problem.gridSpace();
        case "root" -> problem.rootSpace();
        default ->
            problem.space(
                DataWeights.of(grid, Dataset.of(x, List.of(Column.of("x")), y, Column.of("y"))));
      };
    }
  }

  /// M and MA of a space, entry by entry from its products.
  static double[][] dense(Space space) {
    int n = space.size();
    double[][] both = new double[2][n * n];
    double[] g = new double[n];
    double[] r = new double[space.liftedSize()];
    double[] y = new double[n];
    for (int j = 0; j < n; j++) {
      double[] e = new double[n];
      e[j] = 1;
      space.metric(1, e, g);
      for (int i = 0; i < n; i++) both[0][i * n + j] = g[i];
      space.lift(1, g, r);
      space.project(1, r, y);
      for (int i = 0; i < n; i++) y[i] += space.shift() * e[i];
      space.metric(1, y, g);
      for (int i = 0; i < n; i++) both[1][i * n + j] = g[i];
    }
    return both;
  }

  static double bilinear(int n, double[] a, double[] u, int uo, double[] v, int vo) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) sum += u[uo + i] * a[i * n + j] * v[vo + j];
    return sum;
  }

  /// Rows orthonormal in the metric, `QMAQᵀ = T`, `R = KVQ`.
  static void assertTridiagonal(Lanczos run, Space space, double tolerance) {
    int n = space.size();
    int m = space.liftedSize();
    double[][] dense = dense(space);
    double[] q = run.basis();
    double scale = 0;
    for (int j = 0; j < run.steps(); j++) scale = Math.max(scale, Math.abs(run.alpha(j)));
    for (int i = 0; i < run.steps(); i++)
      for (int j = 0; j < run.steps(); j++) {
        assertEquals(
            i == j ? 1 : 0, bilinear(n, dense[0], q, i * n, q, j * n), tolerance, i + ", " + j);
        double t = i == j ? run.alpha(i) : Math.abs(i - j) == 1 ? run.beta(Math.min(i, j)) : 0;
        assertEquals(
            t, bilinear(n, dense[1], q, i * n, q, j * n), tolerance * scale, "T " + i + ", " + j);
      }
    double[] g = new double[n];
    double[] r = new double[m];
    for (int j = 0; j < run.steps(); j++) {
      space.metric(1, Arrays.copyOfRange(q, j * n, (j + 1) * n), g);
      assertArrayEquals(
          g, Arrays.copyOfRange(run.images(), j * n, (j + 1) * n), 1e-12 * norm(g), "MQ " + j);
      space.lift(1, g, r);
      assertArrayEquals(
          r, Arrays.copyOfRange(run.lifted(), j * m, (j + 1) * m), 1e-12 * norm(r), "R " + j);
    }
  }

  static double norm(double[] v) {
    double sum = 0;
    for (double x : v) sum += x * x;
    return Math.sqrt(sum) + 1e-300;
  }

  @ParameterizedTest
  @CsvSource({"grid, 200", "root, 200", "data, 200", "root, 9", "data, 9", "data, 40"})
  void tridiagonalMatrixIsTheOperatorInItsBasis(String name, int n) {
    Market market = Market.of(n, 11);
    Space space = market.space(name);
    Lanczos run = new Lanczos(space, market.problem.probe(space));
    run.run(Math.min(16, space.size()));
    assertEquals(Math.min(16, space.size()), run.steps());
    assertTridiagonal(run, space, 1e-10);
    assertTrue(run.orthogonalityLoss() < 1e-10, "loss " + run.orthogonalityLoss());
  }

  @Test
  void threeSpacesSeeOneMatrix() {
    Market market = Market.of(200, 12);
    double[][] t = new double[3][];
    int s = 0;
    for (String name : new String[] {"grid", "root", "data"}) {
      Space space = market.space(name);
      Lanczos run = new Lanczos(space, market.problem.probe(space));
      run.run(10);
      t[s] = new double[20];
      for (int j = 0; j < 10; j++) {
        t[s][j] = run.alpha(j);
        t[s][10 + j] = run.beta(j);
      }
      s++;
    }
    assertArrayEquals(t[2], t[0], 1e-8 * t[2][0]);
    assertArrayEquals(t[2], t[1], 1e-8 * t[2][0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grid", "root", "data"})
  void runInPiecesIsTheWholeRunBitForBit(String name) {
    Market market = Market.of(150, 13);
    Space space = market.space(name);
    double[] probe = market.problem.probe(space);
    Lanczos whole = new Lanczos(space, probe);
    whole.run(20);
    Lanczos pieces = new Lanczos(space, probe);
    pieces.run(10);
    pieces.run(3);
    pieces.run(7);
    assertEquals(20, pieces.steps());
    int n = 20 * space.size();
    assertArrayEquals(
        Arrays.copyOf(whole.basis(), n), Arrays.copyOf(pieces.basis(), n), "the basis");
    int m = 20 * space.liftedSize();
    assertArrayEquals(
        Arrays.copyOf(whole.lifted(), m), Arrays.copyOf(pieces.lifted(), m), "the lifted rows");
    for (int j = 0; j < 20; j++) {
      assertEquals(whole.alpha(j), pieces.alpha(j));
      assertEquals(whole.beta(j), pieces.beta(j));
    }
  }

  /// A probe that is an eigenvector exhausts its Krylov space at once; the run goes on.
  @Test
  void breakdownRestartsInWhatIsLeft() {
    int n = 6;
    double[] diagonal = {5, 4, 4, 3, 2, 1};
    Space space = new Diagonal(diagonal, 0.5);
    double[] probe = new double[n];
    probe[1] = 2;
    Lanczos run = new Lanczos(space, probe);
    run.run(1);
    assertEquals(4.5, run.alpha(0), 1e-15);
    assertEquals(0, run.beta(0));
    assertFalse(run.exhausted());
    run.run(50);
    assertTrue(run.exhausted());
    assertEquals(n, run.steps());
    assertTridiagonal(run, space, 1e-12);
    assertInverse(run, space);
  }

  @Test
  void aProbeOfZerosIsReplaced() {
    Space space = new Diagonal(new double[] {3, 2, 1}, 0.1);
    Lanczos run = new Lanczos(space, new double[3]);
    run.run(3);
    assertEquals(3, run.steps());
    assertTridiagonal(run, space, 1e-12);
  }

  @ParameterizedTest
  @CsvSource({"root, 1", "data, 1", "grid, 1", "root, 7", "data, 7", "grid, 7"})
  void dataAtOnePointHaveRankOne(String name, int n) {
    double[] x = new double[n];
    Arrays.fill(x, 0.1234);
    Market market = Market.of(x, new SplittableRandom(14));
    Space space = market.space(name);
    Lanczos run = new Lanczos(space, market.problem.probe(space));
    run.run(30);
    assertTrue(run.exhausted(), "exhausted after " + run.steps());
    // grid coordinates do not see the null space of G, where rounding may leave further vectors
    if (!name.equals("grid")) assertEquals(name.equals("data") ? n : 1, run.steps());
    double[] w = Interpolated.weights(market.grid, x)[0];
    double[] k = Interpolated.kernelMatrix(market.grid, market.problem.kernel().kernel());
    double wkw = bilinear(w.length, k, w, 0, w, 0);
    assertEquals(n * wkw + 0.05, run.alpha(0), 1e-10 * n);
    if (!name.equals("grid")) assertTridiagonal(run, space, 1e-10);
  }

  @ParameterizedTest
  @CsvSource({"root, 9", "data, 12", "data, 30", "root, 40"})
  void exhaustedMeansTheExactInverse(String name, int n) {
    Market market = Market.of(n, 15);
    Space space = market.space(name);
    Lanczos run = new Lanczos(space, market.problem.probe(space));
    run.run(100);
    assertTrue(run.exhausted());
    assertInverse(run, space);
  }

  @Test
  void nothingToRunInIsExhausted() {
    Market market = Market.of(0, 16);
    Space space = market.problem.rootSpace();
    assertEquals(0, space.size());
    Lanczos run = new Lanczos(space, market.problem.probe(space));
    run.run(5);
    assertTrue(run.exhausted());
    assertEquals(0, run.steps());
  }

  /// `A Qᵀ T⁻¹ Q M v = v` for random v.
  private static void assertInverse(Lanczos run, Space space) {
    int n = space.size();
    int k = run.steps();
    double[] v = Interpolated.normals(new SplittableRandom(1), n);
    double[] c = new double[k];
    for (int j = 0; j < k; j++) for (int i = 0; i < n; i++) c[j] += run.images()[j * n + i] * v[i];
    double[] pivot = new double[k];
    for (int j = 0; j < k; j++) {
      double f = j > 0 ? run.beta(j - 1) / pivot[j - 1] : 0;
      pivot[j] = run.alpha(j) - (j > 0 ? f * run.beta(j - 1) : 0);
      if (j > 0) c[j] -= f * c[j - 1];
    }
    for (int j = k - 1; j >= 0; j--)
      c[j] = (c[j] - (j + 1 < k ? run.beta(j) * c[j + 1] : 0)) / pivot[j];
    double[] x = new double[n];
    for (int j = 0; j < k; j++) for (int i = 0; i < n; i++) x[i] += c[j] * run.basis()[j * n + i];
    double[] r = new double[space.liftedSize()];
    double[] y = new double[n];
    double[] g = new double[n];
    space.metric(1, x, g);
    space.lift(1, g, r);
    space.project(1, r, y);
    for (int i = 0; i < n; i++) y[i] += space.shift() * x[i];
    assertArrayEquals(v, y, 1e-9);
  }

  /// `diag(values) + σ²I` in Euclid's coordinates.
  private static final class Diagonal implements Space {
    private final double[] values;
    private final double shift;

    Diagonal(double[] values, double shift) {
      this.values = values;
      this.shift = shift;
    }

    @Override
    public double shift() {
      return shift;
    }

    @Override
    public int size() {
      return values.length;
    }

    @Override
    public int liftedSize() {
      return values.length;
    }

    @Override
    public boolean euclidean() {
      return true;
    }

    @Override
    public void metric(int count, double[] x, double[] g) {
      System.arraycopy(x, 0, g, 0, count * size());
    }

    @Override
    public void lift(int count, double[] g, double[] r) {
      for (int i = 0; i < count * size(); i++) r[i] = values[i % size()] * g[i];
    }

    @Override
    public void project(int count, double[] r, double[] y) {
      System.arraycopy(r, 0, y, 0, count * size());
    }

    @Override
    public void embed(int count, double[] g, double[] grid) {
      System.arraycopy(g, 0, grid, 0, count * size());
    }
  }

  @Test
  void roomForVectorsGrowsOnlyAsFarAsAnArrayGoes() {
    assertEquals(32, Lanczos.capacity(17, 16, 1000, 1000), "twice as many");
    assertEquals(20, Lanczos.capacity(17, 16, 20, 1000), "no more than there are");
    // 100 million numbers each: 21 fit, and twice 16 would not
    assertEquals(21, Lanczos.capacity(17, 16, 100_000_000, 100_000_000));
    assertEquals(22, Lanczos.capacity(22, 16, 100_000_000, 100_000_000), "refused later");
    assertEquals(1_900_000_000, Lanczos.capacity(1_200_000_000, 1_100_000_000, 1_900_000_000, 1));
  }
}
