package lovelace.latent;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.Space;

/// The precision `Q + W` of f given working observations of curvature W, by conjugate gradients.
///
/// The preconditioner is `Lᵀ G L` with `G = D⁻¹ + W` (Kündig and Sigrist 2024). Iterates are stored
/// as `v = L x`. For these the matrix is `D⁻¹ + L⁻ᵀ W L⁻¹` and the preconditioner is diagonal, so a
/// step costs two passes over the neighbours. As a [Space] it is that matrix scaled by `G^−½` on
/// both sides. Immutable.
final class LatentSystem implements Space {

  private static final int LIMIT = 5000;

  private final LatentPrior prior;
  private final double[] w;
  private final double[] g;

  /// @param w the curvatures, ≥ 0; not copied
  LatentSystem(LatentPrior prior, double[] w) {
    this.prior = prior;
    this.w = w;
    this.g = new double[w.length];
    for (int j = 0; j < g.length; j++) g[j] = 1 / prior.variances()[j] + w[j];
  }

  /// G; not copied: read only.
  double[] diagonal() {
    return g;
  }

  @Override
  public int size() {
    return w.length;
  }

  @Override
  public double shift() {
    return 0;
  }

  /// `r ← L⁻¹ G^−½ x`.
  @Override
  public void lift(int count, double[] x, double[] r) {
    if (count != 1) throw new IllegalArgumentException("one vector at a time, got " + count);
    for (int j = 0; j < size(); j++) r[j] = x[j] / Math.sqrt(g[j]);
    prior.solve(r);
  }

  /// `y ← G^−½ (D⁻¹ L r + L⁻ᵀ W r)`.
  @Override
  public void project(int count, double[] r, double[] y) {
    double[] own = new double[size()];
    prior.residuals(r, own);
    pull(r, y);
    for (int j = 0; j < size(); j++)
      y[j] = (own[j] / prior.variances()[j] + y[j]) / Math.sqrt(g[j]);
  }

  /// `y ← L⁻ᵀ W x`.
  void pull(double[] x, double[] y) {
    for (int j = 0; j < size(); j++) y[j] = w[j] * x[j];
    prior.solveTransposed(y);
  }

  /// `(Q + W)⁻¹ b`. The residual, in the norm of the preconditioner's inverse, is at most
  /// `relative` of that of b, or `least`. That norm of a residual is about the norm of the error in
  /// posterior standard deviations.
  double[] solve(double[] b, double relative, double least) {
    int n = size();
    double[] d = prior.variances();
    double[] x = new double[n];
    double[] r = b.clone();
    prior.solveTransposed(r);
    double[] p = new double[n];
    double rho = 0;
    for (int j = 0; j < n; j++) {
      p[j] = r[j] / g[j];
      rho += r[j] * p[j];
    }
    double enough = Math.max(relative * relative * rho, least * least);
    double[] xp = new double[n];
    double[] q = new double[n];
    for (int step = 0; rho > enough; step++) {
      Budget.check();
      if (step == LIMIT)
        throw new ArithmeticException(
            String.format(
                Locale.ROOT,
                "conjugate gradients stopped after %d steps at residual %.2e, above %.2e; give a kernel of less variance or more neighbours",
                LIMIT,
                Math.sqrt(rho),
                Math.sqrt(enough)));
      System.arraycopy(p, 0, xp, 0, n);
      prior.solve(xp);
      pull(xp, q);
      for (int j = 0; j < n; j++) q[j] += p[j] / d[j];
      double alpha = rho / Blas.dot(n, p, 0, q, 0);
      double next = 0;
      for (int j = 0; j < n; j++) {
        x[j] += alpha * xp[j];
        r[j] -= alpha * q[j];
        next += r[j] * r[j] / g[j];
      }
      double beta = next / rho;
      rho = next;
      for (int j = 0; j < n; j++) p[j] = r[j] / g[j] + beta * p[j];
    }
    return x;
  }
}
