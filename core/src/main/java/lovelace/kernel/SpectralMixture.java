package lovelace.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The spectral mixture of Wilson and Adams (2013), eq. (12), in any dimension: `Σ_q w_q Πᵢ
/// exp(−2π²τᵢ²σ_qi²) cos(2πτᵢμ_qi)`. Its spectrum is a mixture of Gaussians, mirrored in each
/// column, of means μ and standard deviations σ in cycles per unit of the column.
///
/// Parameters: `weight` (a variance per component), `frequency` μ and `bandwidth` σ (per component
/// and column, `q·d + i`).
public final class SpectralMixture extends Leaf {

  static final List<Slot> SLOTS =
      List.of(
          new Slot("weight", true, false, true, false, Double.NaN),
          new Slot("frequency", true, true, true, false, Double.NaN),
          new Slot("bandwidth", true, true, true, false, Double.NaN));

  SpectralMixture(int components, int dimensions, int @Nullable [] chosen, double[][] values) {
    super("sm", SLOTS, check(components), dimensions, chosen, values);
  }

  private static int check(int components) {
    if (components < 1)
      throw new IllegalArgumentException("sm needs at least 1 component, got " + components);
    return components;
  }

  static SpectralMixture of(int components) {
    double[] unset = {Double.NaN};
    return new SpectralMixture(components, 0, null, new double[][] {unset, unset, unset});
  }

  static SpectralMixture of(double[] weight, double[] frequency, double[] bandwidth) {
    return new SpectralMixture(
        weight.length,
        0,
        null,
        new double[][] {weight.clone(), frequency.clone(), bandwidth.clone()});
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, double[][] values) {
    return new SpectralMixture(components(), dimensions, chosen, values);
  }

  /// The number of components.
  public int size() {
    return components();
  }

  /// w_q. A new array.
  public double[] weights() {
    return slot(0).clone();
  }

  /// μ, component by component. A new array.
  public double[] frequencies() {
    return slot(1).clone();
  }

  /// σ, component by component. A new array.
  public double[] bandwidths() {
    return slot(2).clone();
  }

  private static final double TWO_PI = 2 * Math.PI;

  private double tau(double[] x, int xo, double[] y, int yo, int i) {
    int at = cols()[i];
    return x[xo + at] - y[yo + at];
  }

  /// Component q without its weight, the cosine of one column left out (none for −1).
  private double component(double[] x, int xo, double[] y, int yo, int q, int but) {
    int width = cols().length;
    double exponent = 0;
    double product = 1;
    for (int i = 0; i < width; i++) {
      double tau = tau(x, xo, y, yo, i);
      double a = TWO_PI * tau * slot(2)[q * width + i];
      exponent += a * a;
      if (i != but) product *= Math.cos(TWO_PI * Math.abs(tau) * slot(1)[q * width + i]);
    }
    return product * Math.exp(-0.5 * exponent);
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    double[] weight = slot(0);
    for (int j = 0; j < ny; j++) {
      double k = 0;
      for (int q = 0; q < weight.length; q++)
        k += weight[q] * component(x, xo, y, yo + j * dimensions(), q, -1);
      out[oo + j] = k;
    }
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, int wo, double[] g, int go) {
    int width = cols().length;
    int components = components();
    int frequencies = go + components;
    int bandwidths = frequencies + components * width;
    for (int j = 0; j < ny; j++) {
      int at = yo + j * dimensions();
      for (int q = 0; q < components; q++) {
        double e = w[wo + j] * component(x, xo, y, at, q, -1);
        g[go + q] += e;
        double scaled = w[wo + j] * slot(0)[q];
        for (int i = 0; i < width; i++) {
          double a = TWO_PI * tau(x, xo, y, at, i);
          int p = q * width + i;
          g[bandwidths + p] -= slot(0)[q] * e * a * a * slot(2)[p];
          double rest = component(x, xo, y, at, q, i);
          g[frequencies + p] -= scaled * rest * a * Math.sin(a * slot(1)[p]);
        }
      }
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    int width = cols().length;
    for (int q = 0; q < components(); q++) {
      double e = component(x, xo, y, yo, q, -1);
      for (int i = 0; i < width; i++) {
        int p = q * width + i;
        double tau = tau(x, xo, y, yo, i);
        double s = TWO_PI * slot(2)[p];
        double f = TWO_PI * slot(1)[p];
        g[go + cols()[i]] -=
            weight
                * slot(0)[q]
                * (e * s * s * tau + component(x, xo, y, yo, q, i) * f * Math.sin(f * tau));
      }
    }
  }
}
