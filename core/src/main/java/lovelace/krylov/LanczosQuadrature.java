package lovelace.krylov;

import lovelace.inference.LatticeProblem;
import lovelace.linear.Blas;
import lovelace.linear.Lanczos;
import lovelace.linear.LogQuadrature;
import lovelace.linear.Parallel;

/// Stochastic Lanczos quadrature: `tr log(A/σ²)` with its derivatives. [DeflatedSpace] treats one
/// part exactly, and probes estimate the rest.
///
/// @param tolerance the error of a probe's quadrature, relative to the square of the probe
/// @param limit the largest number of Lanczos steps of a probe
record LanczosQuadrature(double tolerance, int limit) {

  private static final int BATCH = 64;

  /// `tr log(A′/σ²)` with its derivatives.
  static final class Estimate {
    double value;
    double slope; // in σ²
    double[] gradient; // in the kernel's parameters
    double standardError;
    boolean converged = true;
    int steps;

    Estimate(int parameters) {
      gradient = new double[parameters];
    }
  }

  Estimate estimate(LatticeProblem problem, DeflatedSpace space, Probes probes) {
    int n = space.size();
    int parameters = problem.hyperparameters().kernel().parameterCount();
    double noise = space.shift();
    Estimate total = new Estimate(parameters);
    int k = space.rank();
    if (k > 0) {
      for (int from = 0; from < k; from += BATCH) {
        int to = Math.min(k, from + BATCH);
        double[] grid = space.whitened(from, to);
        problem.kernel().gradient(to - from, grid, grid, 1, total.gradient);
      }
      total.value = space.logDeterminant() - k * Math.log(noise);
      total.slope = space.inverseTrace() - k / noise;
    }
    Estimate[] parts = new Estimate[probes.count()];
    double[][] entries = new double[probes.count()][];
    Parallel.forEach(parts.length, p -> parts[p] = probe(problem, space, probes, p, entries));
    for (int p = 0; p < parts.length; p++) {
      double weight = probes.weight(p);
      total.value += weight * parts[p].value;
      total.slope += weight * parts[p].slope;
      for (int i = 0; i < parameters; i++) total.gradient[i] += weight * parts[p].gradient[i];
      total.converged &= parts[p].converged;
      total.steps += parts[p].steps;
    }
    if (total.converged)
      total.standardError = Math.hypot(probes.standardError(entries), tolerance * n);
    return total;
  }

  /// `ξᵀ log(S/σ²) ξ` for one probe. `entries[p]` receives `ξᵢ(log(S/σ²)ξ)ᵢ` if the probe is
  /// repeated.
  private Estimate probe(
      LatticeProblem problem, DeflatedSpace space, Probes probes, int p, double[][] entries) {
    int n = space.size();
    double noise = space.shift();
    Estimate out = new Estimate(problem.hyperparameters().kernel().parameterCount());
    double[] signs = probes.signs(p);
    double[] xi = signs.clone();
    space.deflate(xi);
    double squared = Blas.dot(n, xi, 0, xi, 0);
    if (probes.repeated(p)) entries[p] = new double[n];
    if (!(squared > 1e-20 * n)) return out;
    Lanczos run = new Lanczos(space, xi);
    out.converged = LogQuadrature.converge(run, Math.sqrt(Math.sqrt(tolerance)), limit);
    if (!out.converged) return out;
    int k = run.steps();
    out.steps = k;
    double[] lambda = new double[k];
    double[] ritz = new double[k * k]; // row i is the i-th eigenvector of T
    for (int j = 0; j < k; j++) {
      ritz[j * k + j] = run.alpha(j);
      if (j > 0) ritz[j * k + j - 1] = run.beta(j - 1);
    }
    Blas.eigen(k, ritz, lambda);
    double[] log = new double[k];
    double inverse = 0;
    for (int i = 0; i < k; i++) {
      lambda[i] = Math.max(lambda[i], noise);
      double first = ritz[i * k];
      log[i] = Math.log(lambda[i] / noise);
      out.value += squared * first * first * log[i];
      inverse += squared * first * first / lambda[i];
    }
    // coefficients, in the Lanczos basis, of vectors whose outer products add up to the derivative
    double[] c = LogQuadrature.derivative(k, lambda, log, ritz, squared);
    int r = c.length / k;
    double[] v = new double[r * n];
    Blas.gemm(false, false, r, n, k, 1, c, 0, k, run.basis(), 0, n, 0, v, 0, n);
    if (space.rank() > 0) inverse = space.squares(r, v);
    double[] grid = new double[r * space.liftedSize()];
    space.embed(r, v, grid);
    problem.kernel().gradient(r, grid, grid, 1, out.gradient);
    out.slope = inverse - squared / noise;
    if (probes.repeated(p)) {
      double[] f = new double[k]; // log(T/σ²) e₁
      for (int i = 0; i < k; i++) Blas.axpy(k, log[i] * ritz[i * k], ritz, i * k, f, 0);
      Blas.gemv(true, k, n, Math.sqrt(squared), run.basis(), 0, n, f, 0, 0, entries[p], 0);
      for (int i = 0; i < n; i++) entries[p][i] *= signs[i];
    }
    return out;
  }
}
