package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;

/// A process of rows that it holds: its rows, parameters and noise, and checks of the arguments.
public abstract class HeldRows implements RowPosterior {

  protected final Dataset data;
  protected final Hyperparameters hyperparameters;
  protected final double noise;

  /// Holds rows. The arrays of the dataset are not copied.
  protected HeldRows(Dataset data, Hyperparameters hyperparameters, double noise) {
    this.data = data;
    this.hyperparameters = hyperparameters;
    this.noise = noise;
  }

  /// Holds rows with Gaussian noise: σ² plus the variance of the kernel's white terms.
  protected HeldRows(Dataset data, Hyperparameters hyperparameters) {
    this(data, hyperparameters, hyperparameters.noise() + hyperparameters.kernel().whiteVariance());
  }

  /// Refuses more rows than a process accepts.
  ///
  /// @param taker begins the message, as in `sites take`
  /// @param of follows the number of rows; may be empty
  /// @param advice ends the message
  protected static void requireRows(int rows, int most, String taker, String of, String advice) {
    if (rows > most)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s at most %,d rows%s, got %,d; %s", taker, most, of, rows, advice));
  }

  /// The rows that it is conditioned on.
  @Override
  public final Dataset data() {
    return data;
  }

  /// The parameters that it is conditioned with.
  @Override
  public final Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  @Override
  public final int dimensions() {
    return data.dimensions();
  }

  /// The noise variance of an observation of weight 1.
  @Override
  public final double noise() {
    return noise;
  }

  /// The number of points, which must be finite.
  protected int count(double[] points) {
    return Points.check(points, dimensions());
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int rows = count(a);
    int columns = count(b);
    if (Budget.covariance(rows, columns) == 0) return new double[0];
    Budget.require(covarianceBytes(rows, columns), "a covariance", "ask for fewer points");
    return covariance(a, rows, b, columns, Arrays.equals(a, b));
  }

  /// The bytes that computing a covariance needs beside the array; 0 if it makes its own checks.
  protected long covarianceBytes(int rows, int columns) {
    return 0;
  }

  /// The covariance of points that were checked. There is at least one of each.
  protected abstract double[] covariance(
      double[] a, int rows, double[] b, int columns, boolean same);

  /// Joint draws. The first draws do not depend on the number of draws.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int t = count(points);
    double[] draws = new double[Budget.draws(count, t)];
    if (draws.length == 0) return draws;
    Budget.require(drawBytes(t), "a joint draw", "ask for fewer points");
    draw(points, count, random, draws);
    return draws;
  }

  /// The bytes that drawing needs beside the draws; 0 if it makes its own checks.
  protected long drawBytes(int points) {
    return jointBytes(points);
  }

  /// Fills `draws` with joint draws, row-major, `count × t`, at points that were checked.
  protected abstract void draw(double[] points, int count, RandomGenerator random, double[] draws);
}
