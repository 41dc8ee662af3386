package lovelace.sites;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.SparsePattern;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.HeldRows;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.PredictionArrays;
import lovelace.sparse.LocalRegressions;

/// The posterior of scattered rows under a rough stationary kernel. It uses a sparse precision over
/// the nodes of a grid and the places of the rows.
///
/// Every place between nodes is a *site*. It comes after all nodes and is regressed on its k most
/// correlated nodes and earlier sites (Vecchia 1988). The nodes are regressed on each other as in
/// [LatticePrecision]. Let Q be the precision of that prior, G the diagonal matrix of the weights
/// of the rows at the points, and b = Gy:
///
///     Λ = Q + G/σ²      a = Λ⁻¹ b/σ²      P = Λ⁻¹
///     log L = −½ [ aᵀQa + Σ w(y − a)²/σ² + log|Λ| − log|Q| + n log 2πσ² − Σ log w ]
///
/// If σ² is less than 1e-9 of the prior variance, the values at rows are *pinned*: they leave the
/// system, and Q of the hidden nodes replaces Λ. Then the likelihood is that of the places, and
/// does not depend on σ².
///
/// A prediction kriges from the k most correlated points around its cell, with the entries of P
/// among them, so its cost does not depend on the rows. Beyond the grid it kriges from the most
/// correlated nodes, and is marked as outside. Immutable; safe to share between threads.
public final class SiteGp extends HeldRows implements LinearRows {

  /// The most rows of a model.
  public static final int MOST_ROWS = 500_000;

  /// The share of the prior variance up to which noise counts as none.
  private static final double PINNED = 1e-9;

  private static final double LOG_2PI = Math.log(2 * Math.PI);
  private static final int CHUNK = 64;

  /// The number of points that are predicted at a time.
  static final int BATCH = 8192;

  final SitePrior prior;
  final SiteFactor factor;
  final boolean pinned;
  private final Sites.Observed observed;
  final double[] mean; // of the points, minus the prior mean
  private final double[] inverse; // P on the pattern
  private final double logLikelihood;

  /// Uses neighbours that were chosen before, perhaps under other parameters.
  SiteGp(Dataset data, SiteSets sets, Hyperparameters h) {
    super(data, h);
    prior = SitePrior.of(sets, h.kernel().withoutWhite());
    pinned = noise / sets.sites.leastWeight <= PINNED * priorVariance();
    observed = sets.sites.new Observed(data, data.target());
    if (pinned) requireEqual(observed, data.target());
    factor = new SiteFactor(prior, noise, pinned);
    double[] y = residuals();
    mean = factor.mean(y);
    logLikelihood = logLikelihood(y);
    inverse = factor.inverse();
  }

  /// The same with another target.
  private SiteGp(SiteGp same, Dataset data) {
    super(data, same.hyperparameters);
    prior = same.prior;
    pinned = same.pinned;
    observed = prior.sets.sites.new Observed(data, data.target());
    if (pinned) requireEqual(observed, data.target());
    factor = same.factor;
    double[] y = residuals();
    mean = factor.mean(y);
    logLikelihood = logLikelihood(y);
    inverse = same.inverse;
  }

  /// The observed values at points minus the prior mean; 0 at points without rows.
  private double[] residuals() {
    Sites sites = prior.sets.sites;
    double[] y = new double[sites.points];
    double[] x = new double[sites.grid.dimensions()];
    for (int p = 0; p < y.length; p++)
      if (sites.observed(p)) {
        sites.point(p, x, 0);
        y[p] = observed.value[p] - hyperparameters.mean().at(x, 0);
      }
    return y;
  }

  private double logLikelihood(double[] y) {
    Sites sites = prior.sets.sites;
    double sum = prior.quadratic(mean) + factor.logDeterminant() + prior.logVariances();
    if (pinned) sum += sites.places * LOG_2PI;
    else {
      sum += (observed.within + misfit(y)) / noise;
      sum += data.size() * (LOG_2PI + Math.log(noise)) - sites.logWeights;
    }
    return -0.5 * sum;
  }

  /// Conditions the process on rows, with k neighbours for every node and site. All rows must lie
  /// in cells of the grid. The arrays of the dataset are not copied.
  public static SiteGp of(Dataset rows, Grid grid, Hyperparameters h, int k) {
    return new SiteGp(rows, sets(rows, grid, h, k), h);
  }

  private static SiteSets sets(Dataset rows, Grid grid, Hyperparameters h, int k) {
    requireRows(rows.size(), MOST_ROWS, "sites take", "", "use an engine on a lattice");
    Budget.require(
        bytes(grid, rows.size(), h, k),
        String.format(Locale.ROOT, "the sparse process of %,d rows", rows.size()),
        "use fewer rows or a coarser grid");
    return SiteSets.of(Sites.of(rows, grid), h.kernel().withoutWhite(), k);
  }

  /// A grid for rows under a kernel: about three rows per cell, or four if memory is short, with a
  /// margin of two cells. The cells are roughly cubes in units of the lengthscales. With one row
  /// per cell, nodes cost more than they add: with the same k it is slower and no more accurate.
  public static Grid grid(Dataset rows, Hyperparameters h) {
    Kernel kernel = h.kernel().withoutWhite();
    Grid grid = Sites.grid(rows, kernel, 3);
    long bytes = bytes(grid, rows.size(), h, neighbours(rows.dimensions()));
    return bytes <= Budget.current().memory() ? grid : Sites.grid(rows, kernel, 4);
  }

  /// The number of neighbours that suffices for an accuracy of a few per cent in d dimensions.
  public static int neighbours(int d) {
    return d < 3 ? 40 : 100;
  }

  double priorVariance() {
    return prior.kernel.variance(new double[dimensions()], 0);
  }

  /// Fails if rows at one place differ although there is no noise.
  void requireEqual(Sites.Observed observed, double[] values) {
    int row = observed.unequal[0];
    if (row < 0) return;
    int d = dimensions();
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "rows %,d and %,d lie at one place, %s, but their targets %s and %s differ, and the noise"
                + " is only %s; the smallest noise that works is %.3g",
            observed.unequal[1] + 1,
            row + 1,
            Arrays.toString(Arrays.copyOfRange(data.inputs(), row * d, row * d + d)),
            values[observed.unequal[1]],
            values[row],
            noise,
            1.01 * PINNED * priorVariance() * prior.sets.sites.leastWeight));
  }

  /// `Σ w (y − a)²` over the places.
  private double misfit(double[] y) {
    double sum = 0;
    double[] w = prior.sets.sites.weight;
    for (int p = 0; p < y.length; p++) sum += w[p] * (y[p] - mean[p]) * (y[p] - mean[p]);
    return sum;
  }

  @Override
  public Engine engine() {
    return Engine.SITES;
  }

  @Override
  public String summary() {
    return String.format(
        Locale.ROOT, "of all rows, at %,d sites and the nodes of a %s", sites(), grid());
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  /// The grid of its nodes.
  public Grid grid() {
    return prior.sets.sites.grid;
  }

  /// The number of neighbours of every node and site.
  public int neighbours() {
    return prior.sets.k;
  }

  /// The number of places of rows between nodes.
  public int sites() {
    return prior.sets.sites.points - prior.sets.sites.nodes();
  }

  /// Chooses grid and neighbours again, so that the result equals a process made from the rows and
  /// parameters directly.
  @Override
  public SiteGp with(Dataset rows, Hyperparameters other) {
    return of(rows, grid(rows, other), other, neighbours());
  }

  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  /// The gradient with fixed neighbours. If values are pinned, the slope in the noise is 0, because
  /// the likelihood does not depend on it.
  @Override
  public double[] likelihoodGradient() {
    Sites sites = prior.sets.sites;
    SparsePattern pattern = prior.sets.pattern;
    double[] own = prior.gradient(mean, inverse);
    double[] kernel = new double[hyperparameters.kernel().parameterCount()];
    int[] places = hyperparameters.kernel().latentPlaces();
    for (int i = 0; i < own.length; i++) kernel[places[i]] = own[i];
    PriorMean trend = hyperparameters.mean();
    double[] x = new double[dimensions()];
    double[] basis = new double[trend.size()];
    double[] slopes = new double[trend.size()];
    double[] dual = pinned ? prior.apply(mean) : new double[0]; // A⁻¹(y − μ) at the places
    double misfit = observed.within / noise;
    for (int p = 0; p < sites.points; p++) {
      if (!sites.observed(p)) continue;
      sites.point(p, x, 0);
      double off = observed.value[p] - trend.at(x, 0) - mean[p];
      double w = sites.weight[p] / noise;
      misfit += w * (off * off + inverse[pattern.start(p + 1) - 1]);
      double value = pinned ? dual[p] : w * off;
      trend.basis(x, 0, basis, 0);
      for (int i = 0; i < basis.length; i++) slopes[i] += value * basis[i];
    }
    double slope = pinned ? 0 : (misfit - data.size()) / (2 * noise);
    return Evidence.gradient(hyperparameters, kernel, slope, slopes);
  }

  @Override
  public SiteGp of(double[] target) {
    return new SiteGp(this, data.withTarget(target));
  }

  @Override
  public Others others(double[][] targets) {
    return SiteTargets.of(this, targets);
  }

  /// The kriging of points.
  SiteKriging kriging(double[] points) {
    return SiteKriging.of(prior.sets.sites, prior.kernel, neighbours(), points);
  }

  /// A variance below 1e-10 of the prior's cannot be distinguished from rounding. Then that bound
  /// is reported instead and marked. Beyond the grid a prediction costs a solve with the factor.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, SiteTargets.none(this), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] fields) {
    SiteTargets more = (SiteTargets) others;
    int d = dimensions();
    int count = count(points);
    var all = new PredictionArrays(count);
    for (int from = 0; from < count; from += BATCH) {
      int to = Math.min(count, from + BATCH);
      predict(Arrays.copyOfRange(points, from * d, to * d), from, all, more, fields);
    }
    return all.done();
  }

  /// Predicts at points that are few enough to hold the weights of all, and writes from an offset
  /// on.
  private void predict(
      double[] x, int offset, PredictionArrays all, SiteTargets more, double[] fields) {
    SiteKriging kriging = kriging(x);
    double[] beyond = factor.beyond(kriging);
    double least = LocalRegressions.Point.NUGGET * priorVariance();
    int d = dimensions();
    Parallel.chunks(
        kriging.size,
        CHUNK,
        (piece, from, to) -> {
          double[] product = new double[neighbours()];
          for (int t = from; t < to; t++) {
            int at = kriging.starts[t];
            int n = kriging.starts[t + 1] - at;
            double variance = kriging.residuals[t] + beyond[t];
            if (!kriging.outside[t]) {
              prior.sets.product(inverse, kriging.points, at, n, kriging.weights, at, product);
              for (int i = 0; i < n; i++) variance += product[i] * kriging.weights[at + i];
            }
            double own = hyperparameters.mean().at(x, t * d) + kriging.mean(t, 1, 0, mean);
            all.put(offset + t, own, variance, least, kriging.outside[t]);
            more.write(kriging, t, offset + t, fields);
          }
        });
  }

  @Override
  protected long covarianceBytes(int rows, int columns) {
    return jointBytes(Math.max(rows, columns));
  }

  /// `B_a P B_bᵀ`, by solves with the factor, plus the covariances of the residuals. It is positive
  /// semidefinite.
  @Override
  protected double[] covariance(double[] a, int rows, double[] b, int columns, boolean same) {
    SiteKriging left = kriging(a);
    SiteKriging right = same ? left : kriging(b);
    double[] covariance = left.covariances(right);
    factor.addCovariances(left, right, covariance);
    if (same)
      for (int i = 0; i < left.size; i++)
        for (int j = 0; j < i; j++) {
          double both = 0.5 * (covariance[i * left.size + j] + covariance[j * left.size + i]);
          covariance[i * left.size + j] = both;
          covariance[j * left.size + i] = both;
        }
    return covariance;
  }

  /// Costs half a solve with the factor for each area. Its residuals cost half a kernel value for
  /// each pair among its points and the points that they are kriged from.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return SiteAverages.of(this, Areas.of(points, dimensions(), weights, starts));
  }

  /// Draws jointly: first the points by the factor, then the residuals by the factor of their
  /// covariance.
  @Override
  protected void draw(double[] points, int count, RandomGenerator random, double[] draws) {
    int d = dimensions();
    int t = points.length / d;
    SiteKriging kriging = kriging(points);
    double[] trend = new double[t];
    for (int i = 0; i < t; i++)
      trend[i] = hyperparameters.mean().at(points, i * d) + kriging.mean(i, 1, 0, mean);
    JointNormal residuals = JointNormal.adopt(trend, kriging.covariances(kriging), priorVariance());
    double[] z = new double[t];
    for (int s = 0; s < count; s++) {
      double[] field = factor.draw(random);
      for (int i = 0; i < t; i++) z[i] = random.nextGaussian();
      residuals.transform(1, z);
      for (int i = 0; i < t; i++) draws[s * t + i] = z[i] + kriging.mean(i, 1, 0, field);
    }
  }

  /// The bytes of the factor, its inverse on the pattern, and the sets.
  @Override
  public long bytes() {
    return factor.bytes() + 8L * prior.sets.pattern.entries() + prior.sets.bytes() + prior.bytes();
  }

  /// About how many bytes are needed for the posterior of `rows` rows on a grid and for making it,
  /// before any of it is made. The estimate follows the growth of nested dissection with the
  /// unknowns N and their neighbours k: `kN`, `kN log N` and `k^⅔ N^4⁄3` numbers on one, two and
  /// three axes, with measured constants. Without noise only nodes are unknown.
  public static long bytes(Grid grid, int rows, Hyperparameters h, int k) {
    double all = (double) grid.size() + rows;
    double noise = h.noise() + h.kernel().whiteVariance();
    double[] origin = new double[grid.dimensions()];
    boolean pinned =
        h.unset().isEmpty() && noise <= PINNED * h.kernel().withoutWhite().variance(origin, 0);
    return bytes(grid.dimensions(), pinned ? grid.size() : all, all, k);
  }

  /// The same for `points` points in all, none of them pinned.
  public static long bytes(int dimensions, double points, int k) {
    return bytes(dimensions, points, points, k);
  }

  private static long bytes(int dimensions, double n, double all, int k) {
    double numbers =
        switch (dimensions) {
          case 1 -> 4.0 * k * n;
          case 2 -> 7.5 * k * n * Math.max(1, Math.log(n) / Math.log(2) - 10.3);
          default -> 9 * Math.pow(k, 2.0 / 3) * Math.pow(n, 4.0 / 3);
        };
    double entries = (dimensions < 3 ? 3 : 5.5) * k * all;
    return (long) (12 * numbers + 36 * entries);
  }

  @Override
  public long jointBytes(int points) {
    int n = prior.sets.sites.points;
    return 8 * (SiteKriging.numbers(neighbours(), n, points) + 2L * points * points)
        + 24L * n * SiteFactor.PANEL;
  }

  /// The weights of kriging, and a panel of solves for points beyond the grid.
  @Override
  public long panelBytes(int points) {
    return 12L * Math.min(points, BATCH) * neighbours()
        + 16L * SiteFactor.PANEL * prior.sets.sites.points;
  }

  /// For each point, a solve with the factor, as for points beyond the grid, and one with the
  /// covariance of the points that it is kriged from.
  @Override
  public double operations(int points) {
    double k = neighbours();
    return points * (k * k * k / 3 + 4 * k * prior.sets.sites.points);
  }
}
