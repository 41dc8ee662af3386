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

  /// Takes over a, the posterior mean minus the prior mean.
  public LatticeDistribution(LatticeProblem problem, LatticeCovariance covariance, double[] mean) {
    this(problem, covariance, LatticeProblem.Mean.direct(mean));
  }

  /// Makes a distribution from P and the solution for a mean.
  public LatticeDistribution(
      LatticeProblem problem, LatticeCovariance covariance, LatticeProblem.Mean mean) {
    this(problem, covariance, mean, null, null);
  }

  /// As above, with `WA⁻¹(y − μ)` if the engine knows it more accurately than the mean gives it.
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
  /// @param standardError the standard error; 0 if the value is not estimated
  public record LogLikelihood(double value, double standardError) {}

  /// Returns the same with a likelihood that is more accurate than the engine's evidence.
  public synchronized LatticeDistribution with(LogLikelihood closer) {
    var other = new LatticeDistribution(problem, covariance, mean, dual, closer);
    other.widest = widest;
    other.meanError = meanError;
    other.stencil = stencil;
    return other;
  }

  /// The likelihood, if the posterior knows it more accurately than the engine's evidence.
  public Optional<LogLikelihood> likelihood() {
    return Optional.ofNullable(likelihood);
  }

  /// `WA⁻¹(y − μ) = (b − Ga)/σ²`, from which the mean beyond the lattice is computed. A new array.
  public double[] dual() {
    if (dual != null) return dual.clone();
    double[] a = mean.values();
    double[] dual = new double[a.length];
    problem.statistics().gram().apply(a, dual);
    double[] b = problem.projected();
    for (int i = 0; i < a.length; i++) dual[i] = (b[i] - dual[i]) / problem.noise();
    return dual;
  }

  /// The error that an iterative solver leaves in the mean, in posterior standard deviations. It is
  /// the largest bound at the points of [#widest], and 0 for a mean that was computed directly.
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

  /// a, the posterior mean minus the prior mean. A copy.
  public double[] mean() {
    return mean.values().clone();
  }

  /// [LatticeCovariance#stencil], computed once.
  public synchronized StencilMatrix stencil() {
    StencilMatrix known = stencil;
    if (known == null) stencil = known = covariance.stencil();
    return known;
  }

  /// The widest interval of a variance, relative to its upper end, at the check points and at all
  /// points of a small grid. A kriged covariance is checked at the grid points nearest to these.
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

  /// The sum of |w| over the weights of a point.
  private static double weights(Stencils points, int p) {
    double sum = 0;
    for (int k = 0; k < points.width(); k++) sum += Math.abs(points.weight(p, k));
    return sum;
  }

  /// How accurately the variances are known, and where. The bound holds at every point of a small
  /// grid, and of a large grid if the engine can bound all within the tolerance. Otherwise it holds
  /// at the check points.
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
