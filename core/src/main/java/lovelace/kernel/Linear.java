package lovelace.kernel;

import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// `Σᵢ vᵢ (xᵢ − cᵢ)(x′ᵢ − cᵢ)`, GPML section 4.2.2: a straight line through 0 at the centre c.
///
/// Parameters, per column: `variance` v (of the slope), and `centre` c, which is 0 and fixed unless
/// given. The data can determine the centre only if there is neither a constant kernel nor a
/// constant mean.
final class Linear extends Leaf {

  static final List<Slot> SLOTS = List.of(Slot.variance().perColumn(), Slot.held("centre", 0));

  Linear(int dimensions, int @Nullable [] chosen, Values values) {
    super("linear", SLOTS, 1, dimensions, chosen, values);
  }

  static Linear of(double[] variance) {
    return new Linear(0, null, Values.free(orUnset(variance), new double[] {0}));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Linear(dimensions, chosen, values);
  }

  @Override
  boolean stationary() {
    return false;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    int[] columns = cols();
    for (int j = 0; j < ny; j++) {
      double k = 0;
      for (int c = 0; c < columns.length; c++) {
        double centre = slot(1)[c];
        double a = x[xo + columns[c]] - centre;
        double b = y[yo + j * dimensions() + columns[c]] - centre;
        k += slot(0)[c] * (a * b);
      }
      out[oo + j] = k;
    }
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    int[] columns = cols();
    for (int c = 0; c < columns.length; c++) {
      double centre = slot(1)[c];
      double a = x[xo + columns[c]] - centre;
      double products = 0;
      double sums = 0;
      for (int j = 0; j < ny; j++) {
        double b = y[yo + j * dimensions() + columns[c]] - centre;
        products += w[j] * (a * b);
        sums += w[j] * (a + b);
      }
      g[go + c] += products;
      g[go + columns.length + c] -= slot(0)[c] * sums;
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    for (int c = 0; c < cols().length; c++) {
      int at = cols()[c];
      g[go + at] += weight * slot(0)[c] * (y[yo + at] - slot(1)[c]);
    }
  }
}
