package lovelace.neighbours;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import lovelace.linear.Parallel;

/// A tree of boxes (k-d tree) over rows. A box has two halves, and the smallest boxes have up to
/// 128 rows. The rows of a smallest box are also stored column by column in single precision, so
/// that a search excludes most of them at once. Immutable.
final class BoxTree {

  /// The most rows of a smallest box. In 8 and more columns, 128 was faster than 32 and 64.
  static final int LEAF = 128;

  /// The fewest rows of a box whose halves are built in parallel.
  private static final int APART = 1 << 14;

  final int n;
  final int d;
  final double[] units; // divisor of each column
  final double[] caps; // the largest distance that a column can contribute
  final int[] rows; // box by box, and by rank in the smallest boxes
  final int[] positions; // position of each row in `rows`
  final int[] ranks; // in the order of `rows`
  final double[] places; // scaled, in the order of `rows`
  final int[] earliest; // the lowest rank in each box
  final int[] begins; // the smallest boxes of each box
  final int[] ends;
  final double[] boxes; // the lowest and highest coordinates of each box
  final int[] order; // the columns, those of numbers first
  final int numbers; // number of columns of numbers
  final float[][] leaves; // columns of each smallest box, in that order, from its centre
  final double[] blur; // the part of a distance's error that does not shrink with it

  BoxTree(double[] inputs, boolean[] text, double[] scales, int[] rankOfRow) {
    this.n = rankOfRow.length;
    this.d = scales.length;
    this.units = new double[d];
    this.caps = new double[d];
    for (int c = 0; c < d; c++) {
      if (!(scales[c] > 0))
        throw new IllegalArgumentException(
            "the scale of column " + (c + 1) + " must be > 0, got " + scales[c]);
      // codes are two units apart, so that they reach the cap of one with any rounding
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

  /// Points in the units of the tree.
  double[] scaled(double[] points, int count) {
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

  /// Builds the box of the smallest boxes `first` up to `last`, and the boxes in it.
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

  /// Finds the lowest and highest coordinates of some rows.
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

  /// Stores the rows of a smallest box in single precision. With the centre as origin, the error of
  /// a distance r is at most `2⁻²⁴ (d + 4) r + 2⁻²² R`, where R is the radius of the box.
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

  /// The middle of a column of the box that begins at an entry.
  double centre(int at) {
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
}
