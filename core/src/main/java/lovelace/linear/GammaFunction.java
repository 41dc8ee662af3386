package lovelace.linear;

/// The logarithm of the gamma function, and functions derived from it. Arguments are positive.
public final class GammaFunction {

  private static final double LOG_ROOT_2PI = 0.5 * Math.log(2 * Math.PI);

  /// Stirling's series is exact to rounding from here on.
  private static final double LARGE = 16;

  private GammaFunction() {}

  /// `log Γ(x)`, by Stirling's series after a shift.
  public static double log(double x) {
    if (x == 1 || x == 2) return 0;
    double product = 1;
    double z = x;
    for (; z < LARGE; z++) product *= z;
    double large = (z - 0.5) * Math.log(z) - z + LOG_ROOT_2PI + series(z);
    return product == 1 ? large : large - Math.log(product);
  }

  /// `ψ(x) = d log Γ(x)/dx`.
  public static double digamma(double x) {
    return Math.log(x) - logMinusDigamma(x);
  }

  /// `log x − ψ(x)`, which is about 1/(2x). No digits cancel for large x.
  public static double logMinusDigamma(double x) {
    double sum = 0;
    double z = x;
    for (; z < LARGE; z++) sum += 1 / z;
    double rest = 0.5 / z - seriesSlope(z);
    return z == x ? rest : sum + rest - Math.log(z / x);
  }

  /// `log Γ(x) − (x − ½) log x + x − ½ log 2π`, which is about 1/(12x).
  public static double stirling(double x) {
    return x < LARGE ? log(x) - (x - 0.5) * Math.log(x) + x - LOG_ROOT_2PI : series(x);
  }

  /// `x log x − x − log Γ(x)`.
  public static double entropy(double x) {
    return 0.5 * Math.log(x) - LOG_ROOT_2PI - stirling(x);
  }

  /// `log(1 + u) − u` for u > −1.
  public static double log1pMinus(double u) {
    if (Math.abs(u) > 0.1) return Math.log1p(u) - u;
    double term = -u;
    double sum = 0;
    for (int k = 2; k < 20; k++) {
      term *= -u;
      sum -= term / k;
    }
    return sum;
  }

  /// `log C(n, k)`.
  public static double logChoose(double n, double k) {
    return k == 0 || k == n ? 0 : log(n + 1) - log(k + 1) - log(n - k + 1);
  }

  /// `Σ log(1 + k a)` over whole k from 0 to y − 1, which is `log Γ(y + 1/a) − log Γ(1/a) + y log
  /// a`. Nothing cancels for small a, and the time does not grow with y.
  public static double logRising(double y, double a) {
    double r = 1 / a;
    double direct = y <= LARGE || r < LARGE ? Math.min(y, LARGE) : 0;
    double sum = 0;
    for (int k = 1; k < direct; k++) sum += Math.log1p(k * a);
    if (direct == y) return sum;
    double left = y - direct;
    double from = r + direct;
    double u = left / from;
    return sum
        + left * Math.log1p(direct * a)
        + (left - 0.5) * Math.log1p(u)
        + from * log1pMinus(u)
        + series(from + left)
        - series(from);
  }

  /// The slope of [#logRising] in a: `Σ k/(1 + k a)`.
  public static double logRisingSlope(double y, double a) {
    double r = 1 / a;
    double direct = y <= LARGE || r < LARGE ? Math.min(y, LARGE) : 0;
    double sum = 0;
    for (int k = 1; k < direct; k++) sum += k / (1 + k * a);
    if (direct == y) return sum;
    if (direct > 0) return sum + r * (y - direct - r * (digamma(r + y) - digamma(r + direct)));
    double u = y * a;
    return -r * r * (log1pMinus(u) + seriesSlope(r + y) - seriesSlope(r)) - 0.5 * y / (1 + u);
  }

  private static double series(double z) {
    double q = 1 / (z * z);
    return (1.0 / 12
            - q
                * (1.0 / 360
                    - q * (1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 - q * 691 / 360360)))))
        / z;
  }

  private static double seriesSlope(double z) {
    double q = 1 / (z * z);
    return -q
        * (1.0 / 12
            - q
                * (1.0 / 120
                    - q * (1.0 / 252 - q * (1.0 / 240 - q * (1.0 / 132 - q * 691 / 32760)))));
  }
}
