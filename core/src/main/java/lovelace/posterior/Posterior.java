package lovelace.posterior;

import java.util.random.RandomGenerator;

/// A Gaussian process conditioned on data: the distribution of the latent function f given the
/// observations.
///
/// Points are row-major, `t × dimensions`. Every answer is deterministic and independent of the
/// batch it is asked in. Immutable; safe to share between threads.
public interface Posterior {

  /// The number of input columns.
  int dimensions();

  /// The variance of the noise of an observation of weight one.
  double noise();

  /// Mean and variance of f at each point.
  Prediction predict(double[] points);

  /// Mean and variance of an observation of weight one at each point: of f with its noise.
  default Prediction predictObservation(double[] points) {
    return predict(points).withNoise(noise());
  }

  /// The covariance matrix of f between two sets of points, row-major, one row per point of `a`.
  double[] covariance(double[] a, double[] b);

  /// Joint draws of f at the points, row-major, `count × t`.
  double[] sample(double[] points, int count, RandomGenerator random);
}
