package lovelace.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Cholesky;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimum;
import lovelace.optimize.Progress;

/// How hyperparameters are learned: by maximising the log marginal likelihood plus the log priors
/// over the parameters that are not fixed. The objective is deterministic, so the same data and
/// starts give the same answer.
///
/// @param optimizer L-BFGS, or Adam for the paper's way
/// @param progress told of every step; can cancel
public record Training(Optimizer optimizer, Progress progress) {

  /// L-BFGS to a relative improvement of 1e-9, silent.
  public static final Training DEFAULT =
      new Training(Lbfgs.DEFAULT.withRelativeTolerance(1e-9), Progress.NONE);

  public Training withOptimizer(Optimizer value) {
    return new Training(value, progress);
  }

  public Training withProgress(Progress value) {
    return new Training(optimizer, value);
  }

  /// Learns from several starts, complete hyperparameters of one form. Every start is ranked by its
  /// likelihood; the optimiser runs from the likeliest `runs` of them, and the best end wins.
  public Trained train(Engine engine, List<Hyperparameters> starts, int runs) {
    if (starts.isEmpty()) throw new IllegalArgumentException("starts is empty, pass at least one");
    long begin = System.nanoTime();
    List<Ranked> ranked = new ArrayList<>();
    Engine rough = engine.rough();
    for (Hyperparameters h : starts)
      ranked.add(new Ranked(h, starts.size() == 1 ? 0 : objective(rough, h, new double[0])));
    ranked.sort((a, b) -> Double.compare(a.objective, b.objective));
    Optimum best = null;
    Hyperparameters from = ranked.getFirst().start;
    List<Optimum> all = new ArrayList<>();
    for (int r = 0; r < Math.min(runs, ranked.size()); r++) {
      Hyperparameters start = ranked.get(r).start;
      if (start.freeSize() == 0) break;
      Optimum optimum = run(engine, start);
      all.add(optimum);
      if (best == null || optimum.value() < best.value()) {
        best = optimum;
        from = start;
      }
      if (optimum.cancelled()) break;
    }
    if (best == null) {
      Evidence evidence = engine.evidence(from);
      return new Trained(
          from, evidence.value(), TrainingReport.untrained(engine.name(), begin), engine);
    }
    if (!Double.isFinite(best.value()))
      throw new ArithmeticException(
          "the marginal likelihood is not finite at the start %s; give a larger noise or other start values"
              .formatted(from));
    Hyperparameters learned = from.fromFree(best.x());
    double value = -best.value() - learned.logPrior();
    return new Trained(
        learned, value, TrainingReport.of(engine.name(), best, all.size(), begin), engine);
  }

  /// A start and minus its log posterior.
  private record Ranked(Hyperparameters start, double objective) {}

  private Optimum run(Engine engine, Hyperparameters start) {
    return optimizer.minimize(
        (x, gradient) -> objective(engine, start.fromFree(x), gradient),
        start.toFree(),
        start.freeLower(),
        start.freeUpper(),
        progress);
  }

  /// Minus the log posterior density, with its gradient in the free parameters if there is room for
  /// it.
  private static double objective(Engine engine, Hyperparameters h, double[] gradient) {
    Evidence evidence;
    try {
      evidence = engine.evidence(h);
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
  public static double[] standardErrors(Engine engine, Hyperparameters h) {
    double[] x = h.toFree();
    int p = x.length;
    double[] hessian = new double[p * p];
    double step = 1e-4;
    for (int i = 0; i < p; i++) {
      double[] up = new double[p];
      double[] down = new double[p];
      double[] at = x.clone();
      at[i] = x[i] + step;
      double high = objective(engine, h.fromFree(at), up);
      at[i] = x[i] - step;
      double low = objective(engine, h.fromFree(at), down);
      for (int j = 0; j < p; j++)
        hessian[i * p + j] =
            Double.isFinite(high) && Double.isFinite(low)
                ? (up[j] - down[j]) / (2 * step)
                : Double.NaN;
    }
    double[] variance = inverseDiagonal(hessian, p);
    double[] errors = new double[h.size()];
    boolean[] free = h.freeMask();
    double[] values = h.values();
    boolean[] positive = positive(h);
    int next = 0;
    for (int i = 0; i < errors.length; i++) {
      if (!free[i]) continue;
      double error = Math.sqrt(variance[next++]);
      errors[i] = positive[i] ? error * values[i] : error;
    }
    return errors;
  }

  private static boolean[] positive(Hyperparameters h) {
    boolean[] positive = new boolean[h.size()];
    int at = 0;
    for (var parameter : h.parameters())
      for (int i = 0; i < parameter.size(); i++) positive[at++] = parameter.positive();
    return positive;
  }

  /// The diagonal of the inverse of a symmetric matrix, leaving out directions in which it does not
  /// curve upwards: the parameters they move get NaN.
  private static double[] inverseDiagonal(double[] hessian, int p) {
    double[] variance = new double[p];
    boolean[] kept = new boolean[p];
    Arrays.fill(kept, true);
    for (int i = 0; i < p; i++) if (!(hessian[i * p + i] > 1e-8)) kept[i] = false;
    int count = 0;
    int[] index = new int[p];
    for (int i = 0; i < p; i++) if (kept[i]) index[count++] = i;
    double[] part = new double[count * count];
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        part[i * count + j] =
            0.5 * (hessian[index[i] * p + index[j]] + hessian[index[j] * p + index[i]]);
    Arrays.fill(variance, Double.NaN);
    try {
      Cholesky factor = Cholesky.of(part, count);
      if (factor.jitter() > 0) return variance;
      double[] inverse = factor.inverse();
      for (int i = 0; i < count; i++) variance[index[i]] = inverse[i * count + i];
    } catch (ArithmeticException notPositiveDefinite) {
      // a saddle or a ridge: no standard errors
    }
    return variance;
  }
}
