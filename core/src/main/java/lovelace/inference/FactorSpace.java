package lovelace.inference;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.ThinRoot;
import lovelace.krylov.Space;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Krylov vectors in as many coordinates as a smooth kernel has degrees of freedom on a grid of two
/// axes, a few hundred however fine the grid.
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

  private final ThinRoot root;
  private final StencilMatrix gram;
  private final double noise;
  private final int size;
  private final double[] c; // C, row-major
  private final double excess; // bounds |CCᵀ − H|

  private FactorSpace(ThinRoot root, StencilMatrix gram, double noise, double[] c, double excess) {
    this.root = root;
    this.gram = gram;
    this.noise = noise;
    this.c = c;
    this.excess = excess;
    size = root.rank();
  }

  /// The space of a system; null where its kernel has no root that is thin, or its noise is so
  /// small that the [#shortfall] would exceed `most`.
  static @Nullable FactorSpace of(GridSystem system, double most) {
    ThinRoot root = system.kernel().thinRoot();
    if (root == null
        || root.rank() > Math.min(MOST, root.size() / 8)
        || !(system.statistics().gram() instanceof StencilMatrix gram)
        || gram.grid().dimensions() != 2) return null;
    double[] h = contracted(root, gram);
    int r = root.rank();
    double trace = 0;
    for (int j = 0; j < r; j++) trace += h[j * r + j];
    double shift = 4 * Math.ulp(trace); // covers the rounding of H and of its factor
    if (!(2 * shift <= most * system.noise())) return null;
    for (int j = 0; j < r; j++) h[j * r + j] += shift;
    if (Blas.potrf(r, h, 0, r) != 0) return null;
    for (int i = 0; i < r; i++) Arrays.fill(h, i * r + i + 1, (i + 1) * r, 0);
    return new FactorSpace(root, gram, system.noise(), h, 2 * shift);
  }

  /// `H = LᵀGL`, row-major.
  private static double[] contracted(ThinRoot root, StencilMatrix gram) {
    Grid grid = gram.grid();
    int lines = grid.axis(0).points();
    int p = root.rank(0);
    int q = root.rank(1);
    double[] l = root.factor(0);
    // row 4i + o: L₂ᵀ G[line i, line i+o] L₂, transposed
    double[] inner = lineBlocks(root, gram);
    double[] outer = new double[4 * lines * p * p];
    for (int i = 0; i < lines; i++)
      for (int o = 0; o < Math.min(4, lines - i); o++)
        for (int a = 0; a < p; a++) {
          double left = (o == 0 ? 0.5 : 1) * l[i * p + a];
          int at = ((4 * i + o) * p + a) * p;
          for (int b = 0; b < p; b++) outer[at + b] = left * l[(i + o) * p + b];
        }
    double[] half = new double[p * p * q * q];
    int rows = 4 * lines;
    Blas.gemm(
        true, false, p * p, q * q, rows, 1, outer, 0, p * p, inner, 0, q * q, 0, half, 0, q * q);
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

  private static double[] lineBlocks(ThinRoot root, StencilMatrix gram) {
    int lines = gram.grid().axis(0).points();
    int n = gram.grid().axis(1).points();
    int q = root.rank(1);
    double[] l = root.factor(1);
    double[][] rows = new double[n + 6][q]; // of L₂, with three empty ones on either side
    for (int i = 0; i < n; i++) System.arraycopy(l, i * q, rows[i + 3], 0, q);
    double[] blocks = new double[4 * lines * q * q];
    Parallel.chunks(
        lines,
        8,
        (chunk, from, to) -> {
          double[] product = new double[n * 4 * q];
          double[] sum = new double[q];
          for (int i = from; i < to; i++) {
            if (!products(gram, i, n, rows, sum, product)) continue;
            int at = 4 * i * q * q;
            Blas.gemm(true, false, 4 * q, q, n, 1, product, 0, 4 * q, l, 0, q, 0, blocks, at, q);
          }
        });
    return blocks;
  }

  /// `G[line i, line i+o] L₂` for o = 0…3 side by side; false if it is all zero.
  private static boolean products(
      StencilMatrix gram, int i, int n, double[][] rows, double[] sum, double[] product) {
    int q = sum.length;
    boolean filled = false;
    double[] own = gram.diagonal(0);
    double[] g = new double[7];
    for (int j = 0; j < n; j++) {
      int at = i * n + j;
      if (own[at] == 0) {
        Arrays.fill(product, 4 * j * q, 4 * (j + 1) * q, 0);
        continue;
      }
      filled = true;
      for (int o = 0; o < 4; o++) {
        for (int s = -3; s <= 3; s++)
          g[s + 3] =
              o > 0
                  ? gram.diagonal(7 * o + s)[at]
                  : s >= 0 ? gram.diagonal(s)[at] : j + s < 0 ? 0 : gram.diagonal(-s)[at + s];
        combine(g, rows, j, sum);
        System.arraycopy(sum, 0, product, (4 * j + o) * q, q);
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
}
