package lovelace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.baseline.ExactGp;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.GridChoice;
import lovelace.grid.Lattice;
import lovelace.grid.Statistics;
import lovelace.inference.Conditioned;
import lovelace.inference.Engines;
import lovelace.inference.InterpolationLoss;
import lovelace.inference.LatticeEngine;
import lovelace.inference.Likelihood;
import lovelace.inference.Love;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.markov.ChainGp;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.GridPosterior;
import org.jspecify.annotations.Nullable;

/// A fit's choice of engine on the statistics of a grid, and what the engine does for it.
record Inference(Engine asked, double tolerance, long seed, Statistics statistics) {

  /// The rows that start values are taken from.
  private static final int START_ROWS = 5000;

  /// The standard deviation, in logarithms, of further places to learn from.
  private static final double SPREAD = 1.5;

  /// The engine for a kernel, made anew, so that the same statistics and hyperparameters always
  /// give the same bits.
  private Engines.Choice engine(Hyperparameters h) {
    return Engines.choose(statistics, h, asked, seed);
  }

  /// Why the engine was chosen.
  String reason(Hyperparameters h) {
    return engine(h).reason();
  }

  /// Hyperparameters used as they are.
  Learned evaluate(Hyperparameters h) {
    Engines.Choice choice = engine(h);
    LatticeEngine engine = choice.engine();
    return Learned.given(h, engine.name(), engine.evidence(h)).because(choice.reason());
  }

  /// Learns the parameters that are not fixed; unset ones start from some of the rows.
  Learned learn(Hyperparameters start, Survey survey, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    Dataset rows = survey.sample(START_ROWS);
    Engines.Choice choice = engine(start.fill(rows.inputs(), rows.target()));
    LatticeEngine engine = choice.engine();
    return learner(learning)
        .learn(engine, start, rows, learning.starts())
        .withErrors(engine)
        .because(choice.reason());
  }

  /// Learns from complete hyperparameters on, without any rows. Places beyond the first are drawn
  /// around them with the seed.
  Learned learn(Hyperparameters start, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    Engines.Choice choice = engine(start);
    List<Hyperparameters> starts = new ArrayList<>(List.of(start));
    var random = new SplittableRandom(learning.seed());
    while (starts.size() < learning.starts()) starts.add(moved(start, random));
    return learner(learning)
        .learn(choice.engine(), starts, starts.size())
        .withErrors(choice.engine())
        .because(choice.reason());
  }

  private static Learner learner(Fit.Learning learning) {
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

  /// Learns from rows whose places are the nodes of a Markov chain.
  static Learned onPlaces(Dataset data, Hyperparameters start, Fit.Learning learning) {
    Likelihood chain = ChainGp.likelihood(data, start);
    Dataset some = data.thinned(START_ROWS);
    return Budget.current()
        .share(Fitter.LEARNING)
        .call(() -> learner(learning).learn(chain, start, some, learning.starts()))
        .withErrors(chain);
  }

  /// Learns by the exact engine, which has one start. There are no standard errors of more rows
  /// than take a moment.
  static Learned exact(Dataset data, Hyperparameters start, Fit.Learning learning) {
    if (learning.starts() > 1)
      throw new IllegalArgumentException(
          "the exact engine goes on from the likeliest of its start values only, got starts "
              + learning.starts()
              + "; use 1, or another engine");
    Likelihood exact = ExactGp.likelihood(data);
    Learned learned =
        Budget.current()
            .share(Fitter.LEARNING)
            .call(() -> learner(learning).learn(exact, start, data, 1));
    return data.size() <= Closeness.MEASURED ? learned.withErrors(exact) : learned;
  }

  /// The posterior under complete hyperparameters, with an estimate of what interpolation does.
  GridPosterior posterior(Hyperparameters h) {
    return posterior(h, null);
  }

  /// The posterior under complete hyperparameters, with what interpolation does: measured beside
  /// the exact process of the rows where there are some, else estimated.
  GridPosterior posterior(Hyperparameters h, @Nullable Dataset rows) {
    Conditioned found = engine(h).engine().posterior(h, tolerance);
    if (rows != null) {
      GridPosterior posterior = GridPosterior.of(found, tolerance);
      Interpolation measured = Closeness.measure(posterior, rows);
      if (measured != null) return posterior.with(measured);
    }
    double[] places = Love.checkPoints(found.system(), Love.DEFAULT.checks());
    double[] errors = InterpolationLoss.estimate(found, places);
    return GridPosterior.of(found, tolerance)
        .with(new Interpolation(errors[0], errors[1], Love.DEFAULT.checks(), false));
  }

  /// Whether some column's lengthscale is under two cells.
  static boolean isPoor(Lattice lattice, double[] lengthscales) {
    switch (lattice) {
      case Grid grid -> {
        for (int a = 0; a < grid.dimensions(); a++)
          if (lengthscales[a] < GridChoice.POOR * grid.axis(a).step()) return true;
      }
      case AdditiveGrid sum -> {
        for (int c = 0; c < sum.components(); c++) {
          AdditiveGrid.Component part = sum.component(c);
          for (int a = 0; a < part.grid().dimensions(); a++)
            if (lengthscales[part.column(a)] < GridChoice.POOR * part.grid().axis(a).step())
              return true;
        }
      }
    }
    return false;
  }
}
