package lovelace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;

/// A model with parameters as given, on few rows drawn from it, and the exact process it should
/// equal: 1 to 3 inputs, smooth and rough kernels and their sums, noise from a ten-thousandth of
/// the signal's variance to all of it.
final class RandomModel {

  static final int PLACES = 50;

  final long seed;
  final Fit fit;
  final Dataset data;
  final ExactGp exact;
  final double[] places;

  private RandomModel(long seed, Fit fit, Dataset data, ExactGp exact, double[] places) {
    this.seed = seed;
    this.fit = fit;
    this.data = data;
    this.exact = exact;
    this.places = places;
  }

  static RandomModel of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int d = 1 + random.nextInt(3);
    int n = (int) Math.round(3 * Math.exp(random.nextDouble() * Math.log(400 / 3.0)));
    double signal = Math.exp(2 * random.nextGaussian());
    Kernel kernel = part(random, d).times(signal);
    if (random.nextInt(3) == 0)
      kernel = kernel.plus(part(random, d).times(signal * random.nextDouble(0.1, 1)));
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble();
    double noise = signal * Math.pow(10, -4 * random.nextDouble());
    Hyperparameters h = Hyperparameters.of(kernel.bind(d), noise, PriorMean.constant(0));
    double[] y = draw(x, n, d, h, random);
    Dataset data = Dataset.of(x, d, y);
    double[] places = new double[PLACES * d];
    for (int i = 0; i < places.length; i++) places[i] = random.nextDouble();
    for (int p = 0; p < PLACES; p++) // inside the rows' range
    for (int a = 0; a < d; a++) {
        double low = 1;
        double high = 0;
        for (int i = 0; i < n; i++) {
          low = Math.min(low, x[i * d + a]);
          high = Math.max(high, x[i * d + a]);
        }
        places[p * d + a] = low + places[p * d + a] * (high - low);
      }
    Fit fit = Fit.DEFAULT.withTraining(false).withKernel(kernel).set("noise", noise).set("mean", 0);
    return new RandomModel(seed, fit, data, ExactGp.of(data, h), places);
  }

  private static Kernel part(SplittableRandom random, int d) {
    double lengthscale = Math.exp(random.nextDouble() * Math.log(20)) / 20;
    if (d > 1) lengthscale *= 2;
    String shape = List.of("rbf", "rq", "matern12", "matern32", "matern52").get(random.nextInt(5));
    String more = shape.equals("rq") ? ",alpha=" + random.nextDouble(0.5, 3) : "";
    return Kernel.parse(shape + "(lengthscale=" + lengthscale + more + ")");
  }

  /// A draw of the process at the rows, with noise.
  private static double[] draw(
      double[] x, int n, int d, Hyperparameters h, SplittableRandom random) {
    double[] far = new double[d];
    Arrays.fill(far, 1e6);
    ExactGp prior =
        ExactGp.of(
            Dataset.of(
                far,
                Dataset.of(x, d, ramp(n)).columns(),
                new double[1],
                Dataset.of(x, d, ramp(n)).targetColumn()),
            h);
    double[] y = prior.sample(x, 1, random);
    for (int i = 0; i < n; i++) y[i] += Math.sqrt(h.noise()) * random.nextGaussian();
    return y;
  }

  private static double[] ramp(int n) {
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = i;
    return y;
  }

  /// How far a model is from the exact process at the places: the mean in standard deviations, and
  /// the variance, relative.
  record Distance(double mean, double variance) {}

  Distance error(Model model) {
    Prediction mine = model.predict(places);
    Prediction theirs = exact.predict(places);
    double mean = 0;
    double variance = 0;
    for (int p = 0; p < PLACES; p++) {
      double sd = Math.sqrt(theirs.variance(p));
      mean = Math.max(mean, Math.abs(mine.mean(p) - theirs.mean(p)) / sd);
      variance = Math.max(variance, Math.abs(mine.variance(p) / theirs.variance(p) - 1));
    }
    return new Distance(mean, variance);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "seed %d, %s, noise %.3g, %d rows of %d columns",
        seed,
        fit.kernel(),
        exact.hyperparameters().noise(),
        data.size(),
        data.dimensions());
  }
}
