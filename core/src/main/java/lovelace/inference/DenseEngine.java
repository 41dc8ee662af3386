package lovelace.inference;

import lovelace.grid.GridKernel;
import lovelace.grid.GridStatistics;
import lovelace.grid.LagProducts;
import lovelace.grid.SparseRoot;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import org.jspecify.annotations.Nullable;

/// The dense engine: any kernel, by one Cholesky factorisation of the n′ × n′ matrix `A′ = VᵀKV +
/// σ²I` over a root `VVᵀ = G`: the Cholesky factor of G where the data fill the lattice, else the
/// compressed weights. Exact; for small problems.
///
/// With β the target in these coordinates, `Vβ = b`, and `B = L⁻¹Vᵀ`, `A′ = LLᵀ`:
///
/// ```
/// −2 log p = (yᵀy − βᵀβ)/σ² + βᵀA′⁻¹β + (n − n′) log σ² + log|A′| + n log 2π
/// 2 ∂ log p/∂θ = (Wα)ᵀ ∂K (Wα) − tr(B ∂K Bᵀ)        Wα = VA′⁻¹β
/// ```
public final class DenseEngine implements LatticeEngine {

  /// The most columns n′ of V it is meant for.
  public static final int MOST_COLUMNS = 2500;

  /// The most lattice points it is meant for.
  public static final int MOST_POINTS = 4000;

  private static final int FEW_COLUMNS = 600;
  private static final long ENTRIES = 20_000_000;

  private final Statistics statistics;
  private volatile @Nullable Coordinates coordinates;

  public DenseEngine(Statistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the problem is small enough for this to be the plain choice. Larger ones run too, in
  /// O(n′²m).
  public static boolean applies(Statistics statistics) {
    if (statistics.lattice().size() > MOST_POINTS) return false;
    return statistics.rankBound() <= MOST_COLUMNS
        || (statistics.lattice().size() <= MOST_COLUMNS
            && Coordinates.of(statistics).root().columns() <= MOST_COLUMNS);
  }

  /// Whether the likelihood is cheap here however large the lattice: the observations are few, and
  /// the kernel between them needs no products with the whole lattice, or few.
  public static boolean isCheap(Statistics statistics, Hyperparameters h) {
    if (!(statistics instanceof GridStatistics) || statistics.rankBound() > FEW_COLUMNS)
      return false;
    return statistics.rankBound() * statistics.lattice().size() <= ENTRIES
        || LagProducts.of(GridKernel.of(statistics.lattice(), h.kernel()), statistics.compressed())
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
  public Evidence evidence(Hyperparameters h) {
    GridSystem system = GridSystem.of(statistics, h);
    SparseRoot root = coordinates().root();
    LagProducts products = LagProducts.of(system.kernel(), root);
    return products == null ? onLattice(system, root) : between(system, root, products);
  }

  /// The evidence by products with the whole lattice.
  private Evidence onLattice(GridSystem system, SparseRoot root) {
    DenseCovariance p = new DenseCovariance(system, root);
    if (p.jitter() > 0) return Evidence.impossible(system.hyperparameters());
    double[] beta = system.target(root, coordinates().target());
    double[] alpha = p.solve(beta);
    double[] dual = new double[p.size()];
    root.apply(alpha, dual);
    double[] g = new double[system.hyperparameters().kernel().parameterCount()];
    system.kernel().gradient(1, dual, dual, 0.5, g);
    if (p.rank() > 0) system.kernel().gradient(p.rank(), p.dualRoot(), p.dualRoot(), -0.5, g);
    return evidence(system, beta, alpha, dual, g, p.logDeterminant(), p.traceOfInverse());
  }

  /// The evidence by the kernel between the columns of V alone: `∂ log p = ½ Σ (αᵢαⱼ − A′⁻¹ᵢⱼ)
  /// ∂(VᵀKV)ᵢⱼ`.
  private Evidence between(GridSystem system, SparseRoot root, LagProducts products) {
    int n = root.columns();
    Cholesky factor = factor(system, products);
    if (factor.jitter() > 0) return Evidence.impossible(system.hyperparameters());
    double[] beta = system.target(root, coordinates().target());
    double[] alpha = beta.clone();
    if (n > 0) factor.solve(alpha);
    double[] middle = factor.inverse();
    double trace = 0;
    for (int i = 0; i < n; i++) trace += middle[i * n + i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        middle[i * n + j] = 0.5 * (alpha[i] * alpha[j] - middle[i * n + j]);
    double[] g = new double[system.hyperparameters().kernel().parameterCount()];
    products.gradient(middle, g);
    double[] dual = new double[root.size()];
    root.apply(alpha, dual);
    return evidence(system, beta, alpha, dual, g, factor.logDeterminant(), trace);
  }

  private Evidence evidence(
      GridSystem system,
      double[] beta,
      double[] alpha,
      double[] dual,
      double[] g,
      double logDeterminant,
      double traceOfInverse) {
    double noise = system.noise();
    double n = statistics.count();
    int columns = beta.length;
    double outside = Math.max(0, system.squares() - Blas.dot(columns, beta, 0, beta, 0));
    double value =
        -0.5 * (outside / noise + Blas.dot(columns, beta, 0, alpha, 0))
            - 0.5 * ((n - columns) * Math.log(noise) + logDeterminant)
            - 0.5 * n * Math.log(2 * Math.PI)
            + 0.5 * statistics.logWeights();
    double slope =
        0.5
            * (outside / (noise * noise)
                + Blas.dot(columns, alpha, 0, alpha, 0)
                - (n - columns) / noise
                - traceOfInverse);
    return new Evidence(value, Evidence.gradient(system, g, slope, dual), 0);
  }

  /// The posterior mean of the lattice values less the prior mean.
  public double[] mean(GridSystem system) {
    SparseRoot root = coordinates().root();
    double[] alpha = system.target(root, coordinates().target());
    LagProducts products = LagProducts.of(system.kernel(), root);
    if (products == null) alpha = new DenseCovariance(system, root).solve(alpha);
    else if (alpha.length > 0) factor(system, products).solve(alpha);
    double[] dual = new double[root.size()];
    root.apply(alpha, dual);
    double[] mean = new double[dual.length];
    system.kernel().apply(dual, mean);
    return mean;
  }

  /// The factor of `A′`.
  private static Cholesky factor(GridSystem system, LagProducts products) {
    double[] a = products.gram();
    int n = products.columns();
    for (int i = 0; i < n; i++) a[i * n + i] += system.noise();
    return Cholesky.adopt(a, n);
  }

  @Override
  public Conditioned condition(Hyperparameters h, double tolerance) {
    GridSystem system = GridSystem.of(statistics, h);
    SparseRoot root = coordinates().root();
    DenseCovariance covariance = new DenseCovariance(system, root);
    double[] dual = new double[covariance.size()];
    root.apply(covariance.solve(system.target(root, coordinates().target())), dual);
    double[] mean = new double[dual.length];
    system.kernel().apply(dual, mean);
    return new Conditioned(system, covariance, mean);
  }
}
