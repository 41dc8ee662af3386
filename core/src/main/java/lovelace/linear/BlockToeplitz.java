package lovelace.linear;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/// The symmetric matrix `A[x, y] = k(x − y)` over a grid of one to four axes (row-major, last axis
/// fastest): Toeplitz in one dimension, block Toeplitz with Toeplitz blocks in several. It is a
/// corner of a circulant matrix of about twice the length in each axis, so a product costs O(m log
/// m) by [Fft] (Dietrich and Newsam 1997).
public final class BlockToeplitz implements LinearOperator {

  private final int[] shape;
  private final int size;
  private final Fft fft;
  private final double[] eigenvalues;

  private BlockToeplitz(int[] shape, ToDoubleFunction<int[]> kernel) {
    this.shape = shape;
    int[] lengths = new int[shape.length];
    long size = 1;
    for (int j = 0; j < shape.length; j++) {
      if (shape[j] < 1)
        throw new IllegalArgumentException("shape must be ≥ 1, got " + Arrays.toString(shape));
      lengths[j] = shape[j] == 1 ? 1 : Fft.smooth(2 * shape[j] - 1);
      size *= shape[j];
    }
    this.fft = Fft.of(lengths);
    this.size = (int) size;
    this.eigenvalues = fft.evenSpectrum(wrap(shape, lengths, kernel));
  }

  /// The matrix of a kernel that is even in each axis separately. `values` holds k at all
  /// non-negative offsets, in the shape of the grid.
  public static BlockToeplitz even(int[] shape, double[] values) {
    long size = 1;
    for (int n : shape) size *= n;
    if (values.length != size)
      throw new IllegalArgumentException(
          "values must have the shape of the grid, "
              + Arrays.toString(shape)
              + ", got "
              + values.length
              + " numbers");
    return new BlockToeplitz(
        shape.clone(),
        offset -> {
          int index = 0;
          for (int j = 0; j < offset.length; j++) index = index * shape[j] + Math.abs(offset[j]);
          return values[index];
        });
  }

  /// The matrix of any symmetric kernel, `k(o) = k(−o)`. Calls `kernel` at grid offsets `−mⱼ < oⱼ <
  /// mⱼ`, and reuses the array of the offset.
  public static BlockToeplitz symmetric(int[] shape, ToDoubleFunction<int[]> kernel) {
    return new BlockToeplitz(shape.clone(), kernel);
  }

  /// The first column of the circulant: k at offsets modulo the lengths, and zero where no offset
  /// of the grid falls.
  private static double[] wrap(int[] shape, int[] lengths, ToDoubleFunction<int[]> kernel) {
    int d = shape.length;
    int total = 1;
    for (int n : lengths) total *= n;
    double[] column = new double[total];
    int[] offset = new int[d];
    for (int i = 0; i < total; i++) {
      boolean inside = true;
      for (int j = d - 1, rest = i; j >= 0; rest /= lengths[j], j--) {
        int at = rest % lengths[j];
        offset[j] = at < shape[j] ? at : at - lengths[j];
        inside &= Math.abs(offset[j]) < shape[j];
      }
      if (inside) column[i] = kernel.applyAsDouble(offset);
    }
    return column;
  }

  /// The number of grid points along each axis, as a new array.
  public int[] shape() {
    return shape.clone();
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
    Parallel.forEach(
        count,
        c -> {
          double[] spectrum = new double[fft.spectrumSize()];
          fft.forward(shape, x, c * size, spectrum);
          Fft.scale(eigenvalues, spectrum);
          fft.inverse(shape, spectrum, y, c * size);
        });
  }
}
