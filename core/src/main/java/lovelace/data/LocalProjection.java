package lovelace.data;

/// How the coordinates of a place become kilometres east and north of a centre, and back: one class
/// for each [PlaceMap.Projection].
interface LocalProjection {

  /// Overwrites the pair with east and north of a place. Both are NaN if the place does not exist
  /// or is too far from the centre: distances on the plane say nothing about a place half a world
  /// away.
  void plane(double u, double v, double[] xy);

  /// Turns a pair of kilometres east and north back into the coordinates of the place.
  void place(double[] xy);

  /// Turns the slopes by east and north at a place into those by its coordinates.
  ///
  /// @param out overwritten at `first` and `second`
  void pullBack(double u, double v, double east, double north, double[] out, int first, int second);

  /// The projection of a kind around a centre.
  static LocalProjection of(PlaceMap.Projection kind, Centre centre, Place.Ellipsoid ellipsoid) {
    return switch (kind) {
      case NONE -> new PlaneCoordinates();
      case EQUIRECTANGULAR -> new Equirectangular(centre, ellipsoid);
      case EQUAL_AREA -> new EqualAreaProjection(centre, ellipsoid);
    };
  }
}
