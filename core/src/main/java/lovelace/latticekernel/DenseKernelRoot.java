package lovelace.latticekernel;

import java.util.Arrays;
import lovelace.linear.Blas;
import lovelace.statistics.CompressedWeights;

/// A root `R₁ ⊗ … ⊗ R_d` of a Kronecker product of positive semidefinite matrices, or of one dense
/// matrix. Rⱼ is the pivoted Cholesky factor of its matrix. Its number of columns is the rank, to
/// rounding.
final class DenseKernelRoot implements KernelRoot.Part {

  private final int[] sizes;
  private final int[] ranks;
  private final double[][] roots; // size × rank
  private final double[][] weights; // squared norms of the columns

  private DenseKernelRoot(int[] sizes, double[][] matrices) {
    int d = sizes.length;
    this.sizes = sizes;
    ranks = new int[d];
    roots = new double[d][];
    weights = new double[d][];
    for (int a = 0; a < d; a++) {
      roots[a] = root(sizes[a], matrices[a]);
      ranks[a] = roots[a].length / sizes[a];
      weights[a] = new double[ranks[a]];
      for (int i = 0; i < roots[a].length; i++)
        weights[a][i % ranks[a]] += roots[a][i] * roots[a][i];
    }
  }

  /// Makes the root. `matrices` are symmetric and row-major, and are overwritten.
  static DenseKernelRoot of(int[] sizes, double[][] matrices) {
    return new DenseKernelRoot(sizes.clone(), matrices);
  }

  /// The Cholesky factor, pivoted if rounding makes the matrix indefinite.
  private static double[] root(int n, double[] matrix) {
    double[] l = matrix.clone();
    if (Blas.potrf(n, l, 0, n) == 0) {
      for (int i = 0; i < n; i++) Arrays.fill(l, i * n + i + 1, (i + 1) * n, 0);
      return l;
    }
    double[] columns = CompressedWeights.root(matrix, n, n, new double[n], new double[n]);
    int rank = columns.length / n;
    double[] root = new double[n * rank];
    for (int j = 0; j < rank; j++)
      for (int i = 0; i < n; i++) root[i * rank + j] = columns[j * n + i];
    return root;
  }

  @Override
  public int normals() {
    int product = 1;
    for (int r : ranks) product = Math.multiplyExact(product, r);
    return product;
  }

  @Override
  public double weight(int j) {
    double product = 1;
    for (int a = ranks.length - 1; a >= 0; j /= ranks[a], a--) product *= weights[a][j % ranks[a]];
    return product;
  }

  @Override
  public void apply(double[] xi, int xo, double[] v) {
    int d = sizes.length;
    double[] t = xi;
    int at = xo;
    int outer = normals();
    int inner = 1;
    for (int a = d - 1; a >= 0; a--) {
      outer /= ranks[a];
      double[] next = a == 0 ? v : new double[outer * sizes[a] * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            false,
            false,
            sizes[a],
            inner,
            ranks[a],
            1,
            roots[a],
            0,
            ranks[a],
            t,
            at + o * ranks[a] * inner,
            inner,
            0,
            next,
            o * sizes[a] * inner,
            inner);
      inner *= sizes[a];
      t = next;
      at = 0;
    }
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder(sizes.length == 1 ? "dense factor of rank" : "factors");
    for (int a = 0; a < ranks.length; a++) text.append(a == 0 ? " " : " × ").append(ranks[a]);
    return text.toString();
  }
}
