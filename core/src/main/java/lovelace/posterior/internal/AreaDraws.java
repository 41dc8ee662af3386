package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Joint draws of weighted means over areas.
public final class AreaDraws {

  /// The most numbers of draws that are held at a time, over all points of some areas.
  private static final long NUMBERS = 1 << 25;

  private AreaDraws() {}

  /// Draws of the mean over each area, a row per area.
  ///
  /// @param sample joint draws at points, `draws × t` row-major, from one seed
  /// @param jointBytes the bytes that `sample` needs at points beside its draws; 0 if there may be
  ///   many points
  public static double[][] of(
      Areas areas,
      int draws,
      Function<double[], double[]> sample,
      ToLongFunction<double[]> jointBytes) {
    double[][] out = new double[areas.count()][];
    for (int from = 0, to; from < out.length; from = to) {
      to = from + 1;
      double[] points = areas.points(from);
      // areas together if that is cheaper: each gets the same draws as alone
      if (jointBytes.applyAsLong(points) == 0)
        while (to < out.length && (long) draws * areas.size(from, to + 1) <= NUMBERS) {
          if (jointBytes.applyAsLong(areas.points(to)) > 0) break;
          to++;
        }
      if (to > from + 1) points = areas.points(from, to);
      double[] all = sample.apply(points);
      int count = areas.size(from, to);
      int at = 0;
      for (int a = from; a < to; a++) {
        double[] w = areas.weights(a);
        double[] own = new double[draws];
        for (int s = 0; s < draws; s++)
          for (int i = 0; i < w.length; i++) own[s] += w[i] * all[s * count + at + i];
        out[a] = own;
        at += w.length;
      }
    }
    return out;
  }

  /// The mean over each area of values at its points, one after another.
  public static double[] means(Areas areas, Function<double[], double[]> values) {
    double[] out = new double[areas.count()];
    Arrays.setAll(
        out,
        a -> {
          double[] w = areas.weights(a);
          double[] y = values.apply(areas.points(a));
          double sum = 0;
          for (int i = 0; i < w.length; i++) if (w[i] > 0) sum += w[i] * y[i];
          return sum;
        });
    return out;
  }
}
