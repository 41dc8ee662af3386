package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartValuesTest {

  private static Hyperparameters unset(String kernel, int d) {
    return Hyperparameters.of(
        Kernel.parse(kernel).bind(d), Double.NaN, PriorMean.named("constant", d));
  }

  private static final class Waves {
    final double[] x = new double[150];
    final double[] y = new double[150];

    /// Two waves on a slope, unevenly spaced over eight units, the weaker beside a harmonic of the
    /// stronger.
    Waves(SplittableRandom random) {
      for (int i = 0; i < x.length; i++) {
        x[i] = 8 * random.nextDouble();
        y[i] =
            3 * x[i]
                + 10 * Math.sin(2 * Math.PI * 0.97 * x[i])
                + 2 * Math.cos(2 * Math.PI * 2.3 * x[i] + 1)
                + 0.1 * random.nextGaussian();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbf + rbf + rbf", "matern12*(rbf + rbf) + rbf"})
  void equalTermsOfASumStartApart(String kernel) {
    Waves w = new Waves(new SplittableRandom(5));
    for (Hyperparameters start : unset(kernel, 1).starts(w.x, w.y)) {
      double[] lengths =
          start.parameters().stream()
              .filter(p -> p.path().matches("rbf.*lengthscale"))
              .mapToDouble(p -> p.values()[0])
              .toArray();
      assertEquals(0.1, lengths[1] / lengths[0], 1e-12, start.toString());
      boolean flat = kernel.startsWith("rbf");
      assertEquals(flat ? 0.01 : 1, lengths[2] / lengths[0], 1e-12, start.toString());
    }
  }

  @Test
  void pursuitFindsFrequenciesAndTheirPower() {
    Waves w = new Waves(new SplittableRandom(1));
    Sinusoids found = Sinusoids.of(w.x, 1, new int[] {0}, w.y, 4);
    assertEquals(0.97, found.frequency(0)[0], 0.02);
    assertEquals(50, found.power(0), 5);
    assertEquals(2.3, found.frequency(1)[0], 0.02);
    assertTrue(found.left() < 1, "left " + found.left());
  }

  @Test
  void pursuitFindsAProductOfWavesAmongManyObservations() {
    var random = new SplittableRandom(2);
    int n = 4000; // averaged in boxes
    double[] x = new double[3 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 3; j++) x[3 * i + j] = 2 * random.nextDouble();
      y[i] = Math.cos(2 * Math.PI * 2 * x[3 * i]) * Math.sin(2 * Math.PI * 1.5 * x[3 * i + 2]);
    }
    double[] f = Sinusoids.of(x, 3, new int[] {0, 2}, y, 1).frequency(0);
    assertArrayEquals(new double[] {2, 1.5}, f, 0.13);
  }

  @Test
  void periodsAreTheStrongestInOrder() {
    Waves w = new Waves(new SplittableRandom(3));
    Hyperparameters h = StartValues.fill(unset("periodic + cosine", 1), w.x, w.y);
    assertEquals(1 / 0.97, h.parameter("periodic.period").values()[0], 0.03);
    assertEquals(1 / 2.3, h.parameter("cosine.period").values()[0], 0.01);
  }

  @ParameterizedTest
  @CsvSource({"sm(1),1", "sm(3),1", "sm(10),1", "rbf + sm(4),1", "sm(5),2", "sm(3)*rbf,3"})
  void mixtureStartsAreCompleteBoundedAndTheSameEachTime(String kernel, int d) {
    var random = new SplittableRandom(4);
    double[] x = random.doubles(60L * d, 5, 9).toArray();
    double[] y = random.doubles(60).toArray();
    List<Hyperparameters> starts = StartValues.candidates(unset(kernel, d), x, y, 20);
    assertTrue(starts.size() > 15, kernel + " has " + starts.size());
    for (Hyperparameters h : starts) {
      assertTrue(h.unset().isEmpty());
      for (Parameter p : h.parameters())
        for (double v : p.values())
          assertTrue(v >= p.lower() && v <= p.upper(), kernel + " starts with " + p);
    }
    assertEquals(starts, StartValues.candidates(unset(kernel, d), x, y, 20));
    assertEquals(starts.size(), starts.stream().distinct().count());
  }

  @Test
  void bandwidthsAreNoNarrowerThanTheRangeShows() {
    double[] x = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    double[] y = {1, 3, 2, 5, 4, 6, 7, 9, 8};
    Parameter p = StartValues.fill(unset("sm(2)", 1), x, y).parameter("bandwidth");
    assertEquals(1 / (2 * Math.PI * 8), p.lower(), 1e-15);
    assertEquals(0.5, StartValues.fill(unset("sm(2)", 1), x, y).parameter("frequency").upper());
  }

  @Test
  void givenValuesStay() {
    double[] x = {0, 1, 2, 3};
    double[] y = {1, 3, 2, 5};
    Hyperparameters given = unset("sm(2)", 1).set("frequency", 0.3, 0.4).set("bandwidth", 1e-9);
    assertFalse(StartValues.hasManyOptima(given));
    for (Hyperparameters h : StartValues.candidates(given, x, y)) {
      assertArrayEquals(new double[] {0.3, 0.4}, h.parameter("frequency").values());
      assertEquals(1e-9, Arrays.stream(h.parameter("bandwidth").values()).max().orElse(0));
    }
  }

  /// Distances grow with the root of the number of columns, and so do lengthscales beyond three.
  @Test
  void lengthscalesGrowWithTheColumns() {
    SplittableRandom random = new SplittableRandom(31);
    for (int d : new int[] {3, 4, 16}) {
      double[] x = random.doubles(400L * d).toArray();
      double[] y = random.doubles(400).toArray();
      Hyperparameters h =
          Hyperparameters.of(Kernel.parse("rbf").bind(d), Double.NaN, PriorMean.constant())
              .fill(x, y);
      double root = d > 3 ? Math.sqrt(d) : 1;
      // the standard deviation of a uniform column
      for (double l : h.parameter("rbf.lengthscale").values())
        assertEquals(root / Math.sqrt(12), l, 0.1 * root / Math.sqrt(12));
      double variance = h.values()[0];
      assertTrue(d > 3 ? h.noise() <= 0.1 * variance : h.noise() > 0.2 * variance, h.toString());
    }
  }

  /// The mean of a constant column is rounded; the column is constant all the same.
  @Test
  void roundingIsNoSpread() {
    double[] x = new double[2 * 1000];
    for (int i = 0; i < 1000; i++) {
      x[2 * i] = i;
      x[2 * i + 1] = 0.1;
    }
    double[] y = new SplittableRandom(32).doubles(1000).toArray();
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("rbf").bind(2), Double.NaN, PriorMean.ZERO).fill(x, y);
    assertEquals(1, h.parameter("rbf.lengthscale").values()[1]);
  }
}
