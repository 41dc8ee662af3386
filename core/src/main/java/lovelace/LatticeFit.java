package lovelace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.inference.CheckPoints;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.lattice.InterpolationLoss;
import lovelace.lattice.LatticePosterior;
import lovelace.latticekernel.LocalKriging;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.learning.Starts;
import lovelace.love.Love;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Prediction;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Learns and conditions on the statistics of a lattice, by the engine of a plan.
record LatticeFit(Plan plan, Statistics statistics) {

  /// Steps on the sums of all rows, once their neighbours have been asked.
  private static final int POLISH = 12;

  /// A smaller difference of log-likelihoods tells nothing.
  private static final double TELLS = 0.5;

  /// The engine, made anew, so that the same statistics and hyperparameters always give the same
  /// bits.
  private LatticeEngine engine() {
    return Engines.engine(plan.chosen(), statistics, plan.seed());
  }

  /// Hyperparameters used as they are.
  Learned evaluate(Hyperparameters h) {
    LatticeEngine engine = engine();
    Learned given =
        plan.chosen() == Engine.SPARSE // its posterior comes with the likelihood
            ? Learned.given(h, engine.name())
            : Learned.given(h, engine.name(), engine.evidence(h));
    return given.because(plan.reason());
  }

  /// Learns the parameters that are not fixed; unset ones start from some of the rows.
  Learned learn(Hyperparameters start, Dataset rows, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    LatticeEngine engine = engine();
    if (engine instanceof SparseEngine sparse) return byNeighbours(sparse, start, learning);
    return learner(learning)
        .learn(engine, start, rows, learning.starts(), learning.seed())
        .withErrors(engine)
        .because(plan.reason());
  }

  /// Learns from complete hyperparameters on, without any rows. Places beyond the first are drawn
  /// around them with the seed.
  Learned learn(Hyperparameters start, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    LatticeEngine engine = engine();
    if (engine instanceof SparseEngine sparse) return byNeighbours(sparse, start, learning);
    List<Hyperparameters> starts = Starts.around(start, learning.starts(), learning.seed());
    return learner(learning)
        .learn(engine, starts, starts.size())
        .withErrors(engine)
        .because(plan.reason());
  }

  /// Learns by the neighbours of the rows where each has a node of its own; else goes on from there
  /// with the sums of all rows.
  private Learned byNeighbours(SparseEngine engine, Hyperparameters start, Fit.Learning learning) {
    Dataset rows = engine.rows();
    Learned found = RowFit.byNeighbours(rows, start, RowFit.NEIGHBOURS, learning);
    if (found.timeUp()) return found.because(plan.reason());
    if (engine.isRowPerNode()) return interpolating(rows, start, found).because(plan.reason());
    Lbfgs few = Lbfgs.DEFAULT.withMaxIterations(POLISH).withRelativeTolerance(1e-6);
    return learner(learning)
        .withOptimizer(few)
        .learn(engine, List.of(found.hyperparameters()), 1)
        .because(plan.reason());
  }

  /// The same without noise where the likelihood cannot tell: then observed nodes are pinned, and
  /// the model interpolates.
  private static Learned interpolating(Dataset rows, Hyperparameters start, Learned found) {
    Hyperparameters h = found.hyperparameters();
    double none =
        0.1 * SparseEngine.NO_NOISE * h.kernel().withoutWhite().variance(rows.inputs(), 0);
    Parameter noise = start.parameter("noise");
    boolean asked =
        noise.fixed() || noise.prior().isPresent() || noise.lower() > Hyperparameters.NOISE_FLOOR;
    if (asked || h.kernel().whiteVariance() > 0 || h.noise() <= none) return found;
    double[] values = h.values();
    values[h.kernel().parameterCount()] = none;
    Hyperparameters without = h.with(values);
    try {
      VecchiaLikelihood likelihood = VecchiaLikelihood.of(rows, h, RowFit.NEIGHBOURS, 1);
      double loss = likelihood.evidence(h).value() - likelihood.evidence(without).value();
      return loss <= TELLS ? found.with(without) : found;
    } catch (TimeUpException e) {
      return found; // with the noise that was learned
    }
  }

  static Learner learner(Fit.Learning learning) {
    return Learner.DEFAULT.withOptimizer(learning.optimizer()).withProgress(learning.progress());
  }

  /// What was learned, with the likelihood that the posterior came with, if any.
  static Learned settled(Learned learned, LatticePosterior posterior) {
    return posterior
        .likelihood()
        .map(l -> learned.settled(l.value(), l.standardError()))
        .orElse(learned);
  }

  /// How hyperparameters were found, a line each.
  static List<Note> notes(Learned learned) {
    List<Note> notes = new ArrayList<>();
    if (!learned.because().isEmpty()) notes.add(new Note(Note.Kind.ENGINE, learned.because()));
    notes.add(
        learned.given()
            ? Note.AS_GIVEN
            : new Note(
                Note.Kind.TRAINING,
                String.format(
                    Locale.ROOT,
                    "%s engine, %d iterations, %d likelihoods, %.2f s; %s",
                    learned.engine(),
                    learned.iterations(),
                    learned.evaluations(),
                    learned.seconds(),
                    learned.ending())));
    if (learned.likelihoodError() > 0)
      notes.add(
          new Note(
              Note.Kind.LIKELIHOOD,
              String.format(
                  Locale.ROOT,
                  "estimated, with a standard error of %.2g",
                  learned.likelihoodError())));
    return notes;
  }

  /// The posterior under complete hyperparameters, with an estimate of what interpolation does.
  LatticePosterior posterior(Hyperparameters h) {
    return posterior(h, null);
  }

  /// The posterior under complete hyperparameters, with what interpolation does: measured beside
  /// the exact process of the rows where there are some, else estimated.
  LatticePosterior posterior(Hyperparameters h, @Nullable Dataset rows) {
    LatticeDistribution found = engine().posterior(h, plan.tolerance());
    if (rows != null) {
      LatticePosterior posterior = LatticePosterior.of(found, plan.tolerance());
      Interpolation measured = Closeness.measure(posterior, rows);
      if (measured != null) return posterior.with(measured);
    }
    if (found.covariance().kriges()) return kriged(found);
    double[] places = Love.checkPoints(found.problem(), CheckPoints.COUNT);
    double[] errors = InterpolationLoss.estimate(found, places);
    return LatticePosterior.of(found, plan.tolerance())
        .with(new Interpolation(errors[0], errors[1], CheckPoints.COUNT, false));
  }

  /// A posterior whose rows lie on nodes, with what kriging from a stencil may lose between them.
  private LatticePosterior kriged(LatticeDistribution found) {
    LatticePosterior posterior = LatticePosterior.of(found, plan.tolerance());
    double[] places = CheckPoints.of(statistics, CheckPoints.COUNT);
    Prediction prediction = posterior.predict(places);
    double lost =
        LocalKriging.of(
                (Grid) statistics.lattice(),
                found.problem().hyperparameters().kernel().withoutWhite())
            .shortfall();
    double most = 0;
    for (int p = 0; p < CheckPoints.COUNT; p++)
      if (prediction.variance(p) > 0) most = Math.max(most, lost / prediction.variance(p));
    return posterior.with(new Interpolation(Math.sqrt(most), most, CheckPoints.COUNT, false));
  }
}
