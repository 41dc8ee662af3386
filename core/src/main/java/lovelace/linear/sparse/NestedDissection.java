package lovelace.linear.sparse;

import java.util.Arrays;
import java.util.Locale;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// An order of the points of a sparse matrix in which its Cholesky factor has few entries (George
/// 1973). The points are cut in two halves by a coordinate. The separator, which is the points of
/// one half that are coupled with the other, comes last, and each half is ordered in the same way.
/// Among all cuts along all axes, the one with the smallest separator is chosen, with a preference
/// for halves of similar size. A separator is as wide as the couplings reach; if only some points
/// reach far, it contains only those.
///
/// The order consists of blocks of consecutive points: separators, and leaves that are not cut any
/// further. A block comes after all blocks that it separates.
public final class NestedDissection {

  /// Parts with at most this many points are not cut any further.
  static final int LEAF = 64;

  /// A part is not cut if the separator would be more than this share of it.
  private static final double MOST = 0.8;

  /// The smallest share of a part that a half may have.
  private static final double LEAST = 0.3;

  /// The penalty for halves of different size, relative to a larger separator.
  private static final double BALANCE = 1;

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

  /// The position in the order at which a block starts; block `blocks()` starts at the end.
  public int start(int block) {
    return blocks[block];
  }

  /// The point at a position of the order.
  public int point(int place) {
    return order[place];
  }

  /// Cuts ranges of the order, each in place. Ranges do not overlap, so threads do not interfere.
  private static final class Cutter {
    private final int[][] ranks;
    private final int[] starts;
    private final int[] neighbours;
    private final int[] order;
    private final boolean[] first;

    /// The part that each point is in. Parts are numbered as in a heap: part p becomes 2p and 2p +
    /// 1. A thread compares only with the numbers of its own parts, which no other thread writes.
    private final int[] part;

    Cutter(SparsePattern pattern, double[][] points) {
      int n = pattern.size();
      ranks = new int[points.length][];
      for (int a = 0; a < points.length; a++) ranks[a] = ranks(points[a]);
      int[][] all = pattern.neighbours();
      starts = all[0];
      neighbours = all[1];
      order = new int[n];
      for (int i = 0; i < n; i++) order[i] = i;
      first = new boolean[n];
      part = new int[n];
      Arrays.fill(part, 1);
    }

    /// The rank of every coordinate among the distinct ones.
    private static int[] ranks(double[] x) {
      double[] distinct = Arrays.stream(x).map(v -> v + 0.0).sorted().distinct().toArray();
      int[] ranks = new int[x.length];
      for (int i = 0; i < x.length; i++) ranks[i] = Arrays.binarySearch(distinct, x[i] + 0.0);
      return ranks;
    }

    void cut(int from, int to, int number) {
      if (from == to) return;
      first[from] = true;
      if (to - from <= LEAF || number >= 1 << 29) return;
      Cut best = null;
      for (int axis = 0; axis < ranks.length; axis++) best = best(from, to, number, axis, best);
      if (best == null || best.count > MOST * (to - from)) return;
      int last = to - best.count;
      int left = 2 * number;
      separate(from, to, best, number);
      int half = from;
      while (half < last && part[order[half]] == left) half++;
      int middle = half;
      if (best.count > 0) first[last] = true;
      if (to - from > LARGE)
        Parallel.forEach(
            2,
            h -> {
              if (h == 0) cut(from, middle, left);
              else cut(middle, last, left + 1);
            });
      else {
        cut(from, middle, left);
        cut(middle, last, left + 1);
      }
    }

    /// A cut along an axis before `rank`. `count` points of the left or of the right half reach
    /// across.
    private record Cut(int axis, int rank, boolean left, int count, double score) {}

    /// The best cut along an axis, or `best` if that is better. One pass over the couplings counts
    /// the separators of all cuts.
    private @Nullable Cut best(int from, int to, int number, int axis, @Nullable Cut best) {
      int[] rank = ranks[axis];
      int least = Integer.MAX_VALUE;
      int most = -1;
      for (int i = from; i < to; i++) {
        least = Math.min(least, rank[order[i]]);
        most = Math.max(most, rank[order[i]]);
      }
      int[] here = new int[most - least + 2]; // points of a rank
      int[] left = new int[most - least + 2]; // changes in the count of points that reach right
      int[] right = new int[most - least + 2];
      for (int i = from; i < to; i++) {
        int own = rank[order[i]];
        int low = own;
        int high = own;
        for (int e = starts[order[i]]; e < starts[order[i] + 1]; e++)
          if (part[neighbours[e]] == number) {
            low = Math.min(low, rank[neighbours[e]]);
            high = Math.max(high, rank[neighbours[e]]);
          }
        here[own - least]++;
        left[own + 1 - least]++;
        left[high + 1 - least]--;
        right[low + 1 - least]++;
        right[own + 1 - least]--;
      }
      int size = to - from;
      int before = 0;
      int reachRight = 0;
      int reachLeft = 0;
      for (int t = 1; t <= most - least; t++) {
        before += here[t - 1];
        reachRight += left[t];
        reachLeft += right[t];
        if (Math.min(before, size - before) < LEAST * size) continue;
        for (int side = 0; side < 2; side++) {
          int count = side == 0 ? reachRight : reachLeft;
          double imbalance = Math.abs(2.0 * before - size + (side == 0 ? -count : count)) / size;
          double score = count * (1 + BALANCE * imbalance * imbalance);
          if (best == null || score < best.score)
            best = new Cut(axis, t + least, side == 0, count, score);
        }
      }
      return best;
    }

    /// Sorts the range into the left half, the right half and the separator.
    private void separate(int from, int to, Cut cut, int number) {
      int[] old = Arrays.copyOfRange(order, from, to);
      int left = 2 * number;
      int[] rank = ranks[cut.axis];
      for (int i : old) part[i] = rank[i] < cut.rank ? left : left + 1;
      int side = cut.left ? left : left + 1;
      boolean[] last = new boolean[old.length];
      for (int i = 0; i < old.length; i++)
        last[i] = part[old[i]] == side && reaches(old[i], 2 * left + 1 - side);
      int next = from;
      for (int half = left; half <= left + 1; half++)
        for (int i = 0; i < old.length; i++)
          if (!last[i] && part[old[i]] == half) order[next++] = old[i];
      for (int i = 0; i < old.length; i++)
        if (last[i]) {
          order[next++] = old[i];
          part[old[i]] = 0;
        }
    }

    private boolean reaches(int point, int other) {
      for (int e = starts[point]; e < starts[point + 1]; e++)
        if (part[neighbours[e]] == other) return true;
      return false;
    }
  }
}
