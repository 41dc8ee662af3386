package lovelace.dense;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.Stencils;
import lovelace.inference.Coordinates;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LagProducts;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Space;
import lovelace.love.Love;
import lovelace.statistics.GramRoot;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Computes with dense matrices, for any kernel and small problems. It factors the n′ × n′ matrix
/// `A′ = VᵀKV + σ²I` by Cholesky. V is a root, `VVᵀ = G`: the Cholesky factor of G where the data
/// fill the lattice, and otherwise the compressed weights. Likelihood and mean are exact; variances
/// come from LOVE.
///
/// Let β be the target in these coordinates, `Vβ = b`, with `A′ = LLᵀ` and `B = L⁻¹Vᵀ`. Then
///
/// ```
/// −2 log p = (yᵀy − βᵀβ)/σ² + βᵀA′⁻¹β + (n − n′) log σ² + log|A′| + n log 2π
/// 2 ∂ log p/∂θ = (Wα)ᵀ ∂K (Wα) − tr(B ∂K Bᵀ)        Wα = VA′⁻¹β
/// ```
public final class DenseEngine implements LatticeEngine {

  /// The largest number of columns n′ of V for which this engine is chosen.
  public static final int MOST_COLUMNS = 2500;

  /// The largest number of lattice points for which this engine is chosen.
  public static final int MOST_POINTS = 4000;

  public static final int FEW_COLUMNS = 600;
  public static final long ENTRIES = 20_000_000;
  private static final int BATCH = 64;
  private static final String WHAT = "a likelihood by dense matrices";
  private static final String REMEDY = "use the krylov engine";

  private final Statistics statistics;
  private volatile @Nullable Coordinates coordinates;

  public DenseEngine(Statistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the problem is small enough to choose this engine without comparing costs. Larger
  /// problems run too, in O(n′²m).
  public static boolean applies(Statistics statistics) {
    if (statistics.lattice().size() > MOST_POINTS) return false;
    return statistics.rankBound() <= MOST_COLUMNS
        || (statistics.lattice().size() <= MOST_COLUMNS
            && Coordinates.of(statistics).root().columns() <= MOST_COLUMNS);
  }

  /// Whether the likelihood is cheap here, however large the lattice is. This needs few
  /// observations, and a kernel between them that takes few products with the whole lattice, or
  /// none.
  public static boolean isCheap(Statistics statistics, Hyperparameters h) {
    if (!(statistics instanceof GridStatistics) || statistics.rankBound() > FEW_COLUMNS)
      return false;
    return statistics.rankBound() * statistics.lattice().size() <= ENTRIES
        || LagProducts.of(
                LatticeKernel.of(statistics.lattice(), h.kernel()), statistics.compressed())
            != null;
  }

  private Coordinates coordinates() {
    Coordinates known = coordinates;
    if (known == null) coordinates = known = Coordinates.of(statistics);
    return known;
  }

  @Override
  public String name() {
    return "dense";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatticeProblem system = LatticeProblem.of(statistics, h);
    GramRoot root = coordinates().root();
    LagProducts products = LagProducts.of(system.kernel(), root);
    Cholesky factor = factor(system, root, products);
    if (factor.jitter() > 0) return Evidence.impossible(h);
    int columns = root.columns();
    double[] beta = system.target(root, coordinates().target());
    double[] alpha = beta.clone();
    factor.solve(alpha);
    double[] dual = new double[root.size()];
    root.apply(alpha, dual);
    double[] inverse = factor.inverse();
    double trace = 0;
    for (int i = 0; i < columns; i++) trace += inverse[i * columns + i];
    double[] g = new double[h.kernel().parameterCount()];
    if (products != null) {
      // ∂ log p = ½ Σ (αᵢαⱼ − A′⁻¹ᵢⱼ) ∂(VᵀKV)ᵢⱼ
      for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++)
          inverse[i * columns + j] = 0.5 * (alpha[i] * alpha[j] - inverse[i * columns + j]);
      products.gradient(inverse, g);
    } else if (columns > 0) {
      system.kernel().gradient(1, dual, dual, 0.5, g);
      double[] b = new double[Budget.numbers(columns, root.size(), WHAT, REMEDY)];
      system.space(root).embed(columns, identity(0, columns, columns), b);
      factor.solveLower(root.size(), b);
      system.kernel().gradient(columns, b, b, -0.5, g);
    }
    double noise = system.noise();
    double n = statistics.count();
    double outside = Math.max(0, system.squares() - Blas.dot(columns, beta, 0, beta, 0));
    double value =
        -0.5 * (outside / noise + Blas.dot(columns, beta, 0, alpha, 0))
            - 0.5 * ((n - columns) * Math.log(noise) + factor.logDeterminant())
            - 0.5 * n * Math.log(2 * Math.PI)
            + 0.5 * statistics.logWeights();
    double slope =
        0.5
            * (outside / (noise * noise)
                + Blas.dot(columns, alpha, 0, alpha, 0)
                - (n - columns) / noise
                - trace);
    return new Evidence(value, Evidence.gradient(system, g, slope, dual), 0);
  }

  /// The Cholesky factor of `A′`, given a root V of G.
  public static Cholesky factor(LatticeProblem system, GramRoot root) {
    return factor(system, root, LagProducts.of(system.kernel(), root));
  }

  private static Cholesky factor(
      LatticeProblem system, GramRoot root, @Nullable LagProducts products) {
    int n = root.columns();
    double[] a = products != null ? products.gram() : gram(system, root);
    for (int i = 0; i < n; i++) a[i * n + i] += system.noise();
    return Cholesky.adopt(a, n);
  }

  /// Computes `VᵀKV` by products with the whole lattice.
  private static double[] gram(LatticeProblem system, GramRoot root) {
    int n = root.columns();
    double[] a = new double[Budget.numbers(n, n, WHAT, REMEDY)];
    Space space = system.space(root);
    for (int from = 0; from < n; from += BATCH) {
      int count = Math.min(BATCH, n - from);
      double[] lifted = new double[count * space.liftedSize()];
      double[] rows = new double[count * n];
      space.lift(count, identity(from, count, n), lifted);
      space.project(count, lifted, rows);
      System.arraycopy(rows, 0, a, from * n, count * n);
    }
    return a;
  }

  /// Rows `from` … `from + count` of the identity.
  private static double[] identity(int from, int count, int n) {
    double[] rows = new double[count * n];
    for (int i = 0; i < count; i++) rows[i * n + from + i] = 1;
    return rows;
  }

  /// `wᵀKw − ‖L⁻¹VᵀKw‖²`, where L is the factor of A′.
  @Override
  public double[] variances(LatticeDistribution conditioned, Stencils points) {
    LatticeProblem system = conditioned.problem();
    GramRoot root = coordinates().root();
    Cholesky factor = factor(system, root);
    Space space = system.space(root);
    int n = root.columns();
    double[] out = new double[points.count()];
    for (int from = 0; from < out.length; from += BATCH) {
      int count = Math.min(BATCH, out.length - from);
      double[] kw = system.lifted(space, points, from, count);
      double[] rows = new double[count * n];
      space.project(count, kw, rows);
      for (int p = 0; p < count; p++) {
        double[] v = Arrays.copyOfRange(rows, p * n, (p + 1) * n);
        factor.solveLower(1, v);
        out[from + p] = points.dot(from + p, kw, p * root.size()) - Blas.dot(n, v, 0, v, 0);
      }
    }
    return out;
  }

  /// Computes the mean from the factor of A′, and the covariance by LOVE to the tolerance.
  @Override
  public LatticeDistribution posterior(Hyperparameters h, double tolerance, WarmStart start) {
    LatticeProblem system = LatticeProblem.of(statistics, h);
    GramRoot root = coordinates().root();
    double[] beta = system.target(root, coordinates().target());
    double[] alpha = beta.clone();
    factor(system, root).solve(alpha);
    return new LatticeDistribution(
        system,
        Love.DEFAULT.withTolerance(tolerance).build(system),
        system.lifted(system.space(root), beta, alpha, 0));
  }
}
