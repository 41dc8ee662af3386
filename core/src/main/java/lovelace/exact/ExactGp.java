package lovelace.exact;

import java.util.Arrays;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.KernelSums;
import lovelace.posterior.internal.LinearRows;
import org.jspecify.annotations.Nullable;

/// The exact Gaussian process posterior (GPML section 2.2 and algorithm 2.1): with
/// `A = k(X, X) + diag(σ²/wᵢ)`, `LLᵀ = A` and `α = A⁻¹(y − μ(X))`,
///
///     mean(x)    = μ(x) + k(x, X) α
///     cov(x, x′) = k(x, x′) − (L⁻¹k(X, x))ᵀ L⁻¹k(X, x′)
///
/// where wᵢ is the weight of observation i. White terms of the kernel are noise: they are added to σ²
/// and are no part of the latent function.
///
/// Straight lines in the kernel ([Lines]) are no part of A: their coefficients have a normal
/// distribution of their own ([LineCoefficients]), so that no digits are lost far from zero.
///
/// O(n³) time and one n × n array, for everything here. Immutable; safe to share between threads. The same bits for any number of threads and in any batch.
public final class ExactGp implements LinearRows {

  /// The most rows of a model. [#of] takes more where memory allows.
  public static final int MOST_ROWS = 15_000;

  /// The points that [#predict] works on at a time in one thread.
  public static final int PANEL = Panels.WIDTH;

  /// About how many covariances of areas with rows are held at a time: 64 MiB.
  private static final long AREA_NUMBERS = 1 << 23;

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  /// The rows that are enough to tell poor start values from better ones.
  private static final int START_ROWS = 300;

  private final Dataset data;
  private final Hyperparameters hyperparameters;
  private final Kernel kernel; // without lines
  private final double noise;
  private final Cholesky factor;
  private final @Nullable LineCoefficients lines;
  private final double[] slopes; // of the lines' basis functions
  private final double[] alpha;
  private final double logLikelihood;

  private ExactGp(
      Dataset data,
      Hyperparameters hyperparameters,
      Kernel kernel,
      double noise,
      Cholesky factor,
      @Nullable LineCoefficients lines) {
    this.data = data;
    this.hyperparameters = hyperparameters;
    this.kernel = kernel;
    this.noise = noise;
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

  /// Conditions the process on the data. The arrays of the dataset are kept, not copied.
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
      return of(data, hyperparameters, kernel, noise, Cholesky.adopt(a, n), lines);
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
    return of(data, hyperparameters, kernel, noise, Cholesky.adopt(a, n), lines);
  }

  private static ExactGp of(
      Dataset data,
      Hyperparameters h,
      Kernel kernel,
      double noise,
      Cholesky factor,
      @Nullable Lines lines) {
    return new ExactGp(
        data,
        h,
        kernel,
        noise,
        factor,
        lines == null ? null : LineCoefficients.of(lines, data.inputs(), factor));
  }

  /// The process of the same rows with another target, at the cost of one solve.
  @Override
  public ExactGp of(double[] target) {
    Dataset other = Dataset.of(data.inputs(), data.columns(), target, data.targetColumn());
    return new ExactGp(
        data.weighted() ? other.withWeights(data.weights()) : other,
        hyperparameters,
        kernel,
        noise,
        factor,
        lines);
  }

  @Override
  public Others others(double[][] targets) {
    double[][] weights = new double[targets.length][0];
    if (lines != null)
      for (int j = 0; j < weights.length; j++) weights[j] = lines.weights(lines.means(targets[j]));
    return new Alphas(solved(targets), weights);
  }

  private double[][] solved(double[][] targets) {
    double[][] alphas = new double[targets.length][];
    for (int j = 0; j < alphas.length; j++) {
      alphas[j] = lines == null ? targets[j].clone() : lines.rest(targets[j]);
      factor.solve(alphas[j]);
    }
    return alphas;
  }

  /// `α = A⁻¹t` of other targets.
  private final class Alphas implements Others {
    private final double[][] alphas;
    private final double[][] weights; // of the lines' basis functions

    Alphas(double[][] alphas, double[][] weights) {
      this.alphas = alphas;
      this.weights = weights;
    }

    @Override
    public double[] dual(int j) {
      return alphas[j].clone();
    }

    @Override
    public double[] means(double[] points) {
      int n = data.size();
      int d = data.dimensions();
      int t = Panels.count(points, d);
      double[] out = new double[t * alphas.length];
      Panels.forEach(
          t,
          (from, to) ->
              write(
                  Panels.kernelRows(kernel, points, from, to, data.inputs(), n, d),
                  points,
                  from,
                  to,
                  out));
      return out;
    }

    /// By the sums of the covariances of an area's points.
    @Override
    public double[] means(Areas areas) {
      int n = data.size();
      int q = alphas.length;
      var sums = new KernelSums(kernel, data.inputs());
      double[] out = new double[areas.count() * q];
      Parallel.forEach(
          areas.count(),
          a -> {
            double[] column = new double[n];
            sums.add(areas.points(a), areas.weights(a), column, 0);
            for (int j = 0; j < q; j++) out[a * q + j] = Panels.dot(column, 0, alphas[j], 0, n);
            if (lines != null) {
              double[] f = lines.average(areas.points(a), areas.weights(a));
              for (int j = 0; j < q; j++)
                out[a * q + j] += Panels.dot(f, 0, weights[j], 0, f.length);
            }
          });
      return out;
    }

    /// Writes the means of the points of a panel of covariances.
    void write(double[] panel, double[] points, int from, int to, double[] out) {
      int n = data.size();
      int d = data.dimensions();
      int q = alphas.length;
      for (int i = from; i < to; i++)
        for (int j = 0; j < q; j++) {
          out[i * q + j] = Panels.dot(panel, (i - from) * n, alphas[j], 0, n);
          if (lines != null) out[i * q + j] += lines.mean(weights[j], points, i * d);
        }
    }
  }

  /// Whether k(X, X) is Toeplitz: a stationary kernel on one column whose values are in order and
  /// evenly spaced, to the rounding of the calendar they may come from.
  private static boolean equallySpaced(Dataset data, Kernel kernel) {
    int n = data.size();
    if (n < 3 || data.dimensions() != 1 || !kernel.isStationary()) return false;
    double[] x = data.inputs();
    double step = (x[n - 1] - x[0]) / (n - 1);
    if (!(step != 0)) return false;
    double slack = 1e-12 * Math.max(Math.abs(x[0]), Math.abs(x[n - 1]));
    for (int i = 0; i < n; i++) if (!(Math.abs(x[0] + i * step - x[i]) <= slack)) return false;
    return slack < 1e-6 * Math.abs(step);
  }

  /// Likelihoods of rows under any parameters, which [lovelace.learning.Learner] maximises. Rough
  /// ones are of at most 300 rows, evenly spaced.
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
  public String engine() {
    return "exact";
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

  /// The parameters it was conditioned with.
  @Override
  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// The data it was conditioned on.
  @Override
  public Dataset data() {
    return data;
  }

  /// What the factorisation had to add to the diagonal of A; zero when nothing was.
  public double jitter() {
    return factor.jitter();
  }

  @Override
  public int dimensions() {
    return data.dimensions();
  }

  /// σ² plus the variance of the kernel's white terms.
  @Override
  public double noise() {
    return noise;
  }

  /// A variance below `50 ε √n k(x, x)` cannot be told from rounding; that bound is reported
  /// instead and marked.
  @Override
  public Prediction predict(double[] points) {
    return predict(points, new Alphas(new double[0][], new double[0][]), new double[0]);
  }

  @Override
  public Prediction predict(double[] points, Others others, double[] products) {
    Alphas more = (Alphas) others;
    int n = data.size();
    int d = data.dimensions();
    int t = Panels.count(points, d);
    double[] means = new double[t];
    double[] variances = new double[t];
    byte[] marks = new byte[t];
    double rounding = Panels.rounding(n);
    Panels.forEach(
        t,
        (from, to) -> {
          double[] panel = Panels.kernelRows(kernel, points, from, to, data.inputs(), n, d);
          for (int i = from; i < to; i++)
            means[i] =
                hyperparameters.mean().at(points, i * d)
                    + Panels.dot(panel, (i - from) * n, alpha, 0, n);
          more.write(panel, points, from, to, products);
          double[] added = new double[to - from];
          if (lines != null)
            for (int i = from; i < to; i++) {
              means[i] += lines.mean(slopes, points, i * d);
              added[i - from] = lines.variance(points, i * d, panel, (i - from) * n);
            }
          Panels.solveLower(factor.factor(), n, panel);
          for (int i = from; i < to; i++) {
            double prior = kernel.variance(points, i * d);
            int row = (i - from) * n;
            double variance = prior - Panels.dot(panel, row, panel, row, n);
            boolean atBound = !(variance > rounding * prior);
            variances[i] = (atBound ? rounding * prior : variance) + added[i - from];
            marks[i] = Prediction.mark(false, atBound);
          }
        });
    return Prediction.adopt(means, variances, marks);
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int n = data.size();
    int d = data.dimensions();
    int ta = Panels.count(a, d);
    int tb = Panels.count(b, d);
    double[] covariance = new double[Budget.covariance(ta, tb)];
    if (covariance.length == 0) return covariance;
    kernel.matrix(a, ta, b, tb, covariance);
    double[] l = factor.factor();
    double[] va = Panels.solvedRows(kernel, a, ta, data.inputs(), n, d, l);
    double[] vb =
        Arrays.equals(a, b) ? va : Panels.solvedRows(kernel, b, tb, data.inputs(), n, d, l);
    Panels.addProduct(-1, va, ta, vb, tb, n, covariance);
    if (lines != null) lines.addCovariance(kernel, data.inputs(), a, b, covariance);
    return covariance;
  }

  /// `k_A = Σᵢ wᵢk(X, xᵢ)` of an area of c points is one column: O(nc + c² + n²) for each area.
  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    int n = data.size();
    int d = data.dimensions();
    Areas areas = Areas.of(points, d, weights, starts);
    double[] means = new double[areas.count()];
    double[] variances = new double[areas.count()];
    byte[] marks = new byte[areas.count()];
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
            means[first + c] = mean;
            variances[first + c] = KernelSums.variance(kernel, x, w);
          });
      Panels.solveLowerAll(factor.factor(), n, columns);
      for (int c = 0; c < count; c++) {
        double prior = variances[first + c];
        double variance = prior - Panels.dot(columns, c * n, columns, c * n, n);
        boolean atBound = !(variance > rounding * prior);
        variances[first + c] = (atBound ? rounding * prior : variance) + added[first + c];
        marks[first + c] = Prediction.mark(false, atBound);
      }
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// The joint distribution of f at the points: O(n²t + nt² + t³).
  public JointNormal joint(double[] points) {
    return JointNormal.of(this, kernel, points);
  }

  /// The bytes that [#joint] takes at so many points, at most: three matrices over them, and a row
  /// of solved covariances with the observations for each point.
  @Override
  public long jointBytes(int points) {
    return 24L * points * points + panelBytes(points);
  }

  /// The bytes that [#predict] takes at so many points where all of its panels are worked on at
  /// once, beside the prediction itself.
  @Override
  public long panelBytes(int points) {
    return 8L * Math.ceilDiv(points, Panels.WIDTH) * Panels.WIDTH * data.size();
  }

  /// Half of n² for each point of a panel, whether there is one or not.
  @Override
  public double operations(int points) {
    return 0.5 * Math.ceilDiv(points, PANEL) * PANEL * data.size() * (double) data.size();
  }

  /// Joint draws by the Cholesky factor of the posterior covariance; [#joint] tells its jitter.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return joint(points).draw(count, random);
  }

  /// `log p(y) = −½ (y−μ)ᵀα − ½ log|A| − (n/2) log 2π`, GPML eq. (2.30).
  @Override
  public double logMarginalLikelihood() {
    return logLikelihood;
  }

  /// The gradient of [#logMarginalLikelihood] in every parameter, natural scale, in the order of
  /// [Hyperparameters#values]. GPML eq. (5.9): `∂L/∂θ = ½ Σ (ααᵀ − A⁻¹) ∘ ∂A/∂θ`, and `∂L/∂β = Φᵀα`
  /// for the coefficients of the prior mean with basis functions Φ. A⁻¹ is formed a panel of rows
  /// at a time.
  @Override
  public double[] likelihoodGradient() {
    return restrictedGradient(new double[0][]);
  }

  /// With `½ Σⱼ ∂A/∂θ ∘ αⱼαⱼᵀ` added, which costs next to nothing.
  @Override
  public double[] restrictedGradient(double[][] targets) {
    double[][] others = solved(targets);
    double[][] more = lines == null ? others : lines.withCorrections(others);
    int n = data.size();
    int d = data.dimensions();
    double[] x = data.inputs();
    Kernel full = hyperparameters.kernel();
    int p = full.parameterCount();
    int q = kernel.parameterCount();
    boolean lags = equallySpaced(data, kernel);
    double[][] parts = new double[Math.ceilDiv(n, Panels.WIDTH)][q + 1];
    double[][] byLag = new double[lags ? parts.length : 0][n];
    Panels.forEach(
        n,
        (from, to) -> {
          int m = n - from;
          int rows = to - from;
          double[] panel = inverseRoots(from, to);
          Blas.trsm(true, false, rows, m, 1, factor.factor(), from * n + from, n, panel, 0, m);
          double[] g = parts[from / Panels.WIDTH];
          for (int i = 0; i < rows; i++) {
            double a = alpha[from + i];
            for (int j = 0; j < m; j++) {
              // entries right of the diagonal block stand for their mirror images as well
              double share = j < rows ? 0.5 : 1;
              double outer = a * alpha[from + j];
              for (double[] other : more) outer += other[from + i] * other[from + j];
              panel[i * m + j] = share * (outer - panel[i * m + j]);
            }
            g[q] += panel[i * m + i] / data.weight(from + i);
          }
          if (lags) {
            double[] sums = byLag[from / Panels.WIDTH];
            for (int i = 0; i < rows; i++)
              for (int j = 0; j < m; j++) sums[Math.abs(i - j)] += panel[i * m + j];
            return;
          }
          double[] left = Arrays.copyOfRange(x, from * d, to * d);
          double[] right = Arrays.copyOfRange(x, from * d, n * d);
          kernel.gradientSum(left, rows, right, m, panel, g);
        });
    double[] own = new double[q + 1]; // of the latent kernel, and of the noise
    for (double[] part : parts) for (int k = 0; k <= q; k++) own[k] += part[k];
    if (lags) {
      double[] sums = new double[n];
      for (double[] part : byLag) for (int k = 0; k < n; k++) sums[k] += part[k];
      kernel.gradientSum(new double[] {x[0]}, 1, x, n, sums, own);
    }
    double[] gradient = new double[hyperparameters.values().length];
    int[] places = full.latentPlaces();
    double[] latent = own;
    if (lines != null) {
      double[] residual = residual(data, hyperparameters);
      latent = lines.slopes(own, full.withoutWhite().values(), residual, alpha, targets, others);
    }
    for (int k = 0; k < places.length; k++) gradient[places[k]] = latent[k];
    gradient[p] = own[q];
    full.whiteGradient(gradient[p], gradient, 0);
    addMeanGradient(hyperparameters.mean(), data, alpha, gradient, p + 1);
    return gradient;
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

  /// The distribution of each observation given all others, GPML section 5.4.2: with B = A⁻¹, `mean
  /// = yᵢ − αᵢ/Bᵢᵢ`, `variance = 1/Bᵢᵢ` (of the observation: its noise included). O(n³), a panel of
  /// rows at a time.
  public Prediction leaveOneOut() {
    int n = data.size();
    double[] means = new double[n];
    double[] variances = new double[n];
    double[][] corrections =
        lines == null ? new double[0][] : lines.withCorrections(new double[0][]);
    Panels.forEach(
        n,
        (from, to) -> {
          int m = n - from;
          double[] panel = inverseRoots(from, to);
          for (int i = from; i < to; i++) {
            int row = (i - from) * m;
            double precision = Panels.dot(panel, row, panel, row, m);
            for (double[] column : corrections) precision -= column[i] * column[i];
            variances[i] = 1 / precision;
            means[i] = data.target()[i] - alpha[i] * variances[i];
          }
        });
    return Prediction.adopt(means, variances);
  }

  /// `L⁻¹eᵢ` for i in `[from, to)`, a row each, from entry `from` on: the entries before vanish, so
  /// only the trailing corner of L takes part.
  private double[] inverseRoots(int from, int to) {
    int n = data.size();
    int m = n - from;
    double[] panel = new double[(to - from) * m];
    for (int i = 0; i < to - from; i++) panel[i * m + i] = 1;
    Blas.trsm(true, true, to - from, m, 1, factor.factor(), from * n + from, n, panel, 0, m);
    return panel;
  }
}
