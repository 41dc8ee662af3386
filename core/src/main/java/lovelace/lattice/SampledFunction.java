package lovelace.lattice;

import java.util.Locale;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LocalKriging;
import org.jspecify.annotations.Nullable;

/// One draw from a posterior, as a function of x. It is the same at every call, smooth between
/// lattice points (once continuously differentiable), and has a gradient. It is only defined on the
/// lattice; evaluating it beyond is an error. Immutable.
///
/// If the posterior is kriged between grid points, the function is the mean of f given the draw's
/// values at the grid points of the cell, smooth inside a cell. It leaves out the residual of a
/// rough f between grid points: [#pointwise] draws it for one point, and [Sampler#draw] for several
/// points together.
public final class SampledFunction {

  private final Lattice lattice;
  private final double[] values;
  private final double[] deviations; // from the prior mean
  private final PriorMean prior;
  private final @Nullable LocalKriging kriging;
  private final long seed;
  private final double sign;

  /// A function that is interpolated between the lattice points, like its prior mean.
  SampledFunction(Lattice lattice, double[] values) {
    this.lattice = lattice;
    this.values = values;
    deviations = values;
    prior = PriorMean.ZERO;
    kriging = null;
    seed = 0;
    sign = 1;
  }

  /// A function that is kriged between the points of a grid, with residuals from a seed.
  SampledFunction(
      Grid grid, LocalKriging kriging, PriorMean prior, double[] values, long seed, double sign) {
    lattice = grid;
    this.values = values;
    this.prior = prior;
    this.kriging = kriging;
    this.seed = seed;
    this.sign = sign;
    deviations = values.clone();
    double[] points = grid.points();
    for (int i = 0; i < deviations.length; i++)
      deviations[i] -= prior.at(points, i * grid.dimensions());
  }

  /// The number of input columns.
  public int dimensions() {
    return lattice.dimensions();
  }

  /// Whether the point that starts at `x[xo]` lies inside the lattice.
  public boolean covers(double[] x, int xo) {
    return lattice.outsideColumn(x, xo) < 0;
  }

  /// f at one point.
  public double at(double... x) {
    if (x.length != dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the point must have %d coordinates, got %d", dimensions(), x.length));
    return at(x, 0);
  }

  /// f at the point that starts at `x[xo]`.
  public double at(double[] x, int xo) {
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    residual(x, xo, index, weight);
    return prior.at(x, xo) + dot(index, weight, 0);
  }

  /// A draw of f at the point that starts at `x[xo]`, with the distribution of f there: [#at], plus
  /// a residual if the posterior is kriged. It is the same at every call. Residuals of different
  /// points are independent.
  public double pointwise(double[] x, int xo) {
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    double variance = residual(x, xo, index, weight);
    double smooth = prior.at(x, xo) + dot(index, weight, 0);
    if (variance == 0) return smooth;
    return smooth + sign * Math.sqrt(variance) * Normals.at(seed, x, xo, dimensions());
  }

  /// Writes the weights of a point and returns the variance of its residual.
  private double residual(double[] x, int xo, int[] index, double[] weight) {
    if (kriging == null) {
      if (!lattice.stencil(x, xo, index, weight)) throw outside(x, xo);
      return 0;
    }
    double variance = kriging.weights(x, xo, index, weight);
    if (Double.isNaN(variance)) throw outside(x, xo);
    return variance;
  }

  private double dot(int[] index, double[] weight, int at) {
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[at + k] * deviations[index[k]];
    return sum;
  }

  /// Writes ∂f/∂x at the point that starts at `x[xo]` to `gradient` and returns f there.
  public double gradient(double[] x, int xo, double[] gradient) {
    int d = dimensions();
    int s = lattice.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    boolean inside =
        kriging == null
            ? lattice.stencilGradient(x, xo, index, weight, slope)
            : kriging.gradient(x, xo, index, weight, slope, new double[d]) >= 0;
    if (!inside) throw outside(x, xo);
    for (int a = 0; a < d; a++) gradient[a] = prior.slope(a) + dot(index, slope, a * s);
    return prior.at(x, xo) + dot(index, weight, 0);
  }

  /// A copy of the function's values at the lattice points.
  public double[] lattice() {
    return values.clone();
  }

  private IllegalArgumentException outside(double[] x, int xo) {
    int column = Math.max(0, lattice.outsideColumn(x, xo));
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "column %d is %s, outside the lattice, which covers %s to %s; a sampled function ends there: extend the grid, or draw at points",
            column + 1,
            x[xo + column],
            lattice.low(column),
            lattice.high(column)));
  }
}
