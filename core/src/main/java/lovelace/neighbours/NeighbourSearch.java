package lovelace.neighbours;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;

/// Finds nearest rows: for a row those of lower rank ([#nearest]), and for any point among all rows
/// ([#nearestTo]). Distances are Euclidean after each column is divided by its scale. In a column
/// of text, any two different codes are one unit apart. Of two rows at the same distance, the one
/// of lower rank comes first.
///
/// Up to 50,000 rows the result is exact. With more rows it is exact if few boxes are near. A
/// search examines about 50,000 rows at most, those in the boxes nearest to the point. [#recall]
/// measures the loss.
///
/// The rows are in a tree of boxes (k-d tree). The search skips a box that is farther than the rows
/// found, or that has no row of lower rank. The rows of the smallest boxes are also stored column
/// by column in single precision, which excludes most of them at once. The distances of the others
/// are computed in double precision. Immutable.
public final class NeighbourSearch {

  /// The most work for one point, as counted by [BoxQuery].
  private static final int EFFORT = 75_000;

  /// The number of rows on which [#recall] is measured.
  private static final int SAMPLE = 256;

  /// The number of rows for which one task searches.
  private static final int CHUNK = 512;

  private final BoxTree tree;
  private final int effort;

  private NeighbourSearch(BoxTree tree, int effort) {
    this.tree = tree;
    this.effort = effort;
  }

  /// A search among rows.
  ///
  /// @param inputs row-major
  /// @param text the columns that contain codes
  /// @param scales the divisor of each column; a column of infinite scale does not count
  /// @param ranks the position of each row in the order, all different
  public static NeighbourSearch of(double[] inputs, boolean[] text, double[] scales, int[] ranks) {
    return of(inputs, text, scales, ranks, EFFORT);
  }

  /// The same with another limit for the work for one point.
  static NeighbourSearch of(
      double[] inputs, boolean[] text, double[] scales, int[] ranks, int effort) {
    return new NeighbourSearch(new BoxTree(inputs, text, scales, ranks), effort);
  }

  /// A search among the rows of a data set, which knows its columns of text.
  public static NeighbourSearch of(Dataset data, double[] scales, int[] ranks) {
    boolean[] text = new boolean[data.dimensions()];
    for (int c = 0; c < text.length; c++) text[c] = data.columns().get(c).isText();
    return of(data.inputs(), text, scales, ranks);
  }

  /// A new array of all rows. Rows that are close to each other are mostly close in the list.
  public int[] nearby() {
    return tree.rows.clone();
  }

  /// The k nearest rows of lower rank for each of some rows, nearest first: those of `some[i]` from
  /// entry `i·k` on, −1 if there are fewer.
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
          BoxQuery query = new BoxQuery(tree, k, most);
          for (int i = from; i < to; i++) {
            int position = tree.positions[some[i]];
            query.find(tree.places, position * tree.d, tree.ranks[position], found, i * k);
          }
        });
    return found;
  }

  /// The k nearest of all rows for each of some points, nearest first: those of point i from entry
  /// `i·k` on, −1 if there are fewer. The result for a point does not depend on the others.
  ///
  /// @param points row-major, in the units of the inputs
  public int[] nearestTo(double[] points, int count, int k) {
    int[] found = new int[count * k];
    if (k == 0) return found;
    double[] scaled = tree.scaled(points, count);
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          BoxQuery query = new BoxQuery(tree, k, effort);
          for (int i = from; i < to; i++)
            query.find(scaled, i * tree.d, Integer.MAX_VALUE, found, i * k);
        });
    return found;
  }

  /// The share of the k nearest rows of lower rank that [#nearest] finds, measured on up to 256
  /// rows.
  public double recall(int k) {
    int n = tree.n;
    if (n + (long) BoxQuery.VISIT * tree.blur.length <= effort) return 1;
    int size = Math.min(n, SAMPLE);
    int[] some = new int[size];
    for (int i = 0; i < size; i++) some[i] = tree.rows[(int) ((long) i * n / size)];
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
}
