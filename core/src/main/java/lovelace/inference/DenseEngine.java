package lovelace.inference;

import lovelace.grid.SparseRoot;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
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
public final class DenseEngine implements Engine {

  /// The most columns n′ of V it is meant for.
  public static final int MOST_COLUMNS = 2500;

  /// The most lattice points it is meant for.
  public static final int MOST_POINTS = 4000;

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
    DenseCovariance p = new DenseCovariance(system, root);
    double noise = system.noise();
    double n = statistics.count();
    int columns = p.rank();
    double[] beta = system.target(root, coordinates().target());
    double[] alpha = p.solve(beta);
    double outside = Math.max(0, system.squares() - Blas.dot(columns, beta, 0, beta, 0));
    double value =
        -0.5 * (outside / noise + Blas.dot(columns, beta, 0, alpha, 0))
            - 0.5 * ((n - columns) * Math.log(noise) + p.logDeterminant())
            - 0.5 * n * Math.log(2 * Math.PI)
            + 0.5 * statistics.logWeights();
    double[] dual = new double[p.size()];
    root.apply(alpha, dual);
    double[] g = new double[h.kernel().parameterCount()];
    system.kernel().gradient(1, dual, dual, 0.5, g);
    if (columns > 0) system.kernel().gradient(columns, p.dualRoot(), p.dualRoot(), -0.5, g);
    double slope =
        0.5
            * (outside / (noise * noise)
                + Blas.dot(columns, alpha, 0, alpha, 0)
                - (n - columns) / noise
                - p.traceOfInverse());
    return new Evidence(value, Evidence.gradient(system, g, slope, dual), 0);
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
