package lovelace.exact;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.HeldRows;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.KernelSums;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.PredictionArrays;
import org.jspecify.annotations.Nullable;

/// The exact Gaussian process posterior (GPML section 2.2 and algorithm 2.1). Let `A = k(X, X) +
/// diag(σ²/wᵢ)`, `LLᵀ = A` and `α = A⁻¹(y − μ(X))`. Then
///
///     mean(x)    = μ(x) + k(x, X) α
///     cov(x, x′) = k(x, x′) − (L⁻¹k(X, x))ᵀ L⁻¹k(X, x′)
///
/// where wᵢ is the weight of observation i. White terms of the kernel are noise: they are added to
/// σ² and are not part of the latent function.
///
/// Straight lines in the kernel ([Lines]) are not part of A. Their coefficients have a normal
/// distribution of their own ([LineCoefficients]), so that no digits are lost far from zero.
///
/// Everything here takes O(n³) time and one n × n array. Immutable; safe to share between threads.
/// Results have the same bits for any number of threads and in any batch.
public final class ExactGp extends HeldRows implements LinearRows {

  /// The most rows of a model. [#of] accepts more if memory allows.
  public static final int MOST_ROWS = 15_000;

  /// The number of points that one thread of [#predict] works on at a time.
  public static final int PANEL = Panels.WIDTH;

  /// About how many covariances of areas with rows are held at a time: 64 MiB.
  private static final long AREA_NUMBERS = 1 << 23;

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  /// This many rows suffice to distinguish poor start values from better ones.
  private static final int START_ROWS = 300;

  final Kernel kernel; // without lines
  final Cholesky factor;
  final @Nullable LineCoefficients lines;
  final double[] alpha;
  private final double[] slopes; // of the lines' basis functions
  private final double logLikelihood;

  private ExactGp(
      Dataset data,
      Hyperparameters hyperparameters,
      Kernel kernel,
      Cholesky factor,
      @Nullable LineCoefficients lines) {
    super(data, hyperparameters);
    this.kernel = kernel;
    this.factor = factor;
    this.lines = lines;
    int n = data.size();
    double[] residual = residual(data, hyperparameters);
    double lost = factor.logDeterminant() + n * LOG_2PI;
    if (lines == null) slopes = new double[0];
    else {
      double[] w = lines.means(residual);
      slopes = lines.weights(w);
      residual = lines.rest(residual, w);
      lost += lines.logDeterminant() + Panels.dot(w, 0, w, 0, w.length);
    }
    this.alpha = residual.clone();
    factor.solve(alpha);
    this.logLikelihood = -0.5 * (Panels.dot(residual, 0, alpha, 0, n) + lost);
  }

  /// Conditions the process on the data. The arrays of the dataset are not copied.
  public static ExactGp of(Dataset data, Hyperparameters hyperparameters) {
    int n = data.size();
    int d = data.dimensions();
    Kernel latent = hyperparameters.kernel().withoutWhite();
    double noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    Lines lines = Lines.of(latent, data.inputs());
    if (lines != null && lines.rest() == null && noise == 0) lines = null; // A would be zero
    Kernel kernel = lines == null ? latent : LineCoefficients.rest(lines, d);
    double[] a =
        new double
            [Budget.numbers(
                n,
                n,
                String.format(Locale.ROOT, "the exact process of %,d rows", n),
                "give fewer rows, use another engine")];
    double[] x = data.inputs();
    if (equallySpaced(data, kernel)) {
      double[] k = new double[n];
      kernel.matrix(new double[] {x[0]}, 1, x, n, k);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) a[i * n + j] = k[i - j];
        a[i * n + i] += noise / data.weight(i);
      }
      return of(data, hyperparameters, kernel, Cholesky.adopt(a, n), lines);
    }
    Panels.forEach(
        n,
        (from, to) -> {
          // rows up to the diagonal block; the rest of A is never read
          double[] rows = new double[(to - from) * to];
          kernel.matrix(Arrays.copyOfRange(x, from * d, to * d), to - from, x, to, rows);
          for (int i = from; i < to; i++) {
            System.arraycopy(rows, (i - from) * to, a, i * n, i + 1);
            a[i * n + i] += noise / data.weight(i);
          }
        });
    return of(data, hyperparameters, kernel, Cholesky.adopt(a, n), lines);
  }

  private static ExactGp of(
      Dataset data, Hyperparameters h, Kernel kernel, Cholesky factor, @Nullable Lines lines) {
    return new ExactGp(
        data,
        h,
        kernel,
        factor,
        lines == null ? null : LineCoefficients.of(lines, data.inputs(), factor));
  }

  /// The process of the same rows with another target, at the cost of one solve.
  @Override
  public ExactGp of(double[] target) {
    return new ExactGp(data.withTarget(target), hyperparameters, kernel, factor, lines);
  }

  @Override
  public Others others(double[][] targets) {
    return ExactTargets.of(this, targets);
  }

  /// Whether k(X, X) is Toeplitz: a stationary kernel on one column whose values are in order and
  /// evenly spaced, up to the rounding of the calendar that they may come from.
  static boolean equallySpaced(Dataset data, Kernel kernel) {
    int n = data.size();
    if (n < 3 || data.dimensions() != 1 || !kernel.isStationary()) return false;
    double[] x = data.inputs();
    double step = (x[n - 1] - x[0]) / (n - 1);
    if (!(step != 0)) return false;
    double slack = 1e-12 * Math.max(Math.abs(x[0]), Math.abs(x[n - 1]));
    for (int i = 0; i < n; i++) if (!(Math.abs(x[0] + i * step - x[i]) <= slack)) return false;
    return slack < 1e-6 * Math.abs(step);
  }

  /// Likelihoods of rows under any parameters, which [lovelace.learning.Learner] maximises. The
  /// rough ones use at most 300 rows, evenly spaced.
  public static Learnable likelihood(Dataset data) {
    return new Learnable() {
      @Override
      public String name() {
        return "exact";
      }

      @Override
      public Evidence evidence(Hyperparameters h, WarmStart start) {
        ExactGp gp = of(data, h);
        return new Evidence(gp.logMarginalLikelihood(), gp.likelihoodGradient(), 0);
      }

      @Override
      public Learnable rough() {
        return data.size() <= START_ROWS ? this : likelihood(data.thinned(START_ROWS));
      }
    };
  }

  public static double[] residual(Dataset data, Hyperparameters hyperparameters) {
    double[] r = data.target().clone();
    for (int i = 0; i < r.length; i++)
      r[i] -= hyperparameters.mean().at(data.inputs(), i * data.dimensions());
    return r;
  }

  @Override
  public Engine engine() {
    return Engine.EXACT;
  }

  @Override
  public String summary() {
    return "of all rows";
  }

  @Override
  public int mostRows() {
    return MOST_ROWS;
  }

  @Override
  public long bytes() {
    return 8L * data.size() * data.size();
  }

  @Override
  public ExactGp with(Dataset rows, Hyperparameters other) {
    return of(rows, other);
  }

  /// The number that the factorisation added to the diagonal of A; zero if none was needed.
  public double jitter() {
    return factor.jitter();
  }

  @Override
  protected int count(double[] points) {
    return Panels.count(points, dimensions());
  }

  /// A variance below `50 ε √n k(x, x)` cannot be distinguished from rounding. Then that bound is
  /// reported instead and marked.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, ExactTargets.none(this), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] products) {
    ExactTargets more = (ExactTargets) others;
    int n = data.size();
    int d = data.dimensions();
    int t = count(points);
    var all = new PredictionArrays(t);
    double rounding = Panels.rounding(n);
    Panels.forEach(
        t,
        (from, to) -> {
          double[] panel = Panels.kernelRows(kernel, points, from, to, data.inputs(), n, d);
          for (int i = from; i < to; i++)
            all.means[i] =
                hyperparameters.mean().at(points, i * d)
                    + Panels.dot(panel, (i - from) * n, alpha, 0, n);
          more.write(panel, points, from, to, products);
          double[] added = new double[to - from];
          if (lines != null)
            for (int i = from; i < to; i++) {
              all.means[i] += lines.mean(slopes, points, i * d);
              added[i - from] = lines.variance(points, i * d, panel, (i - from) * n);
            }
          Panels.solveLower(factor.factor(), n, panel);
          for (int i = from; i < to; i++) {
            double prior = kernel.variance(points, i * d);
            int row = (i - from) * n;
            double variance = prior - Panels.dot(panel, row, panel, row, n);
            all.variance(i, variance, rounding * prior, false);
            all.variances[i] += added[i - from];
          }
        });
    return all.done();
  }

  @Override
  protected double[] covariance(double[] a, int ta, double[] b, int tb, boolean same) {
    int n = data.size();
    int d = data.dimensions();
    double[] covariance = new double[ta * tb];
    kernel.matrix(a, ta, b, tb, covariance);
    double[] l = factor.factor();
    double[] va = Panels.solvedRows(kernel, a, ta, data.inputs(), n, d, l);
    double[] vb = same ? va : Panels.solvedRows(kernel, b, tb, data.inputs(), n, d, l);
    Panels.addProduct(-1, va, ta, vb, tb, n, covariance);
    if (lines != null) lines.addCovariance(kernel, data.inputs(), a, b, covariance);
    return covariance;
  }

  /// The covariances `k_A = Σᵢ wᵢk(X, xᵢ)` of an area of c points are one column. This takes O(nc +
  /// c² + n²) per area.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    int n = data.size();
    int d = data.dimensions();
    Areas areas = Areas.of(points, d, weights, starts);
    var all = new PredictionArrays(areas.count());
    double[] priors = new double[areas.count()];
    double[] added = new double[areas.count()]; // by the lines
    double rounding = Panels.rounding(n);
    var sums = new KernelSums(kernel, data.inputs());
    int batch = PANEL * Math.clamp(AREA_NUMBERS / ((long) PANEL * n), 1, 16);
    for (int from = 0; from < areas.count(); from += batch) {
      int first = from;
      int count = Math.min(batch, areas.count() - from);
      double[] columns = new double[Panels.size(Math.ceilDiv(count, PANEL) * (long) PANEL, n)];
      Parallel.forEach(
          count,
          c -> {
            double[] x = areas.points(first + c);
            double[] w = areas.weights(first + c);
            sums.add(x, w, columns, c * n);
            double mean = Panels.dot(columns, c * n, alpha, 0, n);
            if (lines != null) {
              double[] f = lines.average(x, w);
              mean += Panels.dot(f, 0, slopes, 0, f.length);
              added[first + c] = lines.variance(f, columns, c * n);
            }
            for (int i = 0; i < w.length; i++)
              if (w[i] != 0) mean += w[i] * hyperparameters.mean().at(x, i * d);
            all.means[first + c] = mean;
            priors[first + c] = KernelSums.variance(kernel, x, w);
          });
      Panels.solveLowerAll(factor.factor(), n, columns);
      for (int c = 0; c < count; c++) {
        double prior = priors[first + c];
        double variance = prior - Panels.dot(columns, c * n, columns, c * n, n);
        all.variance(first + c, variance, rounding * prior, false);
        all.variances[first + c] += added[first + c];
      }
    }
    return all.done();
  }

  /// The joint distribution of f at the points. It takes O(n²t + nt² + t³).
  public JointNormal joint(double[] points) {
    return JointNormal.of(this, kernel, points);
  }

  /// The most bytes that [#joint] needs for this number of points: three matrices over them, and a
  /// row of solved covariances with the observations for each point.
  @Override
  public long jointBytes(int points) {
    return 24L * points * points + panelBytes(points);
  }

  @Override
  protected long drawBytes(int points) {
    return 0; // the covariance makes its own checks
  }

  /// The bytes that [#predict] needs for this number of points if it works on all panels at the
  /// same time, beside the prediction itself.
  @Override
  public long panelBytes(int points) {
    return 8L * Math.ceilDiv(points, Panels.WIDTH) * Panels.WIDTH * data.size();
  }

  @Override
  public boolean isDense() {
    return true;
  }

  /// Half of n² for each point of a panel, including points that only pad it.
  @Override
  public double operations(int points) {
    return 0.5 * Math.ceilDiv(points, PANEL) * PANEL * data.size() * (double) data.size();
  }

  /// Draws jointly by the Cholesky factor of the posterior covariance. [#joint] tells its jitter.
  @Override
  protected void draw(double[] points, int count, RandomGenerator random, double[] draws) {
    joint(points).draw(count, random, draws);
  }

  /// `log p(y) = −½ (y−μ)ᵀα − ½ log|A| − (n/2) log 2π`, GPML eq. (2.30).
  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  /// The gradient of [#logMarginalLikelihood] in every parameter, natural scale, in the order of
  /// [Hyperparameters#values]. GPML eq. (5.9): `∂L/∂θ = ½ Σ (ααᵀ − A⁻¹) ∘ ∂A/∂θ`, and `∂L/∂β = Φᵀα`
  /// for the coefficients of the prior mean with basis functions Φ. A⁻¹ is computed one panel of
  /// rows at a time.
  @Override
  public double[] likelihoodGradient() {
    return restrictedGradient(new double[0][]);
  }

  /// The gradient with `½ Σⱼ ∂A/∂θ ∘ αⱼαⱼᵀ` added, which costs next to nothing.
  @Override
  public double[] restrictedGradient(double[][] targets) {
    return new ExactInverse(this).gradient(targets);
  }

  /// Adds `Φᵀ alpha` to gradient from offset `at`.
  public static void addMeanGradient(
      PriorMean mean, Dataset data, double[] alpha, double[] gradient, int at) {
    double[] basis = new double[mean.size()];
    for (int i = 0; i < data.size(); i++) {
      mean.basis(data.inputs(), i * data.dimensions(), basis, 0);
      for (int k = 0; k < basis.length; k++) gradient[at + k] += alpha[i] * basis[k];
    }
  }

  /// The distribution of each observation given all others, GPML section 5.4.2. With B = A⁻¹ it has
  /// `mean = yᵢ − αᵢ/Bᵢᵢ` and `variance = 1/Bᵢᵢ`, which includes the observation's noise. It takes
  /// O(n³), one panel of rows at a time.
  public Prediction leaveOneOut() {
    return new ExactInverse(this).leaveOneOut();
  }

  @Override
  public Optional<Prediction> leftOut() {
    return Optional.of(leaveOneOut());
  }
}
