package lovelace.inference;

import lovelace.grid.GridKernel;
import lovelace.grid.KernelRoot;
import lovelace.linear.Blas;

/// Matheron's rule through caches: for a covariance `P = K − SᵀS` with `S = BK`, `B = L⁻¹QᵀŴᵀ`, Q
/// orthonormal and `LLᵀ = Qᵀ(ŴᵀKŴ + σ²I)Q`,
///
/// ```
/// u₀ − Sᵀ(B u₀ + σ L⁻¹η)        u₀ ~ N(0, K), η ~ N(0, I)
/// ```
///
/// has covariance P, since `BKBᵀ + σ²L⁻¹L⁻ᵀ = I`: the noise of the data enters only through `Qᵀξ`,
/// which is standard normal again. No solve, full rank, and exactly the P that predictions are made
/// of; two matrix products a block of draws.
final class CacheRoot implements CovarianceRoot {

  /// `X ← X L⁻ᵀ` for `count` rows: L⁻¹ times each.
  interface Whitening {
    void apply(int count, double[] x);
  }

  private final String name;
  private final KernelRoot prior;
  private final int rank;
  private final double sigma;
  private final double[] b; // rank × m
  private final double[] s; // m × rank, or rank × m
  private final boolean rows; // whether s is rank × m
  private final Whitening whitening;

  CacheRoot(
      String name,
      GridKernel kernel,
      double noise,
      int rank,
      double[] b,
      double[] s,
      boolean rows,
      Whitening whitening) {
    this.name = name;
    prior = KernelRoot.of(kernel);
    sigma = Math.sqrt(noise);
    this.rank = rank;
    this.b = b;
    this.s = s;
    this.rows = rows;
    this.whitening = whitening;
  }

  @Override
  public int size() {
    return prior.size();
  }

  @Override
  public int normals() {
    return Math.addExact(prior.normals(), rank);
  }

  @Override
  public int[] leading(int most) {
    return prior.leading(most);
  }

  @Override
  public void apply(int count, double[] xi, double[] u) {
    int n = normals();
    int m = size();
    prior.apply(count, n, xi, u);
    if (rank == 0) return;
    double[] t = new double[count * rank];
    for (int c = 0; c < count; c++)
      System.arraycopy(xi, c * n + prior.normals(), t, c * rank, rank);
    whitening.apply(count, t);
    Blas.gemm(false, true, count, rank, m, 1, u, 0, m, b, 0, m, sigma, t, 0, rank);
    Blas.gemm(false, !rows, count, m, rank, -1, t, 0, rank, s, 0, rows ? m : rank, 1, u, 0, m);
  }

  @Override
  public String describe() {
    return "pathwise by " + name + ", " + prior.describe();
  }
}
