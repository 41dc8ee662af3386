package lovelace.laplace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.laplace.Product.Problem;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

/// How far predictions are from the true posterior, which elliptical slice sampling finds. Prints
/// what it found.
class SliceTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final int ROWS = LONG ? 120 : 50;
  private static final int NEW = 10;
  private static final int CHAINS = 8;
  private static final int STEPS = LONG ? 60_000 : 10_000;

  /// The most that a mean may be off, in posterior standard deviations, and how far the ratio of
  /// standard deviations may be from 1.
  private static double[] allowed(Problem problem) {
    return switch (problem.likelihood()) {
      case "student-t" -> new double[] {0.3, 0.5};
      default -> new double[] {0.1, 0.1};
    };
  }

  @Test
  void predictionsAreNearTheTruePosterior() {
    for (Problem problem : Product.PROBLEMS) {
      SplittableRandom random = new SplittableRandom(7);
      int m = ROWS + NEW;
      double[] x = random.doubles(m, 0, ROWS / 12.0).toArray();
      double[] k = Prior.covariance(x, 1, 0.8);
      double[] f = Prior.draw(k, m, random);
      Density density = problem.density();
      double[] y = new double[ROWS];
      double[] sizes = new double[ROWS];
      Arrays.fill(sizes, problem.size());
      for (int i = 0; i < ROWS; i++) y[i] = density.draw(sizes[i], problem.mean() + f[i], random);
      double[] mu = new double[m];
      Arrays.fill(mu, problem.mean());
      Prediction p = Product.predict(problem, Arrays.copyOf(x, ROWS), y, sizes, x);
      EllipticalSlice truth =
          new EllipticalSlice(
              k,
              mu,
              u -> {
                double sum = 0;
                for (int i = 0; i < ROWS; i++) sum += density.varying(y[i], sizes[i], u[i]);
                return sum;
              },
              p.means(),
              CHAINS,
              STEPS,
              11);
      assertNear(problem.toString(), p, truth, 0, allowed(problem));
    }
  }

  @Test
  void varyingNoiseIsNearTheTruePosterior() {
    SplittableRandom random = new SplittableRandom(5);
    int n = ROWS;
    double[] x = random.doubles(n, 0, ROWS / 12.0).toArray();
    double[] kf = Prior.covariance(x, 1, 0.8);
    double[] kh = Prior.covariance(x, 0.5, 1.5);
    double[] f = Prior.draw(kf, n, random);
    double[] h = Prior.draw(kh, n, random);
    double[] k = new double[4 * n * n];
    double[] mu = new double[2 * n];
    double[] y = new double[n];
    double[] ones = new double[n];
    double[] start = new double[2 * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(kf, i * n, k, i * 2 * n, n);
      System.arraycopy(kh, i * n, k, (n + i) * 2 * n + n, n);
      mu[n + i] = -1;
      ones[i] = 1;
      y[i] = f[i] + Math.exp(-1 + h[i]) * random.nextGaussian();
    }
    Prediction[] p = Product.varying(x, y, x);
    System.arraycopy(p[0].means(), 0, start, 0, n);
    System.arraycopy(p[1].means(), 0, start, n, n);
    EllipticalSlice truth =
        new EllipticalSlice(k, mu, u -> DenseVarying.log(y, ones, u), start, CHAINS, 2 * STEPS, 13);
    assertNear("varying noise, function", p[0], truth, 0, new double[] {0.2, 0.2});
    assertNear("varying noise, log deviation", p[1], truth, n, new double[] {0.4, 0.4});
  }

  private static void assertNear(
      String name, Prediction p, EllipticalSlice truth, int offset, double[] allowed) {
    double worst = 0;
    double square = 0;
    double error = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    double ratios = 0;
    int m = p.means().length;
    for (int i = 0; i < m; i++) {
      double sd = truth.sd[offset + i];
      double off = Math.abs(p.means()[i] - truth.mean[offset + i]) / sd;
      double ratio = Math.sqrt(p.variances()[i]) / sd;
      worst = Math.max(worst, off);
      square += off * off / m;
      error = Math.max(error, truth.error[offset + i] / sd);
      least = Math.min(least, ratio);
      most = Math.max(most, ratio);
      ratios += ratio / m;
    }
    String found =
        String.format(
            Locale.ROOT,
            "%s: means off by at most %.3f sd (rms %.3f, sampling error %.3f), sd %.3f to %.3f of the true one, on average %.3f",
            name,
            worst,
            Math.sqrt(square),
            error,
            least,
            most,
            ratios);
    System.out.println(found);
    assertTrue(worst <= allowed[0], found);
    assertEquals(1, least, allowed[1], found);
    assertEquals(1, most, allowed[1], found);
  }
}
