package lovelace.statistics;

import java.util.Arrays;
import lovelace.linear.LinearOperator;

/// A symmetric matrix, stored as its nonzero entries on and above the diagonal, sorted by row and
/// column.
final class SymmetricEntries implements LinearOperator {

  private final int size;
  private final long[] keys;
  private final double[] values;

  /// Takes over both arrays. Keys are `row·2³² + column`, ascending, with row ≤ column.
  SymmetricEntries(int size, long[] keys, double[] values) {
    this.size = size;
    this.keys = keys;
    this.values = values;
  }

  /// Not a copy: read only.
  long[] keys() {
    return keys;
  }

  /// Not a copy: read only.
  double[] values() {
    return values;
  }

  static long key(int row, int column) {
    return (long) row << 32 | column;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void apply(double[] x, double[] y) {
    Arrays.fill(y, 0, size, 0);
    for (int k = 0; k < keys.length; k++) {
      int i = (int) (keys[k] >>> 32);
      int j = (int) keys[k];
      y[i] += values[k] * x[j];
      if (i != j) y[j] += values[k] * x[i];
    }
  }

  /// `this + factor · other`, without rows and columns that are not kept.
  SymmetricEntries combine(double factor, SymmetricEntries other, boolean[] kept) {
    long[] merged = new long[keys.length + other.keys.length];
    double[] sums = new double[merged.length];
    int next = 0;
    for (int i = 0, j = 0; i < keys.length || j < other.keys.length; ) {
      long mine = i < keys.length ? keys[i] : Long.MAX_VALUE;
      long theirs = j < other.keys.length ? other.keys[j] : Long.MAX_VALUE;
      long key = Math.min(mine, theirs);
      double value = 0;
      if (mine == key) value += values[i++];
      if (theirs == key) value += factor * other.values[j++];
      if (!kept[(int) (key >>> 32)] || !kept[(int) key]) continue;
      merged[next] = key;
      sums[next++] = value;
    }
    return new SymmetricEntries(size, Arrays.copyOf(merged, next), Arrays.copyOf(sums, next));
  }

  /// A growing hash table of sums by key, with open addressing.
  static final class Sums {
    private long[] keys = new long[1 << 12];
    private double[] values = new double[1 << 12];
    private int count;

    Sums() {
      Arrays.fill(keys, -1);
    }

    int count() {
      return count;
    }

    void add(long key, double value) {
      int mask = keys.length - 1;
      int at = place(key, mask);
      while (keys[at] != key) {
        if (keys[at] < 0) {
          if (2 * ++count > keys.length) {
            grow();
            mask = keys.length - 1;
            at = place(key, mask);
            while (keys[at] >= 0) at = at + 1 & mask;
          }
          keys[at] = key;
          break;
        }
        at = at + 1 & mask;
      }
      values[at] += value;
    }

    private static int place(long key, int mask) {
      long h = key * 0x9E3779B97F4A7C15L;
      return (int) (h >>> 32) & mask;
    }

    private void grow() {
      long[] oldKeys = keys;
      double[] oldValues = values;
      keys = new long[2 * oldKeys.length];
      values = new double[keys.length];
      Arrays.fill(keys, -1);
      int mask = keys.length - 1;
      for (int k = 0; k < oldKeys.length; k++) {
        if (oldKeys[k] < 0) continue;
        int at = place(oldKeys[k], mask);
        while (keys[at] >= 0) at = at + 1 & mask;
        keys[at] = oldKeys[k];
        values[at] = oldValues[k];
      }
    }

    /// Appends the keys to `to` from position `at` on. The caller sorts them.
    int keys(long[] to, int at) {
      for (long key : keys) if (key >= 0) to[at++] = key;
      return at;
    }

    /// Writes each sum to the position of its key in the sorted array.
    void values(long[] sorted, double[] to) {
      for (int k = 0; k < keys.length; k++)
        if (keys[k] >= 0) to[Arrays.binarySearch(sorted, keys[k])] = values[k];
    }
  }
}
