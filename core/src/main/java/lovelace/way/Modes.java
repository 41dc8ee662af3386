package lovelace.way;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import lovelace.bare.Bare;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.laplace.Fitted;
import lovelace.laplace.Laplace;
import lovelace.laplace.Mode;
import lovelace.laplace.Observations;
import lovelace.laplace.Varying;
import lovelace.laplace.WorkingProcess;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options.Learning;
import lovelace.plan.Plan;
import lovelace.planning.LatticeChoice;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;

/// The steps of Laplace's approximation that all ways share: learning by its evidence, and the
/// posterior at the mode.
final class Modes {

  /// Learning ends when the relative improvement of the evidence is smaller. The approximation is
  /// not more precise.
  private static final double ENOUGH = 1e-6;

  /// The most places between the nodes of a lattice that a model keeps. They take a few megabytes
  /// in its file.
  static final int KEPT_PLACES = 100_000;

  /// A variance of the latent function at which probabilities are nearly 0 or 1.
  private static final double SATURATED = 25;

  private Modes() {}

  /// Computes the posterior of working observations.
  interface Condition {
    Posterior of(double[] targets, double[] weights, Hyperparameters working);
  }

  /// The evidence of observations under the process of their places.
  static Learnable evidence(Likelihood likelihood, Observations data, WorkingProcess process) {
    return likelihood.isVarying()
        ? new Varying(data, process, process)
        : new Laplace(data, process);
  }

  /// The evidence under the exact process.
  static Learnable evidence(Likelihood likelihood, RowLeaf.Working of) {
    return evidence(likelihood, of.data(), of.process());
  }

  /// The learner that was asked for, with a tolerance at which it stops early enough.
  static Learner learner(Learning how) {
    Learner learner = Learners.of(how);
    return learner.optimizer().equals(Lbfgs.DEFAULT)
        ? learner.withOptimizer(Lbfgs.DEFAULT.withRelativeTolerance(ENOUGH))
        : learner;
  }

  /// Learns by an evidence within the available time.
  ///
  /// @param starts some rows, each with the value of the function that it suggests
  static Learned learn(
      Learnable evidence, Hyperparameters from, IntFunction<Dataset> starts, Learning how) {
    if (from.freeSize() == 0) return Learned.given(from, evidence.name());
    return InTime.learned(
            () ->
                learner(how)
                    .learn(
                        evidence,
                        from,
                        starts.apply(LatticeChoice.START_ROWS),
                        how.starts(),
                        how.seed()),
            () -> filled(from, starts),
            evidence.name())
        .withErrors(evidence);
  }

  /// Complete values. Unset ones are those that some rows suggest.
  static Hyperparameters filled(Hyperparameters from, IntFunction<Dataset> starts) {
    Dataset rows = starts.apply(LatticeChoice.START_ROWS);
    return from.fill(rows.inputs(), rows.target());
  }

  /// The posterior at the mode.
  static Conditioned at(
      Observations data, Plan plan, Learned learned, WorkingProcess process, Condition condition) {
    Hyperparameters h = learned.hyperparameters();
    if (h.likelihood().isVarying()) {
      Varying.Modes modes = new Varying(data, process, process).modes(h);
      Varying.Working working = modes.working();
      Posterior noise =
          condition.of(working.noiseTargets(), working.noiseWeights(), h.workingNoise());
      return conditioned(
          data,
          plan,
          learned.settled(modes.evidence(), 0),
          condition.of(data.values(), working.weights(), h.working()),
          Optional.of(noise),
          modes.steps(),
          modes.residual());
    }
    Mode mode = new Laplace(data, process).mode(h);
    return conditioned(
        data,
        plan,
        learned.settled(mode.evidence(), 0),
        condition.of(mode.corrected(), mode.weights(), h.working()),
        Optional.empty(),
        mode.steps(),
        mode.residual());
  }

  private static boolean isOnNodes(LatticePosterior lattice) {
    return lattice.statistics() instanceof GridStatistics grid && grid.onNodes();
  }

  /// Keeps the observations if the posterior holds its rows, if all lie on nodes, or if there are
  /// few.
  private static Conditioned conditioned(
      Observations data,
      Plan plan,
      Learned learned,
      Posterior posterior,
      Optional<Posterior> noise,
      int steps,
      double residual) {
    boolean kept =
        data.size() <= KEPT_PLACES
            || Bare.of(posterior).lattice().map(Modes::isOnNodes).orElse(true);
    Fitted fitted =
        new Fitted(
            learned.hyperparameters(),
            kept ? Optional.of(data) : Optional.empty(),
            noise,
            data.rows(),
            steps,
            residual,
            Optional.empty());
    return new Conditioned(
        posterior,
        plan,
        learned,
        learned.logLikelihood(),
        Optional.of(fitted),
        List.of(note(fitted)));
  }

  /// Adds advice if the model separates the classes without a mistake and has learned a large
  /// variance of the kernel. Then the likelihood grows with the variance without end.
  ///
  /// @param found over the features of the rows
  static Conditioned advised(Conditioned found, Observations data) {
    Hyperparameters h = found.learned().hyperparameters();
    boolean learned =
        h.kernel().parameters().stream()
            .anyMatch(p -> p.role() == Parameter.Role.OUTPUTSCALE && !p.fixed());
    double variance = h.kernel().value(data.places(), 0, data.places(), 0);
    if (!h.likelihood().has(Likelihood.Of.PROBABILITY) || !learned || !(variance > SATURATED))
      return found;
    Prediction f = found.posterior().predict(data.places());
    for (int i = 0; i < data.size(); i++) {
      double y = data.values()[i];
      boolean right = f.mean(i) > 0 ? y == data.sizes()[i] : y == 0;
      if (!right) return found;
    }
    return found.with(
        new Note(
            Note.Kind.ADVICE,
            String.format(
                Locale.ROOT,
                "the model separates the classes without a mistake, so the rows do not say how large the function is, and the kernel's variance %.4g is hardly known; fix the outputscale, for example at 10, or give rows where the classes mix",
                variance)));
  }

  /// The remark of a model on its mode.
  static Note note(Fitted fitted) {
    return new Note(
        Note.Kind.LIKELIHOOD,
        String.format(
            Locale.ROOT,
            "%s, by Laplace's approximation: %d Newton steps, the last %.1e posterior standard deviations long",
            fitted.hyperparameters().likelihood(),
            fitted.steps(),
            fitted.residual()));
  }
}
