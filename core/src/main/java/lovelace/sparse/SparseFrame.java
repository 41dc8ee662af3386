package lovelace.sparse;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.sparse.Fronts;
import lovelace.linear.sparse.NestedDissection;
import lovelace.linear.sparse.SparsePattern;
import org.jspecify.annotations.Nullable;

/// The parts of a sparse posterior that do not depend on the kernel's parameters: conditioning
/// sets, the pattern of Λ, the order of its elimination. A search for parameters keeps one frame,
/// so that its likelihood is smooth. Immutable.
///
/// Besides the pairs that the precision needs, the pattern contains all pairs of nodes at most
/// three cells apart: those of the Gram matrix, and those of the inverse that a prediction reads.
final class SparseFrame {

  private static final int REACH = 3;

  /// The precision with the parameters for which the frame was made.
  final LatticePrecision precision;

  /// The pattern over all nodes.
  final SparsePattern padded;

  /// The diagonal of a [lovelace.grid.StencilMatrix] that each entry of `padded` lies on, −1 for
  /// none.
  final short[] diagonal;

  /// The number of each node among those that are not pinned, −1 for a pinned one; null if none is
  /// pinned.
  final int @Nullable [] number;

  /// The number in `padded` of each entry among nodes that are not pinned; null if none is pinned.
  final int @Nullable [] source;

  /// The fronts of the nodes that are not pinned.
  final Fronts fronts;

  final int neighbours;

  private SparseFrame(
      LatticePrecision precision, int neighbours, boolean @Nullable [] pinned, Grid grid) {
    this.precision = precision;
    this.neighbours = neighbours;
    int[] shape = new int[grid.dimensions()];
    for (int a = 0; a < shape.length; a++) shape[a] = grid.axis(a).points();
    padded = precision.pattern().union(SparsePattern.grid(shape, REACH));
    diagonal = diagonals(grid, padded);
    double[][] places = SparsePattern.coordinates(shape);
    if (pinned == null) {
      number = null;
      source = null;
      fronts = Fronts.of(padded, NestedDissection.of(padded, places));
      return;
    }
    int m = grid.size();
    int[] numbers = new int[m];
    int free = 0;
    for (int i = 0; i < m; i++) numbers[i] = pinned[i] ? -1 : free++;
    int[] starts = new int[free + 1];
    int[] columns = new int[padded.entries()];
    int[] from = new int[padded.entries()];
    int entries = 0;
    for (int r = 0; r < m; r++) {
      if (numbers[r] < 0) continue;
      for (int e = padded.start(r); e < padded.start(r + 1); e++)
        if (numbers[padded.column(e)] >= 0) {
          columns[entries] = numbers[padded.column(e)];
          from[entries++] = e;
        }
      starts[numbers[r] + 1] = entries;
    }
    double[][] kept = new double[shape.length][free];
    for (int a = 0; a < shape.length; a++)
      for (int i = 0; i < m; i++) if (numbers[i] >= 0) kept[a][numbers[i]] = places[a][i];
    SparsePattern pattern = SparsePattern.adopt(starts, Arrays.copyOf(columns, entries));
    number = numbers;
    source = Arrays.copyOf(from, entries);
    fronts = Fronts.of(pattern, NestedDissection.of(pattern, kept));
  }

  /// The frame for a kernel over a grid.
  ///
  /// @param k the number of nodes that each is regressed on
  /// @param pinned the nodes whose values are known; null for none
  static SparseFrame of(LatticeKernel.Block block, int k, boolean @Nullable [] pinned) {
    LatticePrecision precision =
        LatticePrecision.of(LocalRegressions.of(ConditioningSets.of(block, k), block));
    return new SparseFrame(precision, k, pinned, block.grid());
  }

  private static short[] diagonals(Grid grid, SparsePattern pattern) {
    int d = grid.dimensions();
    int middle = 0;
    for (int a = 0; a < d; a++) middle = 7 * middle + REACH;
    short[] diagonal = new short[pattern.entries()];
    for (int r = 0; r < grid.size(); r++)
      for (int e = pattern.start(r); e < pattern.start(r + 1); e++) {
        int rank = 0;
        boolean near = true;
        for (int a = 0; a < d; a++) {
          int points = grid.axis(a).points();
          int o = r / grid.stride(a) % points - pattern.column(e) / grid.stride(a) % points;
          near &= o >= -REACH && o <= REACH;
          rank = 7 * rank + o + REACH;
        }
        diagonal[e] = (short) (near ? rank - middle : -1);
      }
    return diagonal;
  }

  /// About how many bytes are needed to make a posterior: the factor, the fronts that are held at
  /// the same time while its inverse is computed, and the numbers for each entry of the pattern.
  long bytes() {
    long largest = fronts.largest();
    return 8 * fronts.numbers() + 64 * largest * largest + 64L * padded.entries();
  }
}
