package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import lovelace.budget.Budget;
import lovelace.data.Outside;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeDistribution;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.posterior.Certificate;
import lovelace.posterior.Prediction;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.GridAccumulator;
import lovelace.statistics.GridStatistics;

/// Fits very many rows in two dimensions by the sparse engine, with given parameters: Matérn-3/2,
/// lengthscale a tenth of the box, noise of standard deviation 0.1. It makes one pass over rows
/// that are made on the fly, then computes mean and variances, then predictions. Afterwards it
/// compares the means with those on a grid twice as fine.
///
/// The finer grid is divided into overlapping windows, one for each quarter of the box. They are
/// computed one after another, each with its own rows. A window extends a quarter of a lengthscale
/// beyond its places.
///
/// @param points of the grid along each axis, two of them beyond the box at each end
/// @param neighbours the number of nodes that each one is regressed on
/// @param passSeconds for making the rows and their sums
/// @param posteriorSeconds for mean, variances and their check
/// @param predictSeconds for mean and variance of [#PLACES] places
/// @param processorSeconds of all threads, for the pass, mean, variances and predictions
/// @param score the error of the mean in posterior standard deviations, r.m.s.; 1 if all is right
/// @param deviation the posterior standard deviation, r.m.s.
/// @param peakBytes the most memory of this process until the last prediction
/// @param difference of the means from those on the finer grid, r.m.s.; NaN if it was not asked for
///   or not computed
/// @param checkSeconds for the finer grid
/// @param notCompared why there is no difference though it was asked for; empty otherwise
public record RoughScaleBenchmark(
    long rows,
    int points,
    int neighbours,
    double passSeconds,
    double posteriorSeconds,
    double predictSeconds,
    double processorSeconds,
    Certificate certificate,
    double score,
    double deviation,
    long peakBytes,
    double difference,
    double checkSeconds,
    String notCompared) {

  /// The number of predicted places.
  public static final int PLACES = 1_000_000;

  /// The published result for comparison: seconds, cores, gigabytes and error.
  public static final String PUBLISHED =
      "Greengard, Rachh and Barnett: 10⁹ rows, mean only, 103 s, 12 cores, 96.7 GB, error 1.2e-3";

  private static final double LENGTHSCALE = 0.1;
  private static final double NOISE = 0.1;
  private static final double TOLERANCE = 0.05;
  private static final int TABLE = 2000;
  private static final int WINDOWS = 2; // along each axis

  /// Fits the rows of a square, and compares with a grid twice as fine.
  ///
  /// @param quarters the number of quarters of the box that are compared with the finer grid, 0 to
  ///   4
  /// @param phases receives the name of each step as it begins
  public static RoughScaleBenchmark run(
      long rows, int points, int neighbours, int quarters, Consumer<String> phases)
      throws IOException {
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern32(lengthscale=" + LENGTHSCALE + ")").bind(2),
            NOISE * NOISE,
            PriorMean.constant(0));
    phases.accept("drawing a function");
    DrawnRows drawn = DrawnRows.of(h.kernel(), rows, NOISE, Math.min(TABLE, 8 * points), 1);
    double step = 1.0 / (points - 5);
    double[] places = new SplittableRandom(3).doubles(2 * PLACES).toArray();
    Counted own = counted(drawn, points, neighbours, h, places, phases); // drops the posterior
    long start = System.nanoTime();
    double difference = Double.NaN;
    String notCompared = "";
    try {
      if (quarters > 0)
        difference =
            difference(drawn, places, own.prediction, step / 2, quarters, neighbours, h, phases);
    } catch (Budget.MemoryLimitException e) { // the finer grid needs more memory
      notCompared = String.valueOf(e.getMessage());
    }
    return new RoughScaleBenchmark(
        rows,
        points,
        neighbours,
        own.pass,
        own.conditioned,
        own.predicted,
        own.processor,
        own.certificate,
        own.score,
        own.deviation,
        own.peak,
        difference,
        seconds(start),
        notCompared);
  }

  /// The measurements before the finer grid is used.
  private record Counted(
      double pass,
      double conditioned,
      double predicted,
      double processor,
      Certificate certificate,
      Prediction prediction,
      double score,
      double deviation,
      long peak) {}

  private static Counted counted(
      DrawnRows drawn,
      int points,
      int neighbours,
      Hyperparameters h,
      double[] places,
      Consumer<String> phases)
      throws IOException {
    long rows = drawn.count();
    double step = 1.0 / (points - 5);
    Axis axis = new Axis(-2 * step, step, points);
    Grid grid = Grid.of(axis, axis);
    phases.accept(
        String.format(Locale.ROOT, "pass over %,d rows on %d × %d nodes", rows, points, points));
    long used = StreamBenchmark.processor();
    long start = System.nanoTime();
    GridStatistics statistics = SparseRows.sums(grid, drawn);
    double pass = seconds(start);
    phases.accept("mean and variances, " + neighbours + " neighbours");
    start = System.nanoTime();
    LatticePosterior posterior =
        LatticePosterior.of(new SparseEngine(statistics, neighbours, 1).conditioned(h), TOLERANCE);
    double conditioned = seconds(start);
    phases.accept("predicting");
    start = System.nanoTime();
    Prediction p = posterior.predict(places);
    double predicted = seconds(start);
    double processor = (StreamBenchmark.processor() - used) * 1e-9;
    double squares = 0;
    double variances = 0;
    for (int i = 0; i < p.size(); i++) {
      squares += Math.pow(p.mean(i) - drawn.value(places, 2 * i), 2) / p.variance(i);
      variances += p.variance(i);
    }
    return new Counted(
        pass,
        conditioned,
        predicted,
        processor,
        posterior.certificate(),
        p,
        Math.sqrt(squares / p.size()),
        Math.sqrt(variances / p.size()),
        PeakMemory.bytes());
  }

  /// Seconds from the first row to the last prediction.
  public double seconds() {
    return passSeconds + posteriorSeconds + predictSeconds;
  }

  /// The distance of means from those on nodes with this spacing, r.m.s.
  private static double difference(
      DrawnRows drawn,
      double[] places,
      Prediction p,
      double step,
      int quarters,
      int neighbours,
      Hyperparameters h,
      Consumer<String> phases) {
    double squares = 0;
    int count = 0;
    for (int i = 0; i < quarters; i++) {
      int[] window = {i / WINDOWS, i % WINDOWS};
      Grid grid = Grid.of(axis(window[0], step), axis(window[1], step));
      phases.accept("check " + (i + 1) + " of " + quarters + ", on the " + grid);
      int[] mine = inside(places, window);
      count += mine.length;
      double[] own = new double[2 * mine.length];
      for (int j = 0; j < own.length; j++) own[j] = places[2 * mine[j / 2] + j % 2];
      LatticeDistribution found = new SparseEngine(sums(grid, drawn), neighbours, 1).conditioned(h);
      double[] mean = found.mean();
      Stencils stencils = Stencils.of(grid, own);
      for (int j = 0; j < mine.length; j++)
        squares += Math.pow(stencils.dot(j, mean, 0) - p.mean(mine[j]), 2);
    }
    return Math.sqrt(squares / count);
  }

  /// The nodes of a window along an axis. All windows use nodes of one lattice.
  private static Axis axis(int window, double step) {
    double low = Math.max(0, window / (double) WINDOWS - LENGTHSCALE / 4);
    double high = Math.min(1, (window + 1) / (double) WINDOWS + LENGTHSCALE / 4);
    long first = (long) Math.floor(low / step) - 2;
    long last = (long) Math.ceil(high / step - 1e-9) + 2;
    return new Axis(first * step, step, (int) (last - first + 1));
  }

  /// The places of a window.
  private static int[] inside(double[] places, int[] window) {
    int[] found = new int[places.length / 2];
    int count = 0;
    for (int i = 0; i < found.length; i++)
      if ((int) (places[2 * i] * WINDOWS) == window[0]
          && (int) (places[2 * i + 1] * WINDOWS) == window[1]) found[count++] = i;
    return Arrays.copyOf(found, count);
  }

  /// The sums of the rows that lie in a window.
  private static GridStatistics sums(Grid grid, DrawnRows drawn) {
    GridAccumulator sums = new GridAccumulator(grid, Outside.SKIP);
    double[] low = {grid.axis(0).low(), grid.axis(1).low()};
    double[] high = {grid.axis(0).high(), grid.axis(1).high()};
    drawn.read(
        (count, x, y, weights) -> {
          double[] own = new double[2 * count];
          double[] values = new double[count];
          int n = 0;
          for (int i = 0; i < count; i++) {
            double a = x[2 * i];
            double b = x[2 * i + 1];
            if (a >= low[0] && a <= high[0] && b >= low[1] && b <= high[1]) {
              own[2 * n] = a;
              own[2 * n + 1] = b;
              values[n++] = y[i];
            }
          }
          sums.addAll(n, own, values, null);
        });
    return sums.statistics();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }
}
