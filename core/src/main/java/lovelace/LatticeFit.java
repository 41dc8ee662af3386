package lovelace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.inference.CheckPoints;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.lattice.InterpolationLoss;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.love.Love;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Learns and conditions on the statistics of a lattice, by the engine of a plan.
record LatticeFit(Plan plan, Statistics statistics) {

  /// The standard deviation, in logarithms, of further places to learn from.
  private static final double SPREAD = 1.5;

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
    return learner(learning)
        .learn(engine, start, rows, learning.starts())
        .withErrors(engine)
        .because(plan.reason());
  }

  /// Learns from complete hyperparameters on, without any rows. Places beyond the first are drawn
  /// around them with the seed.
  Learned learn(Hyperparameters start, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    LatticeEngine engine = engine();
    List<Hyperparameters> starts = new ArrayList<>(List.of(start));
    var random = new SplittableRandom(learning.seed());
    while (starts.size() < learning.starts()) starts.add(moved(start, random));
    return learner(learning)
        .learn(engine, starts, starts.size())
        .withErrors(engine)
        .because(plan.reason());
  }

  static Learner learner(Fit.Learning learning) {
    return Learner.DEFAULT.withOptimizer(learning.optimizer()).withProgress(learning.progress());
  }

  /// The hyperparameters with every free positive value multiplied by a random factor.
  private static Hyperparameters moved(Hyperparameters start, SplittableRandom random) {
    double[] x = start.toFree();
    double[] lower = start.freeLower();
    double[] upper = start.freeUpper();
    int at = 0;
    for (Parameter p : start.parameters())
      for (int i = 0; i < p.size() && !p.fixed(); i++, at++)
        if (p.positive())
          x[at] = Math.clamp(x[at] + SPREAD * random.nextGaussian(), lower[at], upper[at]);
    return start.fromFree(x);
  }

  /// What was learned, with the likelihood that the posterior came with, if any.
  static Learned settled(Learned learned, LatticePosterior posterior) {
    return posterior.likelihood().map(l -> learned.settled(l.value(), l.standardError())).orElse(learned);
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
    double[] places = Love.checkPoints(found.problem(), CheckPoints.COUNT);
    double[] errors = InterpolationLoss.estimate(found, places);
    return LatticePosterior.of(found, plan.tolerance())
        .with(new Interpolation(errors[0], errors[1], CheckPoints.COUNT, false));
  }
}
