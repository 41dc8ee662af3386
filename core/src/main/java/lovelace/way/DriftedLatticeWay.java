package lovelace.way;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.budget.Budget;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.drift.DriftStatistics;
import lovelace.drift.LatticeTrend;
import lovelace.drift.Terms;
import lovelace.grid.Grid;
import lovelace.io.Fingerprint;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Planner;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.source.Source;
import lovelace.source.internal.Pass;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// An engine on a grid that uses the sums of the residuals of a linear mean.
///
/// @param about the estimate of the coefficients from which the residuals are formed
/// @param measured the loss by interpolation under the next parameters; null to estimate it
public record DriftedLatticeWay(
    Frame frame, Plan plan, Grid grid, Estimate about, @Nullable Interpolation measured)
    implements DriftedWay<KeptTrend> {

  private Terms terms() {
    return about.terms();
  }

  /// Reads the rows twice: for the sums of the residuals, then for those of the terms.
  @Override
  public KeptTrend read(Source rows, Outside outside) throws IOException {
    Terms terms = terms();
    double[] beta = about.values();
    TargetTransform transform = frame.transform();
    @Nullable FeatureMap map = frame.map().orElse(null);
    GridStatistics residual =
        (GridStatistics)
            Pass.more(
                    new Residuals(rows, terms, beta, transform),
                    map,
                    grid,
                    TargetTransform.NONE,
                    outside)
                .statistics();
    DriftStatistics.Builder sums = new DriftStatistics.Builder(residual, terms.size() - 1);
    Fingerprint print = new Fingerprint();
    double[] jacobian = {0};
    double[] f = new double[terms.size()];
    int d = terms.columns();
    int k = grid.dimensions();
    rows.read(
        (count, x, y, weights) -> {
          Budget.check();
          double[] z = terms.seen(x, count);
          if (map != null) {
            double[] features = new double[count * k];
            map.apply(z, count, features);
            z = features;
          }
          for (int i = 0; i < count; i++) {
            double w = weights.isPresent() ? weights.get()[i] : 1;
            double e = Residuals.of(terms, beta, transform, x, i, y[i], f);
            if (!sums.add(z, i * k, f, 0, e, w)) continue;
            print.add(x, i * d, d, y[i], w);
            jacobian[0] += transform.logJacobian(y[i]);
          }
        });
    return new KeptTrend(sums.statistics(), about, jacobian[0], print.value());
  }

  @Override
  public Learned learn(KeptTrend kept, Hyperparameters start, Learning how) {
    Learned learned = learned(plan, kept.statistics(), start, how);
    if (learned.timeUp()) return learned;
    Hyperparameters h = learned.hyperparameters();
    return settled(kept, h).moved(kept, h, kept.estimate().values(), how).orElse(learned);
  }

  /// Learns from statistics of residuals with fixed coefficients.
  private static Learned learned(
      Plan plan, DriftStatistics statistics, Hyperparameters from, Learning how) {
    LatticeLeaf leaf = new LatticeLeaf(plan, statistics.residual());
    return InTime.from(from, () -> leaf.learn(from, how), plan.chosen().toString());
  }

  @Override
  public Optional<Learned> moved(
      KeptTrend kept, Hyperparameters from, double[] start, Learning how) {
    Hyperparameters h = from;
    Plan now = plan;
    Learned learned = null;
    double[] beta = start;
    LatticeTrend trend = trend(now, kept.statistics(), beta, h);
    boolean learns = h.freeSize() > 0;
    for (int round = 0; learns && round < ROUNDS; round++) {
      if (trend.trend().distance(beta) <= MOVED) break;
      beta = trend.trend().beta();
      learned = learned(now, trend.statistics(), h, how);
      h = learned.hyperparameters();
      now = plan(trend.statistics(), h);
      trend = trend(now, trend.statistics(), beta, h);
      learns = !learned.timeUp();
    }
    return Optional.ofNullable(learned);
  }

  private LatticeTrend trend(
      Plan now, DriftStatistics statistics, double[] beta, Hyperparameters h) {
    return LatticeTrend.of(now.chosen(), now.seed(), statistics, terms(), beta, h);
  }

  /// Computes no likelihood: the restricted likelihood comes with the posterior.
  @Override
  public Learned given(KeptTrend kept, Hyperparameters h) {
    return Learned.given(h, plan.chosen().toString());
  }

  @Override
  public Conditioned condition(KeptTrend kept, Learned at) {
    Hyperparameters h = at.hyperparameters();
    LatticeTrend trend = trend(plan, kept.statistics(), kept.estimate().values(), h);
    LatticeLeaf leaf = new LatticeLeaf(plan, trend.statistics().residual());
    LatticePosterior inner = leaf.posterior(h);
    if (measured != null) inner = inner.with(measured);
    Learned evaluated = LatticeLeaf.settled(leaf.evaluate(h), inner);
    List<Note> facts = new ArrayList<>();
    for (Note note : Learners.notes(evaluated))
      if (note.kind() == Note.Kind.LIKELIHOOD) facts.add(note);
    facts.add(RESTRICTED);
    return Conditioned.of(
        trend.posterior(inner, frame.map().orElse(null)),
        plan,
        at.because(plan.reason()),
        trend.trend().restricted(evaluated.logLikelihood()),
        facts);
  }

  private Plan plan(DriftStatistics statistics, Hyperparameters h) {
    return Planner.of(statistics.residual(), h, plan.asked(), plan.tolerance(), plan.seed(), false);
  }

  @Override
  public DriftedLatticeWay planned(
      KeptTrend kept, Hyperparameters h, Engine asked, long seed, boolean learning) {
    return with(
        Planner.of(kept.statistics().residual(), h, asked, plan.tolerance(), seed, learning));
  }

  @Override
  public DriftedLatticeWay with(Plan other) {
    return new DriftedLatticeWay(frame, other, grid, about, null);
  }

  @Override
  public DriftedLatticeWay settled(KeptTrend kept, Hyperparameters h) {
    return with(plan(kept.statistics(), h));
  }
}
