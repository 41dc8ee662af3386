package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import lovelace.grid.ColumnValues.Nodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnValuesTest {

  private static ColumnValues of(double... values) {
    ColumnValues column = new ColumnValues();
    for (int i = 0; i < values.length; i++) column.add(values[i], i + 1);
    return column;
  }

  private static ColumnValues of(int count, IntToDoubleFunction value) {
    return of(IntStream.range(0, count).mapToDouble(value).toArray());
  }

  private static double rounded(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue();
  }

  private static Nodes found(ColumnValues column) {
    Nodes nodes = column.nodes();
    assertNotNull(nodes, column.reason("the column"));
    return nodes;
  }

  private static void assertNodes(double first, double step, int count, Nodes nodes, double eps) {
    assertEquals(count, nodes.count(), nodes::toString);
    assertEquals(first, nodes.first(), eps * step, nodes::toString);
    assertEquals(step, nodes.step(), eps * step / count, nodes::toString);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theStepIsFoundThroughGapsInAnyOrder(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double first = 200 * random.nextDouble() - 100;
    double step = Math.exp(6 * random.nextDouble() - 3);
    int count = 20 + random.nextInt(2000);
    double share = 0.15 + 0.8 * random.nextDouble();
    ColumnValues column = new ColumnValues();
    column.add(first, 1);
    column.add(first + (count - 1) * step, 2);
    for (int i = 0; i < 4 * count; i++) {
      int node = random.nextInt(count);
      if (random.nextDouble() < share) column.add(first + node * step, 0);
    }
    assertNodes(first, step, count, found(column), 1e-6);
  }

  @Test
  void aStepThatNoTwoNeighboursShowIsFoundToo() {
    // neighbours are 2 and 3, or 6, 10 and 15 steps apart
    assertNodes(0, 0.7, 201, found(of(81, i -> 0.7 * (i / 2 * 5 + i % 2 * 2))), 1e-9);
    double[] three = new double[4];
    int[] at = {0, 6, 16, 31};
    for (int i = 0; i < 4; i++) three[i] = 5 + 0.01 * at[i];
    assertNodes(5, 0.01, 32, found(of(three)), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({
    "-95.91152999, 0.00927398665, 500, 8", // kilometres in degrees
    "-179.99583, 0.008333333333, 4000, 4", // half minutes of arc by four decimals
    "0, 0.0416666666667, 8760, 4", // hours in days
    "34.2, 0.05, 77, 2",
    "1949, 0.0833333333333, 144, 3"
  })
  void coordinatesOfFewDigitsAreNodes(double first, double step, int count, int decimals) {
    ColumnValues column = of(count, i -> rounded(first + i * step, decimals));
    double eps = 2 * Math.pow(10, -decimals) / step;
    Nodes nodes = found(column);
    assertEquals(count, nodes.count());
    assertEquals(first, nodes.first(), eps * step);
    assertEquals(step, nodes.step(), 2 * eps * step / count);
    assertTrue(nodes.off() <= Grid.SNAP, nodes::toString);
    // floats of the same coordinates stand for the same nodes
    for (int i = 0; i < count; i += 3) column.add((float) rounded(first + i * step, decimals), 0);
    if (Math.ulp((float) first) < 0.005 * step) assertEquals(count, found(column).count());
  }

  @Test
  void roundingsOfOneNodeAreOneNode() {
    SplittableRandom random = new SplittableRandom(3);
    ColumnValues column = of(3000, i -> 10 + 0.5 * (i % 60) + 1e-3 * random.nextDouble());
    assertEquals(60, found(column).count());
    assertEquals(0.5, found(column).step(), 1e-4);
  }

  @Test
  void irregularValuesAreNoNodes() {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int count = 4 + random.nextInt(400);
      assertNull(of(count, i -> random.nextDouble()).nodes(), "seed " + seed);
    }
    assertNull(of(30, i -> Math.sqrt(i)).nodes());
    assertNull(of(200, i -> i / 2 + i % 2 * Math.PI / 10).nodes()); // two grids, not one
  }

  @Test
  void oneOddValueIsNamedWithItsRow() {
    ColumnValues column = of(1000, i -> i == 616 ? 616.283717 : i);
    assertNull(column.nodes());
    assertEquals(
        "column 'hour' has no grid of its own: 616.283717 (row 617) is not a whole number of steps"
            + " of 1, the commonest, from its neighbours; drop such rows or give grid points",
        column.reason("column 'hour'"));
    assertTrue(of(10, i -> i == 0 ? 0.4137 : i).reason("x").contains("0.4137 (row 1) is"));
    assertTrue(of(10, i -> i == 9 ? 9.4137 : i).reason("x").contains("9.4137 (row 10) is"));
  }

  @Test
  void twoGridsThatShareASmallerStepAreOne() {
    assertNodes(0, 0.5, 100, found(of(100, i -> i / 2 + i % 2 * 0.5)), 1e-9);
    assertNodes(0, 0.1, 994, found(of(200, i -> i / 2 + i % 2 * 0.3)), 1e-9);
  }

  @Test
  void whatGivesNoStepSaysSo() {
    assertNull(of(3, 3, 3).nodes());
    assertEquals(
        "x has no grid of its own: its only value, 3.0, tells no step; give grid points",
        of(3, 3, 3).reason("x"));
    ColumnValues many = of(ColumnValues.MOST + 1, i -> i);
    assertNull(many.nodes());
    assertEquals(
        "x has no grid of its own: it has more than 100,000 different values; give grid points",
        many.reason("x"));
    assertEquals(ColumnValues.MOST, found(of(ColumnValues.MOST, i -> 3 * i)).count());
    assertEquals(2, found(of(0.0, -0.0, 1, Double.NaN, 1)).count());
  }

  @Test
  void anAxisHasAMarginOfTwoNodesAndItsDataOnNodes() {
    Axis axis = found(of(50, i -> 7 + 0.25 * i)).axis(7, 7 + 0.25 * 49);
    assertEquals(54, axis.points());
    assertEquals(6.5, axis.at(0), 1e-12);
    for (int i = 0; i < 50; i++) assertEquals(7 + 0.25 * i, axis.at(i + 2), 1e-12);
    Axis wide = found(of(50, i -> 7 + 0.25 * i)).axis(6.3, 22);
    assertEquals(0, Math.IEEEremainder(wide.at(0) - 7, 0.25), 1e-12);
    assertTrue(wide.at(2) <= 6.3 && wide.at(3) > 6.3, wide::toString);
    assertTrue(wide.at(wide.points() - 3) >= 22 && wide.at(wide.points() - 4) < 22);
  }

  @Test
  void boundsAreNodesOrNone() {
    ColumnValues column = of(30, i -> 2 + 0.1 * i);
    Nodes nodes = column.nodes(1, 6);
    assertNotNull(nodes);
    assertNodes(1, 0.1, 51, nodes, 1e-9);
    assertNull(column.nodes(1.04, 6.04));
    assertNull(column.within(8, 9).nodes());
    assertEquals(11, found(column.within(2.95, 4.05)).count());
  }
}
