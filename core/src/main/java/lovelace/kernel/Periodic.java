package lovelace.kernel;

import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// MacKay's periodic kernel, GPML eq. (4.31): `exp(−2 sin²(π|τ|/p)/ℓ²)`, where ℓ has no unit. With
/// several columns it is the product over the columns, each with its own period. Parameters, per
/// column: `lengthscale`, `period`.
final class Periodic extends Leaf {

  static final List<Slot> SLOTS =
      List.of(Slot.columns("lengthscale", Parameter.Role.OTHER), Slot.period());

  Periodic(int dimensions, int @Nullable [] chosen, Values values) {
    super("periodic", SLOTS, 1, dimensions, chosen, values);
  }

  static Periodic of(double[] period, double[] lengthscale) {
    return new Periodic(0, null, Values.free(orUnset(lengthscale), orUnset(period)));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Periodic(dimensions, chosen, values);
  }

  /// The periods, one per column read if the kernel is bound. A new array.
  public double[] periods() {
    return slot(1).clone();
  }

  /// The lengthscales, one per column read if the kernel is bound. A new array.
  public double[] lengthscales() {
    return slot(0).clone();
  }

  /// `p min(1, ℓ)/2π`. At short distances the kernel is a Gaussian of lengthscale `pℓ/2π`. A long ℓ
  /// leaves a single wave of period p. An unknown ℓ counts as long.
  @Override
  public double[] details() {
    double[] details = periods();
    for (int c = 0; c < details.length; c++)
      details[c] *= (slot(0)[c] < 1 ? slot(0)[c] : 1) / (2 * Math.PI);
    return details;
  }

  @Override
  public boolean repeats() {
    return true;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    int[] columns = cols();
    int d = dimensions();
    for (int c = 0; c < columns.length; c++) {
      double lengthscale = slot(0)[c];
      double factor = -2 / (lengthscale * lengthscale);
      double xc = x[xo + columns[c]];
      int at = yo + columns[c];
      for (int j = 0; j < ny; j++) {
        double s = Math.sin(phase(xc - y[at + j * d], slot(1)[c]));
        out[oo + j] = factor * s * s + (c == 0 ? 0 : out[oo + j]);
      }
    }
    for (int j = oo; j < oo + ny; j++) out[j] = Math.exp(out[j]);
  }

  private static double phase(double tau, double period) {
    return Math.PI * (Math.abs(tau) / period);
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    int[] columns = cols();
    for (int c = 0; c < columns.length; c++) {
      double lengthscale = slot(0)[c];
      double period = slot(1)[c];
      double bySine = 0;
      double byPeriod = 0;
      for (int j = 0; j < ny; j++) {
        double a = phase(x[xo + columns[c]] - y[yo + j * dimensions() + columns[c]], period);
        double s = Math.sin(a);
        double weighted = w[j] * k[j];
        bySine += weighted * s * s;
        byPeriod += weighted * Math.sin(2 * a) * a;
      }
      double square = lengthscale * lengthscale;
      g[go + c] += 4 * bySine / (square * lengthscale);
      g[go + columns.length + c] += 2 * byPeriod / (square * period);
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    double k = value(x, xo, y, yo);
    int[] columns = cols();
    for (int c = 0; c < columns.length; c++) {
      double lengthscale = slot(0)[c];
      double period = slot(1)[c];
      double tau = x[xo + columns[c]] - y[yo + columns[c]];
      g[go + columns[c]] -=
          weight
              * k
              * 2
              * Math.PI
              * Math.sin(2 * Math.PI * (tau / period))
              / (lengthscale * lengthscale * period);
    }
  }
}
