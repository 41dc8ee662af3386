package lovelace.laplace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import org.junit.jupiter.api.Test;

/// Where a likelihood is not log-concave there can be several modes. What is found is one of them:
/// `f = μ + K g(f)`, with g the slope of log p.
class StationaryTest {

  private static final int ROWS = 40;
  private static final Kernel KERNEL = Kernel.parse("1*matern52(lengthscale=0.8)").bind(1);

  /// The longest distance of f from `μ + K g`, in prior standard deviations.
  private static double off(double[] k, double[] f, double[] g, double mu) {
    double[] there = DenseLaplace.times(k, g, f.length);
    double worst = 0;
    for (int i = 0; i < f.length; i++) worst = Math.max(worst, Math.abs(f[i] - mu - there[i]));
    return worst;
  }

  @Test
  void outliersLeaveAMode() {
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] x = random.doubles(ROWS, 0, 4).toArray();
      double[] k = Prior.covariance(x, 1, 0.8);
      double[] f = Prior.draw(k, ROWS, random);
      double[] parameters = {seed % 2 == 0 ? 0.05 : 0.01, seed % 3 == 0 ? 2.1 : 4};
      Density density = Density.of("student-t", parameters);
      double[] y = new double[ROWS];
      double[] ones = new double[ROWS];
      Arrays.fill(ones, 1);
      for (int i = 0; i < ROWS; i++) {
        y[i] = density.draw(1, 0.5 + f[i], random);
        if (i % 10 == 0) y[i] += 4 * (random.nextDouble() - 0.5);
      }
      Hyperparameters h =
          Hyperparameters.of(
              KERNEL, Likelihood.studentT().with(parameters), PriorMean.constant(0.5));
      Observations data = Observations.of(Dataset.of(x, 1, y, ones), h.likelihood());
      Mode mode = new Laplace(data, new WorkingExact(x, 1)).mode(h);
      double[] g = new double[ROWS];
      for (int i = 0; i < ROWS; i++) g[i] = density.at(y[i], 1, mode.values()[i]).slope();
      double off = off(k, mode.values(), g, 0.5);
      assertTrue(off < 1e-5, "seed " + seed + ": off by " + off);
    }
  }

  @Test
  void varyingNoiseLeavesAMode() {
    Kernel ofNoise = Kernel.parse("1*matern52(lengthscale=1.5)").bind(1);
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] x = random.doubles(ROWS, 0, 4).toArray();
      double[] kf = Prior.covariance(x, 1, 0.8);
      double[] kh = Prior.covariance(x, 1, 1.5);
      double[] f = Prior.draw(kf, ROWS, random);
      double[] log = Prior.draw(kh, ROWS, random);
      double[] y = new double[ROWS];
      double[] ones = new double[ROWS];
      Arrays.fill(ones, 1);
      for (int i = 0; i < ROWS; i++)
        y[i] = 0.5 + f[i] + Math.exp(-1 + log[i]) * random.nextGaussian();
      Hyperparameters h =
          Hyperparameters.of(KERNEL, Likelihood.varying(), ofNoise, PriorMean.constant(0.5))
              .set("noise.mean", -1);
      Observations data = Observations.of(Dataset.of(x, 1, y, ones), h.likelihood());
      Varying.Modes modes =
          new Varying(data, new WorkingExact(x, 1), new WorkingExact(x, 1)).modes(h);
      double[] g = new double[ROWS];
      double[] gh = new double[ROWS];
      for (int i = 0; i < ROWS; i++) {
        double r = y[i] - modes.f[i];
        g[i] = r * Math.exp(-2 * modes.h[i]);
        gh[i] = r * g[i] - 1;
      }
      double off = Math.max(off(kf, modes.f, g, 0.5), off(kh, modes.h, gh, -1));
      assertTrue(off < 1e-5, "seed " + seed + ": off by " + off);
    }
  }
}
