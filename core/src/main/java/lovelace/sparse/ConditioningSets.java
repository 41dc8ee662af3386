package lovelace.sparse;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.StationaryPart;
import org.jspecify.annotations.Nullable;

/// The nodes that each node of a grid is regressed on: its k most correlated ones among those that
/// come before it in [DyadicOrder]. Of equally correlated nodes, the one that is ahead in the order
/// of the grid is taken.
///
/// Away from the edges all nodes of a group have the same offsets. So the sets are stored as a few
/// *shapes*, which are lists of offsets, and the number of a shape for each node. Once made, the
/// sets and the precision's pattern do not change with the kernel's parameters.
public final class ConditioningSets {

  private final Grid grid;
  private final int[] nodes;
  private final int[] shapeOf;
  private final int[] nodesOf;
  private final int[][] offsets;
  private final int[][] jumps;
  private final int[] selves;

  private ConditioningSets(Grid grid, int[] nodes, int[] shapeOf, List<int[]> shapes) {
    this.grid = grid;
    this.nodes = nodes;
    this.shapeOf = shapeOf;
    int d = grid.dimensions();
    offsets = shapes.toArray(int[][]::new);
    nodesOf = new int[offsets.length];
    for (int s : shapeOf) nodesOf[s]++;
    jumps = new int[offsets.length][];
    selves = new int[offsets.length];
    for (int s = 0; s < offsets.length; s++) {
      jumps[s] = new int[offsets[s].length / d];
      for (int j = 0; j < jumps[s].length; j++)
        for (int a = 0; a < d; a++) jumps[s][j] += offsets[s][j * d + a] * grid.stride(a);
      selves[s] = Arrays.binarySearch(jumps[s], 0);
    }
  }

  /// The sets of k nodes for the kernel over one grid, which must be stationary. The order follows
  /// the lengthscales of its first term.
  public static ConditioningSets of(LatticeKernel.Block block, int k) {
    if (k < 1) throw new IllegalArgumentException("a node needs k ≥ 1 neighbours, got " + k);
    StationaryPart part = LocalRegressions.stationary(block);
    return new Search(block.grid(), part.lagValues(), lengths(block, part), k).run();
  }

  /// The length over which the first term of the kernel varies along each axis, in cells.
  private static double[] lengths(LatticeKernel.Block block, StationaryPart part) {
    double[] lengths = lengths(part.kernel(), block.columns());
    for (int a = 0; a < lengths.length; a++) lengths[a] /= block.grid().axis(a).step();
    return lengths;
  }

  /// The length over which the first term of a kernel varies along each of some columns. Factors of
  /// a product combine like those of Gaussians. A column that the term does not read takes its
  /// length from the next one that does.
  public static double[] lengths(Kernel kernel, int[] columns) {
    double[] lengths = new double[columns.length];
    Arrays.fill(lengths, Double.POSITIVE_INFINITY);
    for (int a = 0; a < columns.length; a++)
      for (int t = 0; t < kernel.terms().size() && Double.isInfinite(lengths[a]); t++) {
        double sum = 0;
        for (Leaf leaf : kernel.terms().get(t).factors()) {
          double[] own = leaf.lengths();
          int[] read = leaf.columns();
          for (int i = 0; i < own.length; i++)
            if (read[i % read.length] == columns[a] && own[i] > 0) sum += 1 / (own[i] * own[i]);
        }
        lengths[a] = 1 / Math.sqrt(sum);
      }
    return lengths;
  }

  public Grid grid() {
    return grid;
  }

  /// The number of different shapes.
  public int shapes() {
    return offsets.length;
  }

  /// The shape of a node's set.
  public int shapeOf(int node) {
    return shapeOf[node];
  }

  /// The number of nodes with a shape.
  int nodesOf(int shape) {
    return nodesOf[shape];
  }

  /// All nodes, each after the nodes of its set. Not to be modified.
  int[] order() {
    return nodes;
  }

  /// The members of a shape: the nodes of the set and the node itself, in the order of the grid.
  /// They are given by their offsets in cells along each axis, one member after the other. Not to
  /// be modified.
  int[] offsets(int shape) {
    return offsets[shape];
  }

  /// The same as differences of grid indices, ascending. Not to be modified.
  public int[] jumps(int shape) {
    return jumps[shape];
  }

  /// The position among the members of the node itself, whose jump is 0.
  int self(int shape) {
    return selves[shape];
  }

  /// Finds the sets.
  private static final class Search {

    /// Correlations are stored as whole numbers of this size.
    private static final double ONE = 1e12;

    /// The value used as the correlation of a node beyond the grid.
    private static final double BEYOND = -ONE;

    /// The bits of a key for the number of a node in a box.
    private static final int INDEX_BITS = 21;

    private final Grid grid;
    private final int d;
    private final int[] points;
    private final double[] correlation; // by lag, rounded so that equal distances tie
    private final double[] lengths;
    private final int k;
    private final List<int[]> shapes = new ArrayList<>();
    private final Map<IntBuffer, Integer> known = new HashMap<>();

    Search(Grid grid, double[] lagValues, double[] lengths, int k) {
      this.grid = grid;
      this.lengths = lengths;
      this.k = k;
      d = grid.dimensions();
      points = new int[d];
      for (int a = 0; a < d; a++) points[a] = grid.axis(a).points();
      correlation = new double[lagValues.length];
      for (int i = 0; i < correlation.length; i++)
        correlation[i] = Math.rint(lagValues[i] / lagValues[0] * ONE);
    }

    ConditioningSets run() {
      DyadicOrder order = DyadicOrder.of(points, lengths);
      int[] nodes = new int[grid.size()];
      int[] shapeOf = new int[grid.size()];
      int rank = 0;
      for (DyadicOrder.Group group : order.groups()) {
        Neighbourhood neighbourhood = new Neighbourhood(group);
        for (int node : group.nodes()) {
          shapeOf[node] = rank <= k ? allOf(nodes, rank, node) : neighbourhood.shape(node);
          nodes[rank++] = node;
        }
      }
      return new ConditioningSets(grid, nodes, shapeOf, shapes);
    }

    private int coordinate(int node, int axis) {
      return node / grid.stride(axis) % points[axis];
    }

    /// The shape of one of the first nodes, which have fewer than k before them and take all of
    /// them.
    private int allOf(int[] nodes, int rank, int node) {
      int[] offsets = new int[rank * d];
      for (int j = 0; j < rank; j++)
        for (int a = 0; a < d; a++)
          offsets[j * d + a] = coordinate(nodes[j], a) - coordinate(node, a);
      return number(offsets);
    }

    /// The number of the shape with these neighbours.
    private int number(int[] neighbours) {
      int[] all = Arrays.copyOf(neighbours, neighbours.length + d); // and the node itself
      int[] sorted =
          IntStream.range(0, all.length / d)
              .boxed()
              .sorted((i, j) -> Arrays.compare(all, i * d, i * d + d, all, j * d, j * d + d))
              .flatMapToInt(i -> IntStream.range(i * d, i * d + d))
              .map(i -> all[i])
              .toArray();
      Integer number = known.putIfAbsent(IntBuffer.wrap(sorted), shapes.size());
      if (number != null) return number;
      shapes.add(sorted);
      return shapes.size() - 1;
    }

    /// The correlation at an offset in cells; [#BEYOND] if the grid is too small for it.
    private double correlation(int[] cells, int at) {
      int lag = 0;
      for (int a = 0; a < d; a++) {
        int length = Math.abs(cells[at + a]);
        if (length >= points[a]) return BEYOND;
        lag += length * grid.stride(a);
      }
      return correlation[lag];
    }

    /// The surroundings of the nodes of a group, in boxes that widen until no node outside the box
    /// can be more correlated than the k best inside.
    private final class Neighbourhood {
      private final DyadicOrder.Group group;
      private final List<Box> boxes = new ArrayList<>();
      private int[] inner = new int[0]; // half widths of the box for nodes far from edges
      private int innerShape = -1;

      Neighbourhood(DyadicOrder.Group group) {
        this.group = group;
      }

      int shape(int node) {
        int[] room = new int[2 * d]; // positions below and above, axis by axis
        boolean far = innerShape >= 0;
        for (int a = 0; a < d; a++) {
          room[2 * a] = group.position(a, coordinate(node, a));
          room[2 * a + 1] = group.positions(a) - 1 - room[2 * a];
          far = far && Math.min(room[2 * a], room[2 * a + 1]) > inner[a];
        }
        if (far) return innerShape;
        for (int b = 0; ; b++) {
          if (b == boxes.size()) boxes.add(new Box(group, b == 0 ? null : boxes.get(b - 1)));
          Box box = boxes.get(b);
          int shape = box.shape(room);
          if (shape < 0) continue;
          boolean free = true;
          for (int a = 0; a < d; a++) free &= Math.min(room[2 * a], room[2 * a + 1]) > box.reach[a];
          if (free) {
            inner = box.reach;
            innerShape = shape;
          }
          return shape;
        }
      }
    }

    /// Nodes around one, the most correlated first.
    private static final class Candidates {
      final int[] offsets; // in positions
      final int[] cells; // the same in cells

      Candidates(int[] offsets, int[] cells) {
        this.offsets = offsets;
        this.cells = cells;
      }
    }

    /// The earlier nodes within `reach` positions along each axis.
    private final class Box {
      private final DyadicOrder.Group group;
      private final int[] reach;
      private final double[] outside; // the largest correlation beyond the box, along each axis
      private final Map<IntBuffer, Candidates> candidates = new HashMap<>();
      private final Map<IntBuffer, Integer> found = new HashMap<>();

      Box(DyadicOrder.Group group, @Nullable Box smaller) {
        this.group = group;
        if (smaller == null) {
          reach = new int[d];
          Arrays.fill(reach, 2);
        } else {
          reach = smaller.reach.clone();
          int widen = 0;
          for (int a = 1; a < d; a++) if (smaller.outside[a] > smaller.outside[widen]) widen = a;
          reach[widen]++;
        }
        outside = new double[d];
        for (int a = 0; a < d; a++) {
          int[] step = new int[d];
          step[a] = -group.cells(a, 0, -reach[a] - 1); // no less from any other position
          outside[a] = correlation(step, 0);
        }
      }

      /// The earlier nodes in the box around a node that has `above` positions above it.
      private Candidates candidates(int[] above) {
        int count = 1;
        for (int r : reach) count *= 2 * r + 1;
        int[] offsets = new int[count * d];
        int[] cells = new int[count * d];
        long[] keys = new long[count];
        int filled = 0;
        int[] offset = new int[d];
        for (int i = 0; i < count; i++) {
          int rest = i;
          boolean inside = true;
          for (int a = d - 1; a >= 0; a--) {
            int width = 2 * reach[a] + 1;
            offset[a] = reach[a] - rest % width; // those ahead first
            rest /= width;
            inside &= offset[a] <= above[a];
            offsets[filled * d + a] = offset[a];
            cells[filled * d + a] = group.cells(a, above[a], offset[a]);
          }
          if (!inside) continue;
          double value = correlation(cells, filled * d);
          if (value == BEYOND || !group.earlier(offset, above)) continue;
          keys[filled] = ((long) (-BEYOND - value) << INDEX_BITS) + filled;
          filled++;
        }
        keys = Arrays.copyOf(keys, filled);
        Arrays.sort(keys);
        int[] sortedOffsets = new int[filled * d];
        int[] sortedCells = new int[filled * d];
        for (int i = 0; i < filled; i++) {
          int from = (int) (keys[i] & ((1L << INDEX_BITS) - 1));
          System.arraycopy(offsets, from * d, sortedOffsets, i * d, d);
          System.arraycopy(cells, from * d, sortedCells, i * d, d);
        }
        return new Candidates(sortedOffsets, sortedCells);
      }

      /// The shape of a node with this much room around it, −1 if a wider box is needed.
      int shape(int[] room) {
        int[] clipped = new int[2 * d]; // all that this box can distinguish
        for (int i = 0; i < 2 * d; i++) clipped[i] = Math.min(room[i], reach[i / 2] + 1);
        return found.computeIfAbsent(IntBuffer.wrap(clipped), key -> search(clipped));
      }

      private int search(int[] room) {
        int[] above = new int[d];
        for (int a = 0; a < d; a++) above[a] = room[2 * a + 1];
        Candidates all =
            candidates.computeIfAbsent(IntBuffer.wrap(above), key -> candidates(above));
        int[] taken = new int[k * d];
        int count = 0;
        for (int i = 0; i < all.offsets.length && count < k; i += d) {
          boolean inside = true;
          for (int a = 0; a < d; a++) inside &= all.offsets[i + a] >= -room[2 * a];
          if (inside) System.arraycopy(all.cells, i, taken, d * count++, d);
        }
        boolean whole = true; // nothing lies outside the box
        double beyond = BEYOND;
        for (int a = 0; a < d; a++)
          if (Math.max(room[2 * a], room[2 * a + 1]) > reach[a]) {
            whole = false;
            beyond = Math.max(beyond, outside[a]);
          }
        if (whole) return number(Arrays.copyOf(taken, count * d));
        // strictly, so that ties do not depend on the box
        return count == k && correlation(taken, (k - 1) * d) > beyond ? number(taken) : -1;
      }
    }
  }
}
