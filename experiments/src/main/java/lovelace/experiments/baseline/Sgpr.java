package lovelace.experiments.baseline;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.Panels;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.JointNormal;

/// Sparse Gaussian process regression with m inducing points Z (Titsias, *Variational learning of
/// inducing variables in sparse Gaussian processes*, AISTATS 2009): the optimal Gaussian `q(u)` for
/// Z. With `LLᵀ = k(Z, Z)`, `A = L⁻¹k(Z, X)S^(−½)`, `S = diag(σ²/wᵢ)`, `L_B L_Bᵀ = B = I + AAᵀ`, `e
/// = B⁻¹ A S^(−½)(y − μ(X))`:
///
///     mean(x)    = μ(x) + k(x, Z) L⁻ᵀ e
///     cov(x, x′) = k(x, x′) − vᵀv′ + (L_B⁻¹v)ᵀ L_B⁻¹v′,   v = L⁻¹k(Z, x)
///
/// O(nm²) to make, O(m²) per prediction. Immutable; safe to share between threads.
public final class Sgpr implements Posterior {

  private final Hyperparameters hyperparameters;
  private final Kernel kernel;
  private final double noise;
  private final double[] inducing;
  private final int m;
  private final int d;
  private final double[] l;
  private final double[] lb;
  private final double[] weights;
  private final double bound;

  Sgpr(SgprSystem system) {
    this.hyperparameters = system.hyperparameters;
    this.kernel = system.kernel;
    this.noise = system.noise;
    this.inducing = system.inducing;
    this.m = system.m;
    this.d = system.d;
    this.l = system.l;
    this.lb = system.lb;
    this.weights = system.weights;
    this.bound = system.bound;
  }

  /// Conditions on the data. Inducing points are row-major and copied.
  public static Sgpr of(Dataset data, Hyperparameters hyperparameters, double[] inducing) {
    return new Sgpr(new SgprSystem(data, hyperparameters, inducing.clone()));
  }

  /// A learned posterior and the path of the optimiser. The optimum's value is minus the bound and
  /// minus log priors.
  public record Optimized(Sgpr posterior, Optimum optimum) {}

  /// Maximises the bound (plus log priors) in the free parameters and the places of the inducing
  /// points together. All parameters must be set.
  public static Optimized learn(
      Dataset data,
      Hyperparameters start,
      double[] inducing,
      Optimizer optimizer,
      Progress progress) {
    double[] theta = start.toFree();
    int p = theta.length;
    int q = inducing.length;
    double[] x = new double[p + q];
    double[] lower = new double[p + q];
    double[] upper = new double[p + q];
    System.arraycopy(theta, 0, x, 0, p);
    System.arraycopy(inducing, 0, x, p, q);
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    System.arraycopy(start.freeLower(), 0, lower, 0, p);
    System.arraycopy(start.freeUpper(), 0, upper, 0, p);
    Optimum optimum =
        optimizer.minimize(
            (at, gradient) -> {
              Hyperparameters h = start.fromFree(Arrays.copyOf(at, p));
              double[] z = Arrays.copyOfRange(at, p, p + q);
              SgprSystem system;
              try {
                system = new SgprSystem(data, h, z);
              } catch (ArithmeticException notPositiveDefinite) {
                return Double.POSITIVE_INFINITY;
              }
              double[] dz = new double[q];
              Evidence bound = new Evidence(system.bound, system.gradient(dz), 0);
              for (int i = 0; i < q; i++) gradient[p + i] = -dz[i];
              return bound.objective(h, gradient);
            },
            x,
            lower,
            upper,
            progress);
    double[] best = optimum.x();
    Hyperparameters h = start.fromFree(Arrays.copyOf(best, p));
    return new Optimized(of(data, h, Arrays.copyOfRange(best, p, p + q)), optimum);
  }

  /// The parameters of this posterior.
  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// A copy of the inducing points, row-major.
  public double[] inducing() {
    return inducing.clone();
  }

  /// The collapsed bound. It is at most the log marginal likelihood of the exact process: `log N(y;
  /// μ, Q + S) − ½ tr(S⁻¹(K − Q))`, `Q = k(X, Z) k(Z, Z)⁻¹ k(Z, X)`.
  public double bound() {
    return bound;
  }

  @Override
  public int dimensions() {
    return d;
  }

  @Override
  public double noise() {
    return noise;
  }

  @Override
  public Prediction predict(double[] points) {
    int t = Panels.count(points, d);
    double[] means = new double[t];
    double[] variances = new double[t];
    byte[] marks = new byte[t];
    double rounding = Panels.rounding(m);
    Panels.forEach(
        t,
        (from, to) -> {
          double[] panel = Panels.kernelRows(kernel, points, from, to, inducing, m, d);
          for (int i = from; i < to; i++)
            means[i] =
                hyperparameters.mean().at(points, i * d)
                    + Panels.dot(panel, (i - from) * m, weights, 0, m);
          Panels.solveLower(l, m, panel);
          double[] inner = panel.clone();
          Panels.solveLower(lb, m, inner);
          for (int i = from; i < to; i++) {
            double prior = kernel.variance(points, i * d);
            int row = (i - from) * m;
            double variance =
                prior
                    - Panels.dot(panel, row, panel, row, m)
                    + Panels.dot(inner, row, inner, row, m);
            boolean atBound = !(variance > rounding * prior);
            variances[i] = atBound ? rounding * prior : variance;
            marks[i] = Prediction.mark(false, atBound);
          }
        });
    return Prediction.adopt(means, variances, marks);
  }

  @Override
  public double[] covariance(double[] a, double[] b) {
    int ta = Panels.count(a, d);
    int tb = Panels.count(b, d);
    double[] covariance = new double[Budget.covariance(ta, tb)];
    if (covariance.length == 0) return covariance;
    kernel.matrix(a, ta, b, tb, covariance);
    double[] va = Panels.solvedRows(kernel, a, ta, inducing, m, d, l);
    boolean same = Arrays.equals(a, b);
    double[] vb = same ? va : Panels.solvedRows(kernel, b, tb, inducing, m, d, l);
    Panels.addProduct(-1, va, ta, vb, tb, m, covariance);
    Panels.solveLowerAll(lb, m, va);
    if (!same) Panels.solveLowerAll(lb, m, vb);
    Panels.addProduct(1, va, ta, vb, tb, m, covariance);
    return covariance;
  }

  /// The joint distribution of f at the points.
  public JointNormal joint(double[] points) {
    return JointNormal.of(this, kernel, points);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return joint(points).draw(count, random);
  }
}
