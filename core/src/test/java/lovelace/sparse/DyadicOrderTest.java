package lovelace.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DyadicOrderTest {

  private static int[] shape(String text) {
    return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
  }

  static LatticeKernel.Block block(String text, int... shape) {
    Axis[] axes = new Axis[shape.length];
    for (int a = 0; a < axes.length; a++) axes[a] = new Axis(-3, 1, shape[a]);
    return LatticeKernel.of(Grid.of(axes), Kernel.parse(text).bind(shape.length))
        .blocks()
        .getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "26x21, 12, 5, 1",
    "9x8x7, 6, 4, 2",
    "17x5, 1, 40, 1",
    "33, 2, 1, 1",
    "4x4x4, 1, 1, 1"
  })
  void groupsHoldEveryNodeOnceAndKnowWhatComesEarlier(
      String text, double l0, double l1, double l2) {
    int[] shape = shape(text);
    int d = shape.length;
    DyadicOrder order = DyadicOrder.of(shape, Arrays.copyOf(new double[] {l0, l1, l2}, d));
    List<Integer> nodes = new ArrayList<>();
    for (var group : order.groups()) for (int node : group.nodes()) nodes.add(node);
    int m = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    int[] rank = new int[m];
    for (int i = 0; i < m; i++) rank[nodes.get(i)] = i;
    assertEquals(m, nodes.size());
    assertArrayEquals(
        IntStream.range(0, m).toArray(), nodes.stream().mapToInt(i -> i).sorted().toArray());
    for (var group : order.groups())
      for (int node : group.nodes())
        for (int other = 0; other < m; other++) {
          int[] offset = new int[d];
          int[] above = new int[d];
          boolean on = other != node;
          for (int a = d - 1, p = node, q = other; a >= 0; p /= shape[a], q /= shape[a--]) {
            int last = shape[a] - 1;
            int from = p % shape[a];
            int to = q % shape[a];
            on &= to % group.spacing(a) == 0 || to == last;
            assertTrue(from % group.spacing(a) == 0 || from == last);
            offset[a] = group.position(a, to) - group.position(a, from);
            above[a] = group.positions(a) - 1 - group.position(a, from);
            if (on) assertEquals(to - from, group.cells(a, above[a], offset[a]));
          }
          if (on) assertEquals(rank[other] < rank[node], group.earlier(offset, above));
        }
  }

  /// Both ends of an axis are on the coarsest stage, whatever the number of nodes. Otherwise nodes
  /// at one end would have neighbours on one side only, and need three times as many.
  @Test
  void lastNodesComeAsEarlyAsFirstOnes() {
    int[] shape = {44, 37};
    List<Integer> order = new ArrayList<>();
    for (var group : DyadicOrder.of(shape, new double[] {9, 9}).groups())
      for (int node : group.nodes()) order.add(node);
    assertEquals(List.of(0, 36, 43 * 37, 43 * 37 + 36), order.subList(0, 4));
    int[] first = new int[4]; // of the edges, the rank of the node in the middle that comes first
    Arrays.fill(first, Integer.MAX_VALUE);
    for (int rank = 4; rank < order.size(); rank++) {
      int i = order.get(rank) / 37;
      int j = order.get(rank) % 37;
      if (j > 0 && j < 36 && i % 43 == 0) first[i / 43] = Math.min(first[i / 43], rank);
      if (i > 0 && i < 43 && j % 36 == 0) first[2 + j / 36] = Math.min(first[2 + j / 36], rank);
    }
    assertEquals(1, first[1] - first[0]);
    assertEquals(1, first[3] - first[2]);
  }

  @Test
  void theAxisWithTheLargestSpacingIsHalvedAndOthersWithItWithinLessThanTwo() {
    List<List<Integer>> spacings = new ArrayList<>();
    for (var group : DyadicOrder.of(new int[] {16, 16}, new double[] {8, 2}).groups()) {
      List<Integer> spacing = List.of(group.spacing(0), group.spacing(1));
      if (!spacings.contains(spacing)) spacings.add(spacing);
    }
    assertEquals(
        List.of(List.of(16, 16), List.of(16, 8), List.of(16, 4), List.of(8, 2), List.of(4, 1)),
        spacings.subList(0, 5));
    assertThrows(
        IllegalArgumentException.class,
        () -> DyadicOrder.of(new int[] {16, 16}, new double[] {8, Double.NaN}));
  }

  @ParameterizedTest
  @CsvSource({
    "'1*matern32(lengthscale=[12,5])', 26x21, 24",
    "'1*matern12(lengthscale=[6,4,2])', 9x8x7, 24",
    "'1*matern12(lengthscale=9)', 70, 6",
    "'1*matern12(lengthscale=[60,3])', 30x24, 40",
    "'0.5*rq(lengthscale=[20,20], alpha=0.7) + 0.1*matern32(lengthscale=[2,1.5])', 23x31, 12",
    "'1*matern32(lengthscale=[5,5])', 5x4, 24"
  })
  void setsHoldTheMostCorrelatedEarlierNodes(String text, String size, int k) {
    int[] shape = shape(size);
    LatticeKernel.Block block = block(text, shape);
    ConditioningSets sets = ConditioningSets.of(block, k);
    int m = block.grid().size();
    int[] order = sets.order();
    Set<Integer> before = new HashSet<>();
    for (int rank = 0; rank < m; rank++) {
      int node = order[rank];
      double[] expected =
          before.stream()
              .mapToDouble(j -> -block.parts().getFirst().entry(node, j))
              .sorted()
              .toArray();
      int[] jumps = sets.jumps(sets.shapeOf(node));
      assertEquals(Math.min(rank, k), jumps.length - 1);
      assertEquals(jumps.length, Arrays.stream(jumps).distinct().count());
      assertEquals(0, jumps[sets.self(sets.shapeOf(node))]);
      double[] found =
          Arrays.stream(jumps)
              .filter(jump -> jump != 0)
              .peek(jump -> assertTrue(before.contains(node + jump)))
              .mapToDouble(jump -> -block.parts().getFirst().entry(node, node + jump))
              .sorted()
              .toArray();
      // equal distances may round apart, so a tie may go either way
      assertArrayEquals(Arrays.copyOf(expected, found.length), found, 1e-11);
      before.add(node);
    }
  }

  /// The numbers come from another program (NumPy), by the same definition.
  @Test
  void nodesAwayFromTheEdgesShareFewShapes() {
    ConditioningSets map =
        ConditioningSets.of(block("1.393*matern12(lengthscale=[59.7,36.5])", 500, 300), 24);
    assertEquals(477, map.shapes());
    assertEquals(3, innerShapes(map));
    assertEquals(
        7, innerShapes(ConditioningSets.of(block("1*matern32(lengthscale=20)", 30, 30, 30), 24)));
  }

  private static int innerShapes(ConditioningSets sets) {
    Set<Integer> inner = new HashSet<>();
    Grid grid = sets.grid();
    for (int i = 0; i < grid.size(); i++) {
      boolean odd = false;
      boolean far = true;
      for (int a = 0; a < grid.dimensions(); a++) {
        int at = i / grid.stride(a) % grid.axis(a).points();
        odd |= at % 2 == 1;
        far &= at >= 8 && at < grid.axis(a).points() - 8;
      }
      if (odd && far) inner.add(sets.shapeOf(i));
    }
    return inner.size();
  }

  @Test
  void kernelsThatAreNotStationaryAreRefused() {
    LatticeKernel.Block block = block("1*matern32(lengthscale=3) + linear(variance=1)", 8, 8);
    assertThrows(IllegalArgumentException.class, () -> ConditioningSets.of(block, 4));
    LatticeKernel.Block good = block("1*matern32(lengthscale=3)", 8, 8);
    assertThrows(IllegalArgumentException.class, () -> ConditioningSets.of(good, 0));
  }
}
