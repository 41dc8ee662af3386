package lovelace.lattice;

import java.util.List;
import java.util.random.RandomGenerator;

/// Joint samples of a posterior, at points or as functions. Immutable; safe to share between
/// threads.
///
/// One number is taken from `random` a call; every draw then has streams of its own, split by
/// purpose. So draws repeat from a seed, do not depend on the number of threads, draw i does not
/// depend (but for rounding) on how many are asked for, and from the same seed `draw` at points and
/// `functions` give the same functions; where the posterior is kriged, the same values at grid
/// points.
public interface Sampler {

  /// The sampler at fixed points, row-major: what depends on the points is prepared once.
  PointSampler at(double[] points);

  /// Joint draws of f at the points, row-major, `count × t`.
  default double[] draw(double[] points, int count, RandomGenerator random) {
    return at(points).draw(count, random);
  }

  /// Draws of f itself, to be evaluated later.
  List<SampledFunction> functions(int count, RandomGenerator random);

  /// One draw of f.
  default SampledFunction function(RandomGenerator random) {
    return functions(1, random).getFirst();
  }

  /// The share of the posterior variance that the draws have, at check points spread over the data
  /// and the lattice: 1 for an exact method, less for one of low rank.
  double capturedVariance();

  /// The method and what it works with.
  String describe();
}
