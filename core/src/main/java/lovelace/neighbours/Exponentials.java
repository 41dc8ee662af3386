package lovelace.neighbours;

/// The exponentials of many numbers in one loop that the compiler vectorises. It is about twice as
/// fast as single calls.
///
/// Let k be the integer nearest to `t/ln 2` and `r = t − k ln 2`. Then `exp t = 2ᵏ exp r`, |r| is
/// at most 0.35, and Taylor's series to degree 13 is exact to rounding.
final class Exponentials {

  /// Adding and subtracting it rounds to an integer.
  private static final double ROUND = 0x1.8p52;

  private static final double LOG2_E = 1 / Math.log(2);

  /// ln 2 in two parts. The first has so few digits that `k LN2_HIGH` is exact.
  private static final double LN2_HIGH = 0x1.62e42feep-1;

  private static final double LN2_LOW = 0x1.a39ef35793c76p-33;

  private Exponentials() {}

  /// `t ← exp t` for n numbers ≤ 0. Also overwrites `work`. The relative error is below 3e-16;
  /// below −707 the result is 0.
  static void negative(double[] t, double[] work, int n) {
    for (int j = 0; j < n; j++) {
      double k = t[j] * LOG2_E + ROUND - ROUND;
      double r = t[j] - k * LN2_HIGH - k * LN2_LOW;
      work[j] = near0(r);
      t[j] = k;
    }
    for (int j = 0; j < n; j++)
      t[j] = t[j] < -1020 ? 0 : work[j] * Double.longBitsToDouble(((long) t[j] + 1023) << 52);
  }

  private static double near0(double r) {
    double q = 1 / 6227020800.0;
    q = q * r + 1 / 479001600.0;
    q = q * r + 1 / 39916800.0;
    q = q * r + 1 / 3628800.0;
    q = q * r + 1 / 362880.0;
    q = q * r + 1 / 40320.0;
    q = q * r + 1 / 5040.0;
    q = q * r + 1 / 720.0;
    q = q * r + 1 / 120.0;
    q = q * r + 1 / 24.0;
    q = q * r + 1 / 6.0;
    q = q * r + 0.5;
    return 1 + (r + r * r * q);
  }
}
