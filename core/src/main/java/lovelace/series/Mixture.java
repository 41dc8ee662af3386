package lovelace.series;

/// The forecast of one series: for each step a mixture of Student's t, each on the scale of its
/// warp.
///
/// Its quantiles are those of the mixture's distribution function, by safeguarded secants.
public final class Mixture {

  private final int steps;
  private final double scale;
  private final StudentTable table;
  private final double[] share;
  private final Warp[] warp;
  private final double[] place; // by step, then component
  private final double[] spread;
  private final double low;
  private final double high;

  /// A mixture.
  ///
  /// @param scale the values are divided by it
  /// @param nu degrees of freedom of all components
  /// @param bounds the smallest and the largest value, divided by the scale, that is ever forecast
  Mixture(
      int steps,
      double scale,
      int nu,
      double[] share,
      Warp[] warp,
      double[] place,
      double[] spread,
      double... bounds) {
    this.steps = steps;
    this.scale = scale;
    table = StudentTable.of(nu);
    this.share = share;
    this.warp = warp;
    this.place = place;
    this.spread = spread;
    low = bounds[0];
    high = bounds[1];
  }

  public int steps() {
    return steps;
  }

  /// P(value ≤ y) at a step.
  public double cdf(int step, double y) {
    return scaledCdf(step, y / scale);
  }

  private double scaledCdf(int step, double y) {
    double sum = 0;
    int count = share.length;
    Warp last = null;
    double z = 0;
    boolean takes = false;
    for (int c = 0; c < count; c++) {
      Warp w = warp[c];
      if (!w.equals(last)) {
        last = w;
        takes = w.takes(y);
        z = takes ? w.of(y) : 0;
      }
      if (takes)
        sum += share[c] * table.cdf((z - place[step * count + c]) / spread[step * count + c]);
      else if (w.isBelow(y)) sum += share[c];
    }
    return sum;
  }

  /// The quantiles at a step.
  ///
  /// @param levels ascending, between 0 and 1
  public double[] quantiles(int step, double... levels) {
    double[] result = new double[levels.length];
    double[] ends = ends(step, levels);
    double from = ends[0];
    double fromP = scaledCdf(step, from);
    for (int i = 0; i < levels.length; i++) {
      if (levels[i] <= fromP) {
        result[i] = scale * from;
        continue;
      }
      double[] found = root(step, levels[i], from, fromP, ends[1]);
      from = found[0];
      fromP = found[1];
      result[i] = scale * from;
    }
    return result;
  }

  /// A draw of the mixture, moved to where the calibrated distribution has the same share.
  double moved(int step, double y, Calibration calibration) {
    double bounded = scale * Math.clamp(y / scale, low, high);
    if (calibration.equals(Calibration.NONE)) return bounded;
    double u = Math.clamp(cdf(step, bounded), 1e-6, 1 - 1e-6);
    return quantiles(step, calibration.level(step, steps, u))[0];
  }

  /// Places outside of which no component has one of the levels, within the bounds.
  private double[] ends(int step, double[] levels) {
    double a = Double.POSITIVE_INFINITY;
    double b = Double.NEGATIVE_INFINITY;
    double most = 0.9999;
    for (double level : levels) most = Math.max(most, Math.max(level, 1 - level));
    double far = Math.max(table.quantile(most), 4);
    int count = share.length;
    for (int c = 0; c < count; c++) {
      int at = step * count + c;
      a = Math.min(a, warp[c].back(place[at] - far * spread[at]));
      b = Math.max(b, warp[c].back(place[at] + far * spread[at]));
    }
    a = Math.clamp(a, low, high);
    return new double[] {a, Math.clamp(b, a, high)};
  }

  /// The place where the distribution function is p, right of a place where it is less, with the
  /// value there. Falls back to halving whenever a secant does not shrink the bracket.
  private double[] root(int step, double p, double from, double fromP, double to) {
    double a = from;
    double fa = fromP - p;
    double b = to;
    double fb = scaledCdf(step, b) - p;
    if (fb <= 0) return new double[] {b, fb + p};
    int side = 0;
    for (int i = 0; i < 100; i++) {
      double x = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
      if (!(x > a && x < b)) x = 0.5 * (a + b);
      double fx = scaledCdf(step, x) - p;
      if (Math.abs(fx) < 1e-7 || b - a <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)))
        return new double[] {x, fx + p};
      if (fx < 0) {
        a = x;
        fa = fx;
        if (side == -1) fb /= 2;
        side = -1;
      } else {
        b = x;
        fb = fx;
        if (side == 1) fa /= 2;
        side = 1;
      }
    }
    return new double[] {0.5 * (a + b), p};
  }
}
