package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.latticekernel.LatticeKernel;
import lovelace.markov.MaternTerm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Columns of codes in a kernel: the indicators of their words with one lengthscale.
class CategoriesTest {

  private static final int WORDS = 4;
  private static final int ROWS = 30;

  /// Rows of two numbers around a column of codes, −1 among them.
  private static double[] rows(long seed) {
    Random random = new Random(seed);
    double[] x = new double[ROWS * 3];
    for (int i = 0; i < ROWS; i++) {
      x[i * 3] = random.nextGaussian();
      x[i * 3 + 1] = random.nextInt(-1, WORDS - 1);
      x[i * 3 + 2] = random.nextGaussian();
    }
    return x;
  }

  /// The same rows with indicators, 1/√2 where a word holds.
  private static double[] indicators(double[] x) {
    int d = 2 + WORDS;
    double[] wide = new double[x.length / 3 * d];
    for (int i = 0; i < x.length / 3; i++) {
      wide[i * d] = x[i * 3];
      wide[i * d + 1 + (int) x[i * 3 + 1] + 1] = Math.sqrt(0.5);
      wide[i * d + d - 1] = x[i * 3 + 2];
    }
    return wide;
  }

  private static double[] wide(double a, double words, double b) {
    double[] all = new double[2 + WORDS];
    Arrays.fill(all, words);
    all[0] = a;
    all[WORDS + 1] = b;
    return all;
  }

  private static Kernel of(String kind, double[] lengthscale) {
    Kernel free = Kernel.parse(kind.equals("rq") ? "rq(alpha=1.3)" : kind);
    int alpha = kind.equals("rq") ? 1 : 0;
    double[] values = Arrays.copyOf(lengthscale, lengthscale.length + alpha);
    if (alpha > 0) values[lengthscale.length] = 1.3;
    return free.attach(lengthscale.length).with(values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbf", "matern12", "matern32", "matern52", "rq"})
  void codesAreIndicatorsWithOneLengthscale(String kind) {
    Kernel codes = of(kind, new double[] {0.7, 1.4, 2.1}).withCategories(1);
    Kernel indicators = of(kind, wide(0.7, 1.4, 2.1));
    double[] x = rows(3);
    double[] k = new double[ROWS * ROWS];
    double[] oracle = new double[ROWS * ROWS];
    codes.matrix(x, ROWS, x, ROWS, k);
    double[] z = indicators(x);
    indicators.matrix(z, ROWS, z, ROWS, oracle);
    assertArrayEquals(oracle, k, 1e-14);

    // the slope in the one lengthscale is the sum of the slopes of the indicators
    double[] weights = new double[ROWS * ROWS];
    Random random = new Random(8);
    for (int i = 0; i < weights.length; i++) weights[i] = random.nextGaussian();
    double[] slopes = new double[codes.parameterCount()];
    double[] wide = new double[indicators.parameterCount()];
    codes.gradientSum(x, ROWS, x, ROWS, weights, slopes);
    indicators.gradientSum(z, ROWS, z, ROWS, weights, wide);
    double ofWords = 0;
    for (int w = 1; w <= WORDS; w++) ofWords += wide[w];
    assertEquals(wide[0], slopes[0], 1e-11);
    assertEquals(ofWords, slopes[1], 1e-11);
    assertEquals(wide[WORDS + 1], slopes[2], 1e-11);
    if (kind.equals("rq")) assertEquals(wide[WORDS + 2], slopes[3], 1e-11);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbf", "matern12", "matern32", "matern52", "rq"})
  void slopesAreThoseOfFiniteDifferences(String kind) {
    Kernel codes = of(kind, new double[] {0.7, 1.4, 2.1}).withCategories(1);
    double[] x = {0.3, 2, -0.4, 1.1, 0, 0.5, -0.2, 2, 0.1};
    for (int to = 1; to < 3; to++) {
      double[] g = new double[codes.parameterCount()];
      codes.gradient(x, 0, x, 3 * to, 1, g, 0);
      for (int p = 0; p < g.length; p++) {
        double[] up = codes.values();
        double[] down = codes.values();
        up[p] += 1e-6;
        down[p] -= 1e-6;
        double slope =
            (codes.with(up).value(x, 0, x, 3 * to) - codes.with(down).value(x, 0, x, 3 * to))
                / 2e-6;
        assertEquals(slope, g[p], 1e-8, kind + " parameter " + p);
      }
      double[] along = new double[3];
      codes.inputGradient(x, 0, x, 3 * to, 1, along, 0);
      assertEquals(0, along[1]);
      for (int c = 0; c < 3; c += 2) {
        double[] moved = x.clone();
        moved[c] += 1e-6;
        double above = codes.value(moved, 0, x, 3 * to);
        moved[c] -= 2e-6;
        assertEquals((above - codes.value(moved, 0, x, 3 * to)) / 2e-6, along[c], 1e-8);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "matern32(categories=[1,3], lengthscale=[1.0,2.0,3.0,4.0])",
        "rbf(columns=[0,3], categories=3, lengthscale=fixed(2.0))",
        "2.0*rbf(categories=2) + matern12(columns=[1,2], categories=2)*periodic(columns=0)",
        "rq(categories=0, alpha=2.0) + white"
      })
  void theTextSaysWhichColumnsHoldCodes(String text) {
    Kernel kernel = Kernel.parse(text);
    assertEquals(text, kernel.toString());
    assertEquals(kernel, Kernel.parse(kernel.toString()));
    Kernel bound = kernel.attach(4);
    assertArrayEquals(kernel.categories(), bound.categories());
    assertEquals(bound, Kernel.parse(bound.toString()).attach(4));
    assertArrayEquals(kernel.categories(), bound.with(ones(bound)).categories());
  }

  private static double[] ones(Kernel kernel) {
    double[] ones = new double[kernel.parameterCount()];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Test
  void flagsFollowTheirColumns() {
    Kernel kernel = Kernel.parse("rbf(categories=[1,3], lengthscale=[1,2,3,4])");
    assertEquals(
        Kernel.parse("rbf(columns=[7,5,0,2], categories=[2,5], lengthscale=[1,2,3,4])"),
        kernel.on(7, 5, 0, 2));
    assertEquals(Kernel.parse("rbf(categories=[0,1], lengthscale=[2,4])"), kernel.keeping(4, 1, 3));
    assertEquals(Kernel.parse("rbf(lengthscale=[1,3])"), kernel.keeping(4, 0, 2));
    Kernel some = Kernel.parse("rbf(columns=[1,3], categories=3)");
    assertEquals(Kernel.parse("rbf(columns=[0,1], categories=1)"), some.keeping(4, 1, 3));
    Kernel additive = Kernel.parse("additive(matern32)").bind(3).withCategories(2);
    assertArrayEquals(new int[] {2}, additive.categories());
    assertTrue(additive.toString().contains("columns=2, categories=2"), additive.toString());
    assertArrayEquals(new int[] {0, 2}, additive.withCategories(0).categories());
    assertNotEquals(Kernel.rbf(), Kernel.rbf().withCategories(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"periodic", "cosine", "linear", "sm(2)", "rbf*periodic", "rbf + linear"})
  void otherKernelsOfCodesAreRefused(String text) {
    Kernel kernel = Kernel.parse(text);
    for (Kernel each : new Kernel[] {kernel, kernel.bind(4)}) {
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> each.withCategories(3))
                  .getMessage());
      String kind = text.replace("rbf", "").replaceAll("[^a-z]", "");
      assertTrue(message.startsWith(kind + " reads column 3"), message);
      assertTrue(message.contains("matern32"), message);
    }
    Kernel beside = Kernel.parse("rbf + periodic(columns=0)").withCategories(3);
    assertArrayEquals(new int[] {3}, beside.categories());
  }

  @Test
  void wrongPlacesAreRefused() {
    for (String text :
        new String[] {
          "rbf(columns=[0,1], categories=2)",
          "rbf(categories=[1,1])",
          "periodic(categories=1)",
          "constant(categories=1)",
          "additive(rbf(categories=0))"
        }) assertThrows(IllegalArgumentException.class, () -> Kernel.parse(text), text);
    assertThrows(IllegalArgumentException.class, () -> Kernel.parse("rbf(categories=4)").bind(3));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().withCategories(-1));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().bind(2).withCategories(2));
    assertThrows(
        IllegalArgumentException.class, () -> Kernel.parse("additive(rbf)").withCategories(0));
  }

  @Test
  void onlyProcessesOfRowsTakeCodes() {
    Kernel one = Kernel.matern32(1.0).bind(1).with(new double[] {1, 1}).withCategories(0);
    assertTrue(one.isStationary());
    assertFalse(one.isIsotropic());
    assertEquals(null, MaternTerm.of(one));
    assertThrows(UnsupportedOperationException.class, () -> one.spectralDensity(1));
    assertThrows(
        IllegalArgumentException.class, () -> one.drawFrequency(new Random(1), new double[1], 0));
    Grid grid = Grid.of(new Axis(0, 3, 4));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> LatticeKernel.of(grid, one))
                .getMessage());
    assertTrue(message.contains("engine exact"), message);
    assertThrows(
        IllegalArgumentException.class, () -> Hyperparameters.of(one, 0.1, PriorMean.linear(0, 1)));
  }

  @Test
  void aColumnOfCodesStartsAtOne() {
    double[] x = rows(5);
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) y[i] = x[i * 3] + (x[i * 3 + 1] == 2 ? 1 : 0);
    for (int i = 0; i < ROWS; i++) x[i * 3 + 1] *= 1000; // the numbers of the codes say nothing
    Kernel kernel = Kernel.matern32().bind(3).withCategories(1);
    Hyperparameters h = Hyperparameters.of(kernel, Double.NaN, PriorMean.constant());
    Hyperparameters filled = h.fill(x, y);
    assertEquals(1, filled.parameter("lengthscale").values()[1]);
    for (int i = 0; i < ROWS; i++) x[i * 3 + 1] /= 1000;
    assertEquals(filled, h.fill(x, y));
    assertArrayEquals(new int[] {1}, filled.kernel().categories());
  }
}
