package lovelace.neighbours;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;

/// Finds the nearest rows exactly: of a row those of lower rank ([#nearest]), of any point among
/// all rows ([#nearestTo]). Distances are Euclidean after each column is divided by its scale. In a
/// column of text two codes are one unit apart where they differ, whatever they are. Of two rows at
/// the same distance the one of lower rank comes first, so the answer does not depend on how it is
/// found.
///
/// A tree of boxes (k-d tree) over the rows: it skips a box that is farther than what was found, or
/// has no row of lower rank. About `k log n` steps a row in few columns; in many columns most boxes
/// are visited. Immutable.
public final class NeighbourSearch {

  /// The most rows of a box that is not split.
  private static final int LEAF = 12;

  /// Rows that one task searches for.
  private static final int CHUNK = 512;

  private final int n;
  private final int d;
  private final double[] scales;
  private final double[] apart; // what differing codes of a column of text add; −1 for numbers
  private final int[] rows; // those of a box stand together, and by rank in the smallest boxes
  private final int[] positions; // where a row stands in `rows`
  private final int[] ranks; // in the order of `rows`
  private final double[] places; // scaled, in the order of `rows`
  private final int[] earliest; // the lowest rank in each box
  private final double[] boxes; // the lowest and highest places of each box

  private NeighbourSearch(double[] inputs, boolean[] text, double[] scales, int[] rankOfRow) {
    this.n = rankOfRow.length;
    this.d = scales.length;
    this.scales = new double[d];
    this.apart = new double[d];
    for (int c = 0; c < d; c++) {
      if (!(scales[c] > 0))
        throw new IllegalArgumentException(
            "the scale of column " + (c + 1) + " must be > 0, got " + scales[c]);
      this.scales[c] = text[c] ? 1 : scales[c];
      apart[c] = text[c] ? 1 / scales[c] * (1 / scales[c]) : -1;
    }
    double[] scaled = scaled(inputs, n);
    this.rows = new int[n];
    for (int i = 0; i < n; i++) rows[i] = i;
    int nodes = 1;
    for (int size = n; size > LEAF; size = (size + 1) / 2) nodes = 2 * nodes + 1;
    this.earliest = new int[nodes];
    this.boxes = new double[2 * d * nodes];
    build(scaled, rankOfRow, 0, 0, n);
    this.positions = new int[n];
    this.ranks = new int[n];
    this.places = new double[n * d];
    for (int i = 0; i < n; i++) {
      positions[rows[i]] = i;
      ranks[i] = rankOfRow[rows[i]];
      System.arraycopy(scaled, rows[i] * d, places, i * d, d);
    }
  }

  /// A search among rows.
  ///
  /// @param inputs row-major
  /// @param text the columns that hold codes
  /// @param scales what each column is divided by; a column of infinite scale does not count
  /// @param ranks the place of each row in the order, all different
  public static NeighbourSearch of(double[] inputs, boolean[] text, double[] scales, int[] ranks) {
    return new NeighbourSearch(inputs, text, scales, ranks);
  }

  /// A search among the rows of a data set, which knows its columns of text.
  public static NeighbourSearch of(Dataset data, double[] scales, int[] ranks) {
    boolean[] text = new boolean[data.dimensions()];
    for (int c = 0; c < text.length; c++) text[c] = data.columns().get(c).isText();
    return of(data.inputs(), text, scales, ranks);
  }

  private double[] scaled(double[] points, int count) {
    double[] scaled = new double[count * d];
    for (int i = 0; i < count; i++)
      for (int c = 0; c < d; c++) scaled[i * d + c] = points[i * d + c] / scales[c];
    return scaled;
  }

  /// All rows, those close to each other mostly close in the list. A new array.
  public int[] nearby() {
    return rows.clone();
  }

  /// The k nearest of lower rank for each of some rows, nearest first: those of `some[i]` from
  /// entry `i·k` on, −1 where there are fewer.
  public int[] nearest(int[] some, int k) {
    int[] found = new int[some.length * k];
    Parallel.chunks(
        some.length,
        CHUNK,
        (piece, from, to) -> {
          Query query = new Query(k);
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
    double[] scaled = scaled(points, count);
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          Query query = new Query(k);
          for (int i = from; i < to; i++)
            query.find(scaled, i * d, Integer.MAX_VALUE, found, i * k);
        });
    return found;
  }

  private void build(double[] x, int[] rankOfRow, int node, int from, int to) {
    int low = 2 * d * node;
    int high = low + d;
    Arrays.fill(boxes, low, high, Double.POSITIVE_INFINITY);
    Arrays.fill(boxes, high, high + d, Double.NEGATIVE_INFINITY);
    int first = Integer.MAX_VALUE;
    for (int i = from; i < to; i++) {
      first = Math.min(first, rankOfRow[rows[i]]);
      for (int c = 0; c < d; c++) {
        double v = x[rows[i] * d + c];
        boxes[low + c] = Math.min(boxes[low + c], v);
        boxes[high + c] = Math.max(boxes[high + c], v);
      }
    }
    earliest[node] = first;
    if (to - from <= LEAF) {
      sortByRank(rankOfRow, from, to);
      return;
    }
    int widest = 0;
    for (int c = 1; c < d; c++) if (width(low, c) > width(low, widest)) widest = c;
    int middle = (from + to) >>> 1;
    select(x, widest, from, to - 1, middle);
    build(x, rankOfRow, 2 * node + 1, from, middle);
    build(x, rankOfRow, 2 * node + 2, middle, to);
  }

  private double width(int low, int c) {
    double width = boxes[low + d + c] - boxes[low + c];
    return apart[c] >= 0 && width > 0 ? Math.sqrt(apart[c]) : width;
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

  /// The search for one row at a time.
  private final class Query {
    private final int k;
    private final double[] distances;
    private final int[] at; // positions of what was found, nearest first
    private int size;
    private double[] point = {};
    private int self; // where it begins
    private int limit; // rows of this rank and higher do not count
    private double worst; // distance and rank of the last one, once there are k
    private int worstRank;

    Query(int k) {
      this.k = k;
      this.distances = new double[k];
      this.at = new int[k];
    }

    void find(double[] scaled, int begin, int end, int[] found, int offset) {
      size = 0;
      point = scaled;
      self = begin;
      limit = end;
      worst = Double.POSITIVE_INFINITY;
      worstRank = Integer.MAX_VALUE;
      if (k > 0) visit(0, 0, n, 0);
      for (int j = 0; j < k; j++) found[offset + j] = j < size ? rows[at[j]] : -1;
    }

    private void visit(int node, int from, int to, double distance) {
      if (earliest[node] >= limit) return;
      if (distance > worst || (distance == worst && earliest[node] > worstRank)) return;
      if (to - from <= LEAF) {
        scan(from, to);
        return;
      }
      int middle = (from + to) >>> 1;
      int left = 2 * node + 1;
      double toLeft = distance(left);
      double toRight = distance(left + 1);
      boolean leftFirst =
          toLeft < toRight || (toLeft == toRight && earliest[left] <= earliest[left + 1]);
      if (leftFirst) visit(left, from, middle, toLeft);
      visit(left + 1, middle, to, toRight);
      if (!leftFirst) visit(left, from, middle, toLeft);
    }

    /// The squared distance to a box. It is not above that to any row in the box, rounding
    /// included: both are sums of the same form.
    private double distance(int node) {
      int low = 2 * d * node;
      double sum = 0;
      for (int c = 0; c < d; c++) {
        double v = point[self + c];
        double t = Math.max(Math.max(boxes[low + c] - v, v - boxes[low + d + c]), 0);
        sum += apart[c] < 0 ? t * t : t > 0 ? apart[c] : 0;
      }
      return sum;
    }

    private void scan(int from, int to) {
      for (int i = from; i < to && ranks[i] < limit; i++) {
        double sum = 0;
        for (int c = 0; c < d; c++) {
          double t = point[self + c] - places[i * d + c];
          sum += apart[c] < 0 ? t * t : t != 0 ? apart[c] : 0;
        }
        if (sum < worst || (sum == worst && ranks[i] < worstRank)) insert(i, sum);
      }
    }

    private void insert(int position, double distance) {
      int j = size < k ? size++ : k - 1;
      int rank = ranks[position];
      for (; j > 0; j--) {
        double before = distances[j - 1];
        if (before < distance || (before == distance && ranks[at[j - 1]] < rank)) break;
        distances[j] = before;
        at[j] = at[j - 1];
      }
      distances[j] = distance;
      at[j] = position;
      if (size == k) {
        worst = distances[k - 1];
        worstRank = ranks[at[k - 1]];
      }
    }
  }
}
