package lovelace.way;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.latent.LatentLearning;
import lovelace.latent.LatentNeighbourGp;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import org.jspecify.annotations.Nullable;

/// The process of the rows nearest to each prediction, under a likelihood that is not Gaussian. It
/// has its own approximation, and keeps all rows apart.
///
/// @param leaf has the number of neighbours
/// @param seed of the search for the error of variances
/// @param first null for an existing model
public record LatentWay(Frame frame, NearestLeaf leaf, long seed, Plan plan, @Nullable First first)
    implements ObservedWay {

  /// The default number of nearest rows for a prediction.
  public static final int NEIGHBOURS = 100;

  @Override
  public Optional<Lattice> lattice() {
    return Optional.empty();
  }

  @Override
  public boolean apart() {
    return true;
  }

  private static Dataset rows(Observations data) {
    return Dataset.of(data.places(), data.dimensions(), data.values(), data.sizes());
  }

  @Override
  public Learned learn(KeptObservations kept, Hyperparameters start, Learning how) {
    if (start.freeSize() == 0) return given(kept, start);
    Likelihood likelihood = frame.likelihood();
    IntFunction<Dataset> starts = starts(kept.data());
    return InTime.learned(
        () ->
            LatentLearning.learn(
                rows(kept.data()),
                start,
                some ->
                    Modes.evidence(
                        likelihood, RowLeaf.Working.exactly(Observations.of(some, likelihood))),
                leaf.learningNeighbours(),
                Modes.learner(how),
                how.starts(),
                how.seed()),
        () -> Modes.filled(start, starts),
        Engine.NEIGHBOURS.toString());
  }

  @Override
  public Learned given(KeptObservations kept, Hyperparameters h) {
    return Learned.given(h, Engine.NEIGHBOURS.toString());
  }

  @Override
  public Conditioned condition(KeptObservations kept, Learned at) {
    Observations data = kept.data();
    Hyperparameters h = at.hyperparameters();
    LatentNeighbourGp gp = LatentNeighbourGp.of(rows(data), h, leaf.neighbours(), seed);
    Fitted fitted =
        new Fitted(
            h,
            Optional.of(data),
            Optional.empty(),
            data.rows(),
            gp.steps(),
            gp.residual(),
            Optional.empty());
    Learned settled = at.settled(gp.logMarginalLikelihood(), gp.likelihoodError());
    Conditioned found =
        new Conditioned(
            gp,
            plan,
            settled,
            settled.logLikelihood(),
            Optional.of(fitted),
            List.of(Modes.note(fitted)));
    if (first != null) found = Modes.advised(found, data);
    return found.with(note(gp)).with(frame.over(gp));
  }

  private static Note note(LatentNeighbourGp gp) {
    return new Note(
        Note.Kind.ENGINE,
        String.format(
            Locale.ROOT,
            "each prediction uses the %,d nearest rows; variances are within %.2g %% (standard error, checked at some rows)",
            gp.neighbours(),
            100 * gp.varianceError()));
  }

  @Override
  public LatentWay planned(
      KeptObservations kept, Hyperparameters h, Engine asked, long other, boolean learning) {
    Plan next = RowsWay.plan(plan, leaf, kept.data().size(), h, asked, other, learning);
    return new LatentWay(frame, leaf, learning ? other : seed, next, first);
  }

  @Override
  public LatentWay with(Plan other) {
    return new LatentWay(frame, leaf, seed, other, first);
  }

  @Override
  public void requireEngine(Engine asked) {
    RowsWay.requireEngine(leaf, asked);
  }
}
