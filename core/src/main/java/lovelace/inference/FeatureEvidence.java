package lovelace.inference;

import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.AdditiveStatistics;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Lattice;
import lovelace.grid.Outside;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// The log marginal likelihood L of observations at features, with its gradient in the
/// hyperparameters and in every feature. The latter is what a map that is still learning needs:
/// with `αᵢ = dᵢ(yᵢ − mean(zᵢ))/σ²` for weights dᵢ,
///
/// ```
/// ∂L/∂zᵢ = αᵢ ∇mean(zᵢ) − dᵢ ∇variance(zᵢ)/(2σ²)
/// ```
///
/// the gradient of two cell polynomials, exact and of constant cost an observation. The lattice is
/// one grid over up to three features, or an additive one with a grid for each.
public final class FeatureEvidence {

  /// Mean and variance of f at the point that starts at `x[xo]`, and their gradients.
  private interface Cells {
    boolean evaluate(double[] x, int xo, double[] out);

    boolean gradient(double[] x, int xo, double[] out);
  }

  private record Grids(CellPolynomials cells) implements Cells {
    @Override
    public boolean evaluate(double[] x, int xo, double[] out) {
      return cells.evaluate(x, xo, out);
    }

    @Override
    public boolean gradient(double[] x, int xo, double[] out) {
      return cells.gradient(x, xo, out);
    }
  }

  private record Sums(AdditiveCells cells) implements Cells {
    @Override
    public boolean evaluate(double[] x, int xo, double[] out) {
      return cells.evaluate(x, xo, out);
    }

    @Override
    public boolean gradient(double[] x, int xo, double[] out) {
      return cells.gradient(x, xo, out);
    }
  }

  private final Evidence evidence;
  private final double[] slopes;
  private final Cells cells;

  private FeatureEvidence(Evidence evidence, double[] slopes, Cells cells) {
    this.evidence = evidence;
    this.slopes = slopes;
    this.cells = cells;
  }

  /// Of features inside the lattice, row-major, their targets, and weights or null, under complete
  /// hyperparameters over the features. A value of −∞ says that these cannot be evaluated.
  ///
  /// @param tolerance Fourier modes lighter than this beside the heaviest are left out; value and
  ///   gradients are exact for those kept
  /// @param seed for probes where the likelihood is estimated
  public static FeatureEvidence of(
      Lattice lattice,
      double[] features,
      double[] target,
      double @Nullable [] weights,
      Hyperparameters h,
      double tolerance,
      long seed) {
    Statistics statistics =
        switch (lattice) {
          case Grid grid -> GridStatistics.of(grid, features, target, weights, Outside.ERROR);
          case AdditiveGrid sum ->
              AdditiveStatistics.of(sum, features, target, weights, Outside.ERROR);
        };
    GridSystem system = GridSystem.of(statistics, h);
    SpectralSystem modes =
        SpectralSystem.of(statistics, system.kernel(), tolerance, SpectralEngine.MOST);
    Evidence evidence;
    double[] mean;
    GridCovariance covariance;
    if (modes != null) {
      SpectralCovariance spectral = new SpectralCovariance(modes, system.kernel(), h, tolerance);
      evidence = spectral.evidence();
      mean = spectral.mean();
      covariance = spectral;
    } else {
      LatticeEngine engine = Engines.choose(statistics, h, Engine.AUTO, seed).engine();
      evidence = engine.evidence(h);
      Conditioned conditioned = engine.posterior(h, 0.01, evidence.next());
      mean = conditioned.mean();
      covariance = conditioned.covariance();
    }
    double[] prior = system.prior();
    for (int i = 0; i < mean.length; i++) mean[i] += prior[i];
    Cells cells =
        switch (lattice) {
          case Grid grid -> new Grids(CellPolynomials.of(grid, mean, covariance.stencil()));
          case AdditiveGrid sum ->
              new Sums(AdditiveCells.assemble(sum, mean, covariance.triangle()));
        };
    int k = lattice.dimensions();
    return new FeatureEvidence(
        evidence, slopes(cells, k, features, target, weights, system.noise()), cells);
  }

  private static double[] slopes(
      Cells cells,
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

  /// Fills `out[0]` with the mean and `out[1]` with the variance of the latent function at the
  /// features that start at `z[zo]`; false outside the lattice. As sums give them: a variance may
  /// be negative by rounding.
  public boolean evaluate(double[] z, int zo, double[] out) {
    return cells.evaluate(z, zo, out);
  }
}
