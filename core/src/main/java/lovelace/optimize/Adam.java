package lovelace.optimize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.budget.Budget.TimeUpException;
import lovelace.optimize.Optimizer.Objective;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Optimum.Ending;
import lovelace.optimize.Optimizer.Progress;

/// Adam (Kingma and Ba 2015, algorithm 1) with bounds by projection and a learning-rate schedule.
///
/// With `keepBest` the result is the best point seen, which suits an exact objective. For a noisy
/// objective, whose values cannot be compared, take the last point instead. A step to a point
/// without a finite value is undone and halved; five such steps in a row end the run.
public record Adam(
    double learningRate,
    Schedule schedule,
    int maxIterations,
    double gradientTolerance,
    double beta1,
    double beta2,
    double epsilon,
    boolean keepBest)
    implements Optimizer {

  /// Rate 0.1, constant, 200 iterations, tolerance 1e-6, β 0.9 and 0.999, ε 1e-8, and the best
  /// point.
  public static final Adam DEFAULT =
      new Adam(0.1, Schedule.CONSTANT, 200, 1e-6, 0.9, 0.999, 1e-8, true);

  public Adam {
    if (!(learningRate > 0 && Double.isFinite(learningRate)))
      throw new IllegalArgumentException(
          "learningRate must be finite and > 0, got " + learningRate);
    if (maxIterations < 0)
      throw new IllegalArgumentException("maxIterations must be >= 0, got " + maxIterations);
    if (!(gradientTolerance >= 0))
      throw new IllegalArgumentException(
          "gradientTolerance must be >= 0, got " + gradientTolerance);
    if (!(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1))
      throw new IllegalArgumentException(
          "beta1 and beta2 must lie in [0, 1), got " + beta1 + " and " + beta2);
    if (!(epsilon > 0)) throw new IllegalArgumentException("epsilon must be > 0, got " + epsilon);
  }

  /// Sets the approximate length of a step in each coordinate.
  public Adam withLearningRate(double rate) {
    return new Adam(
        rate, schedule, maxIterations, gradientTolerance, beta1, beta2, epsilon, keepBest);
  }

  /// Sets how the rate changes over the run.
  public Adam withSchedule(Schedule newSchedule) {
    return new Adam(
        learningRate,
        newSchedule,
        maxIterations,
        gradientTolerance,
        beta1,
        beta2,
        epsilon,
        keepBest);
  }

  /// Sets the number of steps.
  public Adam withMaxIterations(int limit) {
    return new Adam(
        learningRate, schedule, limit, gradientTolerance, beta1, beta2, epsilon, keepBest);
  }

  /// Sets the projected gradient at which to stop; 0 for never.
  public Adam withGradientTolerance(double tolerance) {
    return new Adam(
        learningRate, schedule, maxIterations, tolerance, beta1, beta2, epsilon, keepBest);
  }

  /// Sets whether the result is the best point seen or the last one.
  public Adam withKeepBest(boolean best) {
    return new Adam(
        learningRate, schedule, maxIterations, gradientTolerance, beta1, beta2, epsilon, best);
  }

  @Override
  public Optimum minimize(
      Objective objective, double[] start, double[] lower, double[] upper, Progress progress) {
    Box box = new Box(start, lower, upper);
    int n = start.length;
    double[] x = new double[n];
    for (int i = 0; i < n; i++) x[i] = box.clamp(i, start[i]);
    double[] g = new double[n];
    double value = evaluate(objective, x, g);
    List<Optimum.Step> trace = new ArrayList<>();
    if (value == Double.POSITIVE_INFINITY)
      return new Optimum(x, value, Double.NaN, 1, Ending.START, trace);

    double[] m = new double[n];
    double[] v = new double[n];
    double[] next = new double[n];
    double[] trial = new double[n];
    double[] best = x.clone();
    double bestValue = value;
    double bestNorm = box.projectedNorm(x, g);
    int evaluations = 1;
    int rejected = 0;
    double shrink = 1;
    Ending ending = Ending.ITERATIONS;
    for (int iteration = 0; ; iteration++) {
      double norm = box.projectedNorm(x, g);
      trace.add(Optimum.Step.at(iteration, evaluations, value, norm, x));
      if (!keepBest || value < bestValue) {
        System.arraycopy(x, 0, best, 0, n);
        bestValue = value;
        bestNorm = norm;
      }
      if (!progress.step(iteration, value, norm, x)) ending = Ending.CANCELLED;
      else if (norm <= gradientTolerance) ending = Ending.GRADIENT;
      else if (iteration < maxIterations) {
        double rate = shrink * learningRate * schedule.factor((double) iteration / maxIterations);
        double bias1 = 1 - Math.pow(beta1, iteration + 1.0);
        double bias2 = 1 - Math.pow(beta2, iteration + 1.0);
        for (int i = 0; i < n; i++) {
          m[i] = beta1 * m[i] + (1 - beta1) * g[i];
          v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        }
        try {
          do {
            for (int i = 0; i < n; i++)
              next[i] =
                  box.clamp(i, x[i] - rate * (m[i] / bias1) / (Math.sqrt(v[i] / bias2) + epsilon));
            value = evaluate(objective, next, trial);
            evaluations++;
            if (value < Double.POSITIVE_INFINITY) break;
            rate /= 2;
            shrink /= 2;
          } while (++rejected < 5);
        } catch (TimeUpException e) {
          return new Optimum(best, bestValue, bestNorm, evaluations, Ending.TIME, trace);
        }
        if (value < Double.POSITIVE_INFINITY) {
          rejected = 0;
          System.arraycopy(next, 0, x, 0, n);
          System.arraycopy(trial, 0, g, 0, n);
          continue;
        }
        ending = Ending.STUCK;
      }
      return new Optimum(best, bestValue, bestNorm, evaluations, ending, trace);
    }
  }

  /// The value, or +∞ if the value or the gradient is not finite.
  private static double evaluate(Objective objective, double[] x, double[] g) {
    double value = objective.evaluate(x, g);
    boolean finite = Double.isFinite(value) && Arrays.stream(g).allMatch(Double::isFinite);
    return finite ? value : Double.POSITIVE_INFINITY;
  }

  /// How a learning rate changes over a run.
  @FunctionalInterface
  public interface Schedule {

    /// Always the full rate.
    Schedule CONSTANT = progress -> 1;

    /// Half a cosine, from the full rate to zero.
    Schedule COSINE = progress -> 0.5 * (1 + Math.cos(Math.PI * progress));

    /// A tenth of the rate after half of the run, a hundredth after three quarters.
    Schedule STEPS = progress -> progress < 0.5 ? 1 : progress < 0.75 ? 0.1 : 0.01;

    /// Returns the factor on the rate after this fraction of the run, from 0 (included) to 1
    /// (excluded).
    double factor(double progress);
  }
}
