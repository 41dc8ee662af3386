package lovelace.grid;

import java.util.Arrays;
import java.util.Locale;

/// Computes mean `wᵀa` and variance `wᵀPw` at any point of an additive lattice, from a and the
/// lower triangle of P. The cost depends only on the number of components. Rounding may make a
/// variance negative. Immutable.
public final class AdditiveCells {

  /// The largest number of lattice points for which P is tabulated.
  public static final int MOST = 2048;

  private final AdditiveGrid grid;
  private final double[] mean;
  private final double[] table;

  private AdditiveCells(AdditiveGrid grid, double[] mean, double[] table) {
    this.grid = grid;
    this.mean = mean;
    this.table = table;
  }

  /// Takes over a and the rows of the lower triangle of P, one after another.
  public static AdditiveCells assemble(AdditiveGrid grid, double[] mean, double[] table) {
    long m = grid.size();
    if (mean.length != m || table.length != m * (m + 1) / 2)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the tables of %s hold %d means and %d covariances, got %d and %d",
              grid,
              m,
              m * (m + 1) / 2,
              mean.length,
              table.length));
    return new AdditiveCells(grid, mean, table);
  }

  /// The rows of the lower triangle of P. Not a copy: read only.
  public double[] table() {
    return table;
  }

  /// A bound on the rounding error of a variance. A variance is a difference if one component can
  /// shift against another.
  public double floor() {
    double most = 0;
    for (int i = 0; i < grid.size(); i++) most = Math.max(most, table[at(i, i)]);
    return 0x1p-52 * grid.components() * grid.components() * most;
  }

  private static int at(int i, int j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance. Returns false outside the
  /// lattice.
  public boolean evaluate(double[] x, int xo, double[] out) {
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    if (!grid.stencil(x, xo, index, weight)) return false;
    double sum = 0;
    double variance = 0;
    for (int i = 0; i < s; i++) {
      sum += weight[i] * mean[index[i]];
      double cross = 0;
      for (int j = 0; j < i; j++) cross += weight[j] * table[at(index[i], index[j])];
      variance += weight[i] * (2 * cross + weight[i] * table[at(index[i], index[i])]);
    }
    out[0] = sum;
    out[1] = variance;
    return true;
  }

  /// Fills `out` with mean, variance and their gradients, `[mean, variance, ∂mean/∂x…,
  /// ∂variance/∂x…]`. Returns false outside the lattice.
  public boolean gradient(double[] x, int xo, double[] out) {
    int d = grid.dimensions();
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    if (!grid.stencilGradient(x, xo, index, weight, slope)) return false;
    Arrays.fill(out, 0, 2 + 2 * d, 0);
    for (int i = 0; i < s; i++) {
      double pw = 0;
      for (int j = 0; j < s; j++) pw += weight[j] * table[at(index[i], index[j])];
      out[0] += weight[i] * mean[index[i]];
      out[1] += weight[i] * pw;
      for (int a = 0; a < d; a++) {
        out[2 + a] += slope[a * s + i] * mean[index[i]];
        out[2 + d + a] += 2 * slope[a * s + i] * pw;
      }
    }
    return true;
  }
}
