package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// `k = variance`: an unknown offset. Parameter: `variance`.
final class Constant extends Leaf {

  static final List<Slot> SLOTS = List.of(Slot.variance());

  Constant(int dimensions, Values values) {
    super("constant", SLOTS, 1, dimensions, null, values);
  }

  static Constant of(double variance) {
    return new Constant(0, Values.free(new double[] {variance}));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Constant(dimensions, values);
  }

  /// The variance.
  public double variance() {
    return slot(0)[0];
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    Arrays.fill(out, oo, oo + ny, variance());
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    double sum = 0;
    for (int j = 0; j < ny; j++) sum += w[j];
    g[go] += sum;
  }

  @Override
  void addInputGradient(
      double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {}
}
