package lovelace.lattice;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeDistribution.LogLikelihood;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Parallel;
import lovelace.love.Love;
import lovelace.posterior.Certificate;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.Points;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The posterior of a Gaussian process interpolated on a lattice (KISS-GP). It is built once, and
/// queries then take constant time: on a grid, mean and variance are polynomials of the cell, so a
/// query depends on neither the data, the grid's size nor any rank. For a rough kernel, if the
/// covariance requires it ([LatticeCovariance#kriges]), f is kriged from the points of the cell's
/// stencil instead, also in constant time.
///
/// Beyond the lattice the posterior continues through the kernel's covariances with the lattice
/// points, `mean = μ + k*ᵀ(b − Ga)/σ²`, at a cost that grows with the lattice, and the row is
/// marked outside. A variance that is too small to be known because of rounding is reported as the
/// rounding bound and marked. No variance is ever negative.
public final class LatticePosterior implements Posterior {

  private static final int CHUNK = 2048;

  private final Statistics statistics;
  private final Hyperparameters hyperparameters;
  private final double noise;
  private final double floor;
  private final double[] mean; // of the lattice values, including the prior mean
  private final double[] dual; // Wα = (b − Ga)/σ²
  private final LatticeTables tables;
  private final Certificate certificate;
  private final Function<LatticeProblem, LatticeCovariance> rebuild;
  private final @Nullable LogLikelihood likelihood; // of a posterior that was just computed
  private volatile @Nullable Depth depth;
  private volatile @Nullable Sampler sampler;

  /// The parts that only covariances, samples and points beyond the lattice need. A posterior read
  /// from a file makes them when they are first needed.
  private record Depth(LatticeProblem problem, LatticeCovariance covariance) {}

  private LatticePosterior(LatticeDistribution found, double tolerance) {
    LatticeProblem problem = found.problem();
    LatticeCovariance covariance = found.covariance();
    double[] a = found.mean();
    statistics = problem.statistics();
    hyperparameters = problem.hyperparameters();
    noise = problem.noise();
    rebuild = any -> covariance;
    depth = new Depth(problem, covariance);
    int m = a.length;
    dual = found.dual();
    mean = new double[m];
    for (int i = 0; i < m; i++) mean[i] = a[i] + problem.prior()[i];
    tables = LatticeTables.of(found, mean);
    floor = Math.max(covariance.floor(), tables.floor());
    likelihood = found.likelihood().orElse(null);
    certificate =
        new Certificate(
            covariance.engine(),
            covariance.describe(),
            tolerance,
            found.bound(tolerance),
            found.meanError(),
            Interpolation.UNKNOWN);
  }

  private LatticePosterior(
      Statistics statistics,
      Hyperparameters hyperparameters,
      double[] mean,
      double[] dual,
      LatticeTables tables,
      double floor,
      Certificate certificate,
      Function<LatticeProblem, LatticeCovariance> rebuild,
      @Nullable LogLikelihood likelihood) {
    this.likelihood = likelihood;
    this.statistics = statistics;
    this.hyperparameters = hyperparameters;
    noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    this.mean = mean;
    this.dual = dual;
    this.tables = tables;
    this.floor = floor;
    this.certificate = certificate;
    this.rebuild = rebuild;
  }

  /// Assembles a posterior from its parts, in the form of the accessors, without any computation.
  /// `covariance` is only used for results that the tables do not give. Takes ownership of the
  /// arrays. The entries are those of [#entries] one after another, null if f is interpolated.
  public static LatticePosterior assemble(
      Statistics statistics,
      Hyperparameters hyperparameters,
      double[] latticeMean,
      double[] dual,
      double[] table,
      double @Nullable [] entries,
      double floor,
      Certificate certificate,
      Function<LatticeProblem, LatticeCovariance> covariance) {
    int m = statistics.lattice().size();
    if (latticeMean.length != m || dual.length != m)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a lattice of %d points needs one mean and one dual for each, got %d and %d",
              m,
              latticeMean.length,
              dual.length));
    if (!(floor >= 0)) throw new IllegalArgumentException("floor must be >= 0, got " + floor);
    if (hyperparameters.kernel().dimensions() != statistics.lattice().dimensions())
      throw new IllegalArgumentException(
          "the kernel and the lattice must have the same number of columns");
    return new LatticePosterior(
        statistics,
        hyperparameters,
        latticeMean,
        dual,
        LatticeTables.assemble(statistics.lattice(), hyperparameters, latticeMean, table, entries),
        floor,
        certificate,
        covariance,
        null);
  }

  /// The likelihood of the data, if the engine computed it with the posterior.
  public Optional<LogLikelihood> likelihood() {
    return Optional.ofNullable(likelihood);
  }

  private Depth depth() {
    Depth known = depth;
    if (known != null) return known;
    synchronized (rebuild) {
      known = depth;
      if (known == null) {
        LatticeProblem problem = LatticeProblem.allowingNoNoise(statistics, hyperparameters);
        depth = known = new Depth(problem, rebuild.apply(problem));
      }
      return known;
    }
  }

  /// Makes a posterior by LOVE: Lanczos until the tolerance is reached, or for the given number of
  /// steps.
  public static LatticePosterior love(LatticeProblem problem, Love love) {
    return of(loved(problem, love), love.tolerance());
  }

  /// The distribution that LOVE finds.
  public static LatticeDistribution loved(LatticeProblem problem, Love love) {
    LatticeProblem.Mean mean = problem.solve(ConjugateGradients.DEFAULT.withTolerance(1e-12));
    return new LatticeDistribution(problem, love.build(problem), mean);
  }

  /// Makes a posterior from the result of an engine.
  public static LatticePosterior of(LatticeDistribution found, double tolerance) {
    return new LatticePosterior(found, tolerance);
  }

  @Override
  public int dimensions() {
    return statistics.lattice().dimensions();
  }

  @Override
  public double noise() {
    return noise;
  }

  /// The statistics of the data.
  public Statistics statistics() {
    return statistics;
  }

  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  public LatticeProblem problem() {
    return depth().problem;
  }

  /// The covariance of the lattice values.
  public LatticeCovariance covariance() {
    return depth().covariance;
  }

  /// About how many bytes it keeps now: its tables, and the covariance if it was needed.
  public long bytes() {
    Depth now = depth;
    return tables.bytes() + (now == null ? 0 : now.covariance.bytes());
  }

  /// The size of the rounding error of a variance. Smaller variances are reported as this.
  public double floor() {
    return floor;
  }

  /// A copy of `(b − Ga)/σ²`, from which the mean is continued beyond the lattice.
  public double[] dual() {
    return dual.clone();
  }

  /// The coefficients of [CellPolynomials#table], or the covariances of [AdditiveCells#table], not
  /// copied: read only; empty if the lattice has neither.
  public double[] table() {
    return tables.table();
  }

  /// Whether f between grid points is kriged from the points of its stencil.
  public boolean kriges() {
    return tables.kriges();
  }

  /// The variance above which polynomials are used although f is kriged; 0 if it is not.
  public double smoothFrom() {
    return tables.smoothFrom();
  }

  /// The diagonals of P that kriging needs beside [#table], as [StencilMatrix] stores them, not
  /// copied: read only. Empty if f is not kriged, and with three axes, for which the table has
  /// them.
  public double[][] entries() {
    return tables.entries();
  }

  /// Writes the weights of f on the lattice values at the point that starts at `x[xo]`, like
  /// [Lattice#stencil]. Returns the variance of the residual: zero if f is interpolated, that of
  /// kriging if it is kriged, NaN outside the lattice.
  public double weights(double[] x, int xo, int[] index, double[] weight) {
    return tables.weights(x, xo, index, weight);
  }

  /// Like [#weights]. Also writes the derivatives of the weights to `slope`, like
  /// [Lattice#stencilGradient].
  public double weights(double[] x, int xo, int[] index, double[] weight, double[] slope) {
    return tables.weights(x, xo, index, weight, slope);
  }

  /// The weights, means, functions and kriging of f at points inside the lattice.
  LatticeTables tables() {
    return tables;
  }

  /// The same posterior with the given error of interpolation.
  public LatticePosterior with(Interpolation interpolation) {
    LatticePosterior other =
        new LatticePosterior(
            statistics,
            hyperparameters,
            mean,
            dual,
            tables,
            floor,
            certificate.with(interpolation),
            rebuild,
            likelihood);
    other.depth = depth;
    return other;
  }

  /// The known errors, and where they hold.
  public Certificate certificate() {
    return certificate;
  }

  /// A copy of the posterior mean of the lattice values.
  public double[] latticeMean() {
    return mean.clone();
  }

  /// Writes the mean of f to `out[0]` and the variance to `out[1]` at the point that starts at
  /// `x[xo]`. Returns its marks, as in [Prediction#mark]. Inside a grid of one or two axes it
  /// allocates nothing.
  public byte evaluate(double[] x, int xo, double[] out) {
    if (!tables.evaluate(x, xo, out)) return new SlowPoints(this).evaluate(x, xo, out);
    boolean known = kriges() && out[1] == 0; // a grid point whose value is known
    return known ? 0 : floored(out, floor, false);
  }

  /// Replaces a variance `out[1]` smaller than `least` by `least`, and returns the marks.
  static byte floored(double[] out, double least, boolean outside) {
    boolean bound = !(out[1] >= least);
    if (bound) out[1] = least;
    return Prediction.mark(outside, bound);
  }

  @Override
  public Prediction predict(double[] points) {
    int d = dimensions();
    int count = Points.check(points, d);
    prepare(points, d, count);
    double[] means = new double[count];
    double[] variances = new double[count];
    byte[] marks = new byte[count];
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          double[] out = new double[2];
          for (int i = from; i < to; i++) {
            marks[i] = evaluate(points, i * d, out);
            means[i] = out[0];
            variances[i] = out[1];
          }
        });
    return Prediction.adopt(means, variances, marks);
  }

  /// Prepares for [#evaluate] at some of these points. It runs before the threads that evaluate
  /// them start. Points begin `stride` numbers apart.
  public void prepare(double[] points, int stride, int count) {
    if (depth == null && needsDepth(points, stride, count)) depth();
  }

  /// Whether [#predict] needs only polynomials at these points: all of them lie inside the grid.
  public boolean isQuick(double[] points) {
    int d = dimensions();
    return !kriges() && !needsDepth(points, d, Points.check(points, d));
  }

  private boolean needsDepth(double[] points, int stride, int count) {
    if (!tables.exist()) return true;
    for (int i = 0; i < count; i++)
      if (statistics.lattice().outsideColumn(points, i * stride) >= 0) return true;
    return false;
  }

  /// Mean, variance and their gradients in x: `[mean, variance, ∂mean/∂x…, ∂variance/∂x…]`, only
  /// inside the lattice. A variance below its rounding bound is reported as that bound, which has
  /// no slope.
  public void gradient(double[] x, int xo, double[] out) {
    if (!tables.gradient(x, xo, out)) new SlowPoints(this).gradient(x, xo, out);
    if (out[1] >= floor || (kriges() && out[1] == 0)) return;
    out[1] = floor;
    Arrays.fill(out, 2 + dimensions(), 2 + 2 * dimensions(), 0);
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    Points.check(a, dimensions());
    Points.check(b, dimensions());
    return new LatticePairs(this).between(a, b);
  }

  /// Costs as much as the points and, for each area, one product with the covariance of the lattice
  /// values. If f is kriged and points lie between grid points, it also costs half a kernel value
  /// for each pair among the points and the grid points around them.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return new LatticeAverages(this, Areas.of(points, dimensions(), weights, starts)).all();
  }

  /// `kᵀ dual`, the part of the mean beyond the lattice that is due to the data.
  double beyond(double[] k) {
    return Blas.dot(k.length, k, 0, dual, 0);
  }

  /// The bytes that joint draws at the points need beside the draws themselves. If some points lie
  /// beyond the lattice, these are dense matrices over all points, and for each point beyond it the
  /// covariances with every lattice point. If all lie inside, it is a dense matrix over the points
  /// that are not grid points if f is kriged, and zero otherwise.
  public long jointBytes(double[] points) {
    return LatticePairs.jointBytes(this, points, Points.check(points, dimensions()));
  }

  /// Intervals that certainly contain the variances of the interpolated or kriged process, `[lower,
  /// upper]` per point. The points must lie inside the lattice.
  public double[][] certify(double[] points) {
    int count = Points.check(points, dimensions());
    return tables.certify(points, count, covariance());
  }

  /// Samples by the cheapest exact method.
  public Sampler sampler() {
    Sampler known = sampler;
    if (known == null) {
      known = sampler(Sampling.DEFAULT);
      sampler = known;
    }
    return known;
  }

  /// Samples by the given method.
  public Sampler sampler(Sampling.Method method) {
    return sampler(Sampling.DEFAULT.withMethod(method));
  }

  /// Samples by the given method and settings. If a method cannot be used for the kernel or the
  /// lattice, the error says so.
  public Sampler sampler(Sampling sampling) {
    return new LatticeSampler(this, PosteriorRoots.of(this, sampling), sampling);
  }

  /// Draws from [#sampler()].
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return sampler().draw(points, count, random);
  }
}
