package lovelace.inference;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.budget.TimeUpException;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Cholesky;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.MultiStart;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;

/// How hyperparameters are learned: by maximising the log marginal likelihood plus the log priors
/// over the parameters that are not fixed. The objective is deterministic, so the same data and
/// starts give the same answer.
///
/// @param optimizer L-BFGS, or Adam for the paper's way
/// @param progress told of every step; can cancel
/// @param scouting how many iterations every start is followed before the best go on; 0 judges
///   starts by their own likelihood
public record Training(Optimizer optimizer, Progress progress, int scouting) {

  /// L-BFGS to a relative improvement of 1e-9, silent, without scouting.
  public static final Training DEFAULT =
      new Training(Lbfgs.DEFAULT.withRelativeTolerance(1e-9), Progress.NONE, 0);

  /// Iterations after which the starts of a spectral mixture can be told apart.
  private static final int SCOUTING = 40;

  /// How many starts of a spectral mixture are followed to the end.
  private static final int RUNS = 3;

  /// The step of second derivatives in the logarithm of a parameter.
  private static final double LOG_STEP = 1e-4;

  /// The curvature in a logarithm below which a parameter is not bounded.
  private static final double FLAT = 1e-8;

  /// How many steps are tried for a parameter that has a unit.
  private static final int TRIALS = 6;

  public Training {
    if (scouting < 0) throw new IllegalArgumentException("scouting must be >= 0, got " + scouting);
  }

  public Training withOptimizer(Optimizer value) {
    return new Training(value, progress, scouting);
  }

  public Training withProgress(Progress value) {
    return new Training(optimizer, value, scouting);
  }

  public Training withScouting(int iterations) {
    return new Training(optimizer, progress, iterations);
  }

  /// Learns from the starts that the data suggest for what is unset ([Hyperparameters#starts]). The
  /// optimiser runs from the likeliest `runs`; those of a spectral mixture are followed for 40
  /// iterations first, and at least three to the end. Inputs row-major, all observations or some
  /// that represent them.
  public Trained train(
      Likelihood engine, Hyperparameters unset, double[] inputs, double[] target, int runs) {
    List<Hyperparameters> starts = unset.starts(inputs, target);
    if (!unset.hasManyOptima()) return train(engine, starts, runs);
    return withScouting(Math.max(scouting, SCOUTING)).train(engine, starts, Math.max(runs, RUNS));
  }

  /// Learns from several starts, complete hyperparameters of one form; bounds, priors and fixed
  /// values are those of the first. The starts are ranked, by their likelihood or after scouting;
  /// the optimiser goes on from the best `runs` of them, and the best end wins.
  public Trained train(Likelihood engine, List<Hyperparameters> starts, int runs) {
    if (starts.isEmpty()) throw new IllegalArgumentException("starts is empty, pass at least one");
    long begin = System.nanoTime();
    Hyperparameters form = starts.getFirst();
    if (form.freeSize() == 0) {
      Evidence evidence = engine.evidence(form);
      return new Trained(
          form, evidence.value(), TrainingReport.untrained(engine.name(), begin), evidence.next());
    }
    Trail trail = new Trail(engine, WarmStart.NONE);
    List<Hyperparameters> chosen =
        scouting == 0 && starts.size() > runs ? likeliest(trail.rough(), starts, runs) : starts;
    MultiStart result =
        MultiStart.race(
            optimizer,
            (x, gradient) -> objective(trail, form.fromFree(x), gradient),
            chosen.stream().map(Hyperparameters::toFree).toList(),
            form.freeLower(),
            form.freeUpper(),
            scouting,
            runs,
            progress);
    Optimum best = result.best();
    if (!Double.isFinite(best.value()))
      throw new ArithmeticException(
          "the marginal likelihood is not finite at the start %s; give a larger noise or other start values"
              .formatted(chosen.getFirst()));
    Hyperparameters learned = form.fromFree(best.x());
    double value = -best.value() - learned.logPrior();
    return new Trained(
        learned,
        value,
        TrainingReport.of(engine.name(), form, best, result.all().size(), begin),
        trail.start);
  }

  /// The evaluations of a search, each of which starts from what the one before handed on.
  private static final class Trail {
    private final Likelihood likelihood;
    private WarmStart start;

    Trail(Likelihood likelihood, WarmStart start) {
      this.likelihood = likelihood;
      this.start = start;
    }

    Evidence at(Hyperparameters h) {
      Evidence evidence = likelihood.evidence(h, start);
      start = evidence.next();
      return evidence;
    }

    /// One for rough likelihoods.
    Trail rough() {
      Likelihood rough = likelihood.rough();
      return rough == likelihood ? this : new Trail(rough, WarmStart.NONE);
    }
  }

  private static List<Hyperparameters> likeliest(
      Trail trail, List<Hyperparameters> starts, int count) {
    double[] values = new double[starts.size()];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    try {
      for (int i = 0; i < values.length; i++)
        values[i] = objective(trail, starts.get(i), new double[0]);
    } catch (TimeUpException e) {
      // the starts that were judged in time are enough to go on
    }
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i]))
        .limit(count)
        .map(starts::get)
        .toList();
  }

  /// Minus the log posterior density, with its gradient in the free parameters if there is room for
  /// it.
  private static double objective(Trail trail, Hyperparameters h, double[] gradient) {
    Budget.check();
    Evidence evidence;
    try {
      evidence = trail.at(h);
    } catch (ArithmeticException notPositiveDefinite) {
      return Double.POSITIVE_INFINITY;
    }
    if (!Double.isFinite(evidence.value())) return Double.POSITIVE_INFINITY;
    double[] natural = evidence.gradient();
    double[] prior = h.logPriorGradient();
    for (int i = 0; i < natural.length; i++) natural[i] += prior[i];
    double[] free = h.freeGradient(natural);
    for (int i = 0; i < gradient.length; i++) gradient[i] = -free[i];
    return -(evidence.value() + h.logPrior());
  }

  /// Standard errors of the free parameters from the curvature of the log posterior at its maximum,
  /// in natural scale and natural order; 0 for fixed parameters, NaN where the curvature does not
  /// bound a parameter. Second derivatives are central differences of the exact gradient.
  ///
  /// @param start what learning handed on
  public static double[] standardErrors(Likelihood likelihood, Hyperparameters h, WarmStart start) {
    Trail trail = new Trail(likelihood, start);
    double[] x = h.toFree();
    int p = x.length;
    boolean[] free = h.freeMask();
    boolean[] positive = positive(h);
    double[] hessian = new double[p * p];
    boolean[] bounded = new boolean[p];
    for (int i = 0, natural = 0; i < p; i++, natural++) {
      while (!free[natural]) natural++;
      double[] row =
          positive[natural]
              ? curvature(trail, h, i, LOG_STEP)
              : curvatureInOwnUnit(trail, h, i, LOG_STEP * Math.max(Math.abs(x[i]), spread(h)));
      System.arraycopy(row, 0, hessian, i * p, p);
      bounded[i] = row[i] > (positive[natural] ? FLAT : 0) && row[i] < Double.POSITIVE_INFINITY;
    }
    double[] variance = inverseDiagonal(hessian, bounded);
    double[] errors = new double[h.size()];
    double[] values = h.values();
    int next = 0;
    for (int i = 0; i < errors.length; i++) {
      if (!free[i]) continue;
      double error = Math.sqrt(variance[next++]);
      errors[i] = positive[i] ? error * values[i] : error;
    }
    return errors;
  }

  /// Something in the unit of the target.
  private static double spread(Hyperparameters h) {
    return Math.sqrt(h.noise() + h.kernel().whiteVariance());
  }

  /// A row of the matrix of second derivatives, in free parameters.
  private static double[] curvature(Trail trail, Hyperparameters h, int i, double step) {
    double[] x = h.toFree();
    int p = x.length;
    double[] up = new double[p];
    double[] down = new double[p];
    double[] at = x.clone();
    at[i] = x[i] + step;
    double high = objective(trail, h.fromFree(at), up);
    at[i] = x[i] - step;
    double low = objective(trail, h.fromFree(at), down);
    double[] row = new double[p];
    for (int j = 0; j < p; j++)
      row[j] =
          Double.isFinite(high) && Double.isFinite(low)
              ? (up[j] - down[j]) / (2 * step)
              : Double.NaN;
    return row;
  }

  /// The same for a parameter that has a unit, a coefficient of the mean say. Its step is about a
  /// hundredth of its standard error with all else held, which the curvature tells.
  private static double[] curvatureInOwnUnit(Trail trail, Hyperparameters h, int i, double guess) {
    double step = guess;
    for (int trial = 1; ; trial++) {
      double[] row = curvature(trail, h, i, step);
      double best = 0.01 / Math.sqrt(row[i]);
      boolean known = best > 0 && best < Double.POSITIVE_INFINITY;
      boolean good = known && step < 30 * best && best < 30 * step;
      if (good || trial == TRIALS) return row;
      step = known ? best : 1000 * step; // rounding hid the curvature
    }
  }

  private static boolean[] positive(Hyperparameters h) {
    boolean[] positive = new boolean[h.size()];
    int at = 0;
    for (var parameter : h.parameters())
      for (int i = 0; i < parameter.size(); i++) positive[at++] = parameter.positive();
    return positive;
  }

  /// The diagonal of the inverse of a symmetric matrix without the rows and columns of parameters
  /// that are not bounded, which get NaN. Rows and columns are scaled to a diagonal of one, so that
  /// units do not matter.
  private static double[] inverseDiagonal(double[] hessian, boolean[] bounded) {
    int p = bounded.length;
    double[] variance = new double[p];
    Arrays.fill(variance, Double.NaN);
    int[] index = IntStream.range(0, p).filter(i -> bounded[i]).toArray();
    int count = index.length;
    double[] scale = new double[count];
    for (int i = 0; i < count; i++) scale[i] = 1 / Math.sqrt(hessian[index[i] * (p + 1)]);
    double[] part = new double[count * count];
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        part[i * count + j] =
            0.5
                * scale[i]
                * scale[j]
                * (hessian[index[i] * p + index[j]] + hessian[index[j] * p + index[i]]);
    try {
      Cholesky factor = Cholesky.of(part, count);
      if (factor.jitter() > 0) return variance;
      double[] inverse = factor.inverse();
      for (int i = 0; i < count; i++)
        variance[index[i]] = scale[i] * scale[i] * inverse[i * count + i];
    } catch (ArithmeticException notPositiveDefinite) {
      // a saddle or a ridge: no standard errors
    }
    return variance;
  }
}
