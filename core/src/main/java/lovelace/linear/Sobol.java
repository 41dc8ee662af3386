package lovelace.linear;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// Sobol' points in the unit cube of up to 21 dimensions, with the direction numbers of Joe and
/// Kuo, SIAM J. Sci. Comput. 30 (2008), file new-joe-kuo-6.21201.
///
/// Point k is `⊕ v_j` over the bits of k's Gray code, in 52 bits. Points can be asked for in any
/// order. Every 2ᵃ consecutive points from a multiple of 2ᵃ put one point in each of 2ᵃ equal
/// intervals of every axis. Immutable.
public final class Sobol {

  /// The most dimensions.
  public static final int MAX_DIMENSIONS = 21;

  private static final int BITS = 52;

  /// Degree s, coefficients a of the primitive polynomial and initial numbers m₁ … m_s, from the
  /// second dimension on.
  private static final int[][] JOE_KUO = {
    {1, 0, 1},
    {2, 1, 1, 3},
    {3, 1, 1, 3, 1},
    {3, 2, 1, 1, 1},
    {4, 1, 1, 1, 3, 3},
    {4, 4, 1, 3, 5, 13},
    {5, 2, 1, 1, 5, 5, 17},
    {5, 4, 1, 1, 5, 5, 5},
    {5, 7, 1, 1, 7, 11, 19},
    {5, 11, 1, 1, 5, 1, 1},
    {5, 13, 1, 1, 1, 3, 11},
    {5, 14, 1, 3, 5, 5, 31},
    {6, 1, 1, 3, 3, 9, 7, 49},
    {6, 13, 1, 1, 1, 15, 21, 21},
    {6, 16, 1, 3, 1, 13, 27, 49},
    {6, 19, 1, 1, 1, 15, 7, 5},
    {6, 22, 1, 3, 1, 15, 13, 25},
    {6, 25, 1, 1, 5, 5, 19, 61},
    {7, 1, 1, 3, 7, 11, 23, 15, 103},
    {7, 4, 1, 3, 7, 13, 13, 15, 69},
  };

  private final long[][] directions;
  private final long[] shift;

  private Sobol(long[] shift) {
    this.directions = new long[shift.length][];
    this.shift = shift;
    for (int j = 0; j < shift.length; j++) directions[j] = directions(j);
  }

  /// The sequence itself; point 0 is the origin.
  public static Sobol of(int dimensions) {
    return new Sobol(new long[checked(dimensions)]);
  }

  /// The sequence under a random digital shift (exclusive or). Every point is then uniform in the
  /// cube.
  public static Sobol shifted(int dimensions, RandomGenerator random) {
    long[] shift = new long[checked(dimensions)];
    for (int j = 0; j < shift.length; j++) shift[j] = random.nextLong() >>> (64 - BITS);
    return new Sobol(shift);
  }

  /// The number of coordinates of a point.
  public int dimensions() {
    return shift.length;
  }

  /// Point k; each coordinate lies in `[0, 1)`.
  public double[] point(long k) {
    if (!(k >= 0 && k < 1L << BITS))
      throw new IllegalArgumentException("point must lie in [0, 2^52), got " + k);
    double[] x = new double[shift.length];
    long gray = k ^ (k >>> 1);
    for (int j = 0; j < x.length; j++) {
      long bits = shift[j];
      for (long rest = gray; rest != 0; rest &= rest - 1)
        bits ^= directions[j][Long.numberOfTrailingZeros(rest)];
      x[j] = bits * 0x1p-52;
    }
    return x;
  }

  /// Point k of the box from `lower` to `upper`, which must be finite.
  public double[] point(long k, double[] lower, double[] upper) {
    double[] x = point(k);
    if (lower.length != x.length || upper.length != x.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "lower and upper must have %d entries, got %d and %d",
              x.length,
              lower.length,
              upper.length));
    for (int j = 0; j < x.length; j++) {
      if (!(Double.isFinite(lower[j]) && Double.isFinite(upper[j])))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "bounds of coordinate %d must be finite, got %s and %s",
                j,
                lower[j],
                upper[j]));
      x[j] = lower[j] + x[j] * (upper[j] - lower[j]);
    }
    return x;
  }

  private static int checked(int dimensions) {
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "dimensions must lie in 1 to %d, got %d", MAX_DIMENSIONS, dimensions));
    return dimensions;
  }

  /// Computes `v_k = m_k 2^(52−k)`, where `m_k = 2a₁m_{k−1} ⊕ … ⊕ 2^{s−1}a_{s−1}m_{k−s+1} ⊕ 2^s
  /// m_{k−s} ⊕ m_{k−s}`.
  private static long[] directions(int dimension) {
    long[] m = new long[BITS];
    if (dimension == 0) Arrays.fill(m, 1);
    else {
      int[] row = JOE_KUO[dimension - 1];
      int s = row[0];
      for (int k = 0; k < BITS; k++) {
        if (k < s) {
          m[k] = row[2 + k];
          continue;
        }
        m[k] = m[k - s] ^ (m[k - s] << s);
        for (int i = 1; i < s; i++) if ((row[1] >> (s - 1 - i) & 1) != 0) m[k] ^= m[k - i] << i;
      }
    }
    for (int k = 0; k < BITS; k++) m[k] <<= BITS - 1 - k;
    return m;
  }
}
