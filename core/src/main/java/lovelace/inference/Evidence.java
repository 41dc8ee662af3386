package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// The log marginal likelihood of the data under some hyperparameters, with its gradient.
public final class Evidence {

  private final double value;
  private final double[] gradient;
  private final double standardError;

  Evidence(double value, double[] gradient, double standardError) {
    this.value = value;
    this.gradient = gradient;
    this.standardError = standardError;
  }

  /// No likelihood: the hyperparameters are out of an engine's reach.
  static Evidence impossible(Hyperparameters h) {
    return new Evidence(Double.NEGATIVE_INFINITY, new double[h.size()], 0);
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
