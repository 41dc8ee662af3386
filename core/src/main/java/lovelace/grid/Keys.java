package lovelace.grid;

/// Cubic convolution interpolation (Keys 1981, a = −½) as polynomials in the offset from the middle
/// of the cell, `t = f − ½` with −½ ≤ t ≤ ½: `w_p(t) = Σ_q WEIGHTS[4p+q] t^q` for the four points
/// p. With this centre, the weights of points p and 3−p mirror each other, and all coefficients are
/// exact in binary.
public final class Keys {

  static final double[] WEIGHTS = {
    -0.0625, 0.125, 0.25, -0.5, //
    0.5625, -1.375, -0.25, 1.5, //
    0.5625, 1.375, -0.25, -1.5, //
    -0.0625, -0.125, 0.25, 0.5
  };

  /// Pairs p ≤ q of the four points, in the order of [#PRODUCTS].
  public static final int PAIRS = 10;

  /// The index of pair (p, q) in either order: `PAIR[4p+q]`.
  static final int[] PAIR = {0, 1, 2, 3, 1, 4, 5, 6, 2, 5, 7, 8, 3, 6, 8, 9};

  /// `w_p(t) w_q(t) = Σ_r PRODUCTS[7·pair + r] t^r`.
  public static final double[] PRODUCTS = products();

  /// For two axes, converts 49 moments to 100 sums of products at once: `SQUARE[100·(7r+s) +
  /// 10·pair + pair′] = PRODUCTS[pair, r] PRODUCTS[pair′, s]`.
  public static final double[] SQUARE = square();

  private Keys() {}

  private static double[] square() {
    double[] square = new double[49 * 100];
    for (int r = 0; r < 49; r++)
      for (int p = 0; p < 100; p++)
        square[100 * r + p] = PRODUCTS[p / 10 * 7 + r / 7] * PRODUCTS[p % 10 * 7 + r % 7];
    return square;
  }

  private static double[] products() {
    double[] products = new double[PAIRS * 7];
    for (int p = 0; p < 4; p++)
      for (int q = p; q < 4; q++)
        for (int i = 0; i < 4; i++)
          for (int j = 0; j < 4; j++)
            products[7 * PAIR[4 * p + q] + i + j] += WEIGHTS[4 * p + i] * WEIGHTS[4 * q + j];
    return products;
  }

  public static int power(int base, int exponent) {
    int result = 1;
    for (int i = 0; i < exponent; i++) result *= base;
    return result;
  }
}
