package lovelace.laplace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.likelihood.Likelihood;
import org.junit.jupiter.api.Test;

/// The oracle of the other tests of this package is right: it agrees with itself and with closed
/// forms, and the product's likelihoods agree with it.
class OracleTest {

  private static final String[][] ALL = {
    {"gaussian", "0.3"},
    {"student-t", "0.2", "4"},
    {"poisson"},
    {"negative-binomial", "0.6"},
    {"bernoulli"},
    {"bernoulli(link=probit)"},
    {"binomial"},
    {"binomial(link=probit)"},
    {"gamma", "1.7"}
  };

  private static double[] numbers(String[] entry) {
    return Arrays.stream(entry, 1, entry.length).mapToDouble(Double::parseDouble).toArray();
  }

  private static double size(String name, SplittableRandom random) {
    return switch (name) {
      case "binomial", "binomial(link=probit)" -> 1 + random.nextInt(6);
      case "bernoulli", "bernoulli(link=probit)", "gamma" -> 1;
      default -> 0.5 + random.nextDouble();
    };
  }

  @Test
  void derivativesAreThoseOfTheLogDensity() {
    SplittableRandom random = new SplittableRandom(1);
    for (String[] entry : ALL)
      for (int i = 0; i < 20; i++) {
        Density density = Density.of(entry[0], numbers(entry));
        double f = 4 * random.nextDouble() - 2;
        double size = size(entry[0], random);
        double y = density.draw(size, f, random);
        Density.Derivatives d = density.at(y, size, f);
        double e = 1e-4;
        Density.Derivatives up = density.at(y, size, f + e);
        Density.Derivatives down = density.at(y, size, f - e);
        double scale = 1e-6 * (1 + Math.abs(d.hessian()));
        String at = entry[0] + " y=" + y + " f=" + f;
        assertEquals(
            (density.log(y, size, f + e) - density.log(y, size, f - e)) / (2 * e),
            d.slope(),
            scale,
            at);
        assertEquals((down.slope() - up.slope()) / (2 * e), d.hessian(), scale, at);
        assertEquals((up.curvature() - down.curvature()) / (2 * e), d.curvatureSlope(), scale, at);
      }
  }

  @Test
  void likelihoodsAreThoseOfTheDefinition() {
    SplittableRandom random = new SplittableRandom(2);
    double[] out = new double[4];
    for (String[] entry : ALL) {
      Likelihood likelihood = Likelihood.parse(entry[0]).with(numbers(entry));
      Density density = Density.of(entry[0], numbers(entry));
      for (int i = 0; i < 50; i++) {
        double f = 6 * random.nextDouble() - 3;
        double size = size(entry[0], random);
        double y = density.draw(size, f, random);
        double extra = likelihood.extra(y, size);
        likelihood.at(y, size, extra, f, out);
        Density.Derivatives d = density.at(y, size, f);
        String at = entry[0] + " y=" + y + " size=" + size + " f=" + f;
        double scale = 1e-10 * (1 + Math.abs(d.slope()) + d.curvature());
        assertEquals(density.log(y, size, f), out[0], scale, at);
        assertEquals(out[0], likelihood.log(y, size, extra, f), scale, at);
        assertEquals(d.slope(), out[1], scale, at);
        assertEquals(d.curvature(), out[2], scale, at);
        assertEquals(d.curvatureSlope(), out[3], scale, at);
      }
    }
  }

  /// With Gaussian noise Laplace's approximation is exact.
  @Test
  void gaussianNoiseGivesTheExactProcess() {
    SplittableRandom random = new SplittableRandom(3);
    int n = 12;
    double[] x = random.doubles(n, 0, 3).toArray();
    double[] k = Prior.covariance(x, 1.3, 0.7);
    double[] y = random.doubles(n, -1, 1).toArray();
    double[] weights = random.doubles(n, 0.5, 2).toArray();
    double[] mu = new double[n];
    Arrays.fill(mu, 0.2);
    DenseLaplace laplace = new DenseLaplace(Density.of("gaussian", 0.3), y, weights, k, mu);
    double[] a = k.clone();
    for (int i = 0; i < n; i++) a[i * n + i] += 0.3 / weights[i];
    double[] r = new double[n];
    for (int i = 0; i < n; i++) r[i] = y[i] - mu[i];
    double[] alpha = DenseLaplace.solve(a, r, n);
    double evidence = -0.5 * (DenseLaplace.logDeterminant(a, n) + n * Math.log(2 * Math.PI));
    for (int i = 0; i < n; i++) evidence -= 0.5 * r[i] * alpha[i];
    assertEquals(evidence, laplace.evidence, 1e-10);
    double[] exact = DenseLaplace.times(k, alpha, n);
    double[] solved = DenseLaplace.solve(a, k, n);
    for (int i = 0; i < n; i++) {
      assertEquals(mu[i] + exact[i], laplace.mode[i], 1e-10);
      double variance = k[i * n + i];
      for (int j = 0; j < n; j++) variance -= k[i * n + j] * solved[j * n + i];
      assertEquals(variance, laplace.covariance[i * n + i], 1e-10);
      double[] cross = Arrays.copyOfRange(k, i * n, i * n + n);
      double[] at = laplace.at(mu[i], k[i * n + i], cross);
      assertEquals(laplace.mode[i], at[0], 1e-10);
      assertEquals(variance, at[1], 1e-10);
    }
  }

  /// One count: the posterior moments by quadrature; the sampler finds them.
  @Test
  void slicesFindTheMomentsOfOneCount() {
    Density density = Density.of("poisson");
    double sum = 0;
    double first = 0;
    double second = 0;
    for (double f = -8; f < 8; f += 1e-3) {
      double p = Math.exp(density.log(3, 1, f) - 0.5 * f * f);
      sum += p;
      first += p * f;
      second += p * f * f;
    }
    double mean = first / sum;
    double sd = Math.sqrt(second / sum - mean * mean);
    EllipticalSlice slices =
        new EllipticalSlice(
            new double[] {1},
            new double[1],
            f -> density.varying(3, 1, f[0]),
            new double[1],
            6,
            20_000,
            4);
    assertEquals(mean, slices.mean[0], 0.02);
    assertEquals(sd, slices.sd[0], 0.02);
    assertEquals(0, slices.error[0], 0.01);
    double[] one = {1};
    DenseLaplace laplace = new DenseLaplace(density, new double[] {3}, one, one, new double[1]);
    assertEquals(mean, laplace.mean()[0], 0.02 * sd);
  }

  /// The joint mode of function and noise is where the slopes vanish, and the evidence of noise
  /// that hardly varies is that of Gaussian noise.
  @Test
  void noiseThatHardlyVariesIsGaussian() {
    SplittableRandom random = new SplittableRandom(5);
    int n = 15;
    double[] x = random.doubles(n, 0, 3).toArray();
    double[] y = random.doubles(n, -1, 1).toArray();
    double[] ones = new double[n];
    Arrays.fill(ones, 1);
    double[] level = new double[n];
    Arrays.fill(level, 0.5 * Math.log(0.3));
    double[] k = Prior.covariance(x, 1.3, 0.7);
    double[] still = Prior.covariance(x, 1e-9, 0.7);
    DenseVarying varying = new DenseVarying(y, ones, k, still, new double[n], level);
    DenseLaplace gaussian =
        new DenseLaplace(Density.of("gaussian", 0.3), y, ones, k, new double[n]);
    assertEquals(gaussian.evidence, varying.evidence, 1e-6);
    for (int i = 0; i < n; i++) assertEquals(gaussian.mode[i], varying.mode[i], 1e-6);
  }
}
