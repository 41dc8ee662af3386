package lovelace.way;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.laplace.Fitted;
import lovelace.laplace.Window;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;

/// A posterior with its parameters, plan, likelihood and remarks.
///
/// @param learned its parameters, and how they were found
/// @param logLikelihood NaN if it was not computed
/// @param fitted present if the likelihood is not Gaussian
/// @param facts remarks of the model on it
public record Conditioned(
    Posterior posterior,
    Plan plan,
    Learned learned,
    double logLikelihood,
    Optional<Fitted> fitted,
    List<Note> facts) {

  /// A posterior under Gaussian noise.
  static Conditioned of(
      Posterior posterior, Plan plan, Learned learned, double logLikelihood, List<Note> facts) {
    return new Conditioned(posterior, plan, learned, logLikelihood, Optional.empty(), facts);
  }

  /// The same with another posterior of the same rows.
  public Conditioned with(Posterior same) {
    return new Conditioned(same, plan, learned, logLikelihood, fitted, facts);
  }

  /// The same with one more remark.
  Conditioned with(Note fact) {
    List<Note> all = new ArrayList<>(facts);
    all.add(fact);
    return new Conditioned(posterior, plan, learned, logLikelihood, fitted, all);
  }

  /// The same for the counts of a window's cells.
  Conditioned of(Window window) {
    Optional<Fitted> cells = fitted.map(f -> f.of(Optional.of(window)));
    return new Conditioned(posterior, plan, learned, logLikelihood, cells, facts);
  }
}
