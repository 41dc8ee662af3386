package lovelace.posterior;

import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;

/// Draws from a multivariate normal distribution by Cholesky factorisation.
final class DenseDraws {

  private DenseDraws() {}

  /// `count` draws, one row each.
  static double[] draw(double[] mean, double[] covariance, int count, RandomGenerator random) {
    int t = mean.length;
    double[] xi = new double[Budget.draws(count, t)];
    for (int i = 0; i < xi.length; i++) xi[i] = random.nextGaussian();
    if (t == 0) return xi;
    Cholesky factor = Cholesky.of(covariance, t);
    double[] draws = new double[xi.length];
    Blas.gemm(false, true, count, t, t, 1, xi, 0, t, factor.factor(), 0, t, 0, draws, 0, t);
    for (int s = 0; s < count; s++) for (int i = 0; i < t; i++) draws[s * t + i] += mean[i];
    return draws;
  }
}
