package lovelace.kernel;

import java.util.Arrays;
import java.util.List;

/// Spectral densities, over the columns a kernel depends on.
final class Spectrum {

  private Spectrum() {}

  static double density(Kernel kernel, double[] omega) {
    int d = kernel.dimensions();
    if (d == 0) throw Evaluation.unbound(kernel);
    if (omega.length != d)
      throw new IllegalArgumentException(
          kernel + " has " + d + " columns, got " + omega.length + " frequencies");
    if (kernel.activeColumns().length < d)
      throw none(kernel, "it does not depend on all " + d + " columns");
    return over(kernel, omega);
  }

  private static double over(Kernel kernel, double[] omega) {
    return switch (kernel) {
      case Leaf leaf -> {
        leaf.requireReady();
        yield leaf(leaf, omega);
      }
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          variance * over(inner, omega);
      case Kernel.Sum(var terms) -> {
        double sum = 0;
        for (Kernel term : terms) {
          if (!Arrays.equals(term.activeColumns(), kernel.activeColumns()))
            throw none(kernel, "its terms depend on different columns");
          sum += over(term, omega);
        }
        yield sum;
      }
      case Kernel.Product(var factors) -> product(kernel, factors, omega);
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }

  private static double product(Kernel kernel, List<Kernel> factors, double[] omega) {
    double product = 1;
    int columns = 0;
    for (Kernel factor : factors) {
      columns += factor.activeColumns().length;
      product *= factor instanceof Constant constant ? constant.variance() : over(factor, omega);
    }
    if (columns > kernel.activeColumns().length)
      throw none(kernel, "the density of a product over shared columns is a convolution");
    return product;
  }

  private static double leaf(Leaf leaf, double[] omega) {
    return switch (leaf) {
      case Radial radial -> radial(radial, omega);
      case SpectralMixture mixture -> mixture(mixture, omega);
      case Periodic p -> throw none(leaf, "its spectrum is lines at multiples of 1/period");
      case Cosine c -> throw none(leaf, "its spectrum is one line");
      case Constant c -> throw none(leaf, "its spectrum is one line at 0");
      case White w -> throw none(leaf, "it is noise, not a function of the inputs");
      case Linear l -> throw none(leaf, "it is not stationary");
      case Custom own -> throw none(leaf, "that of a kernel of your own is not computed");
    };
  }

  /// GPML section 4.2.1: for lengthscales ℓᵢ and `s = Σ ℓᵢ²ωᵢ²`, the RBF's is `(2π)^{d/2} Πℓᵢ
  /// exp(−s/2)`, a Matérn's `Πℓᵢ 2ᵈ π^{d/2} Γ(ν + d/2) (2ν)^ν / Γ(ν) (2ν + s)^{−ν−d/2}`.
  private static double radial(Radial radial, double[] omega) {
    int[] columns = radial.cols();
    double[] lengthscale = radial.slot(0);
    int d = columns.length;
    double s = 0;
    double volume = 1;
    for (int c = 0; c < d; c++) {
      double a = lengthscale[c] * omega[columns[c]];
      s += a * a;
      volume *= lengthscale[c];
    }
    int twiceNu =
        switch (radial.shape()) {
          case RBF -> 0;
          case MATERN12 -> 1;
          case MATERN32 -> 3;
          case MATERN52 -> 5;
          case RATIONAL_QUADRATIC ->
              throw none(radial, "a rational quadratic's density is not computed here");
        };
    if (twiceNu == 0) return volume * Math.pow(2 * Math.PI, 0.5 * d) * Math.exp(-0.5 * s);
    double nu = 0.5 * twiceNu;
    return volume
        * Math.pow(2, d)
        * Math.pow(Math.PI, 0.5 * d)
        * gammaOfHalf(twiceNu + d)
        / gammaOfHalf(twiceNu)
        * Math.pow(twiceNu, nu)
        * Math.pow(twiceNu + s, -nu - 0.5 * d);
  }

  /// Γ(k/2).
  private static double gammaOfHalf(int k) {
    double gamma = k % 2 == 0 ? 1 : Math.sqrt(Math.PI);
    for (int i = k - 2; i > 0; i -= 2) gamma *= 0.5 * i;
    return gamma;
  }

  /// Wilson and Adams (2013) eq. (11): each component `w Πᵢ ½(N(ω/2π; μ, σ²) + N(ω/2π; −μ, σ²))`.
  private static double mixture(SpectralMixture mixture, double[] omega) {
    int[] columns = mixture.cols();
    double sum = 0;
    for (int q = 0; q < mixture.size(); q++) {
      double component = mixture.slot(0)[q];
      for (int i = 0; i < columns.length; i++) {
        double mean = mixture.slot(1)[q * columns.length + i];
        double deviation = mixture.slot(2)[q * columns.length + i];
        double f = omega[columns[i]] / (2 * Math.PI);
        component *= 0.5 * (normal(f - mean, deviation) + normal(f + mean, deviation));
      }
      sum += component;
    }
    return sum;
  }

  private static double normal(double x, double deviation) {
    double z = x / deviation;
    return Math.exp(-0.5 * z * z) / (Math.sqrt(2 * Math.PI) * deviation);
  }

  private static UnsupportedOperationException none(Kernel kernel, String why) {
    return new UnsupportedOperationException(kernel + " has no spectral density: " + why);
  }
}
