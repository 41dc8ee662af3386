package lovelace.way;

import java.io.IOException;
import lovelace.data.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.learning.Learned;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.source.Source;
import lovelace.survey.Events;

/// The intensity of events in a window, by the counts of its cells.
///
/// @param counts the way of the counts
public record EventsWay(ObservedWay counts, Window window) implements Way<KeptEvents> {

  @Override
  public Frame frame() {
    return counts.frame();
  }

  @Override
  public Plan plan() {
    return counts.plan();
  }

  @Override
  public KeptEvents read(Source rows, Outside outside) throws IOException {
    Events events = Events.of(rows, window, outside);
    return new KeptEvents(
        window,
        events.counts(),
        frame().columns(),
        frame().target(),
        events.number(),
        events.fingerprint());
  }

  private KeptObservations cells(KeptEvents kept) {
    return new KeptObservations(
        Observations.of(kept.observations(), frame().likelihood()),
        frame().likelihood(),
        counts.apart(),
        counts.lattice(),
        kept.fingerprint());
  }

  @Override
  public Learned learn(KeptEvents kept, Hyperparameters start, Learning how) {
    return counts.learn(cells(kept), start, how);
  }

  @Override
  public Learned given(KeptEvents kept, Hyperparameters h) {
    return counts.given(cells(kept), h);
  }

  @Override
  public Conditioned condition(KeptEvents kept, Learned at) {
    return counts.condition(cells(kept), at).of(window);
  }

  @Override
  public EventsWay planned(
      KeptEvents kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(counts.planned(cells(kept), h, asked, seed, learning));
  }

  @Override
  public EventsWay revised(KeptEvents kept, Hyperparameters h) {
    return with(counts.revised(cells(kept), h));
  }

  @Override
  public EventsWay with(Plan other) {
    return with(counts.with(other));
  }

  private EventsWay with(Way<KeptObservations> other) {
    return new EventsWay((ObservedWay) other, window);
  }

  @Override
  public void requireEngine(Engine asked) {
    counts.requireEngine(asked);
  }
}
