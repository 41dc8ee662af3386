package lovelace.neighbours;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;

/// Finds the nearest rows: of a row those of lower rank ([#nearest]), of any point among all rows
/// ([#nearestTo]). Distances are Euclidean after each column is divided by its scale. In a column
/// of text two codes are one unit apart where they differ, whatever they are. Of two rows at the
/// same distance the one of lower rank comes first.
///
/// Up to 50,000 rows the answer is exact, and beyond where few boxes are near. A point looks at
/// about 50,000 rows at most, those in the boxes nearest to it. [#recall] measures what that loses.
///
/// A tree of boxes (k-d tree) over the rows: it skips a box that is farther than what was found, or
/// has no row of lower rank. The rows of the smallest boxes are kept column by column in single
/// precision, in which most of them are ruled out at once; the distances of the others are computed
/// in double precision. Immutable.
public final class NeighbourSearch {

  /// The rows of a smallest box: 128 were faster than 32 and 64 in 8 and more columns.
  private static final int LEAF = 128;

  /// What a search for one point may take: each row that it looks at counts 1, each smallest box
  /// [#VISIT] more.
  private static final int EFFORT = 75_000;

  private static final int VISIT = 64;

  /// The rows that [#recall] looks at.
  private static final int SAMPLE = 256;

  /// Rows that one task searches for.
  private static final int CHUNK = 512;

  /// The least rows of a box whose halves are built at the same time.
  private static final int APART = 1 << 14;

  private final int n;
  private final int d;
  private final int effort;
  private final double[] units; // what a column is divided by
  private final double[] caps; // the most that a column can be apart
  private final int[] rows; // those of a box stand together, and by rank in the smallest boxes
  private final int[] positions; // where a row stands in `rows`
  private final int[] ranks; // in the order of `rows`
  private final double[] places; // scaled, in the order of `rows`
  private final int[] earliest; // the lowest rank in each box
  private final int[] begins; // the smallest boxes of each box
  private final int[] ends;
  private final double[] boxes; // the lowest and highest places of each box
  private final int[] order; // the columns, those of numbers first
  private final int numbers; // how many these are
  private final float[][]
      leaves; // the columns of each smallest box, in that order, from its centre
  private final double[] blur; // the error of a distance by them that does not shrink with it

  private NeighbourSearch(
      double[] inputs, boolean[] text, double[] scales, int[] rankOfRow, int effort) {
    this.effort = effort;
    this.n = rankOfRow.length;
    this.d = scales.length;
    this.units = new double[d];
    this.caps = new double[d];
    for (int c = 0; c < d; c++) {
      if (!(scales[c] > 0))
        throw new IllegalArgumentException(
            "the scale of column " + (c + 1) + " must be > 0, got " + scales[c]);
      // codes stand two units apart, so that the cap of one is reached whatever the rounding
      units[c] = text[c] ? scales[c] / 2 : scales[c];
      caps[c] = text[c] ? 1 / scales[c] : Double.POSITIVE_INFINITY;
    }
    double[] scaled = scaled(inputs, n);
    this.rows = IntStream.range(0, n).toArray();
    int smallest = Parallel.pieces(n, LEAF);
    int nodes = 1;
    for (int size = smallest; size > 1; size = (size + 1) / 2) nodes = 2 * nodes + 1;
    this.earliest = new int[nodes];
    this.boxes = new double[2 * d * nodes];
    this.begins = new int[nodes];
    this.ends = new int[nodes];
    this.blur = new double[smallest];
    this.leaves = new float[smallest * d][];
    IntStream columns = IntStream.range(0, d);
    this.order =
        columns.boxed().sorted(Comparator.comparing(c -> text[c])).mapToInt(c -> c).toArray();
    this.numbers = (int) IntStream.range(0, d).filter(c -> !text[c]).count();
    build(scaled, rankOfRow, 0, 0, smallest);
    this.positions = new int[n];
    this.ranks = new int[n];
    this.places = new double[n * d];
    Parallel.chunks(
        n,
        APART,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) {
            positions[rows[i]] = i;
            ranks[i] = rankOfRow[rows[i]];
            System.arraycopy(scaled, rows[i] * d, places, i * d, d);
          }
        });
  }

  /// A search among rows.
  ///
  /// @param inputs row-major
  /// @param text the columns that hold codes
  /// @param scales what each column is divided by; a column of infinite scale does not count
  /// @param ranks the place of each row in the order, all different
  public static NeighbourSearch of(double[] inputs, boolean[] text, double[] scales, int[] ranks) {
    return of(inputs, text, scales, ranks, EFFORT);
  }

  /// The same with another limit to what a search for one point may take.
  static NeighbourSearch of(
      double[] inputs, boolean[] text, double[] scales, int[] ranks, int effort) {
    return new NeighbourSearch(inputs, text, scales, ranks, effort);
  }

  /// A search among the rows of a data set, which knows its columns of text.
  public static NeighbourSearch of(Dataset data, double[] scales, int[] ranks) {
    boolean[] text = new boolean[data.dimensions()];
    for (int c = 0; c < text.length; c++) text[c] = data.columns().get(c).isText();
    return of(data.inputs(), text, scales, ranks);
  }

  private double[] scaled(double[] points, int count) {
    double[] scaled = new double[count * d];
    Parallel.chunks(
        count,
        APART,
        (piece, from, to) -> {
          for (int i = from; i < to; i++)
            for (int c = 0; c < d; c++) scaled[i * d + c] = points[i * d + c] / units[c];
        });
    return scaled;
  }

  /// All rows, those close to each other mostly close in the list. A new array.
  public int[] nearby() {
    return rows.clone();
  }

  /// The k nearest of lower rank for each of some rows, nearest first: those of `some[i]` from
  /// entry `i·k` on, −1 where there are fewer.
  public int[] nearest(int[] some, int k) {
    return nearest(some, k, effort);
  }

  private int[] nearest(int[] some, int k, int most) {
    int[] found = new int[some.length * k];
    if (k == 0) return found;
    Parallel.chunks(
        some.length,
        CHUNK,
        (piece, from, to) -> {
          Query query = new Query(k, most);
          for (int i = from; i < to; i++) {
            int position = positions[some[i]];
            query.find(places, position * d, ranks[position], found, i * k);
          }
        });
    return found;
  }

  /// The k nearest of all rows for each of some points, nearest first: those of point i from entry
  /// `i·k` on, −1 where there are fewer. A point's answer does not depend on the others.
  ///
  /// @param points row-major, in the units of the inputs
  public int[] nearestTo(double[] points, int count, int k) {
    int[] found = new int[count * k];
    if (k == 0) return found;
    double[] scaled = scaled(points, count);
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          Query query = new Query(k, effort);
          for (int i = from; i < to; i++)
            query.find(scaled, i * d, Integer.MAX_VALUE, found, i * k);
        });
    return found;
  }

  /// The part of the k nearest of lower rank that [#nearest] finds, measured on up to 256 rows.
  public double recall(int k) {
    if (n + (long) VISIT * blur.length <= effort) return 1;
    int size = Math.min(n, SAMPLE);
    int[] some = new int[size];
    for (int i = 0; i < size; i++) some[i] = rows[(int) ((long) i * n / size)];
    int[] found = nearest(some, k);
    int[] exact = nearest(some, k, Integer.MAX_VALUE);
    int all = 0;
    int hits = 0;
    for (int i = 0; i < size; i++) {
      int[] own = Arrays.copyOfRange(found, i * k, (i + 1) * k);
      Arrays.sort(own);
      for (int j = i * k; j < (i + 1) * k && exact[j] >= 0; j++) {
        all++;
        if (Arrays.binarySearch(own, exact[j]) >= 0) hits++;
      }
    }
    return all == 0 ? 1 : (double) hits / all;
  }

  /// Builds the box of smallest boxes `first` up to `last`, and those in it.
  private void build(double[] x, int[] rankOfRow, int node, int first, int last) {
    int from = first * LEAF;
    int to = Math.min(n, last * LEAF);
    int low = 2 * d * node;
    enclose(x, low, from, to);
    int least = Integer.MAX_VALUE;
    for (int i = from; i < to; i++) least = Math.min(least, rankOfRow[rows[i]]);
    earliest[node] = least;
    begins[node] = first;
    ends[node] = last;
    if (last - first <= 1) {
      sortByRank(rankOfRow, from, to);
      if (to > from) fill(x, first, low, from, to);
      return;
    }
    int widest = 0;
    for (int c = 1; c < d; c++) if (width(low, c) > width(low, widest)) widest = c;
    int half = half(first, last);
    select(x, widest, from, to - 1, half * LEAF);
    int left = 2 * node + 1;
    if (to - from < APART) {
      build(x, rankOfRow, left, first, half);
      build(x, rankOfRow, left + 1, half, last);
    } else
      Parallel.forEach(
          2,
          i -> {
            if (i == 0) build(x, rankOfRow, left, first, half);
            else build(x, rankOfRow, left + 1, half, last);
          });
  }

  private static int half(int first, int last) {
    return first + (last - first + 1) / 2;
  }

  /// Finds the lowest and highest places of some rows.
  private void enclose(double[] x, int low, int from, int to) {
    double[] least = new double[d];
    double[] most = new double[d];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
    for (int i = from; i < to; i++)
      for (int c = 0; c < d; c++) {
        double v = x[rows[i] * d + c];
        if (v < least[c]) least[c] = v;
        if (v > most[c]) most[c] = v;
      }
    System.arraycopy(least, 0, boxes, low, d);
    System.arraycopy(most, 0, boxes, low + d, d);
  }

  /// Keeps the rows of a smallest box in single precision. With the centre for origin the error of
  /// a distance r is at most `2⁻²⁴ (d + 4) r + 2⁻²² R`, R the radius of the box.
  private void fill(double[] x, int leaf, int low, int from, int to) {
    double radius = 0;
    for (int j = 0; j < d; j++) {
      int c = order[j];
      double centre = centre(low + c);
      radius += Math.pow(boxes[low + d + c] - centre, 2);
      float[] column = new float[LEAF];
      for (int i = from; i < to; i++) column[i - from] = (float) (x[rows[i] * d + c] - centre);
      leaves[leaf * d + j] = column;
    }
    blur[leaf] = 0x1p-22 * Math.sqrt(radius);
  }

  private double centre(int at) {
    return 0.5 * boxes[at] + 0.5 * boxes[at + d];
  }

  private double width(int low, int c) {
    return Math.min(boxes[low + d + c] - boxes[low + c], caps[c]);
  }

  private void sortByRank(int[] rankOfRow, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int row = rows[i];
      int j = i;
      for (; j > from && rankOfRow[rows[j - 1]] > rankOfRow[row]; j--) rows[j] = rows[j - 1];
      rows[j] = row;
    }
  }

  /// Moves the rows of `[from, to]` so that none before `middle` has a larger value in column c,
  /// and none after it a smaller one (Hoare's selection).
  private void select(double[] x, int c, int from, int to, int middle) {
    while (from < to) {
      double pivot = median(x[rows[from] * d + c], x[rows[middle] * d + c], x[rows[to] * d + c]);
      int i = from;
      int j = to;
      while (i <= j) {
        while (x[rows[i] * d + c] < pivot) i++;
        while (x[rows[j] * d + c] > pivot) j--;
        if (i <= j) {
          int row = rows[i];
          rows[i++] = rows[j];
          rows[j--] = row;
        }
      }
      if (middle <= j) to = j;
      else if (middle >= i) from = i;
      else return;
    }
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /// The search for one point at a time.
  private final class Query {
    private final Nearest nearest;
    private final Frontier frontier = new Frontier(earliest);
    private final float[] sums = new float[LEAF];
    private final int most; // that it may take; each box has a row that counts, so k are found
    private int taken;
    private double[] point = {};
    private int self; // where it begins
    private int limit; // rows of this rank and higher do not count

    Query(int k, int most) {
      this.nearest = new Nearest(k, ranks);
      this.most = Math.max(most, 2 * k * VISIT);
    }

    void find(double[] scaled, int begin, int end, int[] found, int offset) {
      nearest.clear();
      taken = 0;
      point = scaled;
      self = begin;
      limit = end;
      visit();
      nearest.write(rows, found, offset);
    }

    /// Visits boxes from the nearest on, until no box left can hold a nearer row or it has taken
    /// all that it may.
    private void visit() {
      frontier.clear();
      int node = 0;
      double distance = 0;
      while (node >= 0 && taken < most && nearest.admits(distance, earliest[node])) {
        if (ends[node] - begins[node] == 1) scan(begins[node], 2 * d * node);
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

    /// The squared distance to a box. It is not above that to any row in the box, rounding
    /// included: both are sums of the same form.
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

    /// Adds the rows of a smallest box, except those that their distance in single precision rules
    /// out.
    private void scan(int leaf, int low) {
      int from = leaf * LEAF;
      int count = earlier(from, Math.min(n, from + LEAF));
      taken += count + VISIT;
      Arrays.fill(sums, 0, count, 0);
      int at = leaf * d;
      int j = 0;
      for (; j + 4 <= numbers; j += 4)
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
      for (; j < d; j++) add(leaves[at + j], shift(low, j), (float) caps[order[j]], sums, count);
      float most = most(leaf);
      for (int i = 0; i < count; i++)
        if (!(sums[i] > most) && nearest.add(distanceTo(from + i), from + i)) most = most(leaf);
    }

    private float shift(int low, int j) {
      int c = order[j];
      return (float) (point[self + c] - centre(low + c));
    }

    /// What a sum in single precision must exceed to rule a row out, whatever the rounding. Beyond
    /// the range of single precision none is ruled out.
    private float most(int leaf) {
      double r = Math.sqrt(nearest.worst()) * (1 + 0x1p-23 * (d + 8)) + blur[leaf];
      double square = r * r + Float.MIN_NORMAL;
      return square < 1e37 ? (float) square : Float.POSITIVE_INFINITY;
    }

    /// How many rows from `from` on have a lower rank than the limit.
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

  /// Adds the squares of one column, which are at most that of the cap.
  private static void add(float[] a, float shift, float cap, float[] sums, int count) {
    for (int i = 0; i < count; i++) {
      float t = Math.min(Math.abs(a[i] - shift), cap);
      sums[i] += t * t;
    }
  }
}
