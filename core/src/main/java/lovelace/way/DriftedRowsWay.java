package lovelace.way;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.drift.DriftedRows;
import lovelace.drift.Terms;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Fineness;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// The process of the residuals of a linear mean, for a model that holds its rows.
///
/// @param fresh whether the rows are being fitted
public record DriftedRowsWay(Frame frame, RowLeaf leaf, Plan plan, boolean fresh)
    implements DriftedWay<KeptRows> {

  @Override
  public KeptRows read(Source rows, Outside outside) throws IOException {
    return new RowsWay(frame, leaf, plan, null).kept(RowsWay.table(rows, leaf, fresh));
  }

  private Terms terms() {
    return frame.drift().orElseThrow();
  }

  private @Nullable FeatureMap map() {
    return frame.map().orElse(null);
  }

  private DriftedRows posterior(Dataset data, Hyperparameters h) {
    Dataset features = DriftedRows.features(data, terms(), map());
    return DriftedRows.of(data, terms(), map(), leaf.conditionLinearly(features, h));
  }

  /// Learns by the restricted likelihood if that is quick. Otherwise it learns by the likelihood of
  /// the residuals, in turns with the coefficients.
  @Override
  public Learned learn(KeptRows kept, Hyperparameters start, Learning how) {
    Dataset data = kept.data();
    if (!isRestricted(data)) return inTurns(posterior(data, start), how);
    RowLeaf.Restricted process = leaf.restricted();
    Learnable restricted =
        DriftedRows.likelihood(
            data, terms(), map(), process.engine().toString(), process.conditioning()::of);
    Learned learned =
        InTime.from(
            start, () -> Learners.learn(restricted, start, data, how), leaf.engine().toString());
    boolean quick = process.engine() != Engine.EXACT || data.size() <= Fineness.MEASURED;
    return quick ? learned.withErrors(restricted) : learned;
  }

  /// Whether the restricted likelihood is quick.
  private boolean isRestricted(Dataset data) {
    return data.size() <= leaf.restrictedRows();
  }

  private Learned inTurns(DriftedRows start, Learning how) {
    DriftedRows gp = start;
    Hyperparameters h = start.hyperparameters();
    Learned learned = null;
    for (int round = 0; round < ROUNDS; round++) {
      learned = leaf.learn(gp.inner().data(), h, how);
      h = learned.hyperparameters();
      double[] before = gp.trend().beta();
      gp = posterior(gp.data(), h);
      if (learned.timeUp() || gp.trend().distance(before) <= MOVED) break;
    }
    return Objects.requireNonNull(learned);
  }

  @Override
  public Optional<Learned> moved(
      KeptRows kept, Hyperparameters from, double[] about, Learning how) {
    boolean known =
        !isRestricted(kept.data()) && posterior(kept.data(), from).trend().distance(about) <= MOVED;
    return known ? Optional.empty() : Optional.of(learn(kept, from, how));
  }

  @Override
  public Learned given(KeptRows kept, Hyperparameters h) {
    return Learned.given(h, leaf.engine().toString());
  }

  @Override
  public Conditioned condition(KeptRows kept, Learned at) {
    RowsWay.require(kept.data(), leaf, at.hyperparameters());
    DriftedRows gp = posterior(kept.data(), at.hyperparameters());
    // the restricted likelihood is not the one that was learned by
    double evidence = leaf.evidence(gp, given(kept, at.hyperparameters()), fresh);
    List<Note> facts = new ArrayList<>(RowsWay.facts(leaf, gp.inner(), evidence));
    facts.add(RESTRICTED);
    return Conditioned.of(gp, plan, at, evidence, facts);
  }

  @Override
  public DriftedRowsWay planned(
      KeptRows kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(RowsWay.plan(plan, leaf, kept.count(), h, asked, seed, learning));
  }

  @Override
  public DriftedRowsWay with(Plan other) {
    return new DriftedRowsWay(frame, leaf, other, fresh);
  }

  @Override
  public void requireEngine(Engine asked) {
    RowsWay.requireEngine(leaf, asked);
  }
}
