package lovelace.way;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;

/// Learning with the options of a fit, and the remarks of a model on it.
public final class Learners {

  /// The remark of a model that holds its rows.
  public static final String HOLDS =
      "the rows themselves; with another engine it is a model on a grid, which keeps no rows";

  /// The remark of a model whose nodes are at the places of its rows.
  public static final String HOLDS_PLACES =
      "the rows themselves; with grid points it is a model on a grid, which keeps no rows";

  private Learners() {}

  /// The learner with the optimiser and the listener that were asked for.
  public static Learner of(Learning learning) {
    return Learner.DEFAULT.withOptimizer(learning.optimizer()).withProgress(learning.progress());
  }

  /// Learns from starts that some rows suggest; the options give their number.
  static Learned learn(
      Learnable likelihood, Hyperparameters start, Dataset rows, Learning learning) {
    return of(learning).learn(likelihood, start, rows, learning.starts(), learning.seed());
  }

  /// Remarks on how hyperparameters were found, a line each: the engine, how they were learned, and
  /// how precisely the likelihood is known.
  public static List<Note> notes(Learned learned) {
    List<Note> notes = new ArrayList<>();
    if (!learned.because().isEmpty()) notes.add(new Note(Note.Kind.ENGINE, learned.because()));
    notes.add(learned.given() ? Note.AS_GIVEN : training(learned));
    if (learned.likelihoodError() > 0) notes.add(estimated(learned));
    return notes;
  }

  /// How hyperparameters were learned.
  static Note training(Learned learned) {
    return new Note(
        Note.Kind.TRAINING,
        String.format(
            Locale.ROOT,
            "%s engine, %d iterations, %d likelihoods, %.2f s; %s",
            learned.engine(),
            learned.iterations(),
            learned.evaluations(),
            learned.seconds(),
            learned.ending()));
  }

  private static Note estimated(Learned learned) {
    return new Note(
        Note.Kind.LIKELIHOOD,
        String.format(
            Locale.ROOT, "estimated, with a standard error of %.2g", learned.likelihoodError()));
  }

  /// The remark of a model whose learning was stopped by the deadline.
  public static Note timeUp() {
    return new Note(
        Note.Kind.TIME,
        String.format(
            Locale.ROOT,
            "learning stopped after its share of the %.3g s allowed; parameters are the best found so far, or start values if there was no time for one step; give more time for better ones",
            Budget.current().seconds()));
  }
}
