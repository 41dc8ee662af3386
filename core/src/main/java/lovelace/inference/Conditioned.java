package lovelace.inference;

/// The posterior distribution of the lattice values.
public final class Conditioned {

  private final GridSystem system;
  private final GridCovariance covariance;
  private final double[] mean;

  Conditioned(GridSystem system, GridCovariance covariance, double[] mean) {
    this.system = system;
    this.covariance = covariance;
    this.mean = mean;
  }

  public GridSystem system() {
    return system;
  }

  /// P.
  public GridCovariance covariance() {
    return covariance;
  }

  /// a, the posterior mean less the prior mean. A copy.
  public double[] mean() {
    return mean.clone();
  }
}
