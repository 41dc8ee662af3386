package lovelace;

import java.util.ArrayList;
import java.util.List;
import lovelace.inference.TrainingReport;
import lovelace.kernel.Hyperparameters;
import lovelace.model.Provenance.Note;

/// Hyperparameters as a fit ends with them.
///
/// @param logLikelihood the log marginal likelihood they reach; NaN where no engine computes it
/// @param standardErrors one for each value, or none
/// @param trace the steps they were learned by
/// @param notes how they were found, a line each
/// @param timeUp whether learning ended because its time was up
record Learned(
    Hyperparameters hyperparameters,
    double logLikelihood,
    List<Double> standardErrors,
    List<TrainingReport.Step> trace,
    List<Note> notes,
    boolean timeUp) {

  /// The same, with the reason for its engine before all other notes.
  Learned because(String reason) {
    List<Note> all = new ArrayList<>(notes);
    all.addFirst(new Note(Note.Kind.ENGINE, reason));
    return new Learned(hyperparameters, logLikelihood, standardErrors, trace, all, timeUp);
  }

  /// The same, evaluated on another lattice.
  Learned on(Learned evaluated) {
    return new Learned(
        hyperparameters, evaluated.logLikelihood, standardErrors, trace, notes, timeUp);
  }
}
