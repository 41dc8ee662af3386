package lovelace.markov;

/// A Matérn process of half-integer smoothness on a regular axis, as a Markov chain: `x₀ = Γ₀ u₀`,
/// `xₖ = Φ xₖ₋₁ + Γ uₖ` with the [MaternStep] of one cell.
final class MaternChain {

  /// The number of entries of the state: 1, 2, 3 for Matérn-1/2, -3/2, -5/2.
  final int dimension;

  /// One step τ of the axis in units of 1/λ.
  final double tau;

  /// Φ, ∂Φ/∂τ, Γ, a ∂Γ/∂τ, and Γ₀: d × d row-major. Γ and Γ₀ are lower triangular.
  final double[] transition;

  final double[] transitionSlope;
  final double[] innovation;
  final double[] innovationSlope;
  final double[] initial;

  /// The chain of `outputscale` times Matérn-`order`/2.
  MaternChain(int order, double lengthscale, double outputscale, double step) {
    MaternStep one = new MaternStep(order, outputscale);
    this.dimension = one.dimension();
    this.tau = Math.sqrt(order) * (step / lengthscale);
    one.to(tau);
    this.transition = one.transition();
    this.innovation = one.innovation();
    this.initial = one.initial();
    this.transitionSlope = new double[dimension * dimension];
    this.innovationSlope = new double[dimension * dimension];
    one.slopes(transitionSlope, innovationSlope);
  }

  /// `½ vᵀ (∂K/∂τ) v`, from the adjoint ρ of the chain and the states x = K v that it drives.
  double quadraticSlope(double[] v) {
    int d = dimension;
    int m = v.length;
    double[] rho = new double[d * (m + 1)];
    for (int k = m - 1; k >= 0; k--) {
      for (int j = 0; j < d; j++) {
        double sum = j == 0 ? v[k] : 0;
        for (int i = 0; i < d; i++) sum += transition[i * d + j] * rho[(k + 1) * d + i];
        rho[k * d + j] = sum;
      }
    }
    double[] x = new double[d];
    double[] next = new double[d];
    double[] push = new double[d];
    double slope = 0;
    for (int k = 0; k < m; k++) {
      double[] gamma = k == 0 ? initial : innovation;
      for (int i = 0; i < d; i++) {
        push[i] = 0;
        for (int j = i; j < d; j++) push[i] += gamma[j * d + i] * rho[k * d + j];
      }
      for (int i = 0; i < d; i++) {
        double sum = 0;
        double change = 0;
        for (int j = 0; j < d; j++) {
          sum += transition[i * d + j] * x[j] + gamma[i * d + j] * push[j];
          change += transitionSlope[i * d + j] * x[j];
          change += innovationSlope[i * d + j] * push[j];
        }
        next[i] = sum;
        if (k > 0) slope += rho[k * d + i] * change;
      }
      System.arraycopy(next, 0, x, 0, d);
    }
    return slope;
  }
}
