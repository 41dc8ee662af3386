package lovelace.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns two columns of coordinates into those that a process reads. Longitudes and latitudes
/// become kilometres east and north by a local projection. If the process has a direction, both
/// axes are rotated. Other columns stay as they are.
///
/// The features take the positions of the coordinates. With an angle θ, clockwise from north, the
/// second is the distance *along* it, `e sin θ + n cos θ`, and the first the distance *across* it,
/// `e cos θ − n sin θ`.
public final class PlaceMap implements FeatureMap {

  static final String TYPE = "place";

  /// The largest number of columns.
  private static final int MOST_COLUMNS = 1 << 20;

  /// How longitudes and latitudes become coordinates on a plane.
  public enum Projection {
    /// Coordinates are already on a plane.
    NONE(0, "as they stand"),
    /// `x ∝ λ − λ₀`, `y ∝ φ − φ₀`, with the scales at the centre. A grid of degrees stays a grid.
    EQUIRECTANGULAR(1, "equirectangular"),
    /// Lambert's azimuthal equal-area projection on the ellipsoid, Snyder (1987) eqs. (24-17) to
    /// (24-20), (3-11), (3-12).
    EQUAL_AREA(2, "Lambert azimuthal equal-area");

    final int number; // in files
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
  private final Centre centre;
  private final Place.Ellipsoid ellipsoid;
  private final double distortion;
  private final double angle;
  private final double angleError;

  // derived from these
  private final double cos;
  private final double sin;
  private final LocalProjection local;

  PlaceMap(
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
    this.centre = new Centre(longitude, latitude);
    this.ellipsoid = ellipsoid;
    this.distortion = distortion;
    this.angle = angle;
    this.angleError = angleError;
    double turn = Math.toRadians(angle);
    cos = angle == 0 ? 1 : Math.cos(turn);
    sin = angle == 0 ? 0 : Math.sin(turn);
    local = LocalProjection.of(projection, centre, ellipsoid);
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
    return new PlaceSpan(place, columns, points).map(columns, regular, most);
  }

  PlaceMap with(double distortion, double angle, double error) {
    return new PlaceMap(
        inputs,
        east,
        north,
        eastName,
        northName,
        projection,
        centre.longitude(),
        centre.latitude(),
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

  // ---- properties ----

  /// How longitudes and latitudes become coordinates on a plane.
  public Projection projection() {
    return projection;
  }

  /// The longitude of the centre, in degrees.
  public double longitude() {
    return centre.longitude();
  }

  /// The latitude of the centre, in degrees.
  public double latitude() {
    return centre.latitude();
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

  String eastName() {
    return eastName;
  }

  String northName() {
    return northName;
  }

  /// The shape of the Earth.
  public Place.Ellipsoid ellipsoid() {
    return ellipsoid;
  }

  /// Kilometres per degree of longitude in the equirectangular projection.
  public double eastScale() {
    return new Equirectangular(centre, ellipsoid).eastScale();
  }

  /// Kilometres per degree of latitude in the equirectangular projection.
  public double northScale() {
    return new Equirectangular(centre, ellipsoid).northScale();
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
    return new EqualAreaProjection(centre, ellipsoid).constants();
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

  @Override
  public void apply(double[] x, int rows, double[] out) {
    System.arraycopy(x, 0, out, 0, rows * inputs);
    double[] xy = new double[2];
    for (int i = 0; i < rows; i++) {
      int at = i * inputs;
      local.plane(x[at + east], x[at + north], xy);
      out[at + east] = xy[0] * cos - xy[1] * sin;
      out[at + north] = xy[0] * sin + xy[1] * cos;
    }
  }

  /// Turns features back into columns: the inverse of [#apply]. Longitudes lie within 180 degrees
  /// of the centre.
  public void columns(double[] features, int rows, double[] out) {
    System.arraycopy(features, 0, out, 0, rows * inputs);
    double[] xy = new double[2];
    for (int i = 0; i < rows; i++) {
      double across = features[i * inputs + east];
      double along = features[i * inputs + north];
      xy[0] = across * cos + along * sin;
      xy[1] = along * cos - across * sin;
      local.place(xy);
      out[i * inputs + east] = xy[0];
      out[i * inputs + north] = xy[1];
    }
  }

  @Override
  public void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo) {
    double across = g[go + east];
    double along = g[go + north];
    System.arraycopy(g, go, out, oo, inputs);
    double ge = across * cos + along * sin;
    double gn = along * cos - across * sin;
    local.pullBack(x[xo + east], x[xo + north], ge, gn, out, oo + east, oo + north);
  }

  /// Says why a point has no features, naming column, value, rule and remedy. Empty if it has
  /// features.
  @Override
  public Optional<String> refusal(double[] x, int from) {
    if (projection == Projection.NONE) return Optional.empty();
    double u = x[from + east];
    double v = x[from + north];
    Optional<String> none = refusal(eastName, u, northName, v);
    if (none.isPresent() || centre.isNear(u, v)) return none;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "'%s' is %s and '%s' is %s, %.0f° from %.4f, %.4f, the centre of the model's local projection, which reaches 90°; leave the place out, or fit a model of the data there",
            eastName,
            u,
            northName,
            v,
            centre.arc(u, v),
            centre.longitude(),
            centre.latitude()));
  }

  /// Returns the longitude of the same meridian that lies within 180 degrees of the centre.
  /// Coordinates on a plane are returned unchanged.
  public double near(double u) {
    return projection == Projection.NONE ? u : centre.longitude() + centre.east(u);
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

  @Override
  public byte[] bytes() {
    return PlaceMapBytes.write(this);
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
            centre.longitude(),
            centre.latitude(),
            100 * distortion)
        + (turned.isEmpty() ? "" : "; " + turned);
  }
}
