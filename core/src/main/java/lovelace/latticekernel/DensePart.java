package lovelace.latticekernel;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.kernel.Term;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// A term over a grid without usable structure, because it has a user's own kernel that is not
/// stationary. It is a dense matrix with O(m²) memory and O(m²) operations per product.
public final class DensePart implements LatticeKernel.Part {

  static final int MOST = 12_000;

  private final int size;
  private final Kernel kernel;
  private final double[] points;
  private final Term term;
  private final double[] values; // of the whole kernel
  private volatile double @Nullable [] matrix;

  private DensePart(int size, Kernel kernel, double[] points, Term term, double[] values) {
    this.size = size;
    this.kernel = kernel;
    this.points = points;
    this.term = term;
    this.values = values;
  }

  static DensePart of(Grid grid, int[] columns, Kernel whole, Term term) {
    int m = grid.size();
    Kernel kernel = term.kernel(whole.dimensions());
    if (m > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is not stationary, and its matrix over the %s is too large: at most %,d points; use the exact engine, or fewer grid points",
              kernel,
              grid,
              MOST));
    int d = whole.dimensions();
    double[] own = grid.points();
    double[] points = new double[m * d]; // columns that the term does not read are 0
    for (int i = 0; i < m; i++)
      for (int a = 0; a < columns.length; a++)
        points[i * d + columns[a]] = own[i * columns.length + a];
    return new DensePart(m, kernel, points, term, whole.values());
  }

  private double[] matrix() {
    double[] known = matrix;
    if (known != null) return known;
    Budget.require(
        8L * size * size,
        "the matrix of a kernel that is not stationary",
        "use the exact engine, or fewer grid points,");
    known = new double[size * size];
    kernel.matrix(points, size, points, size, known);
    matrix = known;
    return known;
  }

  /// The largest diagonal entry.
  double maxVariance() {
    double most = 0;
    for (int i = 0; i < size; i++)
      most = Math.max(most, kernel.variance(points, i * kernel.dimensions()));
    return most;
  }

  /// A root of this part.
  KernelRoot.Part root() {
    return DenseKernelRoot.of(new int[] {size}, new double[][] {matrix()});
  }

  @Override
  public void add(int count, int stride, double[] x, double[] y, int offset) {
    int m = size;
    Blas.gemm(
        false, false, count, m, m, 1, x, offset, stride, matrix(), 0, m, 1, y, offset, stride);
  }

  @Override
  public double entry(int i, int j) {
    return matrix()[i * size + j];
  }

  @Override
  public void gradient(
      int count, int stride, double[] u, double[] v, int offset, double weight, double[] g) {
    int m = size;
    double[] w = new double[m * m];
    Blas.gemm(true, false, m, m, count, weight, u, offset, stride, v, offset, stride, 0, w, 0, m);
    double[] local = new double[kernel.parameterCount()]; // the amplitude, then the factors'
    kernel.gradientSum(points, m, points, m, w, local);
    for (int p : term.amplitudeParameters()) g[p] += local[0] * term.amplitude() / values[p];
    int from = 1;
    for (int f = 0; f < term.factors().size(); f++) {
      int own = term.factors().get(f).parameterCount();
      for (int i = 0; i < own; i++) g[term.offset(f) + i] += local[from + i];
      from += own;
    }
  }
}
