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
/// @param logLikelihood the log marginal likelihood that they reach, priors not counted; NaN where
///   nobody has computed it
/// @param likelihoodError its standard error where it is estimated, if it is known; else 0
/// @param standardErrors one for each value, or none where they are not known
/// @param trace every accepted step of the winning run, the start first; none where nothing was
///   learned
/// @param engine which engine computed the likelihood
/// @param because why that engine, for people; empty where there was no choice
/// @param ending why the search ended
/// @param evaluations the winning run's likelihoods
/// @param converged whether the winning run converged
/// @param timeUp whether learning stopped because its time was up
/// @param seconds wall time of all runs
/// @param next what an evaluation close by may start from
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

  /// The share of the time left that standard errors may take.
  private static final double ERRORS = 0.5;

  public Learned {
    standardErrors = List.copyOf(standardErrors);
    trace = List.copyOf(trace);
  }

  /// Hyperparameters that were given, with a likelihood that nobody has computed.
  public static Learned given(Hyperparameters h, String engine) {
    return given(h, engine, new Evidence(Double.NaN, new double[0], 0));
  }

  /// Hyperparameters that were given, with their evidence.
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

  /// The winning run's steps.
  public int iterations() {
    return trace.isEmpty() ? 0 : trace.getLast().iteration();
  }

  /// The same with the reason for its engine.
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

  /// The same with other hyperparameters, which are as likely.
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

  /// The same after the search for better ones was stopped because its time was up.
  public Learned outOfTime() {
    return with(seconds, false, true);
  }

  /// The same with the wall time of all searches.
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

  /// The same with a likelihood that is closer to the truth, and its standard error.
  public Learned settled(double value, double error) {
    return with(value, error, standardErrors);
  }

  /// The same, evaluated on another lattice.
  public Learned on(Learned evaluated) {
    return with(evaluated.logLikelihood, likelihoodError, standardErrors);
  }

  /// The same with standard errors of the parameters, and of the likelihood where it is estimated,
  /// as far as half of the time that is left allows. It has nothing for another evaluation to start
  /// from.
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
        // the parameters are learned; how well they are known is not
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
