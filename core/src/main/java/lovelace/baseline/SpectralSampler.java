package lovelace.baseline;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.kernel.Constant;
import lovelace.kernel.Cosine;
import lovelace.kernel.Custom;
import lovelace.kernel.Kernel;
import lovelace.kernel.Linear;
import lovelace.kernel.Periodic;
import lovelace.kernel.Radial;
import lovelace.kernel.SpectralMixture;
import lovelace.kernel.White;

/// Draws from the spectral distribution of a stationary kernel: ω with `k(τ) = k(0) E cos(ωᵀτ)`
/// (Bochner's theorem).
///
/// A sum is a mixture in proportion to the variances of its terms; a product has the sum of its
/// factors' frequencies; a Matérn's are normal over the root of a gamma variable, a rational
/// quadratic's normal times one; a periodic kernel's harmonics are Skellam distributed, for `exp(a
/// cos θ) = Σ I_j(a) e^{ijθ}`.
public final class SpectralSampler {

  private SpectralSampler() {}

  /// k(0).
  static double variance(Kernel kernel) {
    return kernel.variance(new double[kernel.dimensions()], 0);
  }

  /// Adds one draw to the d entries of omega from offset `at`.
  public static void draw(Kernel kernel, RandomGenerator random, double[] omega, int at) {
    switch (kernel) {
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          draw(inner, random, omega, at);
      case Kernel.Sum(var terms) -> {
        double u = random.nextDouble() * variance(kernel);
        int i = 0;
        while (i < terms.size() - 1 && u >= variance(terms.get(i))) u -= variance(terms.get(i++));
        draw(terms.get(i), random, omega, at);
      }
      case Kernel.Product(var factors) -> {
        for (Kernel factor : factors) draw(factor, random, omega, at);
      }
      case Radial radial -> {
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

  /// Marsaglia and Tsang (2000), unit scale.
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

  /// Exponential waiting times; O(mean).
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
