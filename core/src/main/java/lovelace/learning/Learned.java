package lovelace.learning;

import java.util.Arrays;
import java.util.List;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.model.Provenance.Step;
import lovelace.optimize.Optimizer.Optimum;

/// Learned hyperparameters, and how they were found.
///
/// @param logLikelihood their log marginal likelihood, without priors; NaN if it was not computed
/// @param likelihoodError its standard error if it is estimated and the error is known, otherwise 0
/// @param standardErrors one for each value; empty if unknown
/// @param trace every accepted step of the winning run, the start first; empty if nothing was
///   learned
/// @param engine the engine that computed the likelihood
/// @param because why that engine, for people; empty if there was no choice
/// @param ending why the search ended
/// @param evaluations the number of likelihoods that the winning run computed
/// @param converged whether the winning run converged
/// @param timeUp whether learning stopped because its time was up
/// @param seconds wall time of all runs
/// @param next the state from which an evaluation at similar values may start
public record Learned(
    Hyperparameters hyperparameters,
    double logLikelihood,
    double likelihoodError,
    List<Double> standardErrors,
    List<Step> trace,
    String engine,
    String because,
    String ending,
    int evaluations,
    boolean converged,
    boolean timeUp,
    double seconds,
    WarmStart next) {

  /// The share of the remaining time that standard errors may take.
  private static final double ERRORS = 0.5;

  public Learned {
    standardErrors = List.copyOf(standardErrors);
    trace = List.copyOf(trace);
  }

  /// Given hyperparameters whose likelihood was not computed.
  public static Learned given(Hyperparameters h, String engine) {
    return given(h, engine, new Evidence(Double.NaN, new double[0], 0));
  }

  /// Given hyperparameters with their evidence.
  public static Learned given(Hyperparameters h, String engine, Evidence evidence) {
    return new Learned(
        h,
        evidence.value(),
        evidence.standardError(),
        List.of(),
        List.of(),
        engine,
        "",
        "every parameter is given",
        1,
        true,
        false,
        0,
        evidence.next());
  }

  static Learned of(
      String engine, Hyperparameters form, Optimum best, double seconds, WarmStart next) {
    Hyperparameters h = form.fromFree(best.x());
    return new Learned(
        h,
        -best.value() - h.logPrior(),
        0,
        List.of(),
        best.trace().stream().map(step -> step(form, step)).toList(),
        engine,
        "",
        best.reason(),
        best.evaluations(),
        best.converged(),
        best.timeUp(),
        seconds,
        next);
  }

  private static Step step(Hyperparameters form, Optimum.Step s) {
    double[] x = s.x().stream().mapToDouble(Double::doubleValue).toArray();
    List<Double> values = Arrays.stream(form.fromFree(x).values()).boxed().toList();
    return new Step(s.iteration(), s.evaluations(), s.value(), s.gradientNorm(), values);
  }

  /// Whether the hyperparameters were given, and nothing was learned.
  public boolean given() {
    return trace.isEmpty();
  }

  /// The number of steps of the winning run.
  public int iterations() {
    return trace.isEmpty() ? 0 : trace.getLast().iteration();
  }

  /// Returns the same with the reason for its engine.
  public Learned because(String reason) {
    return new Learned(
        hyperparameters,
        logLikelihood,
        likelihoodError,
        standardErrors,
        trace,
        engine,
        reason,
        ending,
        evaluations,
        converged,
        timeUp,
        seconds,
        next);
  }

  /// Returns the same with other hyperparameters, which are as likely.
  public Learned with(Hyperparameters other) {
    return new Learned(
        other,
        logLikelihood,
        likelihoodError,
        standardErrors,
        trace,
        engine,
        because,
        ending,
        evaluations,
        converged,
        timeUp,
        seconds,
        next);
  }

  /// Returns the same, marked as stopped because time was up.
  public Learned outOfTime() {
    return with(seconds, false, true);
  }

  /// Returns the same with the wall time of all searches.
  Learned lasting(double all) {
    return with(all, converged, timeUp);
  }

  private Learned with(double lasted, boolean settled, boolean stopped) {
    return new Learned(
        hyperparameters,
        logLikelihood,
        likelihoodError,
        standardErrors,
        trace,
        engine,
        because,
        ending,
        evaluations,
        settled,
        stopped,
        lasted,
        next);
  }

  /// Returns the same with a more accurate likelihood and its standard error.
  public Learned settled(double value, double error) {
    return with(value, error, standardErrors);
  }

  /// Returns the same with a likelihood computed on another lattice.
  public Learned on(Learned evaluated) {
    return with(evaluated.logLikelihood, likelihoodError, standardErrors);
  }

  /// Returns the same with standard errors of the parameters, and of the likelihood if it is
  /// estimated, as far as half of the remaining time allows. The result holds no state from which
  /// another evaluation could start.
  public Learned withErrors(Learnable likelihood) {
    double error = likelihoodError;
    List<Double> errors = standardErrors;
    if (!given() && !timeUp)
      try {
        Trail trail = new Trail(likelihood, next);
        Budget share = Budget.current().share(ERRORS);
        double[] found = share.call(() -> StandardErrors.of(trail, hyperparameters));
        errors = Arrays.stream(found).boxed().toList();
        if (trail.estimated()) error = share.call(() -> trail.at(hyperparameters).standardError());
      } catch (TimeUpException e) {
        // the parameters are learned; their errors stay unknown
      }
    return with(logLikelihood, error, errors);
  }

  private Learned with(double value, double error, List<Double> errors) {
    return new Learned(
        hyperparameters,
        value,
        error,
        errors,
        trace,
        engine,
        because,
        ending,
        evaluations,
        converged,
        timeUp,
        seconds,
        WarmStart.NONE);
  }
}
