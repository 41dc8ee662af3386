package lovelace.experiments.baseline;

import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Lanczos;
import lovelace.linear.Space;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.Points;
import lovelace.statistics.DataWeights;
import org.jspecify.annotations.Nullable;

/// Algorithm 1 of Pleiss et al. (2018), exactly as published: Lanczos on the n × n matrix from the
/// probe `WᵀK1/m`, `R = QᵀWᵀK` and `R′ = T⁻¹R`, covariance `k(x, x′) − wᵀRᵀR′w′` with the kernel
/// itself as prior term. It exists to check the paper. [lovelace.lattice.LatticePosterior] is
/// closer to the exact GP, never negative, and does not grow with the data.
///
/// A variance that comes out below zero is reported as the rounding bound and marked.
public final class Algorithm1 implements Posterior {

  private final LatticeProblem problem;
  private final int rank;
  private final double[] r; // m × k
  private final double[] solved; // T⁻¹R, m × k
  private double @Nullable [] mean; // null until it is needed

  private Algorithm1(LatticeProblem problem, Dataset data, int steps) {
    this.problem = problem;
    Lattice lattice = problem.statistics().lattice();
    Space space = problem.space(DataWeights.of(lattice, data));
    Lanczos run = new Lanczos(space, problem.probe(space));
    run.run(Math.min(steps, space.size()));
    rank = run.steps();
    int m = lattice.size();
    r = new double[m * rank];
    for (int j = 0; j < rank; j++)
      for (int i = 0; i < m; i++) r[i * rank + j] = run.lifted()[j * m + i];
    solved = r.clone();
    tridiagonal(run, m);
  }

  /// The mean of the lattice values. It is solved at the first call, because variances do not need
  /// it.
  private synchronized double[] mean() {
    double[] known = mean;
    if (known != null) return known;
    known = problem.mean(ConjugateGradients.DEFAULT.withTolerance(1e-12));
    for (int i = 0; i < known.length; i++) known[i] += problem.prior()[i];
    mean = known;
    return known;
  }

  /// The paper's posterior with k Lanczos steps, for example 50.
  public static Algorithm1 of(LatticeProblem problem, Dataset data, int steps) {
    return new Algorithm1(problem, data, steps);
  }

  /// Applies `T⁻¹` to every row of `solved`, by the LDLᵀ factors of T.
  private void tridiagonal(Lanczos run, int m) {
    double[] pivot = new double[rank];
    double[] factor = new double[rank];
    for (int j = 0; j < rank; j++) {
      if (j > 0) factor[j] = run.beta(j - 1) / pivot[j - 1];
      pivot[j] = run.alpha(j) - (j > 0 ? factor[j] * run.beta(j - 1) : 0);
    }
    for (int i = 0; i < m; i++) {
      int at = i * rank;
      for (int j = 1; j < rank; j++) solved[at + j] -= factor[j] * solved[at + j - 1];
      for (int j = 0; j < rank; j++) solved[at + j] /= pivot[j];
      for (int j = rank - 2; j >= 0; j--) solved[at + j] -= factor[j + 1] * solved[at + j + 1];
    }
  }

  @Override
  public int dimensions() {
    return problem.statistics().lattice().dimensions();
  }

  @Override
  public double noise() {
    return problem.noise();
  }

  @Override
  public Prediction predict(double[] points) {
    Points.check(points, dimensions());
    Stencils stencils = Stencils.of(problem.statistics().lattice(), points);
    double[] variances = new double[stencils.count()];
    byte[] marks = variances(points, stencils, variances);
    double[] means = new double[variances.length];
    double[] own = mean();
    for (int p = 0; p < means.length; p++) means[p] = stencils.dot(p, own, 0);
    return Prediction.adopt(means, variances, marks);
  }

  /// The variances alone. They need no solution for the mean.
  public double[] variances(double[] points) {
    Points.check(points, dimensions());
    Stencils stencils = Stencils.of(problem.statistics().lattice(), points);
    double[] variances = new double[stencils.count()];
    variances(points, stencils, variances);
    return variances;
  }

  private byte[] variances(double[] points, Stencils stencils, double[] variances) {
    int d = dimensions();
    Kernel kernel = problem.hyperparameters().kernel().withoutWhite();
    byte[] marks = new byte[variances.length];
    for (int p = 0; p < variances.length; p++) {
      double prior = kernel.variance(points, p * d);
      double v =
          prior - Blas.dot(rank, contract(stencils, p, r), 0, contract(stencils, p, solved), 0);
      double floor = 64 * Math.ulp(prior);
      boolean bound = !(v >= floor);
      variances[p] = bound ? floor : v;
      marks[p] = Prediction.mark(false, bound);
    }
    return marks;
  }

  private double[] contract(Stencils stencils, int p, double[] rows) {
    double[] out = new double[rank];
    stencils.contract(p, rank, rows, out, 0);
    return out;
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int d = dimensions();
    int rows = Points.check(a, d);
    int columns = Points.check(b, d);
    Lattice lattice = problem.statistics().lattice();
    Stencils left = Stencils.of(lattice, a);
    Stencils right = Stencils.of(lattice, b);
    double[] out = new double[Budget.covariance(rows, columns)];
    problem.hyperparameters().kernel().withoutWhite().matrix(a, rows, b, columns, out);
    for (int i = 0; i < rows; i++) {
      double[] u = contract(left, i, r);
      for (int j = 0; j < columns; j++)
        out[i * columns + j] -= Blas.dot(rank, u, 0, contract(right, j, solved), 0);
    }
    return out;
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return JointNormal.of(this, problem.hyperparameters().kernel().withoutWhite(), points)
        .draw(count, random);
  }
}
