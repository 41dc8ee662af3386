package lovelace.lattice;

import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.kernel.Hyperparameters;
import lovelace.love.LoveCovariance;
import lovelace.markov.MarkovEngine;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Chooses the root of the covariance for samples of a posterior.
final class PosteriorRoots {

  private static final double EXACT = 0.02; // error of a variance below that of 5,000 draws

  private PosteriorRoots() {}

  /// The root for a method of sampling. Throws if the method cannot be used for the kernel or the
  /// lattice.
  static PosteriorRoot of(LatticePosterior posterior, Sampling sampling) {
    Statistics statistics = posterior.statistics();
    Hyperparameters hyperparameters = posterior.hyperparameters();
    LatticeProblem problem = posterior.problem();
    LatticeCovariance covariance = posterior.covariance();
    return switch (sampling.method()) {
      case AUTO -> {
        boolean known =
            !(covariance instanceof LoveCovariance) || posterior.certificate().reached() <= EXACT;
        PosteriorRoot own = known ? covariance.root() : null;
        yield own != null ? own : PathwisePosteriorRoot.of(problem);
      }
      case LOVE ->
          LowRankPosteriorRoot.of(
              problem, covariance, sampling.rank(), sampling.tolerance(), sampling.limit());
      case PATHWISE -> PathwisePosteriorRoot.of(problem);
      case SPECTRAL -> {
        PosteriorRoot own = covariance instanceof SpectralCovariance ? covariance.root() : null;
        yield own != null
            ? own
            : engineRoot(
                hyperparameters,
                new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST));
      }
      case MARKOV -> {
        if (!(statistics instanceof GridStatistics grid
            && MarkovEngine.applies(grid.grid(), hyperparameters.kernel())))
          throw new IllegalArgumentException(
              "markov samples need one Matérn kernel in one dimension, not "
                  + hyperparameters.kernel());
        yield engineRoot(hyperparameters, new MarkovEngine(grid));
      }
    };
  }

  private static PosteriorRoot engineRoot(Hyperparameters hyperparameters, LatticeEngine engine) {
    PosteriorRoot own = engine.posterior(hyperparameters, 1e-3).covariance().root();
    if (own == null)
      throw new IllegalStateException("the " + engine.name() + " engine cannot draw samples");
    return own;
  }
}
