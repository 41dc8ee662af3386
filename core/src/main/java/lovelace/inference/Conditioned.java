package lovelace.inference;

import lovelace.grid.Stencils;

/// The posterior distribution of the lattice values.
public final class Conditioned {

  private final GridSystem system;
  private final GridCovariance covariance;
  private final double[] mean;
  private double widest = Double.NaN;

  /// From P and a, the posterior mean less the prior mean, which is taken over.
  public Conditioned(GridSystem system, GridCovariance covariance, double[] mean) {
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

  /// The widest certified interval of a variance at the check points, relative to its upper end.
  public synchronized double widest() {
    if (!Double.isNaN(widest)) return widest;
    double[] places = Love.checkPoints(system, Love.DEFAULT.checks());
    Stencils points = Stencils.of(system.statistics().lattice(), places);
    double[] lower = new double[points.count()];
    double[] upper = new double[points.count()];
    covariance.certify(points, lower, upper);
    widest = 0;
    for (int p = 0; p < lower.length; p++)
      widest = Math.max(widest, (upper[p] - lower[p]) / upper[p]);
    return widest;
  }
}
