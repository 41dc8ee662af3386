package lovelace.experiments.baseline;

import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeProblem;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Space;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.Points;

/// KISS-GP without LOVE (Wilson and Nickisch 2015): one conjugate-gradient solve per test point. It
/// is for comparison: [lovelace.lattice.LatticePosterior] gives the same answers in constant time.
public final class KissGp implements Posterior {

  private static final int BATCH = 64;

  private final LatticeProblem problem;
  private final ConjugateGradients solver;
  private final Space space;
  private final double[] mean;

  private KissGp(LatticeProblem problem, ConjugateGradients solver) {
    this.problem = problem;
    this.solver = solver;
    space = problem.space();
    mean = problem.mean(solver);
    for (int i = 0; i < mean.length; i++) mean[i] += problem.prior()[i];
  }

  public static KissGp of(LatticeProblem problem, ConjugateGradients solver) {
    return new KissGp(problem, solver);
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
    int d = dimensions();
    int count = Points.check(points, d);
    Lattice lattice = problem.statistics().lattice();
    Stencils stencils = Stencils.of(lattice, points);
    double[] means = new double[count];
    double[] variances = new double[count];
    byte[] marks = new byte[count];
    double floor = 64 * Math.ulp(1.0) * problem.kernel().maxVariance();
    double[] explained = problem.explained(solver, stencils);
    double[] prior = problem.kernel().quadratics(stencils);
    for (int p = 0; p < count; p++) {
      means[p] = stencils.dot(p, mean, 0);
      double v = prior[p] - explained[p];
      boolean bound = !(v >= floor);
      variances[p] = bound ? floor : v;
      marks[p] = Prediction.mark(false, bound);
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// `P w = Kw − K V A⁻¹ VᵀKw` for a batch of points, one row each.
  private double[] columns(Stencils stencils, int from, int batch) {
    LatticeKernel kernel = problem.kernel();
    int m = kernel.size();
    double[] w = new double[batch * m];
    for (int p = 0; p < batch; p++) stencils.scatter(from + p, 1, w, p * m);
    double[] kw = new double[batch * m];
    kernel.applyBlock(batch, w, kw);
    double[] v = new double[batch * space.size()];
    space.project(batch, kw, v);
    double[] x = solver.solve(space, batch, v, null).orThrow();
    double[] g = new double[x.length];
    space.metric(batch, x, g);
    space.lift(batch, g, w);
    for (int i = 0; i < kw.length; i++) kw[i] -= w[i];
    return kw;
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int d = dimensions();
    Points.check(a, d);
    Points.check(b, d);
    Lattice lattice = problem.statistics().lattice();
    Stencils left = Stencils.of(lattice, a);
    Stencils right = Stencils.of(lattice, b);
    double[] out = new double[Budget.covariance(left.count(), right.count())];
    int m = lattice.size();
    for (int from = 0; from < left.count(); from += BATCH) {
      int batch = Math.min(BATCH, left.count() - from);
      double[] columns = columns(left, from, batch);
      for (int p = 0; p < batch; p++)
        for (int q = 0; q < right.count(); q++)
          out[(from + p) * right.count() + q] = right.dot(q, columns, p * m);
    }
    return out;
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return JointNormal.of(this, problem.hyperparameters().kernel().withoutWhite(), points)
        .draw(count, random);
  }
}
