package lovelace.latent;

import java.util.SplittableRandom;
import lovelace.linear.Blas;
import lovelace.linear.Lanczos;
import lovelace.linear.LogQuadrature;
import lovelace.linear.Parallel;

/// `log det (Q + W) − log det Q` by stochastic Lanczos quadrature, with its slopes in B, D and W:
///
///     Σ log G_j D_j + (1/S) Σ ξᵀ log(N) ξ      N = G^−½ (D⁻¹ + L⁻ᵀ W L⁻¹) G^−½
///
/// over S fixed vectors of random signs. The slopes are those of the estimate itself, so an optimiser
/// sees a smooth function with its own gradient.
final class LatentDeterminant {

  /// The number of groups in which probes are summed, each by one thread.
  private static final int GROUPS = 8;

  /// The relative residual at which a probe has enough steps, and the most steps. The error of its
  /// form is about the square of the residual.
  private static final double TOLERANCE = 3e-4;

  private static final int LIMIT = 400;

  final double value;
  final double standardError;

  /// The slopes in B, one for each neighbour of each place.
  final double[] byWeights;

  /// The slopes in D.
  final double[] byVariances;

  /// The slopes in W.
  final double[] byCurvatures;

  LatentDeterminant(LatentPrior prior, LatentSystem system, int probes, long seed) {
    int n = prior.size();
    double[] d = prior.variances();
    double[] g = system.diagonal();
    long[] seeds = new SplittableRandom(seed).longs(probes).toArray();
    double[] forms = new double[probes];
    int groups = Math.min(GROUPS, probes);
    Slopes[] parts = new Slopes[groups];
    Parallel.forEach(
        groups,
        group -> {
          parts[group] = new Slopes(prior, system);
          for (int p = group; p < probes; p += groups)
            forms[p] = parts[group].add(new SplittableRandom(seeds[p]));
        });
    byWeights = new double[prior.couplings()];
    byVariances = new double[n];
    byCurvatures = new double[n];
    double[] byDiagonal = new double[n];
    double share = 1.0 / probes;
    for (Slopes part : parts) {
      Blas.axpy(byWeights.length, share, part.byWeights, 0, byWeights, 0);
      Blas.axpy(n, share, part.byVariances, 0, byVariances, 0);
      Blas.axpy(n, share, part.byCurvatures, 0, byCurvatures, 0);
      Blas.axpy(n, share, part.byDiagonal, 0, byDiagonal, 0);
    }
    double sum = 0;
    for (int j = 0; j < n; j++) {
      sum += Math.log(g[j] * d[j]);
      double slope = byDiagonal[j] + 1 / g[j]; // G = D⁻¹ + W
      byVariances[j] += 1 / d[j] - slope / (d[j] * d[j]);
      byCurvatures[j] += slope;
    }
    double mean = 0;
    for (double form : forms) mean += form / probes;
    double squares = 0;
    for (double form : forms) squares += (form - mean) * (form - mean);
    value = sum + mean;
    standardError = Math.sqrt(squares / probes / Math.max(1, probes - 1));
  }

  /// The sums over some probes, for one thread. The slope of `ξᵀ log(N) ξ` is that of `Σ cᵀNc` over
  /// few vectors c. Let `t = G^−½ c`, `x = L⁻¹ t` and `q = L⁻ᵀ W x`:
  ///
  ///     ∂(cᵀNc) = −Σ t (t/D + q) ∂G/G − Σ t² ∂D/D² + Σ x² ∂W + 2 qᵀ ∂B x
  private static final class Slopes {
    final double[] byWeights;
    final double[] byVariances;
    final double[] byCurvatures;
    final double[] byDiagonal;
    private final LatentPrior prior;
    private final LatentSystem system;

    Slopes(LatentPrior prior, LatentSystem system) {
      this.prior = prior;
      this.system = system;
      int n = prior.size();
      byWeights = new double[prior.couplings()];
      byVariances = new double[n];
      byCurvatures = new double[n];
      byDiagonal = new double[n];
    }

    /// Adds a probe. Returns its form.
    double add(SplittableRandom random) {
      int n = prior.size();
      double[] d = prior.variances();
      double[] g = system.diagonal();
      double[] signs = new double[n];
      for (int j = 0; j < n; j++) signs[j] = random.nextBoolean() ? 1 : -1;
      Lanczos run = new Lanczos(system, signs);
      LogQuadrature log = LogQuadrature.of(run, n, TOLERANCE, LIMIT);
      int steps = run.steps();
      int rank = log.rank();
      double[] t = new double[rank * n];
      double[] x = new double[rank * n];
      double[] c = log.coefficients();
      Blas.gemm(false, false, rank, n, steps, 1, c, 0, steps, run.basis(), 0, n, 0, t, 0, n);
      Blas.gemm(false, false, rank, n, steps, 1, c, 0, steps, run.lifted(), 0, n, 0, x, 0, n);
      double[] own = new double[n];
      double[] q = new double[n];
      for (int i = 0; i < rank; i++) {
        System.arraycopy(x, i * n, own, 0, n);
        system.pull(own, q);
        prior.addCouplings(2, q, own, byWeights);
        for (int j = 0; j < n; j++) {
          double tj = t[i * n + j] / Math.sqrt(g[j]);
          byDiagonal[j] -= tj * (tj / d[j] + q[j]) / g[j];
          byVariances[j] -= tj * tj / (d[j] * d[j]);
          byCurvatures[j] += own[j] * own[j];
        }
      }
      return log.value();
    }
  }
}
