package lovelace.latent;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.neighbours.LocalSystem;
import lovelace.neighbours.NearestRows;
import lovelace.neighbours.NeighbourGp;
import lovelace.neighbours.NeighbourJoint;
import lovelace.posterior.Prediction;

/// The posterior of the latent function of many rows under any likelihood, by Laplace's
/// approximation ([VecchiaLaplace]). Let N be the k places nearest to x and b the regression of
/// f(x) on f there, whose error has variance D:
///
///     mean(x) = μ(x) + bᵀ(m − μ)      var(x) = D + bᵀ P b
///
/// P is the covariance `(Q + W)⁻¹` of f at the places, and m the mode corrected to first order, `f̂
/// − ½ P (∂W/∂f ∘ diag P)`. P is too large to compute, so variances come from fixed draws of it and
/// from the working observations near x ([LatentDraws]). [#varianceError] says how exact they are.
///
/// [#covariance] and [#sample] have the correlations of [NeighbourJoint] given the working
/// observations, and the means and variances of [#predict].
///
/// Immutable; safe to share between threads. Results have the same bits for any number of threads
/// and in any batch.
public final class LatentNeighbourGp extends NearestRows {

  /// The most rows of a model.
  public static final int MOST_ROWS = 500_000;

  /// The largest and the smallest number of draws.
  private static final int MOST_DRAWS = 128;

  private static final int LEAST_DRAWS = 32;

  /// The most numbers in all draws together.
  private static final long DRAWN = 40_000_000;

  /// The number of working observations of the near predictor as a multiple of k, and the most.
  private static final int NEAR = 3;

  private static final int MOST_NEAR = 200;

  /// Smaller curvatures are replaced by this.
  private static final double LEAST_CURVATURE = 1e-12;

  /// The number of places at which [#varianceError] computes variances exactly.
  private static final int CHECKS = 64;

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

  private LatentNeighbourGp(Dataset data, Hyperparameters h, int asked, long seed) {
    super(data, h, h.noise(), asked);
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

  /// Conditions the process on rows, which are observations with their sizes under the likelihood
  /// of the hyperparameters. The arrays of the dataset are not copied.
  ///
  /// @param k the number of neighbours of a place and of a prediction, at least 1
  /// @param seed of the order of the rows, the draws and the probes
  public static LatentNeighbourGp of(Dataset data, Hyperparameters h, int k, long seed) {
    requireRows(
        data.size(),
        MOST_ROWS,
        "neighbours take",
        " under likelihood " + h.likelihood(),
        "use some of the rows, or an engine on a lattice");
    return new LatentNeighbourGp(data, h, k, seed);
  }

  /// The seed of this posterior.
  public long seed() {
    return seed;
  }

  /// The number of Newton steps to the mode.
  public int steps() {
    return mode.steps;
  }

  /// The length of the last step, in posterior standard deviations.
  public double residual() {
    return mode.residual;
  }

  /// The root mean square of the relative errors of variances, measured at up to 64 places at which
  /// conjugate gradients compute them exactly. It does not include the error due to the choice of
  /// neighbours.
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
  public boolean isExact() {
    return false;
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  @Override
  public LatentNeighbourGp with(Dataset rows, Hyperparameters other) {
    return of(rows, other, neighbours(), seed);
  }

  /// Receives the results for f at a point.
  private interface Sink {
    void put(int point, double mean, double variance, double own);
  }

  /// A variance below `50 ε √k k(x, x)` cannot be distinguished from rounding. Then that bound is
  /// reported instead and marked.
  @Override
  public Prediction predict(double[] points) {
    double rounding = rounding(k);
    return predict(
        points,
        (x, offset, all) ->
            predict(
                x,
                x.length / dimensions(),
                near.used(),
                (i, mean, variance, own) ->
                    all.put(offset + i, mean, variance, rounding * own, false)));
  }

  /// Predicts with `used` working observations near a point.
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
          LocalSystem latent =
              new LocalSystem(places, hyperparameters, k, false, LatentPrior.NUGGET);
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
            double mean = hyperparameters.mean().at(x, t * d) - latent.error();
            sink.put(t, mean, estimate.variance(Math.max(0, latent.rest()), observed.rest()), own);
          }
        });
  }

  /// The covariance of the joint distribution of all these points, as in [#sample]. It is positive
  /// semidefinite, and its diagonal has the variances of [#predict].
  @Override
  protected double[] covariance(double[] points, int rows, int from, int columns) {
    NeighbourJoint joint = NeighbourJoint.of(near, points);
    double[] covariance = joint.covariance(rows, from, columns);
    double[] scales = scales(joint, predict(points));
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) covariance[i * columns + j] *= scales[i] * scales[from + j];
    return covariance;
  }

  /// The factors that multiply deviations of the joint distribution.
  private static double[] scales(NeighbourJoint joint, Prediction prediction) {
    double[] own = joint.variances();
    double[] scales = new double[own.length];
    for (int i = 0; i < own.length; i++)
      scales[i] = own[i] > 0 ? Math.sqrt(prediction.variance(i) / own[i]) : 0;
    return scales;
  }

  /// Draws jointly, one point after another. Repeated points get one value.
  @Override
  protected void draw(double[] points, int count, RandomGenerator random, double[] draws) {
    NeighbourJoint joint = NeighbourJoint.of(near, points);
    joint.draw(count, random, draws);
    Prediction prediction = predict(points);
    double[] scales = scales(joint, prediction);
    int t = scales.length;
    for (int s = 0; s < count; s++)
      for (int i = 0; i < t; i++)
        draws[s * t + i] = prediction.mean(i) + scales[i] * draws[s * t + i];
  }

  /// The standard error of [#logMarginalLikelihood].
  public double likelihoodError() {
    return evidence().standardError();
  }

  /// The evidence by [VecchiaLaplace].
  @Override
  protected Evidence computeEvidence() {
    return laplace.evidence(hyperparameters, prior, mode);
  }

  /// The bytes of the draws, of the regressions of the places on their neighbours, and of the
  /// search.
  @Override
  public long bytes() {
    long n = prior.size();
    return n * (12L * draws.count + 12L * k + 24L * dimensions() + 120L);
  }

  /// The bytes of the joint distribution given the working observations, and of the predictions.
  @Override
  public long jointBytes(int points) {
    return near.jointBytes(points) + 32L * points;
  }

  /// The bytes of the neighbours of the points of a batch, and of the systems of all running tasks.
  @Override
  public long panelBytes(int points) {
    return 2 * near.panelBytes(points);
  }

  @Override
  public double operations(int points) {
    return 2 * near.operations(points);
  }
}
