package lovelace.inference;

import lovelace.krylov.Space;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;

/// The Schur complement of `A = VᵀKV + σ²I` on the vectors orthogonal to some orthonormal rows U:
///
/// ```
/// E = U A Uᵀ        R x = x − Uᵀ E⁻¹ U A x        S x = (I − UᵀU) A R x
/// log|A| = log|E| + log|S|        ∂S = Rᵀ ∂A R
/// ```
///
/// With the leading directions of A in U, what is left for random probes to find is small. U does
/// not depend on the parameters, so the split is smooth in them. No rows is allowed: S is then A.
final class DeflatedSpace implements Space {

  private final RootSpace whole;
  private final int rank;
  private final double[] u; // rank × size
  private final double[] image; // U A, rank × size
  private final Cholesky block; // of E

  DeflatedSpace(RootSpace whole, int rank, double[] u) {
    this.whole = whole;
    this.rank = rank;
    this.u = u;
    int n = whole.size();
    image = new double[rank * n];
    double[] e = new double[rank * rank];
    if (rank > 0) {
      double[] lifted = new double[rank * whole.liftedSize()];
      whole.lift(rank, u, lifted);
      whole.project(rank, lifted, image);
      for (int i = 0; i < rank * n; i++) image[i] += whole.shift() * u[i];
      Blas.gemm(false, true, rank, rank, n, 1, image, 0, n, u, 0, n, 0, e, 0, rank);
    }
    block = Cholesky.adopt(e, rank);
  }

  int rank() {
    return rank;
  }

  /// `log|E|`.
  double logDeterminant() {
    return rank == 0 ? 0 : block.logDeterminant();
  }

  /// Rows `L⁻¹U`, `E = LLᵀ`: `∂ log|E| = tr(L⁻¹U ∂A UᵀL⁻ᵀ)`.
  double[] whitened() {
    double[] y = u.clone();
    if (rank > 0) block.solveLower(whole.size(), y);
    return y;
  }

  /// Removes what lies along U from `count` vectors.
  void deflate(int count, double[] x) {
    if (rank == 0) return;
    int n = size();
    double[] c = new double[count * rank];
    Blas.gemm(false, true, count, rank, n, 1, x, 0, n, u, 0, n, 0, c, 0, rank);
    Blas.gemm(false, false, count, n, rank, -1, c, 0, rank, u, 0, n, 1, x, 0, n);
  }

  /// `y ← R x` for `count` vectors.
  void expand(int count, double[] x, double[] y) {
    int n = size();
    System.arraycopy(x, 0, y, 0, count * n);
    if (rank == 0) return;
    double[] c = new double[count * rank];
    Blas.gemm(false, true, count, rank, n, 1, x, 0, n, image, 0, n, 0, c, 0, rank);
    Blas.trsm(true, true, count, rank, 1, block.factor(), 0, rank, c, 0, rank);
    Blas.trsm(true, false, count, rank, 1, block.factor(), 0, rank, c, 0, rank);
    Blas.gemm(false, false, count, n, rank, -1, c, 0, rank, u, 0, n, 1, y, 0, n);
  }

  @Override
  public int size() {
    return whole.size();
  }

  @Override
  public int liftedSize() {
    return whole.liftedSize();
  }

  @Override
  public double shift() {
    return whole.shift();
  }

  @Override
  public boolean euclidean() {
    return true;
  }

  @Override
  public void metric(int count, double[] x, double[] g) {
    System.arraycopy(x, 0, g, 0, count * size());
  }

  @Override
  public void lift(int count, double[] g, double[] r) {
    if (rank == 0) {
      whole.lift(count, g, r);
      return;
    }
    double[] y = new double[count * size()];
    expand(count, g, y);
    whole.lift(count, y, r);
  }

  @Override
  public void project(int count, double[] r, double[] y) {
    whole.project(count, r, y);
    deflate(count, y);
  }

  @Override
  public void embed(int count, double[] g, double[] grid) {
    double[] y = new double[count * size()];
    expand(count, g, y);
    whole.embed(count, y, grid);
  }
}
