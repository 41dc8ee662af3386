package lovelace.io;

import lovelace.data.Dataset;

/// Sixty-four bits that tell whether two tables hold the same rows in any order. It is the sum of a
/// hash of every row, so fingerprints of parts can be added and subtracted like the parts. It does
/// not protect against forgery.
public final class Fingerprint {

  private long sum;

  /// The fingerprint of no rows.
  public Fingerprint() {}

  /// Adds the row whose d inputs start at `x[xo]`.
  public void add(double[] x, int xo, int d, double y, double weight) {
    long h = 0x9e3779b97f4a7c15L + d;
    for (int j = 0; j < d; j++) h = mix(h ^ bits(x[xo + j]));
    h = mix(h ^ bits(y));
    sum += mix(h ^ bits(weight));
  }

  /// Adds every row of a data set.
  public void add(Dataset data) {
    int d = data.dimensions();
    for (int i = 0; i < data.size(); i++)
      add(data.inputs(), i * d, d, data.target()[i], data.weight(i));
  }

  /// The fingerprint of the rows so far; 0 for none.
  public long value() {
    return sum;
  }

  /// −0 and 0 are the same number.
  private static long bits(double x) {
    return Double.doubleToLongBits(x + 0.0);
  }

  /// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
