package lovelace.lattice;

import java.util.Arrays;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LocalKriging;
import org.jspecify.annotations.Nullable;

/// Mean and variance between the points of a grid for a rough kernel, for which the polynomials of
/// a cell lose variance. B and D are the weights and the residual variance of [LocalKriging]:
///
/// ```
/// mean = μ(x) + B a_S        variance = D + B P_SS Bᵀ
/// ```
///
/// Here a is the posterior mean at the grid points minus the prior mean μ, and P their posterior
/// covariance. The polynomials are used if their error in the middle of a cell is under 1 % of
/// their variance. Immutable.
final class KrigedCells {

  /// The error that polynomials may have, as a share of the variance.
  private static final double SHARE = 0.01;

  private final Grid grid;
  private final CellPolynomials cells;
  private final @Nullable StencilMatrix entries; // of P; with three axes the cells have them
  private final LocalKriging kriging;
  private final PriorMean prior;
  private final double[] values; // a
  private final double enough; // the variance from which polynomials are used
  private final ThreadLocal<Work> work;

  /// Buffers for one query.
  private static final class Work {
    final int[] index;
    final double[] weight;

    Work(int s) {
      index = new int[s];
      weight = new double[s];
    }
  }

  /// Wraps polynomials, whose means include the prior mean, with the entries of P between points of
  /// one stencil. The entries are stored for one and two axes.
  KrigedCells(CellPolynomials cells, @Nullable StencilMatrix entries, Hyperparameters h) {
    grid = cells.grid();
    this.cells = cells;
    this.entries = grid.dimensions() < 3 ? entries : null;
    if (grid.dimensions() < 3 && entries == null)
      throw new IllegalArgumentException(
          "kriging between the points of a %s needs the entries of the covariance".formatted(grid));
    kriging = LocalKriging.of(grid, h.kernel().withoutWhite());
    prior = h.mean();
    values = cells.mean().clone();
    double[] points = grid.points();
    int d = grid.dimensions();
    for (int i = 0; i < values.length; i++) values[i] -= prior.at(points, i * d);
    enough = kriging.interpolationLoss() / SHARE;
    work = ThreadLocal.withInitial(() -> new Work(grid.stencilSize()));
  }

  /// The entries of P that are stored beside the polynomials.
  @Nullable StencilMatrix entries() {
    return entries;
  }

  LocalKriging kriging() {
    return kriging;
  }

  /// The variance above which polynomials are used.
  double enough() {
    return enough;
  }

  /// The size of the rounding error of D.
  double floor() {
    return grid.stencilSize() * Math.ulp(kriging.variance());
  }

  private double between(int corner, double[] v, double[] w) {
    return entries == null ? cells.quadratic(corner, v, w) : entries.quadratic(corner, v, w);
  }

  /// Like [CellPolynomials#evaluate].
  boolean evaluate(double[] x, int xo, double[] out) {
    if (!cells.evaluate(x, xo, out)) return false;
    if (out[1] > enough) return true;
    Work own = work.get();
    double loss = kriging.weights(x, xo, own.index, own.weight);
    double sum = prior.at(x, xo);
    for (int k = 0; k < own.index.length; k++) sum += own.weight[k] * values[own.index[k]];
    out[0] = sum;
    out[1] = loss + between(own.index[0], own.weight, own.weight);
    return true;
  }

  /// The mean of [#evaluate] at a point whose weights are known; NaN outside the grid.
  double mean(double[] x, int xo, int[] index, double[] weight) {
    double[] out = new double[2];
    if (!cells.evaluate(x, xo, out)) return Double.NaN;
    if (out[1] > enough) return out[0];
    double sum = prior.at(x, xo);
    for (int k = 0; k < index.length; k++) sum += weight[k] * values[index[k]];
    return sum;
  }

  /// Like [CellPolynomials#gradient].
  boolean gradient(double[] x, int xo, double[] out) {
    if (!cells.gradient(x, xo, out)) return false;
    if (out[1] > enough) return true;
    int d = grid.dimensions();
    int s = grid.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    double[] lossSlope = new double[d];
    double loss = kriging.gradient(x, xo, index, weight, slope, lossSlope);
    out[0] = prior.at(x, xo);
    for (int k = 0; k < s; k++) out[0] += weight[k] * values[index[k]];
    out[1] = loss + between(index[0], weight, weight);
    for (int a = 0; a < d; a++) {
      double[] one = Arrays.copyOfRange(slope, a * s, (a + 1) * s);
      out[2 + a] = prior.slope(a);
      for (int k = 0; k < s; k++) out[2 + a] += one[k] * values[index[k]];
      out[2 + d + a] = lossSlope[a] + 2 * between(index[0], one, weight);
    }
    return true;
  }

  /// The function with these values at the grid points. Takes ownership of the values.
  SampledFunction function(double[] f, long seed, double sign) {
    return new SampledFunction(grid, kriging, prior, f, seed, sign);
  }

  /// The kriged mean at points whose weights are given.
  double[] means(double[] points, Stencils stencils) {
    double[] means = new double[stencils.count()];
    for (int p = 0; p < means.length; p++)
      means[p] = prior.at(points, p * grid.dimensions()) + stencils.dot(p, values, 0);
    return means;
  }
}
