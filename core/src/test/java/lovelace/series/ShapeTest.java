package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 1_000 : 60;

  /// Both sums have at most a few hundred terms of like size, so they agree to about 1e-13.
  @Test
  void covarianceIsThatOfTheDefinition() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(1, 50);
      compare(shape, n, "seed " + seed + ", " + n + " steps, " + shape);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "4", "12", "24", "7.5", "24 168", "52.18"})
  void everyShapeOfALibraryHasTheCovarianceOfItsDefinition(String periods) {
    double[] seasons = Seasons.of(periods);
    Library library = Library.of(seasons);
    for (int s = 0; s < library.shapes().size(); s += 1 + library.shapes().size() / 60)
      compare(library.shapes().get(s), 30, library.shapes().get(s).toString());
  }

  private static void compare(Shape shape, int n, String place) {
    double[] k = shape.covariance(n);
    double[][] wanted = Oracle.covariance(shape, n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double size = Math.sqrt(wanted[i][i] * wanted[j][j]);
        assertEquals(wanted[i][j], k[i * n + j], 1e-11 * size, place + " at " + i + ", " + j);
      }
  }

  @Test
  void pinnedCovariance() {
    // Noise 1, level 2, slope b₀ ~ N(0, 0.5·3) that halves, season of 2 steps of size 3·4.
    Shape shape = new Shape(2, new Slope(0.5, 0, 0.5), List.of(Season.free(2, 4, 0)), 0, 0);
    double[] k = shape.covariance(3);
    assertEquals(1 + 12, k[0], 1e-12);
    assertEquals(-12, k[3], 1e-12);
    assertEquals(1 + 2 + 1.5 + 12, k[4], 1e-12);
    assertEquals(12, k[6], 1e-12);
    assertEquals(2 + 1.5 * 1.5 - 12, k[7], 1e-12);
    assertEquals(1 + 4 + 1.5 * 2.25 + 12, k[8], 1e-12);
  }

  @Test
  void aSeasonAddsUpToZeroOverItsPeriod() {
    for (double period : new double[] {2, 4, 7, 12}) {
      double[] p = Season.free(period, 1, 0).pattern((int) period);
      double sum = 0;
      for (double each : p) sum += each;
      assertEquals(0, sum, 1e-14 * period);
      assertEquals(1, p[0]);
    }
  }

  @Test
  void badShapesAreRefusedInWords() {
    assertMessage("period must be ≥ 2, got 1.0", () -> Season.free(1, 1, 0));
    assertMessage("size must be > 0, got NaN", () -> Season.free(4, Double.NaN, 0));
    assertMessage("whole needs a smooth", () -> Season.free(4.5, 1, 0));
    assertMessage("damping must lie between 0 and 1", () -> new Slope(1.1, 0, 0));
    assertMessage("≥ 0", () -> new Slope(1, Double.NaN, 0));
    assertMessage("level must be ≥ 0", () -> new Shape(-1, Slope.NONE, List.of(), 0, 0));
    assertMessage("memory", () -> new Shape(1, Slope.NONE, List.of(), 1, 0));
  }

  private static void assertMessage(String part, org.junit.jupiter.api.function.Executable made) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, made).getMessage());
    assertTrue(message.contains(part), message);
  }
}
