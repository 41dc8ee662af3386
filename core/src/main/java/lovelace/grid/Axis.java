package lovelace.grid;

/// Equally spaced points `origin, origin + step, …`. Between the second and the last but one lie
/// `points − 3` cells. Cell c covers `[at(c+1), at(c+2))`, and the last cell also its right end. It
/// is interpolated from the four points c … c+3.
public record Axis(double origin, double step, int points) {

  /// How far beyond its ends, in cells, a point still counts as covered. This allows for rounding
  /// only.
  public static final double SLACK = 1e-9;

  public Axis {
    if (!Double.isFinite(origin))
      throw new IllegalArgumentException("grid origin must be finite, got " + origin);
    if (!(step > 0 && step < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException("grid step must be > 0 and finite, got " + step);
    if (points < 4)
      throw new IllegalArgumentException(
          "an axis needs at least 4 points for cubic interpolation, got " + points);
    if (!(origin + step > origin && origin + step * (points - 1) > origin + step * (points - 2)))
      throw new IllegalArgumentException(
          "grid step " + step + " vanishes beside origin " + origin + "; use fewer points");
  }

  /// The axis whose cells tile `[low, high]`, so that every x between has its full stencil.
  public static Axis covering(double low, double high, int points) {
    if (!(low < high))
      throw new IllegalArgumentException(
          "a grid range needs low < high, got " + low + " to " + high);
    if (points < 4)
      throw new IllegalArgumentException(
          "an axis needs at least 4 points for cubic interpolation, got " + points);
    double ulp = Math.max(Math.ulp(low), Math.ulp(high));
    double pad = 0;
    while (true) {
      double step = (high - low + 2 * pad) / (points - 3);
      Axis axis = new Axis(low - pad - step, step, points);
      if (axis.covers(low) && axis.covers(high)) return axis;
      pad = pad == 0 ? ulp : 2 * pad;
    }
  }

  /// The coordinate of point i.
  public double at(int i) {
    return origin + step * i;
  }

  /// The lowest coordinate covered: `at(1)`. If rounding puts that outside, far from zero, it is
  /// the next number that [#covers] accepts.
  public double low() {
    double low = at(1);
    while (!covers(low)) low = Math.nextUp(low);
    return low;
  }

  /// The highest coordinate covered: `at(points − 2)`, or the next lower number that [#covers]
  /// accepts.
  public double high() {
    double high = at(points - 2);
    while (!covers(high)) high = Math.nextDown(high);
    return high;
  }

  /// The number of cells, `points − 3`.
  public int cells() {
    return points - 3;
  }

  /// Whether x lies in a cell; false for NaN.
  public boolean covers(double x) {
    double u = (x - origin) / step;
    return u >= 1 - SLACK && u <= points - 2 + SLACK;
  }

  /// The cell that holds x, or −1 if none does.
  public int cell(double x) {
    double u = (x - origin) / step;
    return u >= 1 - SLACK && u <= points - 2 + SLACK ? cellOf(u) : -1;
  }

  /// The cell of a covered point that is u steps from the origin.
  int cellOf(double u) {
    return Math.max(0, Math.min((int) u - 1, points - 4));
  }

  /// The coordinate of the nearest point in the range covered.
  public double nearest(double x) {
    double node = at(Math.clamp(Math.round((x - origin) / step), 1, points - 2));
    return Math.clamp(node, low(), high());
  }

  /// The points' coordinates.
  public double[] coordinates() {
    double[] all = new double[points];
    for (int i = 0; i < points; i++) all[i] = at(i);
    return all;
  }
}
