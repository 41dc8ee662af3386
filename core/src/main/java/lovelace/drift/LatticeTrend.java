package lovelace.drift;

import java.util.Arrays;
import lovelace.data.FeatureMap;
import lovelace.engines.Engines;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.plan.Engine;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// Generalised least squares on a lattice. Let `V = WᵀKW + σ²D⁻¹`, let a be the posterior mean on
/// the lattice of a process that observed a term of the mean, and `d = (b − Ga)/σ² = WV⁻¹f`:
///
///     fᵢᵀV⁻¹fⱼ = (fᵢᵀDfⱼ − bᵢᵀaⱼ)/σ² + dᵢᵀ(aⱼ − Kdⱼ)
///
/// The last part vanishes if a is exact. With it, the error of the sum is of second order in that
/// of a. Immutable.
public final class LatticeTrend {

  private static final ConjugateGradients SOLVER = ConjugateGradients.DEFAULT.withTolerance(1e-12);

  private final Trend trend;
  private final DriftStatistics statistics;
  private final double[][] nodes;
  private final double[][] duals;

  private LatticeTrend(
      Trend trend, DriftStatistics statistics, double[][] nodes, double[][] duals) {
    this.trend = trend;
    this.statistics = statistics;
    this.nodes = nodes;
    this.duals = duals;
  }

  /// The coefficients of rows under complete hyperparameters whose mean is zero.
  ///
  /// @param beta the estimate whose residuals the statistics hold
  public static LatticeTrend of(
      Engine engine,
      long seed,
      DriftStatistics statistics,
      Terms terms,
      double[] beta,
      Hyperparameters h) {
    Targets system = new Targets(engine, seed, statistics.residual(), h);
    int q = terms.size();
    double[][] b = new double[q + 1][]; // of the terms, then of the residuals
    double[][] a = new double[q + 1][];
    double[][] d = new double[q + 1][];
    double[][] left = new double[q + 1][];
    for (int j = 0; j <= q; j++)
      system.solve(j == q ? statistics.residual() : statistics.term(j), j, b, a, d, left);
    double[] products = statistics.products();
    double[] crosses = statistics.crosses();
    double[] precision = new double[q * q];
    double[] slope = new double[q];
    for (int i = 0; i < q; i++) {
      for (int j = 0; j <= i; j++)
        precision[i * q + j] =
            precision[j * q + i] = system.form(products[i * q + j], i, j, b, a, d, left);
      slope[i] = system.form(crosses[i], q, i, b, a, d, left);
    }
    double[] delta = Trend.of(terms, beta, precision).solve(slope);
    double[] moved = beta.clone();
    for (int j = 0; j < q; j++) moved[j] += delta[j];
    double[][] nodes = Arrays.copyOf(a, q);
    double[][] duals = Arrays.copyOf(d, q);
    return new LatticeTrend(
        Trend.of(terms, moved, precision), statistics.less(delta), nodes, duals);
  }

  public Trend trend() {
    return trend;
  }

  /// The statistics, for the residuals of the new estimate.
  public DriftStatistics statistics() {
    return statistics;
  }

  /// The posterior with the coefficients integrated out.
  ///
  /// @param residuals the posterior of the residuals of [#statistics]
  /// @param map to the features that it is over; null if it is over the columns
  public DriftedPosterior posterior(LatticePosterior residuals, @Nullable FeatureMap map) {
    return DriftedPosterior.of(trend, statistics, residuals, map, nodes, duals);
  }

  /// Solves for the posterior means of several targets of the same rows by an engine.
  private static final class Targets {
    private final Engine engine;
    private final long seed;
    private final Hyperparameters h;
    private final LatticeProblem problem;
    private final boolean pinned;
    private final @Nullable LatticeCovariance covariance; // null unless it is known without error

    Targets(Engine engine, long seed, GridStatistics residual, Hyperparameters h) {
      this.engine = engine;
      this.seed = seed;
      this.h = h;
      problem = LatticeProblem.allowingNoNoise(residual, h);
      pinned = engine == Engine.SPARSE && SparseEngine.isNoiseless(h) && residual.onNodes();
      if (engine == Engine.SPECTRAL || engine == Engine.MARKOV) {
        LatticeEngine own = Engines.engine(engine, residual, seed);
        covariance = own.conditioned(h, WarmStart.NONE).covariance();
      } else {
        covariance = null;
      }
    }

    /// Fills b, a, d and `a − Kd` of a target.
    void solve(
        GridStatistics target, int j, double[][] b, double[][] a, double[][] d, double[][] left) {
      LatticeProblem own = LatticeProblem.allowingNoNoise(target, h);
      int m = own.kernel().size();
      double noise = own.noise();
      b[j] = own.projected();
      left[j] = new double[m];
      if (engine == Engine.SPARSE) {
        LatticeDistribution found = new SparseEngine(target, 0, seed).conditioned(h);
        a[j] = found.mean();
        d[j] = pinned ? found.dual() : dual(target, b[j], a[j], noise);
        if (pinned) return;
      } else if (covariance != null) {
        double[] scaled = b[j].clone();
        for (int i = 0; i < m; i++) scaled[i] /= noise;
        a[j] = new double[m];
        covariance.apply(1, scaled, a[j]);
        d[j] = dual(target, b[j], a[j], noise);
        return;
      } else {
        a[j] = LatticeProblem.of(target, h).mean(SOLVER);
        d[j] = dual(target, b[j], a[j], noise);
      }
      problem.kernel().apply(d[j], left[j]);
      for (int i = 0; i < m; i++) left[j][i] = a[j][i] - left[j][i];
    }

    private static double[] dual(GridStatistics target, double[] b, double[] a, double noise) {
      double[] d = new double[a.length];
      target.gram().apply(a, d);
      for (int i = 0; i < d.length; i++) d[i] = (b[i] - d[i]) / noise;
      return d;
    }

    /// `fᵢᵀV⁻¹fⱼ`, given `fᵢᵀDfⱼ`.
    double form(
        double product, int i, int j, double[][] b, double[][] a, double[][] d, double[][] left) {
      int m = problem.kernel().size();
      if (pinned) return 0.5 * (dot(m, a[i], d[j]) + dot(m, a[j], d[i]));
      double direct = product - 0.5 * (dot(m, b[i], a[j]) + dot(m, b[j], a[i]));
      return direct / problem.noise() + 0.5 * (dot(m, d[i], left[j]) + dot(m, d[j], left[i]));
    }

    private static double dot(int m, double[] x, double[] y) {
      return Blas.dot(m, x, 0, y, 0);
    }
  }
}
