package lovelace.grid;

import java.util.Arrays;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// A symmetric matrix over a grid, whose entries are zero between points that are four or more
/// cells apart along some axis. `WWᵀ` has this pattern, and a variance inside a cell needs only
/// these entries of a covariance.
///
/// Half of it is stored, as diagonals `D_o[i] = A[i, i+o]` for the offsets o ∈ {−3…3}ᵈ that are
/// lexicographically ≥ 0, in that order: 4, 25, 172, 1201 diagonals of m numbers for 1 to 4 axes.
/// Entries that would leave the grid are zero.
public final class StencilMatrix implements LinearOperator {

  private static final int BLOCK = 1024;
  private static final int WIDTH = 10; // points of a line in one dense block
  private static final long PARALLEL = 1 << 21;

  private final Grid grid;
  private final double[][] diagonals;
  private final int[] shifts;
  private final StencilPairs pairs;

  private StencilMatrix(Grid grid, double[][] diagonals) {
    this.grid = grid;
    this.diagonals = diagonals;
    pairs = StencilPairs.of(grid);
    shifts = new int[diagonals.length];
    int[] offset = new int[grid.dimensions()];
    for (int k = 0; k < shifts.length; k++) {
      offset(k, offset);
      for (int a = 0; a < offset.length; a++) shifts[k] += offset[a] * grid.stride(a);
    }
  }

  /// The number of stored diagonals for d axes, `(7ᵈ + 1)/2`.
  public static int diagonalCount(int dimensions) {
    return (Keys.power(7, dimensions) + 1) / 2;
  }

  /// The memory that a matrix over the grid takes.
  public static long bytes(Grid grid) {
    return 8L * diagonalCount(grid.dimensions()) * grid.size();
  }

  public static StencilMatrix zero(Grid grid) {
    return new StencilMatrix(grid, new double[diagonalCount(grid.dimensions())][grid.size()]);
  }

  /// Takes over the diagonals. Entries that leave the grid must be zero.
  public static StencilMatrix adopt(Grid grid, double[][] diagonals) {
    if (diagonals.length != diagonalCount(grid.dimensions()))
      throw new IllegalArgumentException(
          "a matrix over "
              + grid.dimensions()
              + " axes has "
              + diagonalCount(grid.dimensions())
              + " diagonals, got "
              + diagonals.length);
    for (double[] diagonal : diagonals)
      if (diagonal.length != grid.size())
        throw new IllegalArgumentException(
            "a diagonal has " + grid.size() + " entries, got " + diagonal.length);
    return new StencilMatrix(grid, diagonals);
  }

  /// Makes the matrix from its diagonals, one after another.
  public static StencilMatrix unpack(Grid grid, double[] all) {
    int count = diagonalCount(grid.dimensions());
    int m = grid.size();
    if (all.length != (long) count * m)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the entries over a %s are %,d numbers, got %,d",
              grid,
              (long) count * m,
              all.length));
    double[][] diagonals = new double[count][];
    for (int k = 0; k < count; k++) diagonals[k] = Arrays.copyOfRange(all, k * m, (k + 1) * m);
    return adopt(grid, diagonals);
  }

  public Grid grid() {
    return grid;
  }

  @Override
  public int size() {
    return grid.size();
  }

  public int diagonalCount() {
    return diagonals.length;
  }

  /// Diagonal k. Not a copy: the caller must not modify it.
  public double[] diagonal(int k) {
    return diagonals[k];
  }

  /// The offset of diagonal k along each axis.
  public void offset(int k, int[] offset) {
    int rank = k + diagonals.length - 1;
    for (int a = offset.length - 1; a >= 0; a--) {
      offset[a] = rank % 7 - 3;
      rank /= 7;
    }
  }

  /// The difference in index between the two points that diagonal k joins.
  public int shift(int k) {
    return shifts[k];
  }

  @Override
  public void apply(double[] x, double[] y) {
    int m = size();
    if ((long) m * diagonals.length >= PARALLEL)
      Parallel.chunks(m, BLOCK, (b, from, to) -> applyRows(x, y, 0, from, to));
    else
      for (int from = 0; from < m; from += BLOCK)
        applyRows(x, y, 0, from, Math.min(m, from + BLOCK));
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    int m = size();
    // all vectors of one block of rows together, so that the diagonals are read once
    Parallel.chunks(
        m,
        BLOCK,
        (b, from, to) -> {
          for (int c = 0; c < count; c++) applyRows(x, y, c * m, from, to);
        });
  }

  /// `Y ← AX`, where X and Y have one row of `count` numbers for every point. The rows of some
  /// points of a line come from products of small dense blocks. For many columns this is twice as
  /// fast as [#applyBlock].
  public void applyColumns(int count, double[] x, double[] y) {
    int last = grid.axis(grid.dimensions() - 1).points();
    Parallel.chunks(
        size() / last,
        Math.max(1, BLOCK / last),
        (chunk, first, end) -> {
          double[] block = new double[WIDTH * (WIDTH + 6)];
          for (int line = first; line < end; line++)
            for (int from = 0; from < last; from += WIDTH)
              applyColumns(count, x, y, line, from, block);
        });
  }

  /// Computes the rows of some points of a line. Diagonals 4 + 7g … 10 + 7g lead to one other line,
  /// and back.
  private void applyColumns(int count, double[] x, double[] y, int line, int from, double[] block) {
    int last = grid.axis(grid.dimensions() - 1).points();
    int to = Math.min(last, from + WIDTH);
    int start = Math.max(0, from - 3);
    int width = Math.min(last, to + 3) - start;
    int height = to - from;
    int origin = line * last;
    int[] offset = new int[grid.dimensions()];
    for (int k = -3; k < diagonals.length; k += 7) {
      int middle = k + 3; // the diagonal that leads to the same position on the other line
      offset(middle, offset);
      for (int sign = 1; sign >= (k < 0 ? 1 : -1); sign -= 2) {
        if (!inside(line, sign, offset)) continue;
        int there = origin + sign * shifts[middle];
        Arrays.fill(block, 0, height * width, 0);
        for (int o = -3; o <= 3; o++) {
          int begin = Math.max(from, start - o);
          int end = Math.min(to, start + width - o);
          double[] d = diagonals[k < 0 ? Math.abs(o) : middle + sign * o];
          int at = k < 0 ? origin + Math.min(o, 0) : sign > 0 ? origin : there + o;
          for (int i = begin; i < end; i++) block[(i - from) * width + i + o - start] = d[at + i];
        }
        Blas.gemm(
            false,
            false,
            height,
            count,
            width,
            1,
            block,
            0,
            width,
            x,
            (there + start) * count,
            count,
            k < 0 ? 0 : 1,
            y,
            (origin + from) * count,
            count);
      }
    }
  }

  /// Whether the grid has a line at this offset from another.
  private boolean inside(int line, int sign, int[] offset) {
    for (int a = offset.length - 2, rest = line; a >= 0; a--) {
      int points = grid.axis(a).points();
      int at = rest % points + sign * offset[a];
      if (at < 0 || at >= points) return false;
      rest /= points;
    }
    return true;
  }

  /// Rows from ≤ i < to of the product. Vectors start at `v`.
  private void applyRows(double[] x, double[] y, int v, int from, int to) {
    double[] d0 = diagonals[0];
    for (int i = from; i < to; i++) y[v + i] = d0[i] * x[v + i];
    for (int k = 1; k < 4; k++) addDiagonal(k, x, y, v, from, to);
    for (int k = 4; k < diagonals.length; k += 7) addRun(k, x, y, v, from, to);
  }

  /// Adds both sides of one diagonal.
  private void addDiagonal(int k, double[] x, double[] y, int v, int from, int to) {
    double[] d = diagonals[k];
    int s = shifts[k];
    int end = Math.min(to, size() - s);
    for (int i = from; i < end; i++) y[v + i] += d[i] * x[v + i + s];
    for (int i = Math.max(from, s); i < to; i++) y[v + i] += d[i - s] * x[v + i - s];
  }

  /// Adds seven diagonals whose shifts are consecutive. y is read and written once for all of them.
  private void addRun(int k, double[] x, double[] y, int v, int from, int to) {
    double[] d0 = diagonals[k];
    double[] d1 = diagonals[k + 1];
    double[] d2 = diagonals[k + 2];
    double[] d3 = diagonals[k + 3];
    double[] d4 = diagonals[k + 4];
    double[] d5 = diagonals[k + 5];
    double[] d6 = diagonals[k + 6];
    int s = shifts[k];
    int m = size();
    int upperEnd = Math.min(to, m - s - 6);
    int lowerStart = Math.max(from, s + 6);
    if (upperEnd > from) {
      int r = v + s;
      for (int i = from; i < upperEnd; i++)
        y[v + i] +=
            d0[i] * x[r + i]
                + d1[i] * x[r + i + 1]
                + d2[i] * x[r + i + 2]
                + d3[i] * x[r + i + 3]
                + d4[i] * x[r + i + 4]
                + d5[i] * x[r + i + 5]
                + d6[i] * x[r + i + 6];
    }
    for (int i = Math.max(from, upperEnd); i < to; i++)
      for (int j = 0; j < 7 && i + s + j < m; j++)
        y[v + i] += diagonals[k + j][i] * x[v + i + s + j];
    for (int i = from; i < Math.min(to, lowerStart); i++)
      for (int j = 0; j < 7 && i - s - j >= 0; j++)
        y[v + i] += diagonals[k + j][i - s - j] * x[v + i - s - j];
    if (lowerStart < to) {
      int r = v - s;
      for (int i = lowerStart; i < to; i++)
        y[v + i] +=
            d0[i - s] * x[r + i]
                + d1[i - s - 1] * x[r + i - 1]
                + d2[i - s - 2] * x[r + i - 2]
                + d3[i - s - 3] * x[r + i - 3]
                + d4[i - s - 4] * x[r + i - 4]
                + d5[i - s - 5] * x[r + i - 5]
                + d6[i - s - 6] * x[r + i - 6];
    }
  }

  /// `tr(AB) = Σ A∘B`.
  public double dot(StencilMatrix other) {
    requireSameGrid(other);
    double off = 0;
    for (int k = diagonals.length - 1; k > 0; k--) off += sum(diagonals[k], other.diagonals[k]);
    return 2 * off + sum(diagonals[0], other.diagonals[0]);
  }

  private static double sum(double[] a, double[] b) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < a.length; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < a.length; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
  }

  public StencilMatrix plus(StencilMatrix other) {
    return combine(1, other);
  }

  public StencilMatrix minus(StencilMatrix other) {
    return combine(-1, other);
  }

  private StencilMatrix combine(double factor, StencilMatrix other) {
    requireSameGrid(other);
    double[][] sum = new double[diagonals.length][];
    for (int k = 0; k < sum.length; k++) {
      double[] row = diagonals[k].clone();
      double[] with = other.diagonals[k];
      for (int i = 0; i < row.length; i++) row[i] += factor * with[i];
      sum[k] = row;
    }
    return new StencilMatrix(grid, sum);
  }

  public StencilMatrix times(double factor) {
    double[][] scaled = new double[diagonals.length][];
    for (int k = 0; k < scaled.length; k++) {
      double[] row = diagonals[k].clone();
      for (int i = 0; i < row.length; i++) row[i] *= factor;
      scaled[k] = row;
    }
    return new StencilMatrix(grid, scaled);
  }

  /// `A[i, j]`, which is zero outside the pattern.
  public double entry(int i, int j) {
    int low = Math.min(i, j);
    int high = Math.max(i, j);
    int rank = 0;
    for (int a = 0; a < grid.dimensions(); a++) {
      int points = grid.axis(a).points();
      int o = high / grid.stride(a) % points - low / grid.stride(a) % points;
      if (o < -3 || o > 3) return 0;
      rank = 7 * rank + o + 3;
    }
    return diagonals[rank - diagonals.length + 1][low];
  }

  /// `wᵀAw` for the weights of a stencil (in the order of [Grid#stencil]) whose lowest point is
  /// `corner`. Reads 4ᵈ(4ᵈ+1)/2 entries.
  public double quadratic(int corner, double[] weight) {
    return pairs.quadratic(diagonals, corner, weight, weight);
  }

  /// `vᵀAw` for two weight vectors on the same stencil.
  public double quadratic(int corner, double[] v, double[] w) {
    return pairs.quadratic(diagonals, corner, v, w);
  }

  StencilPairs pairs() {
    return pairs;
  }

  double[][] diagonals() {
    return diagonals;
  }

  /// The whole matrix, row-major. For small grids.
  public double[] dense() {
    int m = size();
    double[] a =
        new double[Budget.numbers(m, m, "a dense matrix of grid points", "use a smaller grid")];
    for (int k = 0; k < diagonals.length; k++)
      for (int i = 0; i + shifts[k] < m; i++) {
        double value = diagonals[k][i];
        if (value == 0) continue;
        a[i * m + i + shifts[k]] = value;
        a[(i + shifts[k]) * m + i] = value;
      }
    return a;
  }

  private void requireSameGrid(StencilMatrix other) {
    if (!grid.equals(other.grid))
      throw new IllegalArgumentException("the matrices lie on " + grid + " and " + other.grid);
  }
}
