package lovelace.latticekernel;

import java.util.Arrays;
import lovelace.linear.Blas;
import lovelace.linear.Kronecker;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// A thin root `K = LLᵀ`, to rounding, of a separable kernel on a grid: `L = L₁ ⊗ … ⊗ L_d`. Each
/// factor has the few columns that a smooth kernel needs along its axis, by pivoted Cholesky.
///
/// The part left out, `E = K − LLᵀ`, is positive semidefinite. So a posterior computed with L, and
/// with the whole K as its prior term, overstates a variance by at most `wᵀEw ≤ max|E| ‖w‖₁²`,
/// about 40 ε times the kernel's variance.
public final class ThinKernelRoot {

  private static final double TOLERANCE = 0x1p-49;
  private static final int MOST_ON_A_LINE = 256;
  private static final int MOST_ON_AN_AXIS = 1200; // roots with more columns in all are not used
  private static final int LARGEST = 1 << 26; // numbers in an axis' factor

  private final int size;
  private final int rank;
  private final int[] points;
  private final int[] ranks;
  private final double[][] factors; // axis a: points[a] × ranks[a]

  private ThinKernelRoot(int[] points, int[] ranks, double[][] factors) {
    this.points = points;
    this.ranks = ranks;
    this.factors = factors;
    int m = 1;
    int r = 1;
    for (int a = 0; a < points.length; a++) {
      m *= points[a];
      r *= ranks[a];
    }
    size = m;
    rank = r;
  }

  /// A matrix `L₁ ⊗ … ⊗ L_d` from its factors, `points[a] × ranks[a]` each. They are not copied.
  public static ThinKernelRoot of(int[] points, int[] ranks, double[][] factors) {
    return new ThinKernelRoot(points.clone(), ranks.clone(), factors);
  }

  /// The root of `A₁ ⊗ … ⊗ A_d`, each a positive semidefinite Toeplitz matrix given by its first
  /// row. Null if it would have more columns than an eighth of its rows, or take too much memory.
  static @Nullable ThinKernelRoot of(int[] points, double[][] firstRows) {
    int d = points.length;
    int most = 1;
    for (int n : points) most *= n;
    most /= 8;
    int[] ranks = new int[d];
    double[][] factors = new double[d][];
    for (int a = 0; a < d; a++) {
      int n = points[a];
      int wanted = d == 1 ? MOST_ON_A_LINE : Math.min(n, MOST_ON_AN_AXIS);
      double[] columns = columns(firstRows[a], Math.min(Math.min(most, wanted), LARGEST / n));
      if (columns.length == 0) return null;
      int r = columns.length / n;
      double[] factor = new double[columns.length];
      Parallel.chunks(
          n,
          512,
          (chunk, from, to) -> {
            for (int j = 0; j < r; j++)
              for (int i = from; i < to; i++) factor[i * r + j] = columns[j * n + i];
          });
      ranks[a] = r;
      factors[a] = factor;
      most /= r;
    }
    return new ThinKernelRoot(points.clone(), ranks, factors);
  }

  /// The columns of a pivoted Cholesky factor, one after another; empty if more than `most` are
  /// needed. A smooth kernel needs half of its columns to reach every point, and the other half to
  /// reach rounding. So the search stops halfway if not every point has been reached.
  private static double[] columns(double[] first, int most) {
    int n = first.length;
    double[] diagonal = new double[n];
    Arrays.fill(diagonal, first[0]);
    double[] columns = new double[Math.min(most, 16) * n];
    double[] next = new double[n];
    for (int rank = 0; ; rank++) {
      int pivot = 0;
      for (int i = 1; i < n; i++) if (diagonal[i] > diagonal[pivot]) pivot = i;
      if (!(diagonal[pivot] > TOLERANCE * first[0])) return Arrays.copyOf(columns, rank * n);
      if (rank == most || (2 * rank >= most && diagonal[pivot] > 0.01 * first[0]))
        return new double[0];
      int at = rank * n;
      if (at == columns.length) columns = Arrays.copyOf(columns, Math.min(2 * at, most * n));
      for (int i = 0; i < n; i++) next[i] = first[Math.abs(i - pivot)];
      double[] taken = new double[rank];
      for (int k = 0; k < rank; k++) taken[k] = columns[k * n + pivot];
      if (rank > 0) Blas.gemv(true, rank, n, -1, columns, 0, n, taken, 0, 1, next, 0);
      double scale = 1 / Math.sqrt(diagonal[pivot]);
      for (int i = 0; i < n; i++) {
        next[i] *= scale;
        diagonal[i] -= next[i] * next[i];
      }
      diagonal[pivot] = Double.NEGATIVE_INFINITY;
      System.arraycopy(next, 0, columns, at, n);
    }
  }

  /// m, the number of grid points.
  public int size() {
    return size;
  }

  /// The number of columns of L.
  public int rank() {
    return rank;
  }

  /// The number of axes.
  public int dimensions() {
    return points.length;
  }

  /// The number of points of an axis.
  public int points(int axis) {
    return points[axis];
  }

  /// The number of columns of an axis' factor.
  public int rank(int axis) {
    return ranks[axis];
  }

  /// An axis' factor, points × rank; the caller must not modify it.
  public double[] factor(int axis) {
    return factors[axis];
  }

  /// `L z` for `count` vectors one after another, as a new array.
  public double[] expand(int count, double[] z) {
    return Kronecker.multiply(false, count, points, ranks, factors, z);
  }

  /// `Lᵀ u` for `count` vectors one after another, as a new array.
  public double[] contract(int count, double[] u) {
    return Kronecker.multiply(true, count, points, ranks, factors, u);
  }

  /// The columns of L with these indices, one after another.
  public double[] columns(int[] places) {
    double[] all = new double[Math.multiplyExact(places.length, size)];
    for (int c = 0; c < places.length; c++) {
      double[] column = {1};
      for (int a = points.length - 1, rest = places[c]; a >= 0; rest /= ranks[a--]) {
        double[] next = new double[points[a] * column.length];
        for (int i = 0; i < points[a]; i++) {
          double scale = factors[a][i * ranks[a] + rest % ranks[a]];
          for (int k = 0; k < column.length; k++) next[i * column.length + k] = scale * column[k];
        }
        column = next;
      }
      System.arraycopy(column, 0, all, c * size, size);
    }
    return all;
  }

  /// `L Z` for a matrix Z, rank × columns. Both are row-major.
  public double[] expandColumns(int columns, double[] z) {
    double[] all = new double[Math.multiplyExact(size, columns)];
    expandColumns(columns, z, 0, points[0], 0, all);
    return all;
  }

  /// Adds the rows of `L Z` at the points from ≤ i < to of the first axis to `beta` times the
  /// present content.
  public void expandColumns(int columns, double[] z, int from, int to, double beta, double[] out) {
    double[] current = z;
    int outer = 1;
    int inner = rank * columns;
    for (int a = 0; a < points.length; a++) {
      boolean last = a == points.length - 1;
      int r = ranks[a];
      int n = a == 0 ? to - from : points[a];
      int start = a == 0 ? from * r : 0;
      inner /= r;
      int width = inner;
      double[] now = current;
      double[] factor = factors[a];
      double[] next = last ? out : new double[outer * n * width];
      double keep = last ? beta : 0;
      Parallel.chunks(
          outer,
          16,
          (chunk, first, end) -> {
            for (int o = first; o < end; o++) {
              int at = o * r * width;
              int into = o * n * width;
              Blas.gemm(
                  false, false, n, width, r, 1, factor, start, r, now, at, width, keep, next, into,
                  width);
            }
          });
      outer *= n;
      current = next;
    }
  }
}
