package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Computes spectral densities over the columns that a kernel depends on, and draws frequencies
/// from them.
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
    if (leaf.categories().length > 0) throw none(leaf, "a column of words has no frequencies");
    return switch (leaf) {
      case Radial radial -> radial(radial, omega);
      case SpectralMixture mixture -> mixture(mixture, omega);
      case Periodic p -> throw none(leaf, "its spectrum is lines at multiples of 1/period");
      case Cosine c -> throw none(leaf, "its spectrum is one line");
      case Constant c -> throw none(leaf, "its spectrum is one line at 0");
      case White w -> throw none(leaf, "it is noise, not a function of the inputs");
      case Linear l -> throw none(leaf, "it is not stationary");
      case Custom own -> throw none(leaf, "it is not computed for kernels of your own");
    };
  }

  /// GPML section 4.2.1. For lengthscales ℓᵢ and `s = Σ ℓᵢ²ωᵢ²`, that of an RBF is `(2π)^{d/2} Πℓᵢ
  /// exp(−s/2)`, and that of a Matérn is `Πℓᵢ 2ᵈ π^{d/2} Γ(ν + d/2) (2ν)^ν / Γ(ν) (2ν +
  /// s)^{−ν−d/2}`.
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

  /// Wilson and Adams (2013) eq. (11). Each component is `w Πᵢ ½(N(ω/2π; μ, σ²) + N(ω/2π; −μ,
  /// σ²))`.
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

  // ---- draws ----

  /// The variance k(0).
  private static double atZero(Kernel kernel) {
    return kernel.variance(new double[kernel.dimensions()], 0);
  }

  /// Adds one frequency drawn from the spectrum to the d entries of omega from offset `at`.
  ///
  /// The spectrum of a sum is a mixture, in proportion to the variances of the terms. The frequency
  /// of a product is the sum of those of its factors. For a Matérn it is a normal variable over the
  /// root of a gamma variable, and for a rational quadratic a normal variable times such a root.
  /// The harmonics of a periodic kernel are Skellam distributed, since `exp(a cos θ) = Σ I_j(a)
  /// e^{ijθ}`.
  static void draw(Kernel kernel, RandomGenerator random, double[] omega, int at) {
    switch (kernel) {
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          draw(inner, random, omega, at);
      case Kernel.Sum(var terms) -> {
        double u = random.nextDouble() * atZero(kernel);
        int i = 0;
        while (i < terms.size() - 1 && u >= atZero(terms.get(i))) u -= atZero(terms.get(i++));
        draw(terms.get(i), random, omega, at);
      }
      case Kernel.Product(var factors) -> {
        for (Kernel factor : factors) draw(factor, random, omega, at);
      }
      case Radial radial -> {
        if (radial.categories().length > 0)
          throw new IllegalArgumentException(
              "a column of words has no Fourier features; use the exact process: " + radial);
        double[] lengthscales = radial.lengthscales();
        double factor = radius(radial, random);
        int[] columns = radial.columns();
        for (int c = 0; c < columns.length; c++)
          omega[at + columns[c]] += factor * random.nextGaussian() / lengthscales[c];
      }
      case SpectralMixture mixture -> {
        double[] weights = mixture.weights();
        int[] columns = mixture.columns();
        double u = random.nextDouble() * Arrays.stream(weights).sum();
        int q = 0;
        while (q < weights.length - 1 && u >= weights[q]) u -= weights[q++];
        for (int c = 0; c < columns.length; c++) {
          int i = q * columns.length + c;
          double cycles =
              sign(random) * mixture.frequencies()[i]
                  + mixture.bandwidths()[i] * random.nextGaussian();
          omega[at + columns[c]] += 2 * Math.PI * cycles;
        }
      }
      case Periodic periodic -> {
        int[] columns = periodic.columns();
        for (int c = 0; c < columns.length; c++) {
          double half = 0.5 / (periodic.lengthscales()[c] * periodic.lengthscales()[c]);
          long forward = poisson(half, random);
          long harmonic = forward - poisson(half, random);
          omega[at + columns[c]] += 2 * Math.PI * harmonic / periodic.periods()[c];
        }
      }
      case Cosine cosine -> {
        int[] columns = cosine.columns();
        for (int c = 0; c < columns.length; c++)
          omega[at + columns[c]] += 2 * Math.PI * sign(random) / cosine.periods()[c];
      }
      case Constant constant -> {}
      case White white ->
          throw new IllegalArgumentException("white noise has no Fourier features: " + white);
      case Custom own ->
          throw new IllegalArgumentException(
              "a kernel of your own has no Fourier features here; use the exact process or inducing points: "
                  + own);
      case Linear linear -> throw notStationary(linear);
      case Kernel.Additive additive -> throw notStationary(additive);
    }
  }

  private static double radius(Radial radial, RandomGenerator random) {
    return switch (radial.shape()) {
      case RBF -> 1;
      // 2ν degrees of freedom: normal / √(χ²₂ν/2ν)
      case MATERN12 -> 1 / Math.sqrt(2 * gamma(0.5, random));
      case MATERN32 -> 1 / Math.sqrt(2 * gamma(1.5, random) / 3);
      case MATERN52 -> 1 / Math.sqrt(2 * gamma(2.5, random) / 5);
      case RATIONAL_QUADRATIC -> {
        double alpha = radial.values()[radial.lengthscales().length];
        yield Math.sqrt(gamma(alpha, random) / alpha);
      }
    };
  }

  private static int sign(RandomGenerator random) {
    return random.nextBoolean() ? 1 : -1;
  }

  /// Draws a gamma variable of unit scale (Marsaglia and Tsang 2000).
  private static double gamma(double shape, RandomGenerator random) {
    if (shape < 1) return gamma(shape + 1, random) * Math.pow(random.nextDouble(), 1 / shape);
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = 1 + c * x;
      if (v <= 0) continue;
      v = v * v * v;
      double u = 1 - random.nextDouble();
      if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  /// Draws by exponential waiting times, in O(mean).
  private static long poisson(double mean, RandomGenerator random) {
    long count = -1;
    for (double time = 0; time <= mean; count++) time += random.nextExponential();
    return count;
  }

  private static IllegalArgumentException notStationary(Kernel kernel) {
    return new IllegalArgumentException(
        "Fourier features need a stationary kernel, got "
            + kernel
            + "; put a linear trend into the prior mean");
  }
}
