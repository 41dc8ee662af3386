package lovelace.inference;

import java.util.Arrays;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;

/// The log marginal likelihood of the data under some hyperparameters, with its gradient.
public final class Evidence {

  private final double value;
  private final double[] gradient;
  private final double standardError;

  public Evidence(double value, double[] gradient, double standardError) {
    this.value = value;
    this.gradient = gradient;
    this.standardError = standardError;
  }

  /// No likelihood: the hyperparameters are out of an engine's reach, or the matrix is singular in
  /// double precision, so that a factor would be that of another one.
  static Evidence impossible(Hyperparameters h) {
    return new Evidence(Double.NEGATIVE_INFINITY, new double[h.size()], 0);
  }

  /// The gradient from its parts: that of the kernel's parameters, the derivative in σ², and `dual
  /// = WA⁻¹(y − μ)`, whose products with the mean's basis vectors are the derivatives in its
  /// coefficients.
  static double[] gradient(GridSystem system, double[] kernel, double noise, double[] dual) {
    Hyperparameters h = system.hyperparameters();
    Lattice lattice = system.statistics().lattice();
    int p = h.kernel().parameterCount();
    double[] g = Arrays.copyOf(kernel, h.size());
    g[p] = noise;
    h.kernel().whiteGradient(noise, g, 0);
    for (int i = 0; i < h.mean().size(); i++) {
      double[] basis = i == 0 ? lattice.constant() : lattice.coordinates(i - 1);
      g[p + 1 + i] = Blas.dot(basis.length, basis, 0, dual, 0);
    }
    return g;
  }

  /// `log p(y)`.
  public double value() {
    return value;
  }

  /// `∂ log p(y)/∂θ`, natural scale, in the order of the hyperparameters' values. A copy.
  public double[] gradient() {
    return gradient.clone();
  }

  /// The standard error of the value where it is estimated with random probes; 0 where it is exact.
  public double standardError() {
    return standardError;
  }
}
