package lovelace.kernel;

import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// The spectral mixture of Wilson and Adams (2013), eq. (12), in any dimension: `Σ_q w_q Πᵢ
/// exp(−2π²τᵢ²σ_qi²) cos(2πτᵢμ_qi)`. Its spectrum is a mixture of Gaussians, mirrored in each
/// column. They have means μ and standard deviations σ, in cycles per unit of the column.
///
/// Parameters: `weight` (a variance per component), `frequency` μ and `bandwidth` σ (per component
/// and column, `q·d + i`).
final class SpectralMixture extends Leaf {

  static final List<Slot> SLOTS =
      List.of(
          Slot.components("weight", Parameter.Role.WEIGHT, false),
          Slot.components("frequency", Parameter.Role.FREQUENCY, true),
          Slot.components("bandwidth", Parameter.Role.BANDWIDTH, true));

  SpectralMixture(int components, int dimensions, int @Nullable [] chosen, Values values) {
    super("sm", SLOTS, check(components), dimensions, chosen, values);
  }

  private static int check(int components) {
    if (components < 1)
      throw new IllegalArgumentException("sm needs at least 1 component, got " + components);
    return components;
  }

  static SpectralMixture of(int components) {
    double[] unset = {Double.NaN};
    return new SpectralMixture(components, 0, null, Values.free(unset, unset, unset));
  }

  static SpectralMixture of(double[] weight, double[] frequency, double[] bandwidth) {
    return new SpectralMixture(
        weight.length, 0, null, Values.free(weight.clone(), frequency.clone(), bandwidth.clone()));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new SpectralMixture(components(), dimensions, chosen, values);
  }

  /// The number of components.
  public int size() {
    return components();
  }

  /// The weights w_q. A new array.
  public double[] weights() {
    return slot(0).clone();
  }

  /// The frequencies μ, component by component. A new array.
  public double[] frequencies() {
    return slot(1).clone();
  }

  /// The bandwidths σ, component by component. A new array.
  public double[] bandwidths() {
    return slot(2).clone();
  }

  /// `2/ω` of every component and column, where ω is its highest angular frequency; NaN for
  /// components that are too light to matter.
  @Override
  public double[] lengths() {
    double[] weight = slot(0);
    double[] frequency = slot(1);
    double[] bandwidth = slot(2);
    int width = frequency.length / weight.length;
    double heaviest = 0;
    for (double w : weight) heaviest = Math.max(heaviest, w);
    double[] lengths = new double[frequency.length];
    for (int i = 0; i < lengths.length; i++)
      lengths[i] =
          weight[i / width] < 1e-3 * heaviest
              ? Double.NaN
              : 1 / (Math.PI * (frequency[i] + 2 * bandwidth[i]));
    return lengths;
  }

  private static final double TWO_PI = 2 * Math.PI;

  private double tau(double[] x, int xo, double[] y, int yo, int i) {
    int at = cols()[i];
    return x[xo + at] - y[yo + at];
  }

  /// Component q without its weight. Returns the Gaussian envelope, and writes the cosines of the
  /// columns to `cosines`.
  private double envelope(double[] x, int xo, double[] y, int yo, int q, double[] cosines) {
    double exponent = 0;
    for (int i = 0; i < cosines.length; i++) {
      double tau = TWO_PI * Math.abs(tau(x, xo, y, yo, i));
      double a = tau * slot(2)[q * cosines.length + i];
      exponent += a * a;
      cosines[i] = Math.cos(tau * slot(1)[q * cosines.length + i]);
    }
    return Math.exp(-0.5 * exponent);
  }

  /// The product of all cosines except number `but` (of all if −1).
  private static double product(double[] cosines, int but) {
    double product = 1;
    for (int i = 0; i < cosines.length; i++) if (i != but) product *= cosines[i];
    return product;
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    double[] cosines = new double[cols().length];
    for (int j = 0; j < ny; j++) {
      double k = 0;
      for (int q = 0; q < components(); q++) {
        double e = envelope(x, xo, y, yo + j * dimensions(), q, cosines);
        k += slot(0)[q] * e * product(cosines, -1);
      }
      out[oo + j] = k;
    }
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    int width = cols().length;
    int frequencies = go + components();
    int bandwidths = frequencies + components() * width;
    double[] cosines = new double[width];
    for (int j = 0; j < ny; j++) {
      int at = yo + j * dimensions();
      for (int q = 0; q < components(); q++) {
        double e = w[j] * envelope(x, xo, y, at, q, cosines);
        double component = e * product(cosines, -1);
        g[go + q] += component;
        for (int i = 0; i < width; i++) {
          double a = TWO_PI * tau(x, xo, y, at, i);
          int p = q * width + i;
          double rest = e * product(cosines, i);
          g[frequencies + p] -= slot(0)[q] * rest * a * Math.sin(a * slot(1)[p]);
          g[bandwidths + p] -= slot(0)[q] * component * a * a * slot(2)[p];
        }
      }
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    double[] cosines = new double[cols().length];
    for (int q = 0; q < components(); q++) {
      double e = weight * slot(0)[q] * envelope(x, xo, y, yo, q, cosines);
      for (int i = 0; i < cosines.length; i++) {
        double tau = tau(x, xo, y, yo, i);
        double s = TWO_PI * slot(2)[q * cosines.length + i];
        double f = TWO_PI * slot(1)[q * cosines.length + i];
        g[go + cols()[i]] -=
            e * (product(cosines, -1) * s * s * tau + product(cosines, i) * f * Math.sin(f * tau));
      }
    }
  }
}
