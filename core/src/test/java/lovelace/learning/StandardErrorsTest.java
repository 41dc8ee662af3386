package lovelace.learning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.dense.DenseEngine;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Standard errors are in the parameter's unit, whatever the units of the table.
class StandardErrorsTest {

  private static final int N = 80;

  private static double[] inputs(double unit) {
    return new SplittableRandom(5).doubles(N, 0, 10 * unit).toArray();
  }

  private static double[] target(double[] x, double xUnit, double yUnit) {
    var random = new SplittableRandom(6);
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      double at = x[i] / xUnit;
      y[i] = yUnit * (3 + 0.4 * at + Math.sin(at) + 0.3 * random.nextGaussian());
    }
    return y;
  }

  /// At one set of hyperparameters, without learning: outputscale and noise in squares of the
  /// target's unit.
  private static double[] errors(double xUnit, double yUnit) {
    double[] x = inputs(xUnit);
    Grid grid = Grid.of(Axis.covering(-2 * xUnit, 12 * xUnit, 100));
    GridStatistics statistics = GridStatistics.of(grid, x, target(x, xUnit, yUnit));
    Kernel kernel =
        Kernel.parse("%s*rbf(lengthscale=%s)".formatted(yUnit * yUnit, 1.3 * xUnit)).bind(1);
    PriorMean mean = PriorMean.linear(3 * yUnit, 0.4 * yUnit / xUnit);
    Hyperparameters h = Hyperparameters.of(kernel, 0.09 * yUnit * yUnit, mean);
    return StandardErrors.of(new Trail(new DenseEngine(statistics), WarmStart.NONE), h);
  }

  @ParameterizedTest(name = "inputs × {0}, target × {1}")
  @CsvSource({"1, 1e6", "1, 1e-6", "1e5, 1", "1e-5, 1", "3e4, 2e-5", "1e-6, 1e6"})
  void scaleWithTheUnitsOfTheTable(double xUnit, double yUnit) {
    double[] one = errors(1, 1);
    double[] other = errors(xUnit, yUnit);
    double[] unit = {yUnit * yUnit, xUnit, yUnit * yUnit, yUnit, yUnit / xUnit};
    assertEquals(unit.length, one.length);
    for (int i = 0; i < one.length; i++) {
      assertTrue(one[i] > 0, "parameter " + i + ": " + one[i]);
      assertEquals(unit[i] * one[i], other[i], 1e-3 * unit[i] * one[i], "parameter " + i);
    }
  }

  /// With all else held, the mean's coefficients have the covariance `(XᵀA⁻¹X)⁻¹` of generalised
  /// least squares.
  @ParameterizedTest
  @ValueSource(doubles = {1e6, 1, 1e-6})
  void ofTheMeanAreThoseOfLeastSquares(double yUnit) {
    double[] x = inputs(1);
    Grid grid = Grid.of(Axis.covering(-2, 12, 100));
    Kernel kernel = Kernel.parse("%s*rbf(lengthscale=1.3)".formatted(yUnit * yUnit)).bind(1);
    Hyperparameters h =
        Hyperparameters.of(kernel, 0.09 * yUnit * yUnit, PriorMean.linear(3 * yUnit, 0.4 * yUnit));
    for (String name : List.of("outputscale", "lengthscale", "noise")) h = h.fix(name);
    var statistics = GridStatistics.of(grid, x, target(x, 1, yUnit));
    double[] errors = StandardErrors.of(new Trail(new DenseEngine(statistics), WarmStart.NONE), h);
    double[] a = new double[N * N];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i * N + j] = kernel.value(x, i, x, j) + (i == j ? h.noise() : 0);
    double[] columns = new double[2 * N];
    for (int i = 0; i < N; i++) {
      columns[2 * i] = 1;
      columns[2 * i + 1] = x[i];
    }
    Cholesky.of(a, N).solveLower(2, columns);
    double[] information = new double[4];
    Blas.gemm(true, false, 2, 2, N, 1, columns, 0, 2, columns, 0, 2, 0, information, 0, 2);
    double[] covariance = Cholesky.of(information, 2).inverse();
    for (int c = 0; c < 2; c++) {
      double expected = Math.sqrt(covariance[3 * c]);
      assertEquals(expected, errors[errors.length - 2 + c], 1e-3 * expected, "coefficient " + c);
    }
  }
}
