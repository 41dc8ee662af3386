package lovelace.inference;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Parallel;
import lovelace.linear.Space;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.GramRoot;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The problem of a Gaussian process on a lattice: statistics of the data, the kernel on the
/// lattice, noise and prior mean. This is everything that an engine needs, and no cost depends on
/// the number of observations. Immutable.
public final class LatticeProblem {

  private static final int BATCH = 64;
  private static final int REFINED = 3; // number of restarts of conjugate gradients

  private final Statistics statistics;
  private final Hyperparameters hyperparameters;
  private final LatticeKernel kernel;
  private final double noise;
  private final double[] prior;
  private volatile Statistics.@Nullable Centred centred;
  private volatile @Nullable FactorSpace thin;
  private volatile boolean thick; // there is no thin space

  private LatticeProblem(
      Statistics statistics, Hyperparameters hyperparameters, boolean noiseless) {
    this.statistics = statistics;
    this.hyperparameters = hyperparameters;
    if (!hyperparameters.unset().isEmpty())
      throw new IllegalArgumentException(
          "these parameters have no value: %s; set them or fit them"
              .formatted(String.join(", ", hyperparameters.unset())));
    kernel = LatticeKernel.of(statistics.lattice(), hyperparameters.kernel());
    noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    if (!(noise > 0) && !noiseless)
      throw new IllegalArgumentException(
          "noise must be > 0 on a grid, got "
              + noise
              + "; use a small value such as 1e-8, or the sparse engine for rows on grid points");
    double[] c = hyperparameters.mean().coefficients();
    prior =
        c.length == 0
            ? new double[kernel.size()]
            : statistics.lattice().linear(c[0], Arrays.copyOfRange(c, 1, c.length));
  }

  /// The problem of some data under hyperparameters that all have values.
  public static LatticeProblem of(Statistics statistics, Hyperparameters hyperparameters) {
    return new LatticeProblem(statistics, hyperparameters, false);
  }

  /// As [#of], for an engine that can also interpolate without noise.
  public static LatticeProblem allowingNoNoise(
      Statistics statistics, Hyperparameters hyperparameters) {
    return new LatticeProblem(statistics, hyperparameters, true);
  }

  public Statistics statistics() {
    return statistics;
  }

  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// K, the kernel between lattice points.
  public LatticeKernel kernel() {
    return kernel;
  }

  /// σ², the noise variance plus the kernel's white variance.
  public double noise() {
    return noise;
  }

  /// The prior mean at the lattice points. The caller must not modify it.
  public double[] prior() {
    return prior;
  }

  private Statistics.Centred centred() {
    Statistics.Centred known = centred;
    if (known == null) centred = known = statistics.centred(prior);
    return known;
  }

  /// `b = W(y − μ)`. The caller must not modify it.
  public double[] projected() {
    return centred().projected();
  }

  /// `(y − μ)ᵀ(y − μ)`, weighted.
  public double squares() {
    return centred().squares();
  }

  /// The space in which Krylov methods run: grid coordinates, or those of the compressed weights if
  /// there are fewer of these.
  public Space space() {
    return rooted() ? rootSpace() : gridSpace();
  }

  /// Whether the compressed weights have fewer columns than the lattice has points. G is then
  /// singular.
  public boolean rooted() {
    return statistics.rankBound() < kernel.size();
  }

  /// Grid coordinates with inner product G.
  public Space gridSpace() {
    return new GridSpace(kernel, statistics.gram(), noise);
  }

  /// The coordinates of a thin root of the kernel. Variances are too small by a fraction of at most
  /// `shortfall`. Null if there is no such root.
  public @Nullable FactorSpace factorSpace(double shortfall) {
    FactorSpace known = thin;
    if (known == null && !thick) {
      known = FactorSpace.of(this);
      thick = known == null;
      thin = known;
    }
    return known != null && known.shortfall() <= shortfall ? known : null;
  }

  /// The coordinates of the compressed weights.
  public Space rootSpace() {
    return new RootSpace(kernel, statistics.compressed(), noise);
  }

  /// The coordinates of any root of the Gram matrix, such as W itself.
  public Space space(GramRoot root) {
    return new RootSpace(kernel, root, noise);
  }

  /// The paper's probe `WᵀK1/m` in a space.
  public double[] probe(Space space) {
    int m = kernel.size();
    double[] ones = new double[m];
    Arrays.fill(ones, 1.0 / m);
    double[] k;
    if (space instanceof FactorSpace factor) {
      k = factor.root().contract(1, ones);
    } else {
      k = new double[m];
      kernel.apply(ones, k);
    }
    double[] probe = new double[space.size()];
    space.project(1, k, probe);
    return probe;
  }

  /// β with `Ŵβ = b`: the target minus the prior mean, in the coordinates of the compressed
  /// weights.
  double[] target() {
    CompressedWeights root = statistics.compressed();
    return target(root, root.target());
  }

  /// The same in the coordinates of any root, given those of the target measured from its origin.
  public double[] target(GramRoot root, double[] aboutOrigin) {
    double[] c = statistics.lattice().constant();
    for (int i = 0; i < c.length; i++) c[i] = prior[i] - statistics.origin() * c[i];
    double[] target = aboutOrigin.clone();
    double[] shift = new double[target.length];
    root.applyTransposed(c, shift);
    for (int i = 0; i < target.length; i++) target[i] -= shift[i];
    return target;
  }

  /// `K w` for some points, lifted as the space does it: on the lattice, or as coordinates.
  public double[] lifted(Space space, Stencils points, int from, int count) {
    int m = kernel.size();
    double[] w = new double[Budget.numbers(count, m, "the weights of points", "use fewer at once")];
    for (int p = 0; p < count; p++) points.scatter(from + p, 1, w, p * m);
    if (space instanceof FactorSpace factor) return factor.root().contract(count, w);
    double[] kw = new double[count * m];
    kernel.applyBlock(count, w, kw);
    return kw;
  }

  /// `wᵀKWA⁻¹WᵀKw`, the part of the prior variance of every point that the data explain. Takes one
  /// solve per point.
  public double[] explained(ConjugateGradients solver, Stencils points) {
    Space thin = factorSpace(1e-8);
    Space space = thin == null ? space() : thin;
    int n = space.size();
    int lifted = space.liftedSize();
    double[] out = new double[points.count()];
    Parallel.chunks(
        out.length,
        BATCH,
        (chunk, from, to) -> {
          int count = to - from;
          double[] kw = lifted(space, points, from, count);
          double[] v = new double[count * n];
          space.project(count, kw, v);
          double[] x = solver.solve(space, count, v, null).orThrow();
          space.metric(count, x, v);
          double[] r = new double[count * lifted];
          space.lift(count, v, r);
          for (int p = 0; p < count; p++)
            out[from + p] =
                thin == null
                    ? points.dot(from + p, r, p * lifted)
                    : Blas.dot(lifted, kw, p * lifted, r, p * lifted);
        });
    return out;
  }

  /// a, the posterior mean of the lattice values minus the prior mean. If the kernel has a thin
  /// root, one small Cholesky factorisation gives it. Otherwise conjugate gradients solve `(KG +
  /// σ²)a = Kb` in grid coordinates, or `a = KŴ(ŴᵀKŴ + σ²)⁻¹β`, `Ŵβ = b`, in those of the
  /// compressed weights.
  public Mean solve(ConjugateGradients solver) {
    FactorSpace direct = factorSpace(1e-3);
    if (direct != null) {
      double[] kb = new double[kernel.size()];
      kernel.apply(projected(), kb);
      double[] found = direct.mean(kernel, projected(), kb, solver.tolerance());
      if (found != null) return onGrid(found, 0, kb);
    }
    return mean(solver, null);
  }

  /// The values of [#solve].
  public double[] mean(ConjugateGradients solver) {
    return solve(solver).values();
  }

  /// A mean, the number of conjugate gradient steps, and a bound on its remaining error.
  public static final class Mean {
    private final double[] values;
    private final int iterations;
    private final double spread;
    private final double offset;

    private Mean(double[] values, int iterations, double spread, double offset) {
      this.values = values;
      this.iterations = iterations;
      this.spread = spread;
      this.offset = offset;
    }

    /// A mean that was computed directly.
    static Mean direct(double[] values) {
      return new Mean(values, 0, 0, 0);
    }

    /// A mean whose error after iteration is at most `deviations` standard deviations.
    public static Mean within(double[] values, int iterations, double deviations) {
      return new Mean(values, iterations, deviations, 0);
    }

    /// a. Not a copy.
    public double[] values() {
      return values;
    }

    public int iterations() {
      return iterations;
    }

    /// A bound on the error of the mean at a place, in posterior standard deviations, given the sum
    /// of |w| and the standard deviation there.
    public double error(double weights, double deviation) {
      return offset == 0 ? spread : spread + offset * weights / deviation;
    }
  }

  /// a by conjugate gradients, starting from the mean of similar data: the fewer observations
  /// differ, the fewer steps it takes. In the coordinates of the compressed weights `A⁻¹β = (β −
  /// Ŵᵀa)/σ²`, so the mean of other data gives a start there too. A residual above the tolerance is
  /// refined, and [Mean#error] bounds the rest.
  public Mean mean(ConjugateGradients solver, double @Nullable [] start) {
    int m = kernel.size();
    if (!rooted()) {
      double[] kb = new double[m];
      kernel.apply(projected(), kb);
      ConjugateGradients.Solution solution = solver.solve(gridSpace(), 1, kb, start);
      double[] e = residual(solution.x(), kb);
      if (norm(e) <= 1e3 * solver.tolerance() * norm(kb))
        return onGrid(solution.x(), solution.iterations(), kb);
    }
    CompressedWeights root = statistics.compressed();
    double[] beta = target();
    double[] from = null;
    if (start != null) {
      from = new double[beta.length];
      root.applyTransposed(start, from);
      for (int i = 0; i < from.length; i++) from[i] = (beta[i] - from[i]) / noise;
    }
    Space space = rootSpace();
    ConjugateGradients.Solution solution = solver.solve(space, 1, beta, from);
    int iterations = solution.iterations();
    double left = norm(residual(space, beta, solution.x()));
    for (int round = 0; round < REFINED && left > solver.tolerance() * norm(beta); round++) {
      ConjugateGradients.Solution next = solver.solve(space, 1, beta, solution.x());
      double less = norm(residual(space, beta, next.x()));
      iterations += next.iterations();
      if (!(less < left)) break;
      solution = next;
      left = less;
    }
    return lifted(space, beta, solution.orThrow(1e4 * solver.tolerance()), iterations);
  }

  /// The mean from a solution in the coordinates of a root of the Gram matrix. With `r = β − Ax`,
  /// the error at a place is `αᵀr` for the weights α of its predictor, and `σ²‖α‖² ≤ v`. So it is
  /// at most `‖r‖/σ` standard deviations.
  public Mean lifted(Space space, double[] beta, double[] x, int iterations) {
    double[] a = new double[kernel.size()];
    space.lift(1, x, a);
    return new Mean(a, iterations, norm(residual(space, beta, x)) / Math.sqrt(noise), 0);
  }

  /// With `e = Kb − KGa − σ²a` the error at a place is `(wᵀe − wᵀPGe/σ²)/σ²`. The second part is at
  /// most `√(eᵀGe)/σ³` standard deviations, since `GPG ⪯ σ²G`.
  private Mean onGrid(double[] a, int iterations, double[] kb) {
    double[] e = residual(a, kb);
    double[] ge = new double[e.length];
    statistics.gram().apply(e, ge);
    double largest = 0;
    for (double v : e) largest = Math.max(largest, Math.abs(v));
    double squared = Math.max(0, Blas.dot(e.length, e, 0, ge, 0));
    return new Mean(a, iterations, Math.sqrt(squared / noise) / noise, largest / noise);
  }

  private static double norm(double[] x) {
    return Blas.nrm2(x.length, x, 0);
  }

  /// `β − Ax` in the coordinates of the compressed weights.
  private static double[] residual(Space space, double[] beta, double[] x) {
    double[] lifted = new double[space.liftedSize()];
    double[] r = new double[beta.length];
    space.lift(1, x, lifted);
    space.project(1, lifted, r);
    for (int i = 0; i < r.length; i++) r[i] = beta[i] - r[i] - space.shift() * x[i];
    return r;
  }

  /// `Kb − KGa − σ²a`, which also shows errors that the inner product G does not see.
  public double[] residual(double[] a, double[] kb) {
    int m = a.length;
    double[] ga = new double[m];
    double[] e = new double[m];
    statistics.gram().apply(a, ga);
    kernel.apply(ga, e);
    for (int i = 0; i < m; i++) e[i] = kb[i] - e[i] - noise * a[i];
    return e;
  }
}
