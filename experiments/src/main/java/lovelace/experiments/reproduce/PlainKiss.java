package lovelace.experiments.reproduce;

import lovelace.data.Dataset;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeProblem;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Parallel;
import lovelace.linear.Space;
import lovelace.statistics.DataWeights;

/// KISS-GP without LOVE, as published (Wilson and Nickisch 2015). For every test point it solves
/// with the n × n matrix `WᵀKW + σ²I` by conjugate gradients, O(k(n + m log m)) per point. Points
/// are solved side by side, each with its own iterates.
///
/// [lovelace.experiments.baseline.KissGp] gives the same variances in fewer coordinates, for any n.
final class PlainKiss {

  private static final int BATCH = 16;

  private PlainKiss() {}

  /// `wᵀKw − wᵀKW(WᵀKW + σ²I)⁻¹WᵀKw` at the points.
  static double[] variances(
      LatticeProblem problem, Dataset data, Stencils points, double tolerance) {
    ConjugateGradients solver = ConjugateGradients.DEFAULT.withTolerance(tolerance);
    return variances(problem, data, points, solver, 1e3 * tolerance);
  }

  /// The same by a given solver. Residuals beyond `worst` are an error.
  static double[] variances(
      LatticeProblem problem,
      Dataset data,
      Stencils points,
      ConjugateGradients solver,
      double worst) {
    Space space = problem.space(DataWeights.of(problem.statistics().lattice(), data));
    double[] variance = problem.kernel().quadratics(points);
    int n = space.size();
    int m = problem.kernel().size();
    Parallel.chunks(
        variance.length,
        BATCH,
        (chunk, from, to) -> {
          int count = to - from;
          double[] w = new double[count * m];
          for (int p = 0; p < count; p++) points.scatter(from + p, 1, w, p * m);
          double[] kw = new double[count * m];
          problem.kernel().applyBlock(count, w, kw);
          double[] v = new double[count * n];
          space.project(count, kw, v);
          double[] x = solver.solve(space, count, v, null).orThrow(worst);
          space.lift(count, x, kw);
          for (int p = 0; p < count; p++) variance[from + p] -= points.dot(from + p, kw, p * m);
        });
    return variance;
  }
}
