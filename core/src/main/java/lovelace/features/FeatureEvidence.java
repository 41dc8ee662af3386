package lovelace.features;

import lovelace.engines.Engines;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import lovelace.modes.ModeStatistics;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The log marginal likelihood L of observations at features, with its gradient in the
/// hyperparameters and in every feature. A map that is still learning needs the second gradient.
/// With `αᵢ = dᵢ(yᵢ − mean(zᵢ))/σ²` for weights dᵢ,
///
/// ```
/// ∂L/∂zᵢ = αᵢ ∇mean(zᵢ) − dᵢ ∇variance(zᵢ)/(2σ²)
/// ```
///
/// It is the gradient of two cell polynomials: exact, and of constant cost per observation. The
/// lattice is one grid over up to three features, or an additive one with a grid for each.
public final class FeatureEvidence {

  /// Fills `out` for the point that starts at `x[xo]`. Returns false if it lies outside the
  /// lattice.
  private interface Cells {
    boolean fill(double[] x, int xo, double[] out);
  }

  private final Evidence evidence;
  private final Cells values; // mean and variance of f
  private final double[] slopes;

  private FeatureEvidence(Evidence evidence, Cells values, double[] slopes) {
    this.evidence = evidence;
    this.values = values;
    this.slopes = slopes;
  }

  /// Evaluates features inside the lattice (row-major), their targets and their weights (or null)
  /// under complete hyperparameters over the features. A value of −∞ means that these cannot be
  /// evaluated.
  ///
  /// @param tolerance Fourier modes that are lighter than this relative to the heaviest are left
  ///   out; value and gradients are exact for the others
  /// @param seed the seed of the probes, if the likelihood is estimated
  public static FeatureEvidence of(
      Lattice lattice,
      double[] features,
      double[] target,
      double @Nullable [] weights,
      Hyperparameters h,
      double tolerance,
      long seed) {
    Statistics statistics = Statistics.of(lattice, features, target, weights);
    LatticeProblem problem = LatticeProblem.of(statistics, h);
    ModeStatistics modes =
        ModeStatistics.of(statistics, problem.kernel(), tolerance, SpectralEngine.MOST);
    Evidence evidence;
    double[] mean;
    LatticeCovariance covariance;
    if (modes != null) {
      SpectralCovariance spectral = new SpectralCovariance(modes, problem.kernel(), h, tolerance);
      evidence = spectral.evidence();
      mean = spectral.mean();
      covariance = spectral;
    } else {
      LatticeEngine engine = Engines.cheapest(statistics, h, seed);
      evidence = engine.evidence(h);
      LatticeDistribution conditioned = engine.posterior(h, 0.01, evidence.next());
      mean = conditioned.mean();
      covariance = conditioned.covariance();
    }
    double[] prior = problem.prior();
    for (int i = 0; i < mean.length; i++) mean[i] += prior[i];
    Cells values;
    Cells gradient; // mean, variance, and the slopes of both
    switch (lattice) {
      case Grid grid -> {
        CellPolynomials cells = CellPolynomials.of(grid, mean, covariance.stencil());
        values = cells::evaluate;
        gradient = cells::gradient;
      }
      case AdditiveGrid sum -> {
        AdditiveCells cells = AdditiveCells.assemble(sum, mean, covariance.triangle());
        values = cells::evaluate;
        gradient = cells::gradient;
      }
    }
    int k = lattice.dimensions();
    return new FeatureEvidence(
        evidence, values, slopes(gradient, k, features, target, weights, problem.noise()));
  }

  private static double[] slopes(
      Cells gradient,
      int k,
      double[] features,
      double[] target,
      double @Nullable [] weights,
      double noise) {
    double[] slopes = new double[features.length];
    Parallel.chunks(
        target.length,
        256,
        (chunk, from, to) -> {
          double[] out = new double[2 + 2 * k];
          for (int i = from; i < to; i++) {
            gradient.fill(features, i * k, out);
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

  /// `∂L/∂z`, row-major like the features. Not a copy: read only.
  public double[] featureGradient() {
    return slopes;
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance of the latent function at the
  /// features that start at `z[zo]`. Returns false if they lie outside the lattice. Rounding may
  /// make a variance negative.
  public boolean evaluate(double[] z, int zo, double[] out) {
    return values.fill(z, zo, out);
  }
}
