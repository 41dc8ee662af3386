package lovelace.series;

import java.util.function.DoubleUnaryOperator;

/// Quantiles of a distribution function.
final class Roots {

  private Roots() {}

  /// The place where the distribution function is p, right of a place where it is less, with the
  /// value there. Falls back to halving whenever a secant does not shrink the bracket.
  static double[] root(DoubleUnaryOperator cdf, double p, double from, double fromP, double to) {
    double a = from;
    double fa = fromP - p;
    double b = to;
    double fb = cdf.applyAsDouble(b) - p;
    if (fb <= 0) return new double[] {b, fb + p};
    int side = 0;
    for (int i = 0; i < 100; i++) {
      double x = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
      if (!(x > a && x < b)) x = 0.5 * (a + b);
      double fx = cdf.applyAsDouble(x) - p;
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
