package lovelace.statistics;

import org.jspecify.annotations.Nullable;

/// Factors `G = U Uᵀ` for a positive semidefinite matrix of half-bandwidth 3, with U upper
/// triangular of the same bandwidth. This shows the data as m observations: the k-th combines the
/// grid values k−3 … k.
///
/// G is singular wherever cells are empty or hold few observations, and its entries are rounded. So
/// `G + 16ε diag(G)` is factored, and columns that consist of rounding are left out. This changes G
/// by about its own rounding. If the entries are less exact and a pivot still fails, the shift
/// grows tenfold and is taken relative to the largest neighbour on the diagonal.
public final class BandGramRoot {
  public static final int WIDTH = 4;
  private static final double ROUNDING = 16 * 0x1p-52;
  private static final int ATTEMPTS = 6;

  private BandGramRoot() {}

  /// Returns column k of U at `4k`: rows k, k−1, k−2, k−3. `diagonals[q][i]` is entry (i, i + q) of
  /// G.
  public static double[] of(double[][] diagonals, int m) {
    double[] scale = diagonals[0];
    double shift = ROUNDING;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      double[] root = factor(diagonals, m, scale, shift);
      if (root != null) return root;
      if (attempt == 0) scale = largestNeighbours(diagonals[0], m);
      shift *= 10;
    }
    throw new IllegalArgumentException(
        "the Gram matrix must be positive semidefinite, but even with "
            + shift / 10
            + " of its diagonal added it is not; build it from observations");
  }

  private static double @Nullable [] factor(double[][] g, int m, double[] scale, double shift) {
    double[] u = new double[WIDTH * m];
    double[] column = new double[WIDTH];
    for (int k = m - 1; k >= 0; k--) {
      boolean noise = true;
      for (int q = 0; q < WIDTH && q <= k; q++) {
        int i = k - q;
        double sum = g[q][i];
        if (q == 0) sum += shift * scale[k];
        for (int j = k + 1; j < m && j - i < WIDTH; j++)
          sum -= u[WIDTH * j + j - k] * u[WIDTH * j + j - i];
        column[q] = sum;
        noise &= Math.abs(sum) <= 4 * shift * Math.sqrt(scale[k] * scale[i]);
      }
      if (noise) continue;
      if (!(column[0] > shift / 4 * scale[k])) return null;
      double pivot = Math.sqrt(column[0]);
      u[WIDTH * k] = pivot;
      for (int q = 1; q < WIDTH && q <= k; q++) u[WIDTH * k + q] = column[q] / pivot;
    }
    return u;
  }

  private static double[] largestNeighbours(double[] diagonal, int m) {
    double[] largest = new double[m];
    for (int i = 0; i < m; i++) {
      for (int j = Math.max(0, i - WIDTH + 1); j < Math.min(m, i + WIDTH); j++) {
        largest[i] = Math.max(largest[i], diagonal[j]);
      }
    }
    return largest;
  }
}
