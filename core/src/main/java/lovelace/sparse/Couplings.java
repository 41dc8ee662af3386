package lovelace.sparse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.SparsePattern;

/// The nodes that are regressed on a node, which determine the rows of the precision. Away from
/// edges this is the same for many nodes, so there are few *kinds* of rows. A row of a kind has its
/// entries at the same differences of grid indices, with the same values. Rows of a kind are
/// computed together.
final class Couplings {

  /// The number of rows that one thread computes at a time.
  static final int CHUNK = 4096;

  /// The data that all rows of a kind share. Differences are measured from the row.
  static final class Kind {
    final int row; // one of them
    final int[] nodes; // nodes whose regressions include the row, and the row itself, ascending
    final int[] shapes; // the shape of each
    final int[] places; // position of the row among the members of each
    final int[] columns; // of the precision's entries up to the diagonal, ascending

    /// The kind of a row on which these nodes are regressed.
    Kind(ConditioningSets sets, int row, int[] nodes) {
      this.row = row;
      this.nodes = nodes;
      shapes = new int[nodes.length];
      places = new int[nodes.length];
      int count = 0;
      for (int e = 0; e < nodes.length; e++) {
        shapes[e] = sets.shapeOf(row + nodes[e]);
        places[e] = Arrays.binarySearch(sets.jumps(shapes[e]), -nodes[e]);
        count += places[e] + 1; // members ascend, so these come up to the row
      }
      int[] all = new int[count];
      count = 0;
      for (int e = 0; e < nodes.length; e++)
        for (int q = 0; q <= places[e]; q++) all[count++] = nodes[e] + sets.jumps(shapes[e])[q];
      Arrays.sort(all);
      int different = 0;
      for (int q = 0; q < count; q++) if (q == 0 || all[q] != all[q - 1]) all[different++] = all[q];
      columns = Arrays.copyOf(all, different);
    }
  }

  private final ConditioningSets sets;
  private final List<Kind> kinds;
  private final int[] kindOf;
  private final SparsePattern pattern;

  private Couplings(ConditioningSets sets, List<Kind> kinds, int[] kindOf) {
    this.sets = sets;
    this.kinds = kinds;
    this.kindOf = kindOf;
    int m = kindOf.length;
    int[] starts = new int[m + 1];
    for (int r = 0; r < m; r++)
      starts[r + 1] = Math.addExact(starts[r], kinds.get(kindOf[r]).columns.length);
    int[] columns = new int[starts[m]];
    Parallel.chunks(
        m,
        CHUNK,
        (piece, from, to) -> {
          for (int r = from; r < to; r++) {
            int at = starts[r];
            for (int column : kinds.get(kindOf[r]).columns) columns[at++] = r + column;
          }
        });
    pattern = SparsePattern.adopt(starts, columns);
  }

  static Couplings of(ConditioningSets sets) {
    int m = sets.grid().size();
    int[] starts = new int[m + 1];
    for (int i = 0; i < m; i++) for (int jump : sets.jumps(sets.shapeOf(i))) starts[i + jump + 1]++;
    for (int r = 0; r < m; r++) starts[r + 1] = Math.addExact(starts[r + 1], starts[r]);
    int[] nodes = new int[starts[m]];
    int[] next = starts.clone();
    for (int i = 0; i < m; i++)
      for (int jump : sets.jumps(sets.shapeOf(i))) nodes[next[i + jump]++] = -jump;
    List<Kind> kinds = new ArrayList<>();
    int[] kindOf = new int[m];
    Map<Long, Integer> known = new HashMap<>();
    for (int r = 0; r < m; r++) {
      long hash = 1;
      for (int e = starts[r]; e < starts[r + 1]; e++)
        hash = 31 * (31 * hash + nodes[e]) + sets.shapeOf(r + nodes[e]);
      Integer kind = known.get(hash);
      while (kind != null && !same(sets, kinds.get(kind), r, nodes, starts[r], starts[r + 1]))
        kind = known.get(++hash);
      if (kind == null) {
        kind = kinds.size();
        known.put(hash, kind);
        kinds.add(new Kind(sets, r, Arrays.copyOfRange(nodes, starts[r], starts[r + 1])));
      }
      kindOf[r] = kind;
    }
    return new Couplings(sets, List.copyOf(kinds), kindOf);
  }

  private static boolean same(
      ConditioningSets sets, Kind kind, int row, int[] nodes, int from, int to) {
    if (!Arrays.equals(kind.nodes, 0, kind.nodes.length, nodes, from, to)) return false;
    for (int e = from; e < to; e++)
      if (sets.shapeOf(row + nodes[e]) != kind.shapes[e - from]) return false;
    return true;
  }

  ConditioningSets sets() {
    return sets;
  }

  /// The positions of the precision's entries.
  SparsePattern pattern() {
    return pattern;
  }

  List<Kind> kinds() {
    return kinds;
  }

  Kind kindOf(int row) {
    return kinds.get(kindOf[row]);
  }

  /// The number of the kind of a row.
  int kindNumber(int row) {
    return kindOf[row];
  }

  /// The sums over the rows of each kind of their entries, in the order of the kind's columns. The
  /// entries are given on a pattern that includes the precision's.
  double[][] sums(SparsePattern on, double[] z) {
    int m = kindOf.length;
    int[] starts = new int[kinds.size() + 1];
    for (int kind : kindOf) starts[kind + 1]++;
    for (int k = 0; k < kinds.size(); k++) starts[k + 1] += starts[k];
    int[] rows = new int[m];
    int[] next = starts.clone();
    for (int r = 0; r < m; r++) rows[next[kindOf[r]]++] = r;
    List<int[]> pieces = new ArrayList<>(); // kind, first and last but one row
    for (int k = 0; k < kinds.size(); k++)
      for (int from = starts[k]; from < starts[k + 1]; from += CHUNK)
        pieces.add(new int[] {k, from, Math.min(from + CHUNK, starts[k + 1])});
    double[][] parts = new double[pieces.size()][];
    Parallel.forEach(
        pieces.size(),
        p -> {
          int[] piece = pieces.get(p);
          int[] columns = kinds.get(piece[0]).columns;
          double[] sum = new double[columns.length];
          for (int i = piece[1]; i < piece[2]; i++) {
            int r = rows[i];
            int e = on.start(r);
            for (int q = 0; q < columns.length; q++) {
              while (on.column(e) != r + columns[q]) e++;
              sum[q] += z[e++];
            }
          }
          parts[p] = sum;
        });
    double[][] sums = new double[kinds.size()][];
    for (int p = 0; p < parts.length; p++) {
      int kind = pieces.get(p)[0];
      if (sums[kind] == null) sums[kind] = parts[p];
      else for (int q = 0; q < parts[p].length; q++) sums[kind][q] += parts[p][q];
    }
    return sums;
  }
}
