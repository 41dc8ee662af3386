package lovelace.maps;

/// Numbers at places of a map: a covariate, or a mask. Safe to use from several threads.
@FunctionalInterface
public interface Layer {

  /// The values at some places, which are pairs of x and y in the coordinate system of the map. NaN
  /// means no value.
  double[] at(double[] places);
}
