package lovelace.optimize;

import java.util.ArrayList;
import java.util.List;
import lovelace.budget.Budget.TimeUpException;
import lovelace.optimize.Optimizer.Objective;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Optimum.Ending;
import lovelace.optimize.Optimizer.Progress;

/// Limited-memory BFGS (Nocedal and Wright, Numerical Optimization, algorithms 7.4, 7.5) with
/// bounds.
///
/// Coordinates at a bound that the gradient pushes against are held. The quasi-Newton direction is
/// formed in the other coordinates, from the pairs restricted to them. The full step, projected
/// onto the bounds, is tried first, so that many bounds can become active at once. If it fails, a
/// strong-Wolfe line search runs along the feasible part of the direction ([LineSearch]). Every
/// accepted step lowers the objective, up to rounding.
///
/// It stops when the largest entry of the projected gradient is at most `gradientTolerance`, when a
/// step improves the objective by no more than `relativeTolerance · max(|f|, 1)`, when a limit is
/// reached, or when [Progress] says so.
public record Lbfgs(
    int memory,
    int maxIterations,
    int maxEvaluations,
    double gradientTolerance,
    double relativeTolerance)
    implements Optimizer {

  /// Ten pairs, 200 iterations, 1,000 evaluations, tolerances 1e-6 and 1e-10.
  public static final Lbfgs DEFAULT = new Lbfgs(10, 200, 1_000, 1e-6, 1e-10);

  public Lbfgs {
    if (memory < 1) throw new IllegalArgumentException("memory must be >= 1, got " + memory);
    if (maxIterations < 0)
      throw new IllegalArgumentException("maxIterations must be >= 0, got " + maxIterations);
    if (maxEvaluations < 1)
      throw new IllegalArgumentException("maxEvaluations must be >= 1, got " + maxEvaluations);
    if (!(gradientTolerance >= 0))
      throw new IllegalArgumentException(
          "gradientTolerance must be >= 0, got " + gradientTolerance);
    if (!(relativeTolerance >= 0))
      throw new IllegalArgumentException(
          "relativeTolerance must be >= 0, got " + relativeTolerance);
  }

  /// Sets the number of pairs kept.
  public Lbfgs withMemory(int pairs) {
    return new Lbfgs(pairs, maxIterations, maxEvaluations, gradientTolerance, relativeTolerance);
  }

  /// Sets the largest number of accepted steps.
  public Lbfgs withMaxIterations(int limit) {
    return new Lbfgs(memory, limit, maxEvaluations, gradientTolerance, relativeTolerance);
  }

  /// Sets the largest number of evaluations of the objective. A line search may not exceed it
  /// either.
  public Lbfgs withMaxEvaluations(int limit) {
    return new Lbfgs(memory, maxIterations, limit, gradientTolerance, relativeTolerance);
  }

  /// Sets the projected gradient at which to stop.
  public Lbfgs withGradientTolerance(double tolerance) {
    return new Lbfgs(memory, maxIterations, maxEvaluations, tolerance, relativeTolerance);
  }

  /// Sets the relative improvement at which to stop; 0 for never.
  public Lbfgs withRelativeTolerance(double tolerance) {
    return new Lbfgs(memory, maxIterations, maxEvaluations, gradientTolerance, tolerance);
  }

  @Override
  public Optimum minimize(
      Objective objective, double[] start, double[] lower, double[] upper, Progress progress) {
    return new Run(objective, start, new Box(start, lower, upper), progress).go();
  }

  /// A step and the change of the gradient over it.
  private static final class Pair {
    final double[] s;
    final double[] y;

    Pair(double[] s, double[] y) {
      this.s = s;
      this.y = y;
    }
  }

  private final class Run {
    private final Progress progress;
    private final Box box;
    private final LineSearch search;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Optimum.Step> trace = new ArrayList<>();
    private final double[] direction;
    private final boolean[] held;

    Run(Objective objective, double[] start, Box box, Progress progress) {
      this.progress = progress;
      this.box = box;
      this.search = new LineSearch(objective, start, box, maxEvaluations);
      this.direction = new double[start.length];
      this.held = new boolean[start.length];
    }

    /// Runs the search. Throws if time runs out before the start has a value; later the best point
    /// is kept.
    Optimum go() {
      if (!search.begin()) return ended(Ending.START);
      try {
        return descend();
      } catch (TimeUpException e) {
        return ended(Ending.TIME);
      }
    }

    private Optimum descend() {
      if (!report(0)) return ended(Ending.CANCELLED);
      int flat = 0;
      for (int iteration = 1; ; iteration++) {
        if (norm() <= gradientTolerance) return ended(Ending.GRADIENT);
        if (iteration > maxIterations) return ended(Ending.ITERATIONS);
        double before = search.value();
        double[] x = search.x().clone();
        double[] g = search.gradient().clone();
        boolean cut = step();
        if (!search.moved()) {
          if (search.exhausted()) return ended(Ending.EVALUATIONS);
          if (!pairs.isEmpty()) { // the curvature misleads: start over along the gradient
            pairs.clear();
            cut = step();
          }
          if (!search.moved())
            return ended(
                search.exhausted()
                    ? Ending.EVALUATIONS
                    : search.stalledByRounding() ? Ending.PRECISION : Ending.STUCK);
        }
        remember(x, g);
        if (!report(iteration)) return ended(Ending.CANCELLED);
        double gain = before - search.value();
        double size = Math.max(1, Math.max(Math.abs(before), Math.abs(search.value())));
        if (cut || norm() <= gradientTolerance) continue;
        if (relativeTolerance > 0 && gain <= relativeTolerance * size)
          return ended(Ending.IMPROVEMENT);
        flat = gain > 0 ? 0 : flat + 1;
        if (flat == 5) return ended(Ending.PRECISION);
      }
    }

    /// Searches along a new direction. Returns whether a bound cut the step short.
    private boolean step() {
      chooseDirection();
      double first = 1;
      if (pairs.isEmpty()) { // the gradient has no scale yet: move by at most one
        double sum = 0;
        for (double d : direction) sum += Math.abs(d);
        first = Math.min(1, 1 / sum);
      }
      return search.along(direction, first);
    }

    private boolean report(int iteration) {
      trace.add(
          Optimum.Step.at(iteration, search.evaluations(), search.value(), norm(), search.x()));
      return progress.step(iteration, search.value(), norm(), search.x());
    }

    private double norm() {
      return box.projectedNorm(search.x(), search.gradient());
    }

    private Optimum ended(Ending ending) {
      return new Optimum(
          search.x().clone(), search.value(), norm(), search.evaluations(), ending, trace);
    }

    /// Fills `direction`: −H g in the coordinates that are not held, 0 elsewhere. A coordinate at a
    /// bound that −H g would cross joins the held ones and the direction is formed again.
    private void chooseDirection() {
      double[] x = search.x();
      double[] g = search.gradient();
      for (int i = 0; i < x.length; i++) held[i] = box.blocks(i, x[i], -g[i]);
      boolean again = !pairs.isEmpty();
      while (again) {
        twoLoop(g);
        again = false;
        for (int i = 0; i < x.length; i++)
          if (!held[i] && box.blocks(i, x[i], direction[i])) {
            held[i] = true;
            again = true;
          }
        if (!again) {
          double slope = dot(direction, g);
          if (slope < 0 && -slope > 1e-14 * Math.sqrt(dot(direction, direction) * dot(g, g)))
            return;
        }
      }
      for (int i = 0; i < x.length; i++) direction[i] = box.blocks(i, x[i], -g[i]) ? 0 : -g[i];
      pairs.clear();
    }

    private void twoLoop(double[] g) {
      int n = g.length;
      for (int i = 0; i < n; i++) direction[i] = held[i] ? 0 : -g[i];
      double[] alpha = new double[pairs.size()];
      double[] curvature = new double[pairs.size()];
      double scale = Double.NaN; // from the newest usable pair
      for (int k = pairs.size() - 1; k >= 0; k--) {
        double[] s = pairs.get(k).s;
        double[] y = pairs.get(k).y;
        double sy = freeDot(s, y);
        if (!(sy > 1e-12 * Math.sqrt(freeDot(s, s) * freeDot(y, y)))) continue;
        if (Double.isNaN(scale)) scale = sy / freeDot(y, y);
        curvature[k] = sy;
        alpha[k] = freeDot(s, direction) / sy;
        for (int i = 0; i < n; i++) if (!held[i]) direction[i] -= alpha[k] * y[i];
      }
      if (Double.isNaN(scale)) return; // −g
      for (int i = 0; i < n; i++) direction[i] *= scale;
      for (int k = 0; k < pairs.size(); k++) {
        if (!(curvature[k] > 0)) continue;
        double[] s = pairs.get(k).s;
        double beta = freeDot(pairs.get(k).y, direction) / curvature[k];
        for (int i = 0; i < n; i++) if (!held[i]) direction[i] += (alpha[k] - beta) * s[i];
      }
    }

    private double freeDot(double[] a, double[] b) {
      double sum = 0;
      for (int i = 0; i < a.length; i++) if (!held[i]) sum += a[i] * b[i];
      return sum;
    }

    private void remember(double[] x, double[] g) {
      double[] s = new double[x.length];
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        s[i] = search.x()[i] - x[i];
        y[i] = search.gradient()[i] - g[i];
      }
      if (!(dot(s, y) > 1e-12 * Math.sqrt(dot(s, s) * dot(y, y)))) return;
      if (pairs.size() == memory) pairs.removeFirst();
      pairs.add(new Pair(s, y));
    }
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }
}
