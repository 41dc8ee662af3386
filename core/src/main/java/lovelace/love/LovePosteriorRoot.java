package lovelace.love;

import lovelace.inference.PosteriorRoot;
import lovelace.latticekernel.KernelRoot;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;

/// Draws from the posterior by Matheron's rule, with LOVE's caches. For `P = K − SᵀS` with `S =
/// BK`, `B = L⁻¹QᵀŴᵀ`, Q orthonormal and `LLᵀ = Qᵀ(ŴᵀKŴ + σ²I)Q`,
///
/// ```
/// u₀ − Sᵀ(B u₀ + σ L⁻¹η)        u₀ ~ N(0, K), η ~ N(0, I)
/// ```
///
/// has covariance P, since `BKBᵀ + σ²L⁻¹L⁻ᵀ = I`. The noise of the data enters only through `Qᵀξ`,
/// which is standard normal again. A draw needs no solve, has full rank, and has exactly the P that
/// predictions use. A block of draws takes two matrix products.
final class LovePosteriorRoot implements PosteriorRoot {

  private final LoveCovariance covariance;
  private final KernelRoot prior;
  private final double sigma;
  private final int rank;

  LovePosteriorRoot(LoveCovariance covariance, LatticeKernel kernel, double noise) {
    this.covariance = covariance;
    prior = KernelRoot.of(kernel);
    sigma = Math.sqrt(noise);
    rank = covariance.rank();
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
    covariance.whitenRows(count, t);
    Blas.gemm(
        false, true, count, rank, m, 1, u, 0, m, covariance.dataCache(), 0, m, sigma, t, 0, rank);
    Blas.gemm(
        false, true, count, m, rank, -1, t, 0, rank, covariance.pointCache(), 0, rank, 1, u, 0, m);
  }

  @Override
  public String describe() {
    return "pathwise by " + covariance.describe() + ", " + prior.describe();
  }
}
