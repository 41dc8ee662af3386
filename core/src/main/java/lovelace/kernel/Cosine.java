package lovelace.kernel;

import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// `Πᵢ cos(2πτᵢ/pᵢ)`: one frequency per column. Parameter, per column: `period`.
final class Cosine extends Leaf {

  static final List<Slot> SLOTS = List.of(Slot.period());

  Cosine(int dimensions, int @Nullable [] chosen, Values values) {
    super("cosine", SLOTS, 1, dimensions, chosen, values);
  }

  static Cosine of(double[] period) {
    return new Cosine(0, null, Values.free(orUnset(period)));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Cosine(dimensions, chosen, values);
  }

  /// The periods, one per column read if the kernel is bound. A new array.
  public double[] periods() {
    return slot(0).clone();
  }

  /// `p/2π`, the inverse of the angular frequency.
  @Override
  public double[] details() {
    double[] details = periods();
    for (int c = 0; c < details.length; c++) details[c] /= 2 * Math.PI;
    return details;
  }

  @Override
  public boolean repeats() {
    return true;
  }

  private double phase(double[] x, int xo, double[] y, int yo, int c) {
    int at = cols()[c];
    return 2 * Math.PI * ((x[xo + at] - y[yo + at]) / slot(0)[c]);
  }

  /// The product over all columns except `but` (over all columns if −1).
  private double cosines(double[] x, int xo, double[] y, int yo, int but) {
    double k = 1;
    for (int c = 0; c < slot(0).length; c++)
      if (c != but) k *= Math.cos(Math.abs(phase(x, xo, y, yo, c)));
    return k;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    for (int j = 0; j < ny; j++) out[oo + j] = cosines(x, xo, y, yo + j * dimensions(), -1);
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    for (int c = 0; c < slot(0).length; c++) {
      double sum = 0;
      for (int j = 0; j < ny; j++) {
        int at = yo + j * dimensions();
        double a = phase(x, xo, y, at, c);
        sum += w[j] * cosines(x, xo, y, at, c) * Math.sin(a) * a;
      }
      g[go + c] += sum / slot(0)[c];
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    for (int c = 0; c < slot(0).length; c++)
      g[go + cols()[c]] -=
          weight
              * cosines(x, xo, y, yo, c)
              * Math.sin(phase(x, xo, y, yo, c))
              * 2
              * Math.PI
              / slot(0)[c];
  }
}
