package lovelace.neighbours;

import java.util.Arrays;

/// The search in a [BoxTree] for the rows nearest to one point at a time, for one thread.
final class BoxQuery {

  /// The effort of a search is limited in rows: each row that it examines counts 1, and each
  /// smallest box counts this many more.
  static final int VISIT = 64;

  private final BoxTree tree;
  private final int d;
  private final double[] caps;
  private final int[] ranks;
  private final double[] places;
  private final int[] earliest;
  private final double[] boxes;
  private final float[][] leaves;
  private final Nearest nearest;
  private final Frontier frontier;
  private final float[] sums = new float[BoxTree.LEAF];
  private final int most; // allowed effort; each box has a row that counts, so k are found
  private int taken;
  private double[] point = {};
  private int self; // index of the point's first number
  private int limit; // rows of this rank and higher do not count

  BoxQuery(BoxTree tree, int k, int most) {
    this.tree = tree;
    d = tree.d;
    caps = tree.caps;
    ranks = tree.ranks;
    places = tree.places;
    earliest = tree.earliest;
    boxes = tree.boxes;
    leaves = tree.leaves;
    nearest = new Nearest(k, ranks);
    frontier = new Frontier(earliest);
    this.most = Math.max(most, 2 * k * VISIT);
  }

  /// Writes the rows nearest to the point that begins at `scaled[begin]` and of lower rank than
  /// `end`, from `found[offset]` on.
  void find(double[] scaled, int begin, int end, int[] found, int offset) {
    nearest.clear();
    taken = 0;
    point = scaled;
    self = begin;
    limit = end;
    visit();
    nearest.write(tree.rows, found, offset);
  }

  /// Visits boxes from the nearest on, until no box left can hold a nearer row or the allowed
  /// effort is spent.
  private void visit() {
    frontier.clear();
    int node = 0;
    double distance = 0;
    while (node >= 0 && taken < most && nearest.admits(distance, earliest[node])) {
      if (tree.ends[node] - tree.begins[node] == 1) scan(tree.begins[node], 2 * d * node);
      else for (int child = 2 * node + 1; child <= 2 * node + 2; child++) push(child);
      distance = frontier.least();
      node = frontier.pull();
    }
  }

  private void push(int node) {
    if (earliest[node] >= limit) return;
    double distance = distance(node);
    if (nearest.admits(distance, earliest[node])) frontier.push(distance, node);
  }

  /// The squared distance to a box. It does not exceed that to any row in the box, even with
  /// rounding: both are sums of the same form.
  private double distance(int node) {
    int low = 2 * d * node;
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double v = point[self + c];
      double t = Math.max(Math.max(boxes[low + c] - v, v - boxes[low + d + c]), 0);
      t = Math.min(t, caps[c]);
      sum += t * t;
    }
    return sum;
  }

  /// Adds the rows of a smallest box, except those that are excluded by their distance in single
  /// precision.
  private void scan(int leaf, int low) {
    int from = leaf * BoxTree.LEAF;
    int count = earlier(from, Math.min(tree.n, from + BoxTree.LEAF));
    taken += count + VISIT;
    Arrays.fill(sums, 0, count, 0);
    int at = leaf * d;
    int j = 0;
    for (; j + 4 <= tree.numbers; j += 4)
      add(
          leaves[at + j],
          leaves[at + j + 1],
          leaves[at + j + 2],
          leaves[at + j + 3],
          shift(low, j),
          shift(low, j + 1),
          shift(low, j + 2),
          shift(low, j + 3),
          sums,
          count);
    for (; j < d; j++) add(leaves[at + j], shift(low, j), (float) caps[tree.order[j]], sums, count);
    float most = most(leaf);
    for (int i = 0; i < count; i++)
      if (!(sums[i] > most) && nearest.add(distanceTo(from + i), from + i)) most = most(leaf);
  }

  private float shift(int low, int j) {
    int c = tree.order[j];
    return (float) (point[self + c] - tree.centre(low + c));
  }

  /// A sum in single precision above this rules a row out, for any rounding. Beyond the range of
  /// single precision none is ruled out.
  private float most(int leaf) {
    double r = Math.sqrt(nearest.worst()) * (1 + 0x1p-23 * (d + 8)) + tree.blur[leaf];
    double square = r * r + Float.MIN_NORMAL;
    return square < 1e37 ? (float) square : Float.POSITIVE_INFINITY;
  }

  /// The number of rows from `from` on whose rank is below the limit.
  private int earlier(int from, int to) {
    if (ranks[to - 1] < limit) return to - from;
    int place = Arrays.binarySearch(ranks, from, to, limit);
    return (place < 0 ? -place - 1 : place) - from;
  }

  private double distanceTo(int position) {
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double t = Math.min(Math.abs(point[self + c] - places[position * d + c]), caps[c]);
      sum += t * t;
    }
    return sum;
  }

  /// Adds the squares of four columns of numbers.
  private static void add(
      float[] a,
      float[] b,
      float[] c,
      float[] e,
      float shiftA,
      float shiftB,
      float shiftC,
      float shiftE,
      float[] sums,
      int count) {
    for (int i = 0; i < count; i++) {
      float s = a[i] - shiftA;
      float t = b[i] - shiftB;
      float u = c[i] - shiftC;
      float v = e[i] - shiftE;
      sums[i] += s * s + t * t + u * u + v * v;
    }
  }

  /// Adds the squares of one column, at most that of the cap each.
  private static void add(float[] a, float shift, float cap, float[] sums, int count) {
    for (int i = 0; i < count; i++) {
      float t = Math.min(Math.abs(a[i] - shift), cap);
      sums[i] += t * t;
    }
  }
}
