package lovelace.inference;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.CompressedWeights;
import lovelace.grid.GridKernel;
import lovelace.grid.SparseRoot;
import lovelace.grid.Statistics;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.krylov.ConjugateGradients;
import lovelace.krylov.Space;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The linear system of a Gaussian process on a lattice: statistics of the data, the kernel on the
/// lattice, noise and prior mean. Everything an engine needs; nothing in it depends on the number
/// of observations. Immutable.
public final class GridSystem {

  private static final int BATCH = 64;

  private final Statistics statistics;
  private final Hyperparameters hyperparameters;
  private final GridKernel kernel;
  private final double noise;
  private final double[] prior;
  private volatile Statistics.@Nullable Centred centred;
  private volatile @Nullable FactorSpace thin;
  private volatile boolean thick; // there is no thin space

  private GridSystem(Statistics statistics, Hyperparameters hyperparameters) {
    this.statistics = statistics;
    this.hyperparameters = hyperparameters;
    if (!hyperparameters.unset().isEmpty())
      throw new IllegalArgumentException(
          "these parameters have no value: %s; set them or fit them"
              .formatted(String.join(", ", hyperparameters.unset())));
    kernel = GridKernel.of(statistics.lattice(), hyperparameters.kernel());
    noise = hyperparameters.noise() + hyperparameters.kernel().whiteVariance();
    if (!(noise > 0))
      throw new IllegalArgumentException(
          "noise must be > 0 on a grid, got " + noise + "; use a small value such as 1e-8");
    double[] c = hyperparameters.mean().coefficients();
    prior =
        c.length == 0
            ? new double[kernel.size()]
            : statistics.lattice().linear(c[0], Arrays.copyOfRange(c, 1, c.length));
  }

  /// The system of some data under some hyperparameters, all of which must have values.
  public static GridSystem of(Statistics statistics, Hyperparameters hyperparameters) {
    return new GridSystem(statistics, hyperparameters);
  }

  public Statistics statistics() {
    return statistics;
  }

  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// K, the kernel between lattice points.
  public GridKernel kernel() {
    return kernel;
  }

  /// σ², the noise variance with the kernel's white part.
  public double noise() {
    return noise;
  }

  /// The prior mean at the lattice points; not to be modified.
  public double[] prior() {
    return prior;
  }

  private Statistics.Centred centred() {
    Statistics.Centred known = centred;
    if (known == null) centred = known = statistics.centred(prior);
    return known;
  }

  /// `b = W(y − μ)`; not to be modified.
  public double[] projected() {
    return centred().projected();
  }

  /// `(y − μ)ᵀ(y − μ)`, weighted.
  public double squares() {
    return centred().squares();
  }

  /// The space Krylov methods run in: grid coordinates, or those of the compressed weights where
  /// these are fewer.
  public Space space() {
    return rooted() ? rootSpace() : gridSpace();
  }

  /// Whether the compressed weights have fewer columns than there are lattice points, so that G is
  /// singular.
  boolean rooted() {
    return statistics.rankBound() < kernel.size();
  }

  /// Grid coordinates with inner product G.
  public Space gridSpace() {
    return new GridSpace(kernel, statistics.gram(), noise);
  }

  /// The coordinates of a thin root of the kernel, variances too small by a fraction of at most
  /// `shortfall`; null where there are none.
  @Nullable FactorSpace factorSpace(double shortfall) {
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

  /// The coordinates of any root of the Gram matrix, W itself say.
  public Space space(SparseRoot root) {
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

  /// β with `Ŵβ = b`: the target less the prior mean in the coordinates of the compressed weights.
  double[] target() {
    CompressedWeights root = statistics.compressed();
    return target(root, root.target());
  }

  /// The same in those of any root, given the coordinates of the target about its origin.
  double[] target(SparseRoot root, double[] aboutOrigin) {
    double[] c = statistics.lattice().constant();
    for (int i = 0; i < c.length; i++) c[i] = prior[i] - statistics.origin() * c[i];
    double[] target = aboutOrigin.clone();
    double[] shift = new double[target.length];
    root.applyTransposed(c, shift);
    for (int i = 0; i < target.length; i++) target[i] -= shift[i];
    return target;
  }

  /// `K w` of some points, lifted as the space lifts: on the lattice, or by coordinates.
  double[] lifted(Space space, Stencils points, int from, int count) {
    int m = kernel.size();
    double[] w = new double[Budget.numbers(count, m, "the weights of points", "use fewer at once")];
    for (int p = 0; p < count; p++) points.scatter(from + p, 1, w, p * m);
    if (space instanceof FactorSpace factor) return factor.root().contract(count, w);
    double[] kw = new double[count * m];
    kernel.applyBlock(count, w, kw);
    return kw;
  }

  /// `wᵀKWA⁻¹WᵀKw`, what the data explain of the prior variance of every point, by one solve a
  /// point.
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

  /// a, the posterior mean of the lattice values less the prior mean: by one small Cholesky
  /// factorisation where the kernel has a thin root, else by conjugate gradients: `(KG + σ²)a = Kb`
  /// in grid coordinates; `a = KŴ(ŴᵀKŴ + σ²)⁻¹β`, `Ŵβ = b`, in those of the compressed weights.
  public double[] mean(ConjugateGradients solver) {
    int m = kernel.size();
    double[] a = new double[m];
    double[] kb = new double[m];
    FactorSpace direct = factorSpace(1e-3);
    if (direct != null || !rooted()) kernel.apply(projected(), kb);
    if (direct != null) {
      double[] found = direct.mean(kernel, projected(), kb, solver.tolerance());
      if (found != null) return found;
    }
    if (!rooted()) {
      ConjugateGradients.Solution solution = solver.solve(gridSpace(), kb);
      if (residual(solution.x(), kb) <= 1e3 * solver.tolerance()) return solution.x();
    }
    Space space = rootSpace();
    double[] rhs = target();
    double[] x = solver.solve(space, rhs).orThrow(1e4 * solver.tolerance());
    space.lift(1, x, a);
    return a;
  }

  /// A mean and the steps that conjugate gradients took to it.
  public static final class Mean {
    private final double[] values;
    private final int iterations;

    private Mean(double[] values, int iterations) {
      this.values = values;
      this.iterations = iterations;
    }

    /// a, not copied.
    public double[] values() {
      return values;
    }

    public int iterations() {
      return iterations;
    }
  }

  /// a by conjugate gradients from the mean of similar data: the fewer observations differ, the
  /// fewer steps. In the coordinates of the compressed weights `A⁻¹β = (β − Ŵᵀa)/σ²`, so a mean of
  /// other data gives a start there too.
  public Mean mean(ConjugateGradients solver, double @Nullable [] start) {
    int m = kernel.size();
    if (!rooted()) {
      double[] kb = new double[m];
      kernel.apply(projected(), kb);
      ConjugateGradients.Solution solution = solver.solve(gridSpace(), 1, kb, start);
      if (residual(solution.x(), kb) <= 1e3 * solver.tolerance())
        return new Mean(solution.x(), solution.iterations());
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
    double[] a = new double[m];
    space.lift(1, solution.orThrow(1e4 * solver.tolerance()), a);
    return new Mean(a, solution.iterations());
  }

  /// `‖Kb − KGa − σ²a‖/‖Kb‖`, which sees what the inner product G does not.
  private double residual(double[] a, double[] kb) {
    int m = a.length;
    double[] ga = new double[m];
    double[] kga = new double[m];
    statistics.gram().apply(a, ga);
    kernel.apply(ga, kga);
    double error = 0;
    double scale = 0;
    for (int i = 0; i < m; i++) {
      double e = kb[i] - kga[i] - noise * a[i];
      error += e * e;
      scale += kb[i] * kb[i];
    }
    return scale == 0 ? 0 : Math.sqrt(error / scale);
  }
}
