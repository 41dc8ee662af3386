package lovelace.spectral;

import java.util.Arrays;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.WorkingProcess;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.PeriodicPart;
import lovelace.latticekernel.StationaryPart;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.modes.ModeStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Working observations through the Fourier modes of a stationary kernel on a lattice, for some
/// thousand places. The modes at the places are computed once, so a step needs neither a pass nor
/// the lattice. Let Ψ be the modes at the places times the roots of their prior variances λ, and `B
/// = I + ΨᵀwΨ`. Then
///
/// ```
/// u = B⁻¹Ψᵀw(z − μ)    f = μ + Ψu    diag P = ‖L⁻¹ψ‖²    log|A| = log|B| − Σ log w
/// ∂ log N/∂λⱼ = ½ (uⱼ² − 1 + (B⁻¹)ⱼⱼ)/λⱼ
/// ```
public final class WorkingModes implements WorkingProcess {

  /// The largest number of places.
  public static final int MOST = 20_000;

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final Statistics empty;
  private final Stencils places;

  /// @param empty the statistics of no rows on the lattice
  /// @param places row-major, inside the lattice
  public WorkingModes(Statistics empty, double[] places) {
    this.empty = empty;
    this.places = Stencils.of(empty.lattice(), places);
  }

  /// Whether Fourier modes can represent a kernel on a lattice: every term is stationary, and no
  /// period is learned, because that would change the modes.
  public static boolean applies(Lattice lattice, Hyperparameters complete) {
    return LatticeKernel.of(lattice, complete.kernel()).blocks().stream()
        .allMatch(
            block ->
                block.parts().stream().allMatch(part -> part instanceof StationaryPart)
                    && block.periodic().stream().noneMatch(PeriodicPart::moves));
  }

  private static @Nullable ModeStatistics modes(Statistics empty, Hyperparameters h) {
    return ModeStatistics.of(
        empty,
        LatticeKernel.of(empty.lattice(), h.kernel()),
        0.1 * SpectralEngine.TOLERANCE,
        SpectralEngine.MOST);
  }

  @Override
  public String name() {
    return "spectral";
  }

  @Override
  public int size() {
    return places.count();
  }

  @Override
  public double[] prior(Hyperparameters working) {
    double[] c = working.mean().coefficients();
    return c.length == 0
        ? new double[size()]
        : at(empty.lattice().linear(c[0], Arrays.copyOfRange(c, 1, c.length)));
  }

  private double[] at(double[] values) {
    double[] out = new double[size()];
    for (int i = 0; i < out.length; i++) out[i] = places.dot(i, values, 0);
    return out;
  }

  /// The modes and their values at the places.
  private static final class Seen implements WarmStart {
    final WorkingModes process;
    final ModeStatistics modes;
    final double[] rows;

    Seen(WorkingModes process, ModeStatistics modes, double[] rows) {
      this.process = process;
      this.modes = modes;
      this.rows = rows;
    }
  }

  /// Ψ for given parameters.
  private static final class Scaled implements WarmStart {
    final Seen seen;
    final Hyperparameters working;
    final int[] active;
    final double[] lambda;
    final double[] rows;

    Scaled(Seen seen, Hyperparameters working, int[] active, double[] lambda, double[] rows) {
      this.seen = seen;
      this.working = working;
      this.active = active;
      this.lambda = lambda;
      this.rows = rows;
    }
  }

  @Override
  public Solution solve(
      Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
    return new Solved(scaled(working, start), weights, targets);
  }

  private Scaled scaled(Hyperparameters working, WarmStart start) {
    if (start instanceof Scaled known
        && known.seen.process == this
        && known.working.equals(working)) return known;
    Lattice lattice = empty.lattice();
    LatticeKernel kernel = LatticeKernel.of(lattice, working.kernel());
    Seen seen =
        start instanceof Scaled known && known.seen.process == this && known.seen.modes.fits(kernel)
            ? known.seen
            : null;
    if (seen == null) {
      ModeStatistics modes = modes(empty, working);
      if (modes == null || !modes.isStill())
        throw SpectralEngine.refusal(
            lattice, working, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
      seen = new Seen(this, modes, modes.features(places));
    }
    double[] lambda = seen.modes.weights(kernel);
    int[] active = ModeStatistics.heavy(lambda, SpectralEngine.TOLERANCE);
    int n = size();
    int k = active.length;
    int rank = lambda.length;
    double[] rows = new double[n * k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < k; j++)
        rows[i * k + j] = Math.sqrt(lambda[active[j]]) * seen.rows[i * rank + active[j]];
    return new Scaled(seen, working, active, lambda, rows);
  }

  private final class Solved implements Solution, ModeStatistics.Slopes {
    private final Scaled scaled;
    private final double[] weights;
    private final double[] targets;
    private final double[] mu;
    private final Cholesky factor; // of B
    private final double[] u;
    private final double[] means;
    private double[] along = new double[0]; // Ψᵀ A⁻¹ δ

    Solved(Scaled scaled, double[] weights, double[] targets) {
      this.scaled = scaled;
      this.weights = weights;
      this.targets = targets;
      mu = prior(scaled.working);
      int n = size();
      int k = scaled.active.length;
      double[] rooted = new double[n * k];
      for (int i = 0; i < n; i++) {
        double root = Math.sqrt(weights[i]);
        for (int j = 0; j < k; j++) rooted[i * k + j] = root * scaled.rows[i * k + j];
      }
      double[] b = new double[k * k];
      Blas.syrk(true, k, n, 1, rooted, 0, k, 0, b, 0, k);
      for (int j = 0; j < k; j++) b[j * k + j] += 1;
      Blas.mirror(k, b);
      factor = Cholesky.adopt(b, k);
      double[] off = targets.clone();
      for (int i = 0; i < n; i++) off[i] -= mu[i];
      u = coefficients(off);
      means = synthesised(u);
      for (int i = 0; i < n; i++) means[i] += mu[i];
    }

    /// `B⁻¹Ψᵀ(w v)`.
    private double[] coefficients(double[] v) {
      int n = size();
      int k = scaled.active.length;
      double[] wv = new double[n];
      for (int i = 0; i < n; i++) wv[i] = weights[i] * v[i];
      double[] x = new double[k];
      Blas.gemv(true, n, k, 1, scaled.rows, 0, k, wv, 0, 0, x, 0);
      factor.solve(x);
      return x;
    }

    private double[] synthesised(double[] x) {
      int n = size();
      int k = scaled.active.length;
      double[] f = new double[n];
      Blas.gemv(false, n, k, 1, scaled.rows, 0, k, x, 0, 0, f, 0);
      return f;
    }

    @Override
    public double[] means() {
      return means;
    }

    @Override
    public double[] variances() {
      int n = size();
      int k = scaled.active.length;
      double[] rows = scaled.rows.clone();
      Blas.trsm(true, true, n, k, 1, factor.factor(), 0, k, rows, 0, k);
      double[] p = new double[n];
      for (int i = 0; i < n; i++) p[i] = Blas.dot(k, rows, i * k, rows, i * k);
      return p;
    }

    /// α = w(z − f).
    private double dual(int i) {
      return weights[i] * (targets[i] - means[i]);
    }

    @Override
    public double evidence() {
      int n = size();
      double sum = factor.logDeterminant() + n * LOG_2PI;
      for (int i = 0; i < n; i++) sum += dual(i) * (targets[i] - mu[i]) - Math.log(weights[i]);
      return -0.5 * sum;
    }

    @Override
    public double[] gradient(double[] delta) {
      Hyperparameters h = scaled.working;
      along = coefficients(delta);
      double[] own = new double[h.kernel().parameterCount()];
      scaled.seen.modes.pullBack(LatticeKernel.of(empty.lattice(), h.kernel()), this, own);
      double[] moved = synthesised(along);
      double[] mean = new double[h.mean().size()];
      for (int c = 0; c < mean.length; c++) {
        double[] basis = at(empty.lattice().basis(c));
        for (int i = 0; i < basis.length; i++)
          mean[c] += basis[i] * (dual(i) + weights[i] * (delta[i] - moved[i]));
      }
      return Evidence.gradient(h, own, 0, mean);
    }

    @Override
    public double[] slopes() {
      int k = scaled.active.length;
      double[] inverse = factor.inverse();
      double[] slope = new double[scaled.lambda.length];
      for (int j = 0; j < k; j++) {
        double square = 0.5 * u[j] * u[j] + u[j] * along[j];
        slope[scaled.active[j]] =
            (square - 0.5 + 0.5 * inverse[j * k + j]) / scaled.lambda[scaled.active[j]];
      }
      return slope;
    }

    @Override
    public double[] dual() {
      throw new IllegalStateException("Fourier modes do not move");
    }

    @Override
    public double[] inverse() {
      throw new IllegalStateException("Fourier modes do not move");
    }

    @Override
    public int[] active() {
      return scaled.active;
    }

    @Override
    public double noise() {
      throw new IllegalStateException("observations have a variance each");
    }

    @Override
    public double[] response(double[] delta) {
      return synthesised(coefficients(delta));
    }

    @Override
    public WarmStart next() {
      return scaled;
    }
  }
}
