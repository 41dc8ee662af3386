package lovelace.drift;

import java.util.Arrays;
import java.util.Locale;
import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.statistics.GridStatistics;

/// Statistics of rows whose mean is linear in some covariates: those of the residuals `e = y − Fβ`
/// on a grid, and in every occupied cell the sums of the covariates that give the statistics of `e
/// − Fδ` for any δ. They add and subtract like [GridStatistics], and no row is needed. Immutable.
///
/// With p covariates c, offsets t from the middle of the cell and weights w, a cell holds
///
/// ```
/// [ Σ w cⱼ t₁^p₁ … t_d^p_d,   p < 4, j = 1 … p | Σ w cⱼcₖ,  k ≤ j | Σ w cⱼe ]
///   p·4ᵈ numbers                                 p(p + 1)/2         p
/// ```
public final class DriftStatistics {

  private final GridStatistics residual;
  private final int covariates;
  private final double[][] sums;

  private DriftStatistics(GridStatistics residual, int covariates, double[][] sums) {
    this.residual = residual;
    this.covariates = covariates;
    this.sums = sums;
  }

  /// Assembles statistics from their parts. The sums are those of the occupied cells in their
  /// order.
  public static DriftStatistics assemble(GridStatistics residual, int covariates, double[][] sums) {
    int width = width(residual.grid().dimensions(), covariates);
    if (sums.length != residual.occupiedCells())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d cells hold observations, %d have sums of covariates",
              residual.occupiedCells(),
              sums.length));
    for (double[] row : sums) {
      if (row.length != width)
        throw new IllegalArgumentException(
            "a cell has " + row.length + " sums of covariates and not " + width);
      for (double value : row)
        if (!Double.isFinite(value))
          throw new IllegalArgumentException("a sum of a covariate is " + value);
    }
    return new DriftStatistics(residual, covariates, sums);
  }

  /// The number of sums of a cell.
  public static int width(int dimensions, int covariates) {
    return covariates * Keys.power(4, dimensions) + covariates * (covariates + 1) / 2 + covariates;
  }

  /// The statistics of the residuals.
  public GridStatistics residual() {
    return residual;
  }

  /// The number of covariates; the intercept is not one.
  public int covariates() {
    return covariates;
  }

  /// The sums of the c-th occupied cell, not copied: read only.
  public double[] sums(int cell) {
    return sums[cell];
  }

  private int powers() {
    return Keys.power(4, residual.grid().dimensions());
  }

  /// The index of `Σ w cⱼcₖ` in a cell; j and k count from 1.
  private int product(int j, int k) {
    int high = Math.max(j, k) - 1;
    return covariates * powers() + high * (high + 1) / 2 + Math.min(j, k) - 1;
  }

  private int cross(int j) {
    return covariates * powers() + covariates * (covariates + 1) / 2 + j - 1;
  }

  /// The statistics with the j-th term as target. Term 0 is the constant 1.
  GridStatistics term(int j) {
    int narrow = powers();
    int wide = Keys.power(7, residual.grid().dimensions());
    double[][] rows = new double[sums.length][];
    for (int c = 0; c < rows.length; c++) {
      double[] row = residual.occupiedMoments(c).clone();
      if (j == 0) ones(row, wide);
      else System.arraycopy(sums[c], (j - 1) * narrow, row, wide, narrow);
      row[wide + narrow] = j == 0 ? row[0] : sums[c][product(j, j)];
      rows[c] = row;
    }
    return assembled(0, rows);
  }

  /// Writes the target moments of the constant 1, which are moments of the weights.
  private void ones(double[] row, int wide) {
    int d = residual.grid().dimensions();
    int narrow = powers();
    for (int k = 0; k < narrow; k++) {
      int from = 0;
      for (int a = 0, rest = k, stride = 1; a < d; a++, rest /= 4, stride *= 7)
        from += rest % 4 * stride;
      row[wide + k] = row[from];
    }
  }

  private GridStatistics assembled(double origin, double[][] rows) {
    int[] cells = new int[rows.length];
    long[] counts = new long[rows.length];
    for (int c = 0; c < rows.length; c++) {
      cells[c] = residual.occupiedCell(c);
      counts[c] = residual.occupiedCount(c);
    }
    return GridStatistics.assemble(
        residual.grid(), origin, cells, counts, rows, residual.skipped());
  }

  /// `FᵀDF`, row-major, with weights D.
  double[] products() {
    int q = covariates + 1;
    double[] all = new double[q * q];
    for (int c = 0; c < sums.length; c++)
      for (int i = 0; i < q; i++) for (int j = 0; j <= i; j++) all[i * q + j] += product(c, i, j);
    for (int i = 0; i < q; i++) for (int j = 0; j < i; j++) all[j * q + i] = all[i * q + j];
    return all;
  }

  /// `Σ w fᵢfⱼ` of a cell, for i ≥ j.
  private double product(int c, int i, int j) {
    if (i == 0) return residual.occupiedMoments(c)[0];
    return j == 0 ? sums[c][(i - 1) * powers()] : sums[c][product(i, j)];
  }

  /// `Σ w fⱼe` of a cell.
  private double cross(int c, int j) {
    if (j > 0) return sums[c][cross(j)];
    double[] row = residual.occupiedMoments(c);
    return row[Keys.power(7, residual.grid().dimensions())] + residual.origin() * row[0];
  }

  /// `FᵀDe`.
  double[] crosses() {
    double[] all = new double[covariates + 1];
    for (int c = 0; c < sums.length; c++)
      for (int j = 0; j < all.length; j++) all[j] += cross(c, j);
    return all;
  }

  /// The statistics of `e − Fδ`.
  public DriftStatistics less(double[] delta) {
    int q = covariates + 1;
    int narrow = powers();
    int wide = Keys.power(7, residual.grid().dimensions());
    double origin = residual.origin();
    double[][] rows = new double[sums.length][];
    double[][] next = new double[sums.length][];
    for (int c = 0; c < rows.length; c++) {
      double[] row = residual.occupiedMoments(c).clone();
      double[] one = row.clone();
      ones(one, wide);
      double squares = row[wide + narrow];
      double[] own = sums[c].clone();
      for (int i = 0; i < q; i++) {
        double about = cross(c, i) - origin * product(c, i, 0); // Σ w fᵢ(e − origin)
        squares -= 2 * delta[i] * about;
        double change = 0;
        for (int j = 0; j < q; j++) change += delta[j] * product(c, Math.max(i, j), Math.min(i, j));
        squares += delta[i] * change;
        if (i > 0) own[cross(i)] -= change;
      }
      for (int k = 0; k < narrow; k++) {
        double change = delta[0] * one[wide + k];
        for (int j = 1; j < q; j++) change += delta[j] * own[(j - 1) * narrow + k];
        row[wide + k] -= change;
      }
      row[wide + narrow] = Math.max(0, squares);
      rows[c] = row;
      next[c] = own;
    }
    return new DriftStatistics(assembled(origin, rows), covariates, next);
  }

  /// The statistics of the same rows with covariates `c′ = scale c + shift`.
  private DriftStatistics restated(double[] scale, double[] shift) {
    int narrow = powers();
    int wide = Keys.power(7, residual.grid().dimensions());
    double[][] next = new double[sums.length][];
    for (int c = 0; c < next.length; c++) {
      double[] one = residual.occupiedMoments(c).clone();
      ones(one, wide);
      double[] old = sums[c];
      double[] own = old.clone();
      for (int j = 1; j <= covariates; j++) {
        double a = scale[j - 1];
        double b = shift[j - 1];
        for (int k = 0; k < narrow; k++) {
          int at = (j - 1) * narrow + k;
          own[at] = a * old[at] + b * one[wide + k];
        }
        for (int i = 1; i <= j; i++)
          own[product(j, i)] =
              a * scale[i - 1] * old[product(j, i)]
                  + a * shift[i - 1] * product(c, j, 0)
                  + b * scale[i - 1] * product(c, i, 0)
                  + b * shift[i - 1] * one[0];
        own[cross(j)] = a * old[cross(j)] + b * cross(c, 0);
      }
      next[c] = own;
    }
    return new DriftStatistics(residual, covariates, next);
  }

  /// The statistics of the same rows, for residuals of another estimate and another
  /// standardisation.
  ///
  /// @param terms the present standardisation of the covariates
  /// @param own the estimate of the present residuals
  /// @param others the new standardisation
  /// @param target the estimate of the new residuals
  public DriftStatistics about(Terms terms, double[] own, Terms others, double[] target) {
    double[] scale = new double[covariates];
    double[] shift = new double[covariates];
    double[] delta = target.clone();
    for (int j = 1; j <= covariates; j++) {
      scale[j - 1] = terms.scale(j) / others.scale(j);
      shift[j - 1] = (terms.centre(j) - others.centre(j)) / others.scale(j);
      delta[j] = target[j] * scale[j - 1];
      delta[0] += target[j] * shift[j - 1];
    }
    for (int j = 0; j < delta.length; j++) delta[j] -= own[j];
    return less(delta).restated(scale, shift);
  }

  /// The same with residuals on another grid, which has the same cells at other places.
  public DriftStatistics on(GridStatistics moved) {
    return assemble(moved, covariates, sums);
  }

  /// The statistics with the other's rows, or without them if the sign is negative.
  public DriftStatistics plus(DriftStatistics other, int sign) {
    GridStatistics all = sign > 0 ? residual.plus(other.residual) : residual.minus(other.residual);
    double[][] merged = new double[all.occupiedCells()][];
    for (int c = 0; c < merged.length; c++) {
      double[] row = new double[width(all.grid().dimensions(), covariates)];
      add(1, this, all.occupiedCell(c), row);
      add(sign, other, all.occupiedCell(c), row);
      merged[c] = row;
    }
    return new DriftStatistics(all, covariates, merged);
  }

  private static void add(int sign, DriftStatistics from, int cell, double[] row) {
    int at = find(from.residual, cell);
    if (at < 0) return;
    for (int k = 0; k < row.length; k++) row[k] += sign * from.sums[at][k];
  }

  private static int find(GridStatistics statistics, int cell) {
    int low = 0;
    int high = statistics.occupiedCells() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int there = statistics.occupiedCell(middle);
      if (there == cell) return middle;
      if (there < cell) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /// Sums the covariates of rows whose residuals have already been summed.
  public static final class Builder {
    private final GridStatistics residual;
    private final Grid grid;
    private final int covariates;
    private final double[][] sums;
    private final double[] offset;
    private final double[] powers;

    public Builder(GridStatistics residual, int covariates) {
      this.residual = residual;
      this.covariates = covariates;
      grid = residual.grid();
      sums = new double[residual.occupiedCells()][width(grid.dimensions(), covariates)];
      offset = new double[grid.dimensions()];
      powers = new double[Keys.power(4, grid.dimensions())];
    }

    /// Adds a row: its place on the grid, its terms f with the leading 1, its residual and weight.
    /// Returns whether it lies on the grid. A row outside is left out.
    public boolean add(double[] z, int zo, double[] f, int fo, double e, double weight) {
      int cell = grid.locate(z, zo, offset);
      if (cell < 0) return false;
      int at = find(residual, cell);
      if (at < 0) throw new IllegalStateException("the rows are not those of the residuals");
      double[] row = sums[at];
      powers(weight);
      int next = covariates * powers.length;
      for (int j = 1; j <= covariates; j++) {
        double c = f[fo + j];
        for (int k = 0; k < powers.length; k++) row[(j - 1) * powers.length + k] += c * powers[k];
        for (int i = 1; i <= j; i++) row[next++] += weight * c * f[fo + i];
      }
      for (int j = 1; j <= covariates; j++) row[next++] += weight * f[fo + j] * e;
      return true;
    }

    /// All products `w t₁^p₁ … t_d^p_d`, p < 4, with the last axis fastest.
    private void powers(double weight) {
      powers[0] = weight;
      int filled = 1;
      for (double t : offset) {
        for (int j = filled - 1; j >= 0; j--) {
          double q = powers[j];
          for (int p = 0; p < 4; p++, q *= t) powers[4 * j + p] = q;
        }
        filled *= 4;
      }
    }

    public DriftStatistics statistics() {
      return new DriftStatistics(residual, covariates, copy(sums));
    }

    private static double[][] copy(double[][] rows) {
      return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }
  }
}
