package lovelace.grid;

import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Adds up outer products of grid vectors, keeping only the entries between points of one stencil.
public final class StencilGram {

  /// The largest distance along an axis between points of one stencil.
  public static final int REACH = 3;

  private static final int WIDTH = 48; // points of a line whose products are made together …
  private static final int NARROW = 10; // … if these products are long

  private final Grid grid;
  private final int[] shifts;
  private final int[][] offsets;
  private final double[][] diagonals;

  /// Starts from a copy of a matrix.
  public StencilGram(StencilMatrix start) {
    grid = start.grid();
    int count = start.diagonalCount();
    shifts = new int[count];
    offsets = new int[count][grid.dimensions()];
    diagonals = new double[count][];
    for (int k = 0; k < count; k++) {
      shifts[k] = start.shift(k);
      start.offset(k, offsets[k]);
      diagonals[k] = start.diagonal(k).clone();
    }
  }

  /// Adds `sign XXᵀ`. X has one row of `count` numbers for every point.
  public void add(double sign, int count, double[] x) {
    int lead = grid.axis(0).points();
    int most = Math.max(1, 4096 / grid.stride(0));
    Parallel.chunks(lead, most, (chunk, from, to) -> add(sign, count, from, to, x, 0));
  }

  /// Adds rows from ≤ i < to along the first axis of `sign XXᵀ`. X starts with the row of the point
  /// at position `origin` along the first axis, and goes on at least [#REACH] positions beyond
  /// `to`, as far as the grid does. Some points of a line with all points near them on a line make
  /// one matrix product. Only two in seven of its entries are needed, but that is still faster than
  /// sums along the diagonals.
  public void add(double sign, int count, int from, int to, double[] x, int origin) {
    int last = grid.axis(grid.dimensions() - 1).points();
    int most = count < 64 ? WIDTH : NARROW;
    double[] product = new double[most * (most + 2 * REACH)];
    int end = to * grid.stride(0);
    for (int at = from * grid.stride(0); at < end; ) {
      int line = at / last;
      int next = Math.min(Math.min(end, (line + 1) * last), at + most);
      for (int k = 0; k < shifts.length; k += k == 0 ? REACH + 1 : 2 * REACH + 1)
        if (inside(line, offsets[k]))
          add(sign, count, x, origin * grid.stride(0), k, line * last, at, next, product);
      at = next;
    }
  }

  /// Multiplies points here ≤ i < next of a line with those of the line that diagonal k leads to. k
  /// is the first diagonal that leads there.
  private void add(
      double sign,
      int count,
      double[] x,
      int origin,
      int k,
      int line,
      int here,
      int next,
      double[] product) {
    int last = grid.axis(grid.dimensions() - 1).points();
    int lowest = k == 0 ? 0 : -REACH; // offset of the first diagonal
    int start = Math.max(line, here + lowest);
    int end = Math.min(line + last, next + REACH);
    int width = end - start;
    int there = start + shifts[k] - lowest;
    Blas.gemm(
        false,
        true,
        next - here,
        width,
        count,
        sign,
        x,
        (here - origin) * count,
        count,
        x,
        (there - origin) * count,
        count,
        0,
        product,
        0,
        width);
    for (int o = lowest; o <= REACH; o++) {
      double[] out = diagonals[k + o - lowest];
      int stop = Math.min(next, line + last - o);
      for (int i = Math.max(here, line - o); i < stop; i++)
        out[i] += product[(i - here) * width + i + o - start];
    }
  }

  private boolean inside(int line, int[] offset) {
    for (int a = grid.dimensions() - 2, rest = line; a >= 0; a--) {
      int points = grid.axis(a).points();
      int at = rest % points + offset[a];
      if (at < 0 || at >= points) return false;
      rest /= points;
    }
    return true;
  }

  /// Returns the sum. The object must not be used again.
  public StencilMatrix matrix() {
    return StencilMatrix.adopt(grid, diagonals);
  }
}
