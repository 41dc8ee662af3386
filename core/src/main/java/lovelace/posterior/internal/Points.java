package lovelace.posterior.internal;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.data.FeatureMap;

/// Checks points that come from outside.
public final class Points {

  private Points() {}

  /// The number of points in a row-major array of d columns, every value of which must be finite.
  public static int check(double[] points, int d) {
    if (points.length % d != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "points must hold %d numbers each, got %d numbers in all",
              d,
              points.length));
    for (int i = 0; i < points.length; i++)
      if (!Double.isFinite(points[i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %d: column %d must be finite, got %s; drop the row or fill the value",
                i / d + 1,
                i % d + 1,
                points[i]));
    return points.length / d;
  }

  /// The features of points in a row-major array. Points and features must be finite; a message
  /// names the row, and the column or the feature.
  public static double[] features(FeatureMap map, double[] points) {
    int count = check(points, map.inputs());
    int k = map.outputs();
    double[] features =
        new double
            [Budget.numbers(count, k, "the features of the rows", "give fewer rows or features")];
    map.apply(points, count, features);
    for (int i = 0; i < features.length; i++)
      if (!Double.isFinite(features[i]))
        throw noFeature(map, points, i / k, i / k + 1, i % k, features[i]);
    return features;
  }

  /// The error for a row that has no feature.
  ///
  /// @param i the row in the array
  /// @param row its number in messages, counted from 1
  /// @param feature counted from 0
  public static IllegalArgumentException noFeature(
      FeatureMap map, double[] points, int i, long row, int feature, double value) {
    return map.refusal(points, i * map.inputs())
        .map(
            why -> new IllegalArgumentException(String.format(Locale.ROOT, "row %,d: ", row) + why))
        .orElseGet(() -> notFinite(row, "feature " + (feature + 1), value));
  }

  /// The error for a row with a value, or a feature of its values, that is not finite.
  ///
  /// @param row counted from 1
  public static IllegalArgumentException notFinite(long row, String what, double value) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d: %s is %s and must be finite; drop the row or change its inputs",
            row,
            what,
            value));
  }
}
