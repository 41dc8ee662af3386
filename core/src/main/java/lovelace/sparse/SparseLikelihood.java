package lovelace.sparse;

import lovelace.inference.Evidence;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.GridStatistics;

/// The likelihood under the sparse prior of a [SparseEngine], with its gradient.
final class SparseLikelihood {

  private final Conditioned sparse;
  private final LatticeProblem problem;
  private final GridStatistics statistics;

  SparseLikelihood(Conditioned sparse, GridStatistics statistics) {
    this.sparse = sparse;
    this.statistics = statistics;
    problem = sparse.problem;
  }

  /// The likelihood and its gradient, from the posterior mean a of the nodes.
  Evidence evidence(double[] a) {
    Hyperparameters h = problem.hyperparameters();
    double[] g = new double[h.kernel().parameterCount()];
    sparse
        .precision
        .gradient()
        .quadratic(-0.5, a)
        .trace(-0.5, sparse.frame.padded, sparse.inverse())
        .logDeterminant(0.5)
        .into(g);
    double[] dual;
    double slope = 0;
    if (sparse.pinned()) {
      dual = new double[a.length];
      sparse.prior(1, a, dual);
      sparse.mask(1, dual);
    } else {
      double noise = problem.noise();
      dual = new double[a.length];
      statistics.gram().apply(a, dual);
      double[] b = problem.projected();
      for (int i = 0; i < a.length; i++) dual[i] = (b[i] - dual[i]) / noise;
      slope =
          0.5
              / noise
              * (misfit(a) / noise
                  - statistics.count()
                  + sparse.stencil().dot(statistics.stencil()) / noise);
    }
    double squares = sparse.precision.quadratic(a);
    return new Evidence(value(a, squares), Evidence.gradient(problem, g, slope, dual), 0);
  }

  /// log p with a given quadratic form of the prior at the mean.
  double value(double[] a, double squares) {
    double logs = sparse.factor.logDeterminant() - sparse.precision.logDeterminant();
    NodeData data = sparse.nodes();
    if (sparse.pinned() && data != null)
      return -0.5 * (squares + logs + data.observed() * Math.log(2 * Math.PI));
    double n = statistics.count();
    double noise = problem.noise();
    return -0.5
            * (squares + misfit(a) / noise + logs + n * Math.log(noise) + n * Math.log(2 * Math.PI))
        + 0.5 * statistics.logWeights();
  }

  /// `‖y − μ − Wᵀa‖²`, weighted. If rows lie on nodes it is summed over these. Otherwise it comes
  /// from the sums, or from the compressed weights if that would lose digits.
  private double misfit(double[] a) {
    double[] b = problem.projected();
    NodeData data = sparse.nodes();
    double sum = 0;
    if (data != null) {
      double between = problem.squares();
      for (int i = 0; i < a.length; i++) {
        double w = data.weights()[i];
        if (!(w > 0)) continue;
        double y = b[i] / w;
        between -= w * y * y;
        sum += w * (y - a[i]) * (y - a[i]);
      }
      return sum + Math.max(0, between);
    }
    if (1e-15 * problem.squares() < 1e-4 * problem.noise()) {
      double[] ga = new double[a.length];
      statistics.gram().apply(a, ga);
      return Math.max(
          0,
          problem.squares() - 2 * Blas.dot(a.length, a, 0, b, 0) + Blas.dot(a.length, a, 0, ga, 0));
    }
    CompressedWeights root = statistics.compressed();
    double[] beta = problem.target(root, root.target());
    double outside = problem.squares() - Blas.dot(beta.length, beta, 0, beta, 0);
    double[] fit = new double[beta.length];
    root.applyTransposed(a, fit);
    for (int i = 0; i < fit.length; i++) sum += (beta[i] - fit[i]) * (beta[i] - fit[i]);
    return sum + Math.max(0, outside);
  }
}
