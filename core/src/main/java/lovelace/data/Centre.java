package lovelace.data;

/// The centre of a local projection, in degrees.
record Centre(double longitude, double latitude) {

  /// How far from its centre a local projection reaches, in degrees. The places it is made for lie
  /// nearer than 90; the rest allows for rounding.
  private static final double FURTHEST = 90 + 1e-9;

  /// A longitude from −180 to 180.
  static double wrapped(double degrees) {
    return degrees - 360 * Math.rint(degrees / 360);
  }

  /// Degrees of longitude east of the centre, from −180 to 180.
  double east(double u) {
    return wrapped(u - longitude);
  }

  /// The angle between a place and the centre, in degrees of a sphere.
  double arc(double u, double v) {
    double degrees = east(u);
    // along a parallel, then along a meridian: no shortcut is longer
    double around = Math.abs(degrees) + Math.abs(v - latitude);
    if (around <= FURTHEST) return around;
    double phi1 = Math.toRadians(latitude);
    double phi = Math.toRadians(v);
    double cosine =
        Math.sin(phi1) * Math.sin(phi)
            + Math.cos(phi1) * Math.cos(phi) * Math.cos(Math.toRadians(degrees));
    return Math.toDegrees(Math.acos(Math.clamp(cosine, -1, 1)));
  }

  /// Whether a place is not too far away.
  boolean isNear(double u, double v) {
    return arc(u, v) <= FURTHEST;
  }

  /// Whether a place exists and is not too far away.
  boolean reaches(double u, double v) {
    return Math.abs(u) <= 360 && Math.abs(v) <= 90 && isNear(u, v);
  }
}
