package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {

  private static final long SEED = 20180319;

  /// A market of kernels; values are drawn at random.
  static List<String> market() {
    return List.of(
        "rbf",
        "matern12",
        "matern32",
        "matern52",
        "rq",
        "periodic",
        "cosine",
        "sm(1)",
        "sm(3)",
        "constant",
        "linear",
        "white",
        "rbf + matern32",
        "periodic*rbf + matern32",
        "unset*rbf*linear + unset*(rq + constant)*cosine + white",
        "(rbf + linear)*(periodic + matern52)",
        "additive(rbf)",
        "additive(constant*rbf + unset*matern52) + linear",
        "matern52(columns=0)*cosine",
        "(white + rbf)*matern12");
  }

  private static Kernel random(String text, int d, SplittableRandom random) {
    Kernel kernel = Kernel.parse(text).bind(d);
    double[] values = kernel.values();
    for (int i = 0; i < values.length; i++) values[i] = random.nextDouble(0.4, 1.6);
    return kernel.with(values);
  }

  private static double[] points(int n, SplittableRandom random) {
    return random.doubles(n, -1.5, 1.5).toArray();
  }

  @Test
  void pinnedValuesFromTheLiterature() {
    double[] zero = {0};
    double[] one = {1};
    assertEquals(0.606530659712633, at(Kernel.rbf(1), zero, one), 1e-15);
    assertEquals(0.367879441171442, at(Kernel.matern12(1), zero, one), 1e-15);
    assertEquals(0.483357724596508, at(Kernel.matern32(1), zero, one), 1e-9);
    assertEquals(0.523994108831, at(Kernel.matern52(1), zero, one), 1e-9);
    assertEquals(Math.pow(1.25, -2), at(Kernel.rationalQuadratic(2, 1), zero, one), 1e-15);
    assertEquals(Math.exp(-2), at(Kernel.periodic(2, 1), zero, one), 1e-15);
    assertEquals(-1, at(Kernel.cosine(2), zero, one), 1e-15);
    Kernel mixture =
        Kernel.spectralMixture(new double[] {2}, new double[] {0.5}, new double[] {0.1});
    assertEquals(-2 * Math.exp(-2 * Math.PI * Math.PI * 0.01), at(mixture, zero, one), 1e-15);
    assertEquals(3, at(Kernel.constant(3), zero, one), 0);
    assertEquals(6, at(Kernel.linear(3), new double[] {2}, one), 0);
    assertEquals(0, at(Kernel.white(3), zero, one), 0);
    assertEquals(3, at(Kernel.white(3), one, one), 0);
    assertEquals(3, at(Kernel.white(3), one, one.clone()), 0);
  }

  private static double at(Kernel kernel, double[] x, double[] y) {
    return kernel.times(1).bind(1).value(x, 0, y, 0);
  }

  @Test
  void maternOfTwoColumnsIsAFunctionOfTheScaledDistance() {
    Kernel kernel = Kernel.matern52(1, 2).times(1).bind(2);
    double r = Math.sqrt(0.3 * 0.3 + 0.25 * 0.25);
    assertEquals(
        (1 + Math.sqrt(5) * r + 5 * r * r / 3) * Math.exp(-Math.sqrt(5) * r),
        kernel.value(new double[] {0, 0}, 0, new double[] {0.3, 0.5}, 0),
        1e-15);
  }

  @ParameterizedTest
  @MethodSource("market")
  void parameterDerivativesAgreeWithCentralDifferences(String text) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int d = 1; d <= 3; d++) {
      Kernel kernel = random(text, d, random);
      double[] values = kernel.values();
      double[] x = points(2 * d, random);
      for (int yo : new int[] {0, d}) {
        double[] g = new double[values.length + 1];
        Arrays.fill(g, 0.5);
        kernel.gradient(x, 0, x, yo, 1.5, g, 1);
        for (int p = 0; p < values.length; p++) {
          // of fourth order: a short period has large third derivatives
          double h = 1e-4;
          double[] at = new double[4];
          for (int i = 0; i < 4; i++) {
            double[] moved = values.clone();
            moved[p] += new double[] {-2, -1, 1, 2}[i] * h;
            at[i] = kernel.with(moved).value(x, 0, x, yo);
          }
          double difference = (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * h);
          assertEquals(
              0.5 + 1.5 * difference,
              g[p + 1],
              1e-7 * (1 + Math.abs(g[p + 1])),
              kernel + " " + p + " seed " + SEED);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("market")
  void inputDerivativesAgreeWithCentralDifferences(String text) {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    for (int d = 1; d <= 3; d++) {
      Kernel kernel = random(text, d, random);
      double[] x = points(d, random);
      double[] y = points(d, random);
      double[] g = new double[d];
      kernel.inputGradient(x, 0, y, 0, 2, g, 0);
      for (int i = 0; i < d; i++) {
        double h = 1e-5;
        double[] up = x.clone();
        double[] down = x.clone();
        up[i] += h;
        down[i] -= h;
        double difference = (kernel.value(up, 0, y, 0) - kernel.value(down, 0, y, 0)) / (2 * h);
        assertEquals(2 * difference, g[i], 1e-7 * (1 + Math.abs(g[i])), kernel + " seed " + SEED);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("market")
  void everythingIsFiniteAtZeroDistanceAndFarAway(String text) {
    SplittableRandom random = new SplittableRandom(SEED);
    Kernel kernel = random(text, 2, random);
    double[] x = {0.3, -0.2, 0.3, -0.2, 0.3 + 1e-200, -0.2, 1e8, -1e8, 1e-170, 0};
    double[] g = new double[kernel.parameterCount()];
    double[] gx = new double[2];
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) {
        kernel.gradient(x, 2 * i, x, 2 * j, 1, g, 0);
        kernel.inputGradient(x, 2 * i, x, 2 * j, 1, gx, 0);
        assertTrue(Double.isFinite(kernel.value(x, 2 * i, x, 2 * j)));
      }
    assertTrue(Arrays.stream(g).allMatch(Double::isFinite), kernel + Arrays.toString(g));
    assertTrue(Arrays.stream(gx).allMatch(Double::isFinite), kernel + Arrays.toString(gx));
  }

  @ParameterizedTest
  @MethodSource("market")
  void gramMatricesAreSymmetricAndPositiveSemidefinite(String text) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int d = 1; d <= 3; d++) {
      Kernel kernel = random(text, d, random);
      int n = 70;
      double[] x = points(n * d, random);
      double[] k = new double[n * n];
      kernel.matrix(x, n, x, n, k);
      double trace = 0;
      for (int i = 0; i < n; i++) {
        trace += k[i * n + i];
        for (int j = 0; j < n; j++) {
          assertEquals(k[i * n + j], k[j * n + i], 0);
          assertEquals(kernel.value(x, i * d, x, j * d), k[i * n + j], 0);
        }
      }
      for (int i = 0; i < n; i++) k[i * n + i] += 1e-9 * trace;
      assertTrue(hasCholesky(k, n), kernel + " seed " + SEED);
    }
  }

  private static boolean hasCholesky(double[] a, int n) {
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++)
        for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      if (!(a[j * n + j] > 0)) return false;
      double root = Math.sqrt(a[j * n + j]);
      for (int i = j; i < n; i++) a[i * n + j] /= root;
    }
    return true;
  }

  @ParameterizedTest
  @MethodSource("market")
  void gradientSumIsTheSumOfGradientsForAnyNumberOfThreads(String text) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Kernel kernel = random(text, 2, random);
    int nx = 75;
    int ny = 13;
    double[] x = points(2 * nx, random);
    double[] y = Arrays.copyOf(x, 2 * ny);
    double[] w = points(nx * ny, random);
    double[] expected = new double[kernel.parameterCount()];
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++) kernel.gradient(x, 2 * i, y, 2 * j, w[i * ny + j], expected, 0);
    double[] actual = new double[expected.length];
    kernel.gradientSum(x, nx, y, ny, w, actual);
    assertArrayEquals(expected, actual, 1e-10);
    for (int threads : new int[] {1, 3}) {
      double[] again = new double[expected.length];
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        pool.submit(() -> kernel.gradientSum(x, nx, y, ny, w, again)).get();
      }
      assertArrayEquals(actual, again, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("market")
  void gradientSumOverOneSetOfPointsIsTheSumOfGradients(String text) {
    SplittableRandom random = new SplittableRandom(SEED);
    Kernel kernel = random(text, 2, random);
    int n = 40;
    double[] x = points(2 * n, random);
    double[] w = points(n * n, random);
    double[] expected = new double[kernel.parameterCount()];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) kernel.gradient(x, 2 * i, x, 2 * j, w[i * n + j], expected, 0);
    double[] actual = new double[expected.length];
    kernel.gradientSum(x, n, x, n, w, actual);
    assertArrayEquals(expected, actual, 1e-10);
  }

  @ParameterizedTest
  @MethodSource("market")
  void termsAddUpToTheKernel(String text) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int d = 1; d <= 3; d++) {
      Kernel kernel = random(text, d, random);
      double[] values = kernel.values();
      double[] x = points(2 * d, random);
      for (int yo : new int[] {0, d}) {
        double sum = 0;
        for (Term term : kernel.terms()) {
          sum += term.kernel(d).value(x, 0, x, yo);
          double amplitude = 1;
          for (int p : term.amplitudeParameters()) amplitude *= values[p];
          assertEquals(amplitude, term.amplitude(), 1e-14);
          for (int f = 0; f < term.factors().size(); f++) {
            double[] own = term.factors().get(f).values();
            int from = term.offset(f);
            assertArrayEquals(own, Arrays.copyOfRange(values, from, from + own.length), 0);
          }
        }
        assertEquals(kernel.value(x, 0, x, yo), sum, 1e-12);
      }
    }
  }

  @Test
  void whiteNoiseIsBetweenEqualPoints() {
    Kernel kernel =
        Kernel.parse(
                "2*rbf(lengthscale=1) + 3*(white(variance=0.5) + constant(variance=1))*sm(1, weight=2, frequency=1, bandwidth=1)")
            .bind(1);
    assertEquals(3, kernel.whiteVariance(), 1e-15);
    Kernel latent = kernel.withoutWhite();
    double[] x = {0.3, 0.3, 0.4};
    assertEquals(8, latent.variance(x, 0), 1e-14);
    assertEquals(11, kernel.variance(x, 0), 1e-14);
    assertEquals(11, kernel.value(x, 0, x, 1), 1e-14);
    assertEquals(latent.value(x, 0, x, 2), kernel.value(x, 0, x, 2), 1e-14);
    double[] g = new double[kernel.parameterCount()];
    kernel.whiteGradient(1, g, 0);
    double[] values = kernel.values();
    for (int p = 0; p < g.length; p++) {
      double[] up = values.clone();
      up[p] += 1e-6;
      double difference = (kernel.with(up).whiteVariance() - 3) / 1e-6;
      assertEquals(difference, g[p], 1e-6);
    }
    assertThrows(IllegalArgumentException.class, () -> Kernel.white(1).bind(1).withoutWhite());
    Kernel growing = Kernel.linear(1).times(Kernel.white(1)).bind(1);
    assertThrows(IllegalArgumentException.class, growing::whiteVariance);
  }

  @Test
  void bindGivesEveryColumnALengthscaleAndEveryTermAScale() {
    assertEquals("unset*rbf(lengthscale=[0.5,0.5])", Kernel.rbf(0.5).bind(2).toString());
    assertEquals("unset*rbf", Kernel.rbf().bind(2).toString());
    assertEquals(3, Kernel.rbf().bind(2).parameterCount());
    assertEquals("2.0*rbf", Kernel.rbf().times(2).bind(3).toString());
    assertEquals("2.0*rbf + unset*matern12", Kernel.parse("2*rbf + matern12").bind(1).toString());
    assertEquals("sm(2) + linear", Kernel.parse("sm(2)+linear").bind(2).toString());
    assertEquals("periodic*constant", Kernel.parse("periodic*constant").bind(2).toString());
    assertEquals(
        "unset*rbf(columns=0) + unset*rbf(columns=1)",
        Kernel.parse("additive(rbf)").bind(2).toString());
    assertEquals(Kernel.parse("rbf").bind(2), Kernel.parse("rbf").bind(2).bind(2));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().bind(2).bind(3));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf(1, 2).bind(3));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().on(3).bind(3));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().on(0, 0));
    assertThrows(IllegalArgumentException.class, () -> Kernel.rbf().bind(0));
  }

  @Test
  void unsetAndUnboundKernelsSayWhatIsMissing() {
    double[] x = {1, 2};
    var unset =
        assertThrows(
            IllegalStateException.class, () -> Kernel.rbf().times(1).bind(1).value(x, 0, x, 1));
    assertTrue(unset.toString().contains("rbf.lengthscale"));
    var scale =
        assertThrows(IllegalStateException.class, () -> Kernel.rbf(1).bind(1).value(x, 0, x, 1));
    assertTrue(scale.toString().contains("outputscale"));
    var unbound = assertThrows(IllegalStateException.class, () -> Kernel.rbf(1).variance(x, 0));
    assertTrue(unbound.toString().contains("bind"));
  }

  @Test
  void restrictionReadsTheChosenColumns() {
    Kernel whole = Kernel.parse("2*matern32(lengthscale=[1,3])*periodic(period=2, lengthscale=1)");
    double[] x = {0.1, 9, 0.7, 0.4, 5, -0.3};
    assertEquals(
        whole.bind(2).value(new double[] {0.7, 0.1}, 0, new double[] {-0.3, 0.4}, 0),
        whole.on(2, 0).bind(3).value(x, 0, x, 3),
        0);
    assertArrayEquals(new int[] {0, 2}, whole.on(2, 0).bind(3).activeColumns());
    assertEquals(Kernel.rbf().on(5, 1), Kernel.rbf().on(1, 0).on(1, 5));
  }

  @Test
  void structureIsSeenThroughComposition() {
    assertTrue(bound("periodic*rbf + white", 1).isStationary());
    assertFalse(bound("rbf + linear", 2).isStationary());
    assertTrue(bound("rbf*periodic*cosine", 3).isSeparable());
    assertFalse(bound("matern52", 2).isSeparable());
    assertTrue(bound("matern52", 1).isSeparable());
    assertTrue(bound("matern52(columns=0)*matern32(columns=1)", 2).isSeparable());
    assertFalse(bound("rbf + rbf", 2).isSeparable());
    assertFalse(bound("sm(2)", 2).isSeparable());
    assertTrue(bound("sm(1)", 2).isSeparable());
    assertTrue(bound("matern52(lengthscale=1)*rbf(lengthscale=1) + constant", 2).isIsotropic());
    assertFalse(bound("matern52(lengthscale=1) + rbf(lengthscale=2)", 2).isIsotropic());
    assertFalse(bound("periodic", 2).isIsotropic());
    assertTrue(bound("periodic", 1).isIsotropic());
  }

  private static Kernel bound(String text, int d) {
    return Kernel.parse(text).bind(d);
  }

  @Test
  void spectralDensityIsTheFourierTransform() {
    for (String text :
        List.of(
            "2*rbf(lengthscale=0.7)",
            "matern32(lengthscale=0.7) + 2*matern52(lengthscale=1.2)",
            "matern12(lengthscale=0.5)",
            "sm(2, weight=[1,2], frequency=[0.3,0.8], bandwidth=[0.2,0.1])")) {
      Kernel kernel = Kernel.parse(text).times(1).bind(1);
      for (double omega : new double[] {0, 0.6, 3}) {
        double h = 1e-3; // trapezium: error h²/12 times the kink of Matérn-1/2
        double integral = 0.5 * h * kernel.variance(new double[1], 0);
        for (double t = h; t < 30; t += h)
          integral += h * kernel.value(new double[] {t}, 0, new double[1], 0) * Math.cos(omega * t);
        assertEquals(2 * integral, kernel.spectralDensity(omega), 2e-6, kernel.toString());
      }
    }
  }

  @Test
  void spectralDensityInTwoColumnsIntegratesToTheVariance() {
    for (String text :
        List.of(
            "3*rbf(lengthscale=[0.7,1.5])",
            "3*matern52(lengthscale=[0.7,1.5])",
            "3*matern52(columns=0, lengthscale=0.7)*matern52(columns=1, lengthscale=1.5)",
            "sm(2, weight=[1,2], frequency=[0.3,0.8,0.1,0.5], bandwidth=[0.2,0.1,0.3,0.2])")) {
      Kernel kernel = bound(text, 2);
      double h = 0.1;
      double sum = 0;
      for (double a = -40; a <= 40; a += h)
        for (double b = -40; b <= 40; b += h) sum += kernel.spectralDensity(a, b);
      assertEquals(3, sum * h * h / (4 * Math.PI * Math.PI), 2e-3, text);
    }
    for (String text :
        List.of(
            "rq(alpha=1, lengthscale=1)",
            "cosine(period=1)",
            "rbf(lengthscale=1)*rbf(lengthscale=1)",
            "linear(variance=1)",
            "rbf(columns=0, lengthscale=1)"))
      assertThrows(UnsupportedOperationException.class, () -> bound(text, 2).spectralDensity(1, 1));
  }

  /// Equal where written the same, in every kind of kernel and of composition.
  @ParameterizedTest
  @MethodSource("market")
  void kernelsCompareByValue(String text) {
    SplittableRandom random = new SplittableRandom(SEED + 7);
    Kernel kernel = random(text, 2, random);
    double[] values = kernel.values();
    Kernel same = Kernel.parse(text).bind(2).with(values.clone());
    assertEquals(kernel, same);
    assertEquals(kernel.hashCode(), same.hashCode(), "hash of " + kernel);
    assertEquals(Kernel.parse(text), Kernel.parse(text), "unset values are equal too");
    assertEquals(Kernel.parse(text).hashCode(), Kernel.parse(text).hashCode());
    assertNotEquals(Kernel.parse(text), kernel, "bound and not");
    assertNotEquals(kernel, kernel.fix(), "fixed and not");
    for (int i = 0; i < values.length; i++) {
      double[] other = values.clone();
      other[i] = Math.nextUp(other[i]);
      assertNotEquals(kernel, kernel.with(other), "parameter " + i + " of " + kernel);
    }
    for (String others : market())
      if (!others.equals(text)) assertNotEquals(Kernel.parse(text), Kernel.parse(others));
  }

  /// k depends on the points, not on the arrays that hold them.
  @ParameterizedTest
  @MethodSource("market")
  void copiesOfPointsHaveTheSameValues(String text) {
    SplittableRandom random = new SplittableRandom(SEED + 8);
    Kernel kernel = random(text, 2, random);
    int n = 5;
    double[] x = points(2 * n, random);
    double[] one = new double[n * n];
    double[] two = new double[n * n];
    kernel.matrix(x, n, x, n, one);
    kernel.matrix(x, n, x.clone(), n, two);
    assertArrayEquals(one, two, 1e-15, kernel + " seed " + SEED);
    double[] weights = random.doubles(n * n, -1, 1).toArray();
    double[] g = new double[kernel.parameterCount()];
    double[] h = new double[g.length];
    kernel.gradientSum(x, n, x, n, weights, g);
    kernel.gradientSum(x, n, x.clone(), n, weights, h);
    assertArrayEquals(g, h, 1e-12, kernel + " seed " + SEED);
  }
}
