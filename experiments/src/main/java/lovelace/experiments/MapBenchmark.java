package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.GridChoice;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import lovelace.plan.Engine;
import lovelace.plot.PixelMap;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// A model of a map with gaps: fitted to the pixels to learn from, asked for every pixel, scored at
/// those held out. Predictions are of observations, noise included.
///
/// @param predictions of an observation at every place of the map
/// @param scores at the rows held out
/// @param peakBytes the most memory of this process until the last prediction
public record MapBenchmark(
    MapCase map,
    Model model,
    Prediction predictions,
    Scores scores,
    double fitSeconds,
    double predictSeconds,
    long peakBytes) {

  private static final int DRAWS = 200;
  private static final int MOST_DRAWN = 2_000;

  /// Who is told what begins.
  public interface Phases {
    void fitting(MapCase map);

    void predicting(Model model);
  }

  /// Fits, predicts, scores.
  public static MapBenchmark run(MapCase map, Fit fit, Phases phases) throws IOException {
    phases.fitting(map);
    long start = System.nanoTime();
    Model model = covering(map, fit).to(map.train());
    double fitted = seconds(start);
    phases.predicting(model);
    start = System.nanoTime();
    Prediction all = model.predictObservation(model.points(map.places()));
    double predicted = seconds(start);
    long peak = PeakMemory.bytes();
    Scores scores = Scores.of(heldOut(map, all), map.testTargets());
    return new MapBenchmark(map, model, all, scores, fitted, predicted, peak);
  }

  /// The fit with a grid that reaches to every pixel, where some lie beyond those to learn from.
  private static Fit covering(MapCase map, Fit fit) {
    if (fit.engine() == Engine.EXACT) return fit;
    int d = map.train().dimensions();
    GridChoice grid = fit.grid();
    for (int j = 0; j < d; j++) {
      double[] learned = range(map.train().inputs(), j, d);
      double[] all = range(map.places(), j, d);
      if (all[0] < learned[0] || all[1] > learned[1]) grid = grid.including(j, all[0], all[1]);
    }
    return fit.withGrid(grid);
  }

  private static double[] range(double[] points, int column, int d) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = column; i < points.length; i += d) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    return new double[] {low, high};
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }

  private static Prediction heldOut(MapCase map, Prediction all) {
    int[] at = map.testPlaces();
    return Prediction.adopt(
        Arrays.stream(at).mapToDouble(all::mean).toArray(),
        Arrays.stream(at).mapToDouble(all::variance).toArray());
  }

  /// How well probabilities of exceeding quantiles of the target hold at the rows held out, beside
  /// joint draws of the model.
  public List<Exceedance> exceedances() {
    double[] targets = map.testTargets();
    // a model on rows factors the covariance of all points
    boolean drawn = model.lattice().isPresent() || targets.length <= MOST_DRAWN;
    double[] draws =
        drawn
            ? model.sample(
                model.points(heldOutPlaces()),
                DRAWS,
                Likelihood.Of.OBSERVATION,
                new double[0],
                new SplittableRandom(1))
            : new double[0];
    return Exceedance.of(map.train().target(), heldOut(map, predictions), targets, draws);
  }

  private double[] heldOutPlaces() {
    int d = map.train().dimensions();
    int[] at = map.testPlaces();
    double[] places = new double[at.length * d];
    for (int i = 0; i < at.length; i++) System.arraycopy(map.places(), at[i] * d, places, i * d, d);
    return places;
  }

  /// The log marginal likelihood of the standardised target; NaN where the engine has none.
  public double logLikelihood() {
    return map.standardised(model.logMarginalLikelihood());
  }

  /// Four maps: what was learned from, mean, standard deviation, and errors where they are known.
  /// Of three columns of places the slice of the third that has most pixels to score.
  public PixelMap picture(String title) {
    return new MapPicture(this).titled(title);
  }
}
