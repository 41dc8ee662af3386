package lovelace.krylov;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.inference.Coordinates;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.RootSpace;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.statistics.GramRoot;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Works with any kernel on a lattice of any size, by products with K and a root of G
/// ([Coordinates]). The quadratic term comes from conjugate gradients, and the log-determinant from
/// stochastic Lanczos quadrature (Ubaru, Chen and Saad 2017). With `A′ = VᵀKV + σ²I`, `VVᵀ = G`,
/// probes ξ and `T = QᵀA′Q` from ξ,
///
/// ```
/// log|A| = n log σ² + tr log(A′/σ²)        ξᵀ log(A′/σ²) ξ ≈ ‖ξ‖² [log(T/σ²)]₁₁
/// ∂ ξᵀ log A′ ξ = ∫₀^∞ ξᵀ(A′+t)⁻¹ ∂A′ (A′+t)⁻¹ξ dt ≈ ‖ξ‖² Σᵢⱼ sᵢsⱼ log[λᵢ,λⱼ] qᵢᵀ ∂A′ qⱼ
/// ```
///
/// with Ritz pairs (λ, q), their first components s, and the divided differences of the logarithm.
/// The second line is the derivative of the first, not another estimate. So value and gradient
/// agree, and a line search can trust them. Probes are drawn from the engine's seed, and a search
/// keeps those of its first evaluation. This makes the likelihood a deterministic, smooth function
/// of the parameters.
///
/// Deflation preconditions the solves: the kernel's heaviest Fourier modes ([Directions]) are
/// treated exactly, and conjugate gradients work on the rest ([DeflatedSpace]). The error of the
/// log-determinant is kept small in one of two ways. If the rest is small, as for smooth kernels,
/// probes see only the rest. Otherwise they see all of A′, and columns that are correlated get
/// different probes ([Probes]). Evidence states the remaining standard error.
///
/// An evaluation passes directions, probes and its solution to the next ([Evidence#next]).
public final class KrylovEngine implements LatticeEngine {

  /// Options of the engine.
  ///
  /// @param probes about how many random vectors estimate the log-determinant; an eighth of that if
  ///   nearly all of it is treated exactly
  /// @param rank the largest number of directions treated exactly; 0 for none
  /// @param tolerance the relative residual of the quadratic term's solve; a probe's Lanczos run
  ///   stops at its fourth root, by which time the quadrature has long converged
  /// @param limit the largest number of steps of a solve or a Lanczos run
  /// @param seed the seed of the probes
  public record Options(int probes, int rank, double tolerance, int limit, long seed) {

    public static final Options DEFAULT = new Options(128, 512, 1e-8, 2000, 0x1ace);

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

  private static final int TRACE_PROBES = 4;

  /// The relative residual of a posterior mean.
  private static final double MEAN = 1e-10;

  private final Statistics statistics;
  private final Options options;
  private volatile @Nullable Coordinates coordinates;

  public KrylovEngine(Statistics statistics, Options options) {
    this(statistics, options, null);
  }

  private KrylovEngine(Statistics statistics, Options options, @Nullable Coordinates coordinates) {
    this.statistics = statistics;
    this.options = options;
    this.coordinates = coordinates;
  }

  /// The paper's own method: vectors with one entry per observation, `A = WᵀKW + σ²I` itself, plain
  /// probes, and no directions treated separately. Only for comparison with the paper: time and
  /// memory grow with the data. The statistics must be those of the data.
  public static KrylovEngine observations(Statistics statistics, Dataset data, Options options) {
    if (data.size() != statistics.count())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the statistics hold %,.0f observations, and the data have %,d; pass the data they were made from",
              (double) statistics.count(),
              data.size()));
    return new KrylovEngine(statistics, options.withRank(0), Coordinates.of(statistics, data));
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

  /// The results of an evaluation from which the next may start.
  public static final class Known implements WarmStart {
    private final KrylovEngine engine;
    private final Directions directions;
    private final @Nullable Split split;
    private final double @Nullable [] solution; // null if there is none
    private final int iterations;
    private final int steps;

    private Known(
        KrylovEngine engine,
        Directions directions,
        @Nullable Split split,
        double @Nullable [] solution,
        int iterations,
        int steps) {
      this.engine = engine;
      this.directions = directions;
      this.split = split;
      this.solution = solution;
      this.iterations = iterations;
      this.steps = steps;
    }

    /// The number of conjugate gradient steps of the evaluation.
    public int iterations() {
      return iterations;
    }

    /// The number of Lanczos steps of all its probes.
    int steps() {
      return steps;
    }
  }

  private @Nullable Known known(WarmStart start) {
    return start instanceof Known known && known.engine == this ? known : null;
  }

  /// Returns −∞ if a solve or a quadrature does not converge within the limit.
  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    Known known = known(start);
    LatticeProblem problem = LatticeProblem.of(statistics, h);
    Coordinates own = coordinates();
    GramRoot root = own.root();
    RootSpace whole = new RootSpace(problem.kernel(), root, problem.noise());
    int n = whole.size();
    double noise = problem.noise();
    double count = statistics.count();
    double[] g = new double[h.kernel().parameterCount()];

    Directions along = directions(problem, whole, known);
    DeflatedSpace space = new DeflatedSpace(whole, statistics.gram(), along);
    double[] beta = problem.target(root, own.target());
    ConjugateGradients.Solution solved = solve(space, beta, options.tolerance, known);
    int iterations = solved.iterations();
    double[] alpha = solution(space, beta, options.tolerance, solved);
    Split chosen = known == null ? null : known.split;
    if (alpha == null)
      return Evidence.impossible(h).before(new Known(this, along, chosen, null, iterations, 0));
    double outside = Math.max(0, problem.squares() - Blas.dot(n, beta, 0, beta, 0));
    double fit = outside / noise + quadratic(whole, alpha, beta);
    double[] dual = new double[whole.liftedSize()];
    root.apply(alpha, dual);
    problem.kernel().gradient(1, dual, dual, 0.5, g);
    double slope =
        0.5 * (outside / (noise * noise) + Blas.dot(n, alpha, 0, alpha, 0)) - 0.5 * count / noise;

    if (chosen == null) chosen = split(space, own);
    LanczosQuadrature.Estimate estimate =
        new LanczosQuadrature(options.tolerance, options.limit)
            .estimate(problem, chosen.deflated ? space : new DeflatedSpace(whole), chosen.probes);
    Known next = new Known(this, along, chosen, alpha, iterations, estimate.steps);
    if (!estimate.converged) return Evidence.impossible(h).before(next);
    for (int i = 0; i < g.length; i++) g[i] -= 0.5 * estimate.gradient[i];
    slope -= 0.5 * estimate.slope;
    double value =
        -0.5 * (fit + count * Math.log(noise) + estimate.value + count * Math.log(2 * Math.PI))
            + 0.5 * statistics.logWeights();
    return new Evidence(
            value, Evidence.gradient(problem, g, slope, dual), 0.5 * estimate.standardError)
        .before(next);
  }

  private Coordinates coordinates() {
    Coordinates own = coordinates;
    if (own == null) coordinates = own = Coordinates.of(statistics);
    return own;
  }

  private Directions directions(LatticeProblem problem, RootSpace whole, @Nullable Known known) {
    return known != null ? known.directions : Directions.of(problem, whole, options.rank);
  }

  /// Solves for the part of `A′⁻¹β` outside the directions, starting from an earlier solution if
  /// there is one.
  private ConjugateGradients.Solution solve(
      DeflatedSpace space, double[] beta, double tolerance, @Nullable Known known) {
    double[] rest = space.reduced(beta);
    double[] start = known == null || known.solution == null ? null : known.solution.clone();
    if (start != null) space.deflate(start);
    boolean zero = Arrays.stream(rest).allMatch(v -> v == 0);
    return new ConjugateGradients(tolerance, options.limit)
        .solve(space, 1, rest, zero ? null : start);
  }

  /// `A′⁻¹β`, or null if conjugate gradients failed.
  private static double @Nullable [] solution(
      DeflatedSpace space, double[] beta, double tolerance, ConjugateGradients.Solution solved) {
    return solved.residual() <= 1e3 * tolerance ? space.solution(beta, solved.x()) : null;
  }

  /// `2βᵀα − αᵀA′α`, which equals `βᵀA′⁻¹β` up to the square of the error of α.
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

  /// Probes for the log-determinant, and whether they see only the rest that the directions leave,
  /// or all of A′.
  private record Split(Probes probes, boolean deflated) {}

  /// Probes see only the rest after deflation if it is small, at most σ² per direction. If it is
  /// larger, it is spread over the lattice, and coloured probes no longer help.
  private Split split(DeflatedSpace space, Coordinates own) {
    int n = space.size();
    boolean none = space.rank() == 0 || n == 0;
    SplittableRandom random = new SplittableRandom(options.seed ^ 0x7ace);
    double left = 0;
    for (int p = 0; p < TRACE_PROBES && !none; p++) {
      double[] z = new double[n];
      for (int i = 0; i < n; i++) z[i] = random.nextBoolean() ? 1 : -1;
      space.deflate(z);
      double[] lifted = new double[space.liftedSize()];
      double[] image = new double[n];
      space.lift(1, z, lifted);
      space.project(1, lifted, image);
      left += Blas.dot(n, z, 0, image, 0) / TRACE_PROBES;
    }
    boolean deflated = !none && left <= space.rank() * space.shift();
    int count = deflated ? Math.max(2, options.probes / 8) : options.probes;
    return new Split(Probes.of(statistics, own.root(), count, options.seed), deflated);
  }

  /// Computes the covariance by LOVE to the tolerance, and the mean by conjugate gradients.
  @Override
  public LatticeDistribution posterior(Hyperparameters h, double tolerance, WarmStart start) {
    LatticeProblem problem = LatticeProblem.of(statistics, h);
    return new LatticeDistribution(
        problem, Love.DEFAULT.withTolerance(tolerance).build(problem), mean(problem, known(start)));
  }

  private LatticeProblem.Mean mean(LatticeProblem problem, @Nullable Known known) {
    Coordinates own = coordinates();
    RootSpace whole = new RootSpace(problem.kernel(), own.root(), problem.noise());
    double[] beta = problem.target(own.root(), own.target());
    Directions along = directions(problem, whole, known);
    DeflatedSpace space = new DeflatedSpace(whole, statistics.gram(), along);
    double[] alpha = solution(space, beta, MEAN, solve(space, beta, MEAN, known));
    return alpha == null
        ? problem.solve(ConjugateGradients.DEFAULT)
        : problem.lifted(whole, beta, alpha, 0);
  }
}
