package lovelace.inference;

import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// P, the posterior covariance of the lattice values, as an engine knows it: the covariance of f at
/// two points with weights w and w′ is `wᵀPw′`. Immutable.
public interface GridCovariance {

  /// The number of lattice points.
  int size();

  /// `wᵢᵀPwⱼ` for all pairs, row-major, one row per stencil of `a`.
  double[] between(Stencils a, Stencils b);

  /// `wᵀPw` for one stencil, never below zero by more than [#floor].
  double variance(int[] index, double[] weight);

  /// The entries of P between grid points of one stencil; only where the lattice is one grid.
  StencilMatrix stencil();

  /// `P v` for `count` lattice vectors stored one after another.
  void apply(int count, double[] v, double[] pv);

  /// The rows of P's lower triangle one after another.
  default double[] triangle() {
    int m = size();
    double[] table = new double[m * (m + 1) / 2];
    int block = 64;
    for (int from = 0; from < m; from += block) {
      int count = Math.min(block, m - from);
      double[] unit = new double[count * m];
      double[] rows = new double[count * m];
      for (int i = 0; i < count; i++) unit[i * m + from + i] = 1;
      apply(count, unit, rows);
      for (int i = from; i < from + count; i++)
        System.arraycopy(rows, (i - from) * m, table, i * (i + 1) / 2, i + 1);
    }
    return table;
  }

  /// The size of the rounding error a variance can carry: what is smaller is not known.
  double floor();

  /// `k₁ᵀ W A⁻¹ Wᵀ k₂` for covariances k₁, k₂ with the lattice points: what the data explain of
  /// points beyond it.
  double explained(double[] k1, double[] k2);

  /// [#floor] for a point beyond the lattice, whose covariances with it are k.
  default double outsideFloor(double[] k) {
    return floor();
  }

  /// The posterior covariances of a point beyond the lattice, whose covariances with it are k, and
  /// points inside.
  double[] cross(double[] k, Stencils inside);

  /// Fills an interval around each variance of `wᵀPw` in which that of the interpolated process is
  /// certain to lie, rounding included.
  void certify(Stencils points, double[] lower, double[] upper);

  /// A bound on the relative width of these intervals that holds at every lattice point, given the
  /// entries of P that [#stencil] has; infinite where the engine knows none at a cost of that
  /// order.
  default double everywhere(StencilMatrix entries) {
    return Double.POSITIVE_INFINITY;
  }

  /// An exact root of P to draw from, or null where the engine has none at hand.
  default @Nullable CovarianceRoot root() {
    return null;
  }

  /// About how many bytes it keeps alive.
  long bytes();

  /// The engine that works with such a covariance.
  Engine engine();

  /// The engine's name and the rank it works with, `love, rank 50` say.
  String describe();
}
