package lovelace.inference;

import java.util.stream.IntStream;

/// A root R of a covariance of the lattice values, `RRᵀ = P`: with standard normal ξ, `Rξ` is a
/// draw of what the posterior leaves open. Linear, so `−ξ` gives the mirrored draw. Immutable.
public interface PosteriorRoot {

  /// The number of lattice points.
  int size();

  /// The number of normals a draw takes.
  int normals();

  /// `u ← Rξ` for `count` draws, the normals and the lattice vectors each one after another.
  void apply(int count, double[] xi, double[] u);

  /// Up to `most` normals that carry much of the variance, heaviest first, as far as that is known:
  /// where quasi-random numbers pay.
  default int[] leading(int most) {
    return IntStream.range(0, Math.min(most, normals())).toArray();
  }

  /// The method and what it works with, `spectral, 212 modes` say.
  String describe();
}
