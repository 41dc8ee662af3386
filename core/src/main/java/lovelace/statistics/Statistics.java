package lovelace.statistics;

import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.linear.LinearOperator;
import org.jspecify.annotations.Nullable;

/// Everything that a model on a lattice needs of its data. With interpolation weights W (one column
/// per observation) and observation weights D, these are `G = WDWᵀ`, `b = WDy`, `yᵀDy`, n and `Σ
/// log dᵢ`. The target is measured from an [#origin], so that a large mean does not cancel.
/// Immutable.
public sealed interface Statistics permits GridStatistics, AdditiveStatistics {

  /// Statistics of n points inside a lattice (row-major n×d), with their targets, and their weights
  /// if there are any.
  static Statistics of(
      Lattice lattice, double[] points, double[] target, double @Nullable [] weights) {
    return switch (lattice) {
      case Grid grid -> GridStatistics.of(grid, points, target, weights, Outside.ERROR);
      case AdditiveGrid sum -> AdditiveStatistics.of(sum, points, target, weights, Outside.ERROR);
    };
  }

  Lattice lattice();

  /// `G = WDWᵀ`.
  LinearOperator gram();

  /// The number of observations.
  long count();

  /// The number of observations left out because they lay outside the lattice.
  long skipped();

  /// `Σ dᵢ`.
  double weightSum();

  /// `Σ log dᵢ`.
  double logWeights();

  /// The value from which [#projected] and [#squares] measure the target.
  double origin();

  /// `WD(y − origin)`. A fresh array.
  double[] projected();

  /// `(y − origin)ᵀD(y − origin)`.
  double squares();

  /// The statistics of `y − Wᵀc`, where c is a prior mean as a lattice vector in the units of the
  /// target ([Lattice#linear] writes one): `b − Gc` and `yᵀDy − 2cᵀb + cᵀGc`.
  default Centred centred(double[] mean) {
    int m = lattice().size();
    if (mean.length != m)
      throw new IllegalArgumentException(
          "the mean needs one value per lattice point, " + m + ", got " + mean.length);
    double[] c = lattice().constant();
    for (int i = 0; i < m; i++) c[i] = mean[i] - origin() * c[i];
    double[] b = projected();
    double[] gc = new double[m];
    gram().apply(c, gc);
    double cb = 0;
    double cgc = 0;
    for (int i = 0; i < m; i++) {
      cb += c[i] * b[i];
      cgc += c[i] * gc[i];
      b[i] -= gc[i];
    }
    return new Centred(b, squares() - 2 * cb + cgc);
  }

  /// An upper bound on the rank of G that is cheap to compute.
  long rankBound();

  /// A root `ŴŴᵀ = G` with as few columns as the data allow.
  CompressedWeights compressed();

  /// Statistics of the target minus a prior mean.
  final class Centred {
    private final double[] projected;
    private final double squares;

    Centred(double[] projected, double squares) {
      this.projected = projected;
      this.squares = squares;
    }

    /// `WD(y − mean)`. Not a copy: the caller must not modify it.
    public double[] projected() {
      return projected;
    }

    /// `(y − mean)ᵀD(y − mean)`.
    public double squares() {
      return squares;
    }
  }
}
