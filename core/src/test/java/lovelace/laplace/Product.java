package lovelace.laplace;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.Prediction;

/// The product's answers for a Matérn-5/2 process over one input, variance 1 and lengthscale 0.8,
/// with known parameters. The log deviation of varying noise has variance 0.5 and lengthscale 1.5.
final class Product {

  /// Every likelihood with parameters, a prior mean, and the size of a row.
  static final class Problem {
    private final String likelihood;
    private final double mean;
    private final double size;
    private final double[] parameters;

    Problem(String likelihood, double mean, double size, double... parameters) {
      this.likelihood = likelihood;
      this.mean = mean;
      this.size = size;
      this.parameters = parameters;
    }

    String likelihood() {
      return likelihood;
    }

    double mean() {
      return mean;
    }

    double size() {
      return size;
    }

    double[] parameters() {
      return parameters;
    }

    Density density() {
      return Density.of(likelihood, parameters);
    }

    @Override
    public String toString() {
      return likelihood + Arrays.toString(parameters) + " mean " + mean;
    }
  }

  static final Problem[] PROBLEMS = {
    new Problem("poisson", 0.5, 1),
    new Problem("poisson", -1, 1),
    new Problem("binomial", 0, 5),
    new Problem("binomial(link=probit)", 0, 5),
    new Problem("gamma", 0, 1, 2),
    new Problem("bernoulli", 0, 1),
    new Problem("bernoulli(link=probit)", 0, 1),
    new Problem("negative-binomial", 0.5, 1, 0.5),
    new Problem("student-t", 0, 1, 0.1, 4),
    new Problem("student-t", 0, 1, 0.1, 2.5)
  };

  private Product() {}

  private static Kernel kernel(double variance, double lengthscale) {
    return Kernel.parse("%s*matern52(lengthscale=%s)".formatted(variance, lengthscale)).bind(1);
  }

  /// Means and variances at points given rows.
  static Prediction predict(Problem problem, double[] x, double[] y, double[] sizes, double[] at) {
    Likelihood likelihood = Likelihood.parse(problem.likelihood).with(problem.parameters);
    Hyperparameters h =
        Hyperparameters.of(kernel(1, 0.8), likelihood, PriorMean.constant(problem.mean));
    Observations data = Observations.of(Dataset.of(x, 1, y, sizes), likelihood);
    Mode mode = new Laplace(data, new WorkingExact(data.places(), 1)).mode(h);
    Dataset rows = Dataset.of(data.places(), 1, mode.corrected(), mode.weights());
    return ExactGp.of(rows, h.working()).predict(at);
  }

  /// The same of the function and of the log deviation of its noise, whose prior means are 0 and
  /// −1.
  static Prediction[] varying(double[] x, double[] y, double[] at) {
    Hyperparameters h =
        Hyperparameters.of(
                kernel(1, 0.8), Likelihood.varying(), kernel(0.5, 1.5), PriorMean.constant(0))
            .set("noise.mean", -1);
    Observations data = Observations.of(Dataset.of(x, 1, y), h.likelihood());
    Varying.Working working =
        new Varying(data, new WorkingExact(x, 1), new WorkingExact(x, 1)).modes(h).working();
    Dataset ofF = Dataset.of(x, 1, y, working.weights());
    Dataset ofH = Dataset.of(x, 1, working.noiseTargets(), working.noiseWeights());
    return new Prediction[] {
      ExactGp.of(ofF, h.working()).predict(at), ExactGp.of(ofH, h.workingNoise()).predict(at)
    };
  }
}
