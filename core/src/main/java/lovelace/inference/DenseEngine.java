package lovelace.inference;

import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;

/// The dense engine: any kernel, by one Cholesky factorisation of the n′ × n′ matrix `A′ = ŴᵀKŴ +
/// σ²I` over the compressed weights, `ŴŴᵀ = G`. Exact; for small problems.
///
/// With β the target in these coordinates, `Ŵβ = b`, and `B = L⁻¹Ŵᵀ`, `A′ = LLᵀ`:
///
/// ```
/// −2 log p = (yᵀy − βᵀβ)/σ² + βᵀA′⁻¹β + (n − n′) log σ² + log|A′| + n log 2π
/// 2 ∂ log p/∂θ = (Wα)ᵀ ∂K (Wα) − tr(B ∂K Bᵀ)        Wα = ŴA′⁻¹β
/// ```
public final class DenseEngine implements Engine {

  /// The most compressed observations n′ it is meant for.
  public static final int MOST_COLUMNS = 1500;

  /// The most lattice points it is meant for.
  public static final int MOST_POINTS = 4000;

  private final Statistics statistics;

  public DenseEngine(Statistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the problem is small enough for this to be the plain choice. Larger ones run too, in
  /// O(n′²m).
  public static boolean applies(Statistics statistics) {
    return statistics.rankBound() <= MOST_COLUMNS && statistics.lattice().size() <= MOST_POINTS;
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
    DenseCovariance p = new DenseCovariance(system);
    double noise = system.noise();
    double n = statistics.count();
    int columns = p.rank();
    double[] beta = system.target();
    double[] alpha = p.solve(beta);
    double outside = Math.max(0, system.squares() - Blas.dot(columns, beta, 0, beta, 0));
    double value =
        -0.5 * (outside / noise + Blas.dot(columns, beta, 0, alpha, 0))
            - 0.5 * ((n - columns) * Math.log(noise) + p.logDeterminant())
            - 0.5 * n * Math.log(2 * Math.PI)
            + 0.5 * statistics.logWeights();
    double[] dual = new double[p.size()];
    statistics.compressed().apply(alpha, dual);
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
    DenseCovariance covariance = new DenseCovariance(system);
    double[] dual = new double[covariance.size()];
    statistics.compressed().apply(covariance.solve(system.target()), dual);
    double[] mean = new double[dual.length];
    system.kernel().apply(dual, mean);
    return new Conditioned(system, covariance, mean);
  }
}
