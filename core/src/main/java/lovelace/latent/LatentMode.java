package lovelace.latent;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.linear.Blas;

/// The most probable values of f at the places of rows, by Newton steps with a line search:
///
///     f̂ = argmax log p(y | f) − ½ (f − μ)ᵀ Q (f − μ)
///
/// A step d solves `(Q + W) d = g − Q(f − μ)` with slope g and curvature W ≥ 0 of log p, so it
/// points uphill. The search shortens it until the objective grows, so it cannot diverge. `λ² =
/// dᵀ(Q + W)d` is the step's length in posterior standard deviations: no value moves by more than λ
/// of its own. Steps end when λ ≤ 1e-6, or 1e-8 if W is an expectation. Immutable.
final class LatentMode {

  private static final double ENOUGH = 1e-6;

  /// The same if W is an expectation, so that steps do not converge quadratically.
  private static final double SCORED = 1e-8;

  private static final int LIMIT = 200;

  /// Shorter steps gain less than the rounding of the objective, so a line search cannot tell
  /// whether they go too far. If they turn back and do not become shorter, they are halved.
  private static final double UNSEEN = 1e-5;

  /// f̂ − μ.
  final double[] values;

  /// f̂.
  final double[] f;

  /// W at f̂, and its slopes.
  final double[] curvatures;

  final double[] curvatureSlopes;

  /// log p(y | f̂) − ½ (f̂ − μ)ᵀ Q (f̂ − μ).
  final double objective;

  /// The number of steps.
  final int steps;

  /// λ of the last step.
  final double residual;

  private LatentMode(
      double[] values,
      double[] f,
      double[] curvatures,
      double[] curvatureSlopes,
      double objective,
      int steps,
      double residual) {
    this.values = values;
    this.f = f;
    this.curvatures = curvatures;
    this.curvatureSlopes = curvatureSlopes;
    this.objective = objective;
    this.steps = steps;
    this.residual = residual;
  }

  /// @param mean μ at each place
  /// @param start of f − μ; not copied, overwritten
  static LatentMode find(LatentPrior prior, PlacedRows rows, double[] mean, double[] start) {
    int n = prior.size();
    double[] r = start;
    double[] f = new double[n];
    double[] slopes = new double[n];
    double[] w = new double[n];
    double[] dw = new double[n];
    double[] qr = new double[n];
    double[] qd = new double[n];
    double[] gradient = new double[n];
    double[] trial = new double[n];
    double enough = rows.scores() ? SCORED : ENOUGH;
    double share = 1; // of a step
    double length = Double.NaN;
    for (int steps = 0; ; steps++) {
      Budget.check();
      for (int j = 0; j < n; j++) f[j] = mean[j] + r[j];
      double log = rows.at(f, slopes, w, dw);
      prior.precision(r, qr);
      double form = Blas.dot(n, r, 0, qr, 0);
      double value = log - 0.5 * form;
      if (length <= enough) return new LatentMode(r, f, w, dw, value, steps, length);
      if (!Double.isFinite(value) || steps == LIMIT) throw failure(steps, length, enough);
      for (int j = 0; j < n; j++) gradient[j] = slopes[j] - qr[j];
      double[] d = new LatentSystem(prior, w).solve(gradient, 1e-3, 0.1 * enough);
      double squared = Math.max(0, Blas.dot(n, d, 0, gradient, 0));
      double before = length;
      length = Math.sqrt(squared);
      boolean back = steps > 0 && Blas.dot(n, d, 0, qd, 0) < 0; // against the step before
      if (back && length < UNSEEN && length > 0.7 * before) share = Math.max(0.1, 0.5 * share);
      prior.precision(d, qd);
      double cross = Blas.dot(n, r, 0, qd, 0);
      double own = Blas.dot(n, d, 0, qd, 0);
      double rounding = 1e-13 * (Math.abs(log) + form + n);
      double t = share;
      while (true) {
        for (int j = 0; j < n; j++) trial[j] = f[j] + t * d[j];
        double gain = rows.log(trial) - log - t * (cross + 0.5 * t * own);
        if (gain >= 1e-4 * t * squared - rounding) break;
        // the top of the parabola through the value and slope at 0 and the value at t
        double top = 0.5 * t * t * squared / (t * squared - gain);
        t = top > 0.1 * t ? Math.min(top, 0.5 * t) : 0.1 * t;
        if (!(t > 1e-12)) throw failure(steps, length, enough);
      }
      for (int j = 0; j < n; j++) r[j] += t * d[j];
      if (t < share) length = Math.max(length, 2 * enough);
    }
  }

  private static ArithmeticException failure(int steps, double length, double enough) {
    return new ArithmeticException(
        String.format(
            Locale.ROOT,
            "Newton steps did not converge: after %d steps the last one is %.2e posterior deviations"
                + " long, and must be at most %.0e; give a smaller variance or a longer lengthscale to"
                + " start from, or look for extreme targets",
            steps,
            length,
            enough));
  }
}
