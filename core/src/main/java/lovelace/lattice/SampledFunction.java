package lovelace.lattice;

import java.util.Locale;
import lovelace.grid.Lattice;

/// One draw from a posterior, a function of x: the same at every call, smooth between lattice
/// points (once continuously differentiable), with a gradient. It lives on the lattice; beyond it
/// there is nothing to evaluate, and asking is an error. Immutable.
public final class SampledFunction {

  private final Lattice lattice;
  private final double[] values;

  SampledFunction(Lattice lattice, double[] values) {
    this.lattice = lattice;
    this.values = values;
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
    if (!lattice.stencil(x, xo, index, weight)) throw outside(x, xo);
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[k] * values[index[k]];
    return sum;
  }

  /// Fills `gradient` with ∂f/∂x at the point that starts at `x[xo]` and returns f there.
  public double gradient(double[] x, int xo, double[] gradient) {
    int s = lattice.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[dimensions() * s];
    if (!lattice.stencilGradient(x, xo, index, weight, slope)) throw outside(x, xo);
    double sum = 0;
    for (int k = 0; k < s; k++) sum += weight[k] * values[index[k]];
    for (int a = 0; a < dimensions(); a++) {
      gradient[a] = 0;
      for (int k = 0; k < s; k++) gradient[a] += slope[a * s + k] * values[index[k]];
    }
    return sum;
  }

  /// The function's values at the lattice points. A copy.
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
