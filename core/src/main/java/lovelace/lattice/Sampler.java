package lovelace.lattice;

import java.util.List;
import java.util.random.RandomGenerator;

/// Joint samples of a posterior, at points or as functions. Immutable; safe to share between
/// threads.
///
/// Each call takes one number from `random`. Every draw then has its own streams, split by purpose.
/// So draws repeat from a seed and do not depend on the number of threads. Except for rounding,
/// draw i does not depend on the number of draws. From the same seed, `draw` at points and
/// `functions` give the same functions, or the same values at grid points if the posterior is
/// kriged.
public interface Sampler {

  /// The sampler at fixed points, row-major. It prepares once everything that depends on the
  /// points.
  PointSampler at(double[] points);

  /// Joint draws of f at the points, row-major, `count × t`.
  default double[] draw(double[] points, int count, RandomGenerator random) {
    return at(points).draw(count, random);
  }

  /// Draws of f itself, for later evaluation.
  List<SampledFunction> functions(int count, RandomGenerator random);

  /// One draw of f.
  default SampledFunction function(RandomGenerator random) {
    return functions(1, random).getFirst();
  }

  /// The variance of the draws as a share of the posterior variance, at check points spread over
  /// the data and the lattice. It is 1 for an exact method, and less for one of low rank.
  double capturedVariance();

  /// The method and its settings in words.
  String describe();
}
