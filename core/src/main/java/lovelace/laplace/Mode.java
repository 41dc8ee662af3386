package lovelace.laplace;

/// The mode of the latent function at the places of the observations, and Laplace's approximation
/// there. Arrays are not copied and must not be modified.
public final class Mode {

  final double[] values; // f
  final double[] weights; // W, or a little above 0
  final double[] targets; // z = f + g/W
  final double[] bends; // ∂W/∂f
  final double correction; // changes log N(z; μ, A) into log Z
  final WorkingProcess.Solution solution;
  private final int steps;
  private final double residual;

  Mode(
      double[] values, Curvature at, WorkingProcess.Solution solution, int steps, double residual) {
    this.values = values;
    this.weights = at.weights;
    this.targets = at.targets(values);
    this.bends = at.bends;
    this.correction = at.correction();
    this.solution = solution;
    this.steps = steps;
    this.residual = residual;
  }

  /// f at the places.
  public double[] values() {
    return values;
  }

  /// w of the working observations.
  public double[] weights() {
    return weights;
  }

  /// A new array with the posterior means of f at the places to first order, `mode − ½ P (∂W/∂f ∘
  /// diag P)`.
  public double[] means() {
    double[] f = solution.response(shift());
    for (int i = 0; i < f.length; i++) f[i] += values[i];
    return f;
  }

  /// The posterior variances of f at the places.
  public double[] variances() {
    return solution.variances();
  }

  /// The number of Newton steps to the mode.
  public int steps() {
    return steps;
  }

  /// The length of the last step, in posterior standard deviations. The remaining distance is
  /// shorter.
  public double residual() {
    return residual;
  }

  /// `log Z ≈ log p(y | f) + log N(f; μ, K) − ½ log|I + KW| + …`, GPML eq. (3.32).
  public double evidence() {
    return solution.evidence() + correction;
  }

  /// `δ = s/W` with `s = −½ diag(P) ∂W/∂f`: the shift of the targets that turns the mean of the
  /// Gaussian process of working observations from the mode of f into its mean, to first order.
  public double[] shift() {
    double[] p = solution.variances();
    double[] delta = new double[p.length];
    for (int i = 0; i < p.length; i++) delta[i] = -0.5 * p[i] * bends[i] / weights[i];
    return delta;
  }

  /// The targets z + δ of working observations whose posterior mean is the mean of f, to first
  /// order: `mode − ½ P (∂W/∂f ∘ diag P)`.
  public double[] corrected() {
    double[] z = shift();
    for (int i = 0; i < z.length; i++) z[i] += targets[i];
    return z;
  }
}
