package lovelace.posterior;

/// Checks of points that come from outside.
public final class Points {

  private Points() {}

  /// The number of points in a row-major array of d columns, every value of which must be finite.
  public static int check(double[] points, int d) {
    if (points.length % d != 0)
      throw new IllegalArgumentException(
          "points must hold %d numbers each, got %d numbers in all".formatted(d, points.length));
    for (int i = 0; i < points.length; i++)
      if (!Double.isFinite(points[i]))
        throw new IllegalArgumentException(
            "row %d: column %d must be finite, got %s; drop the row or fill the value"
                .formatted(i / d + 1, i % d + 1, points[i]));
    return points.length / d;
  }
}
