package lovelace.way;

import java.io.IOException;
import java.util.List;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Fineness;
import lovelace.planning.LatticeChoice;
import lovelace.planning.Planner;
import lovelace.source.Source;
import lovelace.source.internal.Pass;
import org.jspecify.annotations.Nullable;

/// An engine on a lattice that uses the sums of the rows, perhaps over features of them.
///
/// @param first null for an existing model
public record LatticeWay(Frame frame, Plan plan, Lattice lattice, @Nullable First first)
    implements Way<KeptSums> {

  @Override
  public KeptSums read(Source rows, Outside outside) throws IOException {
    if (first != null)
      first.require(rows, SitesLeaf.leastNoiseOf(first.from(), lattice.dimensions()));
    Pass pass = Pass.more(rows, frame.map().orElse(null), lattice, frame.transform(), outside);
    if (first != null)
      first.requireVarying(rows, pass.statistics().count(), pass.low(), pass.high());
    return new KeptSums(pass.statistics(), pass.logJacobian(), pass.fingerprint());
  }

  @Override
  public Learned learn(KeptSums kept, Hyperparameters start, Learning how) {
    LatticeLeaf leaf = leaf(kept);
    String engine = plan.chosen().toString();
    if (first == null) return InTime.from(start, () -> leaf.learn(start, how), engine);
    Dataset rows = first.features().sample(LatticeChoice.START_ROWS);
    return InTime.learned(
        () -> leaf.learn(start, rows, how), () -> start.fill(rows.inputs(), rows.target()), engine);
  }

  @Override
  public Learned given(KeptSums kept, Hyperparameters h) {
    return leaf(kept).evaluate(h);
  }

  @Override
  public Conditioned condition(KeptSums kept, Learned at) {
    LatticePosterior inner = leaf(kept).posterior(at.hyperparameters(), measured());
    Learned learned = LatticeLeaf.settled(at, inner);
    return Conditioned.of(frame.over(inner), plan, learned, learned.logLikelihood(), List.of());
  }

  /// The rows against which the posterior is measured; null if there are none or too many.
  private @Nullable Dataset measured() {
    return first != null && first.features().atMost(Fineness.MEASURED)
        ? first.features().sample(Fineness.MEASURED)
        : null;
  }

  private LatticeLeaf leaf(KeptSums kept) {
    return new LatticeLeaf(plan, kept.statistics());
  }

  @Override
  public LatticeWay with(Plan other) {
    return new LatticeWay(frame, other, lattice, first);
  }

  @Override
  public LatticeWay planned(
      KeptSums kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(Planner.of(kept.statistics(), h, asked, plan.tolerance(), seed, learning));
  }

  @Override
  public LatticeWay settled(KeptSums kept, Hyperparameters h) {
    return planned(kept, h, plan.asked(), plan.seed(), false);
  }
}
