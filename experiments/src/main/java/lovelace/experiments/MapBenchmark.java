package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.plot.PixelMap;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// A model of a map with gaps. It is fitted to the pixels to learn from, predicts every pixel, and
/// is scored at those held out. Predictions are of observations and include noise.
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

  /// Receives the name of each step as it begins.
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

  /// The fit. If some pixels lie beyond those to learn from, its grid extends to every pixel.
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

  /// Measures how well probabilities of exceeding quantiles of the target hold at the rows held
  /// out, beside joint draws of the model.
  public List<Exceedance> exceedances() {
    double[] targets = map.testTargets();
    // a model that holds its rows factors the covariance of all points
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

  /// The log marginal likelihood of the standardised target; NaN if the engine has none.
  public double logLikelihood() {
    return map.standardised(model.logMarginalLikelihood());
  }

  /// Four maps: the data, the mean, the standard deviation, and the errors where they are known. If
  /// places have three columns, it shows the slice of the third with most pixels to score.
  public PixelMap picture(String title) {
    return new MapPicture(this).titled(title);
  }
}
