package lovelace.way;

import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;

/// A way whose mean is linear in some columns. If its parameters and the coefficients of its mean
/// cannot be learned together, they are learned in turns.
public sealed interface DriftedWay<K extends Kept<K>> extends Way<K>
    permits DriftedRowsWay, DriftedLatticeWay {

  /// The number of times that learning is continued.
  int ROUNDS = 3;

  /// If the coefficients move by less than this many standard deviations, the parameters stay.
  double MOVED = 0.1;

  /// The remark of a model on its likelihood.
  Note RESTRICTED =
      new Note(Note.Kind.LIKELIHOOD, "restricted: the coefficients of the mean are integrated out");

  /// Continues learning from parameters that fit the residuals of an estimate of the coefficients.
  /// Empty if the coefficients hardly move, so that the parameters stay.
  ///
  /// @param about the estimate
  Optional<Learned> moved(K kept, Hyperparameters from, double[] about, Learning how);
}
