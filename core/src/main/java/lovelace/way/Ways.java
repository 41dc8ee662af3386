package lovelace.way;

import java.util.Locale;
import lovelace.bare.Bare;
import lovelace.chain.ChainGp;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.Trend;
import lovelace.exact.ExactGp;
import lovelace.grid.Lattice;
import lovelace.io.ModelState;
import lovelace.kernel.Kernel;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.latent.LatentNeighbourGp;
import lovelace.lattice.LatticePosterior;
import lovelace.neighbours.NeighbourGp;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Costs;
import lovelace.planning.Planned;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sites.SiteGp;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Finds the way of an existing model. Apart from model files and [Bare], only this class checks
/// the class of a posterior.
public final class Ways {

  private Ways() {}

  /// The leaf that made a posterior.
  public static RowLeaf leaf(RowPosterior bare) {
    return switch (bare) {
      case ExactGp gp -> new ExactLeaf();
      case ChainGp gp -> new ChainLeaf();
      case SiteGp gp -> new SitesLeaf(gp.neighbours());
      case NeighbourGp gp -> new NearestLeaf(gp.neighbours());
      case LatentNeighbourGp gp -> new NearestLeaf(gp.neighbours());
      default -> throw new IllegalArgumentException("no such posterior: " + bare);
    };
  }

  /// The way that a fit has planned.
  ///
  /// @param frame the wrappers of the model
  /// @param first the facts that the fit knows about the rows
  /// @param neighbours the number of nearest rows for a prediction
  public static Way<?> of(Planned planned, Frame frame, First first, int neighbours) {
    Plan plan = planned.plan();
    return switch (planned) {
      case Planned.OnLattice on -> onLattice(on, frame, first);
      case Planned.OnPlaces places -> ofRows(leaf(plan.chosen(), neighbours), frame, plan, first);
      case Planned.OnSites sites -> ofRows(leaf(plan.chosen(), neighbours), frame, plan, first);
      case Planned.OnRows rows -> ofRows(leaf(plan.chosen(), neighbours), frame, plan, first);
    };
  }

  private static RowLeaf leaf(Engine holding, int neighbours) {
    return switch (holding) {
      case EXACT -> new ExactLeaf();
      case CHAIN -> new ChainLeaf();
      case SITES -> new SitesLeaf(0);
      case NEIGHBOURS -> new NearestLeaf(neighbours);
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE ->
          throw new IllegalArgumentException("engine %s holds no rows".formatted(holding));
    };
  }

  private static Way<?> onLattice(Planned.OnLattice on, Frame frame, First first) {
    Lattice lattice = on.chosen().lattice();
    return frame.likelihood().isGaussian()
        ? new LatticeWay(frame, on.plan(), lattice, first)
        : new ObservedLatticeWay(frame, on.plan(), lattice, first);
  }

  /// The costs of an engine on rows.
  public static Costs costs(Engine holding, Kernel kernel, long rows, boolean learning) {
    return leaf(holding, NearestLeaf.LEARNING).costs(rows, kernel, learning);
  }

  /// The way of an engine on rows under the wrappers of a model. Wrappers that the engine cannot
  /// carry are refused here, before rows are read.
  ///
  /// @param first null for an existing model
  static Way<?> ofRows(RowLeaf leaf, Frame frame, Plan plan, @Nullable First first) {
    boolean drifts = frame.drift().isPresent() || (first != null && first.drifts());
    String refusal = frame.refusal(leaf, drifts).orElse(null);
    if (refusal != null) throw new IllegalArgumentException(refusal);
    if (frame.drift().isPresent()) return new DriftedRowsWay(frame, leaf, plan, first != null);
    if (frame.likelihood().isGaussian()) return new RowsWay(frame, leaf, plan, first);
    return leaf instanceof NearestLeaf near
        ? new LatentWay(frame, near, plan.seed(), plan, first)
        : new ObservedRowsWay(frame, leaf, plan, first);
  }

  /// The process of a posterior on its lattice.
  public static LatticePosterior lattice(Conditioned found) {
    return Bare.of(found.posterior()).onLattice();
  }

  /// The wrappers of a model.
  static Frame frame(ModelState state, Bare bare) {
    return new Frame(
        state.inputs(),
        state.target(),
        state.transform(),
        state.hyperparameters().likelihood(),
        bare.trend().map(Trend::terms),
        bare.map());
  }

  /// The way of a model, and its kept data.
  public static Standing<?> of(ModelState state) {
    Bare bare = state.bare();
    Frame frame = frame(state, bare);
    if (state.fitted().isPresent()) return observed(state, state.fitted().get(), frame, bare);
    double jacobian = state.logJacobian();
    long print = state.provenance().fingerprint();
    if (bare.held().isPresent()) {
      RowLeaf leaf = leaf(bare.onRows());
      KeptRows kept = new KeptRows(bare.held().get().data(), jacobian, print);
      return frame.drift().isPresent()
          ? new Standing<>(new DriftedRowsWay(frame, leaf, state.plan(), false), kept)
          : new Standing<>(new RowsWay(frame, leaf, state.plan(), null), kept);
    }
    if (bare.drifted().isPresent()) {
      DriftedPosterior drifted = bare.drifted().get();
      Estimate about = new Estimate(drifted.trend().terms(), drifted.trend().beta());
      return new Standing<>(
          new DriftedLatticeWay(
              frame, state.plan(), drifted.statistics().residual().grid(), about, null),
          new KeptTrend(drifted.statistics(), about, jacobian, print));
    }
    Statistics sums = bare.onLattice().statistics();
    return new Standing<>(
        new LatticeWay(frame, state.plan(), sums.lattice(), null),
        new KeptSums(sums, jacobian, print));
  }

  /// The way of a model with a drift, from the model of its residuals.
  ///
  /// @param frame with the drift
  /// @param beta the estimate of the coefficients from which the residuals are formed
  public static DriftedWay<?> drifted(ModelState residuals, Frame frame, double[] beta) {
    Bare bare = residuals.bare();
    if (bare.rows().isPresent())
      return new DriftedRowsWay(frame, leaf(bare.onRows()), residuals.plan(), true);
    LatticePosterior lattice = bare.onLattice();
    if (!(lattice.statistics() instanceof GridStatistics sums))
      throw new IllegalStateException("a drift needs one grid");
    return new DriftedLatticeWay(
        frame,
        residuals.plan(),
        sums.grid(),
        new Estimate(frame.drift().orElseThrow(), beta),
        lattice.certificate().interpolation());
  }

  private static Standing<?> observed(ModelState state, Fitted fitted, Frame frame, Bare bare) {
    Observations data = fitted.data().orElseThrow(() -> keptNothing(bare.onLattice(), frame));
    ObservedWay way = way(state, frame, bare);
    long print = state.provenance().fingerprint();
    if (fitted.window().isEmpty())
      return new Standing<>(
          way, new KeptObservations(data, frame.likelihood(), way.apart(), way.lattice(), print));
    Window window = fitted.window().get();
    return new Standing<>(
        new EventsWay(way, window),
        new KeptEvents(
            window,
            counts(window, data),
            state.inputs(),
            state.target(),
            fitted.tableRows(),
            print));
  }

  /// The number of events in each cell of a window.
  private static double[] counts(Window window, Observations kept) {
    double[] counts = new double[window.size()];
    for (int i = 0; i < kept.size(); i++)
      counts[window.cell(kept.places(), i * kept.dimensions())] += kept.values()[i];
    return counts;
  }

  private static ObservedWay way(ModelState state, Frame frame, Bare bare) {
    if (bare.lattice().isPresent())
      return new ObservedLatticeWay(
          frame, state.plan(), bare.onLattice().statistics().lattice(), null);
    if (bare.onRows() instanceof LatentNeighbourGp gp)
      return new LatentWay(frame, new NearestLeaf(gp.neighbours()), gp.seed(), state.plan(), null);
    return new ObservedRowsWay(frame, leaf(bare.onRows()), state.plan(), null);
  }

  private static IllegalArgumentException keptNothing(LatticePosterior lattice, Frame frame) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "the model cannot be updated, merged, or given other parameters: its rows lie at more than %,d places between the points of the %s, where %s observations do not add up, and it keeps none of them; fit all rows again, with engine exact or chain, which keep their rows, or on a grid that has the rows on its points",
            Modes.KEPT_PLACES,
            lattice.statistics().lattice(),
            frame.likelihood().name()));
  }
}
