package lovelace.inference;

import java.util.Arrays;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Products with F, a selection of the tensor products of axis modes, and `FᵀGF`: axis by axis.
final class ModeProducts {

  /// The most numbers of sums over pairs of lines, 2 GB of them.
  private static final int LARGEST = 1 << 28;

  private final Grid grid;
  private final double[][] modes; // per axis, points × axis modes
  private final int[] selected; // rank × d, axis mode of each mode

  ModeProducts(Grid grid, double[][] modes, int[] selected) {
    this.grid = grid;
    this.modes = modes;
    this.selected = selected;
  }

  /// The same selection of the products of squares.
  ModeProducts squared() {
    double[][] squares = new double[modes.length][];
    for (int a = 0; a < modes.length; a++)
      squares[a] = Arrays.stream(modes[a]).map(v -> v * v).toArray();
    return new ModeProducts(grid, squares, selected);
  }

  private int rank() {
    return selected.length / grid.dimensions();
  }

  private int axisModeCount(int a) {
    return modes[a].length / grid.axis(a).points();
  }

  private int axisMode(int j, int a) {
    return selected[j * grid.dimensions() + a];
  }

  /// Whether [#contract] can keep its sums over pairs of lines in one array.
  boolean contracts() {
    if (grid.dimensions() != 2) return grid.dimensions() == 1;
    double square = (double) axisModeCount(1) * axisModeCount(1);
    return square * Math.max(4.0 * grid.axis(0).points(), axisModeCount(0)) <= LARGEST;
  }

  /// `FᵀGF` for one or two axes, by contracting G axis by axis; where [#contracts].
  double[] contract(StencilMatrix g) {
    return grid.dimensions() == 1 ? contractLine(g) : contractPlane(g);
  }

  private double[] contractLine(StencilMatrix g) {
    int m = grid.size();
    int r = rank();
    double[] f = modes[0];
    double[] y = new double[m * r];
    Parallel.chunks(m, 256, (chunk, from, to) -> band(g, 0, from, to, m, r, f, y));
    double[] h = new double[r * r];
    Blas.gemm(true, false, r, r, m, 1, f, 0, r, y, 0, r, 0, h, 0, r);
    // modes come in the order of their frequencies, and so does the selection of a single axis
    return symmetric(h, r);
  }

  private static double[] symmetric(double[] h, int r) {
    for (int i = 0; i < r; i++)
      for (int j = 0; j < i; j++) {
        double mean = 0.5 * (h[i * r + j] + h[j * r + i]);
        h[i * r + j] = mean;
        h[j * r + i] = mean;
      }
    return h;
  }

  /// Rows from ≤ i < to of `G F` along one line of points that starts at `start`.
  private static void band(
      StencilMatrix g, int start, int from, int to, int m, int r, double[] f, double[] y) {
    for (int i = from; i < to; i++)
      for (int o = 0; o < 4; o++) {
        double[] d = g.diagonal(o);
        if (i + o < m) addRow(d[start + i], f, (i + o) * r, y, i * r, r);
        if (o > 0 && i >= o) addRow(d[start + i - o], f, (i - o) * r, y, i * r, r);
      }
  }

  private static void addRow(double scale, double[] x, int xo, double[] y, int yo, int count) {
    if (scale == 0) return;
    for (int k = 0; k < count; k++) y[yo + k] += scale * x[xo + k];
  }

  /// The last axis first: `T[i, o] = F₂ᵀ G[i, i+o] F₂` for lines i and i + o, o = 0 … 3; then `H =
  /// X + Xᵀ`, `X[(p, q), (p′, q′)] = Σ F₁[i, p] F₁[i+o, p′] T[i, o][q, q′]`, the line with itself
  /// counting half.
  private double[] contractPlane(StencilMatrix g) {
    int m1 = grid.axis(0).points();
    int m2 = grid.axis(1).points();
    int r1 = axisModeCount(0);
    int r2 = axisModeCount(1);
    double[] f1 = modes[0];
    double[] f2 = modes[1];
    int square = r2 * r2;
    double[] t = new double[4 * m1 * square];
    Parallel.forEach(
        m1,
        i -> {
          double[] y = new double[m2 * r2];
          for (int o = 0; o < 4 && i + o < m1; o++) {
            Arrays.fill(y, 0);
            if (o == 0) band(g, i * m2, 0, m2, m2, r2, f2, y);
            else
              for (int shift = -3; shift <= 3; shift++) {
                double[] d = g.diagonal(7 * o + shift);
                for (int k = Math.max(0, -shift); k < Math.min(m2, m2 - shift); k++)
                  addRow(d[i * m2 + k], f2, (k + shift) * r2, y, k * r2, r2);
              }
            Blas.gemm(
                true,
                false,
                r2,
                r2,
                m2,
                o == 0 ? 0.5 : 1,
                f2,
                0,
                r2,
                y,
                0,
                r2,
                0,
                t,
                (4 * i + o) * square,
                r2);
          }
        });
    int r = rank();
    int[][] members = new int[r1][]; // modes by their place along the first axis
    int[] extent = new int[r1];
    for (int p = 0; p < r1; p++) {
      int own = p;
      members[p] = IntStream.range(0, r).filter(j -> axisMode(j, 0) == own).toArray();
      for (int j : members[p]) extent[p] = Math.max(extent[p], axisMode(j, 1) + 1);
    }
    double[] x = new double[r * r];
    Parallel.forEach(
        r1,
        p -> {
          int width = extent[p] * r2;
          double[] sums = new double[m1 * width]; // Σ_o F₁[i−o, p] T[i−o, o] of every line i
          for (int i = 0; i < m1; i++)
            for (int o = 0; o < 4 && o <= i; o++)
              addRow(f1[(i - o) * r1 + p], t, (4 * (i - o) + o) * square, sums, i * width, width);
          double[] part = new double[r1 * width];
          Blas.gemm(true, false, r1, width, m1, 1, f1, 0, r1, sums, 0, width, 0, part, 0, width);
          for (int j : members[p]) {
            int at = axisMode(j, 1) * r2;
            for (int k = 0; k < r; k++)
              x[j * r + k] = part[selected[2 * k] * width + at + selected[2 * k + 1]];
          }
        });
    double[] h = new double[r * r];
    for (int i = 0; i < r; i++)
      for (int j = 0; j <= i; j++) {
        double sum = x[i * r + j] + x[j * r + i];
        h[i * r + j] = sum;
        h[j * r + i] = sum;
      }
    return h;
  }

  /// `x ← Fᵀv` for `count` grid vectors, the first at `v[vo]`, the next `vs` further on; likewise
  /// their coefficients.
  void analyse(int count, double[] v, int vo, int vs, double[] x, int xo, int xs) {
    if (grid.dimensions() == 1) {
      int m = grid.size();
      int r = rank();
      Blas.gemm(false, false, count, r, m, 1, v, vo, vs, modes[0], 0, r, 0, x, xo, xs);
      return;
    }
    for (int c = 0; c < count; c++) analyse(v, vo + c * vs, x, xo + c * xs);
  }

  private void analyse(double[] v, int vo, double[] x, int xo) {
    int d = grid.dimensions();
    double[] t = v;
    int at = vo;
    int outer = 1;
    int inner = grid.size();
    for (int a = 0; a < d - 1; a++) {
      int points = grid.axis(a).points();
      int count = axisModeCount(a);
      inner /= points;
      double[] next = new double[outer * count * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            true,
            false,
            count,
            inner,
            points,
            1,
            modes[a],
            0,
            count,
            t,
            at + o * points * inner,
            inner,
            0,
            next,
            o * count * inner,
            inner);
      outer *= count;
      t = next;
      at = 0;
    }
    int count = axisModeCount(d - 1);
    double[] all = new double[outer * count];
    double[] f = modes[d - 1];
    Blas.gemm(false, false, outer, count, inner, 1, t, at, inner, f, 0, count, 0, all, 0, count);
    for (int j = 0; j < rank(); j++) x[xo + j] = all[tensor(j)];
  }

  /// Adds `Fx` to `count` grid vectors, laid out as for [#analyse].
  void synthesise(int count, double[] x, int xo, int xs, double[] v, int vo, int vs) {
    if (grid.dimensions() == 1) {
      int m = grid.size();
      int r = rank();
      Blas.gemm(false, true, count, m, r, 1, x, xo, xs, modes[0], 0, r, 1, v, vo, vs);
      return;
    }
    for (int c = 0; c < count; c++) synthesise(x, xo + c * xs, v, vo + c * vs);
  }

  private void synthesise(double[] x, int xo, double[] v, int vo) {
    int d = grid.dimensions();
    int size = 1;
    for (int a = 0; a < d; a++) size *= axisModeCount(a);
    double[] t = new double[size];
    for (int j = 0; j < rank(); j++) t[tensor(j)] = x[xo + j];
    int points = grid.axis(d - 1).points();
    int count = axisModeCount(d - 1);
    int outer = size / count;
    double[] next = new double[outer * points];
    double[] f = modes[d - 1];
    Blas.gemm(false, true, outer, points, count, 1, t, 0, count, f, 0, count, 0, next, 0, points);
    int inner = points;
    for (int a = d - 2; a >= 0; a--) {
      t = next;
      points = grid.axis(a).points();
      count = axisModeCount(a);
      outer /= count;
      boolean last = a == 0;
      next = last ? v : new double[outer * points * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            false,
            false,
            points,
            inner,
            count,
            1,
            modes[a],
            0,
            count,
            t,
            o * count * inner,
            inner,
            last ? 1 : 0,
            next,
            (last ? vo : 0) + o * points * inner,
            inner);
      inner *= points;
    }
  }

  /// The coefficients of one mode in a row of `count` numbers, spread over the tensor of all
  /// products of axis modes.
  double[] spread(int count, double[] x, int xo) {
    int size = 1;
    for (int a = 0; a < grid.dimensions(); a++) size *= axisModeCount(a);
    double[] t =
        new double
            [Budget.numbers(
                size,
                count,
                "the coefficients of all modes",
                "use the krylov engine, a smaller grid")];
    for (int j = 0; j < rank(); j++)
      System.arraycopy(x, xo + j * count, t, tensor(j) * count, count);
    return t;
  }

  /// `FX` for the points from ≤ i < to along the first axis, one row of `count` numbers a point,
  /// added to `beta` times what is there; X as [#spread] lays it out.
  void rows(int count, double[] x, int from, int to, double beta, double[] out) {
    int d = grid.dimensions();
    int inner = x.length / axisModeCount(0);
    int outer = 1;
    int points = to - from;
    double[] t = x;
    for (int a = 0; a < d; a++) {
      int own = axisModeCount(a);
      boolean last = a == d - 1;
      double[] next = last ? out : new double[outer * points * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            false,
            false,
            points,
            inner,
            own,
            1,
            modes[a],
            a == 0 ? from * own : 0,
            own,
            t,
            o * own * inner,
            inner,
            last ? beta : 0,
            next,
            o * points * inner,
            inner);
      if (last) return;
      outer *= points;
      points = grid.axis(a + 1).points();
      inner /= axisModeCount(a + 1);
      t = next;
    }
  }

  /// Where mode j stands in the tensor of all products of axis modes.
  private int tensor(int j) {
    int at = 0;
    for (int a = 0; a < grid.dimensions(); a++) at = at * axisModeCount(a) + axisMode(j, a);
    return at;
  }

  /// Adds w times row i of F.
  void addRow(int i, double w, double[] out, int oo) {
    int d = grid.dimensions();
    int r = rank();
    int[] row = new int[d];
    for (int a = 0; a < d; a++)
      row[a] = i / grid.stride(a) % grid.axis(a).points() * axisModeCount(a);
    if (d == 2) {
      double[] f = modes[0];
      double[] g = modes[1];
      for (int j = 0; j < r; j++)
        out[oo + j] += w * f[row[0] + selected[2 * j]] * g[row[1] + selected[2 * j + 1]];
      return;
    }
    for (int j = 0; j < r; j++) {
      double product = w;
      for (int a = 0; a < d; a++) product *= modes[a][row[a] + axisMode(j, a)];
      out[oo + j] += product;
    }
  }
}
