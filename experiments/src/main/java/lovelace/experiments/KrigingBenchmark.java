package lovelace.experiments;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// Scattered observations of a function drawn from a Matérn-3/2 process on the unit square, with
/// noise: half of them to learn from, half held out. The exact process with the true parameters
/// gives the best scores that any method can reach.
public final class KrigingBenchmark {

  /// A method's scores on observations held out.
  ///
  /// @param learned its parameters, in its own words
  public record Result(
      String method, String learned, Scores scores, double learnSeconds, double predictSeconds) {}

  private static final Hyperparameters TRUTH =
      Hyperparameters.of(
          Kernel.parse("1.0*matern32(lengthscale=0.1)").bind(2), 0.1, PriorMean.constant(10));

  /// The number of cells along each side of the table on which the function is drawn. A cell is a
  /// hundredth of the lengthscale. Linear interpolation in it loses less than 1e-4 of the variance.
  private static final int CELLS = 1024;

  private final Dataset train;
  private final double[] places;
  private final double[] targets;

  private KrigingBenchmark(Dataset train, double[] places, double[] targets) {
    this.train = train;
    this.places = places;
    this.targets = targets;
  }

  /// Draws a problem with `rows` rows to learn from and the same number held out.
  public static KrigingBenchmark of(int rows, long seed) {
    DrawnRows function = DrawnRows.of(TRUTH.kernel(), 1, 0, CELLS, seed);
    SplittableRandom random = new SplittableRandom(~seed);
    double[][] x = new double[2][2 * rows];
    double[][] y = new double[2][rows];
    for (int part = 0; part < 2; part++)
      for (int i = 0; i < rows; i++) {
        x[part][2 * i] = random.nextDouble();
        x[part][2 * i + 1] = random.nextDouble();
        y[part][i] =
            10 + function.value(x[part], 2 * i) + Math.sqrt(TRUTH.noise()) * random.nextGaussian();
      }
    List<Column> columns = List.of(Column.of("a"), Column.of("b"));
    return new KrigingBenchmark(Dataset.of(x[0], columns, y[0], Column.of("y")), x[1], y[1]);
  }

  /// The rows to learn from.
  public Dataset train() {
    return train;
  }

  /// The places of the rows held out; not copied.
  public double[] places() {
    return places;
  }

  /// The scores of means and variances at the rows held out.
  Scores scores(double[] means, double[] variances) {
    return Scores.of(means, variances, targets);
  }

  /// The exact process with the true parameters.
  public Result truth() {
    long start = System.nanoTime();
    ExactGp process = ExactGp.of(train, TRUTH);
    Prediction prediction = process.predictObservation(places);
    return new Result(
        "true parameters, exact process",
        describe(TRUTH),
        Scores.of(prediction, targets),
        0,
        seconds(start));
  }

  /// A fit of ours. It also knows that both inputs are coordinates, as gstat does.
  public Result ours(String name, Fit fit) {
    long start = System.nanoTime();
    Model model = fit.withPlace(Place.projected("a", "b", "local", 1)).to(train);
    double learned = seconds(start);
    start = System.nanoTime();
    Prediction prediction = model.predictObservation(places);
    double predicted = seconds(start);
    return new Result(
        name,
        describe(model.hyperparameters()) + ", " + model.plan().chosen() + " engine",
        Scores.of(prediction, targets),
        learned,
        predicted);
  }

  /// The parameters with four digits.
  private static String describe(Hyperparameters h) {
    return h.parameters().stream()
        .map(
            p ->
                p.path()
                    + " "
                    + Arrays.stream(p.values())
                        .mapToObj(v -> String.format(Locale.ROOT, "%.4g", v))
                        .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(", "));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }
}
