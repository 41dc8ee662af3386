package lovelace.inference;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.latticekernel.GramContraction;
import lovelace.latticekernel.ThinKernelRoot;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.LinearOperator;
import lovelace.linear.Space;
import org.jspecify.annotations.Nullable;

/// Keeps Krylov vectors in a few hundred coordinates: the degrees of freedom of a smooth kernel on
/// a grid of one or two axes, however fine the grid is.
///
/// With a thin root `K = LLᵀ` and `H = LᵀGL = CCᵀ`, a vector `v = WᵀLx` of observation space is
/// held as `y = Cᵀx`. Euclid's inner product is then that of observation space, and `A v` is `(CᵀC
/// + σ²)y`. A lifted vector `r = KWv` is held as its coordinates `z = Cy`, `r = Lz`.
///
/// Cholesky needs H shifted by some δ, which acts like a little more information. So variances may
/// be too small by a fraction δ/σ²; see [#shortfall].
public final class FactorSpace implements Space {

  private static final int MOST = 1200;
  private static final int ROWS = 96;

  private final ThinKernelRoot root;
  private final StencilMatrix gram;
  private final double noise;
  private final int size;
  private final double[] h;
  private final double[] c; // C, row-major
  private final double excess; // bounds |CCᵀ − H|

  private FactorSpace(
      ThinKernelRoot root,
      StencilMatrix gram,
      double noise,
      double[] h,
      double[] c,
      double excess) {
    this.root = root;
    this.gram = gram;
    this.noise = noise;
    this.h = h;
    this.c = c;
    this.excess = excess;
    size = root.rank();
  }

  /// The space of a problem. Null if its kernel has no thin root, or its noise is so small that the
  /// [#shortfall] would exceed a thousandth.
  static @Nullable FactorSpace of(LatticeProblem problem) {
    if (!(problem.statistics().lattice() instanceof Grid grid) || grid.dimensions() > 2)
      return null;
    ThinKernelRoot root = problem.kernel().thinRoot();
    if (root == null
        || root.rank() > MOST
        || !(problem.statistics().gram() instanceof StencilMatrix gram)) return null;
    int r = root.rank();
    double[] h = GramContraction.of(gram, root);
    double trace = 0;
    for (int j = 0; j < r; j++) trace += h[j * r + j];
    double shift = 4 * Math.ulp(trace); // covers the rounding of H and of its factor
    for (; 2 * shift <= 1e-3 * problem.noise(); shift *= 8) {
      double[] c = h.clone();
      for (int j = 0; j < r; j++) c[j * r + j] += shift;
      if (Blas.potrf(r, c, 0, r) != 0) continue;
      for (int i = 0; i < r; i++) Arrays.fill(c, i * r + i + 1, (i + 1) * r, 0);
      return new FactorSpace(root, gram, problem.noise(), h, c, 2 * shift);
    }
    return null;
  }

  public ThinKernelRoot root() {
    return root;
  }

  /// How much too small a variance may be because of the shift of H, relative to it.
  public double shortfall() {
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

  /// `z = C y`. Each block of rows stops at the diagonal of the triangle.
  @Override
  public void lift(int count, double[] g, double[] r) {
    if (count > 1) {
      Blas.gemm(false, true, count, size, size, g, c, r);
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
      Blas.gemm(false, false, count, size, size, r, c, y);
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

  /// `‖ρ‖²` for points with `u = Lᵀw`. The coefficients `x` of the Krylov rows `basis` imply the
  /// solution `y = basisᵀx`, whose residual is `ρ = Cᵀu − (CᵀC + σ²)y`.
  public double[] residuals(int count, double[] u, int rank, double[] basis, double[] x) {
    double[] y = new double[count * size];
    Blas.gemm(false, false, count, size, rank, x, basis, y);
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
  /// to `kb = K b`. Null if the residual stays a thousand times above that.
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
