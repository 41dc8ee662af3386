package lovelace.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.StencilMatrix;
import org.jspecify.annotations.Nullable;

/// A root `CCᵀ = G` with one column per lattice point: the sparse Cholesky factor of G in the order
/// of the lattice. The entries of a column stay near its point, because entries below rounding are
/// dropped: about 100 numbers a column on a 50 × 50 grid. So a product costs as much as one with G.
/// Columns of points that add nothing to the range of G are zero.
public final class LatticeGramRoot implements GramRoot {

  private static final double NEGLIGIBLE = 1e-14;

  private final int size;
  private final int[] starts;
  private final int[] rows;
  private final double[] values;

  private LatticeGramRoot(int size, int[] starts, int[] rows, double[] values) {
    this.size = size;
    this.starts = starts;
    this.rows = rows;
    this.values = values;
  }

  /// Factors G, left-looking. Returns null if the factor would have more than `most` nonzeros, or
  /// if G is so nearly singular that rounding spoils the factor.
  public static @Nullable LatticeGramRoot of(StencilMatrix gram, int most) {
    int m = gram.size();
    int[] starts = new int[m + 1];
    int[] rows = new int[Math.min(most, 64 * m)];
    double[] values = new double[rows.length];
    // a linked list holds the columns whose next entry is in a row
    int[] head = new int[m];
    int[] next = new int[m];
    int[] at = new int[m];
    Arrays.fill(head, -1);
    double[] work = new double[m];
    double[] scale = new double[m];
    for (int i = 0; i < m; i++) scale[i] = Math.sqrt(gram.diagonal(0)[i]);
    int used = 0;
    for (int j = 0; j < m; j++) {
      int last = j;
      for (int k = 0; k < gram.diagonalCount(); k++) {
        double value = gram.diagonal(k)[j];
        if (value == 0) continue;
        work[j + gram.shift(k)] = value;
        last = Math.max(last, j + gram.shift(k));
      }
      for (int k = head[j], after; k >= 0; k = after) {
        after = next[k];
        double factor = values[at[k]];
        int end = starts[k + 1];
        for (int e = at[k]; e < end; e++) work[rows[e]] -= factor * values[e];
        last = Math.max(last, rows[end - 1]);
        chain(k, at[k] + 1, end, rows, at, next, head);
      }
      double pivot = work[j];
      if (pivot > NEGLIGIBLE * scale[j] * scale[j]) {
        if (used + last - j + 1 > rows.length) {
          if (used + last - j + 1 > most) return null;
          int longer = Math.min(most, Math.max(2 * rows.length, used + last - j + 1));
          rows = Arrays.copyOf(rows, longer);
          values = Arrays.copyOf(values, longer);
        }
        double root = Math.sqrt(pivot);
        for (int i = j; i <= last; i++) {
          double value = work[i] / root;
          if (!(Math.abs(value) > NEGLIGIBLE * scale[i])) continue;
          rows[used] = i;
          values[used++] = value;
        }
        chain(j, starts[j] + 1, used, rows, at, next, head);
      }
      Arrays.fill(work, j, last + 1, 0);
      starts[j + 1] = used;
    }
    LatticeGramRoot root =
        new LatticeGramRoot(m, starts, Arrays.copyOf(rows, used), Arrays.copyOf(values, used));
    return root.reproduces(gram) ? root : null;
  }

  /// Whether, for a random u, `CCᵀu = Gu` and C maps the coordinates of Gu back to Gu.
  private boolean reproduces(StencilMatrix gram) {
    SplittableRandom random = new SplittableRandom(0x600d);
    double[] u = new double[size];
    for (int i = 0; i < size; i++) u[i] = random.nextDouble() - 0.5;
    double[] v = new double[size];
    double[] image = new double[size];
    double[] expected = new double[size];
    double[] back = new double[size];
    gram.apply(u, expected);
    applyTransposed(u, v);
    apply(v, image);
    apply(coordinates(expected), back);
    double scale = 0;
    double error = 0;
    for (int i = 0; i < size; i++) {
      scale = Math.max(scale, Math.abs(expected[i]));
      error = Math.max(error, Math.abs(image[i] - expected[i]));
      error = Math.max(error, Math.abs(back[i] - expected[i]));
    }
    return error <= 1e-10 * scale;
  }

  private static void chain(
      int column, int entry, int end, int[] rows, int[] at, int[] next, int[] head) {
    if (entry >= end) return;
    at[column] = entry;
    next[column] = head[rows[entry]];
    head[rows[entry]] = column;
  }

  /// β with `Cβ = b` for a vector b in the range of G.
  public double[] coordinates(double[] b) {
    double[] rest = b.clone();
    double[] beta = new double[size];
    for (int j = 0; j < size; j++) {
      if (starts[j] == starts[j + 1]) continue;
      beta[j] = rest[j] / values[starts[j]];
      for (int e = starts[j]; e < starts[j + 1]; e++) rest[rows[e]] -= beta[j] * values[e];
    }
    return beta;
  }

  /// The number of nonzero entries.
  public int entries() {
    return values.length;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int columns() {
    return size;
  }

  @Override
  public void apply(double[] v, double[] u) {
    Arrays.fill(u, 0, size, 0);
    for (int j = 0; j < size; j++) {
      double factor = v[j];
      for (int e = starts[j]; e < starts[j + 1]; e++) u[rows[e]] += factor * values[e];
    }
  }

  @Override
  public void applyTransposed(double[] u, double[] v) {
    for (int j = 0; j < size; j++) {
      double sum = 0;
      for (int e = starts[j]; e < starts[j + 1]; e++) sum += values[e] * u[rows[e]];
      v[j] = sum;
    }
  }
}
