package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import lovelace.engines.Engines;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.markov.MarkovEngine;
import lovelace.modes.ModeStatistics;
import lovelace.plan.Engine;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SpectralTest {

  private static final long SEED = 41;

  /// A model with weighted data, and its dense kernel matrix as a function of the kernel.
  record Case(Lattice lattice, Hyperparameters h, Function<Kernel, double[]> dense, int n) {
    double[] x() {
      SplittableRandom random = new SplittableRandom(SEED);
      double[] x = new double[n * lattice.dimensions()];
      for (int i = 0; i < x.length; i++) {
        int a = i % lattice.dimensions();
        x[i] = random.nextDouble(lattice.low(a), lattice.high(a));
      }
      return x;
    }

    double[] y() {
      SplittableRandom random = new SplittableRandom(SEED + 1);
      double[] x = x();
      double[] y = new double[n];
      for (int i = 0; i < n; i++)
        y[i] = 5 + Math.sin(3 * x[i * lattice.dimensions()]) + 0.3 * random.nextGaussian();
      return y;
    }

    double[] weights() {
      return Interpolated.uniform(new SplittableRandom(SEED + 2), n, 0.5, 2);
    }

    Statistics statistics() {
      return Statistics.of(lattice, x(), y(), weights());
    }

    Interpolated truth() {
      double noise = h.noise() + h.kernel().whiteVariance();
      return Interpolated.of(lattice, dense.apply(h.kernel()), x(), weights(), noise);
    }

    /// Modes down to 1e-12 of the heaviest.
    SpectralCovariance spectral() {
      return spectral(h);
    }

    SpectralCovariance spectral(Hyperparameters own) {
      LatticeKernel kernel = LatticeKernel.of(lattice, own.kernel());
      ModeStatistics system = ModeStatistics.of(statistics(), kernel, 1e-13, 4000);
      assertNotNull(system);
      return new SpectralCovariance(system, kernel, own, 1e-13);
    }

    double logLikelihood(Hyperparameters own) {
      return Interpolated.logLikelihood(
          lattice, dense.apply(own.kernel()), x(), y(), weights(), own);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%s, %s, %s, %d data, seed %d", h.kernel(), h.mean(), lattice, n, SEED);
    }
  }

  private static Case on(int d, int points, String text, PriorMean mean, int n) {
    Grid grid = Interpolated.cube(d, points);
    return new Case(
        grid,
        Hyperparameters.of(Kernel.parse(text).bind(d), 0.1, mean),
        k -> Interpolated.kernelMatrix(grid, k),
        n);
  }

  static Stream<Case> cases() {
    List<Case> all = new ArrayList<>();
    all.add(on(1, 24, "1.3*rbf(lengthscale=0.3)", PriorMean.ZERO, 60));
    all.add(on(1, 24, "1.3*rbf(lengthscale=0.3)", PriorMean.constant(4.2), 5));
    all.add(on(1, 24, "0.8*matern52(lengthscale=0.3)", PriorMean.linear(4.2, 0.3), 60));
    all.add(
        on(
            1,
            16,
            "0.8*matern32(lengthscale=0.2) + 0.5*rbf(lengthscale=0.7)",
            PriorMean.constant(4),
            40));
    all.add(
        on(1, 20, "0.8*rbf(lengthscale=0.3) + constant(variance=0.6)", PriorMean.constant(4), 40));
    all.add(
        on(
            1,
            20,
            "0.8*rbf(lengthscale=0.3) + linear(variance=0.6) + constant(variance=2)",
            PriorMean.ZERO,
            40));
    all.add(on(1, 20, "0.8*rbf(lengthscale=0.3) + white(variance=0.2)", PriorMean.constant(4), 40));
    all.add(on(2, 6, "1.3*rbf(lengthscale=[0.5,0.8])", PriorMean.linear(4.2, 0.3, -0.2), 60));
    all.add(on(2, 6, "0.9*matern52(lengthscale=[0.4,0.5])", PriorMean.constant(4.5), 50));
    all.add(
        on(
            2,
            6,
            "0.9*rbf(lengthscale=0.5) + linear(variance=[0.4,0.7])",
            PriorMean.constant(4.5),
            50));
    AdditiveGrid lines =
        AdditiveGrid.of(Axis.covering(-1, 1, 9), Axis.covering(0, 1, 8), Axis.covering(-2, 1, 9));
    all.add(
        new Case(
            lines,
            Hyperparameters.of(
                Kernel.parse(
                        "0.8*rbf(columns=[0], lengthscale=0.6) + 0.5*rbf(columns=[1], lengthscale=0.3) + 0.4*matern52(columns=[2], lengthscale=0.9)")
                    .bind(3),
                0.1,
                PriorMean.constant(4)),
            k -> Interpolated.kernelMatrix(lines, ((Kernel.Sum) k).parts().toArray(Kernel[]::new)),
            50));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void meanAndCovarianceAreThoseOfTheInterpolatedProcess(Case c) {
    SpectralCovariance spectral = c.spectral();
    Interpolated truth = c.truth();
    LatticeProblem system = LatticeProblem.of(c.statistics(), c.h);
    double[] a = truth.mean(system.projected());
    double[] mean = spectral.mean();
    SplittableRandom random = new SplittableRandom(SEED + 3);
    int d = c.lattice.dimensions();
    double[] at = new double[6 * d];
    for (int i = 0; i < at.length; i++)
      at[i] = random.nextDouble(c.lattice.low(i % d), c.lattice.high(i % d));
    double[][] w = Interpolated.weights(c.lattice, at);
    Stencils points = Stencils.of(c.lattice, at);
    double[] between = spectral.between(points, points);
    double[] lower = new double[6];
    double[] upper = new double[6];
    spectral.certify(points, lower, upper);
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    for (int i = 0; i < 6; i++) {
      double expected = 0;
      double found = 0;
      for (int p = 0; p < a.length; p++) {
        expected += w[i][p] * a[p];
        found += w[i][p] * mean[p];
      }
      assertEquals(expected, found, 1e-8, "mean " + i);
      for (int j = 0; j < 6; j++)
        assertEquals(truth.between(w[i], w[j]), between[i * 6 + j], 1e-9, i + ", " + j);
      points.copy(i, index, weight);
      double exact = truth.between(w[i], w[i]);
      assertEquals(exact, spectral.variance(index, weight), 1e-9);
      assertTrue(lower[i] <= exact && exact <= upper[i], "interval " + i);
    }
    // the same through products, and between the points of one stencil
    int m = c.lattice.size();
    double[] pw = new double[m];
    spectral.apply(1, w[0], pw);
    double sum = 0;
    for (int p = 0; p < m; p++) sum += w[1][p] * pw[p];
    assertEquals(truth.between(w[0], w[1]), sum, 1e-9);
    if (c.lattice instanceof Grid) {
      StencilMatrix near = spectral.stencil();
      for (int p = 0; p < m; p++)
        for (int k = 0; k < near.diagonalCount() && p + near.shift(k) < m; k++)
          if (near.diagonal(k)[p] != 0)
            assertEquals(
                truth.p[p * m + p + near.shift(k)], near.diagonal(k)[p], 1e-9, p + ", " + k);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void likelihoodIsThatOfTheInterpolatedProcess(Case c) {
    double expected = c.logLikelihood(c.h);
    double found = c.spectral().logLikelihood();
    assertEquals(expected, found, 1e-8 * Math.abs(expected));
    assertEquals(found, c.spectral().evidence().value(), 1e-12 * Math.abs(found));
    assertEquals(0, c.spectral().evidence().standardError());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradientIsThatOfTheLikelihood(Case c) {
    double[] g = c.spectral().evidence().gradient();
    double[] values = c.h.values();
    for (int p = 0; p < values.length; p++) {
      double step = 1e-4 * Math.max(0.1, Math.abs(values[p]));
      double[] side = new double[4];
      for (int s = 0; s < 4; s++) {
        double[] moved = values.clone();
        moved[p] += step * new double[] {1, -1, 2, -2}[s];
        side[s] = c.logLikelihood(c.h.with(moved));
      }
      double expected = (8 * (side[0] - side[1]) - (side[2] - side[3])) / (12 * step);
      assertEquals(
          expected, g[p], 1e-6 * Math.max(1, Math.abs(expected)), c.h.names().get(p) + " of " + c);
    }
  }

  static LongStream seeds() {
    return LongStream.range(100, Boolean.getBoolean("lovelace.long") ? 600 : 120);
  }

  /// Whatever the noise and the data, where the engines serve the kernel.
  @ParameterizedTest
  @MethodSource("seeds")
  void truthLiesInTheCertifiedInterval(long seed) {
    Trial trial = new Trial(seed);
    List<LatticeEngine> engines = new ArrayList<>();
    SpectralEngine spectral = new SpectralEngine(trial.problem.statistics(), 1e-8, 2000);
    if (spectral.applies(trial.h)) engines.add(spectral);
    if (MarkovEngine.applies(trial.problem.statistics().lattice(), trial.h.kernel()))
      engines.add(new MarkovEngine((GridStatistics) trial.problem.statistics()));
    if (engines.isEmpty()) return;
    Interpolated truth = trial.truth();
    double[][] w = Interpolated.weights(trial.grid, trial.at);
    Stencils points = Stencils.of(trial.grid, trial.at);
    for (LatticeEngine engine : engines) {
      LatticeCovariance covariance = engine.posterior(trial.h, 0.01).covariance();
      double[] lower = new double[points.count()];
      double[] upper = new double[points.count()];
      covariance.certify(points, lower, upper);
      for (int p = 0; p < points.count(); p++) {
        double exact = truth.between(w[p], w[p]);
        String what =
            String.format(
                Locale.ROOT,
                "%s, %s, point %d: truth %.6e, interval less truth [%.3e, %.3e], floor %.1e",
                trial,
                covariance.describe(),
                p,
                exact,
                lower[p] - exact,
                upper[p] - exact,
                covariance.floor());
        assertTrue(lower[p] >= 0 && lower[p] <= exact * (1 + 1e-14), what);
        assertTrue(upper[p] >= exact * (1 - 1e-14), what);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1; 45; 1*rbf(lengthscale=7.98); does not die out within 8 lengths of the grid",
        "1; 200; 1*rbf(lengthscale=40)*periodic(lengthscale=1,period=0.3); does not die out within 8 lengths of the grid",
        "2; 90; 1*matern12(lengthscale=0.3); takes more than 4,000 modes",
        "1; 45; 1*rbf(lengthscale=0.3)*linear(variance=1); is not stationary",
      })
  void refusalsSayWhy(int d, int points, String kernel, String why) {
    Case c = on(d, points, kernel, PriorMean.ZERO, 20);
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Engines.choose(c.statistics(), c.h(), Engine.SPECTRAL));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
  }
}
