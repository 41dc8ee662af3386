package lovelace.grid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.inference.LatticeDistribution;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StencilGramTest {

  private static final long SEED = 0x57e9;

  private static double[] normal(SplittableRandom random, int size) {
    double[] x = new double[size];
    for (int i = 0; i < size; i++) x[i] = random.nextGaussian();
    return x;
  }

  /// XXᵀ where two points are at most three apart along every axis, else 0.
  private static double[] dense(Grid grid, int count, double[] x) {
    int m = grid.size();
    double[] p = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        boolean near = true;
        for (int a = 0; a < grid.dimensions(); a++) {
          int points = grid.axis(a).points();
          near &= Math.abs(i / grid.stride(a) % points - j / grid.stride(a) % points) <= 3;
        }
        if (!near) continue;
        for (int c = 0; c < count; c++) p[i * m + j] += x[i * count + c] * x[j * count + c];
      }
    return p;
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "7", "61", "4 5", "23 53", "30 11", "5 4 6", "7 9 13"})
  void sumIsThatOfTheDefinition(String shape) {
    System.out.println("seed " + SEED);
    int[] points = Arrays.stream(shape.split(" ")).mapToInt(Integer::parseInt).toArray();
    Axis[] axes = new Axis[points.length];
    for (int a = 0; a < axes.length; a++) axes[a] = new Axis(0, 1, points[a]);
    Grid grid = Grid.of(axes);
    for (int count : new int[] {1, 5, 70}) {
      double[] x = normal(new SplittableRandom(SEED), grid.size() * count);
      StencilGram whole = new StencilGram(StencilMatrix.zero(grid));
      whole.add(1, count, x);
      double[] expected = dense(grid, count, x);
      assertArrayEquals(expected, whole.matrix().dense(), 1e-12 * count);
      // by pieces along the first axis, each with what it reaches
      StencilGram pieces = new StencilGram(StencilMatrix.zero(grid));
      for (int from = 0; from < points[0]; from += 3) {
        int start = from * grid.stride(0) * count;
        double[] rest = Arrays.copyOfRange(x, start, x.length);
        pieces.add(1, count, from, Math.min(points[0], from + 3), rest, from);
      }
      assertArrayEquals(expected, pieces.matrix().dense(), 1e-12 * count);
    }
  }

  /// More modes and more lines than are treated at a time.
  @Test
  void modesOfManyGroupsGiveTheProductsEntries() {
    SplittableRandom random = new SplittableRandom(SEED);
    Grid grid = Grid.of(Axis.covering(0, 1, 40), Axis.covering(0, 1, 44));
    double[] x = new double[1200];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble();
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("0.7*rbf(lengthscale=0.09) + 0.2*linear(variance=0.5)").bind(2),
            0.1,
            PriorMean.constant(0));
    LatticeDistribution found =
        new SpectralEngine(GridStatistics.of(grid, x, normal(random, 600)), 1e-8, 4000)
            .posterior(h, 0.01);
    SpectralCovariance covariance = (SpectralCovariance) found.covariance();
    assertTrue(covariance.rank() > 300, "rank " + covariance.rank());
    StencilMatrix near = covariance.stencil();
    int m = grid.size();
    for (int i = 0; i < m; i += 97) {
      double[] unit = new double[m];
      unit[i] = 1;
      double[] column = new double[m];
      covariance.apply(1, unit, column);
      for (int k = 0; k < near.diagonalCount() && i + near.shift(k) < m; k++)
        if (near.diagonal(k)[i] != 0)
          assertEquals(column[i + near.shift(k)], near.diagonal(k)[i], 1e-12, i + ", " + k);
    }
  }
}
