package lovelace.linear.sparse;

import java.util.Arrays;
import java.util.Locale;

/// The positions of the entries of a sparse symmetric matrix: the lower triangle with the whole
/// diagonal, row by row, columns ascending. Entries are numbered in that order, and an array of
/// values follows it. Immutable.
public final class SparsePattern {

  private final int size;
  private final int[] starts;
  private final int[] columns;

  private SparsePattern(int size, int[] starts, int[] columns) {
    this.size = size;
    this.starts = starts;
    this.columns = columns;
  }

  /// The pattern whose row i has the columns `columns[starts[i]]`, …, `columns[starts[i + 1] − 1]`,
  /// ascending, the last of them i. Takes ownership of the arrays.
  public static SparsePattern adopt(int[] starts, int[] columns) {
    int n = starts.length - 1;
    if (n < 0 || starts[0] != 0 || starts[n] != columns.length)
      throw new IllegalArgumentException(
          "starts must begin with 0 and end with the number of columns, " + columns.length);
    for (int i = 0; i < n; i++) {
      int last = starts[i + 1] - 1;
      boolean good = last >= starts[i] && last < columns.length && columns[last] == i;
      for (int e = starts[i]; good && e < last; e++)
        good = columns[e] >= 0 && columns[e] < columns[e + 1];
      if (!good)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %d of a pattern must have ascending columns from 0 up, the last of them %d",
                i,
                i));
    }
    return new SparsePattern(n, starts, columns);
  }

  /// The points of a regular grid, numbered row by row with the last axis fastest. Two points are
  /// coupled if they are at most `reach` apart along every axis.
  public static SparsePattern grid(int[] shape, int reach) {
    long points = 1;
    for (int side : shape) {
      if (side < 1) throw new IllegalArgumentException("a side must have ≥ 1 points, got " + side);
      points *= side;
      if (points > Integer.MAX_VALUE - 8)
        throw new IllegalArgumentException("a grid has too many points: " + Arrays.toString(shape));
    }
    if (reach < 0) throw new IllegalArgumentException("reach must be ≥ 0, got " + reach);
    int n = (int) points;
    var rows = new Rows(n, n);
    int[] at = new int[shape.length];
    for (int i = 0; i < n; i++) {
      for (int a = shape.length - 1, rest = i; a >= 0; rest /= shape[a--]) at[a] = rest % shape[a];
      before(shape, reach, at, 0, 0, i, rows);
      rows.end();
    }
    return rows.pattern();
  }

  /// Adds the points within reach of `at` up to point i, in order.
  private static void before(
      int[] shape, int reach, int[] at, int axis, int index, int i, Rows rows) {
    if (axis == shape.length) {
      if (index <= i) rows.add(index);
      return;
    }
    int last = Math.min(shape[axis] - 1, at[axis] + reach);
    for (int x = Math.max(0, at[axis] - reach); x <= last; x++)
      before(shape, reach, at, axis + 1, index * shape[axis] + x, i, rows);
  }

  /// The coordinates of the points of [#grid], one array per axis.
  public static double[][] coordinates(int... shape) {
    int n = 1;
    for (int side : shape) n = Math.multiplyExact(n, side);
    double[][] points = new double[shape.length][n];
    for (int i = 0; i < n; i++)
      for (int a = shape.length - 1, rest = i; a >= 0; rest /= shape[a--])
        points[a][i] = rest % shape[a];
    return points;
  }

  /// The entries of either pattern.
  public SparsePattern union(SparsePattern other) {
    if (other.size != size)
      throw new IllegalArgumentException(
          "patterns must have the same size, got " + size + " and " + other.size);
    var rows = new Rows(size, Math.max(columns.length, other.columns.length));
    for (int i = 0; i < size; i++) {
      int e = starts[i];
      int f = other.starts[i];
      while (e < starts[i + 1] || f < other.starts[i + 1]) {
        int c = e < starts[i + 1] ? columns[e] : size;
        int d = f < other.starts[i + 1] ? other.columns[f] : size;
        if (c <= d) e++;
        if (d <= c) f++;
        rows.add(Math.min(c, d));
      }
      rows.end();
    }
    return rows.pattern();
  }

  /// The number of rows.
  public int size() {
    return size;
  }

  /// The number of entries in the lower triangle.
  public int entries() {
    return columns.length;
  }

  /// The number of the first entry of a row; that of row `size` is the number of entries.
  public int start(int row) {
    return starts[row];
  }

  /// The column of an entry.
  public int column(int entry) {
    return columns[entry];
  }

  /// The number of entry (i, j), which is also that of (j, i); negative if there is none.
  public int entry(int i, int j) {
    int row = Math.max(i, j);
    return Arrays.binarySearch(columns, starts[row], starts[row + 1], Math.min(i, j));
  }

  /// The number of the entry with this column in [from, to) of one row; negative if there is none.
  public int entry(int from, int to, int column) {
    return Arrays.binarySearch(columns, from, to, column);
  }

  /// Every row with all its columns except the diagonal: first the start of each row's columns,
  /// then the columns.
  int[][] neighbours() {
    int[] first = new int[size + 1];
    for (int i = 0; i < size; i++) {
      first[i + 1] += starts[i + 1] - 1 - starts[i];
      for (int e = starts[i]; e < starts[i + 1] - 1; e++) first[columns[e] + 1]++;
    }
    for (int i = 0; i < size; i++) first[i + 1] = Math.addExact(first[i + 1], first[i]);
    int[] next = first.clone();
    int[] all = new int[first[size]];
    for (int i = 0; i < size; i++)
      for (int e = starts[i]; e < starts[i + 1] - 1; e++) {
        all[next[i]++] = columns[e];
        all[next[columns[e]]++] = i;
      }
    return new int[][] {first, all};
  }

  /// A pattern that grows row by row.
  private static final class Rows {
    private final int[] starts;
    private int row;
    private int[] columns;
    private int count;

    Rows(int rows, int expected) {
      starts = new int[rows + 1];
      columns = new int[expected];
    }

    void add(int column) {
      if (count == columns.length)
        columns = Arrays.copyOf(columns, Math.max(16, (int) Math.min(2L * count, 2147483639L)));
      columns[count++] = column;
    }

    void end() {
      starts[++row] = count;
    }

    SparsePattern pattern() {
      return adopt(starts, Arrays.copyOf(columns, count));
    }
  }
}
