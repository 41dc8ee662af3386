package lovelace.experiments.baseline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FourierGpTest {

  private static Hyperparameters parameters(String kernel, int d) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), 0.2, PriorMean.constant(0.7));
  }

  /// The estimate of k(x, y) is a mean of D/2 terms between −k(0) and k(0) of deviation at most
  /// k(0): five deviations are exceeded once in 10⁶ comparisons.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.3*rbf(lengthscale=0.7)",
        "0.8*matern12(lengthscale=0.9)",
        "1.1*matern32(lengthscale=0.5)",
        "0.9*matern52(lengthscale=0.8)",
        "1.2*rq(lengthscale=0.6, alpha=1.4)",
        "0.7*periodic(period=1.7, lengthscale=0.6)",
        "0.6*cosine(period=2.3)",
        "sm(2, weight=[0.5,0.8], frequency=[0.3,0.9], bandwidth=[0.1,0.3])",
        "0.4*periodic(period=1.7, lengthscale=0.8)*rbf(lengthscale=2) + 0.3*matern32(lengthscale=0.4)",
        "1*rbf(columns=[0], lengthscale=0.7) + 1*matern12(columns=[1], lengthscale=0.7)"
      })
  void estimatesTheKernelAtTheRootRate(String text) {
    int d = text.startsWith("sm") ? 1 : 2;
    Kernel kernel = Kernel.parse(text).bind(d);
    Hyperparameters h = Hyperparameters.of(kernel, 0.2, PriorMean.ZERO);
    double scale = kernel.variance(new double[d], 0);
    for (int features : new int[] {64, 1024}) {
      var random = new SplittableRandom(features);
      Dataset data = RandomRows.data(2, d, false, random);
      FourierGp gp = FourierGp.of(data, h, features, random);
      double largest = 0;
      for (int i = 0; i < 50; i++) {
        double[] x = RandomRows.points(1, d, random);
        double[] y = RandomRows.points(1, d, random);
        double error = gp.priorCovariance(x, y) - kernel.value(x, 0, y, 0);
        largest = Math.max(largest, Math.abs(error) / scale);
      }
      assertTrue(largest < 5 / Math.sqrt(features / 2.0), text + ": " + largest);
    }
  }

  @Test
  void convergesToTheExactPosterior() {
    var random = new SplittableRandom(1);
    Dataset data = RandomRows.data(60, 1, true, random);
    Hyperparameters h = parameters("1.3*rbf(lengthscale=0.7)", 1);
    double[] points = RandomRows.points(30, 1, random);
    Prediction exact = ExactGp.of(data, h).predict(points);
    Prediction fourier = FourierGp.of(data, h, 2000, random).predict(points);
    for (int i = 0; i < 30; i++) {
      assertEquals(exact.mean(i), fourier.mean(i), 0.05);
      assertEquals(exact.variance(i), fourier.variance(i), 0.02);
    }
  }

  @Test
  void equalsTheExactPosteriorOfItsOwnFeatures() {
    var random = new SplittableRandom(2);
    int n = 12;
    Dataset data = RandomRows.data(n, 2, true, random);
    Hyperparameters h = parameters("1.3*matern52(lengthscale=0.7)", 2);
    FourierGp gp = FourierGp.of(data, h, 40, random);
    double[] x = {0.3, 0.4};
    // kernel form of the same linear model: A = ΦΦᵀ + S, by conjugate solves with plain elimination
    double[][] a = new double[n][n + 2];
    double prior = gp.priorCovariance(x, x);
    double[] cross = new double[n];
    for (int i = 0; i < n; i++) {
      double[] xi = Arrays.copyOfRange(data.inputs(), 2 * i, 2 * i + 2);
      cross[i] = gp.priorCovariance(x, xi);
      for (int j = 0; j < n; j++)
        a[i][j] = gp.priorCovariance(xi, Arrays.copyOfRange(data.inputs(), 2 * j, 2 * j + 2));
      a[i][i] += 0.2 / data.weight(i);
      a[i][n] = data.target()[i] - 0.7;
      a[i][n + 1] = cross[i];
    }
    for (int c = 0; c < n; c++)
      for (int i = 0; i < n; i++) {
        if (i == c) continue;
        double f = a[i][c] / a[c][c];
        for (int j = c; j < n + 2; j++) a[i][j] -= f * a[c][j];
      }
    double mean = 0.7;
    double variance = prior;
    for (int i = 0; i < n; i++) {
      mean += cross[i] * a[i][n] / a[i][i];
      variance -= cross[i] * a[i][n + 1] / a[i][i];
    }
    Prediction p = gp.predict(x);
    assertEquals(mean, p.mean(0), 1e-10);
    assertEquals(variance, p.variance(0), 1e-10);
    assertArrayEquals(p.variances(), gp.covariance(x, x), 1e-12);
  }

  /// Mean of S draws within five standard errors, variance within five of its relative error
  /// √(2/S): 8 comparisons, a false alarm in fewer than one of 10⁵ seeds.
  @Test
  void samplesHaveThePosteriorsMeanAndVariance() {
    var random = new SplittableRandom(3);
    Dataset data = RandomRows.data(20, 1, false, random);
    FourierGp gp = FourierGp.of(data, parameters("1*rbf(lengthscale=1)", 1), 100, random);
    double[] points = {-1, 0.2, 1.4, 3};
    Prediction p = gp.predict(points);
    int draws = 5000;
    double[] samples = gp.sample(points, draws, random);
    for (int i = 0; i < 4; i++) {
      double sum = 0;
      double squares = 0;
      for (int s = 0; s < draws; s++) {
        double r = samples[s * 4 + i] - p.mean(i);
        sum += r;
        squares += r * r;
      }
      assertEquals(0, sum / Math.sqrt(draws * p.variance(i)), 5);
      assertEquals(1, squares / draws / p.variance(i), 5 * Math.sqrt(2.0 / draws));
    }
  }

  @Test
  void refusesAKernelThatIsNotStationary() {
    var random = new SplittableRandom(1);
    Dataset data = RandomRows.data(5, 1, false, random);
    Hyperparameters h = parameters("linear(variance=1)", 1);
    assertThrows(IllegalArgumentException.class, () -> FourierGp.of(data, h, 10, random));
  }

  @Test
  void refusesTooManyPoints() {
    var random = new SplittableRandom(5);
    Dataset data = RandomRows.data(50, 1, false, random);
    Hyperparameters h = parameters("1*rbf(lengthscale=0.3)", 1);
    RandomRows.refusesManyPoints(FourierGp.of(data, h, 64, random));
  }
}
