package lovelace.series;

import java.util.List;

/// A mixture over points of `g(base + T) − g(base)`, with g the map of a point back to values and T
/// Student's t. Without a base it is `g(T)`.
final class Blend {

  private final double scale;
  private final StudentTable table;
  private final double[] share;
  private final Warp[] warp;
  private final double[] base;
  private final double[] from; // g(base), or 0
  private final double[] place;
  private final double[] spread;

  /// @param scale the unit of the values
  /// @param nu the degrees of freedom
  Blend(double scale, int nu, List<PointFit> points) {
    this(scale, nu, points.stream().mapToDouble(point -> point.share).toArray(), points);
  }

  /// @param share of each point, in place of its own
  Blend(double scale, int nu, double[] share, List<PointFit> points) {
    this.share = share.clone();
    this.scale = scale;
    table = StudentTable.of(nu);
    int count = points.size();
    warp = new Warp[count];
    for (int c = 0; c < count; c++) warp[c] = points.get(c).warp;
    base = new double[count];
    from = new double[count];
    place = new double[count];
    spread = new double[count];
  }

  /// Sets what a point has.
  Blend value(int point, double place, double spread) {
    base[point] = 0;
    from[point] = 0;
    this.place[point] = place;
    this.spread[point] = spread;
    return this;
  }

  /// Sets by what a point differs from a base.
  Blend difference(int point, double base, double place, double spread) {
    this.base[point] = base;
    from[point] = warp[point].back(base);
    this.place[point] = place;
    this.spread[point] = spread;
    return this;
  }

  /// The mean over points of the value at the centre of T.
  double centre() {
    double sum = 0;
    for (int c = 0; c < share.length; c++) sum += share[c] * at(c, 0);
    return scale * sum;
  }

  private double at(int point, double t) {
    return warp[point].back(base[point] + place[point] + t * spread[point]) - from[point];
  }

  /// P(value ≤ x), or P(value < x) at places that some points have for certain.
  private double cdf(double x, boolean open) {
    double sum = 0;
    for (int c = 0; c < share.length; c++) {
      if (spread[c] == 0) {
        double value = at(c, 0);
        if (open ? value < x : value <= x) sum += share[c];
        continue;
      }
      double y = x + from[c];
      if (warp[c].takes(y))
        sum += share[c] * table.cdf((warp[c].of(y) - base[c] - place[c]) / spread[c]);
      else if (warp[c].isBelow(y)) sum += share[c];
    }
    return sum;
  }

  /// P(value ≤ y).
  double cdf(double y) {
    return cdf(y / scale, false);
  }

  /// The quantiles.
  ///
  /// @param levels ascending
  double[] quantiles(double... levels) {
    double most = 0.9999;
    for (double level : levels) most = Math.max(most, Math.max(level, 1 - level));
    double far = Math.max(table.quantile(most), 4);
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    boolean atoms = false;
    for (int c = 0; c < share.length; c++) {
      low = Math.min(low, at(c, -far));
      high = Math.max(high, at(c, far));
      atoms |= spread[c] == 0;
    }
    double[] result = new double[levels.length];
    double at = low;
    double p = cdf(low, false);
    for (int i = 0; i < levels.length; i++) {
      if (atoms && cdf(0, true) < levels[i] && levels[i] <= cdf(0, false)) continue;
      if (levels[i] > p && high > low) {
        double[] found = Roots.root(x -> cdf(x, false), levels[i], at, p, high);
        at = found[0];
        p = found[1];
      }
      result[i] = scale * at;
    }
    return result;
  }
}
