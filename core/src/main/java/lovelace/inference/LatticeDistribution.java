package lovelace.inference;

import java.util.Optional;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.posterior.Certificate.VarianceBound;
import org.jspecify.annotations.Nullable;

/// The posterior distribution of the lattice values.
public final class LatticeDistribution {

  private final LatticeProblem problem;
  private final LatticeCovariance covariance;
  private final LatticeProblem.Mean mean;
  private final double @Nullable [] dual; // null: from the mean
  private final @Nullable LogLikelihood likelihood;
  private double widest = Double.NaN;
  private double meanError;
  private @Nullable StencilMatrix stencil;

  /// From P and a, the posterior mean less the prior mean, which is taken over.
  public LatticeDistribution(LatticeProblem problem, LatticeCovariance covariance, double[] mean) {
    this(problem, covariance, LatticeProblem.Mean.direct(mean));
  }

  /// From P and a mean that was solved for.
  public LatticeDistribution(
      LatticeProblem problem, LatticeCovariance covariance, LatticeProblem.Mean mean) {
    this(problem, covariance, mean, null, null);
  }

  /// The same with `WA⁻¹(y − μ)`, where the engine knows it better than by the mean.
  public LatticeDistribution(
      LatticeProblem problem,
      LatticeCovariance covariance,
      LatticeProblem.Mean mean,
      double @Nullable [] dual) {
    this(problem, covariance, mean, dual, null);
  }

  private LatticeDistribution(
      LatticeProblem problem,
      LatticeCovariance covariance,
      LatticeProblem.Mean mean,
      double @Nullable [] dual,
      @Nullable LogLikelihood likelihood) {
    this.problem = problem;
    this.covariance = covariance;
    this.mean = mean;
    this.dual = dual;
    this.likelihood = likelihood;
  }

  /// A log marginal likelihood.
  ///
  /// @param standardError 0 where it is not estimated
  public record LogLikelihood(double value, double standardError) {}

  /// The same with a likelihood that is closer to the truth than the engine's evidence.
  public synchronized LatticeDistribution with(LogLikelihood closer) {
    var other = new LatticeDistribution(problem, covariance, mean, dual, closer);
    other.widest = widest;
    other.meanError = meanError;
    other.stencil = stencil;
    return other;
  }

  /// The likelihood where the posterior knows it better than the engine's evidence.
  public Optional<LogLikelihood> likelihood() {
    return Optional.ofNullable(likelihood);
  }

  /// `WA⁻¹(y − μ) = (b − Ga)/σ²`, from which the mean goes on beyond the lattice. A new array.
  public double[] dual() {
    if (dual != null) return dual.clone();
    double[] a = mean.values();
    double[] dual = new double[a.length];
    problem.statistics().gram().apply(a, dual);
    double[] b = problem.projected();
    for (int i = 0; i < a.length; i++) dual[i] = (b[i] - dual[i]) / problem.noise();
    return dual;
  }

  /// What the solver leaves of the mean's error, in posterior standard deviations: the largest
  /// bound where [#widest] looks; 0 for a mean that was not solved for by iteration.
  public synchronized double meanError() {
    widest();
    return meanError;
  }

  public LatticeProblem problem() {
    return problem;
  }

  /// P.
  public LatticeCovariance covariance() {
    return covariance;
  }

  /// a, the posterior mean less the prior mean. A copy.
  public double[] mean() {
    return mean.values().clone();
  }

  /// [LatticeCovariance#stencil], computed once.
  public synchronized StencilMatrix stencil() {
    StencilMatrix known = stencil;
    if (known == null) stencil = known = covariance.stencil();
    return known;
  }

  /// The widest interval of a variance, relative to its upper end: at the check points, and at all
  /// points of a small grid. Of a covariance that is kriged, at the grid points nearest to those.
  public synchronized double widest() {
    if (!Double.isNaN(widest)) return widest;
    double[] places = CheckPoints.all(problem.statistics(), CheckPoints.COUNT);
    if (covariance.kriges() && problem.statistics().lattice() instanceof Grid grid)
      for (int i = 0; i < places.length; i++)
        places[i] = grid.axis(i % grid.dimensions()).nearest(places[i]);
    Stencils points = Stencils.of(problem.statistics().lattice(), places);
    double[][] bounds = covariance.certify(places);
    double most = 0;
    for (int p = 0; p < points.count(); p++) {
      double upper = bounds[1][p];
      meanError = Math.max(meanError, mean.error(weights(points, p), Math.sqrt(upper)));
      if (upper > 0) most = Math.max(most, (upper - bounds[0][p]) / upper);
    }
    widest = most;
    return most;
  }

  /// The sum of |w| of a point.
  private static double weights(Stencils points, int p) {
    double sum = 0;
    for (int k = 0; k < points.width(); k++) sum += Math.abs(points.weight(p, k));
    return sum;
  }

  /// How closely the variances are known, and where: at every point of a small grid, and of a large
  /// one where the engine can bound them all within the tolerance; else at the check points.
  public VarianceBound bound(double tolerance) {
    double reached = widest();
    if (problem.statistics().lattice() instanceof Grid grid && grid.dimensions() < 4) {
      long all = CheckPoints.covered(grid);
      boolean every = all <= CheckPoints.EVERY;
      if (every && !covariance.certifies())
        return new VarianceBound(VarianceBound.Kind.CHECKED, Math.toIntExact(all), reached);
      double everywhere = every ? reached : covariance.everywhere(stencil());
      if (every || everywhere <= tolerance)
        return new VarianceBound(
            VarianceBound.Kind.CERTIFIED, Math.toIntExact(all), Math.max(reached, everywhere));
    }
    return new VarianceBound(VarianceBound.Kind.CHECKED, CheckPoints.COUNT, reached);
  }
}
