package lovelace.drift;

import java.util.Arrays;
import java.util.function.BiFunction;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;

/// Universal kriging from the definition, by Gaussian elimination: with `V = k(X, X) + σ²/w`,
/// `A = FᵀV⁻¹F` and `β = A⁻¹FᵀV⁻¹y`,
///
///     mean(x)    = f(x)ᵀβ + k(x)ᵀV⁻¹(y − Fβ)
///     cov(x, x′) = k(x, x′) − k(x)ᵀV⁻¹k(x′) + r(x)ᵀA⁻¹r(x′),   r(x) = f(x) − FᵀV⁻¹k(x)
///     log L      = log N(y − Fβ; 0, V) − ½ log|A| + (q/2) log 2π
final class DenseKriging {

  final double[] beta;
  final double[] errors;
  final double logLikelihood;
  private final double[][] rows;
  private final double[][] terms;
  private final double[][] inverse;
  private final double[][] covariance; // of the coefficients
  private final double[] residual;
  private final BiFunction<double[], double[], Double> kernel;

  /// @param rows what the kernel reads of each row
  /// @param terms the columns of F of each row, the leading 1 included
  DenseKriging(
      double[][] rows,
      double[][] terms,
      double[] y,
      double[] weights,
      double noise,
      BiFunction<double[], double[], Double> kernel) {
    this.rows = rows;
    this.terms = terms;
    this.kernel = kernel;
    int n = y.length;
    int q = terms[0].length;
    double[][] v = new double[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        v[i][j] = kernel.apply(rows[i], rows[j]) + (i == j ? noise / weights[i] : 0);
    double[] determinant = new double[1];
    inverse = inverse(v, determinant);
    double[][] a = new double[q][q];
    double[] g = new double[q];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int s = 0; s < q; s++) {
          g[s] += terms[i][s] * inverse[i][j] * y[j];
          for (int t = 0; t < q; t++) a[s][t] += terms[i][s] * inverse[i][j] * terms[j][t];
        }
    double[] ofA = new double[1];
    covariance = inverse(a, ofA);
    beta = times(covariance, g);
    errors = new double[q];
    for (int s = 0; s < q; s++) errors[s] = Math.sqrt(covariance[s][s]);
    residual = y.clone();
    for (int i = 0; i < n; i++) for (int s = 0; s < q; s++) residual[i] -= terms[i][s] * beta[s];
    double quadratic = dot(residual, times(inverse, residual));
    logLikelihood =
        -0.5 * (quadratic + determinant[0] + n * Math.log(2 * Math.PI))
            - 0.5 * ofA[0]
            + 0.5 * q * Math.log(2 * Math.PI);
  }

  /// The exact kernel over the first columns; F is 1 and the columns at these places.
  static DenseKriging of(Dataset data, int process, int[] places, Kernel kernel, double noise) {
    return new DenseKriging(
        rows(data.inputs(), data.dimensions(), process),
        terms(data.inputs(), data.dimensions(), places),
        data.target(),
        data.weights(),
        noise,
        (a, b) -> kernel.withoutWhite().value(a, 0, b, 0));
  }

  /// The kernel interpolated on a lattice, `wᵀKw′`.
  static BiFunction<double[], double[], Double> interpolated(Lattice lattice, Kernel kernel) {
    int m = lattice.size();
    double[][] nodes = new double[m][];
    lovelace.grid.Grid grid = (lovelace.grid.Grid) lattice;
    for (int i = 0; i < m; i++) nodes[i] = grid.point(i);
    return (a, b) -> {
      int s = lattice.stencilSize();
      int[] i = new int[s];
      int[] j = new int[s];
      double[] v = new double[s];
      double[] w = new double[s];
      lattice.stencil(a, 0, i, v);
      lattice.stencil(b, 0, j, w);
      double sum = 0;
      for (int k = 0; k < s; k++)
        for (int l = 0; l < s; l++)
          sum += v[k] * w[l] * kernel.withoutWhite().value(nodes[i[k]], 0, nodes[j[l]], 0);
      return sum;
    };
  }

  static double[][] rows(double[] x, int d, int kept) {
    double[][] rows = new double[x.length / d][];
    for (int i = 0; i < rows.length; i++) rows[i] = Arrays.copyOfRange(x, i * d, i * d + kept);
    return rows;
  }

  static double[][] terms(double[] x, int d, int[] places) {
    double[][] terms = new double[x.length / d][places.length + 1];
    for (int i = 0; i < terms.length; i++) {
      terms[i][0] = 1;
      for (int j = 0; j < places.length; j++) terms[i][j + 1] = x[i * d + places[j]];
    }
    return terms;
  }

  double mean(double[] x, double[] f) {
    return dot(f, beta) + dot(kernels(x), times(inverse, residual));
  }

  double covariance(double[] x, double[] f, double[] x2, double[] f2) {
    double[] k = kernels(x);
    double[] k2 = kernels(x2);
    double process = kernel.apply(x, x2) - dot(k, times(inverse, k2));
    return process + dot(left(k, f), times(covariance, left(k2, f2)));
  }

  private double[] left(double[] k, double[] f) {
    double[] weights = times(inverse, k);
    double[] r = f.clone();
    for (int i = 0; i < rows.length; i++)
      for (int s = 0; s < r.length; s++) r[s] -= weights[i] * terms[i][s];
    return r;
  }

  private double[] kernels(double[] x) {
    return Arrays.stream(rows).mapToDouble(row -> kernel.apply(x, row)).toArray();
  }

  static double[] times(double[][] a, double[] x) {
    return Arrays.stream(a).mapToDouble(row -> dot(row, x)).toArray();
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /// The inverse by Gauss–Jordan elimination with pivots, and the log of the determinant.
  static double[][] inverse(double[][] matrix, double[] logDeterminant) {
    int n = matrix.length;
    double[][] a = new double[n][2 * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(matrix[i], 0, a[i], 0, n);
      a[i][n + i] = 1;
    }
    for (int c = 0; c < n; c++) {
      int pivot = c;
      for (int r = c + 1; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[pivot][c])) pivot = r;
      double[] swap = a[c];
      a[c] = a[pivot];
      a[pivot] = swap;
      logDeterminant[0] += Math.log(Math.abs(a[c][c]));
      double scale = 1 / a[c][c];
      for (int k = 0; k < 2 * n; k++) a[c][k] *= scale;
      for (int r = 0; r < n; r++) {
        if (r == c || a[r][c] == 0) continue;
        double factor = a[r][c];
        for (int k = c; k < 2 * n; k++) a[r][k] -= factor * a[c][k];
      }
    }
    double[][] inverse = new double[n][];
    for (int i = 0; i < n; i++) inverse[i] = Arrays.copyOfRange(a[i], n, 2 * n);
    return inverse;
  }
}
