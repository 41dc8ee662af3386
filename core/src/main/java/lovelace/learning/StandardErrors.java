package lovelace.learning;

import java.util.Arrays;
import java.util.stream.IntStream;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Cholesky;

/// Standard errors of parameters from the curvature of the log posterior at its maximum. Second
/// derivatives are central differences of the exact gradient.
final class StandardErrors {

  /// The step of second derivatives in the logarithm of a parameter.
  private static final double LOG_STEP = 1e-4;

  /// A parameter with a smaller curvature, in its logarithm, is not bounded by the data.
  private static final double FLAT = 1e-8;

  /// The number of steps tried for a parameter that has a unit.
  private static final int TRIALS = 6;

  private StandardErrors() {}

  /// The standard errors, on the natural scale and in natural order: 0 for fixed parameters, and
  /// NaN if the curvature does not bound a parameter.
  static double[] of(Trail trail, Hyperparameters h) {
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

  /// A length in the unit of the target.
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
    double high = trail.objective(h.fromFree(at), up);
    at[i] = x[i] - step;
    double low = trail.objective(h.fromFree(at), down);
    double[] row = new double[p];
    for (int j = 0; j < p; j++)
      row[j] =
          Double.isFinite(high) && Double.isFinite(low)
              ? (up[j] - down[j]) / (2 * step)
              : Double.NaN;
    return row;
  }

  /// As [#curvature], for a parameter that has a unit, such as a coefficient of the mean. Its step
  /// is about a hundredth of its standard error with all else held, which follows from the
  /// curvature.
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

  /// The diagonal of the inverse of a symmetric matrix. Leaves out the rows and columns of
  /// parameters that are not bounded; these get NaN. Rows and columns are scaled to a diagonal of
  /// one, so that units do not matter.
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
      // a saddle or a ridge has no standard errors
    }
    return variance;
  }
}
