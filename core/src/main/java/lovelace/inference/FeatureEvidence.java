package lovelace.inference;

import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Outside;
import lovelace.grid.StencilMatrix;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The log marginal likelihood L of observations at features, with its gradient in the
/// hyperparameters and in every feature. The latter is what a map that is still learning needs:
/// with `αᵢ = dᵢ(yᵢ − mean(zᵢ))/σ²` for weights dᵢ,
///
/// ```
/// ∂L/∂zᵢ = αᵢ ∇mean(zᵢ) − dᵢ ∇variance(zᵢ)/(2σ²)
/// ```
///
/// the gradient of two cell polynomials, exact and of constant cost an observation.
public final class FeatureEvidence {

  private static final long BUDGET = 2L << 30;

  private final Evidence evidence;
  private final double[] slopes;

  private FeatureEvidence(Evidence evidence, double[] slopes) {
    this.evidence = evidence;
    this.slopes = slopes;
  }

  /// Of features inside the grid, row-major, their targets, and weights or null, under complete
  /// hyperparameters over the features. A value of −∞ says that these cannot be evaluated.
  ///
  /// @param tolerance Fourier modes lighter than this beside the heaviest are left out; value and
  ///   gradients are exact for those kept
  /// @param seed for probes where the likelihood is estimated
  public static FeatureEvidence of(
      Grid grid,
      double[] features,
      double[] target,
      double @Nullable [] weights,
      Hyperparameters h,
      double tolerance,
      long seed) {
    GridStatistics statistics = GridStatistics.of(grid, features, target, weights, Outside.ERROR);
    GridSystem system = GridSystem.of(statistics, h);
    SpectralSystem modes =
        SpectralSystem.of(statistics, system.kernel(), tolerance, SpectralEngine.MOST);
    Evidence evidence;
    double[] mean;
    StencilMatrix covariance;
    if (modes != null) {
      SpectralCovariance spectral = new SpectralCovariance(modes, system.kernel(), h, tolerance);
      evidence = spectral.evidence();
      mean = spectral.mean();
      covariance = spectral.stencil();
    } else {
      Engine engine = Engines.choose(statistics, h, Engines.Kind.AUTO, seed).engine();
      evidence = engine.evidence(h);
      Conditioned conditioned = engine.condition(h, 0.01);
      mean = conditioned.mean();
      covariance = conditioned.covariance().stencil();
    }
    double[] prior = system.prior();
    for (int i = 0; i < mean.length; i++) mean[i] += prior[i];
    CellPolynomials cells = CellPolynomials.of(grid, mean, covariance, BUDGET);
    return new FeatureEvidence(evidence, slopes(cells, features, target, weights, system.noise()));
  }

  private static double[] slopes(
      CellPolynomials cells,
      double[] features,
      double[] target,
      double @Nullable [] weights,
      double noise) {
    int k = cells.grid().dimensions();
    double[] slopes = new double[features.length];
    Parallel.chunks(
        target.length,
        256,
        (chunk, from, to) -> {
          double[] out = new double[2 + 2 * k];
          for (int i = from; i < to; i++) {
            cells.gradient(features, i * k, out);
            double precision = (weights == null ? 1 : weights[i]) / noise;
            double alpha = precision * (target[i] - out[0]);
            for (int a = 0; a < k; a++)
              slopes[i * k + a] = alpha * out[2 + a] - 0.5 * precision * out[2 + k + a];
          }
        });
    return slopes;
  }

  /// L and its gradient in the hyperparameters.
  public Evidence evidence() {
    return evidence;
  }

  /// `∂L/∂z`, row-major as the features are; not copied, read only.
  public double[] featureGradient() {
    return slopes;
  }
}
