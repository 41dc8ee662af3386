package lovelace.bayesopt.surrogate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import lovelace.posterior.internal.JointNormal;
import org.jspecify.annotations.Nullable;

/// The process interpolated on a grid of two axes (KISS-GP), in the coordinates of its
/// observations, for a suggestion. It forms and factors `A = WᵀKW + σ²I = LLᵀ`. The variance at a
/// point with weights w is `wᵀKw − ‖L⁻¹WᵀKw‖²`. Nothing is computed for grid points that nobody
/// asks for.
public final class DataSurrogate implements Surrogate {

  private static final int PANEL = 128;
  private static final int PLACES = 41; // an axis, to scan
  private static final double EPSILON = 0x1p-52;
  private static final double REACH = 3; // standard deviations above the mean

  private final Hyperparameters hyperparameters;
  private final ProductCovariance prior;
  private final Supplier<Surrogate> whole;
  private final double level;
  private final double noise;
  private final double variance; // of the prior
  private final double floor;
  private final int n;
  private final double[] l; // n × n, lower
  private final double[] alpha;
  private volatile @Nullable Scanned scanned;

  /// The predictions at the places of a scan, which the maximum and the merit both use. Also
  /// `L⁻¹WᵀKw`, one row for each: the part that the observations explain.
  private static final class Scanned {
    final double[] places;
    final double[] means;
    final double[] variances;
    final double[] explained;

    Scanned(double[] places, double[] means, double[] variances, double[] explained) {
      this.places = places;
      this.means = means;
      this.variances = variances;
      this.explained = explained;
    }
  }

  private DataSurrogate(
      Hyperparameters hyperparameters,
      ProductCovariance prior,
      Supplier<Surrogate> whole,
      double[] l,
      double[] alpha) {
    this.hyperparameters = hyperparameters;
    this.prior = prior;
    this.whole = whole;
    this.l = l;
    this.alpha = alpha;
    n = alpha.length;
    level = hyperparameters.mean().at(new double[2], 0);
    noise = hyperparameters.noise();
    variance = hyperparameters.kernel().variance(new double[2], 0);
    floor = variance * EPSILON * (64 + Math.sqrt(n * (variance + noise) / noise));
  }

  /// Conditions on the observations, which lie inside the grid. The kernel is stationary and even
  /// along each axis; the mean is constant.
  ///
  /// @param whole the posterior of the whole grid, for draws of functions
  static DataSurrogate of(
      Hyperparameters h, Grid grid, double[] x, double[] z, Supplier<Surrogate> whole) {
    int n = z.length;
    ProductCovariance prior = ProductCovariance.of(h.kernel(), grid, x, n);
    double[] a = new double[n * n];
    Parallel.chunks(
        n,
        16,
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) {
            prior.withObserved(prior.observed(), i, i + 1, a, i * n);
            a[i * n + i] += h.noise();
          }
        });
    double level = h.mean().at(x, 0);
    double[] alpha = new double[n];
    for (int i = 0; i < n; i++) alpha[i] = z[i] - level;
    Cholesky factor = Cholesky.adopt(a, n);
    factor.solve(alpha);
    return new DataSurrogate(h, prior, whole, factor.factor(), alpha);
  }

  @Override
  public int dimensions() {
    return 2;
  }

  @Override
  public double noise() {
    return noise;
  }

  /// Grid points spread evenly over the square, where prior covariances cost least.
  @Override
  public double[] scan() {
    double[] places = new double[2 * PLACES * PLACES];
    for (int i = 0; i < PLACES * PLACES; i++) {
      places[2 * i] = place(prior.grid().axis(0), i / PLACES);
      places[2 * i + 1] = place(prior.grid().axis(1), i % PLACES);
    }
    return places;
  }

  private static double place(Axis axis, int i) {
    return Math.clamp(axis.at(1 + Math.round(i * axis.cells() / (PLACES - 1f))), 0, 1);
  }

  @Override
  public void predict(int count, double[] points, double[] means, double[] variances) {
    if (count < PLACES * PLACES / 4) {
      compute(count, points, means, variances, new double[count * n]);
      return;
    }
    Scanned known = scanned(count, points);
    System.arraycopy(known.means, 0, means, 0, count);
    System.arraycopy(known.variances, 0, variances, 0, count);
  }

  private Scanned scanned(int count, double[] points) {
    Scanned known = scanned;
    if (known != null && Arrays.equals(known.places, 0, known.places.length, points, 0, 2 * count))
      return known;
    known =
        new Scanned(
            Arrays.copyOf(points, 2 * count),
            new double[count],
            new double[count],
            new double[count * n]);
    compute(count, points, known.means, known.variances, known.explained);
    scanned = known;
    return known;
  }

  private void compute(
      int count, double[] points, double[] means, double[] variances, double[] explained) {
    GridWeights at = new GridWeights(prior.grid(), points, count);
    Parallel.chunks(
        count,
        PANEL,
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) prior.withObserved(at, i, n, explained, i * n);
          for (int i = from; i < to; i++)
            means[i] = level + Blas.dot(n, explained, i * n, alpha, 0);
          Blas.trsm(true, true, to - from, n, 1, l, 0, n, explained, from * n, n);
          for (int i = from; i < to; i++)
            variances[i] =
                Math.max(
                    prior.prior(at, i) - Blas.dot(n, explained, i * n, explained, i * n), floor);
        });
  }

  /// Joint draws at the places of a scan where the maximum is likeliest. They share most of their
  /// work with the scan.
  ///
  /// @param places the places of the scan
  /// @param most the number of places that the draws cover
  /// @return the largest value of each draw
  public double[] maxima(double[] places, int most, int count, RandomGenerator random) {
    int size = places.length / 2;
    Scanned known = scanned(size, places);
    double[] bounds = new double[size];
    for (int i = 0; i < size; i++)
      bounds[i] = known.means[i] + REACH * Math.sqrt(known.variances[i]);
    int t = Math.min(most, size);
    int[] chosen =
        IntStream.range(0, size)
            .boxed()
            .sorted((i, j) -> Double.compare(bounds[j], bounds[i]))
            .limit(t)
            .mapToInt(i -> i)
            .toArray();
    double[] points = new double[2 * t];
    double[] means = new double[t];
    double[] explained = new double[t * n];
    for (int i = 0; i < t; i++) {
      System.arraycopy(places, 2 * chosen[i], points, 2 * i, 2);
      means[i] = known.means[chosen[i]];
      System.arraycopy(known.explained, chosen[i] * n, explained, i * n, n);
    }
    double[] draws =
        draws(new GridWeights(prior.grid(), points, t), means, explained, count, random);
    double[] maxima = new double[count];
    for (int s = 0; s < count; s++)
      maxima[s] = Arrays.stream(draws, s * t, (s + 1) * t).max().orElseThrow();
    return maxima;
  }

  private double[] draws(
      GridWeights at, double[] means, double[] explained, int count, RandomGenerator random) {
    int t = means.length;
    double[] covariance = new double[t * t];
    Parallel.chunks(
        t,
        16,
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) prior.among(at, i, i + 1, covariance, i * t);
        });
    Blas.syrk(false, t, n, -1, explained, 0, n, 1, covariance, 0, t);
    return JointNormal.adopt(means, covariance, variance).draw(count, random);
  }

  @Override
  public void gradient(double[] x, double[] out) {
    GridWeights at = new GridWeights(prior.grid(), x, 1);
    double[] k = new double[n];
    double[] dx = new double[n];
    double[] dy = new double[n];
    prior.slopes(at, k, dx, dy);
    out[0] = level + Blas.dot(n, k, 0, alpha, 0);
    out[2] = Blas.dot(n, dx, 0, alpha, 0);
    out[3] = Blas.dot(n, dy, 0, alpha, 0);
    Blas.trsm(false, false, n, 1, 1, l, 0, n, k, 0, 1);
    out[1] = Math.max(prior.prior(at, 0) - Blas.dot(n, k, 0, k, 0), floor);
    Blas.trsm(false, true, n, 1, 1, l, 0, n, k, 0, 1);
    out[4] = 2 * (prior.priorSlope(at, 0) - Blas.dot(n, dx, 0, k, 0));
    out[5] = 2 * (prior.priorSlope(at, 1) - Blas.dot(n, dy, 0, k, 0));
  }

  @Override
  public Surrogate believing(double[] x) {
    GridWeights at = new GridWeights(prior.grid(), x, 1);
    double[] k = new double[n];
    prior.withObserved(at, 0, n, k, 0);
    Blas.trsm(false, false, n, 1, 1, l, 0, n, k, 0, 1);
    double own = Math.max(prior.prior(at, 0) - Blas.dot(n, k, 0, k, 0), floor) + noise;
    int m = n + 1;
    double[] next = new double[m * m];
    for (int i = 0; i < n; i++) System.arraycopy(l, i * n, next, i * m, i + 1);
    System.arraycopy(k, 0, next, n * m, n);
    next[n * m + n] = Math.sqrt(own);
    // its mean was observed, which explains nothing new
    double[] weights = Arrays.copyOf(alpha, m);
    return new DataSurrogate(hyperparameters, prior.and(at), whole, next, weights);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    int t = points.length / 2;
    double[] means = new double[t];
    double[] explained = new double[t * n];
    compute(t, points, means, new double[t], explained);
    return draws(new GridWeights(prior.grid(), points, t), means, explained, count, random);
  }

  @Override
  public List<FunctionDraw> functions(int count, RandomGenerator random) {
    return whole.get().functions(count, random);
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT, "%s, %d observations, %s", prior.grid(), n, hyperparameters.kernel());
  }
}
