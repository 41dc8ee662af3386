package lovelace.kernel;

import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// White noise: `variance` where x = x′ in all columns, otherwise 0. Parameter: `variance`.
///
/// White noise is not part of the latent function. Models treat it as noise of every observation,
/// even at equal inputs ([Kernel#whiteVariance]), and predict with [Kernel#withoutWhite].
final class White extends Leaf {

  static final List<Slot> SLOTS = List.of(Slot.variance());

  White(int dimensions, Values values) {
    super("white", SLOTS, 1, dimensions, null, values);
  }

  static White of(double variance) {
    return new White(0, Values.free(new double[] {variance}));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new White(dimensions, values);
  }

  /// The variance.
  public double variance() {
    return slot(0)[0];
  }

  private boolean same(double[] x, int xo, double[] y, int yo) {
    for (int c = 0; c < dimensions(); c++) if (x[xo + c] != y[yo + c]) return false;
    return true;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    for (int j = 0; j < ny; j++)
      out[oo + j] = same(x, xo, y, yo + j * dimensions()) ? variance() : 0;
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    for (int j = 0; j < ny; j++) if (same(x, xo, y, yo + j * dimensions())) g[go] += w[j];
  }

  @Override
  void addInputGradient(
      double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {}
}
