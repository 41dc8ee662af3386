package lovelace.data;

/// Lambert's azimuthal equal-area projection on the ellipsoid, Snyder (1987) eqs. (24-17) to
/// (24-20), (3-11), (3-12).
final class EqualAreaProjection implements LocalProjection {

  /// The pole is the centre if it is nearer than this many degrees.
  private static final double POLE = 1e-3;

  private final Centre centre;
  private final double e2;
  private final double qp;
  private final double rq; // kilometres
  private final double sin1;
  private final double cos1;
  private final double stretch; // Snyder's D

  EqualAreaProjection(Centre centre, Place.Ellipsoid ellipsoid) {
    this.centre = centre;
    double latitude = centre.latitude();
    e2 = ellipsoid.squaredEccentricity();
    double a = ellipsoid.semiMajor() / 1000;
    double phi = Math.toRadians(latitude);
    qp = q(1);
    rq = a * Math.sqrt(qp / 2);
    boolean pole = 90 - Math.abs(latitude) < POLE;
    sin1 = pole ? Math.signum(latitude) : q(Math.sin(phi)) / qp;
    cos1 = pole ? 0 : Math.sqrt((1 - sin1) * (1 + sin1));
    stretch = pole ? 1 : ellipsoid.parallel(phi) / (rq * cos1);
  }

  PlaceMap.EqualArea constants() {
    return new PlaceMap.EqualArea(qp, rq, sin1, cos1, stretch);
  }

  /// Snyder (1987) eq. (3-12), of the sine of a latitude.
  private double q(double sine) {
    double e = Math.sqrt(e2);
    double log = e < 1e-9 ? sine : atanh(e * sine) / e;
    return (1 - e2) * (sine / (1 - e2 * sine * sine) + log);
  }

  private static double atanh(double x) {
    return (Math.log1p(x) - Math.log1p(-x)) / 2;
  }

  @Override
  public void plane(double u, double v, double[] xy) {
    if (!centre.reaches(u, v)) {
      xy[0] = Double.NaN;
      xy[1] = Double.NaN;
      return;
    }
    double lambda = Math.toRadians(centre.east(u));
    double s = Math.clamp(q(Math.sin(Math.toRadians(v))) / qp, -1, 1);
    double c = Math.sqrt((1 - s) * (1 + s));
    double b = rq * Math.sqrt(2 / (1 + sin1 * s + cos1 * c * Math.cos(lambda)));
    xy[0] = stretch * b * c * Math.sin(lambda);
    xy[1] = b / stretch * (cos1 * s - sin1 * c * Math.cos(lambda));
  }

  /// Snyder (1987) eqs. (24-26) to (24-30), (3-16).
  @Override
  public void place(double[] xy) {
    double x = xy[0] / stretch;
    double y = xy[1] * stretch;
    double rho = Math.hypot(x, y);
    double c = 2 * Math.asin(Math.min(1, rho / (2 * rq)));
    double s = rho == 0 ? sin1 : Math.cos(c) * sin1 + y * Math.sin(c) * cos1 / rho; // of β
    double lambda = Math.atan2(x * Math.sin(c), rho * cos1 * Math.cos(c) - y * sin1 * Math.sin(c));
    xy[0] = centre.longitude() + Math.toDegrees(rho == 0 ? 0 : lambda);
    xy[1] = Math.toDegrees(geographic(Math.clamp(s, -1, 1)));
  }

  /// The latitude whose authalic latitude has this sine, in radians.
  private double geographic(double sine) {
    double phi = Math.asin(sine);
    for (int i = 0; i < 20; i++) {
      double s = Math.sin(phi);
      double slope = 1 - e2 * s * s;
      double step =
          slope * slope * (qp * sine - q(s)) / (2 * (1 - e2) * Math.max(1e-12, Math.cos(phi)));
      phi = Math.clamp(phi + step, -Math.PI / 2, Math.PI / 2);
      if (Math.abs(step) < 1e-15) break;
    }
    return phi;
  }

  @Override
  public void pullBack(
      double u, double v, double east, double north, double[] out, int first, int second) {
    double lambda = Math.toRadians(centre.east(u));
    double sine = Math.sin(Math.toRadians(v));
    double s = Math.clamp(q(sine) / qp, -1, 1);
    double c = Math.max(1e-12, Math.sqrt((1 - s) * (1 + s)));
    double cl = Math.cos(lambda);
    double sl = Math.sin(lambda);
    double h = 1 + sin1 * s + cos1 * c * cl;
    double b = rq * Math.sqrt(2 / h);
    double w = cos1 * s - sin1 * c * cl;
    double db = -b / (2 * h); // by h
    double byBeta = db * (sin1 * c - cos1 * s * cl);
    double byLambda = -db * cos1 * c * sl;
    double slope = 1 - e2 * sine * sine;
    double beta = 2 * (1 - e2) * Math.cos(Math.toRadians(v)) / (slope * slope * qp * c); // dβ/dφ
    double xBeta = stretch * sl * (byBeta * c - b * s);
    double xLambda = stretch * c * (byLambda * sl + b * cl);
    double yBeta = (byBeta * w + b * (cos1 * c + sin1 * s * cl)) / stretch;
    double yLambda = (byLambda * w + b * sin1 * c * sl) / stretch;
    out[first] = Math.toRadians(1) * (xLambda * east + yLambda * north);
    out[second] = Math.toRadians(1) * beta * (xBeta * east + yBeta * north);
  }
}
