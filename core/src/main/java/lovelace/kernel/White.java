package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// White noise: `variance` for an observation with itself, 0 between different observations, even
/// at equal inputs. Parameter: `variance`.
///
/// Two points are the same observation exactly when they are the same place of the same array. So
/// `matrix(x, n, x, n)` has the variance on its diagonal and covariances with any other array have
/// none of it. White noise is no part of the latent function: models take it as noise
/// ([Kernel#whiteVariance]) and predict with [Kernel#withoutWhite].
public final class White extends Leaf {

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

  /// The index j at which yⱼ is the observation x, or −1.
  private int same(double[] x, int xo, double[] y, int yo, int ny) {
    int gap = xo - yo;
    return Evaluation.same(x, y) && gap >= 0 && gap % dimensions() == 0 && gap / dimensions() < ny
        ? gap / dimensions()
        : -1;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    Arrays.fill(out, oo, oo + ny, 0);
    int j = same(x, xo, y, yo, ny);
    if (j >= 0) out[oo + j] = variance();
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    int j = same(x, xo, y, yo, ny);
    if (j >= 0) g[go] += w[j];
  }

  @Override
  void addInputGradient(
      double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {}
}
