package lovelace.inference;

import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.linear.Parallel;

/// Sums of outer products of grid vectors, kept only between points of one stencil.
final class StencilGram {

  private static final int TILE = 512;

  private final Grid grid;
  private final int[] shifts;
  private final int[][] offsets;
  private final double[][] diagonals;

  /// Starts from a copy of a matrix.
  StencilGram(StencilMatrix start) {
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

  /// Adds `sign Σⱼ xⱼxⱼᵀ` over `count` vectors stored one after another.
  void add(double sign, int count, double[] x) {
    int d = grid.dimensions();
    int last = grid.axis(d - 1).points();
    int lines = grid.size() / last;
    int most = Math.max(1, 4096 / last);
    Parallel.chunks(
        lines,
        most,
        (chunk, first, end) -> {
          for (int line = first; line < end; line++)
            for (int k = 0; k < shifts.length; k++) {
              if (!inside(line, offsets[k])) continue;
              int o = offsets[k][d - 1];
              int from = line * last + Math.max(0, -o);
              int to = line * last + Math.min(last, last - o);
              for (int tile = from; tile < to; tile += TILE)
                add(sign, count, x, shifts[k], tile, Math.min(to, tile + TILE), diagonals[k]);
            }
        });
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

  private void add(double sign, int count, double[] x, int shift, int from, int to, double[] out) {
    int m = grid.size();
    int j = 0;
    for (; j + 3 < count; j += 4) {
      int r0 = j * m;
      int r1 = r0 + m;
      int r2 = r1 + m;
      int r3 = r2 + m;
      for (int i = from; i < to; i++)
        out[i] +=
            sign
                * (x[r0 + i] * x[r0 + i + shift]
                    + x[r1 + i] * x[r1 + i + shift]
                    + x[r2 + i] * x[r2 + i + shift]
                    + x[r3 + i] * x[r3 + i + shift]);
    }
    for (; j < count; j++) {
      int r = j * m;
      for (int i = from; i < to; i++) out[i] += sign * (x[r + i] * x[r + i + shift]);
    }
  }

  /// The sum; the object must not be used again.
  StencilMatrix matrix() {
    return StencilMatrix.adopt(grid, diagonals);
  }
}
