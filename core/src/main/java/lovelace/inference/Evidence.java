package lovelace.inference;

import java.util.Arrays;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;

/// The log marginal likelihood of the data under some hyperparameters, with its gradient.
public final class Evidence {

  private final double value;
  private final double[] gradient;
  private final double standardError;
  private final WarmStart next;

  public Evidence(double value, double[] gradient, double standardError) {
    this(value, gradient, standardError, WarmStart.NONE);
  }

  private Evidence(double value, double[] gradient, double standardError, WarmStart next) {
    this.value = value;
    this.gradient = gradient;
    this.standardError = standardError;
    this.next = next;
  }

  /// Returns the same with a state from which the next evaluation may start.
  public Evidence before(WarmStart start) {
    return new Evidence(value, gradient, standardError, start);
  }

  /// The evidence if there is no likelihood: the engine cannot represent the hyperparameters, or
  /// the matrix is singular in double precision, so that a factor would belong to another matrix.
  public static Evidence impossible(Hyperparameters h) {
    return new Evidence(Double.NEGATIVE_INFINITY, new double[h.size()], 0);
  }

  /// Puts the gradient together, in the order of the hyperparameters' values. The parts are the
  /// slopes in the kernel's parameters without its white terms, in σ², and in the mean's
  /// coefficients.
  public static double[] gradient(Hyperparameters h, double[] kernel, double noise, double[] mean) {
    int p = h.kernel().parameterCount();
    double[] g = Arrays.copyOf(kernel, h.size());
    g[p] = noise;
    h.kernel().whiteGradient(noise, g, 0);
    System.arraycopy(mean, 0, g, p + 1, mean.length);
    return g;
  }

  /// As above, from `dual = WA⁻¹(y − μ)`. Its products with the mean's basis vectors are the slopes
  /// in the coefficients.
  public static double[] gradient(
      LatticeProblem problem, double[] kernel, double noise, double[] dual) {
    double[] mean = new double[problem.hyperparameters().mean().size()];
    for (int i = 0; i < mean.length; i++)
      mean[i] = Blas.dot(dual.length, problem.statistics().lattice().basis(i), 0, dual, 0);
    return gradient(problem.hyperparameters(), kernel, noise, mean);
  }

  /// Minus the log posterior density of these hyperparameters, the objective of an optimiser.
  /// Overwrites `gradient`, if it has room, with the gradient in the free parameters. Returns +∞ if
  /// there is no likelihood.
  public double objective(Hyperparameters h, double[] gradient) {
    if (!Double.isFinite(value)) return Double.POSITIVE_INFINITY;
    double[] natural = gradient();
    double[] prior = h.logPriorGradient();
    for (int i = 0; i < natural.length; i++) natural[i] += prior[i];
    double[] free = h.freeGradient(natural);
    for (int i = 0; i < Math.min(free.length, gradient.length); i++) gradient[i] = -free[i];
    return -(value + h.logPrior());
  }

  /// `log p(y)`.
  public double value() {
    return value;
  }

  /// `∂ log p(y)/∂θ` on the natural scale, in the order of the hyperparameters' values. A copy.
  public double[] gradient() {
    return gradient.clone();
  }

  /// The standard error of the value if random probes estimate it; 0 if it is exact.
  public double standardError() {
    return standardError;
  }

  /// The state from which an evaluation at similar hyperparameters may start.
  public WarmStart next() {
    return next;
  }
}
