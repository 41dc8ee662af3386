package lovelace.inference;

/// A Matérn process of half-integer smoothness on a regular axis, as a Markov chain (Hartikainen and Särkkä 2010).
///
/// The state is `x = (f, f′/λ, f″/λ²)` cut to d entries, `λ = √(2ν)/ℓ`, and one step of the axis is `τ = λh`:
///
///     x₀ = Γ₀ u₀        xₖ = Φ xₖ₋₁ + Γ uₖ        u ~ N(0, I)
///     Φ = exp(Fτ) = e^{−τ} Σ Nʲτʲ/j!,  N = F + I nilpotent        ΓΓᵀ = q ∫₀^τ g(t) g(t)ᵀ dt,  g(t) = exp(Ft) e_d
///
/// In these units nothing but τ depends on the lengthscale. The integral is taken by quadrature: the difference
/// `P∞ − ΦP∞Φᵀ` has no correct digit once τ is small (it is of order τ^{2d−1}).
final class MaternChain {
  private static final int NODES = 16;
  private static final double[] NODE = new double[NODES];
  private static final double[] WEIGHT = new double[NODES];
  private static final double DECAYED = 40; // e^{−2·40} is far below the rounding of the integral

  static {
    for (int i = 0; i < NODES; i++) {
      double x = Math.cos(Math.PI * (i + 0.75) / (NODES + 0.5));
      double slope = 1;
      for (int newton = 0; newton < 8; newton++) {
        double previous = 1;
        double p = x;
        for (int j = 2; j <= NODES; j++) {
          double next = ((2 * j - 1) * x * p - (j - 1) * previous) / j;
          previous = p;
          p = next;
        }
        slope = NODES * (x * p - previous) / (x * x - 1);
        x -= p / slope;
      }
      NODE[i] = (1 + x) / 2;
      WEIGHT[i] = 1 / ((1 - x * x) * slope * slope);
    }
  }

  /// Entries of the state: 1, 2, 3 for Matérn-1/2, -3/2, -5/2.
  final int dimension;

  /// One step τ of the axis in units of 1/λ.
  final double tau;

  /// Φ and ∂Φ/∂τ, Γ and a ∂Γ/∂τ, Γ₀: d × d row-major; Γ and Γ₀ lower triangular.
  final double[] transition;

  final double[] transitionSlope;
  final double[] innovation;
  final double[] innovationSlope;
  final double[] initial;

  /// The chain of `outputscale` times Matérn-`order`/2.
  MaternChain(int order, double lengthscale, double outputscale, double step) {
    this.dimension = (order + 1) / 2;
    this.tau = Math.sqrt(order) * (step / lengthscale);
    int d = dimension;
    double[] drift = drift(d);
    this.transition = exponential(drift, d, tau);
    this.transitionSlope = product(drift, transition, d);
    double diffusion = outputscale * (d == 1 ? 2 : d == 2 ? 4 : 16 / 3.0);
    this.innovation = factor(innovationCovariance(drift, d, tau, diffusion), d);
    // ∂(ΓΓᵀ)/∂τ = q g gᵀ with g = g(τ), so ∂Γ = ½ q g (Γ⁻¹g)ᵀ is a derivative of Γ, up to a
    // rotation of u.
    double[] white = new double[d];
    for (int i = 0; i < d; i++) {
      double sum = transition[i * d + d - 1];
      for (int j = 0; j < i; j++) sum -= innovation[i * d + j] * white[j];
      white[i] = sum / innovation[i * d + i];
    }
    this.innovationSlope = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        innovationSlope[i * d + j] = diffusion / 2 * transition[i * d + d - 1] * white[j];
      }
    }
    this.initial = factor(stationaryCovariance(d, outputscale), d);
  }

  /// `½ vᵀ (∂K/∂τ) v`, by the chain's adjoint ρ and the states x = K v it drives.
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

  /// F of dx/dt = F x + e_d w: the companion matrix of (s + 1)ᵈ.
  private static double[] drift(int d) {
    return switch (d) {
      case 1 -> new double[] {-1};
      case 2 -> new double[] {0, 1, -1, -2};
      default -> new double[] {0, 1, 0, 0, 0, 1, -1, -3, -3};
    };
  }

  private static double[] stationaryCovariance(int d, double s) {
    return switch (d) {
      case 1 -> new double[] {s};
      case 2 -> new double[] {s, 0, 0, s};
      default -> new double[] {s, 0, -s / 3, 0, s / 3, 0, -s / 3, 0, s};
    };
  }

  private static double[] exponential(double[] drift, int d, double t) {
    double[] nilpotent = drift.clone();
    double[] power = new double[d * d];
    for (int i = 0; i < d; i++) {
      nilpotent[i * d + i] += 1;
      power[i * d + i] = Math.exp(-t);
    }
    double[] sum = power.clone();
    for (int j = 1; j < d; j++) {
      power = product(nilpotent, power, d);
      for (int i = 0; i < d * d; i++) sum[i] += power[i] *= t / j;
    }
    return sum;
  }

  private static double[] innovationCovariance(
      double[] drift, int d, double tau, double diffusion) {
    double[] covariance = new double[d * d];
    double end = Math.min(tau, DECAYED);
    int panels = (int) Math.ceil(end);
    double width = end / panels;
    for (int panel = 0; panel < panels; panel++) {
      for (int node = 0; node < NODES; node++) {
        double[] g = exponential(drift, d, (panel + NODE[node]) * width);
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            covariance[i * d + j] +=
                diffusion * width * WEIGHT[node] * g[i * d + d - 1] * g[j * d + d - 1];
          }
        }
      }
    }
    return covariance;
  }

  /// Lower Cholesky factor of a small, well-scaled matrix.
  private static double[] factor(double[] a, int d) {
    double[] l = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = a[i * d + j];
        for (int k = 0; k < j; k++) sum -= l[i * d + k] * l[j * d + k];
        l[i * d + j] = i == j ? Math.sqrt(sum) : sum / l[j * d + j];
      }
    }
    return l;
  }

  private static double[] product(double[] a, double[] b, int d) {
    double[] c = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) c[i * d + j] += a[i * d + k] * b[k * d + j];
      }
    }
    return c;
  }
}
