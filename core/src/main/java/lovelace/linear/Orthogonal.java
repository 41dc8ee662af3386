package lovelace.linear;

import java.util.Arrays;

/// Orthogonal transformations of small row-major arrays.
public final class Orthogonal {

  /// A row whose squared length is below this counts as empty. Rounding leaves a little in an empty
  /// row, which would shrink at every step of a chain until it underflows.
  private static final double NOTHING = 1e-250;

  private Orthogonal() {}

  /// `a ← aΘ`, by Householder reflections from the right. The result is lower trapezoidal.
  public static void lower(double[] a, int rows, int columns) {
    for (int i = 0; i < rows && i < columns; i++) {
      int at = i * columns;
      double norm = 0;
      for (int c = i; c < columns; c++) norm += a[at + c] * a[at + c];
      if (norm < NOTHING) {
        Arrays.fill(a, at + i + 1, at + columns, 0);
        continue;
      }
      norm = Math.sqrt(norm);
      double corner = a[at + i];
      double image = corner > 0 ? -norm : norm;
      a[at + i] = corner - image;
      double beta = 1 / (norm * (norm + Math.abs(corner)));
      for (int r = i + 1; r < rows; r++) {
        int row = r * columns;
        double dot = 0;
        for (int c = i; c < columns; c++) dot += a[at + c] * a[row + c];
        dot *= beta;
        for (int c = i; c < columns; c++) a[row + c] -= dot * a[at + c];
      }
      a[at + i] = image;
      for (int c = i + 1; c < columns; c++) a[at + c] = 0;
    }
  }
}
