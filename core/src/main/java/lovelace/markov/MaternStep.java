package lovelace.markov;

/// A step of a Matérn process of half-integer smoothness along its axis, as a Markov chain
/// (Hartikainen and Särkkä 2010).
///
/// The state is `x = (f, f′/λ, f″/λ²)` cut to d entries, `λ = √(2ν)/ℓ`, and a step of h is `τ = λh`:
///
///     x₀ = Γ₀ u₀        x′ = Φ x + Γ u        u ~ N(0, I)
///     Φ = exp(Fτ) = e^{−τ} Σ Nʲτʲ/j!,  N = F + I nilpotent        ΓΓᵀ = q ∫₀^τ g(t) g(t)ᵀ dt,  g(t) = exp(Ft) e_d
///
/// In these units only τ depends on the lengthscale. For small τ the difference `P∞ − ΦP∞Φᵀ`, of
/// order τ^{2d−1}, has no correct digit. So the integral is computed term by term: g is e^{−t}
/// times a polynomial, and `Iₙ = ∫₀^τ tⁿe^{−2t} dt` comes from a series of positive terms and `Iₙ =
/// (2Iₙ₊₁ + τⁿ⁺¹e^{−2τ})/(n + 1)`.
///
/// A workspace for one thread: [#to] overwrites the arrays that the accessors return.
public final class MaternStep {

  /// From here on the closed form of the integral loses no digits.
  private static final double LONG = 4;

  private final int d;
  private final double diffusion;
  private final double[] drift; // F of dx/dt = F x + e_d w, the companion matrix of (s + 1)ᵈ
  private final double[][] power; // Nʲ/j!
  private final double[] moment;
  private final double[] transition;
  private final double[] innovation;
  private final double[] initial;
  private double tau = Double.NaN;

  /// Makes the workspace of `outputscale` times Matérn-`order`/2 for order 1, 3 or 5. No step is
  /// set yet.
  public MaternStep(int order, double outputscale) {
    if (order != 1 && order != 3 && order != 5)
      throw new IllegalArgumentException(
          "order must be 1, 3 or 5 (Matérn-1/2, -3/2, -5/2), got " + order);
    d = (order + 1) / 2;
    double s = outputscale;
    drift =
        switch (d) {
          case 1 -> new double[] {-1};
          case 2 -> new double[] {0, 1, -1, -2};
          default -> new double[] {0, 1, 0, 0, 0, 1, -1, -3, -3};
        };
    diffusion = s * (d == 1 ? 2 : d == 2 ? 4 : 16 / 3.0);
    power = new double[d][];
    power[0] = new double[d * d];
    for (int i = 0; i < d; i++) power[0][i * d + i] = 1;
    double[] nilpotent = drift.clone();
    for (int i = 0; i < d; i++) nilpotent[i * d + i] += 1;
    for (int j = 1; j < d; j++) {
      power[j] = new double[d * d];
      product(nilpotent, power[j - 1], d, power[j]);
      for (int i = 0; i < d * d; i++) power[j][i] /= j;
    }
    moment = new double[2 * d - 1];
    transition = new double[d * d];
    innovation = new double[d * d];
    initial =
        switch (d) {
          case 1 -> new double[] {s};
          case 2 -> new double[] {s, 0, 0, s};
          default -> new double[] {s, 0, -s / 3, 0, s / 3, 0, -s / 3, 0, s};
        };
    factor(initial, d);
  }

  /// The number of entries of the state: 1, 2, 3 for Matérn-1/2, -3/2, -5/2.
  public int dimension() {
    return d;
  }

  /// Sets the step to τ ≥ 0.
  public void to(double tau) {
    if (tau == this.tau) return;
    if (!(tau >= 0)) throw new IllegalArgumentException("a step must be >= 0, got " + tau);
    this.tau = tau;
    double decay = Math.exp(-tau);
    for (int i = 0; i < d * d; i++) {
      double sum = power[d - 1][i];
      for (int j = d - 2; j >= 0; j--) sum = sum * tau + power[j][i];
      transition[i] = decay == 0 ? 0 : decay * sum;
    }
    moments(tau);
    for (int i = 0; i < d; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int a = 0; a < d; a++)
          for (int b = 0; b < d; b++)
            sum += power[a][i * d + d - 1] * power[b][j * d + d - 1] * moment[a + b];
        innovation[i * d + j] = diffusion * sum;
      }
    factor(innovation, d);
  }

  private void moments(double tau) {
    int top = 2 * d - 2;
    double x = 2 * tau;
    double tail = Math.exp(-x);
    for (int n = 0; n <= top; n++) {
      double before = n == 0 ? tail : moment[n - 1];
      moment[n] = before == 0 ? 0 : before * tau; // τⁿ⁺¹e^{−2τ} first
    }
    if (x < LONG) {
      double term = moment[top] / (top + 1);
      double sum = 0;
      for (int k = top + 2; sum + term != sum; k++) {
        sum += term;
        term *= x / k;
      }
      moment[top] = sum;
    } else {
      double term = 1;
      double sum = 1;
      double full = 0.5;
      for (int k = 1; k <= top; k++) {
        term *= x / k;
        sum += term;
        full *= k / 2.0;
      }
      moment[top] = tail == 0 ? full : full * (1 - tail * sum);
    }
    for (int n = top - 1; n >= 0; n--) moment[n] = (2 * moment[n + 1] + moment[n]) / (n + 1);
  }

  /// Φ, d × d row-major.
  public double[] transition() {
    return transition;
  }

  /// Γ, lower triangular.
  public double[] innovation() {
    return innovation;
  }

  /// Γ₀, lower triangular. It does not depend on the step.
  public double[] initial() {
    return initial;
  }

  /// Overwrites its arguments with `∂Φ/∂τ` and a `∂Γ/∂τ`. Both are zero if the step is 0.
  ///
  /// `∂(ΓΓᵀ)/∂τ = q g gᵀ` with g = g(τ), so `∂Γ = ½ q g (Γ⁻¹g)ᵀ` is a derivative of Γ, up to a
  /// rotation of u.
  public void slopes(double[] transitionSlope, double[] innovationSlope) {
    product(drift, transition, d, transitionSlope);
    double[] white = new double[d];
    for (int i = 0; i < d; i++) {
      double sum = transition[i * d + d - 1];
      for (int j = 0; j < i; j++) sum -= innovation[i * d + j] * white[j];
      double pivot = innovation[i * d + i];
      white[i] = pivot > 0 ? sum / pivot : 0;
    }
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++)
        innovationSlope[i * d + j] = diffusion / 2 * transition[i * d + d - 1] * white[j];
  }

  /// Overwrites a small, well-scaled matrix with its lower Cholesky factor. Reads only the lower
  /// triangle. An entry that underflowed gets a column of zeros.
  private static void factor(double[] a, int d) {
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = a[i * d + j];
        for (int k = 0; k < j; k++) sum -= a[i * d + k] * a[j * d + k];
        if (i == j) a[i * d + i] = sum > 0 ? Math.sqrt(sum) : 0;
        else a[i * d + j] = a[j * d + j] > 0 ? sum / a[j * d + j] : 0;
      }
      for (int j = i + 1; j < d; j++) a[i * d + j] = 0;
    }
  }

  private static void product(double[] a, double[] b, int d, double[] c) {
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int k = 0; k < d; k++) sum += a[i * d + k] * b[k * d + j];
        c[i * d + j] = sum;
      }
  }
}
