package lovelace.series;

import java.util.Locale;

/// A season of a [Shape]: deviations that repeat with a period and have mean zero over it.
///
/// The covariance at steps i and j, a gap d apart, is `size · s(i, j) · P(d)`. P repeats: with
/// `smooth = 0` and a whole period m it is `(m·[d ≡ 0 mod m] − 1)/(m − 1)`, a free value for each
/// step of the period. Otherwise it is `(exp(−2 sin²(π d/m)/ℓ²) − c)/(1 − c)` with ℓ = smooth and c
/// its mean (MacKay 1998, without its constant part). s says how the season changes: `1 + change ·
/// min(i, j)/m`, or `exp(−d/(decay · m))` if `decay > 0`.
///
/// @param period in steps, at least 2; it need not be whole if the season is smooth
/// @param size its variance at the first step, relative to `1 + level` of the shape
/// @param change the innovation of a period, relative to the size
/// @param decay the number of periods after which the season is forgotten; 0 for never
/// @param smooth the lengthscale on the circle; 0 for a free value at each step
public record Season(double period, double size, double change, double decay, double smooth) {

  public Season {
    if (!(period >= 2)) throw new IllegalArgumentException("period must be ≥ 2, got " + period);
    if (!(size > 0)) throw new IllegalArgumentException("size must be > 0, got " + size);
    if (!(change >= 0 && decay >= 0 && smooth >= 0))
      throw new IllegalArgumentException("change, decay and smooth must be ≥ 0");
    if (smooth == 0 && period != Math.rint(period))
      throw new IllegalArgumentException("a period that is not whole needs a smooth season");
  }

  /// A free value for each step of a whole period.
  public static Season free(double period, double size, double change) {
    return new Season(period, size, change, 0, 0);
  }

  /// A period without needless decimals.
  static String text(double period) {
    return period == Math.rint(period)
        ? Long.toString((long) period)
        : String.format(Locale.ROOT, "%.2f", period);
  }

  /// P at the gaps 0, …, n − 1.
  double[] pattern(int n) {
    double[] p = new double[n];
    if (smooth == 0) {
      int m = (int) period;
      for (int d = 0; d < n; d++) p[d] = d % m == 0 ? 1 : -1. / (m - 1);
      return p;
    }
    double c = 0;
    int nodes = 512;
    for (int i = 0; i < nodes; i++) c += at(i / (double) nodes) / nodes;
    for (int d = 0; d < n; d++) p[d] = (at(d / period) - c) / (1 - c);
    return p;
  }

  private double at(double turns) {
    double s = Math.sin(Math.PI * turns) / smooth;
    return Math.exp(-2 * s * s);
  }

  /// How much of the season lasts between steps.
  double lasting(int earlier, int later) {
    return decay > 0
        ? Math.exp(-(later - earlier) / (decay * period))
        : 1 + change * earlier / period;
  }
}
