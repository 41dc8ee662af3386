package lovelace.sparse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The nodes of a grid from coarse to fine. A stage halves the spacing along the axis where it is
/// largest in lengthscales, and along every axis within a factor of two of that one; the nodes that
/// enter are those whose indices are multiples of the new spacing. Of these, nodes that are odd
/// along more of the halved axes come first, and nodes that are odd along the same axes, a [Group],
/// follow each other in the order of the grid.
final class DyadicOrder {

  /// The nodes of a stage that are odd along the same axes. Which nodes around one of them come
  /// earlier is the same for all.
  static final class Group {
    private final int[] spacing;
    private final int halved; // bit d − 1 − a is axis a
    private final int odd;
    private final int[] nodes;

    private Group(int[] spacing, int halved, int odd, int[] nodes) {
      this.spacing = spacing;
      this.halved = halved;
      this.odd = odd;
      this.nodes = nodes;
    }

    /// The spacing of the stage along an axis, in cells of the grid.
    int spacing(int axis) {
      return spacing[axis];
    }

    /// The nodes in order, as indices of the grid. Not to be modified.
    int[] nodes() {
      return nodes;
    }

    /// Whether the node at `offset` spacings from a node of this group comes before that node.
    boolean earlier(int[] offset) {
      int d = spacing.length;
      int other = odd;
      int sign = 0; // of the offset in the order of the grid
      for (int a = 0; a < d; a++) {
        int bit = 1 << (d - 1 - a);
        if ((halved & bit) != 0 && (offset[a] & 1) != 0) other ^= bit;
        if (sign == 0) sign = Integer.signum(offset[a]);
      }
      if (other == 0 && odd != 0) return true; // of an earlier stage
      return other == odd ? sign < 0 : KINDS.compare(other, odd) < 0;
    }
  }

  /// Odd along more axes first, then along the first axes.
  private static final Comparator<Integer> KINDS =
      Comparator.<Integer>comparingInt(Integer::bitCount).thenComparingInt(k -> k).reversed();

  private final List<Group> groups;

  private DyadicOrder(List<Group> groups) {
    this.groups = groups;
  }

  /// The order of a grid with `shape[a]` points along axis a, where the kernel varies over
  /// `lengths[a]` cells (infinite where it does not vary).
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
    groups.add(new Group(spacing, 0, 0, new int[] {0}));
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
        if (nodes.length > 0) groups.add(new Group(spacing, halved, odd, nodes));
      }
    }
    return new DyadicOrder(List.copyOf(groups));
  }

  private static int[] nodes(int[] shape, int[] spacing, int halved, int odd) {
    int d = shape.length;
    int[] nodes = {0};
    for (int a = 0; a < d; a++) {
      int bit = 1 << (d - 1 - a);
      int first = (odd & bit) != 0 ? spacing[a] : 0;
      int step = (halved & bit) != 0 ? 2 * spacing[a] : spacing[a];
      int count = first < shape[a] ? (shape[a] - 1 - first) / step + 1 : 0;
      int[] longer = new int[nodes.length * count];
      for (int i = 0; i < longer.length; i++)
        longer[i] = nodes[i / count] * shape[a] + first + i % count * step;
      nodes = longer;
    }
    return nodes;
  }

  /// The groups from first to last; every node of the grid is in one.
  List<Group> groups() {
    return groups;
  }
}
