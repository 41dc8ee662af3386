package lovelace.laplace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.laplace.Product.Problem;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

/// Simulation-based calibration (Talts and others 2018): where data are drawn from the model, the
/// true function value at a new point has a uniform rank in its predictive distribution.
class CalibrationTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final int REPLICATES = LONG ? 2000 : 200;

  /// The long test has the goal. The short one has what uniform ranks exceed once in 1,000 times.
  private static final double MOST = LONG ? 0.05 : 1.95 / Math.sqrt(REPLICATES);

  private static final int ROWS = 60;

  @Test
  void ranksOfTheFunctionAreUniform() {
    for (Problem problem : Product.PROBLEMS) {
      Density density = problem.density();
      double[] z = new double[REPLICATES];
      for (int replicate = 0; replicate < REPLICATES; replicate++) {
        SplittableRandom random = new SplittableRandom(1000 + replicate);
        double[] x = random.doubles(ROWS + 1, 0, 4).toArray();
        double[] f = Prior.draw(Prior.covariance(x, 1, 0.8), ROWS + 1, random);
        double[] y = new double[ROWS];
        double[] sizes = new double[ROWS];
        Arrays.fill(sizes, problem.size());
        for (int i = 0; i < ROWS; i++) y[i] = density.draw(sizes[i], problem.mean() + f[i], random);
        Prediction p =
            Product.predict(problem, Arrays.copyOf(x, ROWS), y, sizes, new double[] {x[ROWS]});
        z[replicate] = (problem.mean() + f[ROWS] - p.mean(0)) / Math.sqrt(p.variance(0));
      }
      assertUniform(problem.toString(), z);
    }
  }

  @Test
  void ranksUnderVaryingNoiseAreUniform() {
    double[] zf = new double[REPLICATES];
    double[] zh = new double[REPLICATES];
    for (int replicate = 0; replicate < REPLICATES; replicate++) {
      SplittableRandom random = new SplittableRandom(9000 + replicate);
      double[] x = random.doubles(ROWS + 1, 0, 4).toArray();
      double[] f = Prior.draw(Prior.covariance(x, 1, 0.8), ROWS + 1, random);
      double[] h = Prior.draw(Prior.covariance(x, 0.5, 1.5), ROWS + 1, random);
      double[] y = new double[ROWS];
      for (int i = 0; i < ROWS; i++) y[i] = f[i] + Math.exp(-1 + h[i]) * random.nextGaussian();
      Prediction[] p = Product.varying(Arrays.copyOf(x, ROWS), y, new double[] {x[ROWS]});
      zf[replicate] = (f[ROWS] - p[0].mean(0)) / Math.sqrt(p[0].variance(0));
      zh[replicate] = (h[ROWS] - 1 - p[1].mean(0)) / Math.sqrt(p[1].variance(0));
    }
    assertUniform("varying noise, function", zf);
    assertUniform("varying noise, log deviation", zh);
  }

  private static void assertUniform(String name, double[] z) {
    double mean = Arrays.stream(z).average().orElseThrow();
    double square = Arrays.stream(z).map(v -> v * v).average().orElseThrow();
    double distance = Prior.distance(Arrays.stream(z).map(Prior::normal).toArray());
    String found =
        String.format(
            Locale.ROOT,
            "%s: Kolmogorov-Smirnov distance %.4f of %d ranks; (truth - mean)/sd has mean %.3f and sd %.3f",
            name,
            distance,
            z.length,
            mean,
            Math.sqrt(square - mean * mean));
    System.out.println(found);
    assertTrue(distance <= MOST, found + "; at most " + MOST);
  }
}
