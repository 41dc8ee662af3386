package lovelace.spectral;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.StencilGram;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.PosteriorRoot;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.ModulatedPart;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Dense;
import lovelace.linear.Parallel;
import lovelace.modes.ModeStatistics;
import lovelace.plan.Engine;
import lovelace.statistics.GramRounding;

/// The posterior in the coordinates of the kernel's modes (Fourier's, or its own eigenvectors on
/// the grid), exact for the modes kept. With `B = σ²I + Λ^½HΛ^½ = LLᵀ`:
///
/// ```
/// a = F Λ^½ z,  z = B⁻¹Λ^½f        P = ZᵀZ,  Z = σ L⁻¹ Λ^½ Fᵀ        log|A| = (n − r) log σ² + log|B|
/// ∂ log p/∂ log λⱼ = ½ (zⱼ² − 1 + σ² (B⁻¹)ⱼⱼ)
/// ```
///
/// A variance is a sum of squares: it cannot be negative. Modes lighter than rounding beside the
/// heaviest are dropped; the prior variance they had bounds what the posterior misses ([#certify]).
public final class SpectralCovariance extends LatticeCovariance implements ModeStatistics.Slopes {

  private static final int COLUMNS = 256; // of Z at a time
  private static final int NUMBERS = 1 << 18; // of Z at a time in one thread

  private final ModeStatistics system;
  private final Hyperparameters hyperparameters;
  private final double[] scale; // Λ^½, 0 for modes left out
  private final int[] active;
  private final double[] lower; // L⁻¹ over the active modes, row-major
  private final double[] z;
  private final double logDeterminant;
  private final double jitter; // added to the diagonal of B
  private final double rounding; // of B
  private final double solving; // relative, of L⁻¹
  private final double squares;
  private final double[] coefficients; // of the prior mean, about the statistics' origin

  public SpectralCovariance(
      ModeStatistics system, LatticeKernel kernel, Hyperparameters hyperparameters, double floor) {
    super(
        system.statistics(),
        kernel,
        hyperparameters.noise() + hyperparameters.kernel().whiteVariance());
    this.system = system;
    this.hyperparameters = hyperparameters;
    double[] lambda = system.weights(kernel);
    active = ModeStatistics.heavy(lambda, floor);
    scale = new double[lambda.length];
    for (int j : active) scale[j] = Math.sqrt(lambda[j]);
    int kept = active.length;
    coefficients = system.centre(hyperparameters.mean());
    double[] f = system.projected(coefficients);
    squares = system.squares(coefficients);
    double[] b = system.matrix(active, scale, noise);
    double trace = 0;
    for (int i = 0; i < kept; i++) trace += b[i * kept + i];
    Cholesky factor = Cholesky.adopt(b, kept);
    jitter = factor.jitter();
    // a jitter j counts (1 + j/σ²) times, since B ⪰ σ²I
    rounding = jitter * (1 + jitter / noise) + 8 * EPSILON * trace;
    solving = 0.25 * EPSILON * Math.sqrt(trace / noise);
    logDeterminant = factor.logDeterminant();
    z = new double[kept];
    for (int i = 0; i < kept; i++) z[i] = scale[active[i]] * f[active[i]];
    factor.solve(z);
    lower = factor.inverseFactor();
  }

  /// The number of modes in use.
  public int rank() {
    return active.length;
  }

  /// `log p(y)`; −∞ where B is singular in double precision.
  public double logLikelihood() {
    if (jitter > 0) return Double.NEGATIVE_INFINITY;
    double n = system.statistics().count();
    return -0.5 * misfit() / noise
        - 0.5 * ((n - active.length) * Math.log(noise) + logDeterminant)
        - 0.5 * n * Math.log(2 * Math.PI)
        + 0.5 * system.statistics().logWeights();
  }

  /// `σ² (y − μ)ᵀA⁻¹(y − μ)`.
  private double misfit() {
    double[] f = system.projected(coefficients);
    double fit = squares;
    for (int i = 0; i < active.length; i++) fit -= scale[active[i]] * f[active[i]] * z[i];
    return fit;
  }

  /// The likelihood with its gradient.
  public Evidence evidence() {
    if (jitter > 0) return Evidence.impossible(hyperparameters);
    int k = active.length;
    double n = system.statistics().count();
    double[] own = new double[hyperparameters.kernel().parameterCount()];
    system.pullBack(kernel, this, own);
    centreGradient(own);
    double trace = Blas.dot(lower.length, lower, 0, lower, 0); // of B⁻¹
    double dNoise =
        0.5 * misfit() / (noise * noise)
            - 0.5 * Blas.dot(k, z, 0, z, 0) / noise
            - 0.5 * ((n - k) / noise + trace);
    double[] mean = system.meanSlopes(coefficients, unpacked(1, 1, z));
    for (int i = 0; i < mean.length; i++) mean[i] /= noise;
    mean = Arrays.copyOf(mean, hyperparameters.mean().size());
    return new Evidence(logLikelihood(), Evidence.gradient(hyperparameters, own, dNoise, mean), 0);
  }

  @Override
  public double[] slopes() {
    int k = active.length;
    double[] diagonal = new double[k]; // of B⁻¹: squared columns of L⁻¹
    for (int i = 0; i < k; i++)
      for (int j = 0; j <= i; j++) diagonal[j] += lower[i * k + j] * lower[i * k + j];
    double[] slope = new double[system.rank()];
    for (int i = 0; i < k; i++) {
      double s = scale[active[i]];
      slope[active[i]] = 0.5 * (z[i] * z[i] - 1 + noise * diagonal[i]) / (s * s);
    }
    return slope;
  }

  /// `σ²B⁻¹` over the active modes, by products of the part of L⁻¹ that is not zero.
  @Override
  public double[] inverse() {
    int k = active.length;
    double[] inverse = new double[k * k];
    for (int at = 0; at < k; at += COLUMNS) {
      int to = Math.min(k, at + COLUMNS);
      int row = at * k;
      int corner = row + at;
      Blas.gemm(
          true, false, to - at, to, k - at, noise, lower, corner, k, lower, row, k, 0, inverse, row,
          k);
    }
    Blas.mirror(k, inverse);
    return inverse;
  }

  @Override
  public int[] active() {
    return active;
  }

  @Override
  public double noise() {
    return noise;
  }

  /// Adds the derivatives in the centres of linear terms: for `weight·uuᵀ` with `∂u/∂c = −o`,
  /// `−weight·((oᵀWα)(uᵀWα) − oᵀWA⁻¹Wᵀu)`.
  private void centreGradient(double[] g) {
    double[] dual = null;
    for (LatticeKernel.Block block : kernel.blocks())
      for (LatticeKernel.Part part : block.parts()) {
        if (!(part instanceof ModulatedPart s)) continue;
        for (int c = 0; c < s.vectors(); c++)
          for (int f = 0; f < s.factors(); f++) {
            if (dual == null) dual = dual();
            double[] u = placed(block, s.vector(c));
            double[] o = placed(block, s.without(c, f));
            int m = u.length;
            double product = Blas.dot(m, o, 0, dual, 0) * Blas.dot(m, u, 0, dual, 0);
            g[s.centre(c, f)] -= s.weight(c) * (product - explained(o, u));
          }
      }
  }

  private double[] placed(LatticeKernel.Block block, double[] vector) {
    double[] all = new double[size()];
    System.arraycopy(vector, 0, all, block.start(), vector.length);
    return all;
  }

  /// `Wα = (b − Ga)/σ²`.
  @Override
  public double[] dual() {
    double[] b = system.statistics().projected();
    double[] a = mean();
    int m = a.length;
    for (int i = 0; i < coefficients.length; i++) {
      double[] c = system.statistics().lattice().basis(i);
      for (int k = 0; k < m; k++) a[k] += coefficients[i] * c[k];
    }
    double[] ga = new double[m];
    system.statistics().gram().apply(a, ga);
    for (int i = 0; i < m; i++) b[i] = (b[i] - ga[i]) / noise;
    return b;
  }

  /// a, the posterior mean of the lattice values less the prior mean.
  public double[] mean() {
    double[] a = new double[size()];
    system.synthesise(1, unpacked(1, 1, z), a);
    return a;
  }

  @Override
  public double floor() {
    return 4 * EPSILON * EPSILON * kernel.maxVariance();
  }

  @Override
  public StencilMatrix stencil() {
    if (!(system.statistics().lattice() instanceof Grid grid))
      throw new UnsupportedOperationException("an additive lattice has no single stencil");
    int k = active.length;
    int lead = grid.axis(0).points();
    int groups = (k + COLUMNS - 1) / COLUMNS;
    double[][][] x = new double[groups][][];
    Parallel.forEach(groups, g -> x[g] = columns(g * COLUMNS, Math.min(k, (g + 1) * COLUMNS)));
    StencilGram gram = new StencilGram(StencilMatrix.zero(grid));
    int most = Math.max(4 * StencilGram.REACH, NUMBERS / (grid.stride(0) * COLUMNS));
    Parallel.chunks(
        lead,
        most,
        (chunk, from, to) -> {
          int reach = Math.min(lead, to + StencilGram.REACH);
          double[] z = new double[(reach - from) * grid.stride(0) * Math.min(k, COLUMNS)];
          for (int g = 0; g < groups; g++) {
            int count = Math.min(COLUMNS, k - g * COLUMNS);
            system.rows(count, x[g], from, reach, z);
            gram.add(1, count, from, to, z, from);
          }
        });
    return gram.matrix();
  }

  /// Columns from ≤ c < to of `σ Λ^½L⁻ᵀ`.
  private double[][] columns(int from, int to) {
    int k = active.length;
    int count = to - from;
    double[] x = new double[system.rank() * count];
    double sigma = Math.sqrt(noise);
    for (int c = 0; c < count; c++)
      for (int j = 0; j <= from + c; j++)
        x[active[j] * count + c] = sigma * scale[active[j]] * lower[(from + c) * k + j];
    return system.spread(count, x);
  }

  /// `Zw` for a stencil.
  private double[] root(Stencils points, int p) {
    double[] phi = new double[system.rank()];
    system.features(points, p, phi, 0);
    return project(phi);
  }

  /// `σ L⁻¹ Λ^½ φ` for coefficients of all modes.
  private double[] project(double[] phi) {
    int k = active.length;
    double[] out = new double[k];
    Blas.gemv(false, k, k, 1, lower, 0, k, packed(1, phi), 0, 0, out, 0);
    return out;
  }

  /// `σΛ^½φ` over the active modes, for `count` rows of coefficients of all modes.
  private double[] packed(int count, double[] phi) {
    int k = active.length;
    int r = system.rank();
    double sigma = Math.sqrt(noise);
    double[] x = new double[count * k];
    for (int c = 0; c < count; c++)
      for (int i = 0; i < k; i++) x[c * k + i] = sigma * scale[active[i]] * phi[c * r + active[i]];
    return x;
  }

  /// `factor Λ^½x` as coefficients of all modes, for `count` rows over the active ones.
  private double[] unpacked(int count, double factor, double[] x) {
    int k = active.length;
    int r = system.rank();
    double[] phi = new double[count * r];
    for (int c = 0; c < count; c++)
      for (int i = 0; i < k; i++) phi[c * r + active[i]] = factor * scale[active[i]] * x[c * k + i];
    return phi;
  }

  @Override
  public double[] variances(Stencils points) {
    double[] out = new double[points.count()];
    Parallel.forEach(
        out.length,
        p -> {
          double[] z = root(points, p);
          out[p] = Blas.dot(z.length, z, 0, z, 0);
        });
    return out;
  }

  @Override
  protected double[] panel(Stencils sums, int from, int count) {
    int k = active.length;
    double[] phi = new double[PANEL * system.rank()];
    Parallel.forEach(count, c -> system.features(sums, from + c, phi, c * system.rank()));
    double[] z = new double[PANEL * k];
    Blas.gemm(false, true, PANEL, k, k, packed(PANEL, phi), lower, z);
    double[] out = new double[count];
    for (int c = 0; c < count; c++) out[c] = Blas.dot(k, z, c * k, z, c * k);
    return out;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] between(Stencils a, Stencils b) {
    double[] out = new double[Budget.covariance(a.count(), b.count())];
    double[][] left = roots(a);
    double[][] right = a == b ? left : roots(b);
    Parallel.forEach(
        a.count(),
        i -> {
          for (int j = 0; j < b.count(); j++)
            out[i * b.count() + j] = Blas.dot(active.length, left[i], 0, right[j], 0);
        });
    return out;
  }

  private double[][] roots(Stencils points) {
    double[][] all = new double[points.count()][];
    Parallel.forEach(points.count(), p -> all[p] = root(points, p));
    return all;
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    int k = active.length;
    double[] phi = new double[count * system.rank()];
    system.analyse(count, v, phi);
    double[] y = packed(count, phi);
    double[] z = new double[count * k];
    Blas.gemm(false, true, count, k, k, y, lower, z);
    Blas.gemm(false, false, count, k, k, z, lower, y);
    system.synthesise(count, unpacked(count, Math.sqrt(noise), y), pv);
  }

  /// With e what the predictor leaves of w, `e = w − GPw/σ²`, the modes left out add at most their
  /// prior variance times `‖e‖₁²` to the variance. Rounding of K, G, H and B counts as the variance
  /// depends on them: with `Pw = Fx` and `y = L⁻ᵀZw`, `eᵀδKe`, `(Pw)ᵀδG(Pw)/σ²`, `xᵀδHx/σ²`,
  /// `yᵀδBy`; that of L⁻¹ as its condition.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    double tail = system.tail(kernel, scale);
    double own = system.rounding() * kernel.maxVariance();
    double sums = 16 * EPSILON * system.statistics().weightSum();
    int m = size();
    int k = active.length;
    int r = system.rank();
    int count = points.count();
    double[] phi = new double[count * r];
    Parallel.forEach(count, p -> system.features(points, p, phi, p * r));
    double[] y = packed(count, phi);
    double[] z = new double[count * k];
    Blas.gemm(false, true, count, k, k, y, this.lower, z);
    Blas.gemm(false, false, count, k, k, z, this.lower, y);
    double[] x = unpacked(count, Math.sqrt(noise), y);
    double[] pw = new double[m * count];
    double[] e = new double[m * count];
    if (system.statistics().gram() instanceof StencilMatrix gram) {
      double[][] spread = system.spread(count, Dense.transposed(count, r, x));
      int lead = gram.grid().axis(0).points();
      system.rows(count, spread, 0, lead, pw);
      gram.applyColumns(count, pw, e);
    } else {
      system.synthesise(count, x, e);
      double[] image = new double[count * m];
      system.statistics().gram().applyBlock(count, e, image);
      pw = Dense.transposed(count, m, e);
      e = Dense.transposed(count, m, image);
    }
    for (int i = 0; i < e.length; i++) e[i] /= -noise;
    for (int p = 0; p < count; p++)
      for (int s = 0; s < points.width(); s++)
        e[points.index(p, s) * count + p] += points.weight(p, s);
    double[] norm = new double[count];
    for (int i = 0; i < m; i++)
      for (int p = 0; p < count; p++) norm[p] += Math.abs(e[i * count + p]);
    double[] moved = gramRounding.quadratics(count, pw);
    for (int p = 0; p < count; p++) {
      double v = Blas.dot(k, z, p * k, z, p * k);
      double squared = norm[p] * norm[p];
      double error =
          own * squared
              + solving * Math.sqrt(v * kernel.maxVariance())
              + rounding * Blas.dot(k, y, p * k, y, p * k)
              + (sums * Blas.dot(r, x, p * r, x, p * r) + moved[p]) / noise
              + floor();
      lower[p] = Math.max(0, v - error);
      upper[p] = v + tail * squared + error;
    }
  }

  /// `‖e‖₁/√v` of [#certify] at every lattice point, given the smallest variance.
  private double predictor(double least) {
    double squares = 0; // tr B⁻¹, and tr(GP)/σ² = k − σ² tr B⁻¹
    for (double l : lower) squares += l * l;
    double freedom = Math.max(0, active.length - noise * squares) + 1e-9 * active.length;
    return GramRounding.predictor(system.statistics(), least, freedom, noise);
  }

  /// What the modes left out add to any variance, relative to it, given the smallest variance.
  double missing(double least) {
    double e = predictor(least);
    return system.tail(kernel, scale) * e * e;
  }

  /// As [#certify], with `‖y‖² ≤ v/σ²` since `B ⪰ σ²I`, and `‖x‖² ≤ λv` for the heaviest mode's λ.
  @Override
  public double everywhere(StencilMatrix entries) {
    double least = GramRounding.least(entries);
    if (!(least > 0)) return Double.POSITIVE_INFINITY;
    double e = predictor(least);
    double heaviest = 0;
    for (double s : scale) heaviest = Math.max(heaviest, s * s);
    double sums = 16 * EPSILON * system.statistics().weightSum();
    double error =
        system.rounding() * kernel.maxVariance() * e * e
            + solving * Math.sqrt(kernel.maxVariance() / least)
            + (rounding + sums * heaviest + gramRounding.relative(entries)) / noise
            + floor() / least;
    return 2 * error + missing(least);
  }

  @Override
  public long bytes() {
    return 8L * (lower.length + z.length);
  }

  @Override
  public Engine engine() {
    return Engine.SPECTRAL;
  }

  @Override
  public String describe() {
    return "spectral, " + active.length + " modes";
  }

  @Override
  public PosteriorRoot root() {
    return new Root();
  }

  /// `F Λ^½ σL⁻ᵀ`: exact draws from the r × r factor.
  private final class Root implements PosteriorRoot {
    @Override
    public int size() {
      return kernel.size();
    }

    @Override
    public int normals() {
      return active.length;
    }

    @Override
    public void apply(int count, double[] xi, double[] u) {
      int k = active.length;
      double[] back = Arrays.copyOf(xi, count * k);
      if (k > 0) Blas.trmm(true, false, count, k, 1, lower, 0, k, back, 0, k);
      system.synthesise(count, unpacked(count, Math.sqrt(noise), back), u);
    }

    @Override
    public int[] leading(int most) {
      int k = active.length;
      double[] weight = new double[k];
      for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
          double entry = scale[active[j]] * lower[i * k + j];
          weight[i] += entry * entry;
        }
      return IntStream.range(0, k)
          .boxed()
          .sorted(Comparator.comparingDouble((Integer i) -> -weight[i]))
          .limit(most)
          .mapToInt(Integer::intValue)
          .toArray();
    }

    @Override
    public String describe() {
      return SpectralCovariance.this.describe();
    }
  }
}
