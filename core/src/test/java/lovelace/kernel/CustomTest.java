package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.kernel.KernelFunction.Slot;
import lovelace.kernel.KernelFunction.UnknownKernelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels that users write themselves.
class CustomTest {

  private static final long SEED = 20261116;

  private static Kernel parse(String text) {
    return Kernel.parse(text, OwnKernels.all());
  }

  @Test
  void pinnedValueOfTheGammaExponential() {
    Kernel kernel = Kernel.of(new OwnKernels.Gamma(), 2, 1.5).times(3).bind(1);
    assertEquals(
        3 * Math.exp(-Math.pow(0.5, 1.5)),
        kernel.value(new double[] {4}, 0, new double[] {3}, 0),
        1e-15);
  }

  /// Written by the library and by a user: the same numbers, and the same derivatives.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.7*plain32(lengthscale=0.6) | 1.7*matern32(lengthscale=0.6)",
        "1.7*twin32(lengthscale=0.6) | 1.7*matern32(lengthscale=0.6)",
        "twin32(lengthscale=0.6)*linear(variance=2) + white(variance=0.1)*plain32(lengthscale=1)"
            + " | matern32(lengthscale=0.6)*linear(variance=2) + white(variance=0.1)*matern32(lengthscale=1)",
        "additive(0.5*twin32(lengthscale=0.8)) | additive(0.5*matern32(lengthscale=0.8))",
        "twin32(columns=[1], lengthscale=0.6)*rbf(lengthscale=1)"
            + " | matern32(columns=[1], lengthscale=0.6)*rbf(lengthscale=1)",
        "1*wave(lengthscale=0.6, period=1.3) | 1*rbf(lengthscale=0.6)*cosine(period=1.3)",
      })
  void ownKernelIsTheLibrarys(String own, String built) {
    SplittableRandom random = new SplittableRandom(SEED);
    Kernel a = parse(own).bind(2);
    Kernel b = Kernel.parse(built).bind(2);
    assertArrayEquals(b.values(), a.values());
    if (!a.isSet()) {
      double[] values = random.doubles(a.parameterCount(), 0.5, 1.5).toArray();
      a = a.with(values);
      b = b.with(values);
    }
    int n = 40; // more than one chunk of rows
    double[] x = random.doubles(2 * n, -1, 1).toArray();
    double[] mine = new double[n * n];
    double[] theirs = new double[n * n];
    a.matrix(x, n, x, n, mine);
    b.matrix(x, n, x, n, theirs);
    assertArrayEquals(theirs, mine, 1e-14, "seed " + SEED);
    double[] weights = random.doubles(n * n, -1, 1).toArray();
    double[] g = new double[a.parameterCount()];
    double[] h = new double[g.length];
    a.gradientSum(x, n, x, n, weights, g);
    b.gradientSum(x, n, x, n, weights, h);
    for (int i = 0; i < g.length; i++)
      assertEquals(h[i], g[i], 1e-8 * (1 + Math.abs(h[i])), "seed " + SEED + " parameter " + i);
    for (int i = 1; i < n; i++) {
      double[] s = new double[2];
      double[] t = new double[2];
      a.inputGradient(x, 0, x, 2 * i, 1, s, 0);
      b.inputGradient(x, 0, x, 2 * i, 1, t, 0);
      assertArrayEquals(t, s, 1e-8, "seed " + SEED + " point " + i);
    }
    assertEquals(b.whiteVariance(), a.whiteVariance(), 1e-15);
    double[] u = new double[g.length];
    double[] v = new double[g.length];
    a.whiteGradient(1.5, u, 0);
    b.whiteGradient(1.5, v, 0);
    assertArrayEquals(v, u, 1e-10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"twin32", "plain32", "gammaexp", "wave", "bump", "quadratic", "gibbs"})
  void derivativesAgreeWithDifferencesAndValuesAreSymmetric(String name) {
    SplittableRandom random = new SplittableRandom(SEED);
    int d = name.equals("gibbs") ? 1 : 2;
    Kernel kernel = parse(name + " + linear").bind(d);
    double[] values = random.doubles(kernel.parameterCount(), 0.6, 1.4).toArray();
    kernel = kernel.with(values);
    double[] x = random.doubles(2 * d, -1, 1).toArray();
    double here = kernel.value(x, 0, x, d);
    assertEquals(here, kernel.value(x, d, x, 0), 0, "bitwise symmetric");
    double[] g = new double[values.length];
    kernel.gradient(x, 0, x, d, 1, g, 0);
    for (int p = 0; p < g.length; p++) {
      double[] up = values.clone();
      double[] down = values.clone();
      up[p] += 1e-6;
      down[p] -= 1e-6;
      double slope =
          (kernel.with(up).value(x, 0, x, d) - kernel.with(down).value(x, 0, x, d)) / 2e-6;
      assertEquals(slope, g[p], 1e-8, name + " parameter " + p + " seed " + SEED);
    }
    double[] s = new double[d];
    kernel.inputGradient(x, 0, x, d, 1, s, 0);
    for (int i = 0; i < d; i++) {
      double[] up = x.clone();
      double[] down = x.clone();
      up[i] += 1e-6;
      down[i] -= 1e-6;
      double slope = (kernel.value(up, 0, x, d) - kernel.value(down, 0, x, d)) / 2e-6;
      assertEquals(slope, s[i], 1e-8, name + " column " + i + " seed " + SEED);
    }
  }

  @Test
  void inputDerivativeBesideAPointIsAccurate() {
    Kernel own = parse("1*plain32(lengthscale=0.6)").bind(1);
    Kernel built = Kernel.parse("1*matern32(lengthscale=0.6)").bind(1);
    for (double gap : new double[] {0, 1e-9, 1e-5, 1e-3, 0.1}) {
      double[] s = new double[1];
      double[] t = new double[1];
      own.inputGradient(new double[] {0.3 + gap}, 0, new double[] {0.3}, 0, 1, s, 0);
      built.inputGradient(new double[] {0.3 + gap}, 0, new double[] {0.3}, 0, 1, t, 0);
      assertEquals(t[0], s[0], 1e-6, "gap " + gap); // rounding of k over a step of gap/4
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "twin32(lengthscale=0.5)",
        "2.0*gammaexp(columns=[0,2], lengthscale=[0.5,2.0], gamma=fixed(1.2)) + wave",
        "bump(variance=2.0, frequency=0.5)*rbf",
        "gibbs(growth=-0.5)",
        "additive(gammaexp)"
      })
  void textReadsBack(String text) {
    Kernel kernel = parse(text);
    assertEquals(text, kernel.toString());
    assertEquals(kernel, parse(kernel.toString()));
    assertEquals(kernel.hashCode(), parse(kernel.toString()).hashCode());
    assertEquals(kernel.fix(), parse(kernel.fix().toString()));
  }

  @Test
  void functionsOfOneNameAndOtherClassesMakeOtherKernels() {
    KernelFunction impostor =
        new KernelFunction.Stationary() {
          @Override
          public String name() {
            return "twin32";
          }

          @Override
          public List<Slot> parameters() {
            return List.of(Slot.lengthscale());
          }

          @Override
          public double value(double[] distance, double[][] p) {
            return 1;
          }
        };
    assertNotEquals(Kernel.of(impostor), Kernel.of(new OwnKernels.Twin32()));
    assertEquals(Kernel.of(new OwnKernels.Twin32()), Kernel.of(new OwnKernels.Twin32()));
    assertEquals(List.of(impostor), Kernel.of(impostor).plus(Kernel.rbf()).functions());
  }

  @Test
  void parametersHaveRolesBoundsAndStarts() {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] x = random.doubles(60, 0, 3).toArray();
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) y[i] = Math.sin(3 * x[i]) + 0.1 * random.nextGaussian();
    Hyperparameters unset =
        Hyperparameters.of(parse("gammaexp + bump").bind(1), Double.NaN, PriorMean.constant());
    assertEquals(
        List.of(
            "gammaexp.outputscale",
            "gammaexp.lengthscale",
            "gammaexp.gamma",
            "bump.variance",
            "bump.frequency"),
        unset.kernel().parameters().stream().map(Parameter::path).toList());
    assertFalse(StartValues.hasManyOptima(unset), "a name is no spectral mixture");
    Hyperparameters filled = StartValues.fill(unset, x, y);
    assertTrue(filled.unset().isEmpty());
    Hyperparameters twin =
        StartValues.fill(
            Hyperparameters.of(
                Kernel.parse("rbf + constant").bind(1), Double.NaN, PriorMean.constant()),
            x,
            y);
    assertEquals(
        twin.parameter("lengthscale").values()[0], filled.parameter("lengthscale").values()[0], 0);
    assertEquals(
        twin.parameter("variance").values()[0], filled.parameter("variance").values()[0], 0);
    assertEquals(1.5, filled.parameter("gamma").values()[0], 0);
    assertEquals(2, filled.parameter("gamma").upper(), 0);
    assertEquals(0.1, filled.parameter("gamma").lower(), 0);
    assertEquals(0.3, filled.parameter("frequency").values()[0], 0);
    assertEquals(
        StartValues.candidates(twin.set("noise", 1), x, y).size(),
        1,
        "nothing to vary where all is set");
    assertTrue(StartValues.candidates(unset, x, y).size() > 1, "lengthscales are varied");
  }

  @Test
  void lengthsAreToldOrFound() {
    Leaf gamma = (Leaf) parse("gammaexp(lengthscale=2)").attach(1);
    assertArrayEquals(new double[] {2}, gamma.lengths());
    Leaf wave = (Leaf) parse("wave(lengthscale=2, period=0.5)").attach(1);
    assertArrayEquals(new double[] {0.5 / Math.PI}, wave.lengths());
    Leaf bump = (Leaf) parse("bump(variance=3, frequency=0.25)").attach(2);
    assertArrayEquals(new double[] {0.5, 0.5}, bump.lengths(), 1e-9); // as the RBF it is
    Leaf gibbs = (Leaf) parse("gibbs(shortest=1, growth=1)").attach(1);
    assertTrue(Double.isNaN(gibbs.lengths()[0]));
  }

  @Test
  void structureIsThatOfTheFunction() {
    Kernel stationary = parse("twin32").bind(2);
    assertTrue(stationary.isStationary());
    assertFalse(stationary.isSeparable());
    assertArrayEquals(new int[] {0, 1}, parse("bump").bind(2).activeColumns());
    assertArrayEquals(new int[] {1}, parse("bump(columns=[1])").bind(2).activeColumns());
    assertFalse(parse("quadratic").bind(1).isStationary());
    assertEquals("bump", parse("bump").bind(1).toString(), "a variance of its own");
    assertEquals("unset*gammaexp", parse("gammaexp").bind(1).toString());
    Kernel white = parse("white(variance=1)*quadratic(offset=1)").bind(1);
    assertThrows(IllegalArgumentException.class, white::whiteVariance);
  }

  @Test
  void mistakesAreNamed() {
    UnknownKernelException unknown =
        assertThrows(UnknownKernelException.class, () -> Kernel.parse("rbf + wave"));
    assertEquals("wave", unknown.name());
    assertTrue(text(unknown).contains("registered"), text(unknown));
    assertTrue(message("wave(gamma=1)").contains("lengthscale, period or columns of wave"));
    assertTrue(message("gammaexp(gamma=3)").contains("between 0.1 and 2.0, got 3.0"));
    assertTrue(message("twin32(lengthscale=-1)").contains("> 0"));
    for (String name : List.of("rbf", "fixed", "My", "2x", "", "a-b"))
      assertTrue(
          text(assertThrows(
                  IllegalArgumentException.class, () -> Kernel.of(named(name, Slot.lengthscale()))))
              .contains("'" + name + "'"));
    assertThrows(
        IllegalArgumentException.class, () -> Kernel.of(named("a", Slot.positive("columns", 1))));
    assertThrows(
        IllegalArgumentException.class,
        () -> Kernel.of(named("a", Slot.lengthscale(), Slot.lengthscale())));
    assertThrows(IllegalArgumentException.class, () -> Kernel.of(new OwnKernels.Gamma(), 1));
    assertThrows(IllegalArgumentException.class, () -> Slot.positive("gamma", 3).within(0.1, 2));
    Kernel broken = Kernel.of(named("broken", Slot.lengthscale()), 1).times(1).bind(1);
    ArithmeticException nan =
        assertThrows(
            ArithmeticException.class, () -> broken.value(new double[] {1}, 0, new double[1], 0));
    assertTrue(text(nan).contains("the kernel broken has the value NaN"), text(nan));
    // words of the grammar may begin a name
    assertEquals(
        "fixedpoint + unsettled",
        Kernel.of(named("fixedpoint")).plus(Kernel.of(named("unsettled"))).toString());
    Kernel.parse("fixedpoint + unsettled", named("fixedpoint"), named("unsettled"));
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage());
  }

  private static String message(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage());
  }

  private static KernelFunction named(String name, Slot... slots) {
    return new KernelFunction.Stationary() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public List<Slot> parameters() {
        return List.of(slots);
      }

      @Override
      public double value(double[] distance, double[][] p) {
        return Double.NaN;
      }
    };
  }

  @Test
  void pathsAreUniqueWhereAKindEndsInADigit() {
    Kernel kernel = Kernel.parse("rbf + rbf + rbf2", named("rbf2", Slot.lengthscale())).bind(1);
    List<String> paths = kernel.parameters().stream().map(Parameter::path).toList();
    assertEquals(paths.size(), paths.stream().distinct().count(), paths.toString());
  }

  @Test
  void servicesOfTheClassPathAreFound(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(KernelFunction.class.getName()),
        "lovelace.kernel.OwnKernels$Gamma\nlovelace.kernel.OwnKernels$Gibbs\n");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      assertEquals(Kernel.of(new OwnKernels.Gamma()), Kernel.parse("gammaexp"));
      assertTrue(
          String.valueOf(
                  assertThrows(UnknownKernelException.class, () -> Kernel.parse("wave"))
                      .getMessage())
              .contains("additive, gammaexp, gibbs"));
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThrows(UnknownKernelException.class, () -> Kernel.parse("gammaexp"));
  }
}
