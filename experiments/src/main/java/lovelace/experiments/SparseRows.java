package lovelace.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import lovelace.data.Outside;
import lovelace.grid.Grid;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.GridAccumulator;
import lovelace.statistics.GridStatistics;

/// Measures the cost of the sparse engine for growing numbers of rows on one grid. The pass grows;
/// the rest does not.
///
/// @param passSeconds for the sums of the rows, which are made on the fly
/// @param posteriorSeconds after the pass: mean, variances, tables and their check
/// @param likelihoodSeconds after the pass: a likelihood with its gradient
public record SparseRows(
    long rows, double passSeconds, double posteriorSeconds, double likelihoodSeconds) {

  private static final double TOLERANCE = 0.06;

  /// Measures each number of rows, after one unmeasured run.
  ///
  /// @param neighbours the number of nodes that each one is regressed on
  /// @param phases receives the name of each step as it begins
  public static List<SparseRows> measure(
      Grid grid, int neighbours, List<Long> rows, Consumer<String> phases) {
    Hyperparameters h = SparseParts.hyperparameters(grid.dimensions());
    int cells = grid.dimensions() == 3 ? 64 : 512;
    List<SparseRows> all = new ArrayList<>();
    phases.accept("a draw to take rows from");
    DrawnRows drawn = DrawnRows.of(h.kernel(), rows.getFirst(), Math.sqrt(h.noise()), cells, 1);
    phases.accept("a run to warm up");
    measure(grid, neighbours, drawn, h);
    for (long n : rows) {
      phases.accept(String.format(Locale.ROOT, "%,d rows", n));
      all.add(measure(grid, neighbours, drawn.withRows(n), h));
    }
    return all;
  }

  private static SparseRows measure(Grid grid, int neighbours, DrawnRows drawn, Hyperparameters h) {
    long start = System.nanoTime();
    GridStatistics statistics = sums(grid, drawn);
    double pass = seconds(start);
    start = System.nanoTime();
    SparseEngine engine = new SparseEngine(statistics, neighbours, 1);
    LatticePosterior.of(engine.conditioned(h), TOLERANCE);
    double posterior = seconds(start);
    start = System.nanoTime();
    engine.evidence(h, WarmStart.NONE);
    return new SparseRows(drawn.count(), pass, posterior, seconds(start));
  }

  /// Makes the pass.
  static GridStatistics sums(Grid grid, DrawnRows drawn) {
    GridAccumulator sums = new GridAccumulator(grid, Outside.ERROR);
    drawn.read((count, x, y, weights) -> sums.addAll(count, x, y, null));
    return sums.statistics();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }
}
