package lovelace.data;

/// Coordinates that are already on a plane.
final class PlaneCoordinates implements LocalProjection {

  @Override
  public void plane(double u, double v, double[] xy) {
    xy[0] = u;
    xy[1] = v;
  }

  @Override
  public void place(double[] xy) {}

  @Override
  public void pullBack(
      double u, double v, double east, double north, double[] out, int first, int second) {
    out[first] = east;
    out[second] = north;
  }
}
