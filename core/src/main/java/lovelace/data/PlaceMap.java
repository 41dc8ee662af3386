package lovelace.data;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns two columns of coordinates into what a process sees. Longitudes and latitudes become
/// kilometres east and north by a local projection. If the process has a direction, both axes are
/// rotated. Other columns stay as they are.
///
/// The features take the positions of the coordinates. With an angle θ, clockwise from north, the
/// second is the distance *along* it, `e sin θ + n cos θ`, and the first the distance *across* it,
/// `e cos θ − n sin θ`.
public final class PlaceMap implements FeatureMap {

  static final String TYPE = "place";

  /// The largest number of columns.
  private static final int MOST_COLUMNS = 1 << 20;

  private static final int LONGEST_NAME = 1 << 16;

  /// The pole is the centre if it is nearer than this many degrees.
  private static final double POLE = 1e-3;

  /// How far from its centre a local projection reaches, in degrees. The places it is made for lie
  /// nearer than 90; the rest allows for rounding.
  private static final double FURTHEST = 90 + 1e-9;

  /// How longitudes and latitudes become coordinates on a plane.
  public enum Projection {
    /// Coordinates are already on a plane.
    NONE(0, "as they stand"),
    /// `x ∝ λ − λ₀`, `y ∝ φ − φ₀`, with the scales at the centre. A grid of degrees stays a grid.
    EQUIRECTANGULAR(1, "equirectangular"),
    /// Lambert's azimuthal equal-area projection on the ellipsoid, Snyder (1987) eqs. (24-17) to
    /// (24-20), (3-11), (3-12).
    EQUAL_AREA(2, "Lambert azimuthal equal-area");

    private final int number; // in files
    private final String words;

    Projection(int number, String words) {
      this.number = number;
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  private final int inputs;
  private final int east;
  private final int north;
  private final String eastName;
  private final String northName;
  private final Projection projection;
  private final double longitude;
  private final double latitude;
  private final Place.Ellipsoid ellipsoid;
  private final double distortion;
  private final double angle;
  private final double angleError;

  // what follows from these
  private final double cos;
  private final double sin;
  private final double eastScale; // of the equirectangular projection, kilometres a degree
  private final double northScale;
  private final double e2;
  private final double qp;
  private final double rq; // kilometres
  private final double sin1;
  private final double cos1;
  private final double stretch; // Snyder's D

  private PlaceMap(
      int inputs,
      int east,
      int north,
      String eastName,
      String northName,
      Projection projection,
      double longitude,
      double latitude,
      Place.Ellipsoid ellipsoid,
      double distortion,
      double angle,
      double angleError) {
    if (inputs < 2
        || inputs > MOST_COLUMNS
        || east < 0
        || north < 0
        || east >= inputs
        || north >= inputs
        || east == north)
      throw new IllegalArgumentException(
          "coordinates must be two different columns out of %s, got %s and %s"
              .formatted(inputs, east, north));
    if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90 && Math.abs(angle) <= 360))
      throw new IllegalArgumentException(
          "a local projection needs a centre in degrees and an angle, got %s, %s and %s"
              .formatted(longitude, latitude, angle));
    if (!(distortion >= 0))
      throw new IllegalArgumentException("a distortion must be >= 0, got " + distortion);
    this.inputs = inputs;
    this.east = east;
    this.north = north;
    this.eastName = eastName;
    this.northName = northName;
    this.projection = projection;
    this.longitude = longitude;
    this.latitude = latitude;
    this.ellipsoid = ellipsoid;
    this.distortion = distortion;
    this.angle = angle;
    this.angleError = angleError;
    double turn = Math.toRadians(angle);
    cos = angle == 0 ? 1 : Math.cos(turn);
    sin = angle == 0 ? 0 : Math.sin(turn);
    e2 = ellipsoid.squaredEccentricity();
    double a = ellipsoid.semiMajor() / 1000;
    double phi = Math.toRadians(latitude);
    eastScale = Math.toRadians(parallel(phi));
    northScale = Math.toRadians(meridian(phi));
    qp = q(1);
    rq = a * Math.sqrt(qp / 2);
    boolean pole = 90 - Math.abs(latitude) < POLE;
    sin1 = pole ? Math.signum(latitude) : q(Math.sin(phi)) / qp;
    cos1 = pole ? 0 : Math.sqrt((1 - sin1) * (1 + sin1));
    stretch = pole ? 1 : parallel(phi) / (rq * cos1);
  }

  // ---- making one ----

  /// Makes a map for coordinates that are already on a plane, with axes rotated by an angle.
  public static PlaceMap turned(List<Column> columns, int east, int north, double angle) {
    return new PlaceMap(
        columns.size(),
        east,
        north,
        columns.get(east).name(),
        columns.get(north).name(),
        Projection.NONE,
        0,
        0,
        Place.Ellipsoid.WGS_84,
        0,
        angle,
        0);
  }

  /// Makes a local projection of places and measures its distortion over them.
  ///
  /// @param points some rows of the columns, row-major
  /// @param regular whether the rows lie on a grid of degrees, which the equirectangular projection
  ///   keeps
  /// @param most the largest distortion up to which a grid of degrees is kept
  /// @throws IllegalArgumentException if the places cover half of the Earth or more
  public static PlaceMap local(
      Place place, List<Column> columns, double[] points, boolean regular, double most) {
    Place.Ellipsoid ellipsoid =
        place
            .ellipsoid()
            .orElseThrow(() -> new IllegalArgumentException("coordinates are already on a plane"));
    int d = columns.size();
    int east = place(columns, place.east());
    int north = place(columns, place.north());
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    double[] longitudes = new double[points.length / d];
    for (int i = 0; i < longitudes.length; i++) {
      longitudes[i] = wrapped(points[i * d + east]);
      low = Math.min(low, points[i * d + north]);
      high = Math.max(high, points[i * d + north]);
    }
    double[] arc = arc(longitudes); // where it begins, and its length
    boolean around = arc[1] > 180; // a pole is nearer to all of them than a point of the arc
    double longitude = around ? 0 : wrapped(arc[0] + arc[1] / 2);
    double latitude = (low + high) / 2;
    if (around) latitude = low >= 0 ? 90 : high <= 0 ? -90 : latitude;
    Projection[] all = {Projection.EQUIRECTANGULAR, Projection.EQUAL_AREA};
    for (Projection projection : all) {
      boolean exact = projection == Projection.EQUAL_AREA;
      if (!exact && (!regular || around || high >= 90 || low <= -90)) continue;
      PlaceMap map =
          new PlaceMap(
              d,
              east,
              north,
              place.east(),
              place.north(),
              projection,
              longitude,
              latitude,
              ellipsoid,
              0,
              0,
              0);
      map.requireLocal(arc, low, high);
      double distortion = map.distortion(arc, low, high);
      if (exact || distortion <= most) return map.with(distortion, 0, 0);
    }
    throw new AssertionError();
  }

  private static int place(List<Column> columns, String name) {
    for (int j = 0; j < columns.size(); j++) if (columns.get(j).name().equals(name)) return j;
    throw new IllegalArgumentException(
        "there is no input column '%s' of coordinates; the inputs are %s"
            .formatted(name, columns.stream().map(Column::name).toList()));
  }

  /// The shortest arc of the circle that holds all longitudes: where it begins and how long it is.
  private static double[] arc(double[] longitudes) {
    double[] sorted = longitudes.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double widest = sorted[0] + 360 - sorted[n - 1];
    double begin = sorted[0];
    for (int i = 1; i < n; i++)
      if (sorted[i] - sorted[i - 1] > widest) {
        widest = sorted[i] - sorted[i - 1];
        begin = sorted[i];
      }
    return new double[] {begin, 360 - widest};
  }

  /// A longitude from −180 to 180.
  private static double wrapped(double degrees) {
    return degrees - 360 * Math.rint(degrees / 360);
  }

  /// Throws if the places cover a hemisphere, which has no local projection.
  private void requireLocal(double[] arc, double low, double high) {
    double furthest = 0;
    double phi1 = Math.toRadians(latitude);
    for (int i = 0; i <= 24; i++)
      for (double lat : new double[] {low, (low + high) / 2, high}) {
        double phi = Math.toRadians(lat);
        double lambda = Math.toRadians(arc[0] + arc[1] * i / 24 - longitude);
        double cosine =
            Math.sin(phi1) * Math.sin(phi) + Math.cos(phi1) * Math.cos(phi) * Math.cos(lambda);
        furthest = Math.max(furthest, Math.acos(Math.clamp(cosine, -1, 1)));
      }
    if (!(furthest < Math.PI / 2))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the places reach %.0f° from their middle (longitudes over %.0f°, latitudes %.4g to %.4g), and there is no local projection of half of the Earth; use a part of the rows, or use the columns as they stand (no coordinate system)",
              Math.toDegrees(furthest),
              arc[1],
              low,
              high));
  }

  /// The largest error of a short distance, as a fraction of it.
  private double distortion(double[] arc, double low, double high) {
    double worst = 0;
    double[] x = new double[inputs];
    double[] gradient = new double[inputs];
    double[] unit = new double[inputs];
    for (int i = 0; i <= 16; i++)
      for (int j = 0; j <= 16; j++) {
        x[east] = arc[0] + arc[1] * i / 16;
        x[north] = Math.clamp(low + (high - low) * j / 16, -89.9, 89.9);
        double phi = Math.toRadians(x[north]);
        double[] jacobian = new double[4]; // kilometres on the plane for kilometres on the Earth
        for (int f = 0; f < 2; f++) {
          Arrays.fill(unit, 0);
          unit[f == 0 ? east : north] = 1;
          pullBack(x, 0, unit, 0, gradient, 0);
          jacobian[2 * f] = gradient[east] / Math.toRadians(parallel(phi));
          jacobian[2 * f + 1] = gradient[north] / Math.toRadians(meridian(phi));
        }
        double sum = 0;
        for (double v : jacobian) sum += v * v;
        double area = Math.abs(jacobian[0] * jacobian[3] - jacobian[1] * jacobian[2]);
        double root = Math.sqrt(Math.max(0, sum * sum / 4 - area * area));
        worst = Math.max(worst, Math.abs(Math.sqrt(sum / 2 + root) - 1));
        worst = Math.max(worst, Math.abs(Math.sqrt(Math.max(0, sum / 2 - root)) - 1));
      }
    return worst;
  }

  private PlaceMap with(double distortion, double angle, double error) {
    return new PlaceMap(
        inputs,
        east,
        north,
        eastName,
        northName,
        projection,
        longitude,
        latitude,
        ellipsoid,
        distortion,
        angle,
        error);
  }

  /// Returns this map with its axes rotated, so that the second runs at an angle in degrees
  /// clockwise from north.
  public PlaceMap turned(double angle) {
    return turned(angle, 0);
  }

  /// As [#turned(double)], for an angle that was learned and has a standard error.
  public PlaceMap turned(double angle, double standardError) {
    return with(distortion, angle, standardError);
  }

  // ---- what it is ----

  /// How longitudes and latitudes become coordinates on a plane.
  public Projection projection() {
    return projection;
  }

  /// The longitude of the centre, in degrees.
  public double longitude() {
    return longitude;
  }

  /// The latitude of the centre, in degrees.
  public double latitude() {
    return latitude;
  }

  /// The largest error of a short distance, as a fraction of it, over the places that the
  /// projection was chosen for.
  public double distortion() {
    return distortion;
  }

  /// The direction of the second axis in degrees clockwise from north; 0 if the axes are not
  /// rotated.
  public double angle() {
    return angle;
  }

  /// The standard error of the angle in degrees: 0 if it was given, NaN if it is unknown.
  public double angleError() {
    return angleError;
  }

  /// The position, counted from 0, of the column of eastings or longitudes, and of the first axis.
  public int east() {
    return east;
  }

  /// The position of the column of northings or latitudes, and of the second axis.
  public int north() {
    return north;
  }

  /// The shape of the Earth.
  public Place.Ellipsoid ellipsoid() {
    return ellipsoid;
  }

  /// Kilometres per degree of longitude in the equirectangular projection.
  public double eastScale() {
    return eastScale;
  }

  /// Kilometres per degree of latitude in the equirectangular projection.
  public double northScale() {
    return northScale;
  }

  /// The constants of the equal-area projection.
  ///
  /// @param qp Snyder's q at the pole
  /// @param radius the radius of the sphere of equal area, in kilometres
  /// @param sin1 the sine of the centre's authalic latitude
  /// @param cos1 the cosine of the centre's authalic latitude
  /// @param stretch Snyder's D
  public record EqualArea(double qp, double radius, double sin1, double cos1, double stretch) {}

  public EqualArea equalArea() {
    return new EqualArea(qp, rq, sin1, cos1, stretch);
  }

  @Override
  public int inputs() {
    return inputs;
  }

  @Override
  public int outputs() {
    return inputs;
  }

  @Override
  public List<Column> features(List<Column> columns) {
    List<Column> all = new ArrayList<>(columns);
    boolean degrees = projection != Projection.NONE;
    String first = angle == 0 ? "east" : "across";
    String second = angle == 0 ? "north" : "along";
    all.set(east, Column.of(first, degrees ? "km" : columns.get(east).unit()));
    all.set(north, Column.of(second, degrees ? "km" : columns.get(north).unit()));
    return List.copyOf(all);
  }

  // ---- the map ----

  /// The radius of the parallel at a latitude in radians, in kilometres.
  private double parallel(double phi) {
    double s = Math.sin(phi);
    return ellipsoid.semiMajor() / 1000 * Math.cos(phi) / Math.sqrt(1 - e2 * s * s);
  }

  /// The meridian's radius of curvature, in kilometres.
  private double meridian(double phi) {
    double s = Math.sin(phi);
    return ellipsoid.semiMajor() / 1000 * (1 - e2) / Math.pow(1 - e2 * s * s, 1.5);
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
  public void apply(double[] x, int rows, double[] out) {
    System.arraycopy(x, 0, out, 0, rows * inputs);
    double[] xy = new double[2];
    for (int i = 0; i < rows; i++) {
      int at = i * inputs;
      plane(x[at + east], x[at + north], xy);
      out[at + east] = xy[0] * cos - xy[1] * sin;
      out[at + north] = xy[0] * sin + xy[1] * cos;
    }
  }

  /// The angle between a place and the centre, in degrees of a sphere.
  private double arc(double u, double v) {
    double degrees = wrapped(u - longitude);
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

  /// East and north before the axes are rotated. NaN if the place does not exist or is too far from
  /// the centre: distances on the plane say nothing about a place half a world away.
  private void plane(double u, double v, double[] xy) {
    if (projection == Projection.NONE) {
      xy[0] = u;
      xy[1] = v;
      return;
    }
    if (!(Math.abs(u) <= 360 && Math.abs(v) <= 90 && arc(u, v) <= FURTHEST)) {
      xy[0] = Double.NaN;
      xy[1] = Double.NaN;
      return;
    }
    double degrees = wrapped(u - longitude);
    if (projection == Projection.EQUIRECTANGULAR) {
      xy[0] = eastScale * degrees;
      xy[1] = northScale * (v - latitude);
      return;
    }
    double lambda = Math.toRadians(degrees);
    double s = Math.clamp(q(Math.sin(Math.toRadians(v))) / qp, -1, 1);
    double c = Math.sqrt((1 - s) * (1 + s));
    double b = rq * Math.sqrt(2 / (1 + sin1 * s + cos1 * c * Math.cos(lambda)));
    xy[0] = stretch * b * c * Math.sin(lambda);
    xy[1] = b / stretch * (cos1 * s - sin1 * c * Math.cos(lambda));
  }

  /// Turns features back into columns: the inverse of [#apply]. Longitudes lie within 180 degrees
  /// of the centre. Snyder (1987) eqs. (24-26) to (24-30), (3-16).
  public void columns(double[] features, int rows, double[] out) {
    System.arraycopy(features, 0, out, 0, rows * inputs);
    for (int i = 0; i < rows; i++) {
      double across = features[i * inputs + east];
      double along = features[i * inputs + north];
      double x = across * cos + along * sin;
      double y = along * cos - across * sin;
      switch (projection) {
        case NONE -> {}
        case EQUIRECTANGULAR -> {
          x = longitude + x / eastScale;
          y = latitude + y / northScale;
        }
        case EQUAL_AREA -> {
          x /= stretch;
          y *= stretch;
          double rho = Math.hypot(x, y);
          double c = 2 * Math.asin(Math.min(1, rho / (2 * rq)));
          double s = rho == 0 ? sin1 : Math.cos(c) * sin1 + y * Math.sin(c) * cos1 / rho; // of β
          double lambda =
              Math.atan2(x * Math.sin(c), rho * cos1 * Math.cos(c) - y * sin1 * Math.sin(c));
          x = longitude + Math.toDegrees(rho == 0 ? 0 : lambda);
          y = Math.toDegrees(geographic(Math.clamp(s, -1, 1)));
        }
      }
      out[i * inputs + east] = x;
      out[i * inputs + north] = y;
    }
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
  public void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo) {
    double across = g[go + east];
    double along = g[go + north];
    System.arraycopy(g, go, out, oo, inputs);
    double ge = across * cos + along * sin;
    double gn = along * cos - across * sin;
    double v = x[xo + north];
    switch (projection) {
      case NONE -> {
        out[oo + east] = ge;
        out[oo + north] = gn;
      }
      case EQUIRECTANGULAR -> {
        out[oo + east] = eastScale * ge;
        out[oo + north] = northScale * gn;
      }
      case EQUAL_AREA -> {
        double lambda = Math.toRadians(wrapped(x[xo + east] - longitude));
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
        double beta =
            2 * (1 - e2) * Math.cos(Math.toRadians(v)) / (slope * slope * qp * c); // dβ/dφ
        double xBeta = stretch * sl * (byBeta * c - b * s);
        double xLambda = stretch * c * (byLambda * sl + b * cl);
        double yBeta = (byBeta * w + b * (cos1 * c + sin1 * s * cl)) / stretch;
        double yLambda = (byLambda * w + b * sin1 * c * sl) / stretch;
        out[oo + east] = Math.toRadians(1) * (xLambda * ge + yLambda * gn);
        out[oo + north] = Math.toRadians(1) * beta * (xBeta * ge + yBeta * gn);
      }
    }
  }

  /// Says why a point has no features, naming column, value, rule and remedy. Empty if it has
  /// features.
  @Override
  public Optional<String> refusal(double[] x, int from) {
    if (projection == Projection.NONE) return Optional.empty();
    double u = x[from + east];
    double v = x[from + north];
    Optional<String> none = refusal(eastName, u, northName, v);
    if (none.isPresent() || arc(u, v) <= FURTHEST) return none;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "'%s' is %s and '%s' is %s, %.0f° from %.4f, %.4f, the centre of the model's local projection, which reaches 90°; leave the place out, or fit a model of the data there",
            eastName,
            u,
            northName,
            v,
            arc(u, v),
            longitude,
            latitude));
  }

  /// Returns the longitude of the same meridian that lies within 180 degrees of the centre.
  /// Coordinates on a plane are returned unchanged.
  public double near(double u) {
    return projection == Projection.NONE ? u : longitude + wrapped(u - longitude);
  }

  /// Says why a longitude and a latitude are not valid; empty if they are.
  public static Optional<String> refusal(
      String eastName, double longitude, String northName, double latitude) {
    boolean lat = Math.abs(latitude) <= 90;
    boolean lon = Math.abs(longitude) <= 360;
    if (lat && lon) return Optional.empty();
    String name = lat ? eastName : northName;
    double value = lat ? longitude : latitude;
    String rule =
        lat
            ? "a longitude lies from -360 to 360 degrees"
            : "a latitude lies from -90 to 90 degrees";
    String remedy =
        Math.abs(value) > 360
            ? "if it is in metres, name its coordinate system; if it is in degrees, check its decimal point"
            : !lat && Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180
                ? "if the columns are swapped, name them the other way round, or drop the row"
                : "correct the value or drop the row";
    return Optional.of("'%s' is %s, and %s; %s".formatted(name, value, rule, remedy));
  }

  // ---- bytes ----

  @Override
  public String type() {
    return TYPE;
  }

  /// The number of columns, the two coordinate columns and the projection (0 none, 1
  /// equirectangular, 2 equal-area) as 32-bit numbers. Then the longitude and latitude of the
  /// centre, the radius and inverse flattening of the Earth, the distortion, the angle and its
  /// standard error as 64-bit numbers. Then both names, each as its length in 32 bits and its bytes
  /// in UTF-8. Little-endian.
  @Override
  public byte[] bytes() {
    byte[] first = eastName.getBytes(StandardCharsets.UTF_8);
    byte[] second = northName.getBytes(StandardCharsets.UTF_8);
    ByteBuffer all =
        ByteBuffer.allocate(4 * 4 + 7 * 8 + 8 + first.length + second.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(inputs)
            .putInt(east)
            .putInt(north)
            .putInt(projection.number);
    for (double value : numbers()) all.putDouble(value);
    all.putInt(first.length).put(first).putInt(second.length).put(second);
    return all.array();
  }

  private double[] numbers() {
    return new double[] {
      longitude,
      latitude,
      ellipsoid.semiMajor(),
      ellipsoid.inverseFlattening(),
      distortion,
      angle,
      angleError
    };
  }

  static PlaceMap read(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int inputs = all.getInt();
      int east = all.getInt();
      int north = all.getInt();
      int kind = all.getInt();
      Projection projection =
          Arrays.stream(Projection.values())
              .filter(p -> p.number == kind)
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "its coordinates have an unknown projection number " + kind));
      double longitude = all.getDouble();
      double latitude = all.getDouble();
      Place.Ellipsoid ellipsoid = new Place.Ellipsoid(all.getDouble(), all.getDouble());
      double distortion = all.getDouble();
      double angle = all.getDouble();
      double angleError = all.getDouble();
      String first = name(all);
      String second = name(all);
      if (all.hasRemaining())
        throw new IllegalArgumentException(
            "its coordinate map has %s bytes too many".formatted(all.remaining()));
      return new PlaceMap(
          inputs,
          east,
          north,
          first,
          second,
          projection,
          longitude,
          latitude,
          ellipsoid,
          distortion,
          angle,
          angleError);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("its coordinate map ends too early", e);
    }
  }

  private static String name(ByteBuffer all) {
    int length = all.getInt();
    if (length < 0 || length > LONGEST_NAME || length > all.remaining())
      throw new IllegalArgumentException("its coordinate map has a name of length " + length);
    byte[] bytes = new byte[length];
    all.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PlaceMap map && Arrays.equals(bytes(), map.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  /// The projection with its centre and distortion, and the angle.
  @Override
  public String toString() {
    String turned =
        angle == 0
            ? ""
            : String.format(Locale.ROOT, "axes turned to %.1f° clockwise from north", angle)
                + (angleError > 0
                    ? String.format(Locale.ROOT, " (± %.2g°, learned)", angleError)
                    : "");
    if (projection == Projection.NONE) return turned.isEmpty() ? "as they stand" : turned;
    return String.format(
            Locale.ROOT,
            "kilometres by the %s projection around %.4f, %.4f; distances within %.2g %%",
            projection,
            longitude,
            latitude,
            100 * distortion)
        + (turned.isEmpty() ? "" : "; " + turned);
  }
}
