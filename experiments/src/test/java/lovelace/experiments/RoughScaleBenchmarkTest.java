package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.sparse.SparseEngine;
import org.junit.jupiter.api.Test;

class RoughScaleBenchmarkTest {

  private static double[] means(DrawnRows rows, int cells, double[] places, Hyperparameters h) {
    Axis axis = new Axis(-2.0 / cells, 1.0 / cells, cells + 5);
    Grid grid = Grid.of(axis, axis);
    double[] mean = new SparseEngine(SparseRows.sums(grid, rows), 24, 1).conditioned(h).mean();
    Stencils stencils = Stencils.of(grid, places);
    double[] found = new double[places.length / 2];
    for (int i = 0; i < found.length; i++) found[i] = stencils.dot(i, mean, 0);
    return found;
  }

  /// The windows of the finer grid together say what that grid in one piece says.
  @Test
  void windowsGiveTheDifferenceOfTheWholeGrid() throws IOException {
    List<String> phases = new ArrayList<>();
    RoughScaleBenchmark run = RoughScaleBenchmark.run(60_000, 29, 24, 4, phases::add);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern32(lengthscale=0.1)").bind(2), 0.01, PriorMean.constant(0));
    DrawnRows rows = DrawnRows.of(h.kernel(), 60_000, 0.1, 8 * 29, 1);
    double[] places = new SplittableRandom(3).doubles(40_000).toArray();
    double[] coarse = means(rows, 24, places, h);
    double[] fine = means(rows, 48, places, h);
    double squares = 0;
    for (int i = 0; i < coarse.length; i++) squares += Math.pow(fine[i] - coarse[i], 2);
    double wanted = Math.sqrt(squares / coarse.length);
    assertTrue(wanted > 0.005, "the grids differ: " + wanted);
    assertEquals(wanted, run.difference(), 0.03 * wanted);
    assertEquals(60_000, run.rows());
    assertTrue(run.certificate().reached() < 0.1, run.certificate().toString());
    assertTrue(run.peakBytes() > 1e7 && run.seconds() > 0);
    assertEquals("drawing a function", phases.getFirst());
    assertEquals(8, phases.size(), phases.toString());
    assertEquals("", run.notCompared());
  }

  /// A window of the finer grid has 31 × 31 nodes. The grid itself has 29 × 29, and just fits.
  @Test
  void whatWasMeasuredStaysIfTheFinerGridDoesNotFit() throws IOException {
    Budget little = Budget.of(Duration.ofMinutes(5), 10_500_000, System::nanoTime);
    RoughScaleBenchmark run =
        little.call(() -> RoughScaleBenchmark.run(1000, 29, 24, 1, phase -> {}));
    assertTrue(Double.isNaN(run.difference()));
    assertTrue(run.notCompared().contains("needs"), run.notCompared());
    assertTrue(run.seconds() > 0 && run.score() > 0);
  }
}
