package lovelace.posterior;

import java.util.random.RandomGenerator;
import lovelace.posterior.internal.Areas;

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

  /// Weighted means of f over areas, with their variances by the covariances of all points of an
  /// area (block kriging; Cressie 1993, section 3.2.1): with weights wᵢ that are divided by their
  /// sum,
  ///
  /// ```
  /// mean = Σᵢ wᵢ mean(xᵢ)        variance = Σᵢ Σⱼ wᵢwⱼ cov(xᵢ, xⱼ)
  /// ```
  ///
  /// The variance of a mean over many points is not that of one point divided by their number:
  /// neighbours err together. An area is outside where one of its points is, unless its weight is
  /// 0. Area a has the points `starts[a] ≤ i < starts[a + 1]`.
  ///
  /// @param weights one per point, finite and at least 0; none for equal weights
  /// @param starts one more than there are areas, from 0 to the number of points
  default Prediction average(double[] points, double[] weights, int[] starts) {
    return Areas.byCovariance(this, Areas.of(points, dimensions(), weights, starts));
  }

  /// Joint draws of f at the points, row-major, `count × t`.
  double[] sample(double[] points, int count, RandomGenerator random);
}
