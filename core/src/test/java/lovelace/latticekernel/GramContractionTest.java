package lovelace.latticekernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GramContractionTest {

  private static final long SEED = 23;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private static int[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  /// Some lines of the grid and some points of every line are far from all observations.
  private StencilMatrix gram(int[] points, int rows) {
    int d = points.length;
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(0, 1, points[a]);
    double[] x = new double[rows * d];
    for (int i = 0; i < x.length; i++)
      x[i] = random.nextDouble(0, 0.6) + (random.nextInt(9) == 0 ? 0.4 : 0);
    return (StencilMatrix) GridStatistics.of(Grid.of(axes), x, new double[rows]).gram();
  }

  private ThinKernelRoot factors(int[] points, int[] ranks) {
    double[][] factors = new double[points.length][];
    for (int a = 0; a < points.length; a++)
      factors[a] = random.doubles((long) points[a] * ranks[a], -1, 1).toArray();
    return ThinKernelRoot.of(points, ranks, factors);
  }

  /// `XᵀGX` from the definition: entry by entry of X, and G written out.
  private static double[] dense(StencilMatrix gram, ThinKernelRoot factors, int[] kept) {
    int m = gram.size();
    int r = kept.length;
    double[][] x = new double[r][m];
    for (int j = 0; j < r; j++)
      for (int i = 0; i < m; i++) {
        x[j][i] = 1;
        int point = i;
        int place = kept[j];
        for (int a = factors.dimensions() - 1; a >= 0; a--) {
          int rank = factors.rank(a);
          int row = point % factors.points(a);
          x[j][i] *= factors.factor(a)[row * rank + place % rank];
          point /= factors.points(a);
          place /= rank;
        }
      }
    double[] g = gram.dense();
    double[] h = new double[r * r];
    for (int k = 0; k < r; k++)
      for (int i = 0; i < m; i++) {
        double product = 0;
        for (int j = 0; j < m; j++) product += g[i * m + j] * x[k][j];
        for (int j = 0; j < r; j++) h[j * r + k] += x[j][i] * product;
      }
    return h;
  }

  private static void assertSame(double[] expected, double[] found, String what) {
    double scale = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(scale > 0, "no observations, seed " + SEED);
    assertArrayEquals(expected, found, 1e-13 * scale, what + ", seed " + SEED);
  }

  @ParameterizedTest
  @CsvSource({
    "4, 3, 5", "7, 9, 40", "61, 20, 12", "1200, 5, 300",
    "4 5, 3 2, 6", "23 18, 5 7, 4", "12 31, 9 4, 200", "5 4, 1 6, 30",
    "5 4 6, 3 2 4, 8", "7 6 5, 4 3 3, 60",
  })
  void isTheProductOfTheDefinition(String shape, String axisRanks, int rows) {
    int[] points = numbers(shape);
    StencilMatrix gram = gram(points, rows);
    ThinKernelRoot factors = factors(points, numbers(axisRanks));
    int[] all = IntStream.range(0, factors.rank()).toArray();
    assertSame(dense(gram, factors, all), GramContraction.of(gram, factors), "all columns");
    int[] some = IntStream.of(all).filter(k -> k == 0 || random.nextInt(3) > 0).toArray();
    double[] expected = dense(gram, factors, some);
    double[] found = GramContraction.of(gram, factors, some);
    assertSame(expected, found, "a selection");
    int r = some.length;
    for (int i = 0; i < r; i++)
      for (int j = 0; j < i; j++) assertEquals(found[i * r + j], found[j * r + i], 0, "symmetric");
    double[] byColumns =
        GramContraction.of(
            gram,
            factors.rank(),
            (from, to) -> factors.columns(Arrays.copyOfRange(all, from, to)),
            factors::contract);
    assertSame(dense(gram, factors, all), byColumns, "by columns");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 3_000})
  void blocksOfLinesAddUp(int largest) {
    int[] points = {40, 30};
    StencilMatrix gram = gram(points, 300);
    ThinKernelRoot factors = factors(points, new int[] {6, 8});
    int[] kept = {0, 3, 5, 8, 17, 30, 31, 47};
    double[] whole = GramContraction.of(gram, factors, kept);
    assertSame(whole, GramContraction.plane(gram, factors, kept, largest), "of " + largest);
  }

  @Test
  void manyColumnsOfAnAxisAreNotContracted() {
    // 12,000 columns along four points: the sums of one line would be 576 million numbers
    Grid grid = Grid.of(Axis.covering(0, 1, 4), Axis.covering(0, 1, 4));
    int[] points = {4, 4};
    assertFalse(GramContraction.contracts(grid, factors(points, new int[] {1, 12_000})));
    assertTrue(GramContraction.contracts(grid, factors(points, new int[] {1, 100})));
  }

  @Test
  void withoutObservationsItIsZero() {
    Grid grid = Grid.of(Axis.covering(0, 1, 6), Axis.covering(0, 1, 5));
    ThinKernelRoot factors = factors(new int[] {6, 5}, new int[] {2, 3});
    assertArrayEquals(new double[36], GramContraction.of(StencilMatrix.zero(grid), factors));
  }
}
