package lovelace.love;

import lovelace.budget.Budget;
import lovelace.grid.Stencils;
import lovelace.inference.CheckPoints;
import lovelace.inference.FactorSpace;
import lovelace.inference.LatticeProblem;
import lovelace.linear.Blas;
import lovelace.linear.Lanczos;
import lovelace.linear.Space;

/// Options of LOVE, which set how it chooses its rank.
///
/// @param tolerance the relative error of a variance to stay within at the check points, and at all
///   points of a small grid
/// @param rank the number of Lanczos steps, or 0 to take the number that the tolerance needs
/// @param limit the most steps taken for the tolerance
/// @param checks the number of check points
public record Love(double tolerance, int rank, int limit, int checks) {

  /// A tolerance of one per cent, at most 600 steps and 48 check points.
  public static final Love DEFAULT = new Love(0.01, 0, 600, CheckPoints.COUNT);

  private static final double LOSS = 1e-10;

  public Love {
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
    if (rank < 0) throw new IllegalArgumentException("rank must be >= 0, got " + rank);
    if (limit < 1) throw new IllegalArgumentException("limit must be >= 1, got " + limit);
    if (checks < 1) throw new IllegalArgumentException("checks must be >= 1, got " + checks);
  }

  public Love withTolerance(double value) {
    return new Love(value, rank, limit, checks);
  }

  /// Takes a fixed number of steps, such as 50, as the paper does.
  public Love withRank(int value) {
    return new Love(tolerance, value, limit, checks);
  }

  public Love withLimit(int value) {
    return new Love(tolerance, rank, value, checks);
  }

  /// Builds the caches. Works in the coordinates of a thin root of the kernel if there is one, and
  /// otherwise on the grid. Uses the compressed weights if the Gram matrix has a null space in
  /// which rounding could grow.
  public LoveCovariance build(LatticeProblem problem) {
    Space thin = problem.factorSpace(1e-3 * tolerance);
    if (thin != null) {
      LoveCovariance covariance = build(problem, thin);
      if (covariance.orthogonalityLoss() <= LOSS) return covariance;
    }
    Space space = problem.space();
    LoveCovariance covariance = build(problem, space);
    if (covariance.orthogonalityLoss() > LOSS && !space.euclidean())
      covariance = build(problem, problem.rootSpace());
    return covariance;
  }

  public LoveCovariance build(LatticeProblem problem, Space space) {
    Lanczos run = new Lanczos(space, problem.probe(space));
    int most = Math.min(rank > 0 ? rank : limit, space.size());
    int length = Math.max(problem.kernel().size(), Math.max(space.size(), space.liftedSize()));
    if (rank > 0) {
      Budget.numbers(most, length, "LOVE of rank " + rank, "use a smaller rank or grid");
      run.run(most);
    } else iterate(problem, space, run, Math.min(most, (Integer.MAX_VALUE - 8) / length));
    return LoveCovariance.of(problem, run, space);
  }

  /// Takes steps until the bound `‖ρ‖²/σ²` is below the tolerance at every check point, and at
  /// every point of a small grid. Stops after `most` steps; the certificate then reports the error
  /// reached.
  private void iterate(LatticeProblem problem, Space space, Lanczos run, int most) {
    Stencils points =
        Stencils.of(problem.statistics().lattice(), CheckPoints.all(problem.statistics(), checks));
    int count = points.count();
    int m = space.liftedSize();
    double[] kw = problem.lifted(space, points, 0, count);
    double[] norms = norms(space, count, kw);
    double[] variance = problem.kernel().quadratics(points);
    double[] left = norms.clone();
    double[] last = new double[count];
    double diagonal = 0;
    int done = 0;
    double sigma2 = problem.noise();
    int stalled = 0;
    double[] before = variance.clone();
    while (run.steps() < most && !run.exhausted()) {
      run.run(Math.min(Math.max(8, run.steps() / 8), most - run.steps()));
      for (int j = done; j < run.steps(); j++) {
        double carry = j > 0 ? run.beta(j - 1) / diagonal : 0;
        diagonal = Math.sqrt(Math.max(run.alpha(j) - carry * carry, sigma2));
        for (int p = 0; p < count; p++) {
          double c =
              space instanceof FactorSpace
                  ? Blas.dot(m, kw, p * m, run.lifted(), j * m)
                  : points.dot(p, run.lifted(), j * m);
          last[p] = (c - carry * last[p]) / diagonal;
          variance[p] -= last[p] * last[p];
          left[p] -= c * c;
        }
      }
      done = run.steps();
      double beta = run.beta(done - 1);
      boolean met = true;
      boolean still = true;
      for (int p = 0; p < count; p++) {
        double rounding = 1e-15 * done * norms[p];
        double rest = Math.sqrt(Math.max(left[p], 0)) + Math.abs(beta * last[p] / diagonal);
        met &= rest * rest / sigma2 <= 0.5 * tolerance * Math.max(variance[p], 0);
        still &=
            left[p] <= rounding
                && before[p] - variance[p] <= 0.1 * tolerance * Math.max(variance[p], 0);
      }
      if (met) return;
      // rounding hides the bound, but the variances have settled: the certificate reports the error
      stalled = still ? stalled + 1 : 0;
      if (stalled == 3) return;
      before = variance.clone();
    }
  }

  private static double[] norms(Space space, int count, double[] kw) {
    int n = space.size();
    double[] v = new double[count * n];
    double[] g = new double[count * n];
    space.project(count, kw, v);
    space.metric(count, v, g);
    double[] norms = new double[count];
    for (int p = 0; p < count; p++) norms[p] = Blas.dot(n, v, p * n, g, p * n);
    return norms;
  }

  /// The points at which variances are checked: half of them near data, a quarter at the edges of
  /// the lattice and a quarter in its gaps.
  public static double[] checkPoints(LatticeProblem problem, int count) {
    return CheckPoints.of(problem.statistics(), count);
  }

  /// Whether a fixed rank was asked for.
  public boolean fixed() {
    return rank > 0;
  }
}
