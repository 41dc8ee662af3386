package lovelace.posterior;

import java.util.Arrays;
import java.util.Locale;
import lovelace.data.TargetTransform;
import lovelace.linear.Cholesky;
import lovelace.linear.Gaussian;

/// How well Gaussian predictions fit the targets that came: errors, densities, ranks and coverage.
/// Predictions should be of observations, that is with the noise in their variance.
public final class Scores {

  private final double[] means; // of the Gaussian, before the transform is undone
  private final double[] variances;
  private final double[] targets;
  private final TargetTransform transform;
  private final double[] distances; // |y − m| in deviations, ascending
  private final double rmse;
  private final double mae;
  private final double nlpd;
  private final double crps;

  /// Takes the arrays over.
  private Scores(double[] means, double[] variances, double[] targets, TargetTransform transform) {
    this.means = means;
    this.variances = variances;
    this.targets = targets;
    this.transform = transform;
    int n = targets.length;
    if (means.length != n || variances.length != n)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "means, variances and targets must have one length, got %d, %d and %d",
              means.length,
              variances.length,
              n));
    if (n == 0) throw new IllegalArgumentException("targets is empty, scores need at least one");
    distances = new double[n];
    double squares = 0;
    double absolute = 0;
    double logarithm = 0;
    double ranked = 0;
    for (int i = 0; i < n; i++) {
      double m = means[i];
      double v = variances[i];
      if (!(Double.isFinite(m) && v >= 0 && Double.isFinite(targets[i])))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "point %d (from 0): mean and target must be finite and the variance >= 0, got %s, %s and %s",
                i,
                m,
                targets[i],
                v));
      double r = transform.apply(targets[i]) - m;
      distances[i] = r == 0 ? 0 : Math.abs(r) / Math.sqrt(v);
      double error = targets[i] - transform.mean(m, v);
      squares += error * error;
      absolute += Math.abs(targets[i] - transform.invert(m));
      logarithm -=
          v > 0
              ? transform.logDensity(targets[i], m, v)
              : r == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      ranked += transform.crps(targets[i], m, v);
    }
    Arrays.sort(distances);
    rmse = Math.sqrt(squares / n);
    mae = absolute / n;
    nlpd = logarithm / n;
    crps = ranked / n;
  }

  /// Scores of Gaussian predictions.
  public static Scores of(double[] means, double[] variances, double[] targets) {
    return new Scores(means.clone(), variances.clone(), targets.clone(), TargetTransform.NONE);
  }

  /// Scores of predictions in the targets' own unit.
  public static Scores of(Prediction prediction, double[] targets) {
    return new Scores(
        prediction.gaussianMeans(),
        prediction.gaussianVariances(),
        targets.clone(),
        prediction.transform());
  }

  /// Scores in the targets' own unit of predictions that are Gaussian for the transformed target.
  public static Scores of(Prediction prediction, double[] targets, TargetTransform transform) {
    return of(prediction.undo(transform), targets);
  }

  /// The log density of all targets together, in their own unit, under the joint distribution of
  /// observations: `log N(z; m, C + σ²I) + Σ log|dz/dy|` for `z = transform(y)`.
  public static double jointLogDensity(
      Posterior posterior, double[] points, double[] targets, TargetTransform transform) {
    int t = targets.length;
    Prediction prediction = posterior.predict(points);
    double[] covariance = posterior.covariance(points, points);
    double[] residual = new double[t];
    for (int i = 0; i < t; i++) {
      covariance[i * t + i] += posterior.noise();
      residual[i] = transform.apply(targets[i]) - prediction.mean(i);
    }
    Cholesky factor = Cholesky.adopt(covariance, t);
    factor.solveLower(1, residual);
    double squares = 0;
    for (double r : residual) squares += r * r;
    return -0.5 * (squares + factor.logDeterminant() + t * Math.log(2 * Math.PI))
        + transform.logJacobian(targets);
  }

  /// The number of points.
  public int size() {
    return distances.length;
  }

  /// The root of the mean squared error of the mean.
  public double rmse() {
    return rmse;
  }

  /// The mean absolute error of the median.
  public double mae() {
    return mae;
  }

  /// The mean of −log p(y), in nats.
  public double nlpd() {
    return nlpd;
  }

  /// The continuous ranked probability score `∫ (F(u) − [u ≥ y])² du`, a mean over points; in the
  /// target's unit, smaller is better; see [TargetTransform#crps].
  public double crps() {
    return crps;
  }

  /// The part of targets inside their central interval of this level, 0.95 say.
  public double coverage(double level) {
    double limit = deviations(level);
    int low = 0;
    int high = distances.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (distances[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    return (double) low / distances.length;
  }

  /// The interval score of the central intervals of this level, 0.95 say: the width `u − l`, and
  /// `2/(1 − level)` times the distance to the interval where the target lies outside it; a mean
  /// over points, in the target's unit, smaller is better. Gneiting and Raftery (2007), eq. (43).
  public double intervalScore(double level) {
    double limit = deviations(level);
    double penalty = 2 / (1 - level);
    double sum = 0;
    for (int i = 0; i < targets.length; i++) {
      double lower = transform.quantile(means[i], variances[i], -limit);
      double upper = transform.quantile(means[i], variances[i], limit);
      double beyond = Math.max(0, Math.max(lower - targets[i], targets[i] - upper));
      sum += upper - lower + penalty * beyond;
    }
    return sum / targets.length;
  }

  /// How many deviations the central interval of a level reaches to either side.
  private static double deviations(double level) {
    if (!(level > 0 && level < 1))
      throw new IllegalArgumentException("interval level must lie between 0 and 1, got " + level);
    return Gaussian.quantile(0.5 * (1 + level));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "RMSE %.4g, MAE %.4g, NLPD %.4g, CRPS %.4g, coverage of 95 %% intervals %.1f %%",
        rmse,
        mae,
        nlpd,
        crps,
        100 * coverage(0.95));
  }
}
