package lovelace.statistics;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// A sparse root `ŴŴᵀ = G`. It replaces the weights W of the data, with n′ ≤ n columns however many
/// observations there were. Each occupied cell has a block of columns, from a pivoted Cholesky
/// factorisation of its moments; `n′ = Σ min(count, 4ᵈ)` or fewer.
public final class CompressedWeights implements GramRoot {

  private final int size;
  private final int[] shifts;
  private final int[] corners;
  private final int[] starts;
  private final double[][] blocks;
  private final double[] target;

  /// Block k holds columns `starts[k]` to `starts[k+1]`, one after another. Each column has a
  /// number for every lattice point `corners[k] + shifts[·]`.
  CompressedWeights(int size, int[] shifts, int[] corners, double[][] blocks, double[][] targets) {
    this.size = size;
    this.shifts = shifts;
    this.corners = corners;
    this.blocks = blocks;
    starts = new int[blocks.length + 1];
    for (int k = 0; k < blocks.length; k++)
      starts[k + 1] = Math.addExact(starts[k], blocks[k].length / shifts.length);
    target = new double[starts[blocks.length]];
    for (int k = 0; k < blocks.length; k++)
      System.arraycopy(targets[k], 0, target, starts[k], starts[k + 1] - starts[k]);
  }

  static CompressedWeights of(GridStatistics statistics) {
    Grid grid = statistics.grid();
    MomentMap map = new MomentMap(grid);
    int count = statistics.occupiedCells();
    int[] corners = new int[count];
    double[][] blocks = new double[count][];
    double[][] targets = new double[count][];
    Parallel.chunks(
        count,
        64,
        (k, from, to) -> {
          for (int c = from; c < to; c++) {
            double[] moments = statistics.occupiedMoments(c);
            corners[c] = grid.corner(statistics.occupiedCell(c));
            targets[c] = new double[grid.stencilSize()];
            blocks[c] =
                factor(moments, grid.dimensions(), statistics.occupiedCount(c), map, targets[c]);
          }
        });
    return new CompressedWeights(grid.size(), grid.stencilShifts(), corners, blocks, targets);
  }

  /// Returns columns of the root of `H[p, q] = Σ w t^(p+q)` by pivoted Cholesky, converted from
  /// powers of the offset to stencil points. `target` receives the coordinates of the cell's `Σ w y
  /// t^p` in these columns.
  private static double[] factor(
      double[] moments, int d, long count, MomentMap map, double[] target) {
    int size = Keys.power(4, d);
    int[] place = new int[size]; // index of p in the moments; p + q has the sum of indices
    for (int p = 0; p < size; p++)
      for (int a = 0, rest = p, stride = 1; a < d; a++, rest /= 4, stride *= 7)
        place[p] += rest % 4 * stride;
    double[] matrix = new double[size * size];
    for (int p = 0; p < size; p++)
      for (int q = 0; q < size; q++) matrix[p * size + q] = moments[place[p] + place[q]];
    double[] rest = Arrays.copyOfRange(moments, Keys.power(7, d), Keys.power(7, d) + size);
    double[] kept = root(matrix, size, count, rest, target);
    for (int k = 0; k < kept.length; k += size) map.weighted(kept, k);
    return kept;
  }

  /// Returns columns, one after another, of a root of a positive semidefinite matrix of rank at
  /// most `count`, by pivoted Cholesky that stops at rounding. `target` receives the coordinates of
  /// `rest`, a vector of the range of the matrix, in these columns. Overwrites `rest`.
  public static double[] root(
      double[] matrix, int size, long count, double[] rest, double[] target) {
    int most = (int) Math.min(count, size);
    double[] diagonal = new double[size];
    double largest = 0;
    for (int p = 0; p < size; p++) {
      diagonal[p] = matrix[p * size + p];
      largest = Math.max(largest, diagonal[p]);
    }
    double floor = 4 * Math.ulp(largest) * Math.sqrt((double) count); // the rounding of the sums
    double[] columns =
        new double
            [Budget.numbers(most, size, "a dense root", "use a smaller grid, the krylov engine")];
    int rank = 0;
    for (; rank < most; rank++) {
      int pivot = 0;
      for (int p = 1; p < size; p++) if (diagonal[p] > diagonal[pivot]) pivot = p;
      if (!(diagonal[pivot] > floor)) break;
      double root = Math.sqrt(diagonal[pivot]);
      int at = rank * size;
      System.arraycopy(matrix, pivot * size, columns, at, size);
      for (int k = 0; k < at; k += size) {
        double factor = columns[k + pivot];
        for (int p = 0; p < size; p++) columns[at + p] -= factor * columns[k + p];
      }
      for (int p = 0; p < size; p++) {
        double value = columns[at + p] / root;
        columns[at + p] = value;
        diagonal[p] -= value * value;
      }
      diagonal[pivot] = Double.NEGATIVE_INFINITY;
      target[rank] = rest[pivot] / columns[at + pivot];
      for (int p = 0; p < size; p++) rest[p] -= target[rank] * columns[at + p];
    }
    return rank == most ? columns : Arrays.copyOf(columns, rank * size);
  }

  /// The number of blocks.
  public int blocks() {
    return blocks.length;
  }

  /// The first lattice point of a block's stencil.
  public int corner(int block) {
    return corners[block];
  }

  /// The first column of a block.
  public int start(int block) {
    return starts[block];
  }

  /// The entry of a block's column at point p of the stencil.
  public double weight(int block, int column, int p) {
    return blocks[block][(column - starts[block]) * shifts.length + p];
  }

  /// β with `Ŵβ = W(y − origin)`: the target in these coordinates. A copy.
  public double[] target() {
    return target.clone();
  }

  /// Writes, for every column, the first lattice point of its cell's stencil and its number in the
  /// cell.
  public void places(int[] corner, int[] number) {
    for (int k = 0; k < blocks.length; k++)
      for (int column = starts[k]; column < starts[k + 1]; column++) {
        corner[column] = corners[k];
        number[column] = column - starts[k];
      }
  }

  /// The number of lattice points, m.
  @Override
  public int size() {
    return size;
  }

  /// The number of columns, n′.
  @Override
  public int columns() {
    return starts[blocks.length];
  }

  /// `u ← Ŵ v`; v has n′ numbers and u has m.
  @Override
  public void apply(double[] v, double[] u) {
    Arrays.fill(u, 0, size, 0);
    int s = shifts.length;
    for (int k = 0; k < blocks.length; k++) {
      double[] block = blocks[k];
      int corner = corners[k];
      for (int column = starts[k], at = 0; column < starts[k + 1]; column++, at += s) {
        double factor = v[column];
        for (int p = 0; p < s; p++) u[corner + shifts[p]] += factor * block[at + p];
      }
    }
  }

  /// `v ← Ŵᵀ u`; u has m numbers and v has n′.
  @Override
  public void applyTransposed(double[] u, double[] v) {
    int s = shifts.length;
    double[] local = new double[s];
    for (int k = 0; k < blocks.length; k++) {
      double[] block = blocks[k];
      for (int p = 0; p < s; p++) local[p] = u[corners[k] + shifts[p]];
      for (int column = starts[k], at = 0; column < starts[k + 1]; column++, at += s) {
        double sum = 0;
        for (int p = 0; p < s; p++) sum += local[p] * block[at + p];
        v[column] = sum;
      }
    }
  }

  /// Draws `u = Ŵξ` from N(0, G), with standard normal ξ.
  public double[] draw(RandomGenerator random) {
    double[] xi = new double[columns()];
    for (int i = 0; i < xi.length; i++) xi[i] = random.nextGaussian();
    double[] u = new double[size];
    apply(xi, u);
    return u;
  }

  /// G as the product `ŴŴᵀ`.
  public LinearOperator gram() {
    return new Product(this);
  }

  private record Product(CompressedWeights root) implements LinearOperator {
    @Override
    public int size() {
      return root.size;
    }

    @Override
    public void apply(double[] x, double[] y) {
      double[] v = new double[root.columns()];
      root.applyTransposed(x, v);
      root.apply(v, y);
    }
  }
}
