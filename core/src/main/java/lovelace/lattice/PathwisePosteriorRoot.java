package lovelace.lattice;

import java.util.Arrays;
import lovelace.dense.DenseEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.latticekernel.KernelRoot;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Parallel;
import lovelace.linear.Space;
import lovelace.statistics.CompressedWeights;
import org.jspecify.annotations.Nullable;

/// Matheron's rule (Wilson et al. 2020) on the lattice: a draw u₀ of the prior, corrected by the
/// data. With `ŴŴᵀ = G`, `u₀ ~ N(0, K)` and `ξ ~ N(0, I)`,
///
/// ```
/// u₀ − (KG + σ²)⁻¹ K (G u₀ + σŴξ)  =  u₀ − KŴ (ŴᵀKŴ + σ²I)⁻¹ (Ŵᵀu₀ + σξ)
/// ```
///
/// has the posterior covariance P of the interpolated process, with full rank and for any kernel.
/// If the compressed weights Ŵ have few columns, the right side is solved by a Cholesky factor.
/// Otherwise conjugate gradients solve the left side in grid coordinates. They solve the right side
/// if Ŵ has fewer columns than there are lattice points, or if parts of the iterates in the null
/// space of G have spoiled the left one. All draws are solved in one block.
public final class PathwisePosteriorRoot implements PosteriorRoot {

  private static final int DENSE = 2500; // columns of a factor

  private final LatticeProblem problem;
  private final KernelRoot prior;
  private final CompressedWeights weights;
  private final ConjugateGradients solver;
  private final @Nullable Cholesky factor;
  private final double slack;

  private PathwisePosteriorRoot(
      LatticeProblem problem, ConjugateGradients solver, @Nullable Cholesky factor) {
    this.problem = problem;
    this.solver = solver;
    this.factor = factor;
    prior = KernelRoot.of(problem.kernel());
    weights = problem.statistics().compressed();
    slack = Math.max(1e-8, 1e3 * solver.tolerance());
  }

  /// The solver for draws. It leaves an error far below the posterior's own spread. A relative
  /// residual ε leaves up to ε n k(0)/σ² of the prior's spread in a draw, and the posterior's may
  /// be a thousandth of that because of the data. An error of 2 % of it is allowed, as far as
  /// rounding lets residuals go.
  public static ConjugateGradients solver(LatticeProblem problem) {
    double told =
        problem.statistics().weightSum() * problem.kernel().maxVariance() / problem.noise();
    return ConjugateGradients.DEFAULT.withTolerance(Math.clamp(2e-5 / told, 1e-12, 1e-8));
  }

  /// Uses a Cholesky factor if the compressed data have few enough columns, and conjugate gradients
  /// otherwise.
  public static PathwisePosteriorRoot of(LatticeProblem problem) {
    CompressedWeights weights = problem.statistics().compressed();
    boolean few =
        (long) weights.columns() * problem.kernel().size() <= 1 << 26 && weights.columns() <= DENSE;
    return new PathwisePosteriorRoot(
        problem, solver(problem), few ? DenseEngine.factor(problem, weights) : null);
  }

  /// Uses conjugate gradients for any size.
  public static PathwisePosteriorRoot of(LatticeProblem problem, ConjugateGradients solver) {
    return new PathwisePosteriorRoot(problem, solver, null);
  }

  @Override
  public int size() {
    return prior.size();
  }

  @Override
  public int normals() {
    return Math.addExact(prior.normals(), weights.columns());
  }

  @Override
  public int[] leading(int most) {
    return prior.leading(most);
  }

  @Override
  public void apply(int count, double[] xi, double[] u) {
    prior.apply(count, normals(), xi, u);
    if (weights.columns() == 0) return;
    if (factor != null || problem.rooted() || !inGridCoordinates(count, xi, u))
      inRootCoordinates(count, xi, u);
  }

  private boolean inGridCoordinates(int count, double[] xi, double[] u) {
    int m = size();
    double[] v = new double[count * m];
    problem.statistics().gram().applyBlock(count, u, v);
    double sigma = Math.sqrt(problem.noise());
    Parallel.forEach(
        count,
        c -> {
          double[] g = new double[m];
          weights.apply(noise(xi, c), g);
          Blas.axpy(m, sigma, g, 0, v, c * m);
        });
    double[] kv = new double[count * m];
    problem.kernel().applyBlock(count, v, kv);
    double[] x = solver.solve(problem.gridSpace(), count, kv, null).x();
    for (int c = 0; c < count; c++) {
      double[] r = Arrays.copyOfRange(kv, c * m, (c + 1) * m);
      double[] e = problem.residual(Arrays.copyOfRange(x, c * m, (c + 1) * m), r);
      if (!(Blas.nrm2(m, e, 0) <= slack * Blas.nrm2(m, r, 0))) return false;
    }
    for (int i = 0; i < count * m; i++) u[i] -= x[i];
    return true;
  }

  private void inRootCoordinates(int count, double[] xi, double[] u) {
    Space space = problem.space(weights);
    int n = weights.columns();
    double[] r = new double[count * n];
    space.project(count, u, r);
    double sigma = Math.sqrt(problem.noise());
    int first = prior.normals();
    for (int c = 0; c < count; c++) Blas.axpy(n, sigma, xi, c * normals() + first, r, c * n);
    if (factor != null) factor.solveRows(count, r);
    else r = solver.solve(space, count, r, null).orThrow(Math.max(slack, 1e-5));
    double[] lifted = new double[count * size()];
    space.lift(count, r, lifted);
    for (int i = 0; i < lifted.length; i++) u[i] -= lifted[i];
  }

  private double[] noise(double[] xi, int c) {
    int first = c * normals() + prior.normals();
    return Arrays.copyOfRange(xi, first, first + weights.columns());
  }

  @Override
  public String describe() {
    String how = factor == null ? "pathwise, " : "pathwise by a factor of " + factor.size() + ", ";
    return how + prior.describe();
  }
}
