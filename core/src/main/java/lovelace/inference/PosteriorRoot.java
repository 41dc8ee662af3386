package lovelace.inference;

import java.util.stream.IntStream;

/// A root R of a covariance of the lattice values, `RRᵀ = P`. With standard normal ξ, `Rξ` is a
/// draw of the deviation from the mean. It is linear, so `−ξ` gives the mirrored draw. Immutable.
public interface PosteriorRoot {

  /// The number of lattice points.
  int size();

  /// The number of normals that a draw takes.
  int normals();

  /// `u ← Rξ` for `count` draws. The normals and the lattice vectors follow one another.
  void apply(int count, double[] xi, double[] u);

  /// Up to `most` normals that carry much of the variance, heaviest first if that is known.
  /// Quasi-random numbers pay off for these.
  default int[] leading(int most) {
    return IntStream.range(0, Math.min(most, normals())).toArray();
  }

  /// The method and its size, such as `spectral, 212 modes`.
  String describe();
}
