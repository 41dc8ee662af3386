package lovelace;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Gaussian;

/// Tables drawn under a likelihood, and fits to them with every parameter held.
final class Observed {

  static final String[] LIKELIHOODS = {
    "student-t",
    "poisson",
    "negative-binomial",
    "bernoulli",
    "bernoulli(link=probit)",
    "binomial",
    "gamma",
    "gaussian(noise=varying)"
  };

  private Observed() {}

  /// Rows at random places of the unit cube.
  static Dataset scattered(String likelihood, int n, int d, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = random.doubles((long) n * d).toArray();
    return rows(likelihood, x, d, random);
  }

  /// Rows at multiples of 1/10 on a line, several at each.
  static Dataset onNodes(String likelihood, int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n];
    for (int i = 0; i < n; i++) x[i] = i < 21 ? i / 10.0 : random.nextInt(21) / 10.0;
    return rows(likelihood, x, 1, random);
  }

  private static Dataset rows(String likelihood, double[] x, int d, SplittableRandom random) {
    int n = x.length / d;
    double[] y = new double[n];
    double[] size = new double[n];
    IntToDoubleFunction f = i -> Math.sin(5 * x[i * d]) + (d > 1 ? x[i * d + 1] : 0);
    for (int i = 0; i < n; i++) {
      double g = f.applyAsDouble(i);
      double e = random.nextGaussian();
      size[i] =
          switch (Likelihood.parse(likelihood).size()) {
            case TRIALS -> 1 + random.nextInt(5);
            case EXPOSURE -> 0.5 + random.nextDouble();
            default -> 1;
          };
      y[i] =
          switch (Likelihood.parse(likelihood).name()) {
            case "poisson", "negative-binomial" -> count(size[i] * Math.exp(g), random);
            case "bernoulli", "binomial" -> {
              double wins = 0;
              for (int k = 0; k < size[i]; k++)
                wins += random.nextDouble() < Gaussian.cdf(g) ? 1 : 0;
              yield wins;
            }
            case "gamma" -> Math.exp(g + 0.5 * e);
            default -> g + 0.2 * e * (1 + x[i * d]);
          };
    }
    Dataset data = Dataset.of(x, d, y);
    return switch (Likelihood.parse(likelihood).size()) {
      case TRIALS, EXPOSURE -> data.withWeights(size);
      default -> data;
    };
  }

  private static double count(double mean, SplittableRandom random) {
    int k = 0;
    for (double p = random.nextDouble(); p > Math.exp(-mean); p *= random.nextDouble()) k++;
    return k;
  }

  /// A fit that learns nothing.
  static Fit held(String likelihood, String kernel) {
    Fit fit =
        Fit.DEFAULT
            .withLikelihood(likelihood)
            .withTraining(false)
            .withKernel(kernel)
            .set("lengthscale", 0.4)
            .set("outputscale", 1.3)
            .set("mean", 0.1);
    for (String name : Likelihood.parse(likelihood).parameterNames())
      fit = fit.set(name, name.equals("df") ? 4 : name.equals("shape") ? 3 : 0.2);
    if (Likelihood.parse(likelihood).isVarying())
      fit = fit.set("noise.lengthscale", 0.6).set("noise.outputscale", 0.5).set("noise.mean", -1.5);
    return fit;
  }
}
