package lovelace.optimize;

import lovelace.optimize.Optimizer.Objective;

/// The current point of a descent method, and its line search. The search reaches strong Wolfe
/// conditions by bracketing and zooming with safeguarded cubic interpolation (Nocedal and Wright,
/// algorithms 3.5, 3.6). Near a minimum, where rounding hides differences of the objective, it uses
/// the approximate Wolfe conditions of Hager and Zhang (2005). It bisects away from points that are
/// not finite.
final class LineSearch {

  private static final double DECREASE = 1e-4;
  private static final double CURVATURE = 0.9;
  private static final int TRIALS = 40;

  private final Objective objective;
  private final Box box;
  private final int maxEvaluations;
  private Point current;
  private double[] direction;
  private int evaluations;
  private boolean moved;
  private boolean contradicted;

  /// A point on the line: x at `step`, with value and derivative along the line there.
  private static final class Point {
    final double step;
    final double[] x;
    final double value;
    final double[] gradient;
    final double slope;

    Point(double step, double[] x, double value, double[] gradient, double slope) {
      this.step = step;
      this.x = x;
      this.value = value;
      this.gradient = gradient;
      this.slope = slope;
    }

    boolean finite() {
      return Double.isFinite(value) && Double.isFinite(slope);
    }
  }

  LineSearch(Objective objective, double[] start, Box box, int maxEvaluations) {
    this.objective = objective;
    this.box = box;
    this.maxEvaluations = maxEvaluations;
    double[] x = start.clone();
    for (int i = 0; i < x.length; i++) x[i] = box.clamp(i, x[i]);
    this.direction = new double[x.length];
    this.current = new Point(0, x, Double.POSITIVE_INFINITY, new double[x.length], 0);
  }

  double[] x() {
    return current.x;
  }

  double value() {
    return current.value;
  }

  double[] gradient() {
    return current.gradient;
  }

  int evaluations() {
    return evaluations;
  }

  /// Whether the last search found a better point.
  boolean moved() {
    return moved;
  }

  boolean exhausted() {
    return evaluations >= maxEvaluations;
  }

  /// Whether the last search failed although values and slopes did not contradict each other.
  boolean stalledByRounding() {
    return !contradicted;
  }

  /// Evaluates the start. Returns whether it is finite.
  boolean begin() {
    Point start = evaluate(current.x, 0);
    if (start.finite()) current = start;
    return start.finite();
  }

  /// Moves along the direction, trying the step `first` first. Returns whether a bound ended it.
  boolean along(double[] d, double first) {
    direction = d;
    moved = false;
    contradicted = false;
    double[] x = current.x;
    double slope = Lbfgs.dot(d, current.gradient);
    if (!(slope < 0)) return false;
    double limit = Double.POSITIVE_INFINITY;
    for (int i = 0; i < x.length; i++) limit = Math.min(limit, box.room(i, x[i], d[i]));
    if (first > limit) {
      if (projected(first)) return true;
      first = limit;
    }
    return accept(bracket(slope, first, limit)) && current.step == limit;
  }

  /// Takes the projection of the full step if it decreases the objective enough.
  private boolean projected(double step) {
    if (exhausted()) return false;
    Point trial = at(step);
    double predicted = 0;
    for (int i = 0; i < trial.x.length; i++)
      predicted += current.gradient[i] * (trial.x[i] - current.x[i]);
    return predicted < 0 && trial.value <= current.value + DECREASE * predicted && accept(trial);
  }

  private boolean accept(Point point) {
    if (point.step == 0 || !point.finite()) return false;
    current = point;
    moved = true;
    return true;
  }

  private Point bracket(double slope, double first, double limit) {
    Point start = new Point(0, current.x, current.value, current.gradient, slope);
    Point previous = start;
    double step = first;
    for (int trial = 0; trial < TRIALS && !exhausted(); trial++) {
      Point point = at(step);
      if (satisfies(point, start)) return point;
      if (tooHigh(point, start) || point.value >= previous.value)
        return zoom(start, previous, point);
      if (point.slope >= 0) return zoom(start, point, previous);
      if (step >= limit) return point;
      double guess = cubicMinimum(previous, point);
      double next = guess > step ? Math.clamp(guess, 2 * step, 10 * step) : 4 * step;
      previous = point;
      step = Math.min(limit, next);
    }
    return previous;
  }

  /// Narrows the bracket. `low` has the smallest value that satisfies the decrease condition; its
  /// slope points to `high`.
  private Point zoom(Point start, Point low, Point high) {
    for (int trial = 0; trial < TRIALS && !exhausted(); trial++) {
      double width = high.step - low.step;
      double fraction = 0.25; // towards a wall
      if (high.finite()) {
        fraction = (cubicMinimum(low, high) - low.step) / width;
        fraction = fraction >= 0 && fraction <= 1 ? Math.clamp(fraction, 0.1, 0.9) : 0.5;
        if (trial % 3 == 2) fraction = 0.5; // the bracket at least halves every third trial
      }
      double step = low.step + fraction * width;
      if (step == low.step || step == high.step || unmoved(step, low)) break;
      Point point = at(step);
      if (satisfies(point, start)) return point;
      if (tooHigh(point, start) || point.value >= low.value) high = point;
      else {
        if (point.slope * width >= 0) high = low;
        low = point;
      }
    }
    return low;
  }

  private boolean tooHigh(Point point, Point start) {
    if (!point.finite()) return true;
    double rise = point.value - start.value;
    if (Math.abs(rise) > 1e-12 * Math.max(1, Math.abs(start.value)))
      contradicted = rise > 0 && point.slope < 0;
    return rise > DECREASE * point.step * start.slope;
  }

  private static boolean satisfies(Point point, Point start) {
    if (!point.finite()) return false;
    double rise = point.value - start.value;
    if (rise <= DECREASE * point.step * start.slope)
      return Math.abs(point.slope) <= -CURVATURE * start.slope;
    return rise <= 1e-15 * Math.abs(start.value)
        && point.slope <= (2 * DECREASE - 1) * start.slope
        && point.slope >= CURVATURE * start.slope;
  }

  /// Whether a step is so small that its point equals that of `from`.
  private boolean unmoved(double step, Point from) {
    for (int i = 0; i < direction.length; i++)
      if (box.advance(i, current.x[i], direction[i], step) != from.x[i]) return false;
    return true;
  }

  /// The minimiser of the cubic through both values and slopes; NaN if there is none.
  private static double cubicMinimum(Point a, Point b) {
    double theta = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step); // eq. (3.59)
    double square = theta * theta - a.slope * b.slope;
    double root = Math.signum(b.step - a.step) * Math.sqrt(square);
    return b.step - (b.step - a.step) * ((b.slope + root - theta) / (b.slope - a.slope + 2 * root));
  }

  private Point at(double step) {
    double[] x = new double[direction.length];
    for (int i = 0; i < x.length; i++) x[i] = box.advance(i, current.x[i], direction[i], step);
    return evaluate(x, step);
  }

  private Point evaluate(double[] x, double step) {
    double[] gradient = new double[x.length];
    double value = objective.evaluate(x, gradient);
    evaluations++;
    double slope = 0;
    for (int i = 0; i < x.length; i++) {
      if (!Double.isFinite(gradient[i])) slope = Double.NaN;
      slope += gradient[i] * direction[i];
    }
    return new Point(step, x, value, gradient, slope);
  }
}
