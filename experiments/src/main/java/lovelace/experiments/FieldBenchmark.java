package lovelace.experiments;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// A simulated map with clouds. It is a draw with an exponential covariance and variance 1 on
/// pixels whose sides are as 5 to 3, with noise. The hidden share is that of the satellite map of
/// [MapCase#isHeaton]. The fit learns from the rest, and is scored at the hidden pixels.
/// Predictions are of observations.
///
/// @param learned the number of pixels that were learned from
/// @param plannedSeconds the time of the fit according to the plan
/// @param processorSeconds of all threads, for the fit
public record FieldBenchmark(
    Model model,
    int learned,
    Scores scores,
    double plannedSeconds,
    double fitSeconds,
    double processorSeconds,
    double predictSeconds,
    long peakBytes) {

  private static final double OBSERVED = 105_569.0 / 150_000;
  private static final double CLOUD = 0.05; // the size of clouds, as a share of the longer side
  private static final double FRAY = 0.008; // and of their edges

  /// A field to learn from.
  ///
  /// @param across pixels along the longer side; the sides are as 5 to 3
  /// @param lengthscale in pixels
  /// @param noise its variance
  public record Field(int across, double lengthscale, double noise, long seed) {

    /// Pixels along the shorter side.
    public int up() {
      return across * 3 / 5;
    }
  }

  /// A draw: pixels to learn from, and the hidden ones.
  private static final class Case {
    final Dataset train;
    final double[] places;
    final double[] targets;

    private Case(Dataset train, double[] places, double[] targets) {
      this.train = train;
      this.places = places;
      this.targets = targets;
    }

    static Case of(Field field) {
      int across = field.across;
      DrawnRows function = drawn("matern12", field.lengthscale / across, across, field.seed);
      DrawnRows clouds = drawn("rbf", CLOUD, across, field.seed + 1);
      DrawnRows frays = drawn("rbf", FRAY, across, field.seed + 2);
      int pixels = across * field.up();
      double[] x = new double[2 * pixels];
      double[] y = new double[pixels];
      double[] cloud = new double[pixels];
      SplittableRandom random = new SplittableRandom(field.seed + 3);
      for (int p = 0; p < pixels; p++) {
        int row = p / field.up();
        x[2 * p] = row;
        x[2 * p + 1] = p % field.up();
        double[] at = {x[2 * p] / across, x[2 * p + 1] / across};
        y[p] = function.value(at, 0) + Math.sqrt(field.noise) * random.nextGaussian();
        cloud[p] = clouds.value(at, 0) + 0.3 * frays.value(at, 0);
      }
      double[] sorted = cloud.clone();
      Arrays.sort(sorted);
      int count = (int) Math.rint(OBSERVED * pixels);
      double[][] inputs = {new double[2 * count], new double[2 * (pixels - count)]};
      double[][] target = {new double[count], new double[pixels - count]};
      int[] filled = new int[2];
      for (int p = 0; p < pixels; p++) {
        boolean hidden = cloud[p] > sorted[count - 1] || filled[0] == count;
        int part = hidden ? 1 : 0;
        System.arraycopy(x, 2 * p, inputs[part], 2 * filled[part], 2);
        target[part][filled[part]++] = y[p];
      }
      List<Column> columns = List.of(Column.of("x"), Column.of("y"));
      return new Case(
          Dataset.of(inputs[0], columns, target[0], Column.of("z")), inputs[1], target[1]);
    }

    private static DrawnRows drawn(String kernel, double lengthscale, int cells, long seed) {
      return DrawnRows.of(
          Kernel.parse("1*" + kernel + "(lengthscale=" + lengthscale + ")").bind(2),
          1,
          0,
          cells,
          seed);
    }
  }

  /// Draws, fits, predicts, scores.
  public static FieldBenchmark run(Field field, Fit fit, Consumer<String> phases)
      throws IOException {
    phases.accept("drawing the map");
    Case drawn = Case.of(field);
    phases.accept("fitting");
    long used = StreamBenchmark.processor();
    long start = System.nanoTime();
    Model model = fit.withKernel("matern12").to(drawn.train);
    double fitted = (System.nanoTime() - start) * 1e-9;
    double processor = (StreamBenchmark.processor() - used) * 1e-9;
    phases.accept("predicting");
    start = System.nanoTime();
    Prediction prediction = model.predictObservation(drawn.places);
    double predicted = (System.nanoTime() - start) * 1e-9;
    return new FieldBenchmark(
        model,
        drawn.train.size(),
        Scores.of(prediction, drawn.targets),
        model.plan().seconds(),
        fitted,
        processor,
        predicted,
        PeakMemory.bytes());
  }
}
