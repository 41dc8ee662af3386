package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;

class ContoursTest {

  private static final int SIZE = 41;

  private static double[] grid(DoubleBinaryOperator f) {
    double[] values = new double[SIZE * SIZE];
    for (int row = 0; row < SIZE; row++)
      for (int column = 0; column < SIZE; column++)
        values[row * SIZE + column] = f.applyAsDouble(column, row);
    return values;
  }

  private static double x(Contours.Line line, int i) {
    return line.column(i);
  }

  private static double y(Contours.Line line, int i) {
    return line.row(i);
  }

  /// Twice the area, which is positive where the line turns as x turns to y.
  private static double area(Contours.Line line) {
    double sum = 0;
    for (int i = 0; i + 1 < line.size(); i++)
      sum += x(line, i) * y(line, i + 1) - x(line, i + 1) * y(line, i);
    return sum;
  }

  @Test
  void aConeHasOneCircleAtEachLevel() {
    double[] cone = grid((x, y) -> Math.hypot(x - 20, y - 20));
    List<Contours.Line> lines = Contours.of(cone, SIZE, SIZE, 3.3, 10, 17.25);
    assertEquals(3, lines.size());
    for (Contours.Line line : lines) {
      assertTrue(line.closed());
      for (int i = 0; i < line.size(); i++)
        // the cone bends by at most 1/r between two pixels, and a chord misses an arc by 1/(8 r)
        assertEquals(
            line.level(),
            Math.hypot(x(line, i) - 20, y(line, i) - 20),
            1 / (8 * line.level()) + 1e-12);
      assertEquals(2 * Math.PI * line.level() * line.level(), Math.abs(area(line)), 4);
    }
    assertTrue(area(lines.get(0)) * area(lines.get(2)) > 0, "all lines turn the same way");
    double[] hill = grid((x, y) -> -Math.hypot(x - 20, y - 20));
    assertTrue(area(Contours.of(hill, SIZE, SIZE, -10).getFirst()) * area(lines.get(1)) < 0);
  }

  @Test
  void higherValuesLieOnTheLeft() {
    // seen on a map, whose rows run down: left of the direction (dx, dy) is (dy, −dx)
    double[] slope = grid((x, y) -> x);
    Contours.Line line = Contours.of(slope, SIZE, SIZE, 12.5).getFirst();
    assertFalse(line.closed());
    assertEquals(SIZE, line.size());
    for (int i = 0; i + 1 < line.size(); i++) {
      assertEquals(12.5, x(line, i));
      assertEquals(1, y(line, i + 1) - y(line, i), "down the map: the left is the east");
    }
  }

  @Test
  void aSaddleHasTwoLinesThatEndAtTheBorder() {
    double[] saddle = grid((x, y) -> (x - 20.5) * (y - 20.5));
    for (double level : new double[] {-30, -0.1, 0.1, 30}) {
      List<Contours.Line> lines = Contours.of(saddle, SIZE, SIZE, level);
      assertEquals(2, lines.size(), "level " + level);
      for (Contours.Line line : lines) {
        assertFalse(line.closed());
        for (int i : new int[] {0, line.size() - 1})
          assertTrue(
              x(line, i) == 0
                  || y(line, i) == 0
                  || x(line, i) == SIZE - 1
                  || y(line, i) == SIZE - 1);
        for (int i = 0; i < line.size(); i++) {
          assertTrue((x(line, i) - 20.5) * (x(line, 0) - 20.5) > 0, "one branch of the hyperbola");
          boolean middle = Math.abs(x(line, i) - 20.5) <= 0.5 && Math.abs(y(line, i) - 20.5) <= 0.5;
          if (!middle) // along an edge the product is linear, so the crossing is exact
          assertEquals(level, (x(line, i) - 20.5) * (y(line, i) - 20.5), 1e-9);
        }
      }
    }
  }

  @Test
  void noLineEntersACellWithoutAValue() {
    double[] cone = grid((x, y) -> Math.hypot(x - 20, y - 20));
    for (int row = 0; row < SIZE; row++)
      for (int column = 26; column < 30; column++) cone[row * SIZE + column] = Double.NaN;
    List<Contours.Line> lines = Contours.of(cone, SIZE, SIZE, 10);
    assertEquals(1, lines.size(), "the level is passed again only between 29 and 30, which is cut");
    assertFalse(lines.getFirst().closed());
    for (int i = 0; i < lines.getFirst().size(); i++) assertTrue(x(lines.getFirst(), i) <= 25);
    lines = Contours.of(cone, SIZE, SIZE, 12);
    assertEquals(2, lines.size());
  }

  @Test
  void everyLineOfRandomValuesIsClosedOrEndsAtTheBorder() {
    for (long seed = 1; seed <= 20; seed++) {
      var random = new SplittableRandom(seed);
      // whole numbers: corners lie exactly on levels too
      double[] values = grid((x, y) -> random.nextInt(4));
      for (double level : new double[] {1, 1.5, 2}) {
        for (Contours.Line line : Contours.of(values, SIZE, SIZE, level)) {
          if (line.closed()) continue;
          for (int i : new int[] {0, line.size() - 1})
            assertTrue(
                x(line, i) == 0
                    || y(line, i) == 0
                    || x(line, i) == SIZE - 1
                    || y(line, i) == SIZE - 1,
                "seed " + seed + " level " + level);
        }
      }
    }
  }

  @Test
  void levelsAreRoundAndLieBetween() {
    assertArrayEquals(
        new double[] {10, 20, 30, 40}, Contours.levels(new double[] {3, 47, Double.NaN}, 4));
    assertArrayEquals(new double[] {-0.1, 0, 0.1}, Contours.levels(new double[] {-0.2, 0.2}, 3));
    assertEquals(0, Contours.levels(new double[] {5, 5}, 4).length);
    double[] many = Contours.levels(new double[] {0, 1}, 10);
    assertTrue(many.length >= 9 && many.length <= 20, Arrays.toString(many));
  }
}
