package lovelace.way;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Observations;
import lovelace.laplace.WorkingLattice;
import lovelace.laplace.WorkingProcess;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Fineness;
import lovelace.planning.Planner;
import lovelace.sparse.WorkingNodes;
import lovelace.spectral.WorkingModes;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// An engine on a lattice, under a likelihood that is not Gaussian.
///
/// @param first null for an existing model
public record ObservedLatticeWay(Frame frame, Plan plan, Lattice on, @Nullable First first)
    implements ObservedWay {

  /// The number of places from which learning on a lattice starts.
  private static final int FIRST_ROWS = 800;

  @Override
  public Optional<Lattice> lattice() {
    return Optional.of(on);
  }

  @Override
  public boolean apart() {
    return false;
  }

  private WorkingLattice sums(Observations data) {
    if (plan.chosen() == Engine.KRYLOV)
      throw new IllegalArgumentException(
          "the kernel needs too many modes on the %s for a likelihood that is not Gaussian; use a coarser grid, a Matérn kernel, or engine exact"
              .formatted(on));
    return new WorkingLattice(
        on, data.places(), each -> Engines.engine(plan.chosen(), each, plan.seed()));
  }

  /// The fastest process with the same result: modes, the exact process or nodes if they apply.
  private WorkingProcess process(Observations data, WorkingLattice sums, Hyperparameters from) {
    WorkingProcess process = sums;
    if (plan.chosen() == Engine.SPECTRAL
        && data.size() <= WorkingModes.MOST
        && WorkingModes.applies(on, Modes.filled(from, starts(data))))
      process = new WorkingModes(sums.empty(), data.places());
    if (plan.chosen() == Engine.DENSE
        && data.size() <= RowLeaf.Working.LEARNING_ROWS
        && sums.statistics(data.sizes(), data.values()) instanceof GridStatistics rows
        && rows.onNodes())
      process = RowLeaf.Working.exactly(data).process(); // without the nodes that have no row
    if (plan.chosen() == Engine.SPARSE && on instanceof Grid grid) {
      WorkingNodes nodes = WorkingNodes.of(grid, data.places(), 0);
      if (nodes != null) process = nodes;
    }
    return process;
  }

  /// Learns by the exact process of some of the places, and continues with all.
  @Override
  public Learned learn(KeptObservations kept, Hyperparameters start, Learning how) {
    Observations data = kept.data();
    Learnable all = Modes.evidence(frame.likelihood(), data, process(data, sums(data), start));
    IntFunction<Dataset> starts = starts(data);
    if (data.size() <= FIRST_ROWS || start.freeSize() == 0)
      return Modes.learn(all, start, starts, how).because(plan.reason());
    Learnable some =
        Modes.evidence(frame.likelihood(), RowLeaf.Working.exactly(data.thinned(FIRST_ROWS)));
    Hyperparameters from = Modes.learn(some, start, starts, how).hyperparameters();
    return InTime.from(from, () -> Modes.learner(how).learn(all, List.of(from), 1), all.name())
        .withErrors(all)
        .because(plan.reason());
  }

  @Override
  public Learned given(KeptObservations kept, Hyperparameters h) {
    return Learned.given(h, plan.chosen().toString()).because(plan.reason());
  }

  @Override
  public Conditioned condition(KeptObservations kept, Learned at) {
    Observations data = kept.data();
    WorkingLattice sums = sums(data);
    Conditioned found =
        Modes.at(
            data,
            plan,
            at.because(plan.reason()),
            process(data, sums, at.hyperparameters()),
            (z, w, working) -> {
              Dataset rows =
                  data.size() <= Fineness.MEASURED
                      ? Dataset.of(data.places(), data.dimensions(), z, w)
                      : null;
              return new LatticeLeaf(plan, sums.statistics(w, z)).posterior(working, rows);
            });
    if (first != null) found = Modes.advised(found, data);
    return found.with(frame.over((LatticePosterior) found.posterior()));
  }

  @Override
  public ObservedLatticeWay with(Plan other) {
    return new ObservedLatticeWay(frame, other, on, first);
  }

  @Override
  public ObservedLatticeWay planned(
      KeptObservations kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    Observations data = kept.data();
    WorkingLattice sums =
        new WorkingLattice(
            on, data.places(), each -> Engines.engine(plan.chosen(), each, plan.seed()));
    return with(
        Planner.of(
            sums.statistics(data.sizes(), data.values()),
            h.working(),
            asked,
            plan.tolerance(),
            seed,
            learning));
  }

  /// Keeps the engine with which the mode was found.
  @Override
  public ObservedLatticeWay revised(KeptObservations kept, Hyperparameters h) {
    return this;
  }
}
