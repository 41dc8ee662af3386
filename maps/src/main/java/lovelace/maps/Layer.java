package lovelace.maps;

/// Numbers at places of a map: a covariate, or a mask. Safe to use from several threads.
@FunctionalInterface
public interface Layer {

  /// The values at some places, pairs of x and y in the coordinate system of the map; NaN where
  /// there is none.
  double[] at(double[] places);
}
