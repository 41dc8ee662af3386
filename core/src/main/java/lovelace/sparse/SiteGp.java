package lovelace.sparse;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.Points;

/// The posterior of scattered rows under a rough stationary kernel, by a sparse precision over the
/// nodes of a grid and the places of the rows.
///
/// Every place between nodes is a *site*, which comes after all nodes and is regressed on its k most
/// correlated nodes and earlier sites (Vecchia 1988); the nodes are regressed on each other as
/// [LatticePrecision] says. With Q the precision of that prior, G the weights of the rows at the
/// points, a diagonal matrix, and b = Gy:
///
///     Λ = Q + G/σ²      a = Λ⁻¹ b/σ²      P = Λ⁻¹
///     log L = −½ [ aᵀQa + Σ w(y − a)²/σ² + log|Λ| − log|Q| + n log 2πσ² − Σ log w ]
///
/// Where σ² is less than 1e-9 of the prior variance, the values at rows are *pinned*: they leave the
/// system, and Q of the hidden nodes takes the place of Λ. The likelihood is then that of the
/// places, and does not depend on σ².
///
/// A prediction kriges from the k most correlated points around its cell, with the entries of P
/// among them: its cost does not depend on the rows. Beyond the grid it kriges from the most
/// correlated nodes, and is marked as outside. Immutable; safe to share between threads.
public final class SiteGp implements LinearRows {

  /// The most rows.
  public static final int MOST_ROWS = 500_000;

  /// The share of the prior variance up to which noise is none.
  private static final double PINNED = 1e-9;

  private static final double LOG_2PI = Math.log(2 * Math.PI);
  private static final int CHUNK = 64;

  /// Points that are predicted at a time.
  private static final int BATCH = 8192;

  /// The rows that are enough to tell poor start values from better ones.
  private static final int START_ROWS = 1000;

  private final Dataset data;
  private final Hyperparameters hyperparameters;
  private final SitePrior prior;
  private final SiteFactor factor;
  private final double noise;
  private final boolean pinned;
  private final Sites.Observed observed;
  private final double[] mean; // of the points, less the prior mean
  private final double[] inverse; // P on the pattern
  private final double logLikelihood;

  private SiteGp(Dataset data, SiteSets sets, Hyperparameters h) {
    this.data = data;
    hyperparameters = h;
    prior = SitePrior.of(sets, h.kernel().withoutWhite());
    noise = h.noise() + h.kernel().whiteVariance();
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
    this.data = data;
    hyperparameters = same.hyperparameters;
    prior = same.prior;
    noise = same.noise;
    pinned = same.pinned;
    observed = prior.sets.sites.new Observed(data, data.target());
    if (pinned) requireEqual(observed, data.target());
    factor = same.factor;
    double[] y = residuals();
    mean = factor.mean(y);
    logLikelihood = logLikelihood(y);
    inverse = same.inverse;
  }

  /// What the points observe less the prior mean, 0 where there are no rows.
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

  /// Conditions the process on rows, all of which must lie in cells of the grid, with k neighbours
  /// for every node and site. The arrays of the dataset are kept, not copied.
  public static SiteGp of(Dataset rows, Grid grid, Hyperparameters h, int k) {
    return new SiteGp(rows, sets(rows, grid, h, k), h);
  }

  private static SiteSets sets(Dataset rows, Grid grid, Hyperparameters h, int k) {
    if (rows.size() > MOST_ROWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sites take at most %,d rows, got %,d; use an engine on a lattice",
              MOST_ROWS,
              rows.size()));
    Budget.require(
        bytes(grid, rows.size(), h, k),
        String.format(Locale.ROOT, "the sparse process of %,d rows", rows.size()),
        "use fewer rows or a coarser grid");
    return SiteSets.of(Sites.of(rows, grid), h.kernel().withoutWhite(), k);
  }

  /// A grid for rows under a kernel: about three rows a cell, four where memory is short, with a
  /// margin of two cells. The cells are roughly as long as wide in units of the lengthscales. With
  /// one row a cell nodes cost more than they add: at the same number of neighbours it is slower
  /// and no more accurate.
  public static Grid grid(Dataset rows, Hyperparameters h) {
    Kernel kernel = h.kernel().withoutWhite();
    Grid grid = Sites.grid(rows, kernel, 3);
    long bytes = bytes(grid, rows.size(), h, neighbours(rows.dimensions()));
    return bytes <= Budget.current().memory() ? grid : Sites.grid(rows, kernel, 4);
  }

  /// How many neighbours are enough for the accuracy of a few per cent in d dimensions.
  public static int neighbours(int d) {
    return d < 3 ? 40 : 100;
  }

  /// Likelihoods of rows under any parameters. Neighbours are chosen for the parameters `h` and
  /// stay, so that the likelihood is smooth. Rough ones are of at most 1,000 rows.
  public static Learnable likelihood(Dataset rows, Grid grid, Hyperparameters h, int k) {
    SiteSets sets = sets(rows, grid, h, k);
    return new Learnable() {
      @Override
      public String name() {
        return "sparse";
      }

      @Override
      public Evidence evidence(Hyperparameters other, WarmStart start) {
        SiteGp gp;
        try {
          gp = new SiteGp(rows, sets, other);
        } catch (ArithmeticException e) { // too smooth, or singular in double precision
          return Evidence.impossible(other);
        }
        return new Evidence(gp.logMarginalLikelihood(), gp.likelihoodGradient(), 0);
      }

      @Override
      public Learnable rough() {
        if (rows.size() <= START_ROWS) return this;
        Dataset some = rows.thinned(START_ROWS);
        return likelihood(some, grid(some, h), h, k);
      }
    };
  }

  private double priorVariance() {
    return prior.kernel.variance(new double[dimensions()], 0);
  }

  /// Without noise, rows of one place must agree.
  private void requireEqual(Sites.Observed observed, double[] values) {
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
  public String engine() {
    return "sparse";
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

  @Override
  public Dataset data() {
    return data;
  }

  @Override
  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// The grid of its nodes.
  public Grid grid() {
    return prior.sets.sites.grid;
  }

  /// The neighbours of every node and site.
  public int neighbours() {
    return prior.sets.k;
  }

  /// The places of rows between nodes.
  public int sites() {
    return prior.sets.sites.points - prior.sets.sites.nodes();
  }

  /// Chooses grid and neighbours anew, so that this is the process that the rows and parameters
  /// would have had from the start.
  @Override
  public SiteGp with(Dataset rows, Hyperparameters other) {
    return of(rows, grid(rows, other), other, neighbours());
  }

  @Override
  public int dimensions() {
    return grid().dimensions();
  }

  /// σ² plus the variance of the kernel's white terms.
  @Override
  public double noise() {
    return noise;
  }

  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  /// With the neighbours held. Pinned, the slope in the noise is 0: the likelihood does not look at
  /// it.
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
    Dataset other = Dataset.of(data.inputs(), data.columns(), target, data.targetColumn());
    return new SiteGp(this, data.weighted() ? other.withWeights(data.weights()) : other);
  }

  @Override
  public Others others(double[][] targets) {
    int q = targets.length;
    Sites sites = prior.sets.sites;
    double[] beside =
        new double[Budget.numbers(sites.points, q, "the terms of a mean", "use fewer rows")];
    double[][] duals = new double[q][];
    for (int j = 0; j < q; j++) {
      Sites.Observed own = sites.new Observed(data, targets[j]);
      if (pinned) requireEqual(own, targets[j]);
      double[] a = factor.mean(own.value);
      for (int p = 0; p < a.length; p++) beside[p * q + j] = a[p];
      duals[j] = dual(targets[j], a);
    }
    return new Fields(beside, duals);
  }

  /// `V⁻¹t` by rows, a the posterior mean of the points: `w(t − a)/σ²`. Pinned, it is `Qa` of the
  /// places, and one row of each has it all.
  private double[] dual(double[] target, double[] a) {
    int[] point = prior.sets.sites.pointOf;
    double[] dual = new double[target.length];
    if (pinned) {
      double[] left = prior.apply(a);
      for (int i = 0; i < dual.length; i++) {
        dual[i] = left[point[i]];
        left[point[i]] = 0;
      }
      return dual;
    }
    for (int i = 0; i < dual.length; i++)
      dual[i] = data.weight(i) * (target[i] - a[point[i]]) / noise;
    return dual;
  }

  /// Posterior means of the points for other targets.
  private final class Fields implements Others {
    private final double[] beside; // those of a point beside each other
    private final double[][] duals;

    Fields(double[] beside, double[][] duals) {
      this.beside = beside;
      this.duals = duals;
    }

    @Override
    public double[] dual(int j) {
      return duals[j].clone();
    }

    @Override
    public double[] means(double[] points) {
      int d = dimensions();
      int count = Points.check(points, d);
      double[] out = new double[count * duals.length];
      for (int from = 0; from < count; from += BATCH) {
        int to = Math.min(count, from + BATCH);
        SiteKriging kriging = kriging(Arrays.copyOfRange(points, from * d, to * d));
        for (int t = 0; t < kriging.size; t++) write(kriging, t, from + t, out);
      }
      return out;
    }

    /// Writes the means of a place as those of a point.
    void write(SiteKriging kriging, int place, int point, double[] out) {
      int q = duals.length;
      for (int j = 0; j < q; j++) out[point * q + j] = kriging.mean(place, q, j, beside);
    }
  }

  private SiteKriging kriging(double[] points) {
    return SiteKriging.of(prior.sets.sites, prior.kernel, neighbours(), points);
  }

  /// A variance below 1e-10 of the prior's cannot be told from rounding; that bound is reported
  /// instead and marked. Beyond the grid a prediction costs a solve with the factor.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, new Fields(new double[0], new double[0][]), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] fields) {
    Fields more = (Fields) others;
    int d = dimensions();
    int count = Points.check(points, d);
    double[] means = new double[count];
    double[] variances = new double[count];
    byte[] marks = new byte[count];
    for (int from = 0; from < count; from += BATCH) {
      int to = Math.min(count, from + BATCH);
      double[] x = Arrays.copyOfRange(points, from * d, to * d);
      predict(x, from, means, variances, marks, more, fields);
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// Predicts at few enough points to hold the weights of all, and writes from an offset.
  private void predict(
      double[] x,
      int offset,
      double[] means,
      double[] variances,
      byte[] marks,
      Fields more,
      double[] fields) {
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
            boolean bound = !(variance > least);
            means[offset + t] = hyperparameters.mean().at(x, t * d) + kriging.mean(t, 1, 0, mean);
            variances[offset + t] = bound ? least : variance;
            marks[offset + t] = Prediction.mark(kriging.outside[t], bound);
            more.write(kriging, t, offset + t, fields);
          }
        });
  }

  /// `B_a P B_bᵀ`, by solves with the factor, and the covariances of the residuals: positive
  /// semidefinite.
  @Override
  public double[] covariance(double[] a, double[] b) {
    int rows = Points.check(a, dimensions());
    int columns = Points.check(b, dimensions());
    if (Budget.covariance(rows, columns) == 0) return new double[0];
    Budget.require(jointBytes(Math.max(rows, columns)), "a covariance", "ask for fewer points");
    boolean same = Arrays.equals(a, b);
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

  /// Half a solve with the factor for each area, and for its residuals half a kernel value for each
  /// pair of its points and of those that they are kriged from.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    int d = dimensions();
    Areas areas = Areas.of(points, d, weights, starts);
    double[] means = new double[areas.count()];
    double[] variances = new double[areas.count()];
    byte[] marks = new byte[areas.count()];
    double least = LocalRegressions.Point.NUGGET * priorVariance();
    for (int from = 0; from < means.length; from += SiteFactor.PANEL) {
      int first = from;
      int count = Math.min(SiteFactor.PANEL, means.length - from);
      double[] block = new double[factor.panel()];
      double[] losses = new double[count];
      Parallel.forEach(
          count,
          c -> {
            double[] x = areas.points(first + c);
            double[] w = areas.weights(first + c);
            SiteKriging kriging = kriging(x);
            boolean outside = false;
            double mean = 0;
            for (int i = 0; i < w.length; i++) {
              outside |= w[i] > 0 && kriging.outside[i];
              mean +=
                  w[i] * (hyperparameters.mean().at(x, i * d) + kriging.mean(i, 1, 0, this.mean));
            }
            means[first + c] = mean;
            kriging.addSum(w, SiteFactor.PANEL, c, block);
            losses[c] = kriging.sumVariance(w);
            marks[first + c] = Prediction.mark(outside, false);
          });
      double[] inside = factor.quadratics(block);
      for (int c = 0; c < count; c++) {
        double variance = inside[c] + losses[c];
        boolean bound = !(variance > least);
        variances[first + c] = bound ? least : variance;
        if (bound) marks[first + c] |= Prediction.mark(false, true);
      }
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// Joint draws: the points through the factor, then the residuals through that of their
  /// covariance. The first draws do not depend on how many follow.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    if (!(count >= 0)) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int d = dimensions();
    int t = Points.check(points, d);
    double[] draws = new double[Budget.draws(count, t)];
    if (draws.length == 0) return draws;
    Budget.require(jointBytes(t), "a joint draw", "ask for fewer points");
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
    return draws;
  }

  /// The factor, its inverse on the pattern, and the sets.
  @Override
  public long bytes() {
    return factor.bytes() + 8L * prior.sets.pattern.entries() + prior.sets.bytes() + prior.bytes();
  }

  /// About how many bytes the posterior of so many rows on a grid takes, and making it, before any
  /// of it is made. It follows how nested dissection grows with the unknowns N and their neighbours
  /// k: `kN`, `kN log N` and `k^⅔ N^4⁄3` numbers on one, two and three axes, with constants that
  /// were measured. Without noise only nodes are unknown.
  public static long bytes(Grid grid, int rows, Hyperparameters h, int k) {
    double all = (double) grid.size() + rows;
    double noise = h.noise() + h.kernel().whiteVariance();
    double[] origin = new double[grid.dimensions()];
    boolean pinned =
        h.unset().isEmpty() && noise <= PINNED * h.kernel().withoutWhite().variance(origin, 0);
    return bytes(grid.dimensions(), pinned ? grid.size() : all, all, k);
  }

  /// The same of so many points in all, none of them pinned.
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

  /// Weights of kriging, and a panel of solves for points beyond the grid.
  @Override
  public long panelBytes(int points) {
    return 12L * Math.min(points, BATCH) * neighbours()
        + 16L * SiteFactor.PANEL * prior.sets.sites.points;
  }

  /// A solve with the factor for each point, as beyond the grid, and one with the covariance of the
  /// points it is kriged from.
  @Override
  public double operations(int points) {
    double k = neighbours();
    return points * (k * k * k / 3 + 4 * k * prior.sets.sites.points);
  }
}
