package lovelace.posterior;

import java.util.random.RandomGenerator;
import lovelace.posterior.internal.Areas;

/// A Gaussian process conditioned on data: the distribution of the latent function f given the
/// observations.
///
/// Points are row-major, `t × dimensions`. Every answer is deterministic and does not depend on the
/// batch it is part of. A posterior is immutable and safe to share between threads.
public interface Posterior {

  /// The number of input columns.
  int dimensions();

  /// The noise variance of an observation of weight one.
  double noise();

  /// Returns the mean and variance of f at each point.
  Prediction predict(double[] points);

  /// Returns the mean and variance of an observation of weight one at each point: f plus noise.
  default Prediction predictObservation(double[] points) {
    return predict(points).withNoise(noise());
  }

  /// Returns the covariance matrix of f between two sets of points, row-major, one row per point of
  /// `a`.
  double[] covariance(double[] a, double[] b);

  /// Returns weighted means of f over areas. Their variances take the covariances of all points of
  /// an area into account (block kriging; Cressie 1993, section 3.2.1). The weights wᵢ are divided
  /// by their sum:
  ///
  /// ```
  /// mean = Σᵢ wᵢ mean(xᵢ)        variance = Σᵢ Σⱼ wᵢwⱼ cov(xᵢ, xⱼ)
  /// ```
  ///
  /// The variance of a mean over many points is not the variance of one point divided by their
  /// number, because the errors of neighbours are correlated. An area is outside if one of its
  /// points is, unless the weight of that point is 0. Area a has the points `starts[a] ≤ i <
  /// starts[a + 1]`.
  ///
  /// @param weights one per point, finite and at least 0; empty for equal weights
  /// @param starts one more entry than there are areas, from 0 to the number of points
  default Prediction average(double[] points, double[] weights, int[] starts) {
    return Areas.byCovariance(this, Areas.of(points, dimensions(), weights, starts));
  }

  /// Returns joint draws of f at the points, row-major, `count × t`.
  double[] sample(double[] points, int count, RandomGenerator random);
}
