package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.bayesopt.surrogate.ExactSurrogate;
import lovelace.bayesopt.surrogate.GridSurrogate;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Acquisitions against their definitions by Monte Carlo, and their gradients against finite
/// differences.
class AcquisitionTest {

  private static final double[] MAXIMA = {1.2, 1.5, 2.1};

  static List<Criterion> criteria() {
    return List.of(
        Criterion.logImprovement(0.7),
        Criterion.logProbability(0.9),
        Criterion.bound(2),
        Criterion.logPositive(Criterion.bound(2), 0.4),
        Criterion.entropy(MAXIMA));
  }

  @ParameterizedTest
  @MethodSource("criteria")
  void slopesAreDerivatives(Criterion criterion) {
    double[] none = new double[2];
    double[] slopes = new double[2];
    for (double mean : new double[] {-8, -2, 0.3, 0.7, 1.4, 6})
      for (double sd : new double[] {0.02, 0.3, 2}) {
        criterion.at(mean, sd, slopes);
        double h = 1e-6 * sd;
        double byMean =
            (criterion.at(mean + h, sd, none) - criterion.at(mean - h, sd, none)) / (2 * h);
        double bySd =
            (criterion.at(mean, sd + h, none) - criterion.at(mean, sd - h, none)) / (2 * h);
        assertEquals(
            byMean, slopes[0], 1e-5 * Math.abs(byMean) + 1e-5, "mean " + mean + " sd " + sd);
        assertEquals(bySd, slopes[1], 1e-5 * Math.abs(bySd) + 1e-5, "mean " + mean + " sd " + sd);
      }
  }

  @Test
  void improvementIsItsExpectation() {
    SplittableRandom random = new SplittableRandom(1);
    double sum = 0;
    int n = 400_000;
    for (int i = 0; i < n; i++) sum += Math.max(0, 0.4 + 0.5 * random.nextGaussian() - 0.7);
    double log = Criterion.logImprovement(0.7).at(0.4, 0.5, new double[2]);
    assertEquals(sum / n, Math.exp(log), 0.005 * sum / n * 4);
  }

  @Test
  void improvementNeitherVanishesNorJumpsFarAway() {
    Criterion ei = Criterion.logImprovement(0);
    double[] slopes = new double[2];
    double before = Double.POSITIVE_INFINITY;
    for (double z = 6; z > -1e6; z -= 0.01 + Math.abs(z) * 0.01) {
      double value = ei.at(z, 1, slopes);
      assertTrue(value < before && slopes[0] > 0 && Double.isFinite(slopes[0]), "z = " + z);
      before = value;
    }
    // log h(z) → −z²/2 − log(√2π z²)
    assertEquals(-0.5e8 - Math.log(Math.sqrt(2 * Math.PI) * 1e8), ei.at(-1e4, 1, slopes), 1e-6);
  }

  @Test
  void entropyIsTheInformationInTheMaximum() {
    // H(f) − E H(f | f < y*), the second by Monte Carlo of a truncated normal's log density
    double mean = 0.3;
    double sd = 0.8;
    double y = 0.9;
    SplittableRandom random = new SplittableRandom(2);
    double mass = lovelace.linear.Gaussian.cdf((y - mean) / sd);
    double sum = 0;
    int n = 0;
    while (n < 400_000) {
      double f = mean + sd * random.nextGaussian();
      if (f > y) continue;
      sum -= lovelace.linear.Gaussian.logDensity(f, mean, sd * sd) - Math.log(mass);
      n++;
    }
    double normal = 0.5 * Math.log(2 * Math.PI * Math.E * sd * sd);
    double value = Criterion.entropy(new double[] {y}).at(mean, sd, new double[2]);
    assertEquals(normal - sum / n, Math.exp(value), 0.005);
  }

  private static ExactSurrogate surrogate(int d, int n, double noise) {
    SplittableRandom random = new SplittableRandom(3);
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble();
    double[] z = new double[n];
    for (int i = 0; i < n; i++) z[i] = Math.sin(5 * x[i * d]) + x[i * d + d - 1];
    Hyperparameters h =
        Hyperparameters.of(Kernel.matern52(0.4).times(1.3).bind(d), noise, PriorMean.constant(0.2));
    return ExactSurrogate.of(h, x, z, n / 2);
  }

  @Test
  void meritGradientsAreDerivatives() {
    Surrogate f = surrogate(3, 25, 1e-3).believing(new double[] {0.2, 0.3, 0.9});
    Surrogate c = surrogate(3, 15, 1e-2);
    for (Criterion criterion : criteria())
      checkGradient(new Merit.Modelled(f, criterion, List.of(c), new double[] {0.3}), 3);
    FunctionDraw draw = f.functions(1, new SplittableRandom(4)).getFirst();
    FunctionDraw limit = c.functions(1, new SplittableRandom(5)).getFirst();
    checkGradient(new Merit.Drawn(draw, List.of(limit), new double[] {-1}), 3);
    Surrogate believed = f.believing(new double[] {0.3, 0.6, 0.5});
    checkGradient(new Merit.Batched(f, believed, Criterion.entropy(new double[] {1.5, 2})), 3);
  }

  static void checkGradient(Merit merit, int d) {
    SplittableRandom random = new SplittableRandom(6);
    double[] g = new double[d];
    double[] none = new double[d];
    for (int i = 0; i < 5; i++) {
      double[] x = new double[d];
      for (int a = 0; a < d; a++) x[a] = random.nextDouble(0.05, 0.95);
      double value = merit.at(x, g);
      double[] scanned = new double[1];
      merit.scan(1, x, scanned);
      assertEquals(value, scanned[0], 1e-7 * Math.max(1, Math.abs(value)));
      for (int a = 0; a < d; a++) {
        double h = 1e-5;
        double[] up = x.clone();
        double[] down = x.clone();
        up[a] += h;
        down[a] -= h;
        double slope = (merit.at(up, none) - merit.at(down, none)) / (2 * h);
        assertEquals(slope, g[a], 1e-4 * Math.max(1, Math.abs(slope)));
      }
    }
  }

  @Test
  void maximaOfAllMethodsAgree() {
    // few observations, smooth: the maximum over a fine grid is that of the function
    ExactSurrogate f = surrogate(2, 12, 1e-3);
    SearchSpace space = SearchSpace.of(Variable.real("a", 0, 1), Variable.real("b", 0, 1));
    double[] grid = GridSurrogate.places(2, 25);
    double joint =
        mean(YStar.joint(f, List.of(), new double[0], grid, 400, new SplittableRandom(7)));
    double functions =
        mean(
            YStar.functions(
                f,
                List.of(),
                new double[0],
                new Maximizer(space, 200, 2),
                List.of(),
                x -> true,
                200,
                new SplittableRandom(8)));
    assertEquals(joint, functions, 0.1);
    // independent marginals overstate the maximum
    double gumbel =
        mean(YStar.gumbel(f, List.of(), new double[0], grid, 400, new SplittableRandom(9)));
    assertTrue(gumbel > joint - 0.05 && gumbel < joint + 1.5, gumbel + " and " + joint);
  }

  private static double mean(double[] values) {
    return java.util.Arrays.stream(values).average().orElseThrow();
  }
}
