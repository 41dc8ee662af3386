package lovelace.grid;

import java.util.Arrays;
import lovelace.linear.Blas;
import lovelace.linear.Kronecker;
import lovelace.linear.Parallel;

/// A thin root `K = LLᵀ`, to rounding, of a separable kernel on a grid: `L = L₁ ⊗ … ⊗ L_d` with the
/// few columns that a smooth kernel needs along each axis, by pivoted Cholesky.
///
/// What is left out, `E = K − LLᵀ`, is positive semidefinite, so a posterior computed with L and
/// the whole K as its prior term overstates a variance by at most `wᵀEw ≤ max|E| ‖w‖₁²`, about 40 ε
/// times the kernel's variance.
public final class ThinRoot {

  private static final double TOLERANCE = 0x1p-49;

  private final int size;
  private final int rank;
  private final int[] points;
  private final int[] ranks;
  private final double[][] factors; // axis a: points[a] × ranks[a]

  private ThinRoot(int[] points, int[] ranks, double[][] factors) {
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

  /// The root of `A₁ ⊗ … ⊗ A_d`, each symmetric, positive semidefinite and with one value on its
  /// diagonal.
  static ThinRoot of(int[] points, double[][] matrices) {
    int d = points.length;
    int[] ranks = new int[d];
    double[][] factors = new double[d][];
    for (int a = 0; a < d; a++) {
      double[] columns = columns(points[a], matrices[a]);
      ranks[a] = columns.length / points[a];
      factors[a] = new double[columns.length];
      for (int j = 0; j < ranks[a]; j++)
        for (int i = 0; i < points[a]; i++)
          factors[a][i * ranks[a] + j] = columns[j * points[a] + i];
    }
    return new ThinRoot(points.clone(), ranks, factors);
  }

  /// The columns of a pivoted Cholesky factor, one after another.
  private static double[] columns(int n, double[] a) {
    double[] diagonal = new double[n];
    for (int i = 0; i < n; i++) diagonal[i] = a[i * n + i];
    double least = TOLERANCE * a[0];
    double[] columns = new double[16 * n];
    int rank = 0;
    for (; rank < n; rank++) {
      int pivot = 0;
      for (int i = 1; i < n; i++) if (diagonal[i] > diagonal[pivot]) pivot = i;
      if (!(diagonal[pivot] > least)) break;
      int at = rank * n;
      if (at == columns.length) columns = Arrays.copyOf(columns, Math.min(2 * at, n * n));
      System.arraycopy(a, pivot * n, columns, at, n);
      for (int k = 0; k < at; k += n) {
        double factor = columns[k + pivot];
        for (int i = 0; i < n; i++) columns[at + i] -= factor * columns[k + i];
      }
      double root = Math.sqrt(diagonal[pivot]);
      for (int i = 0; i < n; i++) {
        columns[at + i] /= root;
        diagonal[i] -= columns[at + i] * columns[at + i];
      }
      diagonal[pivot] = Double.NEGATIVE_INFINITY;
    }
    return Arrays.copyOf(columns, rank * n);
  }

  /// m, the number of grid points.
  public int size() {
    return size;
  }

  /// The number of columns of L.
  public int rank() {
    return rank;
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

  /// `L Z` for a matrix Z, rank × columns, row-major as the result.
  public double[] expandColumns(int columns, double[] z) {
    double[] current = z;
    int outer = 1;
    int inner = rank * columns;
    for (int a = 0; a < points.length; a++) {
      int from = ranks[a];
      int to = points[a];
      inner /= from;
      int width = inner;
      double[] now = current;
      double[] next = new double[outer * to * width];
      double[] factor = factors[a];
      Parallel.chunks(
          outer,
          16,
          (chunk, first, last) -> {
            for (int o = first; o < last; o++)
              Blas.gemm(
                  false,
                  false,
                  to,
                  width,
                  from,
                  1,
                  factor,
                  0,
                  from,
                  now,
                  o * from * width,
                  width,
                  0,
                  next,
                  o * to * width,
                  width);
          });
      outer *= to;
      current = next;
    }
    return current;
  }
}
