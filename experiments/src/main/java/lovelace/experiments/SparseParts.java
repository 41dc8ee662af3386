package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.linear.sparse.Fronts;
import lovelace.linear.sparse.NestedDissection;
import lovelace.linear.sparse.SelectedInverse;
import lovelace.linear.sparse.SparseCholesky;
import lovelace.linear.sparse.SparsePattern;
import lovelace.sparse.ConditioningSets;
import lovelace.sparse.LatticePrecision;
import lovelace.sparse.LocalRegressions;
import lovelace.statistics.GridStatistics;

/// Measures the cost of each part of the sparse engine on one grid, and of a dense factor in the
/// same run: seconds, operations and bytes. The kernel is a Matérn-3/2, and one row lies in each
/// cell.
///
/// @param neighbours the number of nodes that each one is regressed on
/// @param shapes of neighbourhoods, each of which is one small regression
/// @param regressionSeconds for the neighbourhoods, the regressions and the precision
/// @param orderSeconds for the order of elimination and the fronts
/// @param factorSeconds for the Cholesky factor
/// @param factorRate operations per second of the factorisation
/// @param inverseSeconds for the entries of the inverse on the pattern
/// @param solveSeconds for one right-hand side
/// @param blockSeconds for [#COLUMNS] right-hand sides together
/// @param largest the rows of the largest front
/// @param denseRate of a dense factor of that size
/// @param factorBytes of the factor
/// @param peakBytes the most memory of this process until the inverse was complete
/// @param error of a solution, relative to its right-hand side
public record SparseParts(
    Grid grid,
    int neighbours,
    int shapes,
    double regressionSeconds,
    double orderSeconds,
    double factorSeconds,
    double factorRate,
    double inverseSeconds,
    double solveSeconds,
    double blockSeconds,
    int largest,
    double denseRate,
    long factorBytes,
    long peakBytes,
    double error) {

  /// The number of right-hand sides that are solved together.
  public static final int COLUMNS = 16;

  /// The kernel over the unit box, with a lengthscale of a quarter of it.
  public static Hyperparameters hyperparameters(int dimensions) {
    return Hyperparameters.of(
        Kernel.parse("1*matern32(lengthscale=0.25)").bind(dimensions), 0.01, PriorMean.constant(0));
  }

  /// The grid over the box with this number of points along each axis.
  public static Grid grid(int... points) {
    return Grid.of(Arrays.stream(points).mapToObj(n -> Axis.covering(0, 1, n)).toList());
  }

  /// Measures the parts one after another, after an unmeasured run on a small grid.
  ///
  /// @param phases receives the name of each step as it begins
  public static SparseParts measure(int[] points, int neighbours, Consumer<String> phases)
      throws IOException {
    phases.accept("a run to warm up");
    int[] few = points.clone();
    for (int a = 0; a < few.length; a++) few[a] = Math.min(few[a], few.length == 2 ? 40 : 10);
    parts(few, Math.min(neighbours, 24), phase -> {});
    return parts(points, neighbours, phases);
  }

  private static SparseParts parts(int[] points, int neighbours, Consumer<String> phases)
      throws IOException {
    Grid grid = grid(points);
    int d = grid.dimensions();
    Hyperparameters h = hyperparameters(d);
    LatticeKernel.Block block = LatticeKernel.of(grid, h.kernel()).blocks().getFirst();
    Clock clock = new Clock(phases);
    LatticePrecision precision =
        clock.time(
            "regressions",
            () ->
                LatticePrecision.of(
                    LocalRegressions.of(ConditioningSets.of(block, neighbours), block)));
    double regressions = clock.seconds;
    Fronts fronts =
        clock.time(
            "order of elimination",
            () -> {
              SparsePattern padded = precision.pattern().union(SparsePattern.grid(points, 3));
              return Fronts.of(
                  padded, NestedDissection.of(padded, SparsePattern.coordinates(points)));
            });
    double order = clock.seconds;
    double[] values = posterior(precision, fronts.pattern(), grid, h.noise());
    SparseCholesky factor = clock.time("factor", () -> SparseCholesky.of(fronts, values));
    double factored = clock.seconds;
    clock.time("inverse", () -> SelectedInverse.onPattern(factor));
    double inverted = clock.seconds;
    long peak = PeakMemory.bytes();
    double[] right = new double[grid.size() * COLUMNS];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < right.length; i++) right[i] = random.nextGaussian();
    double[] one = Arrays.copyOf(right, grid.size());
    double[] x = one.clone();
    clock.time("one solution", () -> solve(factor, 1, x));
    double solved = clock.seconds;
    clock.time(COLUMNS + " solutions", () -> solve(factor, COLUMNS, right));
    double together = clock.seconds;
    return new SparseParts(
        grid,
        neighbours,
        precision.regressions().sets().shapes(),
        regressions,
        order,
        factored,
        2 * fronts.multiplications() / factored,
        inverted,
        solved,
        together,
        fronts.largest(),
        dense(fronts.largest(), clock),
        8 * fronts.numbers(),
        peak,
        residual(fronts.pattern(), values, x, one));
  }

  /// The matrix of a posterior with one row in the middle of each cell.
  private static double[] posterior(
      LatticePrecision precision, SparsePattern pattern, Grid grid, double noise) {
    double[] values = precision.values(pattern);
    int d = grid.dimensions();
    double[] x = new double[grid.cells() * d];
    for (int c = 0; c < grid.cells(); c++)
      for (int a = d - 1, rest = c; a >= 0; a--) {
        Axis axis = grid.axis(a);
        x[c * d + a] = axis.at(1 + rest % axis.cells()) + axis.step() / 2;
        rest /= axis.cells();
      }
    StencilMatrix gram = GridStatistics.of(grid, x, new double[grid.cells()]).stencil();
    for (int k = 0; k < gram.diagonalCount(); k++) {
      double[] diagonal = gram.diagonal(k);
      int shift = gram.shift(k);
      for (int i = 0; i + shift < diagonal.length; i++)
        if (diagonal[i] != 0) values[pattern.entry(i + shift, i)] += diagonal[i] / noise;
    }
    return values;
  }

  private static double[] solve(SparseCholesky factor, int columns, double[] b) {
    factor.solveBlock(columns, b);
    return b;
  }

  /// Operations per second of dpotrf, the better of two runs.
  private static double dense(int n, Clock clock) {
    double best = Double.POSITIVE_INFINITY;
    for (int run = 0; run < 2; run++) {
      double[] a = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[i * n + j] = i == j ? n : 1.0 / (1 + i - j);
      clock.time("dense factor of " + n + " rows", () -> Blas.potrf(n, a, 0, n));
      best = Math.min(best, clock.seconds);
    }
    return Math.pow(n, 3) / 3 / best;
  }

  /// `‖Ax − b‖/‖b‖`.
  private static double residual(SparsePattern pattern, double[] values, double[] x, double[] b) {
    double[] rest = b.clone();
    for (int i = 0; i < x.length; i++)
      for (int e = pattern.start(i); e < pattern.start(i + 1); e++) {
        int j = pattern.column(e);
        rest[i] -= values[e] * x[j];
        if (j != i) rest[j] -= values[e] * x[i];
      }
    return Blas.nrm2(x.length, rest, 0) / Blas.nrm2(x.length, b, 0);
  }

  /// Measures times, and reports each step that it measures.
  private static final class Clock {
    private final Consumer<String> phases;
    private double seconds; // of the last step

    Clock(Consumer<String> phases) {
      this.phases = phases;
    }

    <T> T time(String what, Supplier<T> work) {
      phases.accept(what);
      long start = System.nanoTime();
      T result = work.get();
      seconds = (System.nanoTime() - start) * 1e-9;
      return result;
    }
  }
}
