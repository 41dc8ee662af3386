package lovelace.way;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Observations;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// The process of rows that the model holds, under a likelihood that is not Gaussian.
///
/// @param first null for an existing model
public record ObservedRowsWay(Frame frame, RowLeaf leaf, Plan plan, @Nullable First first)
    implements ObservedWay {

  @Override
  public Optional<Lattice> lattice() {
    return Optional.empty();
  }

  @Override
  public boolean apart() {
    return false;
  }

  @Override
  public Learned learn(KeptObservations kept, Hyperparameters start, Learning how) {
    requireFew(kept.data());
    RowLeaf.Working learning = leaf.learning(kept.data());
    IntFunction<Dataset> starts = starts(kept.data());
    return Modes.learn(Modes.evidence(frame.likelihood(), learning), start, starts, how);
  }

  @Override
  public Learned given(KeptObservations kept, Hyperparameters h) {
    return Learned.given(h, leaf.engine().toString());
  }

  @Override
  public Conditioned condition(KeptObservations kept, Learned at) {
    Observations data = kept.data();
    requireFew(data);
    int d = data.dimensions();
    Conditioned found =
        Modes.at(
            data,
            plan,
            at,
            leaf.working(data.places(), d),
            (z, w, working) -> leaf.condition(Dataset.of(data.places(), d, z, w), working));
    if (first != null) found = Modes.advised(found, data);
    RowPosterior gp = (RowPosterior) found.posterior();
    for (Note fact : leaf.facts(gp)) found = found.with(fact);
    return found.with(frame.over(gp));
  }

  private void requireFew(Observations data) {
    if (data.size() > leaf.mostPlaces())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the %s engine takes at most %,d places under the %s likelihood, got %,d; use another engine",
              leaf.engine(),
              leaf.mostPlaces(),
              frame.likelihood().name(),
              data.size()));
  }

  @Override
  public ObservedRowsWay planned(
      KeptObservations kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(RowsWay.plan(plan, leaf, kept.data().size(), h, asked, seed, learning));
  }

  @Override
  public ObservedRowsWay with(Plan other) {
    return new ObservedRowsWay(frame, leaf, other, first);
  }

  @Override
  public void requireEngine(Engine asked) {
    RowsWay.requireEngine(leaf, asked);
  }
}
