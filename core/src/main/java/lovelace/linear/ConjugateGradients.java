package lovelace.linear;

import java.util.Arrays;
import java.util.Locale;
import lovelace.budget.Budget;
import org.jspecify.annotations.Nullable;

/// Solves `A x = b` in a [Space] by conjugate gradients, for several right-hand sides in step.
///
/// Each column has the iterates that it would have alone. It stops when `‖b − Ax‖ ≤ tolerance ‖b‖`
/// in the norm of the space. A step takes one product with K and one with M.
public record ConjugateGradients(double tolerance, int limit) {

  /// A residual of 1e-10 relative to the right-hand side, and at most 5,000 steps.
  public static final ConjugateGradients DEFAULT = new ConjugateGradients(1e-10, 5000);

  private static final int STALL = 200;

  public ConjugateGradients {
    if (!(tolerance > 0))
      throw new IllegalArgumentException("tolerance must be > 0, got " + tolerance);
    if (limit < 1) throw new IllegalArgumentException("limit must be at least 1, got " + limit);
  }

  public ConjugateGradients withTolerance(double value) {
    return new ConjugateGradients(value, limit);
  }

  public ConjugateGradients withLimit(int value) {
    return new ConjugateGradients(tolerance, value);
  }

  /// Solves for one right-hand side.
  public Solution solve(Space space, double[] b) {
    return solve(space, 1, b, null);
  }

  /// Solves for `count` right-hand sides stored one after another, from `start` or from zero.
  public Solution solve(Space space, int count, double[] b, double @Nullable [] start) {
    int n = space.size();
    double[] x = start == null ? new double[count * n] : start.clone();
    double[] res = b.clone();
    double[] lifted = new double[count * space.liftedSize()];
    double[] ap = new double[count * n];
    double[] gres = new double[count * n];
    space.metric(count, b, gres);
    double[] target = new double[count];
    for (int c = 0; c < count; c++)
      target[c] = Math.sqrt(Math.max(0, Vectors.dot(n, b, c * n, gres, c * n)));
    if (start != null) {
      // the solution of a zero right-hand side is zero; it has no relative residual
      for (int c = 0; c < count; c++) if (target[c] == 0) Arrays.fill(x, c * n, (c + 1) * n, 0);
      space.metric(count, x, gres);
      product(space, count, x, gres, lifted, ap);
      for (int i = 0; i < count * n; i++) res[i] -= ap[i];
      space.metric(count, res, gres);
    }
    // Columns that still run are packed at the front; column[slot] is the number of each.
    int[] column = new int[count];
    double[] rho = new double[count];
    double[] norm = new double[count];
    int live = 0;
    double[] p = new double[count * n];
    double[] gp = new double[count * n];
    double[] gap = new double[count * n];
    for (int c = 0; c < count; c++) {
      double squared = Math.max(0, Vectors.dot(n, res, c * n, gres, c * n));
      norm[c] = Math.sqrt(squared);
      if (norm[c] <= tolerance * target[c]) continue;
      System.arraycopy(res, c * n, p, live * n, n);
      System.arraycopy(gres, c * n, gp, live * n, n);
      if (live != c) {
        System.arraycopy(res, c * n, res, live * n, n);
        System.arraycopy(gres, c * n, gres, live * n, n);
      }
      rho[live] = squared;
      column[live++] = c;
    }
    int iterations = 0;
    double[] best = norm.clone();
    int[] improved = new int[count];
    while (live > 0 && iterations < limit) {
      Budget.check();
      iterations++;
      product(space, live, p, gp, lifted, ap);
      space.metric(live, ap, gap);
      int kept = 0;
      for (int s = 0; s < live; s++) {
        int o = s * n;
        double step = rho[s] / Vectors.dot(n, gp, o, ap, o);
        Vectors.axpy(n, step, p, o, x, column[s] * n);
        Vectors.axpy(n, -step, ap, o, res, o);
        Vectors.axpy(n, -step, gap, o, gres, o);
        double squared = Math.max(0, Vectors.dot(n, res, o, gres, o));
        norm[column[s]] = Math.sqrt(squared);
        int own = column[s];
        if (norm[own] < 0.5 * best[own]) {
          best[own] = norm[own];
          improved[own] = iterations;
        }
        // rounding keeps the residual from falling: more steps are wasted
        boolean stuck =
            iterations - improved[own] > Math.max(STALL, iterations / 2)
                && norm[own] < 1e-6 * target[own];
        if (norm[own] <= tolerance * target[own] || !(step > 0) || stuck) continue;
        double ratio = squared / rho[s];
        int to = kept * n;
        for (int i = 0; i < n; i++) {
          p[to + i] = res[o + i] + ratio * p[o + i];
          gp[to + i] = gres[o + i] + ratio * gp[o + i];
        }
        if (kept != s) {
          System.arraycopy(res, o, res, to, n);
          System.arraycopy(gres, o, gres, to, n);
        }
        rho[kept] = squared;
        column[kept++] = own;
      }
      live = kept;
    }
    double worst = 0;
    boolean converged = true;
    for (int c = 0; c < count; c++) {
      double relative = target[c] == 0 ? 0 : norm[c] / target[c];
      worst = Math.max(worst, relative);
      converged &= relative <= tolerance;
    }
    return new Solution(x, iterations, worst, converged, tolerance);
  }

  private static void product(
      Space space, int count, double[] x, double[] gx, double[] lifted, double[] y) {
    space.lift(count, gx, lifted);
    space.project(count, lifted, y);
    Vectors.axpy(count * space.size(), space.shift(), x, 0, y, 0);
  }

  /// A solution, with the steps and residual that show how good it is.
  public static final class Solution {
    private final double[] x;
    private final int iterations;
    private final double residual;
    private final boolean converged;
    private final double tolerance;

    Solution(double[] x, int iterations, double residual, boolean converged, double tolerance) {
      this.x = x;
      this.iterations = iterations;
      this.residual = residual;
      this.converged = converged;
      this.tolerance = tolerance;
    }

    /// The last iterate, whether it converged or not. The caller owns the array.
    public double[] x() {
      return x;
    }

    /// The number of steps of the slowest column.
    public int iterations() {
      return iterations;
    }

    /// The largest `‖b − Ax‖/‖b‖` over the columns.
    public double residual() {
      return residual;
    }

    /// Whether every column met the tolerance.
    public boolean converged() {
      return converged;
    }

    /// Returns the solution if its residual is at most `worst`. Otherwise throws, and the message
    /// gives the residual.
    public double[] orThrow(double worst) {
      if (!(residual <= worst)) throw failure(worst);
      return x;
    }

    /// Returns the solution if it converged. Otherwise throws, and the message gives the residual.
    public double[] orThrow() {
      if (!converged) throw failure(tolerance);
      return x;
    }

    private ArithmeticException failure(double asked) {
      return new ArithmeticException(
          String.format(
              Locale.ROOT,
              "conjugate gradients stopped after %d steps at relative residual %.2e, above the tolerance %.2e; allow more steps, a looser tolerance or more noise",
              iterations,
              residual,
              asked));
    }
  }
}
