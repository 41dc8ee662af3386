package lovelace.experiments.baseline;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.posterior.Posterior;

/// Random rows, one kernel of every family, and a claim that all comparisons share.
final class RandomRows {

  private RandomRows() {}

  static Dataset data(int n, int d, boolean weighted, SplittableRandom random) {
    double[] x = points(n, d, random);
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 0.3 * random.nextGaussian() + 0.7;
      for (int j = 0; j < d; j++) y[i] += Math.sin(2 * x[i * d + j] + j);
      w[i] = 0.5 + 2 * random.nextDouble();
    }
    return weighted ? Dataset.of(x, d, y, w) : Dataset.of(x, d, y);
  }

  static double[] points(int n, int d, SplittableRandom random) {
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = 3 * random.nextDouble() - 1;
    return x;
  }

  /// One kernel of every family, and compositions.
  static List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    for (String text :
        List.of(
            "1.3*rbf(lengthscale=0.7)",
            "0.8*matern12(lengthscale=0.9)",
            "1.1*matern32(lengthscale=0.5)",
            "0.9*matern52(lengthscale=0.8)",
            "1.2*rq(lengthscale=0.6, alpha=1.4)",
            "0.7*periodic(period=1.7, lengthscale=1.1)",
            "0.6*cosine(period=2.3)",
            "linear(variance=0.5) + constant(variance=0.8)",
            "1.1*rbf(lengthscale=0.7) + white(variance=0.2)",
            "0.4*periodic(period=1.7, lengthscale=0.8)*rbf(lengthscale=2) + 0.3*matern32(lengthscale=0.4)"))
      kernels.add(Kernel.parse(text));
    return kernels;
  }

  /// Points of one column, too many for a matrix of their covariances, are refused by a message
  /// with the sizes in it.
  static void refusesManyPoints(Posterior posterior) {
    double[] points = new SplittableRandom(1).doubles(60_000).toArray();
    var covariance =
        assertThrows(
            IllegalArgumentException.class, () -> posterior.covariance(points, points.clone()));
    assertTrue(covariance.toString().contains("60,000"), covariance.getMessage());
    double[] few = {0.25, 0.5, 0.75};
    var draws =
        assertThrows(
            IllegalArgumentException.class,
            () -> posterior.sample(few, 1_000_000_000, new SplittableRandom(1)));
    assertTrue(draws.toString().contains("1,000,000,000"), draws.getMessage());
  }
}
