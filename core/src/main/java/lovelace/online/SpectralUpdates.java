package lovelace.online;

import java.util.Arrays;
import java.util.Locale;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Cholesky;
import lovelace.modes.ModeStatistics;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// A posterior in the coordinates of Fourier modes that takes one observation after another. With φ
/// = Fᵀw(x) an observation of weight d changes the matrix and the right-hand side of
/// [lovelace.spectral.SpectralCovariance] by
///
/// ```
/// B ← B ± d uuᵀ,   g ← g ± d (y − μ(x)) u,   u = Λ^½φ(x)
/// ```
///
/// so the Cholesky factor follows in O(r²) by rotations (Golub and Van Loan, section 6.5.4), and a
/// prediction is `μ(x) + (L⁻¹u)ᵀ(L⁻¹g)` with variance `σ²‖L⁻¹u‖²`. Modes and hyperparameters do not
/// change. Jitter that B needs for its factorisation acts as noise: predictions are those for `σ² +
/// j`, whose variances are not smaller than those for σ². Rounding errors grow with the number of
/// updates, so restart from the statistics now and then. One thread at a time.
final class SpectralUpdates {

  private final ModeStatistics system;
  private final Hyperparameters hyperparameters;
  private final Lattice lattice;
  private final double noise; // σ², with the jitter of the first factor
  private final int[] active;
  private final double[] scale; // Λ^½, 0 for modes left out
  private final int r;
  private final double[] factor; // L, column after column: entry (i, j) at j·r + i
  private final double[] g;
  private final double[] z;
  private final double[] phi;
  private final double[] u;
  private final double[] rest;
  private final int[] index;
  private final double[] weight;
  private boolean solved;

  private SpectralUpdates(ModeStatistics system, LatticeKernel kernel, Hyperparameters h) {
    this.system = system;
    hyperparameters = h;
    lattice = system.statistics().lattice();
    double own = h.noise() + h.kernel().whiteVariance();
    double[] lambda = system.weights(kernel);
    active = ModeStatistics.heavy(lambda, SpectralEngine.TOLERANCE);
    r = active.length;
    scale = new double[lambda.length];
    for (int j : active) scale[j] = Math.sqrt(lambda[j]);
    double[] f = system.projected(system.centre(h.mean()));
    g = new double[r];
    for (int i = 0; i < r; i++) g[i] = scale[active[i]] * f[active[i]];
    Cholesky start = Cholesky.adopt(system.matrix(active, scale, own), r);
    noise = own + start.jitter();
    double[] rows = start.factor();
    factor = new double[r * r];
    for (int i = 0; i < r; i++) for (int j = 0; j <= i; j++) factor[j * r + i] = rows[i * r + j];
    z = new double[r];
    phi = new double[lambda.length];
    u = new double[r];
    rest = new double[r];
    index = new int[lattice.stencilSize()];
    weight = new double[index.length];
  }

  /// The posterior of some data to start from, or null if the kernel needs more than
  /// [SpectralEngine#MOST] modes.
  static @Nullable SpectralUpdates of(Statistics statistics, Hyperparameters h) {
    LatticeKernel kernel = LatticeKernel.of(statistics.lattice(), h.kernel());
    ModeStatistics system =
        ModeStatistics.of(statistics, kernel, 0.1 * SpectralEngine.TOLERANCE, SpectralEngine.MOST);
    return system == null ? null : new SpectralUpdates(system, kernel, h);
  }

  /// Why [#of] is null, in words.
  static String obstacle(Statistics statistics, Hyperparameters h) {
    return SpectralEngine.obstacle(statistics, h, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
  }

  /// The number of modes, r.
  int modes() {
    return r;
  }

  /// Adds the observation of y at the point that starts at `x[xo]`, with noise variance σ²/d.
  void add(double[] x, int xo, double y, double d) {
    change(x, xo, y, d, 1);
  }

  /// Removes an observation that was added.
  ///
  /// @throws ArithmeticException if rounding errors exceed what would be left; restart then
  void forget(double[] x, int xo, double y, double d) {
    change(x, xo, y, d, -1);
  }

  private void change(double[] x, int xo, double y, double d, int sign) {
    modes(x, xo);
    double residual = sign * d * (y - hyperparameters.mean().at(x, xo));
    double root = Math.sqrt(d);
    for (int i = 0; i < r; i++) {
      g[i] += residual * u[i];
      rest[i] = root * u[i];
    }
    solved = false;
    rotate(sign);
  }

  /// `LLᵀ ← LLᵀ ± vvᵀ` for v in [#rest], column after column.
  private void rotate(int sign) {
    for (int j = 0; j < r; j++) {
      int at = j * r;
      double diagonal = factor[at + j];
      double v = rest[j];
      double square = sign > 0 ? diagonal * diagonal + v * v : (diagonal - v) * (diagonal + v);
      if (!(square > 0))
        throw new ArithmeticException(
            String.format(
                Locale.ROOT,
                "without that observation the system is not positive definite: pivot %d is %s",
                j + 1,
                square));
      double pivot = Math.sqrt(square);
      double inverse = diagonal / pivot;
      double cosine = pivot / diagonal;
      double sine = v / diagonal;
      factor[at + j] = pivot;
      for (int i = j + 1; i < r; i++) {
        double moved = (factor[at + i] + sign * sine * rest[i]) * inverse;
        rest[i] = cosine * rest[i] - sine * moved;
        factor[at + i] = moved;
      }
    }
  }

  /// `u ← Λ^½φ(x)`.
  private void modes(double[] x, int xo) {
    if (!lattice.stencil(x, xo, index, weight))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %d is %s, outside the %s",
              lattice.outsideColumn(x, xo) + 1,
              x[xo + lattice.outsideColumn(x, xo)],
              lattice));
    Arrays.fill(phi, 0);
    system.features(Stencils.single(index, weight), 0, phi, 0);
    for (int i = 0; i < r; i++) u[i] = scale[active[i]] * phi[active[i]];
  }

  /// `v ← L⁻¹v`.
  private void solve(double[] v) {
    for (int j = 0; j < r; j++) {
      int at = j * r;
      double c = v[j] / factor[at + j];
      v[j] = c;
      for (int i = j + 1; i < r; i++) v[i] -= c * factor[at + i];
    }
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance of f at the point inside the
  /// lattice that starts at `x[xo]`, in O(r²).
  void predict(double[] x, int xo, double[] out) {
    if (!solved) {
      System.arraycopy(g, 0, z, 0, r);
      solve(z);
      solved = true;
    }
    modes(x, xo);
    solve(u);
    double mean = 0;
    double square = 0;
    for (int i = 0; i < r; i++) {
      mean += u[i] * z[i];
      square += u[i] * u[i];
    }
    out[0] = hyperparameters.mean().at(x, xo) + mean;
    out[1] = noise * square;
  }
}
