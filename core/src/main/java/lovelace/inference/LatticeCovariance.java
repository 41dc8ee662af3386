package lovelace.inference;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.plan.Engine;
import lovelace.statistics.GramRounding;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// P, the posterior covariance of the lattice values, as an engine knows it. The covariance of f at
/// two points with weights w and w′ is `wᵀPw′`. This class needs only products with P and G. An
/// engine that knows a root of P overrides methods with better ones. Immutable.
public abstract class LatticeCovariance {

  public static final double EPSILON = 0x1p-52;

  /// The number of sums that [#quadratics] always works on at a time.
  protected static final int PANEL = 16;

  private static final int BATCH = 64;

  public final Statistics statistics;
  public final LatticeKernel kernel;
  public final double noise;
  public final GramRounding gramRounding;

  /// Takes the data, K between the lattice points, and σ².
  public LatticeCovariance(Statistics statistics, LatticeKernel kernel, double noise) {
    this.statistics = statistics;
    this.kernel = kernel;
    this.noise = noise;
    gramRounding = GramRounding.of(statistics);
  }

  /// The number of lattice points.
  public final int size() {
    return kernel.size();
  }

  /// `P v` for `count` lattice vectors stored one after another.
  public abstract void apply(int count, double[] v, double[] pv);

  private double[] times(double[] v) {
    double[] pv = new double[v.length];
    apply(1, v, pv);
    return pv;
  }

  /// `wᵢᵀPwⱼ` for all pairs, row-major, one row per stencil of `a`.
  public double[] between(Stencils a, Stencils b) {
    int m = size();
    double[] out = new double[Budget.covariance(a.count(), b.count())];
    for (int from = 0; from < a.count(); from += BATCH) {
      int count = Math.min(BATCH, a.count() - from);
      double[] w = new double[count * m];
      double[] pw = new double[count * m];
      for (int i = 0; i < count; i++) a.scatter(from + i, 1, w, i * m);
      apply(count, w, pw);
      for (int i = 0; i < count; i++)
        for (int j = 0; j < b.count(); j++) out[(from + i) * b.count() + j] = b.dot(j, pw, i * m);
    }
    return out;
  }

  /// `wᵀPw` for every point. It is never below zero by more than [#floor].
  public abstract double[] variances(Stencils points);

  /// `aᵀPa` for sums of stencils, which may have a weight at every lattice point: the variances of
  /// weighted means. Panels have one width, so that a sum goes through the same operations in any
  /// batch.
  public final double[] quadratics(Stencils sums) {
    double[] out = new double[sums.count()];
    for (int from = 0; from < out.length; from += PANEL) {
      int count = Math.min(PANEL, out.length - from);
      System.arraycopy(panel(sums, from, count), 0, out, from, count);
    }
    return out;
  }

  /// `aᵀPa` for `count` sums from `from` on, at most [#PANEL]. The result may be longer; the rest
  /// of it is meaningless.
  protected double[] panel(Stencils sums, int from, int count) {
    int m = size();
    double[] v =
        new double[Budget.numbers(PANEL, m, "a panel of the lattice", "use fewer grid points")];
    for (int c = 0; c < count; c++) sums.scatter(from + c, 1, v, c * m);
    double[] pv = new double[v.length];
    apply(PANEL, v, pv);
    double[] out = new double[count];
    for (int c = 0; c < count; c++) out[c] = sums.dot(from + c, pv, c * m);
    return out;
  }

  /// `wᵀPw` for one stencil.
  public final double variance(int[] index, double[] weight) {
    return variances(Stencils.single(index, weight))[0];
  }

  /// The entries of P between grid points of one stencil. Only for a lattice of a single grid.
  public abstract StencilMatrix stencil();

  /// The rows of P's lower triangle one after another.
  public final double[] triangle() {
    int m = size();
    double[] table = new double[m * (m + 1) / 2];
    for (int from = 0; from < m; from += BATCH) {
      int count = Math.min(BATCH, m - from);
      double[] unit = new double[count * m];
      double[] rows = new double[count * m];
      for (int i = 0; i < count; i++) unit[i * m + from + i] = 1;
      apply(count, unit, rows);
      for (int i = from; i < from + count; i++)
        System.arraycopy(rows, (i - from) * m, table, i * (i + 1) / 2, i + 1);
    }
    return table;
  }

  /// The size of the rounding error of a variance. A smaller variance is not known.
  public abstract double floor();

  private double[] observed(double[] k) {
    double[] gk = new double[k.length];
    statistics.gram().apply(k, gk);
    return gk;
  }

  /// `k₁ᵀ W A⁻¹ Wᵀ k₂ = (k₁ᵀGk₂ − k₁ᵀGPGk₂/σ²)/σ²` for covariances k₁, k₂ with the lattice points.
  /// This is the part that the data explain of the covariance of points beyond the lattice.
  public double explained(double[] k1, double[] k2) {
    int m = size();
    double[] g = observed(k1);
    double[] pg = times(observed(k2));
    return (Blas.dot(m, g, 0, k2, 0) - Blas.dot(m, g, 0, pg, 0) / noise) / noise;
  }

  /// [#floor] for a point beyond the lattice whose covariances with the lattice points are k.
  public double outsideFloor(double[] k) {
    return floor() + 16 * EPSILON * Blas.dot(k.length, k, 0, observed(k), 0) / noise;
  }

  /// The posterior covariances of a point beyond the lattice, whose covariances with the lattice
  /// points are k, and points inside: `wᵀk − wᵀPGk/σ²`.
  public double[] cross(double[] k, Stencils inside) {
    double[] pg = times(observed(k));
    double[] out = new double[inside.count()];
    for (int p = 0; p < out.length; p++)
      out[p] = inside.dot(p, k, 0) - inside.dot(p, pg, 0) / noise;
    return out;
  }

  /// Intervals `[lower, upper]` around the variances at places inside the lattice, row-major. The
  /// variances of the interpolated process are certain to lie in them, including rounding.
  public final double[][] certify(double[] places) {
    int d = statistics.lattice().dimensions();
    double[][] bounds = new double[2][places.length / d];
    for (int from = 0; from < bounds[0].length; from += BATCH) {
      int count = Math.min(BATCH, bounds[0].length - from);
      double[] some = Arrays.copyOfRange(places, from * d, (from + count) * d);
      double[][] own = new double[2][count];
      certify(Stencils.of(statistics.lattice(), some), own[0], own[1]);
      for (int b = 0; b < 2; b++) System.arraycopy(own[b], 0, bounds[b], from, count);
    }
    return bounds;
  }

  /// Fills the intervals of a few dozen points.
  public abstract void certify(Stencils points, double[] lower, double[] upper);

  /// Whether the intervals of [#certify] are certain. Otherwise one of their bounds is an estimate.
  public boolean certifies() {
    return true;
  }

  /// A bound on the relative width of these intervals at every lattice point, given the entries of
  /// P from [#stencil]. Infinite if the engine knows no bound at a similar cost.
  public double everywhere(StencilMatrix entries) {
    return Double.POSITIVE_INFINITY;
  }

  /// Whether f between grid points is kriged from the points of its stencil
  /// ([lovelace.latticekernel.LocalKriging]) instead of interpolated by Keys' weights. This is for
  /// rough kernels with the data on grid points. The lattice is then one grid of one to three axes,
  /// the kernel is stationary, and callers use [#certify] at grid points and at kriging weights.
  public boolean kriges() {
    return false;
  }

  /// An exact root of P for draws, or null if the engine has none ready.
  public @Nullable PosteriorRoot root() {
    return null;
  }

  /// About how many bytes this object keeps alive.
  public abstract long bytes();

  /// The engine that computed this covariance.
  public abstract Engine engine();

  /// The engine's name and its rank, such as `love, rank 50`.
  public abstract String describe();
}
