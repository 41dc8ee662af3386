package lovelace.grid;

/// The polynomials of a grid of three axes, written out: 64 coefficients of the mean and 343 of the
/// variance per cell, in powers of the offset from its middle, with the last axis fastest.
/// Predictions in this library contract stencils instead ([CellPolynomials]), whose tables are less
/// than half as long. Polynomials are simpler for other programs.
///
/// It keeps the last cell that was asked for, so only one thread may use it.
public final class CellCoefficients {

  public static final int MEANS = 64;
  public static final int VARIANCES = 343;

  private final Grid grid;
  private final double[] mean;
  private final double[] packed;
  private final StencilPairs pairs;
  private final int[] shifts;
  private final double[] means = new double[MEANS];
  private final double[] variances = new double[VARIANCES];
  private final double[] products = new double[1000];
  private final double[] step = new double[700];
  private final double[] next = new double[490];
  private int cell = -1;

  private CellCoefficients(Grid grid, double[] mean, double[] packed) {
    this.grid = grid;
    this.mean = mean;
    this.packed = packed;
    pairs = StencilPairs.of(grid);
    shifts = grid.stencilShifts();
  }

  /// Takes the means at grid points and the entries of P in the form of [CellPolynomials#table], or
  /// no entries for the mean alone. Copies neither.
  public static CellCoefficients of(Grid grid, double[] mean, double[] packed) {
    if (grid.dimensions() != 3)
      throw new IllegalArgumentException("coefficients need three axes, got a " + grid);
    return new CellCoefficients(grid, mean, packed);
  }

  /// Coefficient k of the mean in a cell.
  public double mean(int cell, int k) {
    find(cell);
    return means[k];
  }

  /// Coefficient k of the variance in a cell.
  public double variance(int cell, int k) {
    find(cell);
    return variances[k];
  }

  private void find(int wanted) {
    if (wanted == cell) return;
    cell = wanted;
    int corner = grid.corner(cell);
    for (int k = 0; k < MEANS; k++) means[k] = mean[corner + shifts[k]];
    for (int stride = 1; stride < MEANS; stride *= 4)
      for (int o = 0; o < MEANS; o += 4 * stride)
        for (int i = o; i < o + stride; i++) CellPolynomials.meanAxis(means, i, stride);
    if (packed.length == 0) return; // only the mean
    pairs.gatherPacked(packed, corner, StencilMatrix.diagonalCount(3), products);
    contract(products, 100, 1, step);
    contract(step, 10, 7, next);
    contract(next, 1, 49, variances);
  }

  /// Converts ten sums by product of weights to the coefficients of seven powers along one axis.
  /// There are `outer` stretches before the axis and `inner` numbers after it.
  private static void contract(double[] in, int outer, int inner, double[] out) {
    for (int o = 0; o < outer; o++)
      for (int r = 0; r < 7; r++)
        for (int i = 0; i < inner; i++) {
          double sum = 0;
          for (int p = 0; p < Keys.PAIRS; p++)
            sum += Keys.PRODUCTS[7 * p + r] * in[(o * Keys.PAIRS + p) * inner + i];
          out[(o * 7 + r) * inner + i] = sum;
        }
  }
}
