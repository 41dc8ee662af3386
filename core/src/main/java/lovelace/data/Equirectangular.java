package lovelace.data;

/// `x ∝ λ − λ₀`, `y ∝ φ − φ₀`, with the scales at the centre.
final class Equirectangular implements LocalProjection {

  private final Centre centre;
  private final double eastScale; // kilometres a degree
  private final double northScale;

  Equirectangular(Centre centre, Place.Ellipsoid ellipsoid) {
    this.centre = centre;
    double phi = Math.toRadians(centre.latitude());
    eastScale = Math.toRadians(ellipsoid.parallel(phi));
    northScale = Math.toRadians(ellipsoid.meridian(phi));
  }

  /// Kilometres per degree of longitude.
  double eastScale() {
    return eastScale;
  }

  /// Kilometres per degree of latitude.
  double northScale() {
    return northScale;
  }

  @Override
  public void plane(double u, double v, double[] xy) {
    if (!centre.reaches(u, v)) {
      xy[0] = Double.NaN;
      xy[1] = Double.NaN;
      return;
    }
    xy[0] = eastScale * centre.east(u);
    xy[1] = northScale * (v - centre.latitude());
  }

  @Override
  public void place(double[] xy) {
    xy[0] = centre.longitude() + xy[0] / eastScale;
    xy[1] = centre.latitude() + xy[1] / northScale;
  }

  @Override
  public void pullBack(
      double u, double v, double east, double north, double[] out, int first, int second) {
    out[first] = eastScale * east;
    out[second] = northScale * north;
  }
}
