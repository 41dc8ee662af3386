package lovelace.optimize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Minimises an [Objective] within bounds. The same start gives the same result, to the bit.
public interface Optimizer {

  /// Returns the minimum found from `start`, which is moved into the bounds first and is not
  /// modified. Bounds may be infinite. Equal bounds hold a coordinate fixed.
  Optimum minimize(
      Objective objective, double[] start, double[] lower, double[] upper, Progress progress);

  /// Minimises within bounds.
  default Optimum minimize(Objective objective, double[] start, double[] lower, double[] upper) {
    return minimize(objective, start, lower, upper, Progress.NONE);
  }

  /// Minimises without bounds.
  default Optimum minimize(Objective objective, double... start) {
    double[] upper = new double[start.length];
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    double[] lower = new double[start.length];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    return minimize(objective, start, lower, upper, Progress.NONE);
  }

  /// Returns this optimiser with a unit for each coordinate: roughly how far the coordinate should
  /// move in one step. Good units save steps if the curvatures differ.
  default Optimizer inUnits(double... units) {
    return new Rescaled(this, units.clone());
  }

  /// Receives every accepted step of an optimiser.
  @FunctionalInterface
  interface Progress {

    /// Ignores every step and never cancels.
    Progress NONE = (iteration, value, gradientNorm, x) -> true;

    /// Reports a step; iteration 0 is the start. `gradientNorm` is the largest entry of the
    /// projected gradient. The array x belongs to the optimiser: read it, but do not keep it.
    /// Returning false cancels the run.
    boolean step(int iteration, double value, double gradientNorm, double[] x);
  }

  /// A smooth function to minimise.
  @FunctionalInterface
  interface Objective {

    /// Returns the value at x and overwrites `gradient`. It must not keep x. A value of +∞ or NaN,
    /// or a gradient that is not finite, rejects the point: the optimiser then backs off towards
    /// the last point.
    double evaluate(double[] x, double[] gradient);
  }

  /// The point where an optimiser ended, with the reason and the steps to it.
  final class Optimum {

    /// An accepted step: the objective after it, the largest entry of its projected gradient, the
    /// evaluations spent so far, and the point reached.
    public record Step(
        int iteration, int evaluations, double value, double gradientNorm, List<Double> x) {

      public Step {
        x = List.copyOf(x);
      }

      static Step at(int iteration, int evaluations, double value, double norm, double[] x) {
        return new Step(iteration, evaluations, value, norm, Arrays.stream(x).boxed().toList());
      }
    }

    private final double[] x;
    private final double value;
    private final double gradientNorm;
    private final int evaluations;
    private final Ending ending;
    private final List<Step> trace;

    /// Takes over x.
    Optimum(
        double[] x,
        double value,
        double gradientNorm,
        int evaluations,
        Ending ending,
        List<Step> trace) {
      this.x = x;
      this.value = value;
      this.gradientNorm = gradientNorm;
      this.evaluations = evaluations;
      this.ending = ending;
      this.trace = List.copyOf(trace);
    }

    /// Returns this run as the continuation of one that stopped where this one began.
    public Optimum after(Optimum first) {
      List<Step> steps = new ArrayList<>(first.trace);
      for (Step s : trace)
        if (s.iteration() > 0)
          steps.add(
              new Step(
                  first.iterations() + s.iteration(),
                  first.evaluations + s.evaluations(),
                  s.value(),
                  s.gradientNorm(),
                  s.x()));
      return new Optimum(x, value, gradientNorm, first.evaluations + evaluations, ending, steps);
    }

    /// Returns this run with its points in other coordinates.
    public Optimum map(UnaryOperator<double[]> coordinates) {
      List<Step> steps = new ArrayList<>();
      for (Step s : trace) {
        double[] at = s.x().stream().mapToDouble(Double::doubleValue).toArray();
        steps.add(
            Step.at(
                s.iteration(),
                s.evaluations(),
                s.value(),
                s.gradientNorm(),
                coordinates.apply(at)));
      }
      return new Optimum(coordinates.apply(x), value, gradientNorm, evaluations, ending, steps);
    }

    /// Returns this run, marked as stopped because its time was up.
    public Optimum outOfTime() {
      return new Optimum(x, value, gradientNorm, evaluations, Ending.TIME, trace);
    }

    /// The point. A copy.
    public double[] x() {
      return x.clone();
    }

    /// The objective at that point; +∞ if it was not finite at the start.
    public double value() {
      return value;
    }

    /// The largest absolute entry of the projected gradient `P(x − g) − x`.
    public double gradientNorm() {
      return gradientNorm;
    }

    /// The number of accepted steps.
    public int iterations() {
      return trace.isEmpty() ? 0 : trace.getLast().iteration();
    }

    /// The number of evaluations of the objective.
    public int evaluations() {
      return evaluations;
    }

    /// The reason why the optimiser stopped, in words.
    public String reason() {
      return ending.words;
    }

    /// Whether it stopped because nothing more can be gained.
    public boolean converged() {
      return ending == Ending.GRADIENT
          || ending == Ending.IMPROVEMENT
          || ending == Ending.PRECISION;
    }

    /// Whether the progress callback asked it to stop.
    public boolean cancelled() {
      return ending == Ending.CANCELLED;
    }

    /// Whether it stopped because its time was up.
    public boolean timeUp() {
      return ending == Ending.TIME;
    }

    /// Every accepted step, the start first.
    public List<Step> trace() {
      return trace;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.10g after %d iterations, %d evaluations: %s",
          value,
          iterations(),
          evaluations,
          reason());
    }

    /// Why an optimiser stops.
    enum Ending {
      GRADIENT("the projected gradient is within tolerance"),
      IMPROVEMENT("the relative improvement is within tolerance"),
      PRECISION("no further decrease is possible in double precision"),
      ITERATIONS("the iteration limit was reached"),
      EVALUATIONS("the evaluation limit was reached"),
      TIME("the time is up, the best point found is kept"),
      CANCELLED("cancelled"),
      STUCK(
          "no step decreases the objective though its gradient says that one would: its values are too"
              + " inexact there, as with data almost free of noise, or the gradient is wrong; the best"
              + " point found is kept, try more starts or fix a larger noise"),
      START("the objective or its gradient is not finite at the start");

      private final String words;

      Ending(String words) {
        this.words = words;
      }
    }
  }
}
