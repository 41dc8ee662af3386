package lovelace.inference;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.ThinRoot;
import lovelace.krylov.Space;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Krylov vectors in as many coordinates as a smooth kernel has degrees of freedom on a grid of one
/// or two axes, a few hundred however fine the grid.
///
/// With a thin root `K = LLᵀ` and `H = LᵀGL = CCᵀ`, a vector `v = WᵀLx` of observation space is
/// held as `y = Cᵀx`, Euclid's inner product is that of observation space, and `A v` is `(CᵀC +
/// σ²)y`. A lifted vector `r = KWv` is held by its coordinates `z = Cy`, `r = Lz`. H comes from G
/// by contracting one axis after the other.
///
/// Cholesky needs H shifted by some δ, which acts as a little more information: variances may come
/// out too small by a fraction δ/σ², see [#shortfall].
final class FactorSpace implements Space {

  private static final int MOST = 1200;
  private static final int ROWS = 96;
  private static final int LARGEST = 1 << 26; // numbers of a block of lines

  private final ThinRoot root;
  private final StencilMatrix gram;
  private final double noise;
  private final int size;
  private final double[] h;
  private final double[] c; // C, row-major
  private final double excess; // bounds |CCᵀ − H|

  private FactorSpace(
      ThinRoot root, StencilMatrix gram, double noise, double[] h, double[] c, double excess) {
    this.root = root;
    this.gram = gram;
    this.noise = noise;
    this.h = h;
    this.c = c;
    this.excess = excess;
    size = root.rank();
  }

  /// The space of a system; null where its kernel has no thin root, or its noise is so small that
  /// the [#shortfall] would exceed a thousandth.
  static @Nullable FactorSpace of(GridSystem system) {
    if (!(system.statistics().lattice() instanceof Grid grid) || grid.dimensions() > 2) return null;
    ThinRoot root = system.kernel().thinRoot();
    if (root == null
        || root.rank() > MOST
        || !(system.statistics().gram() instanceof StencilMatrix gram)) return null;
    int r = root.rank();
    double[] h = grid.dimensions() == 1 ? alongLine(root, gram) : contracted(root, gram);
    double trace = 0;
    for (int j = 0; j < r; j++) trace += h[j * r + j];
    double shift = 4 * Math.ulp(trace); // covers the rounding of H and of its factor
    for (; 2 * shift <= 1e-3 * system.noise(); shift *= 8) {
      double[] c = h.clone();
      for (int j = 0; j < r; j++) c[j * r + j] += shift;
      if (Blas.potrf(r, c, 0, r) != 0) continue;
      for (int i = 0; i < r; i++) Arrays.fill(c, i * r + i + 1, (i + 1) * r, 0);
      return new FactorSpace(root, gram, system.noise(), h, c, 2 * shift);
    }
    return null;
  }

  /// `H = LᵀGL` on one axis.
  private static double[] alongLine(ThinRoot root, StencilMatrix gram) {
    int n = root.size();
    int r = root.rank();
    double[] l = root.factor(0);
    double[][] rows = padded(n, r, l);
    double[] product = new double[n * r];
    Parallel.chunks(
        n,
        512,
        (chunk, from, to) -> products(gram, 0, n, from, to, 1, rows, new double[r], product));
    double[] h = new double[r * r];
    Blas.gemm(true, false, r, r, n, 1, l, 0, r, product, 0, r, 0, h, 0, r);
    return h;
  }

  /// The rows of L, each an array, with three empty ones on either side.
  private static double[][] padded(int n, int r, double[] l) {
    double[][] rows = new double[n + 6][r];
    for (int i = 0; i < n; i++) System.arraycopy(l, i * r, rows[i + 3], 0, r);
    return rows;
  }

  /// `H = LᵀGL` on two axes.
  static double[] contracted(ThinRoot root, StencilMatrix gram) {
    return contracted(root, gram, LARGEST);
  }

  /// The same, over blocks of lines that take at most so many numbers, or one line.
  static double[] contracted(ThinRoot root, StencilMatrix gram, int largest) {
    Grid grid = gram.grid();
    int lines = grid.axis(0).points();
    int p = root.rank(0);
    int q = root.rank(1);
    double[][] second = padded(grid.axis(1).points(), q, root.factor(1));
    int together = Math.max(1, Math.min(lines, largest / (4 * (p * p + q * q))));
    double[] half = new double[p * p * q * q];
    for (int from = 0; from < lines; from += together) {
      int to = Math.min(lines, from + together);
      // row 4i + o: L₂ᵀ G[line i, line i+o] L₂, transposed
      double[] inner = lineBlocks(root, gram, second, from, to);
      if (inner == null) continue;
      double[] outer = pairs(root, lines, from, to);
      int rows = 4 * (to - from);
      Blas.gemm(
          true, false, p * p, q * q, rows, 1, outer, 0, p * p, inner, 0, q * q, 1, half, 0, q * q);
    }
    int r = p * q;
    double[] h = new double[r * r];
    Parallel.forEach(
        p,
        a -> {
          for (int b = 0; b < p; b++) {
            int one = (a * p + b) * q * q;
            int two = (b * p + a) * q * q;
            for (int s = 0; s < q; s++)
              for (int t = 0; t < q; t++)
                h[(a * q + s) * r + b * q + t] = half[one + t * q + s] + half[two + s * q + t];
          }
        });
    return h;
  }

  /// Row 4i + o: the products of the columns of L₁ at line i and line i + o, for some lines.
  private static double[] pairs(ThinRoot root, int lines, int from, int to) {
    int p = root.rank(0);
    double[] l = root.factor(0);
    double[] outer = new double[4 * (to - from) * p * p];
    for (int i = from; i < to; i++)
      for (int o = 0; o < Math.min(4, lines - i); o++)
        for (int a = 0; a < p; a++) {
          double left = (o == 0 ? 0.5 : 1) * l[i * p + a];
          int at = ((4 * (i - from) + o) * p + a) * p;
          for (int b = 0; b < p; b++) outer[at + b] = left * l[(i + o) * p + b];
        }
    return outer;
  }

  /// Null if there are no observations near these lines.
  private static double @Nullable [] lineBlocks(
      ThinRoot root, StencilMatrix gram, double[][] rows, int first, int last) {
    int n = gram.grid().axis(1).points();
    int q = root.rank(1);
    double[] l = root.factor(1);
    double[] blocks = new double[4 * (last - first) * q * q];
    AtomicBoolean filled = new AtomicBoolean();
    Parallel.chunks(
        last - first,
        8,
        (chunk, from, to) -> {
          double[] product = new double[n * 4 * q];
          double[] sum = new double[q];
          for (int i = from; i < to; i++) {
            if (!products(gram, first + i, n, 0, n, 4, rows, sum, product)) continue;
            filled.set(true);
            int at = 4 * i * q * q;
            Blas.gemm(true, false, 4 * q, q, n, 1, product, 0, 4 * q, l, 0, q, 0, blocks, at, q);
          }
        });
    return filled.get() ? blocks : null;
  }

  /// Rows `from` to `to` of `G[line i, line i+o] L` for the first offsets o side by side; false if
  /// all are zero.
  private static boolean products(
      StencilMatrix gram,
      int i,
      int n,
      int from,
      int to,
      int offsets,
      double[][] rows,
      double[] sum,
      double[] product) {
    int q = sum.length;
    boolean filled = false;
    double[] own = gram.diagonal(0);
    double[] g = new double[7];
    for (int j = from; j < to; j++) {
      int at = i * n + j;
      if (own[at] == 0) {
        Arrays.fill(product, offsets * j * q, offsets * (j + 1) * q, 0);
        continue;
      }
      filled = true;
      for (int o = 0; o < offsets; o++) {
        for (int s = -3; s <= 3; s++)
          g[s + 3] =
              o > 0
                  ? gram.diagonal(7 * o + s)[at]
                  : s >= 0 ? gram.diagonal(s)[at] : j + s < 0 ? 0 : gram.diagonal(-s)[at + s];
        combine(g, rows, j, sum);
        System.arraycopy(sum, 0, product, (offsets * j + o) * q, q);
      }
    }
    return filled;
  }

  /// `sum ← Σ gₛ rowₛ`; all arrays share their index, so that this becomes vector code.
  private static void combine(double[] g, double[][] rows, int first, double[] sum) {
    double g0 = g[0];
    double g1 = g[1];
    double g2 = g[2];
    double g3 = g[3];
    double g4 = g[4];
    double g5 = g[5];
    double g6 = g[6];
    double[] r0 = rows[first];
    double[] r1 = rows[first + 1];
    double[] r2 = rows[first + 2];
    double[] r3 = rows[first + 3];
    double[] r4 = rows[first + 4];
    double[] r5 = rows[first + 5];
    double[] r6 = rows[first + 6];
    for (int b = 0; b < sum.length; b++)
      sum[b] =
          g0 * r0[b] + g1 * r1[b] + g2 * r2[b] + g3 * r3[b] + g4 * r4[b] + g5 * r5[b] + g6 * r6[b];
  }

  ThinRoot root() {
    return root;
  }

  /// How much too small a variance may be for the shift of H, as a fraction of it.
  double shortfall() {
    return excess / noise;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int liftedSize() {
    return size;
  }

  @Override
  public double shift() {
    return noise;
  }

  @Override
  public boolean euclidean() {
    return true;
  }

  @Override
  public void metric(int count, double[] x, double[] g) {
    System.arraycopy(x, 0, g, 0, count * size);
  }

  /// `z = C y`; a block of rows ends where the triangle does.
  @Override
  public void lift(int count, double[] g, double[] r) {
    if (count > 1) {
      Blas.gemm(false, true, count, size, size, 1, g, 0, size, c, 0, size, 0, r, 0, size);
      return;
    }
    for (int from = 0; from < size; from += ROWS) {
      int to = Math.min(size, from + ROWS);
      Blas.gemv(false, to - from, to, 1, c, from * size, size, g, 0, 0, r, from);
    }
  }

  /// `y = Cᵀ z`.
  @Override
  public void project(int count, double[] r, double[] y) {
    if (count > 1) {
      Blas.gemm(false, false, count, size, size, 1, r, 0, size, c, 0, size, 0, y, 0, size);
      return;
    }
    Arrays.fill(y, 0, size, 0);
    for (int from = 0; from < size; from += ROWS) {
      int to = Math.min(size, from + ROWS);
      Blas.gemv(true, to - from, to, 1, c, from * size, size, r, from, 1, y, 0);
    }
  }

  /// `W v = G L C⁻ᵀ y`.
  @Override
  public void embed(int count, double[] g, double[] grid) {
    double[] x = g.clone();
    // rows are vectors: X ← X C⁻¹
    Blas.trsm(true, false, count, size, 1, c, 0, size, x, 0, size);
    double[] lattice = root.expand(count, x);
    if (count == 1) gram.apply(lattice, grid);
    else gram.applyBlock(count, lattice, grid);
  }

  /// `‖ρ‖²` of the solve that coefficients `x` of the Krylov rows `basis` imply for points with `u
  /// = Lᵀw`: `ρ = Cᵀu − (CᵀC + σ²)y`, `y = basisᵀx`.
  double[] residuals(int count, double[] u, int rank, double[] basis, double[] x) {
    double[] y = new double[count * size];
    Blas.gemm(false, false, count, size, rank, 1, x, 0, rank, basis, 0, size, 0, y, 0, size);
    double[] z = new double[count * size];
    lift(count, y, z);
    for (int i = 0; i < z.length; i++) z[i] = u[i] - z[i];
    double[] rho = new double[count * size];
    project(count, z, rho);
    double[] squares = new double[count];
    for (int i = 0; i < rho.length; i++) {
      double e = rho[i] - noise * y[i];
      squares[i / size] += e * e;
    }
    return squares;
  }

  /// `(KG + σ²)⁻¹ K b = L(H + σ²)⁻¹Lᵀb`, refined until the residual is below `tolerance` relative
  /// to `kb = K b`; null if it stays a thousand times above.
  double @Nullable [] mean(LinearOperator kernel, double[] b, double[] kb, double tolerance) {
    int m = b.length;
    double[] shifted = h.clone();
    for (int j = 0; j < size; j++) shifted[j * size + j] += noise;
    Cholesky solver = Cholesky.adopt(shifted, size);
    double[] z = root.contract(1, b);
    solver.solve(z);
    double[] a = root.expand(1, z);
    double scale = Blas.nrm2(m, kb, 0);
    double[] ga = new double[m];
    double[] error = new double[m];
    for (int round = 0; ; round++) {
      gram.apply(a, ga);
      kernel.apply(ga, error);
      for (int i = 0; i < m; i++) error[i] = kb[i] - error[i] - noise * a[i];
      double residual = Blas.nrm2(m, error, 0);
      if (residual <= tolerance * scale) return a;
      if (round == 3) return residual <= 1e3 * tolerance * scale ? a : null;
      // (KG + σ²)⁻¹e = (e − L(H + σ²)⁻¹LᵀGe)/σ²
      gram.apply(error, ga);
      z = root.contract(1, ga);
      solver.solve(z);
      double[] less = root.expand(1, z);
      for (int i = 0; i < m; i++) a[i] += (error[i] - less[i]) / noise;
    }
  }
}
