package lovelace.linear.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NestedDissectionTest {

  static List<SparseCholeskyTest.Case> cases() {
    return SparseCholeskyTest.cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyPointComesOnce(SparseCholeskyTest.Case a) {
    NestedDissection order = NestedDissection.of(a.pattern(), a.points());
    int[] points = IntStream.range(0, order.size()).map(order::point).sorted().toArray();
    assertArrayEquals(IntStream.range(0, a.size()).toArray(), points);
    assertEquals(0, order.start(0));
    assertEquals(a.size(), order.start(order.blocks()));
    for (int b = 0; b < order.blocks(); b++) assertTrue(order.start(b) < order.start(b + 1));
  }

  /// The rows of a front, from elimination of the graph itself, one point after the other.
  @ParameterizedTest
  @MethodSource("cases")
  void frontsHoldAllFill(SparseCholeskyTest.Case a) {
    Fronts fronts = a.fronts();
    int n = a.size();
    boolean[][] coupled = new boolean[n][n];
    for (int p = 0; p < n; p++)
      for (int q = 0; q < p; q++)
        coupled[p][q] = a.pattern().entry(fronts.order().point(p), fronts.order().point(q)) >= 0;
    for (int c = 0; c < n; c++) {
      int column = c;
      int[] later = IntStream.range(c + 1, n).filter(r -> coupled[r][column]).toArray();
      for (int i = 0; i < later.length; i++)
        for (int j = 0; j < i; j++) coupled[later[i]][later[j]] = true;
      int front = fronts.frontOf(c);
      int end = fronts.order().start(front + 1);
      for (int r : later)
        assertTrue(
            r < end || Arrays.binarySearch(fronts.rows(front), r) >= 0,
            () -> a + ": fill at " + column);
    }
  }

  @Test
  void separatorIsAsWideAsCouplingsReach() {
    for (int reach : new int[] {1, 2, 3, 5}) {
      NestedDissection order = NestedDissection.of(new int[] {60, 40}, reach);
      int last = order.blocks() - 1;
      assertEquals(reach * 40, order.start(last + 1) - order.start(last));
    }
    NestedDissection box = NestedDissection.of(new int[] {9, 20, 8}, 2);
    assertEquals(2 * 72, box.size() - box.start(box.blocks() - 1));
    NestedDissection line = NestedDissection.of(new int[] {1000}, 4);
    assertEquals(4, line.size() - line.start(line.blocks() - 1));
  }

  /// The factor of a line has its bandwidth, that of a plane about n log n entries.
  @Test
  void factorsAreSmall() {
    int[] line = {20_000};
    Fronts chain = Fronts.of(SparsePattern.grid(line, 1), NestedDissection.of(line, 1));
    assertTrue(chain.numbers() < 40 * 20_000 * 2, () -> "line: " + chain.numbers());
    double[] perPoint = new double[2];
    for (int k = 0; k < 2; k++) {
      int[] shape = {60 << k, 60 << k};
      Fronts plane = Fronts.of(SparsePattern.grid(shape, 1), NestedDissection.of(shape, 1));
      perPoint[k] = (double) plane.numbers() / (shape[0] * shape[1]);
    }
    assertTrue(perPoint[1] < 1.4 * perPoint[0], perPoint[0] + " then " + perPoint[1]);
    assertTrue(perPoint[1] < 120, "a point: " + perPoint[1]);
  }

  @Test
  void patternsAreCheckedAndJoined() {
    SparsePattern one = SparsePattern.grid(new int[] {6, 5}, 1);
    SparsePattern two = SparsePattern.grid(new int[] {6, 5}, 2);
    SparsePattern joined = one.union(two);
    assertEquals(two.entries(), joined.entries());
    assertEquals(30 + 4 * 6 + 5 * 5 + 2 * 4 * 5, one.entries());
    assertTrue(one.entry(0, 2) < 0);
    assertEquals(two.entry(0, 2), joined.entry(2, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> SparsePattern.adopt(new int[] {0, 1, 2}, new int[] {0, 0}));
    assertThrows(
        IllegalArgumentException.class,
        () -> SparsePattern.adopt(new int[] {0, 1, 4}, new int[] {0, 0, 0, 1}));
    assertThrows(IllegalArgumentException.class, () -> SparsePattern.grid(new int[] {0}, 1));
    assertThrows(
        IllegalArgumentException.class, () -> NestedDissection.of(one, new double[] {1, 2}));
    assertThrows(
        IllegalArgumentException.class,
        () -> NestedDissection.of(SparsePattern.grid(new int[] {1}, 1), new double[] {Double.NaN}));
  }
}
