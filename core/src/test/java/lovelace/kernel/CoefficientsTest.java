package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which coefficients a kernel gets that were not written.
class CoefficientsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rbf | unset*rbf",
        "2*rbf | 2.0*rbf",
        "rbf + rbf*periodic | unset*rbf + unset*rbf*periodic",
        "2*rbf + periodic | 2.0*rbf + unset*periodic",
        "rbf + sm(2) | unset*rbf + sm(2)",
        "rbf + constant + linear + white | unset*rbf + constant + linear + white",
        "rbf*linear + matern32 | rbf*linear + unset*matern32",
        // a sum inside a product: its terms carry the scale, the product has none of its own
        "rbf*(matern12 + periodic) | rbf*(unset*matern12 + unset*periodic)",
        // a scale in front, or another factor's, leaves the first term as the unit
        "2*(rbf + periodic + cosine) | 2.0*(rbf + unset*periodic + unset*cosine)",
        "2*rbf*(matern12 + periodic) | 2.0*rbf*(matern12 + unset*periodic)",
        "linear*(matern12 + periodic) | linear*(matern12 + unset*periodic)",
        "(rbf + matern12)*(periodic + cosine)"
            + " | (unset*rbf + unset*matern12)*(periodic + unset*cosine)",
        "(rbf + matern12)*(2*periodic + 3*cosine)"
            + " | (rbf + unset*matern12)*(2.0*periodic + 3.0*cosine)",
        "2*(rbf*(periodic + cosine) + matern12)"
            + " | 2.0*(rbf*(periodic + unset*cosine) + unset*matern12)",
        "2*(3*rbf + 4*periodic) | 2.0*(3.0*rbf + 4.0*periodic)",
        "additive(rbf) | unset*rbf",
        "additive(rbf + periodic) | unset*rbf + unset*periodic",
      })
  void everyTermHasOneCoefficientAndNoProductTwo(String text, String bound) {
    Kernel kernel = Kernel.parse(text).bind(1);
    String restricted = kernel.toString().replace("(columns=0)", "");
    assertEquals(bound, restricted);
    // what is bound gets nothing more, nor does its text
    assertEquals(kernel, kernel.bind(1));
    assertEquals(kernel, Kernel.parse(kernel.toString()).bind(1));
    assertEquals(kernel, Kernel.parse(kernel.toString()).attach(1));
  }

  @Test
  void verbsAndTextMeanTheSame() {
    assertEquals(
        Kernel.parse("rbf + rbf*periodic").bind(2),
        Kernel.rbf().plus(Kernel.rbf().times(Kernel.periodic())).bind(2));
    assertEquals(Kernel.parse("additive(rbf)").bind(3), Kernel.additive(Kernel.rbf(), 3).bind(3));
  }

  @Test
  void everyColumnOfAnAdditiveKernelHasItsOwn() {
    assertEquals(
        "unset*rbf(columns=0) + unset*rbf(columns=1)",
        Kernel.parse("additive(rbf)").bind(2).toString());
  }

  /// The text of a bound kernel is attached as it is: a file that was written with one scale for a
  /// whole sum keeps that meaning.
  @Test
  void attachAddsNothing() {
    Kernel one = Kernel.parse("2.0*(rbf(lengthscale=1.0) + periodic(period=1.0))").attach(1);
    assertEquals(
        List.of("outputscale", "rbf.lengthscale", "periodic.lengthscale", "periodic.period"),
        one.parameters().stream().map(Parameter::path).toList());
  }

  @Test
  void coefficientsAreReachedByName() {
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("rbf + rbf*periodic(period=1) + linear").bind(1), 1, PriorMean.ZERO);
    assertEquals(
        List.of(
            "rbf.outputscale",
            "rbf.lengthscale",
            "rbf2.outputscale",
            "rbf2.lengthscale",
            "periodic.lengthscale",
            "periodic.period",
            "linear.variance",
            "linear.centre",
            "noise"),
        h.parameters().stream().map(Parameter::path).toList());
    Hyperparameters set = h.set("rbf2.outputscale", 3).fix("rbf.outputscale", 2);
    assertEquals(3, set.parameter("rbf2.outputscale").values()[0]);
    assertEquals(true, set.parameter("rbf.outputscale").fixed());
  }

  /// `k = s₁ e^{−τ²/2ℓ₁²} + s₂ e^{−τ²/2ℓ₂²} e^{−2 sin²(πτ/p)/ℓ₃²}` and its derivatives, from the
  /// definition.
  @Test
  void parsedSumsMeanWhatTheirFormulaSays() {
    Kernel kernel = Kernel.parse("rbf + rbf*periodic").bind(1);
    var random = new SplittableRandom(5);
    for (int trial = 0; trial < 20; trial++) {
      double[] v = random.doubles(6, 0.3, 2).toArray();
      Kernel set = kernel.with(v);
      double x = random.nextDouble();
      double y = 3 * random.nextDouble();
      assertEquals(formula(v, x - y), set.value(new double[] {x}, 0, new double[] {y}, 0), 1e-12);
      double[] g = new double[6];
      set.gradient(new double[] {x}, 0, new double[] {y}, 0, 1, g, 0);
      for (int i = 0; i < 6; i++) {
        double[] up = v.clone();
        double[] down = v.clone();
        up[i] += 1e-6;
        down[i] -= 1e-6;
        double difference = (formula(up, x - y) - formula(down, x - y)) / 2e-6;
        // central differences err by about 1e-16/1e-6 in rounding and 1e-12 in the third derivative
        assertEquals(difference, g[i], 1e-7, "seed 5, trial " + trial + ", parameter " + i);
      }
    }
  }

  /// v = s₁, ℓ₁, s₂, ℓ₂, ℓ₃, p.
  private static double formula(double[] v, double t) {
    double sine = Math.sin(Math.PI * t / v[5]);
    return v[0] * Math.exp(-t * t / (2 * v[1] * v[1]))
        + v[2] * Math.exp(-t * t / (2 * v[3] * v[3])) * Math.exp(-2 * sine * sine / (v[4] * v[4]));
  }

  /// A sum starts with the data's variance, however its coefficients are written.
  @ParameterizedTest
  @CsvSource({
    "rbf + rbf*periodic",
    "rbf*(matern12 + periodic)",
    "(rbf + matern12)*(periodic + cosine)",
    "constant + rbf + matern32",
    "additive(rbf)",
    "rbf*(matern12 + periodic) + matern32"
  })
  void startsShareTheVarianceOfTheTarget(String text) {
    double[] x = new double[50];
    double[] y = new double[50];
    var random = new SplittableRandom(3);
    for (int i = 0; i < 50; i++) {
      x[i] = i / 10.0;
      y[i] = 7 + Math.sin(x[i]) + 0.1 * random.nextGaussian();
    }
    double mean = Arrays.stream(y).average().orElse(0);
    double variance = Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    Hyperparameters h =
        StartValues.fill(
            Hyperparameters.of(Kernel.parse(text).bind(1), Double.NaN, PriorMean.ZERO), x, y);
    assertEquals(variance, h.kernel().variance(new double[1], 0), 1e-9 * variance);
  }
}
