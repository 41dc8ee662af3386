package lovelace.latent;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.linear.Parallel;

/// Draws of f at the places of rows from the posterior of working observations, by which variances
/// are estimated. A draw f* of the prior and one of working observations `y* = f* + W^−½ ε` give
/// `f̂* = (Q + W)⁻¹ W y*` and the error `u = f* − f̂*`, which is a draw of the posterior about its
/// mean (Matheron's rule).
///
/// Let V be the variance of f at a point given few working observations near it. All observations
/// have more information, so the variance v given all of them is smaller. The change of the
/// predictor by the others is independent of the error, `V = v + (V − v)`. Draws of both parts, the
/// error and the difference d of the two predictors, are normal with these variances, and v is the
/// value at which they are most likely. With S draws its relative standard error is `√(2/S) / √(1 +
/// (v/(V − v))²)`: small if the near observations have nearly all information, and never more than
/// `√(2/S)`. And 0 < v ≤ V.
///
/// Immutable.
final class LatentDraws {

  private static final double TOLERANCE = 1e-4;

  /// The number of draws.
  final int count;

  // each of size places × count
  private final float[] errors; // u
  private final float[] means; // f̂*
  private final float[] observations; // y*

  LatentDraws(LatentPrior prior, LatentSystem system, double[] curvatures, int count, long seed) {
    int n = prior.size();
    this.count = count;
    this.errors = new float[n * count];
    this.means = new float[n * count];
    this.observations = new float[n * count];
    long[] seeds = new SplittableRandom(seed).longs(count).toArray();
    Parallel.forEach(
        count,
        s -> {
          SplittableRandom random = new SplittableRandom(seeds[s]);
          double[] f = new double[n];
          for (int j = 0; j < n; j++)
            f[j] = Math.sqrt(prior.variances()[j]) * random.nextGaussian();
          prior.solve(f);
          double[] right = new double[n];
          prior.precision(f, right);
          for (int j = 0; j < n; j++) {
            double noise = random.nextGaussian() / Math.sqrt(curvatures[j]);
            right[j] -= curvatures[j] * noise;
            observations[j * count + s] = (float) (f[j] + noise);
          }
          double[] u = system.solve(right, TOLERANCE, 0);
          for (int j = 0; j < n; j++) {
            errors[j * count + s] = (float) u[j];
            means[j * count + s] = (float) (f[j] - u[j]);
          }
        });
  }

  /// Estimates the variance of f at points, for one thread.
  final class Estimate {
    private final float[] error = new float[count];
    private final float[] difference = new float[count];

    /// Begins a point.
    void clear() {
      Arrays.fill(error, 0);
      Arrays.fill(difference, 0);
    }

    /// Adds a place on whose value of f the point is regressed.
    void value(int place, double weight) {
      add(errors, place, (float) weight, error);
      add(means, place, (float) weight, difference);
    }

    /// Adds a place whose working observation has this weight in the near predictor.
    void observation(int place, double weight) {
      add(observations, place, (float) -weight, difference);
    }

    private void add(float[] from, int place, float weight, float[] to) {
      int at = place * count;
      for (int s = 0; s < count; s++) to[s] += weight * from[at + s];
    }

    /// The variance.
    ///
    /// @param own that of f at the point given f at the places
    /// @param near V
    double variance(double own, double near) {
      double a = own + square(error);
      double c = square(difference);
      return Math.max(own, likeliest(a, c, near));
    }

    private double square(float[] x) {
      double sum = 0;
      for (float v : x) sum += (double) v * v;
      return sum / count;
    }
  }

  /// The most likely v, given mean squares a and c whose expectations are v and `whole − v`. It
  /// lies between a and `whole − c`.
  static double likeliest(double a, double c, double whole) {
    double p = a / whole;
    double q = 1 - c / whole;
    double low = Math.min(Math.min(p, q), 1);
    double high = Math.min(Math.max(p, q), 1);
    low = Math.max(low, 1e-300);
    for (int i = 0; i < 60; i++) {
      double w = 0.5 * (low + high);
      double slope = (p - w) / (w * w) + (q - w) / ((1 - w) * (1 - w));
      if (slope > 0) low = w;
      else high = w;
    }
    return 0.5 * (low + high) * whole;
  }
}
