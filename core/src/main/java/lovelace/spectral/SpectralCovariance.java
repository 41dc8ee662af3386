package lovelace.spectral;

import java.util.Arrays;
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
import lovelace.linear.Parallel;
import lovelace.modes.ModeStatistics;
import lovelace.plan.Engine;

/// The posterior in the coordinates of the kernel's modes (Fourier's, or its own eigenvectors on
/// the grid), exact for the modes kept. With `B = σ²I + Λ^½HΛ^½ = LLᵀ`:
///
/// ```
/// a = F Λ^½ z,  z = B⁻¹Λ^½f        P = ZᵀZ,  Z = σ L⁻¹ Λ^½ Fᵀ        log|A| = (n − r) log σ² + log|B|
/// ∂ log p/∂ log λⱼ = ½ (zⱼ² − 1 + σ² (B⁻¹)ⱼⱼ)
/// ```
///
/// A variance is a sum of squares, so it cannot be negative. Modes whose weight is below rounding,
/// relative to the largest, are dropped. Their prior variance bounds the variance that the
/// posterior lacks ([#certify]).
public final class SpectralCovariance extends LatticeCovariance implements ModeStatistics.Slopes {

  private static final int NUMBERS = 1 << 18; // of Z at a time in one thread

  private final ModeStatistics system;
  private final Hyperparameters hyperparameters;
  private final SpectralFactor factor;
  private final SpectralErrors errors;
  private final double[] z;
  private final double logDeterminant;
  private final double jitter; // added to the diagonal of B
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
    int[] active = ModeStatistics.heavy(lambda, floor);
    double[] scale = new double[lambda.length];
    for (int j : active) scale[j] = Math.sqrt(lambda[j]);
    int kept = active.length;
    coefficients = system.centre(hyperparameters.mean());
    double[] f = system.projected(coefficients);
    squares = system.squares(coefficients);
    double[] b = system.matrix(active, scale, noise);
    double trace = 0;
    for (int i = 0; i < kept; i++) trace += b[i * kept + i];
    Cholesky cholesky = Cholesky.adopt(b, kept);
    jitter = cholesky.jitter();
    // a jitter j counts (1 + j/σ²) times, because B ⪰ σ²I
    double rounding = jitter * (1 + jitter / noise) + 8 * EPSILON * trace;
    double solving = 0.25 * EPSILON * Math.sqrt(trace / noise);
    logDeterminant = cholesky.logDeterminant();
    z = new double[kept];
    for (int i = 0; i < kept; i++) z[i] = scale[active[i]] * f[active[i]];
    cholesky.solve(z);
    factor = new SpectralFactor(system, noise, scale, active, cholesky.inverseFactor());
    errors = new SpectralErrors(factor, kernel, gramRounding, rounding, solving);
  }

  /// The number of modes in use.
  public int rank() {
    return factor.active.length;
  }

  /// `log p(y)`; −∞ if B is singular in double precision.
  public double logLikelihood() {
    if (jitter > 0) return Double.NEGATIVE_INFINITY;
    double n = system.statistics().count();
    return -0.5 * misfit() / noise
        - 0.5 * ((n - factor.active.length) * Math.log(noise) + logDeterminant)
        - 0.5 * n * Math.log(2 * Math.PI)
        + 0.5 * system.statistics().logWeights();
  }

  /// `σ² (y − μ)ᵀA⁻¹(y − μ)`.
  private double misfit() {
    double[] f = system.projected(coefficients);
    double fit = squares;
    for (int i = 0; i < factor.active.length; i++)
      fit -= factor.scale[factor.active[i]] * f[factor.active[i]] * z[i];
    return fit;
  }

  /// The likelihood with its gradient.
  public Evidence evidence() {
    if (jitter > 0) return Evidence.impossible(hyperparameters);
    int k = factor.active.length;
    double n = system.statistics().count();
    double[] own = new double[hyperparameters.kernel().parameterCount()];
    system.pullBack(kernel, this, own);
    centreGradient(own);
    double trace = Blas.dot(factor.lower.length, factor.lower, 0, factor.lower, 0); // of B⁻¹
    double dNoise =
        0.5 * misfit() / (noise * noise)
            - 0.5 * Blas.dot(k, z, 0, z, 0) / noise
            - 0.5 * ((n - k) / noise + trace);
    double[] mean = system.meanSlopes(coefficients, factor.unpacked(1, 1, z));
    for (int i = 0; i < mean.length; i++) mean[i] /= noise;
    mean = Arrays.copyOf(mean, hyperparameters.mean().size());
    return new Evidence(logLikelihood(), Evidence.gradient(hyperparameters, own, dNoise, mean), 0);
  }

  @Override
  public double[] slopes() {
    int k = factor.active.length;
    double[] diagonal = new double[k]; // of B⁻¹: squared columns of L⁻¹
    for (int i = 0; i < k; i++)
      for (int j = 0; j <= i; j++) diagonal[j] += factor.lower[i * k + j] * factor.lower[i * k + j];
    double[] slope = new double[system.rank()];
    for (int i = 0; i < k; i++) {
      double s = factor.scale[factor.active[i]];
      slope[factor.active[i]] = 0.5 * (z[i] * z[i] - 1 + noise * diagonal[i]) / (s * s);
    }
    return slope;
  }

  /// `σ²B⁻¹` over the active modes, by products of the part of L⁻¹ that is not zero.
  @Override
  public double[] inverse() {
    return factor.inverse();
  }

  @Override
  public int[] active() {
    return factor.active;
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

  /// a, the posterior mean of the lattice values minus the prior mean.
  public double[] mean() {
    double[] a = new double[size()];
    system.synthesise(1, factor.unpacked(1, 1, z), a);
    return a;
  }

  @Override
  public double floor() {
    return errors.floor();
  }

  @Override
  public StencilMatrix stencil() {
    if (!(system.statistics().lattice() instanceof Grid grid))
      throw new UnsupportedOperationException("an additive lattice has no single stencil");
    int k = factor.active.length;
    int lead = grid.axis(0).points();
    int groups = (k + SpectralFactor.COLUMNS - 1) / SpectralFactor.COLUMNS;
    double[][][] x = new double[groups][][];
    Parallel.forEach(
        groups,
        g ->
            x[g] =
                factor.columns(
                    g * SpectralFactor.COLUMNS, Math.min(k, (g + 1) * SpectralFactor.COLUMNS)));
    StencilGram gram = new StencilGram(StencilMatrix.zero(grid));
    int most = Math.max(4 * StencilGram.REACH, NUMBERS / (grid.stride(0) * SpectralFactor.COLUMNS));
    Parallel.chunks(
        lead,
        most,
        (chunk, from, to) -> {
          int reach = Math.min(lead, to + StencilGram.REACH);
          double[] z =
              new double[(reach - from) * grid.stride(0) * Math.min(k, SpectralFactor.COLUMNS)];
          for (int g = 0; g < groups; g++) {
            int count = Math.min(SpectralFactor.COLUMNS, k - g * SpectralFactor.COLUMNS);
            system.rows(count, x[g], from, reach, z);
            gram.add(1, count, from, to, z, from);
          }
        });
    return gram.matrix();
  }

  @Override
  public double[] variances(Stencils points) {
    double[] out = new double[points.count()];
    Parallel.forEach(
        out.length,
        p -> {
          double[] z = factor.root(points, p);
          out[p] = Blas.dot(z.length, z, 0, z, 0);
        });
    return out;
  }

  @Override
  protected double[] panel(Stencils sums, int from, int count) {
    int k = factor.active.length;
    double[] phi = new double[PANEL * system.rank()];
    Parallel.forEach(count, c -> system.features(sums, from + c, phi, c * system.rank()));
    double[] z = new double[PANEL * k];
    Blas.gemm(false, true, PANEL, k, k, factor.packed(PANEL, phi), factor.lower, z);
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
            out[i * b.count() + j] = Blas.dot(factor.active.length, left[i], 0, right[j], 0);
        });
    return out;
  }

  private double[][] roots(Stencils points) {
    double[][] all = new double[points.count()][];
    Parallel.forEach(points.count(), p -> all[p] = factor.root(points, p));
    return all;
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    int k = factor.active.length;
    double[] phi = new double[count * system.rank()];
    system.analyse(count, v, phi);
    double[] y = factor.packed(count, phi);
    double[] z = new double[count * k];
    Blas.gemm(false, true, count, k, k, y, factor.lower, z);
    Blas.gemm(false, false, count, k, k, z, factor.lower, y);
    system.synthesise(count, factor.unpacked(count, Math.sqrt(noise), y), pv);
  }

  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    errors.certify(points, lower, upper);
  }

  /// The share of any variance that the modes left out add at most, given the smallest variance.
  double missing(double least) {
    return errors.missing(least);
  }

  @Override
  public double everywhere(StencilMatrix entries) {
    return errors.everywhere(entries);
  }

  @Override
  public long bytes() {
    return 8L * (factor.lower.length + z.length);
  }

  @Override
  public Engine engine() {
    return Engine.SPECTRAL;
  }

  @Override
  public String describe() {
    return "spectral, " + factor.active.length + " modes";
  }

  @Override
  public PosteriorRoot root() {
    return new SpectralRoot(this, factor);
  }
}
