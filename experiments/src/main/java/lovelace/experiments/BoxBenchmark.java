package lovelace.experiments;

import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import lovelace.Fit;
import lovelace.Model;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Prediction;

/// A fit of scattered rows in three dimensions by the sparse engine, with given parameters:
/// Matérn-3/2, lengthscale a quarter of the box, noise of standard deviation 0.1. The grid extends
/// two nodes beyond the box.
///
/// @param fitSeconds including the pass
/// @param predictSeconds for [#PLACES] places
/// @param score the error of the mean in posterior standard deviations, r.m.s.; 1 if all is right
/// @param peakBytes the most memory of this process
public record BoxBenchmark(
    Model model, double fitSeconds, double predictSeconds, double score, long peakBytes) {

  /// The number of predicted places.
  public static final int PLACES = 100_000;

  private static final double NOISE = 0.1;
  private static final String KERNEL = "1*matern32(lengthscale=0.25)";

  /// Fits the rows of a box, and measures the cost.
  ///
  /// @param points of the grid along each axis
  /// @param tolerance the relative error of a variance to stay within
  /// @param phases receives the name of each step as it begins
  public static BoxBenchmark run(int points, long rows, double tolerance, Consumer<String> phases)
      throws IOException {
    int d = 3;
    phases.accept("drawing a function");
    Fit fit =
        Fit.DEFAULT
            .withKernel(KERNEL)
            .withMean("zero")
            .set("noise", NOISE * NOISE)
            .withTraining(false)
            .withEngine(Engine.SPARSE)
            .withTolerance(tolerance)
            .withListener((Plan plan) -> phases.accept("plan: " + plan));
    GridChoice grid = GridChoice.DEFAULT.withPoints(points, points, points);
    double margin = 1.0 / (points - 5);
    for (int a = 0; a < d; a++) grid = grid.bounded(a, -margin, 1 + margin);
    DrawnRows source =
        DrawnRows.of(fit.hyperparameters(d).kernel(), rows, NOISE, Math.max(16, 2 * points), 1);
    phases.accept(
        String.format(
            Locale.ROOT, "fitting %,d rows on %d × %d × %d nodes", rows, points, points, points));
    long start = System.nanoTime();
    Model model = fit.withGrid(grid).to(source);
    double fitted = (System.nanoTime() - start) * 1e-9;
    phases.accept("predicting");
    double[] places = new SplittableRandom(3).doubles(d * PLACES).toArray();
    start = System.nanoTime();
    Prediction p = model.predict(places);
    double predicted = (System.nanoTime() - start) * 1e-9;
    double squares = 0;
    for (int i = 0; i < p.size(); i++)
      squares += Math.pow(p.mean(i) - source.value(places, d * i), 2) / p.variance(i);
    return new BoxBenchmark(
        model, fitted, predicted, Math.sqrt(squares / p.size()), PeakMemory.bytes());
  }
}
