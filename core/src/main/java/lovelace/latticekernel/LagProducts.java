package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.linear.Parallel;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.GramRoot;
import org.jspecify.annotations.Nullable;

/// `VᵀKV` for a stationary kernel on one grid and few compressed observations, entry by entry. A
/// column of V has 4ᵈ numbers, and K between two of them needs only 7ᵈ index differences. For n′
/// columns this takes O(16ᵈ n′²) operations, where products by FFT take O(n′ m log m).
public final class LagProducts {

  private final Grid grid;
  private final List<StationaryPart> parts;
  private final CompressedWeights root;
  private final int size; // of a stencil
  private final int lags;
  private final int[] lag; // of the stencil points p and q, at p · size + q
  private final int[][] corner; // coordinates of every block's first point

  private LagProducts(Grid grid, List<StationaryPart> parts, CompressedWeights root) {
    this.grid = grid;
    this.parts = parts;
    this.root = root;
    int d = grid.dimensions();
    size = grid.stencilSize();
    lags = Keys.power(7, d);
    lag = new int[size * size];
    int[] shifts = grid.stencilShifts();
    for (int p = 0; p < size; p++)
      for (int q = 0; q < size; q++)
        for (int a = 0; a < d; a++)
          lag[p * size + q] = 7 * lag[p * size + q] + at(shifts[p], a) - at(shifts[q], a) + 3;
    corner = new int[root.blocks()][d];
    for (int k = 0; k < corner.length; k++)
      for (int a = 0; a < d; a++) corner[k][a] = at(root.corner(k), a);
  }

  private int at(int point, int axis) {
    return point / grid.stride(axis) % grid.axis(axis).points();
  }

  /// The products, or null if they do not apply: the kernel must be stationary, on one grid, and
  /// there must be so few observations that this is cheaper than FFTs.
  public static @Nullable LagProducts of(LatticeKernel kernel, GramRoot root) {
    if (!(kernel.lattice() instanceof Grid grid) || !(root instanceof CompressedWeights weights))
      return null;
    List<StationaryPart> parts = new ArrayList<>();
    for (LatticeKernel.Part part : kernel.blocks().getFirst().parts())
      if (part instanceof StationaryPart stationary) parts.add(stationary);
      else return null;
    double stencil = grid.stencilSize();
    double direct = stencil * stencil * weights.blocks() * weights.blocks();
    double m = grid.size();
    double transforms = 20 * m * Math.log(2 * m) * Math.max(1, weights.columns());
    return direct <= transforms ? new LagProducts(grid, parts, weights) : null;
  }

  /// n′, the number of columns of V.
  public int columns() {
    return root.columns();
  }

  /// A new array with `VᵀKV`.
  public double[] gram() {
    int n = root.columns();
    double[] values = new double[grid.size()];
    for (StationaryPart part : parts) {
      double[] own = part.lagValues();
      for (int i = 0; i < values.length; i++) values[i] += own[i];
    }
    double[] gram = new double[n * n];
    Parallel.chunks(
        corner.length,
        16,
        (piece, from, to) -> {
          int[] places = new int[lags];
          double[] half = new double[size];
          for (int k = from; k < to; k++)
            for (int l = 0; l <= k; l++) {
              places(k, l, places);
              for (int i = root.start(k); i < root.start(k + 1); i++) {
                for (int q = 0; q < size; q++) {
                  double sum = 0;
                  for (int p = 0; p < size; p++)
                    sum += root.weight(k, i, p) * values[places[lag[p * size + q]]];
                  half[q] = sum;
                }
                for (int j = root.start(l); j < root.start(l + 1); j++) {
                  double sum = 0;
                  for (int q = 0; q < size; q++) sum += half[q] * root.weight(l, j, q);
                  gram[i * n + j] = sum;
                }
              }
            }
        });
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) gram[j * n + i] = gram[i * n + j];
    return gram;
  }

  /// Adds `Σ middleᵢⱼ ∂(VᵀKV)ᵢⱼ/∂θ` to g, in the order of the kernel's values; `middle` is n′ × n′
  /// and symmetric.
  public void gradient(double[] middle, double[] g) {
    int n = root.columns();
    double[][] sums = new double[Parallel.pieces(corner.length, 16)][];
    Parallel.chunks(
        corner.length,
        16,
        (piece, from, to) -> {
          double[] own = new double[grid.size()];
          int[] places = new int[lags];
          double[] half = new double[size];
          for (int k = from; k < to; k++)
            for (int l = 0; l <= k; l++) {
              places(k, l, places);
              double twice = l < k ? 2 : 1;
              for (int i = root.start(k); i < root.start(k + 1); i++) {
                Arrays.fill(half, 0);
                for (int j = root.start(l); j < root.start(l + 1); j++) {
                  double factor = twice * middle[i * n + j];
                  for (int q = 0; q < size; q++) half[q] += factor * root.weight(l, j, q);
                }
                for (int p = 0; p < size; p++) {
                  double factor = root.weight(k, i, p);
                  for (int q = 0; q < size; q++) own[places[lag[p * size + q]]] += factor * half[q];
                }
              }
            }
          sums[piece] = own;
        });
    if (sums.length == 0) return;
    double[] total = sums[0];
    for (int s = 1; s < sums.length; s++)
      for (int i = 0; i < total.length; i++) total[i] += sums[s][i];
    for (StationaryPart part : parts) part.lagGradient(total, g);
  }

  /// The positions of the values for the index differences between two blocks' stencils.
  private void places(int k, int l, int[] places) {
    Arrays.fill(places, 0);
    int d = grid.dimensions();
    for (int t = 0; t < lags; t++)
      for (int a = d - 1, rest = t; a >= 0; a--, rest /= 7)
        places[t] +=
            Math.min(
                    Math.abs(corner[k][a] - corner[l][a] + rest % 7 - 3),
                    grid.axis(a).points() - 1) // beyond it there is no pair
                * grid.stride(a);
  }
}
