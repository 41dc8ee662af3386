package lovelace.statistics;

import java.util.Arrays;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// A symmetric dense matrix, row-major.
final class DenseGram implements LinearOperator {

  private final int size;
  private final double[] entries;

  /// Takes over the entries.
  DenseGram(int size, double[] entries) {
    this.size = size;
    this.entries = entries;
  }

  /// Makes a matrix from entries on and above the diagonal, in the form of [SymmetricEntries].
  static DenseGram of(int size, long[] keys, double[] values) {
    double[] full = new double[size * size];
    for (int k = 0; k < keys.length; k++) {
      int i = (int) (keys[k] >>> 32);
      int j = (int) keys[k];
      full[i * size + j] = values[k];
      full[j * size + i] = values[k];
    }
    return new DenseGram(size, full);
  }

  /// The positions of the nonzero entries on and above the diagonal.
  long[] keys() {
    long[] keys = new long[size * (size + 1) / 2];
    int count = 0;
    for (int i = 0; i < size; i++)
      for (int j = i; j < size; j++)
        if (entries[i * size + j] != 0) keys[count++] = SymmetricEntries.key(i, j);
    return Arrays.copyOf(keys, count);
  }

  /// The entries at [#keys].
  double[] values() {
    long[] keys = keys();
    double[] values = new double[keys.length];
    for (int k = 0; k < keys.length; k++)
      values[k] = entries[(int) (keys[k] >>> 32) * size + (int) keys[k]];
    return values;
  }

  double[] entries() {
    return entries;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void apply(double[] x, double[] y) {
    applyBlock(1, x, y);
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    Parallel.chunks(
        size,
        128,
        (k, from, to) -> {
          for (int i = from; i < to; i++)
            for (int c = 0; c < count; c++) y[c * size + i] = dot(i * size, x, c * size);
        });
  }

  private double dot(int row, double[] x, int xo) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int j = 0;
    for (; j + 3 < size; j += 4) {
      s0 += entries[row + j] * x[xo + j];
      s1 += entries[row + j + 1] * x[xo + j + 1];
      s2 += entries[row + j + 2] * x[xo + j + 2];
      s3 += entries[row + j + 3] * x[xo + j + 3];
    }
    for (; j < size; j++) s0 += entries[row + j] * x[xo + j];
    return (s0 + s1) + (s2 + s3);
  }

  /// `this + factor · other`. Rows and columns that are not kept become zero.
  DenseGram combine(double factor, DenseGram other, boolean[] kept) {
    double[] sum = new double[entries.length];
    for (int i = 0; i < size; i++) {
      if (!kept[i]) continue;
      for (int j = 0, k = i * size; j < size; j++, k++)
        if (kept[j]) sum[k] = entries[k] + factor * other.entries[k];
    }
    return new DenseGram(size, sum);
  }
}
