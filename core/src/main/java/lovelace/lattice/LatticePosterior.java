package lovelace.lattice;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeDistribution.LogLikelihood;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LocalKriging;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Parallel;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.markov.MarkovEngine;
import lovelace.posterior.Certificate;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.Points;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The posterior of a Gaussian process interpolated on a lattice (KISS-GP), built at once and then
/// constant in time: on a grid, mean and variance are polynomials of the cell, so a query depends
/// on neither the data, the grid's size nor any rank. For a rough kernel f is kriged from the
/// points of the cell's stencil instead where the covariance asks for it
/// ([LatticeCovariance#kriges]), in constant time too.
///
/// Beyond the lattice the posterior continues through the kernel's covariances with the lattice
/// points, `mean = μ + k*ᵀ(b − Ga)/σ²`, at a cost that grows with the lattice, and the row is
/// marked outside. A variance smaller than rounding lets it be known is reported as that bound and
/// marked; none is ever negative.
public final class LatticePosterior implements Posterior {

  private static final int CHUNK = 2048;
  private static final double EXACT = 0.02; // error of a variance below that of 5,000 draws

  private final Statistics statistics;
  private final Hyperparameters hyperparameters;
  private final double noise;
  private final double floor;
  private final double[] mean; // of the lattice values, prior mean included
  private final double[] dual; // Wα = (b − Ga)/σ²
  private final @Nullable CellPolynomials cells;
  private final @Nullable KrigedCells kriged; // f between grid points is kriged
  private final @Nullable AdditiveCells sums; // of an additive lattice of few points
  private final Certificate certificate;
  private final Function<LatticeProblem, LatticeCovariance> rebuild;
  private final @Nullable LogLikelihood likelihood; // of a posterior that was just computed
  private volatile @Nullable Depth depth;
  private volatile @Nullable Sampler sampler;

  /// What only covariances, samples and points beyond the lattice ask for. A posterior read from a
  /// file makes it when it is first needed.
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
    cells =
        problem.statistics().lattice() instanceof Grid grid && grid.dimensions() < 4
            ? CellPolynomials.of(grid, mean, found.stencil())
            : null;
    sums =
        problem.statistics().lattice() instanceof AdditiveGrid grid && m <= AdditiveCells.MOST
            ? AdditiveCells.assemble(grid, mean, covariance.triangle())
            : null;
    kriged = covariance.kriges() ? kriged(cells, found.stencil(), hyperparameters) : null;
    double own = sums != null ? sums.floor() : kriged != null ? kriged.floor() : 0;
    floor = Math.max(covariance.floor(), own);
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
      @Nullable CellPolynomials cells,
      @Nullable KrigedCells kriged,
      @Nullable AdditiveCells sums,
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
    this.cells = cells;
    this.kriged = kriged;
    this.sums = sums;
    this.floor = floor;
    this.certificate = certificate;
    this.rebuild = rebuild;
  }

  private static KrigedCells kriged(
      @Nullable CellPolynomials cells, @Nullable StencilMatrix entries, Hyperparameters h) {
    if (cells == null)
      throw new IllegalArgumentException(
          "kriging between grid points needs one grid of one to three axes; use another engine");
    return new KrigedCells(cells, entries, h);
  }

  /// A posterior put together from its parts, as the accessors give them, without any computation:
  /// `covariance` is asked only for what the tables do not answer. Takes the arrays over. The
  /// entries are those of [#entries] one after another, null where f is interpolated.
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
    CellPolynomials cells =
        statistics.lattice() instanceof Grid grid && grid.dimensions() < 4
            ? CellPolynomials.assemble(grid, latticeMean, true, table)
            : null;
    AdditiveCells sums =
        statistics.lattice() instanceof AdditiveGrid grid && m <= AdditiveCells.MOST
            ? AdditiveCells.assemble(grid, latticeMean, table)
            : null;
    if (cells == null && sums == null && table.length > 0)
      throw new IllegalArgumentException("this lattice has no tables, but tables were given");
    StencilMatrix kept =
        entries != null && entries.length > 0 && statistics.lattice() instanceof Grid grid
            ? StencilMatrix.unpack(grid, entries)
            : null;
    return new LatticePosterior(
        statistics,
        hyperparameters,
        latticeMean,
        dual,
        cells,
        entries == null ? null : kriged(cells, kept, hyperparameters),
        sums,
        floor,
        certificate,
        covariance,
        null);
  }

  /// The likelihood of the data, where the engine found it out with the posterior.
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

  /// LOVE: Lanczos until the tolerance is reached, or as many steps as asked for.
  public static LatticePosterior love(LatticeProblem problem, Love love) {
    return of(loved(problem, love), love.tolerance());
  }

  /// What LOVE finds.
  public static LatticeDistribution loved(LatticeProblem problem, Love love) {
    LatticeProblem.Mean mean = problem.solve(ConjugateGradients.DEFAULT.withTolerance(1e-12));
    return new LatticeDistribution(problem, love.build(problem), mean);
  }

  /// From what an engine found.
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

  /// About how many bytes it keeps alive now: its tables, and the covariance once it was needed.
  public long bytes() {
    Depth now = depth;
    return 8L * (2L * mean.length + table().length + (kriged == null ? 0 : mean.length))
        + 8L * entries().length * mean.length
        + (now == null ? 0 : now.covariance.bytes());
  }

  /// The size of the rounding error of a variance; smaller ones are reported as this.
  public double floor() {
    return floor;
  }

  /// `(b − Ga)/σ²`, from which the mean goes on beyond the lattice. A copy.
  public double[] dual() {
    return dual.clone();
  }

  /// The coefficients of [CellPolynomials#table], or the covariances of [AdditiveCells#table], not
  /// copied: read only; empty where the lattice has neither.
  public double[] table() {
    return cells != null ? cells.table() : sums != null ? sums.table() : new double[0];
  }

  /// Whether f between grid points is kriged from the points of its stencil.
  public boolean kriges() {
    return kriged != null;
  }

  /// The variance above which polynomials answer where f is kriged; 0 where nothing is.
  public double smoothFrom() {
    return kriged == null ? 0 : kriged.enough();
  }

  /// The diagonals of P that kriging needs beside [#table], as [StencilMatrix] keeps them, not
  /// copied: read only; none where nothing is kriged, and with three axes, where the table has
  /// them.
  public double[][] entries() {
    StencilMatrix kept = kriged == null ? null : kriged.entries();
    if (kept == null) return new double[0][];
    double[][] diagonals = new double[kept.diagonalCount()][];
    for (int k = 0; k < diagonals.length; k++) diagonals[k] = kept.diagonal(k);
    return diagonals;
  }

  /// Fills the weights of f on the lattice values at the point that starts at `x[xo]`, as
  /// [Lattice#stencil], and returns the variance of what they leave out: zero where f is
  /// interpolated, that of the residual where it is kriged; NaN outside the lattice.
  public double weights(double[] x, int xo, int[] index, double[] weight) {
    if (kriged != null) return kriged.kriging().weights(x, xo, index, weight);
    return statistics.lattice().stencil(x, xo, index, weight) ? 0 : Double.NaN;
  }

  /// As [#weights], and fills `slope` with the derivatives of the weights, as
  /// [Lattice#stencilGradient].
  public double weights(double[] x, int xo, int[] index, double[] weight, double[] slope) {
    if (kriged != null)
      return kriged.kriging().gradient(x, xo, index, weight, slope, new double[dimensions()]);
    Lattice lattice = statistics.lattice();
    return lattice.stencilGradient(x, xo, index, weight, slope) ? 0 : Double.NaN;
  }

  /// The weights of f at points inside the lattice, row-major, on the lattice values: `f = wᵀu`,
  /// and beside it the residuals of [#kriging] where f is kriged.
  Stencils stencils(double[] points) {
    return kriged != null
        ? kriged.kriging().stencils(points)
        : Stencils.of(statistics.lattice(), points);
  }

  /// The mean of f at points with these weights.
  double[] means(double[] points, Stencils stencils) {
    if (kriged != null) return kriged.means(points, stencils);
    double[] means = new double[stencils.count()];
    for (int p = 0; p < means.length; p++) means[p] = stencils.dot(p, mean, 0);
    return means;
  }

  /// The function with these values at the lattice points, which are taken over; residuals of
  /// kriging come from the seed.
  SampledFunction function(double[] values, long seed, double sign) {
    return kriged == null
        ? new SampledFunction(statistics.lattice(), values)
        : kriged.function(values, seed, sign);
  }

  /// What kriging adds between grid points; null where f is interpolated.
  @Nullable LocalKriging kriging() {
    return kriged == null ? null : kriged.kriging();
  }

  /// The same posterior with what is known of the error of interpolation.
  public LatticePosterior with(Interpolation interpolation) {
    LatticePosterior other =
        new LatticePosterior(
            statistics,
            hyperparameters,
            mean,
            dual,
            cells,
            kriged,
            sums,
            floor,
            certificate.with(interpolation),
            rebuild,
            likelihood);
    other.depth = depth;
    return other;
  }

  /// What is known of the errors, and where.
  public Certificate certificate() {
    return certificate;
  }

  /// The posterior mean of the lattice values. A copy.
  public double[] latticeMean() {
    return mean.clone();
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance of f at the point that starts at
  /// `x[xo]`, and returns its marks as [Prediction#mark] writes them. Inside a grid of one or two
  /// axes nothing is allocated.
  public byte evaluate(double[] x, int xo, double[] out) {
    if (kriged != null && kriged.evaluate(x, xo, out))
      return out[1] == 0 ? 0 : floored(out, floor); // a grid point whose value is known
    if (kriged == null && cells != null && cells.evaluate(x, xo, out)) return floored(out, floor);
    if (sums != null && sums.evaluate(x, xo, out)) return floored(out, floor);
    return evaluateSlowly(x, xo, out);
  }

  private static byte floored(double[] out, double floor) {
    if (out[1] >= floor) return 0;
    out[1] = floor;
    return Prediction.mark(false, true);
  }

  private byte evaluateSlowly(double[] x, int xo, double[] out) {
    Lattice lattice = statistics.lattice();
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    if (kriged == null && lattice.stencil(x, xo, index, weight)) {
      double sum = 0;
      for (int k = 0; k < index.length; k++) sum += weight[k] * mean[index[k]];
      out[0] = sum;
      out[1] = covariance().variance(index, weight);
      return floored(out, floor);
    }
    Kernel kernel = hyperparameters.kernel().withoutWhite();
    double[] k = problem().kernel().column(x, xo);
    PriorMean prior = hyperparameters.mean();
    out[0] = prior.at(x, xo) + Blas.dot(k.length, k, 0, dual, 0);
    double own = kernel.variance(x, xo);
    double explained = covariance().explained(k, k);
    out[1] = own - explained;
    double least = covariance().outsideFloor(k) + 64 * Math.ulp(own);
    boolean bound = !(out[1] >= least);
    if (bound) out[1] = least;
    return Prediction.mark(true, bound);
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

  /// Makes what [#evaluate] needs at some of these points, before the threads that evaluate them
  /// and not in them. Points begin `stride` numbers apart.
  public void prepare(double[] points, int stride, int count) {
    if (depth == null && needsDepth(points, stride, count)) depth();
  }

  /// Whether [#predict] takes but polynomials at these points: all of them lie inside the grid.
  public boolean isQuick(double[] points) {
    int d = dimensions();
    return kriged == null && !needsDepth(points, d, Points.check(points, d));
  }

  private boolean needsDepth(double[] points, int stride, int count) {
    if (cells == null && sums == null) return true;
    for (int i = 0; i < count; i++)
      if (statistics.lattice().outsideColumn(points, i * stride) >= 0) return true;
    return false;
  }

  /// Mean, variance and their gradients in x: `[mean, variance, ∂mean/∂x…, ∂variance/∂x…]`. Inside
  /// the lattice only. A variance that rounding hides is reported as its bound, which has no slope.
  public void gradient(double[] x, int xo, double[] out) {
    if (!(kriged != null && kriged.gradient(x, xo, out))
        && !(cells != null && cells.gradient(x, xo, out))
        && !(sums != null && sums.gradient(x, xo, out))) gradientSlowly(x, xo, out);
    if (out[1] >= floor || (kriged != null && out[1] == 0)) return;
    out[1] = floor;
    Arrays.fill(out, 2 + dimensions(), 2 + 2 * dimensions(), 0);
  }

  private void gradientSlowly(double[] x, int xo, double[] out) {
    Lattice lattice = statistics.lattice();
    int d = dimensions();
    int s = lattice.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    if (!lattice.stencilGradient(x, xo, index, weight, slope))
      throw new IllegalArgumentException(
          "the point lies outside the lattice, where there is no gradient; extend the grid");
    Arrays.fill(out, 0, 2 + 2 * d, 0);
    int m = lattice.size();
    double[] w = new double[m];
    for (int k = 0; k < s; k++) {
      out[0] += weight[k] * mean[index[k]];
      w[index[k]] += weight[k];
      for (int a = 0; a < d; a++) out[2 + a] += slope[a * s + k] * mean[index[k]];
    }
    double[] pw = new double[m];
    covariance().apply(1, w, pw);
    for (int k = 0; k < s; k++) {
      out[1] += weight[k] * pw[index[k]];
      for (int a = 0; a < d; a++) out[2 + d + a] += 2 * slope[a * s + k] * pw[index[k]];
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] covariance(double[] a, double[] b) {
    int d = dimensions();
    Split left = new Split(a, Points.check(a, d));
    Split right = a == b ? left : new Split(b, Points.check(b, d));
    int columns = right.count;
    double[] out = new double[Budget.covariance(left.count, columns)];
    double[] inner = covariance().between(left.inside, right.inside);
    if (kriged != null) {
      double[] more = kriged.kriging().residuals(left.points, right.points);
      for (int i = 0; i < inner.length; i++) inner[i] += more[i];
    }
    for (int i = 0; i < left.insideRows.length; i++)
      for (int j = 0; j < right.insideRows.length; j++)
        out[left.insideRows[i] * columns + right.insideRows[j]] =
            inner[i * right.insideRows.length + j];
    for (int i = 0; i < left.outsideRows.length; i++) {
      double[] cross = covariance().cross(left.columns[i], right.inside);
      for (int j = 0; j < cross.length; j++)
        out[left.outsideRows[i] * columns + right.insideRows[j]] = cross[j];
    }
    for (int j = 0; j < right.outsideRows.length; j++) {
      double[] cross = covariance().cross(right.columns[j], left.inside);
      for (int i = 0; i < cross.length; i++)
        out[left.insideRows[i] * columns + right.outsideRows[j]] = cross[i];
    }
    Kernel kernel = hyperparameters.kernel().withoutWhite();
    for (int i = 0; i < left.outsideRows.length; i++)
      for (int j = 0; j < right.outsideRows.length; j++)
        out[left.outsideRows[i] * columns + right.outsideRows[j]] =
            kernel.value(a, left.outsideRows[i] * d, b, right.outsideRows[j] * d)
                - covariance().explained(left.columns[i], right.columns[j]);
    return out;
  }

  /// At the cost of the points, of one product with the covariance of the lattice values for each
  /// area, and, where f is kriged and points lie between grid points, of half a kernel value for
  /// each pair of points and grid points around them.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return new LatticeAverages(this, Areas.of(points, dimensions(), weights, starts)).all();
  }

  /// The mean of f at a point inside the lattice whose weights are given.
  double mean(double[] x, int xo, int[] index, double[] weight) {
    if (kriged != null) return kriged.mean(x, xo, index, weight);
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[k] * mean[index[k]];
    return sum;
  }

  /// `k ᵀ dual`, the part of the mean beyond the lattice that the data make.
  double beyond(double[] k) {
    return Blas.dot(k.length, k, 0, dual, 0);
  }

  /// The bytes that joint draws at the points take beside the draws themselves. Where some points
  /// lie beyond the lattice: dense matrices over all of them, and for each of those beyond it the
  /// covariances with every lattice point. Where all lie inside: a dense matrix over those off the
  /// grid points if f is kriged, zero if not.
  public long jointBytes(double[] points) {
    int d = dimensions();
    long count = Points.check(points, d);
    Lattice lattice = statistics.lattice();
    long beyond = 0;
    long off = 0;
    for (int i = 0; i < count; i++)
      if (lattice.outsideColumn(points, i * d) >= 0) beyond++;
      else if (kriged != null && !kriged.kriging().onPoint(points, i * d)) off++;
    return beyond == 0 ? 16 * off * off : 32 * count * count + 8 * beyond * lattice.size();
  }

  /// Points inside the lattice and points outside it.
  private final class Split {
    final int count;
    final int[] insideRows;
    final int[] outsideRows;
    final double[] points; // those inside
    final Stencils inside;
    final double[][] columns;

    Split(double[] points, int count) {
      this.count = count;
      Lattice lattice = statistics.lattice();
      int d = lattice.dimensions();
      int[] in = new int[count];
      int[] out = new int[count];
      int ins = 0;
      int outs = 0;
      for (int i = 0; i < count; i++)
        if (lattice.outsideColumn(points, i * d) < 0) in[ins++] = i;
        else out[outs++] = i;
      insideRows = Arrays.copyOf(in, ins);
      outsideRows = Arrays.copyOf(out, outs);
      double[] kept = new double[ins * d];
      for (int i = 0; i < ins; i++) System.arraycopy(points, in[i] * d, kept, i * d, d);
      this.points = kept;
      inside = stencils(kept);
      columns = new double[outs][];
      for (int i = 0; i < outs; i++) columns[i] = problem().kernel().column(points, out[i] * d);
    }
  }

  /// Intervals that certainly hold the variances of the interpolated or kriged process, `[lower,
  /// upper]` per point; points must lie inside the lattice.
  public double[][] certify(double[] points) {
    int d = dimensions();
    int count = Points.check(points, d);
    if (kriged == null) return covariance().certify(points);
    double[][] bounds = new double[2][count];
    int[] index = new int[statistics.lattice().stencilSize()];
    double[] weight = new double[index.length];
    for (int p = 0; p < count; p++) {
      double loss = kriged.kriging().weights(points, p * d, index, weight);
      if (Double.isNaN(loss))
        throw new IllegalArgumentException(
            "point " + p + " lies outside the " + statistics.lattice());
      double[][] own = new double[2][1];
      covariance().certify(Stencils.single(index, weight), own[0], own[1]);
      bounds[0][p] = own[0][0] + Math.max(0, loss - kriged.floor());
      bounds[1][p] = own[1][0] + loss + kriged.floor();
    }
    return bounds;
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

  /// Samples by a method of choice.
  public Sampler sampler(Sampling.Method method) {
    return sampler(Sampling.DEFAULT.withMethod(method));
  }

  /// Samples by a method of choice, with its settings. A method that does not serve the kernel or
  /// the lattice says so in an error.
  public Sampler sampler(Sampling sampling) {
    return new LatticeSampler(this, root(sampling), sampling);
  }

  private PosteriorRoot root(Sampling sampling) {
    LatticeProblem problem = problem();
    LatticeCovariance covariance = covariance();
    return switch (sampling.method()) {
      case AUTO -> {
        boolean known = !(covariance instanceof LoveCovariance) || certificate.reached() <= EXACT;
        PosteriorRoot own = known ? covariance.root() : null;
        yield own != null ? own : PathwisePosteriorRoot.of(problem);
      }
      case LOVE ->
          LowRankPosteriorRoot.of(
              problem, covariance, sampling.rank(), sampling.tolerance(), sampling.limit());
      case PATHWISE -> PathwisePosteriorRoot.of(problem);
      case SPECTRAL -> {
        PosteriorRoot own = covariance instanceof SpectralCovariance ? covariance.root() : null;
        yield own != null
            ? own
            : engineRoot(
                new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST));
      }
      case MARKOV -> {
        if (!(statistics instanceof GridStatistics grid
            && MarkovEngine.applies(grid.grid(), hyperparameters.kernel())))
          throw new IllegalArgumentException(
              "markov samples need one Matérn kernel in one dimension, not "
                  + hyperparameters.kernel());
        yield engineRoot(new MarkovEngine(grid));
      }
    };
  }

  private PosteriorRoot engineRoot(LatticeEngine engine) {
    PosteriorRoot own = engine.posterior(hyperparameters, 1e-3).covariance().root();
    if (own == null)
      throw new IllegalStateException("the " + engine.name() + " engine cannot draw samples");
    return own;
  }

  /// Draws of [#sampler()].
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return sampler().draw(points, count, random);
  }
}
