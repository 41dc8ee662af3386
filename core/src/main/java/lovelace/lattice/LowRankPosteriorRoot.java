package lovelace.lattice;

import java.util.Arrays;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.Stencils;
import lovelace.inference.CheckPoints;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.linear.Blas;
import lovelace.linear.Lanczos;
import lovelace.linear.Parallel;
import lovelace.linear.Space;

/// LOVE's root of low rank (Pleiss et al. 2018, section 3.3): Lanczos on P from the probe `P1/m`
/// gives `P ≈ Q′T′Q′ᵀ`. With `T′ = UDUᵀ` the root is `Q′UD^½`, with the largest columns first.
///
/// `Q′T′Q′ᵀ` is a compression of P. It lacks the variance that k vectors do not span, so draws are
/// under-dispersed; [#share] tells by how much. Smooth kernels need tens of vectors. Rough ones
/// need one per lattice point.
public final class LowRankPosteriorRoot implements PosteriorRoot {

  private final int m;
  private final int rank;
  private final double[] matrix; // m × rank
  private final double share;
  private final double worst;

  private LowRankPosteriorRoot(int m, int rank, double[] matrix, double share, double worst) {
    this.m = m;
    this.rank = rank;
    this.matrix = matrix;
    this.share = share;
    this.worst = worst;
  }

  /// Runs `rank` Lanczos steps. If `rank` is 0, it runs until `1 − tolerance` of the variance at
  /// typical places is captured, for at most `limit` steps.
  public static LowRankPosteriorRoot of(
      LatticeProblem problem, LatticeCovariance covariance, int rank, double tolerance, int limit) {
    int m = covariance.size();
    Stencils points =
        Stencils.of(
            problem.statistics().lattice(),
            CheckPoints.typical(problem.statistics(), CheckPoints.COUNT));
    double[] variance = covariance.variances(points);
    for (int p = 0; p < variance.length; p++)
      variance[p] = Math.max(variance[p], covariance.floor());
    double[] ones = new double[m];
    Arrays.fill(ones, 1.0 / m);
    double[] probe = new double[m];
    covariance.apply(1, ones, probe);
    Lanczos run = new Lanczos(new Operator(covariance), probe);
    int most = Math.min(rank > 0 ? rank : limit, m);
    double[] captured = new double[variance.length];
    while (run.steps() < most && !run.exhausted()) {
      run.run(rank > 0 ? most : Math.min(Math.max(8, run.steps() / 4), most - run.steps()));
      captured = captured(points, run, m);
      if (rank == 0 && sum(captured) >= (1 - tolerance) * sum(variance)) break;
    }
    double worst = 1;
    for (int p = 0; p < variance.length; p++) worst = Math.min(worst, captured[p] / variance[p]);
    double share = Math.min(1, sum(captured) / sum(variance));
    int steps = run.steps();
    double[] t = new double[steps * steps];
    for (int j = 0; j < steps; j++) {
      t[j * steps + j] = run.alpha(j);
      if (j + 1 < steps) t[(j + 1) * steps + j] = run.beta(j);
    }
    double[] values = new double[steps];
    Blas.eigen(steps, t, values);
    int kept = 0;
    while (kept < steps && values[steps - 1 - kept] > 0) kept++;
    double[] u = new double[steps * kept];
    for (int c = 0; c < kept; c++)
      for (int j = 0; j < steps; j++)
        u[j * kept + c] = Math.sqrt(values[steps - 1 - c]) * t[(steps - 1 - c) * steps + j];
    double[] matrix =
        new double[Budget.numbers(m, kept, "a root of low rank", "use a smaller rank or grid")];
    if (kept > 0)
      Blas.gemm(true, false, m, kept, steps, 1, run.basis(), 0, m, u, 0, kept, 0, matrix, 0, kept);
    return new LowRankPosteriorRoot(m, kept, matrix, share, worst);
  }

  /// `wᵀQ′T′Q′ᵀw` at the points.
  private static double[] captured(Stencils points, Lanczos run, int m) {
    double[] out = new double[points.count()];
    for (int p = 0; p < out.length; p++) {
      double before = 0;
      for (int j = 0; j < run.steps(); j++) {
        double c = points.dot(p, run.basis(), j * m);
        out[p] += run.alpha(j) * c * c;
        if (j > 0) out[p] += 2 * run.beta(j - 1) * before * c;
        before = c;
      }
    }
    return out;
  }

  private static double sum(double[] x) {
    return Arrays.stream(x).sum();
  }

  /// P as a Lanczos operator.
  private record Operator(LatticeCovariance covariance) implements Space {
    @Override
    public int size() {
      return covariance.size();
    }

    @Override
    public double shift() {
      return 0;
    }

    @Override
    public void lift(int count, double[] g, double[] r) {
      covariance.apply(count, g, r);
    }
  }

  @Override
  public int size() {
    return m;
  }

  /// The rank k of the root.
  @Override
  public int normals() {
    return rank;
  }

  /// The captured variance at typical places divided by that of P, both summed over the points.
  public double share() {
    return share;
  }

  /// The smallest share at one of these places.
  public double worstShare() {
    return worst;
  }

  /// The rows `wᵀR` for points, t × `stride`, from column 0.
  public void rows(Stencils points, int stride, double[] out) {
    Parallel.chunks(
        points.count(),
        64,
        (chunk, from, to) -> {
          for (int p = from; p < to; p++) points.contract(p, rank, matrix, out, p * stride);
        });
  }

  @Override
  public void apply(int count, double[] xi, double[] u) {
    Arrays.fill(u, 0, count * m, 0);
    if (rank > 0)
      Blas.gemm(false, true, count, m, rank, 1, xi, 0, rank, matrix, 0, rank, 0, u, 0, m);
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "love, rank %d, %.1f %% of the variance (%.1f %% at the worst place)",
        rank,
        100 * share,
        100 * worst);
  }
}
