package lovelace.statistics;

import lovelace.grid.Grid;
import lovelace.grid.Keys;
import lovelace.grid.StencilMatrix;
import lovelace.grid.StencilPairs;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Computes G and b on one grid from the moments of the cells, by fixed linear maps.
final class MomentMap {

  private static final int BATCH = 64;

  private final Grid grid;
  private final int d;
  private final StencilPairs pairs;
  private final int[] shifts;

  MomentMap(Grid grid) {
    this.grid = grid;
    d = grid.dimensions();
    shifts = grid.stencilShifts();
    pairs = StencilPairs.of(grid);
  }

  /// `G` from the rows of the occupied cells. Slabs of cells that are four apart along the first
  /// axis share no grid point. So slabs are added in parallel, and every entry is summed in a fixed
  /// order.
  StencilMatrix gram(int[] cells, double[][] rows) {
    double[][] diagonals = new double[StencilMatrix.diagonalCount(d)][grid.size()];
    int slabs = grid.axis(0).cells();
    int slabCells = grid.cells() / slabs;
    int perTask = Math.max(1, 256 / slabCells);
    // runs of at least four slabs; every other run is added in parallel
    int run = Math.max(4, perTask);
    int runs = (slabs + run - 1) / run;
    for (int parity = 0; parity < 2; parity++) {
      int first = parity;
      Parallel.forEach(
          (runs - parity + 1) / 2,
          r -> {
            long from = (long) (2 * r + first) * run * slabCells;
            long to = from + (long) run * slabCells;
            addGram(cells, rows, position(cells, from), position(cells, to), diagonals);
          });
    }
    return StencilMatrix.adopt(grid, diagonals);
  }

  /// The first position in the sorted cells whose cell is not below the given one.
  private static int position(int[] cells, long cell) {
    int low = 0;
    int high = cells.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cells[middle] < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private void addGram(int[] cells, double[][] rows, int from, int to, double[][] diagonals) {
    if (d == 2) {
      addGramByProduct(cells, rows, from, to, diagonals);
      return;
    }
    int count = Keys.power(Keys.PAIRS, d);
    double[] a = new double[count];
    double[] b = new double[count];
    for (int c = from; c < to; c++)
      pairs.scatter(expand(rows[c], a, b), grid.corner(cells[c]), diagonals);
  }

  /// For two axes: multiplies the moments of a batch of cells by one fixed matrix.
  private void addGramByProduct(
      int[] cells, double[][] rows, int from, int to, double[][] diagonals) {
    double[] moments = new double[BATCH * 49];
    double[] products = new double[BATCH * 100];
    double[] one = new double[100];
    for (int start = from; start < to; start += BATCH) {
      int count = Math.min(BATCH, to - start);
      for (int c = 0; c < count; c++) System.arraycopy(rows[start + c], 0, moments, 49 * c, 49);
      Blas.gemm(
          false,
          false,
          count,
          100,
          49,
          1,
          moments,
          0,
          49,
          Keys.SQUARE,
          0,
          100,
          0,
          products,
          0,
          100);
      for (int c = 0; c < count; c++) {
        System.arraycopy(products, 100 * c, one, 0, 100);
        pairs.scatter(one, grid.corner(cells[start + c]), diagonals);
      }
    }
  }

  /// Converts moments (7 per axis) to sums of products of two weights (10 pairs per axis), the last
  /// axis first.
  private double[] expand(double[] moments, double[] a, double[] b) {
    double[] in = moments;
    double[] out = a;
    int outer = Keys.power(7, d - 1);
    int inner = 1;
    for (int axis = 0; axis < d; axis++) {
      for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++)
          expandAxis(in, 7 * o * inner + i, inner, out, 10 * o * inner + i);
      in = out;
      out = axis % 2 == 0 ? b : a;
      outer /= 7;
      inner *= 10;
    }
    return in;
  }

  /// Computes ten sums of `w_p w_q` from seven moments whose entries are `stride` apart. Mirrored
  /// pairs share their even and odd parts.
  private static void expandAxis(double[] in, int i, int stride, double[] out, int o) {
    double m0 = in[i];
    double m1 = in[i + stride];
    double m2 = in[i + 2 * stride];
    double m3 = in[i + 3 * stride];
    double m4 = in[i + 4 * stride];
    double m5 = in[i + 5 * stride];
    double m6 = in[i + 6 * stride];
    double[] c = Keys.PRODUCTS;
    double e = c[0] * m0 + c[2] * m2 + c[4] * m4 + c[6] * m6;
    double f = c[1] * m1 + c[3] * m3 + c[5] * m5;
    out[o] = e + f; // 00, 33
    out[o + 9 * stride] = e - f;
    e = c[7] * m0 + c[9] * m2 + c[11] * m4 + c[13] * m6;
    f = c[8] * m1 + c[10] * m3 + c[12] * m5;
    out[o + stride] = e + f; // 01, 23
    out[o + 8 * stride] = e - f;
    e = c[14] * m0 + c[16] * m2 + c[18] * m4 + c[20] * m6;
    f = c[15] * m1 + c[17] * m3 + c[19] * m5;
    out[o + 2 * stride] = e + f; // 02, 13
    out[o + 6 * stride] = e - f;
    e = c[28] * m0 + c[30] * m2 + c[32] * m4 + c[34] * m6;
    f = c[29] * m1 + c[31] * m3 + c[33] * m5;
    out[o + 4 * stride] = e + f; // 11, 22
    out[o + 7 * stride] = e - f;
    out[o + 3 * stride] = c[21] * m0 + c[23] * m2 + c[25] * m4 + c[27] * m6; // 03
    out[o + 5 * stride] = c[35] * m0 + c[37] * m2 + c[39] * m4 + c[41] * m6; // 12
  }

  /// `b` from the rows of the occupied cells.
  double[] projected(int[] cells, double[][] rows) {
    double[] b = new double[grid.size()];
    int wide = Keys.power(7, d);
    double[] sums = new double[shifts.length];
    for (int c = 0; c < cells.length; c++) {
      System.arraycopy(rows[c], wide, sums, 0, sums.length);
      weighted(sums, 0);
      int corner = grid.corner(cells[c]);
      for (int k = 0; k < shifts.length; k++) b[corner + shifts[k]] += sums[k];
    }
    return b;
  }

  /// Converts 4ᵈ numbers per power of the offset to numbers per stencil point, in place: along each
  /// axis `v_p ← Σ_q WEIGHTS[p, q] v_q`.
  void weighted(double[] v, int at) {
    for (int stride = 1; stride < shifts.length; stride *= 4)
      for (int o = 0; o < shifts.length; o += 4 * stride)
        for (int i = at + o; i < at + o + stride; i++) {
          double e0 = -0.0625 * v[i] + 0.25 * v[i + 2 * stride];
          double o0 = 0.125 * v[i + stride] - 0.5 * v[i + 3 * stride];
          double e1 = 0.5625 * v[i] - 0.25 * v[i + 2 * stride];
          double o1 = 1.5 * v[i + 3 * stride] - 1.375 * v[i + stride];
          v[i] = e0 + o0;
          v[i + stride] = e1 + o1;
          v[i + 2 * stride] = e1 - o1;
          v[i + 3 * stride] = e0 - o0;
        }
  }
}
