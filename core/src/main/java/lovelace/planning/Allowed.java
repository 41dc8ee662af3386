package lovelace.planning;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.dense.DenseEngine;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.markov.MaternTerm;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.survey.Survey;

/// Tells which ways a fit allows, and which of two costs less.
///
/// @param survey of the columns, or of the features in their place
/// @param mapped whether it is of features
/// @param lattices that the fit could have
record Allowed(Options fit, Survey survey, boolean mapped, LatticeChoice lattices) {

  /// A point of a lattice costs as much as this many places of a chain. Measured: 3.3 of matern12,
  /// 2.2 of matern32, 1.6 of matern52.
  private static final int LATTICE_POINT = 2;

  /// The most inputs of sites.
  private static final int MOST_SITED = 3;

  /// The most rows over three columns for which the nearest rows are used by default.
  private static final int NEAR = 200_000;

  /// Whether the exact process may be chosen: neither a lattice (`free`) nor anything that needs
  /// one was asked for.
  boolean mayBeExact(boolean free) {
    return !mapped
        && fit.engine() == Engine.AUTO
        && fit.shape() == Options.Shape.AUTO
        && free
        && survey.atMost(mostExact(Planner.EXACTLY));
  }

  /// Whether the nearest rows may be chosen by default. A lattice over three columns would need
  /// very many points, for example with time among them, and there are more rows than the exact
  /// process can handle quickly.
  boolean mayBeNeighbours(Hyperparameters h) {
    return !mapped
        && fit.engine() == Engine.AUTO
        && fit.shape() == Options.Shape.AUTO
        && fit.grid().isAutomatic()
        && fit.likelihood().isGaussian()
        && h.kernel().dimensions() == 3
        && !survey.atMost(Planner.FEW_ROUGH)
        && survey.certainlyAtMost(NEAR);
  }

  /// The most rows for which the exact process is the default. Under Gaussian noise it is
  /// `gaussian`.
  int mostExact(int gaussian) {
    return fit.likelihood().isGaussian() ? gaussian : Planner.OBSERVED;
  }

  /// Whether the places of the rows may be chosen as the nodes of a Markov chain: the kernel must
  /// be such a chain, nothing that needs a lattice was asked for, and the rows can be held. Rows in
  /// a cluster are not counted, and stay there.
  boolean mayBeChained(Hyperparameters h) {
    return !mapped
        && fit.engine() == Engine.AUTO
        && fit.shape() == Options.Shape.AUTO
        && fit.grid().isAutomatic()
        && h.kernel().dimensions() == 1
        && ChainGp.serves(h.kernel())
        && survey.certainlyAtMost(ChainGp.MOST_ROWS)
        && ChainGp.bytes(h.kernel(), survey.count()) <= Budget.current().memory();
  }

  /// Refuses what a chain of the rows cannot take.
  static void requireChain(Hyperparameters h) {
    MaternTerm.require(h.kernel(), Engine.CHAIN);
  }

  /// Refuses inputs and kernels that the local regressions of sites do not represent.
  void requireSites(Hyperparameters start) {
    int d = start.kernel().dimensions();
    if (d > MOST_SITED)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the sites engine takes at most %d inputs, got %d; name fewer, or use engine"
                  + " neighbours",
              MOST_SITED,
              d));
    if (!SparseEngine.applies(lattices.filled(start))) throw SparseEngine.refusal(Engine.SITES);
  }

  /// Whether `auto` makes the model a chain over the places of the rows, and not one on a lattice.
  /// It does if the lattice that the tolerance requires costs more. A lattice is cheaper only if it
  /// has far fewer points than there are places; its file then holds no rows. With no more rows
  /// than an exact model may hold, the chain costs next to nothing. After learning, the same rule
  /// is applied to the learned values.
  boolean isChained(Hyperparameters h) {
    if (!mayBeChained(h)) return false;
    long places = survey.places();
    if (places <= Planner.EXACTLY) return true;
    int points = lattices.choose(lattices.filled(h), 1).lattice().size();
    return places <= (long) LATTICE_POINT * points;
  }

  /// Whether a fit on a grid is clearly cheaper than the exact process. It compares operations per
  /// likelihood, including a share of the work after learning, 4r³ with r modes. Learning may show
  /// that a finer grid is needed, so the grid may cost at most a third.
  boolean isCheaper(Grid grid, Hyperparameters h) {
    double n = (double) survey.count();
    double left = n * n * (n + 100) / 3 - Costs.point(grid) * grid.size();
    if (!(left > 0)) return false;
    return LatticeChoice.isDirect(
        grid, h, (int) Math.min(SpectralEngine.MOST, Math.cbrt(left / 4)));
  }

  /// Whether the engine that was asked for also works for the kernel on another lattice.
  boolean isServed(ChosenLattice other, Hyperparameters h) {
    return switch (fit.engine()) {
      case SPECTRAL ->
          !(other.lattice() instanceof Grid grid)
              || Engines.modes(grid, h, SpectralEngine.MOST) > 0;
      case DENSE -> other.lattice().size() <= DenseEngine.MOST_POINTS;
      case AUTO, MARKOV, SPARSE, KRYLOV, EXACT, CHAIN, SITES, NEIGHBOURS -> true;
    };
  }
}
