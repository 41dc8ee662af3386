package lovelace.sparse;

import java.util.Arrays;
import java.util.Locale;
import lovelace.linear.Parallel;

/// An order of the points of a sparse matrix in which its Cholesky factor has few entries (George
/// 1973). The points are cut in two halves by a coordinate; the separator, those points of one half
/// that are coupled with the other, comes last, and each half is ordered in the same way. A
/// separator is as wide as the couplings reach, and where only some points reach far, it holds
/// those only.
///
/// The order is made of blocks of consecutive points: separators, and leaves that are not cut any
/// further. A block comes after all blocks that it separates.
public final class NestedDissection {

  /// Parts of so many points are not cut any further.
  static final int LEAF = 48;

  /// A part is not cut where the separator would be most of it.
  private static final double MOST = 0.8;

  /// Parts of more points than this are cut by several threads.
  private static final int LARGE = 4096;

  private final int[] order;
  private final int[] blocks;

  private NestedDissection(int[] order, int[] blocks) {
    this.order = order;
    this.blocks = blocks;
  }

  /// The order for a pattern, from the coordinates of the points along every axis.
  public static NestedDissection of(SparsePattern pattern, double[]... points) {
    int n = pattern.size();
    for (double[] axis : points) {
      if (axis.length != n)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%d points must have %d coordinates, got %d", n, n, axis.length));
      for (int i = 0; i < n; i++)
        if (!Double.isFinite(axis[i]))
          throw new IllegalArgumentException("point " + i + " has the coordinate " + axis[i]);
    }
    var cutter = new Cutter(pattern, points);
    cutter.cut(0, n, 1);
    int count = 0;
    for (boolean start : cutter.first) if (start) count++;
    int[] blocks = new int[count + 1];
    blocks[count] = n;
    for (int i = n - 1; i >= 0; i--) if (cutter.first[i]) blocks[--count] = i;
    return new NestedDissection(cutter.order, blocks);
  }

  /// The order for a regular grid whose points are coupled up to `reach` apart along every axis.
  public static NestedDissection of(int[] shape, int reach) {
    return of(SparsePattern.grid(shape, reach), SparsePattern.coordinates(shape));
  }

  /// The number of points.
  public int size() {
    return order.length;
  }

  /// The number of blocks.
  public int blocks() {
    return blocks.length - 1;
  }

  /// The place in the order at which a block starts; block `blocks()` starts at the end.
  public int start(int block) {
    return blocks[block];
  }

  /// The point at a place of the order.
  public int point(int place) {
    return order[place];
  }

  /// Cuts ranges of the order, each in place; ranges do not overlap, so threads do not meet.
  private static final class Cutter {
    private final double[][] points;
    private final int[] starts;
    private final int[] neighbours;
    private final int[] order;
    private final boolean[] first;

    /// The part that each point is in. Parts are numbered as in a heap: part p becomes 2p and 2p +
    /// 1. A thread compares with the numbers of its own parts only, which no other thread writes.
    private final int[] part;

    Cutter(SparsePattern pattern, double[][] points) {
      int n = pattern.size();
      this.points = points;
      int[][] all = pattern.neighbours();
      starts = all[0];
      neighbours = all[1];
      order = new int[n];
      for (int i = 0; i < n; i++) order[i] = i;
      first = new boolean[n];
      part = new int[n];
    }

    void cut(int from, int to, int number) {
      if (from == to) return;
      first[from] = true;
      if (to - from <= LEAF || number >= 1 << 29) return;
      double[] x = longest(from, to);
      double[] sorted = new double[to - from];
      for (int i = from; i < to; i++) sorted[i - from] = x[order[i]];
      Arrays.sort(sorted);
      double middle = sorted[sorted.length / 2];
      if (!(sorted[0] < sorted[sorted.length - 1])) return;
      boolean below = sorted[0] < middle;
      int left = 2 * number;
      int right = left + 1;
      for (int i = from; i < to; i++) {
        double at = x[order[i]];
        part[order[i]] = at < middle || (!below && at == middle) ? left : right;
      }
      int fromLeft = reaching(from, to, left, right);
      int fromRight = reaching(from, to, right, left);
      int side = fromLeft <= fromRight ? left : right;
      int cut = Math.min(fromLeft, fromRight);
      if (cut > MOST * (to - from)) return;
      separate(from, to, side, left + right - side);
      int last = to - cut;
      int half = from;
      while (half < last && part[order[half]] == left) half++;
      int middlePlace = half;
      if (cut > 0) first[last] = true;
      if (to - from > LARGE)
        Parallel.forEach(
            2,
            h -> {
              if (h == 0) cut(from, middlePlace, left);
              else cut(middlePlace, last, right);
            });
      else {
        cut(from, middlePlace, left);
        cut(middlePlace, last, right);
      }
    }

    /// The coordinates along the axis in which the part is longest.
    private double[] longest(int from, int to) {
      double[] longest = points[0];
      double most = -1;
      for (double[] axis : points) {
        double least = Double.POSITIVE_INFINITY;
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
          least = Math.min(least, axis[order[i]]);
          largest = Math.max(largest, axis[order[i]]);
        }
        if (largest - least > most) {
          most = largest - least;
          longest = axis;
        }
      }
      return longest;
    }

    private int reaching(int from, int to, int side, int other) {
      int count = 0;
      for (int i = from; i < to; i++)
        if (part[order[i]] == side && reaches(order[i], other)) count++;
      return count;
    }

    private boolean reaches(int point, int other) {
      for (int e = starts[point]; e < starts[point + 1]; e++)
        if (part[neighbours[e]] == other) return true;
      return false;
    }

    /// Sorts the range: the left half, the right half, the separator.
    private void separate(int from, int to, int side, int other) {
      int[] old = Arrays.copyOfRange(order, from, to);
      boolean[] last = new boolean[old.length];
      for (int i = 0; i < old.length; i++) last[i] = part[old[i]] == side && reaches(old[i], other);
      int next = from;
      for (int half = Math.min(side, other); half <= Math.max(side, other); half++)
        for (int i = 0; i < old.length; i++)
          if (!last[i] && part[old[i]] == half) order[next++] = old[i];
      for (int i = 0; i < old.length; i++)
        if (last[i]) {
          order[next++] = old[i];
          part[old[i]] = 0;
        }
    }
  }
}
