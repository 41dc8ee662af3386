package lovelace.inference;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.CompressedWeights;
import lovelace.grid.GridStatistics;
import lovelace.grid.LatticeRoot;
import lovelace.grid.SparseRoot;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.krylov.ConjugateGradients;
import lovelace.krylov.Lanczos;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The Krylov engine: any kernel on a lattice of any size, by products with K and a root of G
/// ([LatticeRoot] or the compressed weights). The quadratic term comes from conjugate gradients,
/// the log-determinant from stochastic Lanczos quadrature (Ubaru, Chen and Saad 2017): with `A′ =
/// VᵀKV + σ²I`, `VVᵀ = G`, probes ξ and `T = QᵀA′Q` from ξ,
///
/// ```
/// log|A| = n log σ² + tr log(A′/σ²)        ξᵀ log(A′/σ²) ξ ≈ ‖ξ‖² [log(T/σ²)]₁₁
/// ∂ ξᵀ log A′ ξ = ∫₀^∞ ξᵀ(A′+t)⁻¹ ∂A′ (A′+t)⁻¹ξ dt ≈ ‖ξ‖² Σᵢⱼ sᵢsⱼ log[λᵢ,λⱼ] qᵢᵀ ∂A′ qⱼ
/// ```
///
/// with Ritz pairs (λ, q), their first components s, and the divided differences of the logarithm.
/// The second line is the derivative of the first, not another estimate: value and gradient belong
/// together, so that a line search can trust them. Probes are drawn once in the engine's life,
/// which makes the likelihood a deterministic, smooth function of the parameters.
///
/// The error of the estimate is kept small in two ways: probes that keep apart what is correlated
/// ([Probes]), good for rough kernels; and where a Krylov space of modest rank carries nearly all
/// of A′ at the first evaluation, that space is treated exactly ([DeflatedSpace]), good for smooth
/// ones. Evidence states the standard error that is left.
///
/// Remembers the last solution as the next start; results are the same bits for the same sequence
/// of calls.
public final class KrylovEngine implements Engine {

  /// How the engine works.
  ///
  /// @param probes about how many random vectors estimate the log-determinant
  /// @param rank the most directions treated exactly; 0 for none
  /// @param tolerance the relative residual of the quadratic term's solve; a probe's Lanczos run
  ///   stops at its square root, which its quadrature squares
  /// @param limit the most steps of a solve or a Lanczos run
  /// @param seed of the probes
  public record Options(int probes, int rank, double tolerance, int limit, long seed) {

    public static final Options DEFAULT = new Options(128, 128, 1e-8, 2000, 0x1ace);

    public Options {
      if (probes < 2) throw new IllegalArgumentException("probes must be >= 2, got " + probes);
      if (rank < 0) throw new IllegalArgumentException("rank must be >= 0, got " + rank);
      if (!(tolerance > 0 && tolerance < 1))
        throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
      if (limit < 1) throw new IllegalArgumentException("limit must be >= 1, got " + limit);
    }

    public Options withProbes(int value) {
      return new Options(value, rank, tolerance, limit, seed);
    }

    public Options withRank(int value) {
      return new Options(probes, value, tolerance, limit, seed);
    }

    public Options withTolerance(double value) {
      return new Options(probes, rank, value, limit, seed);
    }

    public Options withLimit(int value) {
      return new Options(probes, rank, tolerance, value, seed);
    }

    public Options withSeed(long value) {
      return new Options(probes, rank, tolerance, limit, value);
    }
  }

  private static final int CHUNK = 8;
  private static final int TRACE_PROBES = 4;
  private static final int ENTRIES = 50_000_000; // of a lattice root

  private final Statistics statistics;
  private final Options options;
  private @Nullable Coordinates coordinates;
  private double @Nullable [] basis; // rows to deflate, chosen at the first evaluation
  private double @Nullable [] solution;
  private int iterations;
  private int steps;

  public KrylovEngine(Statistics statistics, Options options) {
    this.statistics = statistics;
    this.options = options;
  }

  public KrylovEngine(Statistics statistics) {
    this(statistics, Options.DEFAULT);
  }

  @Override
  public String name() {
    return "krylov";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  /// The steps of conjugate gradients in the last evaluation.
  public synchronized int iterations() {
    return iterations;
  }

  /// The Lanczos steps of all probes in the last evaluation.
  public synchronized int steps() {
    return steps;
  }

  /// −∞ where a solve or a quadrature does not converge within the limit.
  @Override
  public synchronized Evidence evidence(Hyperparameters h) {
    GridSystem system = GridSystem.of(statistics, h);
    Coordinates own = coordinates;
    if (own == null) coordinates = own = coordinates(system);
    SparseRoot root = own.root;
    RootSpace whole = new RootSpace(system.kernel(), root, system.noise());
    int n = whole.size();
    double noise = system.noise();
    double count = statistics.count();
    double[] g = new double[h.kernel().parameterCount()];

    double[] beta = system.target(root, own.target);
    ConjugateGradients solver = new ConjugateGradients(options.tolerance, options.limit);
    boolean zero = Arrays.stream(beta).allMatch(v -> v == 0);
    ConjugateGradients.Solution solved = solver.solve(whole, 1, beta, zero ? null : solution);
    if (!(solved.residual() <= 1e3 * options.tolerance)) {
      solution = null;
      return Evidence.impossible(h);
    }
    iterations = solved.iterations();
    double[] alpha = solved.x();
    solution = alpha.clone();
    double outside = Math.max(0, system.squares() - Blas.dot(n, beta, 0, beta, 0));
    double fit = outside / noise + quadratic(whole, alpha, beta);
    double[] dual = new double[whole.liftedSize()];
    root.apply(alpha, dual);
    system.kernel().gradient(1, dual, dual, 0.5, g);
    double slope =
        0.5 * (outside / (noise * noise) + Blas.dot(n, alpha, 0, alpha, 0)) - 0.5 * count / noise;

    double[] rows = basis;
    if (rows == null) basis = rows = leading(system, whole);
    DeflatedSpace space = new DeflatedSpace(whole, n == 0 ? 0 : rows.length / n, rows);
    Estimate estimate = estimate(system, space, own);
    steps = estimate.steps;
    if (!estimate.converged) return Evidence.impossible(h);
    for (int i = 0; i < g.length; i++) g[i] -= 0.5 * estimate.gradient[i];
    slope -= 0.5 * estimate.slope;
    double value =
        -0.5 * (fit + count * Math.log(noise) + estimate.value + count * Math.log(2 * Math.PI))
            + 0.5 * statistics.logWeights();
    return new Evidence(
        value, Evidence.gradient(system, g, slope, dual), 0.5 * estimate.standardError);
  }

  /// A root of G, the target about its origin in its coordinates, and probes for it.
  private static final class Coordinates {
    final SparseRoot root;
    final double[] target;
    final Probes probes;

    Coordinates(SparseRoot root, double[] target, Probes probes) {
      this.root = root;
      this.target = target;
      this.probes = probes;
    }
  }

  /// One column a lattice point where the data fill the lattice; else the compressed weights.
  private Coordinates coordinates(GridSystem system) {
    if (statistics instanceof GridStatistics data
        && data.grid().dimensions() < 4
        && !system.rooted()) {
      int m = data.grid().size();
      LatticeRoot root = LatticeRoot.of(data.stencil(), (int) Math.min(ENTRIES, 1000L * m));
      if (root != null) {
        int[] place = new int[m];
        Arrays.setAll(place, i -> i);
        Probes probes =
            Probes.coloured(data.grid(), place, new int[m], options.probes, options.seed);
        return new Coordinates(root, root.coordinates(data.projected()), probes);
      }
    }
    CompressedWeights root = statistics.compressed();
    int n = root.columns();
    Probes probes = Probes.plain(n, options.probes, options.seed);
    if (statistics instanceof GridStatistics data) {
      int[] place = new int[n];
      int[] number = new int[n];
      root.places(place, number);
      probes = Probes.coloured(data.grid(), place, number, options.probes, options.seed);
    }
    return new Coordinates(root, root.target(), probes);
  }

  /// `2βᵀα − αᵀA′α`, which is `βᵀA′⁻¹β` up to the square of α's error.
  private static double quadratic(RootSpace space, double[] alpha, double[] beta) {
    int n = space.size();
    double[] lifted = new double[space.liftedSize()];
    double[] image = new double[n];
    space.lift(1, alpha, lifted);
    space.project(1, lifted, image);
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += alpha[i] * (2 * beta[i] - image[i] - space.shift() * alpha[i]);
    return sum;
  }

  /// Orthonormal rows that carry nearly all of A′ − σ²I, what they leave adding up to at most σ² a
  /// row; none where the rank allowed does not do it.
  private double[] leading(GridSystem system, RootSpace space) {
    int n = space.size();
    int most = Math.min(options.rank, n);
    if (most == 0 || (long) most * n > 100_000_000L) return new double[0];
    Lanczos run = new Lanczos(space, system.probe(space));
    double[] probes = new double[TRACE_PROBES * n];
    SplittableRandom random = new SplittableRandom(options.seed ^ 0x7ace);
    for (int i = 0; i < probes.length; i++) probes[i] = random.nextBoolean() ? 1 : -1;
    while (run.steps() < most && !run.exhausted()) {
      run.run(Math.min(32, most - run.steps()));
      int k = run.steps();
      double[] rows = Arrays.copyOf(run.basis(), k * n);
      double[] z = probes.clone();
      double[] c = new double[TRACE_PROBES * k];
      Blas.gemm(false, true, TRACE_PROBES, k, n, 1, z, 0, n, rows, 0, n, 0, c, 0, k);
      Blas.gemm(false, false, TRACE_PROBES, n, k, -1, c, 0, k, rows, 0, n, 1, z, 0, n);
      double[] lifted = new double[TRACE_PROBES * space.liftedSize()];
      double[] image = new double[z.length];
      space.lift(TRACE_PROBES, z, lifted);
      space.project(TRACE_PROBES, lifted, image);
      double left = Blas.dot(z.length, z, 0, image, 0) / TRACE_PROBES;
      if (left <= 0.01 * k * space.shift() || (k == most && left <= k * space.shift())) return rows;
    }
    return new double[0];
  }

  /// `tr log(A′/σ²)` with its derivatives.
  private static final class Estimate {
    double value;
    double slope; // in σ²
    double[] gradient; // in the kernel's parameters
    double standardError;
    boolean converged = true;
    int steps;

    Estimate(int parameters) {
      gradient = new double[parameters];
    }
  }

  private Estimate estimate(GridSystem system, DeflatedSpace space, Coordinates own) {
    Probes probes = own.probes;
    int n = space.size();
    int parameters = system.hyperparameters().kernel().parameterCount();
    double noise = space.shift();
    Estimate total = new Estimate(parameters);
    int k = space.rank();
    if (k > 0) {
      double[] white = space.whitened();
      double[] grid = new double[k * space.liftedSize()];
      new RootSpace(system.kernel(), own.root, noise).embed(k, white, grid);
      system.kernel().gradient(k, grid, grid, 1, total.gradient);
      total.value = space.logDeterminant() - k * Math.log(noise);
      total.slope = Blas.dot(k * n, white, 0, white, 0) - k / noise;
    }
    Estimate[] parts = new Estimate[probes.count()];
    double[][] entries = new double[probes.count()][];
    Parallel.forEach(parts.length, p -> parts[p] = probe(system, space, probes, p, entries));
    for (int p = 0; p < parts.length; p++) {
      double weight = probes.weight(p);
      total.value += weight * parts[p].value;
      total.slope += weight * parts[p].slope;
      for (int i = 0; i < parameters; i++) total.gradient[i] += weight * parts[p].gradient[i];
      total.converged &= parts[p].converged;
      total.steps += parts[p].steps;
    }
    // a run that stops at residual √tolerance leaves the quadrature an error of tolerance ‖ξ‖²
    if (total.converged)
      total.standardError = Math.hypot(probes.standardError(entries), options.tolerance * n);
    return total;
  }

  /// `ξᵀ log(S/σ²) ξ` for one probe; `entries[p]` receives `ξᵢ(log(S/σ²)ξ)ᵢ` if it is repeated.
  private Estimate probe(
      GridSystem system, DeflatedSpace space, Probes probes, int p, double[][] entries) {
    int n = space.size();
    double noise = space.shift();
    Estimate out = new Estimate(system.hyperparameters().kernel().parameterCount());
    double[] signs = probes.signs(p);
    double[] xi = signs.clone();
    space.deflate(1, xi);
    double squared = Blas.dot(n, xi, 0, xi, 0);
    if (probes.repeated(p)) entries[p] = new double[n];
    if (!(squared > 1e-20 * n)) return out;
    Lanczos run = new Lanczos(space, xi);
    out.converged = converge(run);
    if (!out.converged) return out;
    int k = run.steps();
    out.steps = k;
    double[] lambda = new double[k];
    double[] ritz = new double[k * k]; // row i is the i-th eigenvector of T
    for (int j = 0; j < k; j++) {
      ritz[j * k + j] = run.alpha(j);
      if (j > 0) ritz[j * k + j - 1] = run.beta(j - 1);
    }
    Blas.eigen(k, ritz, lambda);
    double[] log = new double[k];
    double inverse = 0;
    for (int i = 0; i < k; i++) {
      lambda[i] = Math.max(lambda[i], noise);
      double first = ritz[i * k];
      log[i] = Math.log(lambda[i] / noise);
      out.value += squared * first * first * log[i];
      inverse += squared * first * first / lambda[i];
    }
    // coefficients, in the Lanczos basis, of vectors whose outer products add up to the derivative
    double[] c = derivative(k, lambda, log, ritz, squared);
    int r = c.length / k;
    double[] v = new double[r * n];
    Blas.gemm(false, false, r, n, k, 1, c, 0, k, run.basis(), 0, n, 0, v, 0, n);
    if (space.rank() > 0) {
      double[] expanded = new double[r * n];
      space.expand(r, v, expanded);
      inverse = Blas.dot(r * n, expanded, 0, expanded, 0);
    }
    double[] grid = new double[r * space.liftedSize()];
    space.embed(r, v, grid);
    system.kernel().gradient(r, grid, grid, 1, out.gradient);
    out.slope = inverse - squared / noise;
    if (probes.repeated(p)) {
      double[] f = new double[k]; // log(T/σ²) e₁
      for (int i = 0; i < k; i++) Blas.axpy(k, log[i] * ritz[i * k], ritz, i * k, f, 0);
      Blas.gemv(true, k, n, Math.sqrt(squared), run.basis(), 0, n, f, 0, 0, entries[p], 0);
      for (int i = 0; i < n; i++) entries[p][i] *= signs[i];
    }
    return out;
  }

  /// Runs until the solution of `A x = ξ` implied by the Lanczos vectors has a relative residual
  /// below the square root of the tolerance: `β_k |[T⁻¹]_k1|`, from the pivots of T.
  private boolean converge(Lanczos run) {
    double enough = Math.sqrt(options.tolerance);
    double pivot = 1;
    double last = 1;
    int done = 0;
    while (true) {
      run.run(CHUNK);
      for (int j = done; j < run.steps(); j++) {
        double below = j > 0 ? run.beta(j - 1) : 0;
        double carry = below / pivot;
        pivot = run.alpha(j) - below * carry;
        last = j > 0 ? last * carry : 1;
      }
      done = run.steps();
      double residual = run.beta(done - 1) * Math.abs(last / pivot);
      if (residual <= enough || run.exhausted()) return true;
      if (done >= options.limit) return false;
    }
  }

  /// Rows c with `Σ cᵀc = ‖ξ‖² Σᵢⱼ sᵢsⱼ log[λᵢ,λⱼ] zᵢzⱼᵀ` over eigenvectors z of T with first
  /// components s. The matrix of divided differences is positive, and of low rank but for rounding.
  private static double[] derivative(
      int k, double[] lambda, double[] log, double[] ritz, double squared) {
    double[] c = new double[k * k];
    for (int i = 0; i < k; i++)
      for (int j = 0; j <= i; j++) {
        double gap = lambda[i] - lambda[j];
        double slope =
            Math.abs(gap) > 1e-3 * lambda[i]
                ? (log[i] - log[j]) / gap
                : Math.abs(gap) > 0 ? Math.log1p(gap / lambda[j]) / gap : 1 / lambda[i];
        c[i * k + j] = squared * ritz[i * k] * ritz[j * k] * slope;
      }
    double[] weight = new double[k];
    Blas.eigen(k, c, weight);
    int first = 0;
    while (first < k - 1 && !(weight[first] > 1e-11 * weight[k - 1])) first++;
    int r = k - first;
    for (int i = first; i < k; i++) {
      double scale = Math.sqrt(Math.max(weight[i], 0));
      for (int j = 0; j < k; j++) c[i * k + j] *= scale;
    }
    double[] out = new double[r * k];
    Blas.gemm(false, false, r, k, k, 1, c, first * k, k, ritz, 0, k, 0, out, 0, k);
    return out;
  }

  /// LOVE to the tolerance, the mean by conjugate gradients.
  @Override
  public Conditioned condition(Hyperparameters h, double tolerance) {
    GridSystem system = GridSystem.of(statistics, h);
    return new Conditioned(
        system,
        Love.DEFAULT.withTolerance(tolerance).build(system),
        system.mean(ConjugateGradients.DEFAULT));
  }
}
