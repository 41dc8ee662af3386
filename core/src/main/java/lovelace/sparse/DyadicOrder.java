package lovelace.sparse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The nodes of a grid from coarse to fine. The corners come first. Each stage halves the spacing
/// along the axis on which it is largest in lengthscales, and along every axis within a factor of
/// two of that one. Along each axis its *positions* are the multiples of the spacing and the last
/// index. The nodes that enter are those at positions along all axes. Among these, nodes at odd
/// multiples along more of the halved axes come first. Nodes that are odd along the same axes, a
/// [Group], follow each other in the order of the grid.
///
/// The first and the last index are positions of every stage. Otherwise all nodes near the high
/// edges would be regressed on nodes of one side only.
final class DyadicOrder {

  /// The nodes of a stage that are odd along the same axes. The earlier nodes around one of them
  /// are the same for all that are equally close to the high edges.
  static final class Group {
    private final int[] shape;
    private final int[] spacing;
    private final int halved; // bit d − 1 − a is axis a
    private final int odd;
    private final int[] nodes;

    private Group(int[] shape, int[] spacing, int halved, int odd, int[] nodes) {
      this.shape = shape;
      this.spacing = spacing;
      this.halved = halved;
      this.odd = odd;
      this.nodes = nodes;
    }

    /// The nodes in order, as indices of the grid. Not to be modified.
    int[] nodes() {
      return nodes;
    }

    /// The spacing of the stage along an axis, in cells of the grid.
    int spacing(int axis) {
      return spacing[axis];
    }

    /// The number of positions of the stage along an axis.
    int positions(int axis) {
      return shape[axis] == 1 ? 1 : (shape[axis] - 2) / spacing[axis] + 2;
    }

    /// The position of a node of the stage along an axis, given its index along it.
    int position(int axis, int index) {
      return index == shape[axis] - 1 ? positions(axis) - 1 : index / spacing[axis];
    }

    /// The distance in cells between the last two positions along an axis. Others are a spacing
    /// apart.
    int lastGap(int axis) {
      return shape[axis] - 1 - Math.max(0, positions(axis) - 2) * spacing[axis];
    }

    /// The number of cells that `offset` positions span along an axis, from a node with `above`
    /// positions above it.
    int cells(int axis, int above, int offset) {
      int cells = offset * spacing[axis];
      if (offset > 0 && offset == above) return cells - spacing[axis] + lastGap(axis);
      if (offset < 0 && above == 0) return cells + spacing[axis] - lastGap(axis);
      return cells;
    }

    /// Whether the node at `offset` positions from a node of this group comes before that node.
    ///
    /// @param above the number of positions above the node along each axis, or any number larger
    ///   than the offset
    boolean earlier(int[] offset, int[] above) {
      int d = spacing.length;
      int other = odd;
      int sign = 0; // of the offset in the order of the grid
      for (int a = 0; a < d; a++) {
        int bit = 1 << (d - 1 - a);
        if ((halved & bit) != 0 && offset[a] != 0) {
          // the last position counts as even
          boolean last = offset[a] == above[a];
          int from = above[a] == 0 ? positions(a) - 1 : (odd & bit) != 0 ? 1 : 0;
          other = !last && ((from + offset[a]) & 1) != 0 ? other | bit : other & ~bit;
        }
        if (sign == 0) sign = Integer.signum(offset[a]);
      }
      if (other == 0 && odd != 0) return true; // of an earlier stage
      return other == odd ? sign < 0 : KINDS.compare(other, odd) < 0;
    }
  }

  /// Those odd along more axes come first, then those odd along the first axes.
  private static final Comparator<Integer> KINDS =
      Comparator.<Integer>comparingInt(Integer::bitCount).thenComparingInt(k -> k).reversed();

  private final List<Group> groups;

  private DyadicOrder(List<Group> groups) {
    this.groups = groups;
  }

  /// The order of a grid with `shape[a]` points along axis a, on which the kernel varies over
  /// `lengths[a]` cells (infinite if it does not vary).
  static DyadicOrder of(int[] shape, double[] lengths) {
    int d = shape.length;
    for (double length : lengths)
      if (!(length > 0)) throw new IllegalArgumentException("lengths must be > 0, got " + length);
    int[] spacing = new int[d];
    for (int a = 0; a < d; a++) {
      spacing[a] = 1;
      while (spacing[a] < shape[a]) spacing[a] *= 2;
    }
    List<Group> groups = new ArrayList<>();
    groups.add(new Group(shape, spacing, 0, 0, nodes(shape, spacing, 0, 0)));
    while (IntStream.of(spacing).max().orElse(1) > 1) {
      double widest = 0;
      for (int a = 0; a < d; a++)
        if (spacing[a] > 1) widest = Math.max(widest, spacing[a] / lengths[a]);
      int halved = 0;
      int[] next = spacing.clone();
      for (int a = 0; a < d; a++)
        // strictly within the factor of two, with room for rounding
        if (spacing[a] > 1 && (widest == 0 || spacing[a] / lengths[a] > widest / 2 * (1 + 1e-9))) {
          halved |= 1 << (d - 1 - a);
          next[a] = spacing[a] / 2;
        }
      spacing = next;
      int all = halved;
      for (int odd :
          IntStream.range(1, 1 << d).filter(o -> (o & ~all) == 0).boxed().sorted(KINDS).toList()) {
        int[] nodes = nodes(shape, spacing, halved, odd);
        if (nodes.length > 0) groups.add(new Group(shape, spacing, halved, odd, nodes));
      }
    }
    return new DyadicOrder(List.copyOf(groups));
  }

  private static int[] nodes(int[] shape, int[] spacing, int halved, int odd) {
    int d = shape.length;
    int[] nodes = {0};
    for (int a = 0; a < d; a++) {
      int bit = 1 << (d - 1 - a);
      boolean isOdd = (odd & bit) != 0;
      int first = isOdd ? spacing[a] : 0;
      int step = (halved & bit) != 0 ? 2 * spacing[a] : spacing[a];
      int last = shape[a] - 1;
      int regular = first < last ? (last - 1 - first) / step + 1 : 0;
      int count = isOdd ? regular : regular + 1; // and the last index
      int[] longer = new int[nodes.length * count];
      for (int i = 0; i < longer.length; i++)
        longer[i] =
            nodes[i / count] * shape[a] + (i % count == regular ? last : first + i % count * step);
      nodes = longer;
    }
    return nodes;
  }

  /// The groups from first to last. Every node of the grid is in one.
  List<Group> groups() {
    return groups;
  }
}
