package lovelace.sites;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.Fronts;
import lovelace.linear.sparse.NestedDissection;
import lovelace.linear.sparse.SelectedInverse;
import lovelace.linear.sparse.SparseCholesky;
import lovelace.linear.sparse.SparsePattern;
import org.jspecify.annotations.Nullable;

/// The factor of the posterior precision of nodes and sites, and its inverse P. If it is *pinned*,
/// the values at points with rows are known, and P is 0 there. Immutable.
final class SiteFactor {

  /// The number of right-hand sides that are solved at a time. It is fixed, so that a place goes
  /// through the same operations in any batch.
  static final int PANEL = 16;

  private final SitePrior prior;
  private final Sites sites;
  private final double noise;
  private final boolean pinned;
  private final Unknowns unknowns;
  private final SparseCholesky factor;

  /// Factors the precision for noise with this variance, or for no noise if it is pinned.
  SiteFactor(SitePrior prior, double noise, boolean pinned) {
    this.prior = prior;
    this.noise = noise;
    this.pinned = pinned;
    sites = prior.sets.sites;
    unknowns = prior.sets.unknowns(pinned);
    long largest = unknowns.fronts.largest();
    SparsePattern pattern = prior.sets.pattern;
    // beside the stored result: the values of the matrix, and the fronts in work
    Budget.require(
        bytes() + 16L * pattern.entries() + 24 * largest * largest,
        "the sparse factor of nodes and sites",
        "use fewer rows or a coarser grid");
    double[] values = prior.values();
    if (!pinned)
      for (int p = 0; p < sites.points; p++)
        values[pattern.start(p + 1) - 1] += sites.weight[p] / noise;
    factor = SparseCholesky.of(unknowns.fronts, unknowns.some(values));
  }

  /// The log determinant of the precision of the unknowns.
  double logDeterminant() {
    return factor.logDeterminant();
  }

  /// The entries of P on the pattern.
  double[] inverse() {
    return unknowns.all(SelectedInverse.onPattern(factor));
  }

  /// The posterior mean of all points for values at the rows' places. Values elsewhere are 0.
  double[] mean(double[] y) {
    if (pinned) {
      double[] x = prior.apply(y);
      for (int p = 0; p < x.length; p++) x[p] = -x[p];
      double[] own = unknowns.gather(1, x);
      factor.solve(own);
      double[] all = unknowns.scatter(1, own);
      for (int p = 0; p < all.length; p++) if (sites.observed(p)) all[p] = y[p];
      return all;
    }
    double[] x = new double[y.length];
    for (int p = 0; p < x.length; p++) x[p] = sites.weight[p] / noise * y[p];
    factor.solve(x);
    return x;
  }

  /// `B P Bᵀ` for the places beyond the grid, and 0 for the others. Such places need a solve,
  /// because the pattern lacks some pairs of their points.
  double[] beyond(SiteKriging kriging) {
    double[] variances = new double[kriging.size];
    int[] places = new int[PANEL];
    int count = 0;
    for (int t = 0; t < kriging.size; t++) {
      if (kriging.outside[t]) places[count++] = t;
      if (count == 0 || (count < PANEL && t + 1 < kriging.size)) continue;
      Budget.check();
      double[] block = new double[panel()];
      for (int c = 0; c < count; c++) kriging.scatter(places[c], PANEL, c, block);
      double[] own = unknowns.gather(PANEL, block);
      factor.solveLower(PANEL, own);
      for (int i = 0; i < unknowns.size(); i++)
        for (int c = 0; c < count; c++)
          variances[places[c]] += own[i * PANEL + c] * own[i * PANEL + c];
      count = 0;
    }
    return variances;
  }

  /// The number of numbers in a block.
  int panel() {
    return Budget.numbers(
        sites.points, PANEL, "a panel of points", "use fewer rows or a coarser grid");
  }

  /// Adds `B P B′ᵀ` for the places of `left` and `right`, row-major.
  void addCovariances(SiteKriging left, SiteKriging right, double[] covariances) {
    for (int from = 0; from < right.size; from += PANEL) {
      Budget.check();
      int first = from;
      int width = Math.min(PANEL, right.size - from);
      double[] block = new double[panel()];
      for (int c = 0; c < width; c++) right.scatter(first + c, PANEL, c, block);
      double[] own = unknowns.gather(PANEL, block);
      factor.solveBlock(PANEL, own);
      double[] product = unknowns.scatter(PANEL, own);
      Parallel.forEach(
          left.size,
          i -> {
            for (int c = 0; c < width; c++)
              covariances[i * right.size + first + c] += left.mean(i, PANEL, c, product);
          });
    }
  }

  /// `bᵀPb` for the columns of a block that has a row of [#PANEL] numbers for each point.
  double[] quadratics(double[] block) {
    double[] own = unknowns.gather(PANEL, block);
    factor.solveLower(PANEL, own);
    double[] sums = new double[PANEL];
    for (int i = 0; i < unknowns.size(); i++)
      for (int c = 0; c < PANEL; c++) sums[c] += own[i * PANEL + c] * own[i * PANEL + c];
    return sums;
  }

  /// A draw of the points minus their mean.
  double[] draw(RandomGenerator random) {
    double[] field = new double[unknowns.size()];
    for (int i = 0; i < field.length; i++) field[i] = random.nextGaussian();
    factor.solveLowerTransposed(1, field);
    return unknowns.scatter(1, field);
  }

  /// The bytes that it keeps.
  long bytes() {
    return 8 * unknowns.fronts.numbers() + unknowns.bytes();
  }

  /// A choice of unknowns, with the fronts of their matrix.
  static final class Unknowns {
    private final int points;
    private final int all; // entries of the whole pattern
    private final int @Nullable [] list; // null if all points are unknown
    private final int[] entries; // of the whole pattern, for each entry of the fronts' pattern
    final Fronts fronts;

    Unknowns(SiteSets sets, boolean pinned) {
      Sites sites = sets.sites;
      SparsePattern pattern = sets.pattern;
      points = sites.points;
      all = pattern.entries();
      double[][] coordinates = sites.coordinates();
      if (!pinned) {
        list = null;
        entries = new int[0];
        fronts = Fronts.of(pattern, NestedDissection.of(pattern, coordinates));
        return;
      }
      int m = sites.nodes();
      int[] number = new int[m];
      int[] hidden = new int[m];
      int[] begin = new int[m + 1];
      int[] columns = new int[pattern.start(m)];
      int[] from = new int[columns.length];
      int count = 0;
      int filled = 0;
      for (int r = 0; r < m; r++) {
        number[r] = -1;
        if (sites.observed(r)) continue;
        number[r] = count;
        hidden[count] = r;
        for (int e = pattern.start(r); e < pattern.start(r + 1); e++)
          if (number[pattern.column(e)] >= 0) {
            from[filled] = e;
            columns[filled++] = number[pattern.column(e)];
          }
        begin[++count] = filled;
      }
      list = Arrays.copyOf(hidden, count);
      entries = Arrays.copyOf(from, filled);
      SparsePattern part =
          SparsePattern.adopt(Arrays.copyOf(begin, count + 1), Arrays.copyOf(columns, filled));
      for (int a = 0; a < coordinates.length; a++) coordinates[a] = gather(1, coordinates[a]);
      fronts = Fronts.of(part, NestedDissection.of(part, coordinates));
    }

    int size() {
      return fronts.order().size();
    }

    /// The values of the unknowns, from values on the whole pattern.
    double[] some(double[] values) {
      if (list == null) return values;
      double[] own = new double[entries.length];
      for (int e = 0; e < own.length; e++) own[e] = values[entries[e]];
      return own;
    }

    /// Values on the whole pattern, from those of the unknowns; 0 elsewhere.
    double[] all(double[] own) {
      if (list == null) return own;
      double[] values = new double[all];
      for (int e = 0; e < own.length; e++) values[entries[e]] = own[e];
      return values;
    }

    /// The rows of the unknowns, from a block with a row for each point.
    double[] gather(int columns, double[] block) {
      if (list == null) return block;
      double[] own = new double[list.length * columns];
      for (int i = 0; i < list.length; i++)
        System.arraycopy(block, list[i] * columns, own, i * columns, columns);
      return own;
    }

    /// A block with a row for each point, from the rows of the unknowns; 0 elsewhere.
    double[] scatter(int columns, double[] own) {
      if (list == null) return own;
      double[] block =
          new double[Budget.numbers(points, columns, "a field", "ask for fewer points at once")];
      for (int i = 0; i < list.length; i++)
        System.arraycopy(own, i * columns, block, list[i] * columns, columns);
      return block;
    }

    long bytes() {
      return 4L * entries.length + 12L * fronts.pattern().entries();
    }
  }
}
