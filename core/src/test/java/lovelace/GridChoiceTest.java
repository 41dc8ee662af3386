package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lovelace.grid.Axis;
import lovelace.grid.StencilMatrix;
import lovelace.options.GridChoice;
import lovelace.planning.GridRule;
import org.junit.jupiter.api.Test;

class GridChoiceTest {

  private static final double[] LOW = {0};
  private static final double[] HIGH = {10};

  @Test
  void withoutALengthscaleTheMarginIsFivePercentOrThreeCells() {
    Axis fine = GridRule.of(GridChoice.DEFAULT).choose(LOW, HIGH).grid().axis(0);
    assertEquals(-0.5, fine.low(), 1e-9);
    assertEquals(10.5, fine.high(), 1e-9);
    Axis coarse = GridRule.of(GridChoice.DEFAULT.withPoints(23)).choose(LOW, HIGH).grid().axis(0);
    assertEquals(-3 * coarse.step(), coarse.low(), 1e-9);
    assertEquals(10 + 3 * coarse.step(), coarse.high(), 1e-9);
    assertEquals(23, coarse.points());
  }

  @Test
  void aLengthscaleGetsItsCellsAndItsMargin() {
    var chosen = GridRule.of(GridChoice.DEFAULT.withLengthscales(2)).choose(LOW, HIGH);
    Axis axis = chosen.grid().axis(0);
    assertTrue(axis.low() <= -2 + 1e-9 && axis.high() >= 12 - 1e-9);
    double cells = 2 / axis.step();
    assertTrue(cells >= 4 && cells <= 9, chosen::explanation);
    assertTrue(chosen.advice().isEmpty());
    assertTrue(chosen.explanation().contains("cells per lengthscale"), chosen::explanation);
  }

  @Test
  void aPoorGridIsNamedWithABetterOne() {
    var chosen =
        GridRule.of(GridChoice.DEFAULT.withPoints("100x50").withLengthscales(0.01, 1))
            .choose(new double[] {0, 0}, new double[] {1, 1});
    assertArrayEquals(
        new int[] {100, 50}, chosen.grid().axes().stream().mapToInt(Axis::points).toArray());
    assertEquals(
        "the lengthscale of column 1, 0.01, is only 0.9 cells; below about 2 the model misses"
            + " detail between grid points. Use a grid of 664x50 points or a shorter range.",
        chosen.advice());
  }

  @Test
  void memoryLimitsTheGridAndTheWordsSaySo() {
    var chosen =
        GridRule.of(GridChoice.DEFAULT.withLengthscales(0.001).withMemory(8 << 20))
            .choose(new double[] {0, 0}, new double[] {1, 1});
    assertTrue(StencilMatrix.bytes(chosen.grid()) < 8 << 20);
    assertTrue(chosen.explanation().contains("limited by the memory"), chosen::explanation);
    assertTrue(chosen.advice().contains("Use a grid of"), chosen::advice);
  }

  @Test
  void pointsAskedForKeepToTheMemoryAllowed() {
    double[] low = {0, 0};
    double[] high = {1, 1};
    GridChoice fine = GridChoice.DEFAULT.withPoints(2100, 2100);
    assertEquals(2100 * 2100, GridRule.of(fine).choose(low, high).grid().size());
    var error =
        assertThrows(
            IllegalArgumentException.class,
            () -> GridRule.of(fine.withMemory(1L << 30)).choose(low, high));
    String told = String.valueOf(error.getMessage());
    assertTrue(told.startsWith("a 2100×2100 grid"), told);
    assertTrue(told.contains("takes 3.8 GiB, more than the 1.0 GiB allowed"), told);
    assertEquals(
        2100 * 2100,
        GridRule.of(fine.withMemory(4L << 30)).choose(low, high).grid().size(),
        "enough is given");
  }

  @Test
  void tablesTooLargeForAnArrayAreRefusedAtOnce() {
    GridChoice huge = GridChoice.DEFAULT.withPoints(6000, 6000).withMemory(1L << 50);
    var error =
        assertThrows(
            IllegalArgumentException.class,
            () -> GridRule.of(huge).choose(new double[] {0, 0}, new double[] {1, 1}));
    assertTrue(
        String.valueOf(error.getMessage()).contains("may have 33,554,431 points"), error::toString);
  }

  @Test
  void namedRangesExtendAndBoundsFix() {
    Axis forecast =
        GridRule.of(GridChoice.DEFAULT.including(0, 5, 20)).choose(LOW, HIGH).grid().axis(0);
    assertTrue(forecast.low() < 0 && forecast.high() > 20);
    Axis fixed = GridRule.of(GridChoice.DEFAULT.bounded(0, -1, 1)).choose(LOW, HIGH).grid().axis(0);
    assertEquals(-1, fixed.low(), 1e-12);
    assertEquals(1, fixed.high(), 1e-12);
  }

  @Test
  void laterBoundsTakeThePlaceOfEarlierOnes() {
    GridChoice choice = GridChoice.DEFAULT.bounded(0, -1, 1).bounded(1, 3, 4).bounded(0, -7, 9);
    var grid = GridRule.of(choice).choose(new double[] {0, 3}, new double[] {1, 4}).grid();
    assertEquals(-7, grid.axis(0).low(), 1e-12);
    assertEquals(9, grid.axis(0).high(), 1e-12);
    assertEquals(3, grid.axis(1).low(), 1e-12);
  }

  @Test
  void oneValueAndBadRequests() {
    assertTrue(
        GridRule.of(GridChoice.DEFAULT).choose(new double[] {3, 3, 3}, 1).grid().axis(0).covers(3));
    assertThrows(
        IllegalArgumentException.class,
        () -> GridRule.of(GridChoice.DEFAULT).choose(new double[0], 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> GridRule.of(GridChoice.DEFAULT).choose(new double[] {Double.NaN}, 1));
    assertThrows(IllegalArgumentException.class, () -> GridChoice.DEFAULT.withPoints("100xx"));
    assertThrows(
        IllegalArgumentException.class,
        () -> GridRule.of(GridChoice.DEFAULT.withPoints(5, 5)).choose(LOW, HIGH));
    assertThrows(
        IllegalArgumentException.class,
        () -> GridRule.of(GridChoice.DEFAULT).choose(new double[10], new double[10]));
  }

  @Test
  void aRangeWithoutWidthOrEndIsRefused() {
    GridChoice choice = GridChoice.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> choice.including(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> choice.bounded(0, 2, 1));
    double infinity = Double.POSITIVE_INFINITY;
    assertThrows(IllegalArgumentException.class, () -> choice.bounded(0, -infinity, 1));
    assertThrows(IllegalArgumentException.class, () -> choice.bounded(0, 1, infinity));
    assertThrows(IllegalArgumentException.class, () -> choice.bounded(0, Double.NaN, 1));
  }
}
