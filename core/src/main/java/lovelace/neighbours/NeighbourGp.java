package lovelace.neighbours;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.LinearRows;
import org.jspecify.annotations.Nullable;

/// The posterior of many rows. Each prediction uses N, the k rows nearest to it:
///
///     mean(x) = μ(x) + k(x, N) A⁻¹ (y − μ)      A = k(N, N) + diag(σ²/w)
///     var(x)  = k(x, x) − k(x, N) A⁻¹ k(N, x)
///
/// This is the exact process of the k rows. With k ≥ n it is that of all rows. Rows at one place
/// count as one, by their mean ([DistinctPlaces]). Distances are in units of lengthscales, as in
/// [VecchiaLikelihood]. A prediction takes `k³/3` operations and the search.
///
/// Over up to three columns, the points of a small cell share 64 neighbours or more, those of its
/// centre, and one factor of A. So a prediction of a map takes `k²` operations. The cells lie on a
/// fixed lattice, so a prediction does not depend on the others. If rows are so dense that the
/// points of a cell have different neighbours, each point uses its own.
///
/// [#covariance] and [#sample] belong to one joint distribution ([NeighbourJoint]): the points have
/// a fixed order, and each is regressed on the k nearest among the rows and the points before it
/// (Katzfuss 2020). With k ≥ n + t it is exact.
///
/// Immutable; safe to share between threads. Results have the same bits for any number of threads
/// and in any batch.
public final class NeighbourGp extends NearestRows implements LinearRows {

  /// The most rows of a model.
  public static final int MOST_ROWS = 2_000_000;

  /// The number of neighbours of a row in the likelihood.
  private static final int LIKELIHOOD_NEIGHBOURS = 30;

  private final Dataset places; // the rows, with those of one place merged
  private final double[] scales;
  private final boolean[] words;
  private final NeighbourSearch search;
  final SharedCells cells;
  private final double likelihood; // as given; NaN if it is to be computed

  /// @param same a posterior of the same inputs and parameters; null if there is none
  private NeighbourGp(
      Dataset data,
      Hyperparameters h,
      int k,
      Dataset places,
      @Nullable NeighbourGp same,
      double likelihood) {
    super(data, h, k);
    this.places = places;
    this.likelihood = likelihood;
    if (same != null) {
      scales = same.scales;
      words = same.words;
      search = same.search;
    } else {
      scales = VecchiaLikelihood.scales(data, h);
      words = new boolean[data.dimensions()];
      for (int c : h.kernel().categories()) words[c] = true;
      int[] order = IntStream.range(0, places.size()).toArray();
      search = NeighbourSearch.of(places.inputs(), words, scales, order);
    }
    cells = new SharedCells(places, h, scales, used());
  }

  /// Conditions the process on rows. The arrays of the dataset are not copied.
  ///
  /// @param k the number of neighbours of a prediction, at least 1
  public static NeighbourGp of(Dataset data, Hyperparameters h, int k) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    requireRows(
        data.size(),
        MOST_ROWS,
        "neighbours take",
        "",
        "use some of the rows, or an engine on a lattice");
    return new NeighbourGp(data, h, k, DistinctPlaces.of(data).data, null, Double.NaN);
  }

  /// The same posterior with a known likelihood for [#logMarginalLikelihood].
  public NeighbourGp withLikelihood(double value) {
    return new NeighbourGp(data, hyperparameters, neighbours(), places, this, value);
  }

  /// The same rows and parameters with another number of neighbours.
  public NeighbourGp withNeighbours(int other) {
    if (other < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + other);
    return new NeighbourGp(data, hyperparameters, other, places, this, likelihood);
  }

  /// The share of the nearest rows that the search finds, measured by [NeighbourSearch#recall] for
  /// the number of neighbours in learning; 1 if the search is exact.
  public double recall() {
    return search.recall(Math.min(neighbours(), LIKELIHOOD_NEIGHBOURS));
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  @Override
  public NeighbourGp with(Dataset rows, Hyperparameters other) {
    return of(rows, other, neighbours());
  }

  double[] scales() {
    return scales;
  }

  /// Which columns contain codes of words.
  boolean[] words() {
    return words;
  }

  /// The rows, with those of one place merged.
  public Dataset places() {
    return places;
  }

  /// The [#used] places nearest to each point, nearest first.
  public int[] nearest(double[] points, int count) {
    return search.nearestTo(points, count, used());
  }

  /// The number of neighbours that a prediction can have.
  public int used() {
    return Math.min(neighbours(), places.size());
  }

  /// Uses the same search.
  @Override
  public NeighbourGp of(double[] target) {
    Dataset other = data.withTarget(target);
    return new NeighbourGp(
        other, hyperparameters, neighbours(), DistinctPlaces.of(other).data, this, Double.NaN);
  }

  /// V is that of the Vecchia likelihood of the places with k neighbours. It is exact if k is the
  /// number of places.
  @Override
  public Others others(double[][] targets) {
    return NeighbourTargets.of(this, targets);
  }

  /// A variance below `50 ε √k k(x, x)` cannot be distinguished from rounding. Then that bound is
  /// reported instead and marked.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, NeighbourTargets.none(this), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] means) {
    NeighbourTargets targets = (NeighbourTargets) others;
    return predict(
        points,
        (x, offset, all) -> new NeighbourPrediction(this, x, offset, all, targets, means).run());
  }

  /// The covariance of the joint distribution of all these points, as in [#sample]. It is positive
  /// semidefinite. Its diagonal is close to the variances of [#predict], but not equal to them.
  @Override
  protected double[] covariance(double[] points, int rows, int from, int columns) {
    return NeighbourJoint.of(this, points).covariance(rows, from, columns);
  }

  /// Draws jointly, one point after another. Repeated points get one value.
  @Override
  protected void draw(double[] points, int count, RandomGenerator random, double[] draws) {
    NeighbourJoint.of(this, points).draw(count, random, draws);
  }

  /// The Vecchia likelihood with 30 neighbours, or the value given to [#withLikelihood].
  @Override
  public double logMarginalLikelihood() {
    return Double.isNaN(likelihood) ? super.logMarginalLikelihood() : likelihood;
  }

  /// The evidence of the Vecchia likelihood with 30 fixed neighbours.
  @Override
  protected Evidence computeEvidence() {
    return VecchiaLikelihood.of(data, hyperparameters, LIKELIHOOD_NEIGHBOURS, 1)
        .evidence(hyperparameters);
  }

  /// The bytes of the search: places, boxes and the order of the rows.
  @Override
  public long bytes() {
    return data.size() * (16L + 12L * dimensions());
  }

  /// The bytes of each point's neighbours among rows and among points, with the weights.
  @Override
  public long jointBytes(int points) {
    return points * (24L * neighbours() + 16L * dimensions() + 64L);
  }

  /// The operations of a system of the neighbours for each point, and of the search for them.
  @Override
  public double operations(int points) {
    double m = used() + 1.0;
    return points * (m * m * m / 3 + m * m * dimensions() + 1000);
  }

  /// The bytes of the neighbours of the points of a batch, and of the systems of all running tasks.
  @Override
  public long panelBytes(int points) {
    int m = used() + 1;
    long tasks = Math.min(Math.ceilDiv(points, CHUNK), Runtime.getRuntime().availableProcessors());
    long batch = Math.min(points, BATCH);
    int shared = m + (cells.steps.length == 0 ? 0 : NeighbourPrediction.SHARED);
    return batch * (4L * m + 8L * dimensions()) + tasks * 20L * shared * (shared + dimensions());
  }
}
