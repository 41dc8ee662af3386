package lovelace.neighbours;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// The posterior of the latent function of many rows under any likelihood, by Laplace's
/// approximation ([VecchiaLaplace]). With N the k places nearest to x and b the regression of f(x) on
/// f there, whose error has variance D,
///
///     mean(x) = μ(x) + bᵀ(m − μ)      var(x) = D + bᵀ P b
///
/// where P is the covariance `(Q + W)⁻¹` of f at the places, and m the mode corrected to first order,
/// `f̂ − ½ P (∂W/∂f ∘ diag P)`. P is too large to compute; variances come from fixed draws of it and
/// from the working observations near x ([LatentDraws]). [#varianceError] says how exact they are.
///
/// [#covariance] and [#sample] have the correlations of [NeighbourJoint] given the working
/// observations, and the means and variances of [#predict].
///
/// Immutable; safe to share between threads. The same bits for any number of threads and in any
/// batch.
public final class LatentNeighbourGp implements RowPosterior {

  /// The most rows.
  public static final int MOST_ROWS = 500_000;

  /// The most draws, and the least.
  private static final int MOST_DRAWS = 128;

  private static final int LEAST_DRAWS = 32;

  /// The numbers that all draws may have together.
  private static final long DRAWN = 40_000_000;

  /// The working observations that the near predictor has, as a multiple of k, and the most.
  private static final int NEAR = 3;

  private static final int MOST_NEAR = 200;

  /// Curvatures below it count as this much.
  private static final double LEAST_CURVATURE = 1e-12;

  /// The places at which [#varianceError] computes variances exactly.
  private static final int CHECKS = 64;

  /// Points that one task works on, and that are predicted at a time.
  private static final int CHUNK = 32;

  private static final int BATCH = 8192;

  private final Dataset data;
  private final Hyperparameters h;
  private final int asked;
  private final long seed;
  private final VecchiaLaplace laplace;
  private final Dataset places;
  private final int k;
  private final LatentPrior prior;
  private final LatentMode mode;
  private final LatentSystem system;
  private final NeighbourGp near; // the process of working observations whose targets are 0
  private final LatentDraws draws;
  private final double[] values; // m − μ
  private volatile @Nullable Evidence evidence; // once asked for

  private LatentNeighbourGp(Dataset data, Hyperparameters h, int asked, long seed) {
    this.data = data;
    this.h = h;
    this.asked = asked;
    this.seed = seed;
    this.laplace = VecchiaLaplace.of(data, h, asked, seed);
    this.prior = laplace.prior(h);
    this.mode = laplace.mode(prior, h, WarmStart.NONE);
    this.places = laplace.places();
    int n = prior.size();
    this.k = Math.min(asked, n);
    double[] w = new double[n];
    for (int j = 0; j < n; j++) w[j] = Math.max(mode.curvatures[j], LEAST_CURVATURE);
    this.system = new LatentSystem(prior, w);
    Hyperparameters working = Hyperparameters.of(h.kernel(), 1, PriorMean.ZERO);
    int most = Math.max(k, Math.min(NEAR * k, MOST_NEAR));
    this.near = NeighbourGp.of(places.withWeights(w), working, most);
    int count = Math.clamp(DRAWN / n, LEAST_DRAWS, MOST_DRAWS);
    Budget.require(12L * n * count, "the draws of the rows' values", "use fewer rows");
    this.draws = new LatentDraws(prior, system, w, count, new SplittableRandom(seed).nextLong());
    this.values = mode.values.clone();
    double[] s = new double[n];
    predict(
        places.inputs(),
        n,
        k,
        (j, mean, variance, own) -> s[j] = -0.5 * variance * mode.curvatureSlopes[j]);
    double[] correction = system.solve(s, 1e-8, 0);
    for (int j = 0; j < n; j++) values[j] += correction[j];
  }

  /// Conditions the process on rows: observations with their sizes, under the likelihood of the
  /// hyperparameters. The arrays of the dataset are kept, not copied.
  ///
  /// @param k the neighbours of a place and of a prediction, at least 1
  /// @param seed of the order of the rows, the draws and the probes
  public static LatentNeighbourGp of(Dataset data, Hyperparameters h, int k, long seed) {
    if (data.size() > MOST_ROWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "neighbours take at most %,d rows under likelihood %s, got %,d; use some of the rows, or"
                  + " an engine on a lattice",
              MOST_ROWS,
              h.likelihood(),
              data.size()));
    return new LatentNeighbourGp(data, h, k, seed);
  }

  /// The neighbours of a place and of a prediction, as they were asked for.
  public int neighbours() {
    return asked;
  }

  /// The seed it was made with.
  public long seed() {
    return seed;
  }

  /// The Newton steps that led to the mode.
  public int steps() {
    return mode.steps;
  }

  /// The length of the last of them, in posterior standard deviations.
  public double residual() {
    return mode.residual;
  }

  /// The root mean square of the relative errors of variances, measured at up to 64 places where
  /// they are computed exactly by conjugate gradients. It does not include what the neighbours
  /// leave out.
  public double varianceError() {
    int n = prior.size();
    int count = Math.min(CHECKS, n);
    int d = dimensions();
    double[] x = new double[count * d];
    int[] at = new int[count];
    for (int i = 0; i < count; i++) {
      at[i] = (int) ((long) i * n / count);
      System.arraycopy(places.inputs(), at[i] * d, x, i * d, d);
    }
    double[] estimates = new double[count];
    predict(x, count, near.used(), (i, mean, variance, own) -> estimates[i] = variance);
    double[] squares = new double[count];
    Parallel.forEach(
        count,
        i -> {
          double[] unit = new double[n];
          unit[at[i]] = 1;
          double exact = system.solve(unit, 1e-6, 0)[at[i]];
          squares[i] = Math.pow(estimates[i] / exact - 1, 2);
        });
    return Math.sqrt(Arrays.stream(squares).sum() / count);
  }

  @Override
  public String engine() {
    return "neighbours";
  }

  @Override
  public OptionalInt nearestRows() {
    return OptionalInt.of(neighbours());
  }

  @Override
  public String summary() {
    return String.format(Locale.ROOT, "of the %,d nearest rows", neighbours());
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  /// What was observed.
  @Override
  public Dataset data() {
    return data;
  }

  @Override
  public Hyperparameters hyperparameters() {
    return h;
  }

  @Override
  public LatentNeighbourGp with(Dataset rows, Hyperparameters other) {
    return of(rows, other, asked, seed);
  }

  @Override
  public int dimensions() {
    return data.dimensions();
  }

  /// That of a working observation.
  @Override
  public double noise() {
    return h.noise();
  }

  /// Receives what is known of f at a point.
  private interface Sink {
    void put(int point, double mean, double variance, double own);
  }

  /// A variance below `50 ε √k k(x, x)` cannot be told from rounding; that bound is reported
  /// instead and marked.
  @Override
  public Prediction predict(double[] points) {
    int d = dimensions();
    int t = Points.check(points, d);
    double[] means = new double[t];
    double[] variances = new double[t];
    byte[] marks = new byte[t];
    double rounding = 50 * Math.ulp(1.0) * Math.sqrt(k);
    for (int from = 0; from < t; from += BATCH) {
      int first = from;
      int to = Math.min(t, from + BATCH);
      predict(
          Arrays.copyOfRange(points, from * d, to * d),
          to - from,
          near.used(),
          (i, mean, variance, own) -> {
            boolean atBound = !(variance > rounding * own);
            means[first + i] = mean;
            variances[first + i] = atBound ? rounding * own : variance;
            marks[first + i] = Prediction.mark(false, atBound);
          });
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// Predicts with so many working observations near a point.
  private void predict(double[] x, int count, int used, Sink sink) {
    int d = dimensions();
    int all = near.used();
    int[] nearest = near.nearest(x, count);
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          LocalSystem observed =
              new LocalSystem(near.places(), near.hyperparameters(), used, false);
          LocalSystem latent = new LocalSystem(places, h, k, false, LatentPrior.NUGGET);
          LatentDraws.Estimate estimate = draws.new Estimate();
          for (int t = from; t < to; t++) {
            Budget.check();
            observed.around(x, t * d);
            latent.around(x, t * d);
            for (int a = 0; a < used; a++) observed.row(a, nearest[t * all + a]);
            for (int a = 0; a < k; a++) {
              int place = nearest[t * all + a];
              latent.point(a, places.inputs(), place * d, values[place]);
            }
            observed.point(used, x, t * d);
            latent.point(k, x, t * d);
            observed.factor(used);
            double own = latent.factor(k);
            observed.solve();
            latent.solve();
            estimate.clear();
            for (int a = 0; a < used; a++)
              estimate.observation(nearest[t * all + a], -observed.v[a]);
            for (int a = 0; a < k; a++) estimate.value(nearest[t * all + a], -latent.v[a]);
            double mean = h.mean().at(x, t * d) - latent.error();
            sink.put(t, mean, estimate.variance(Math.max(0, latent.rest()), observed.rest()), own);
          }
        });
  }

  /// Of the joint distribution of all these points, as [#sample] has it: positive semidefinite, and
  /// its diagonal has the variances of [#predict].
  @Override
  public double[] covariance(double[] a, double[] b) {
    int rows = Points.check(a, dimensions());
    int columns = Points.check(b, dimensions());
    if (Budget.covariance(rows, columns) == 0) return new double[0];
    Budget.require(jointBytes(rows + columns), "a covariance", "ask for fewer points");
    boolean same = Arrays.equals(a, b);
    double[] all = Arrays.copyOf(a, same ? a.length : a.length + b.length);
    if (!same) System.arraycopy(b, 0, all, a.length, b.length);
    NeighbourJoint joint = NeighbourJoint.of(near, all);
    double[] covariance = joint.covariance(rows, same ? 0 : rows, columns);
    double[] scales = scales(joint, predict(all));
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++)
        covariance[i * columns + j] *= scales[i] * scales[same ? j : rows + j];
    return covariance;
  }

  /// What deviations of the joint distribution are multiplied by.
  private static double[] scales(NeighbourJoint joint, Prediction prediction) {
    double[] own = joint.variances();
    double[] scales = new double[own.length];
    for (int i = 0; i < own.length; i++)
      scales[i] = own[i] > 0 ? Math.sqrt(prediction.variance(i) / own[i]) : 0;
    return scales;
  }

  /// Joint draws, one point after another. Repeated points get one value. The first draws do not
  /// depend on how many follow.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int t = Points.check(points, dimensions());
    double[] sampled = new double[Budget.draws(count, t)];
    if (sampled.length == 0) return sampled;
    Budget.require(jointBytes(t), "a joint draw", "ask for fewer points");
    NeighbourJoint joint = NeighbourJoint.of(near, points);
    joint.draw(count, random, sampled);
    Prediction prediction = predict(points);
    double[] scales = scales(joint, prediction);
    for (int s = 0; s < count; s++)
      for (int i = 0; i < t; i++)
        sampled[s * t + i] = prediction.mean(i) + scales[i] * sampled[s * t + i];
    return sampled;
  }

  /// The evidence by [VecchiaLaplace].
  @Override
  public double logMarginalLikelihood() {
    return evidence().value();
  }

  /// The standard error of [#logMarginalLikelihood].
  public double likelihoodError() {
    return evidence().standardError();
  }

  @Override
  public double[] likelihoodGradient() {
    return evidence().gradient();
  }

  private Evidence evidence() {
    Evidence known = evidence;
    if (known == null)
      synchronized (this) {
        known = evidence;
        if (known == null) {
          known = laplace.evidence(h, prior, mode);
          evidence = known;
        }
      }
    return known;
  }

  /// The draws, the regressions of the places on their neighbours, and the search.
  @Override
  public long bytes() {
    long n = prior.size();
    return n * (12L * draws.count + 12L * k + 24L * dimensions() + 120L);
  }

  /// That of the joint distribution given the working observations, and of the predictions.
  @Override
  public long jointBytes(int points) {
    return near.jointBytes(points) + 32L * points;
  }

  /// The neighbours of the points of a batch, and the systems of all tasks at work on them.
  @Override
  public long panelBytes(int points) {
    return 2 * near.panelBytes(points);
  }

  @Override
  public double operations(int points) {
    return 2 * near.operations(points);
  }
}
