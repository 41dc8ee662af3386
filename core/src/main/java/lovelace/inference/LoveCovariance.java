package lovelace.inference;

import java.util.Arrays;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.GridKernel;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.krylov.Lanczos;
import lovelace.krylov.Space;
import lovelace.linear.Blas;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// LOVE (Pleiss et al. 2018, Algorithm 1) in the coordinates of a lattice: `P ≈ K − SᵀS`.
///
/// Lanczos on `A = WᵀKW + σ²I` gives `A⁻¹ ≈ Q T⁻¹ Qᵀ`. With `T = LLᵀ`, L bidiagonal, and `B =
/// L⁻¹QWᵀ`, k × m, the caches are B and `S = BK`. Since `QT⁻¹Qᵀ ⪯ A⁻¹` (Galerkin), a variance v is
/// never understated, and the residual ρ of the solve x it implies bounds the excess: the variance
/// of the interpolated process lies in `[v − ‖ρ‖²/σ² − ρᵀx, v − ρᵀx]`, up to rounding, with `ρᵀx =
/// 0` as long as the Lanczos vectors are orthogonal. [#certify] computes the interval.
public final class LoveCovariance implements GridCovariance {

  private static final double EPSILON = 0x1p-52;

  private final GridKernel kernel;
  private final LinearOperator gram;
  private final GramRounding gramRounding;
  private final double noise;
  private final int m;
  private final int rank;
  private final double[] s; // m × rank: row i is column i of S
  private final double[] vectors; // what B is made of, in the coordinates of the space
  private final @Nullable Space space; // null for caches read back
  private final double[] diagonal; // L[j, j]
  private final double[] below; // L[j, j−1]
  private final double loss;
  private final double shortfall; // how much too small a variance may be, as a fraction
  private volatile double @Nullable [] b; // rank × m
  private volatile @Nullable StencilMatrix stencil;

  /// Takes the run's arrays over: it must not be used again.
  LoveCovariance(GridSystem system, Lanczos run, Space space) {
    this.space = space;
    kernel = system.kernel();
    gram = system.statistics().gram();
    gramRounding = GramRounding.of(system.statistics());
    noise = system.noise();
    m = kernel.size();
    rank = run.steps();
    loss = rank == 0 ? 0 : run.orthogonalityLoss();
    diagonal = new double[rank];
    below = new double[rank];
    for (int j = 0; j < rank; j++) {
      if (j > 0) below[j] = run.beta(j - 1) / diagonal[j - 1];
      // the smallest eigenvalue of T is at least σ²; rounding may not take that away
      diagonal[j] = Math.sqrt(Math.max(run.alpha(j) - below[j] * below[j], noise));
    }
    double[] rows = run.lifted();
    int length = space.liftedSize();
    whiten(length, rows);
    double[] columns = transposed(rank, length, rows);
    if (space instanceof FactorSpace factor) {
      s = factor.root().expandColumns(rank, columns);
      shortfall = factor.shortfall();
    } else {
      s = columns;
      shortfall = 0;
    }
    vectors = run.images();
    whiten(space.size(), vectors);
  }

  private LoveCovariance(
      GridSystem system,
      double[] s,
      double[] b,
      double[] diagonal,
      double[] below,
      double loss,
      double shortfall) {
    kernel = system.kernel();
    gram = system.statistics().gram();
    gramRounding = GramRounding.of(system.statistics());
    noise = system.noise();
    m = kernel.size();
    rank = diagonal.length;
    this.s = s;
    this.b = b;
    this.diagonal = diagonal;
    this.below = below;
    this.loss = loss;
    space = null;
    vectors = new double[0];
    this.shortfall = shortfall;
  }

  /// Caches put together from their parts, as the accessors give them. Takes the arrays over.
  public static LoveCovariance assemble(
      GridSystem system,
      double[] pointCache,
      double[] dataCache,
      double[] diagonal,
      double[] subdiagonal,
      double orthogonalityLoss,
      double shortfall) {
    long size = (long) system.kernel().size() * diagonal.length;
    if (pointCache.length != size
        || dataCache.length != size
        || subdiagonal.length != diagonal.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "caches of rank %d over %d lattice points hold %d numbers, got %d and %d",
              diagonal.length,
              system.kernel().size(),
              size,
              pointCache.length,
              dataCache.length));
    return new LoveCovariance(
        system, pointCache, dataCache, diagonal, subdiagonal, orthogonalityLoss, shortfall);
  }

  /// S, lattice points × rank, not copied: read only.
  public double[] pointCache() {
    return s;
  }

  /// B, rank × lattice points, not copied: read only.
  public double[] dataCache() {
    return b();
  }

  /// The diagonal of L, `T = LLᵀ`. A copy.
  public double[] diagonal() {
    return diagonal.clone();
  }

  /// The entries below the diagonal of L, the first of which is 0. A copy.
  public double[] subdiagonal() {
    return below.clone();
  }

  /// `X ← L⁻¹X` for rows of one length.
  private void whiten(int length, double[] x) {
    Parallel.chunks(
        length,
        4096,
        (index, from, to) -> {
          for (int j = 0; j < rank; j++) {
            double scale = 1 / diagonal[j];
            double carry = below[j];
            int row = j * length;
            int last = row - length;
            if (carry == 0) for (int i = from; i < to; i++) x[row + i] *= scale;
            else
              for (int i = from; i < to; i++)
                x[row + i] = (x[row + i] - carry * x[last + i]) * scale;
          }
        });
  }

  /// A matrix of rows × columns, transposed.
  static double[] transposed(int rows, int columns, double[] x) {
    double[] t = new double[rows * columns];
    Parallel.chunks(
        columns,
        512,
        (index, from, to) -> {
          for (int tile = from; tile < to; tile += 64)
            for (int j = 0; j < rows; j++)
              for (int i = tile; i < Math.min(to, tile + 64); i++)
                t[i * rows + j] = x[j * columns + i];
        });
    return t;
  }

  /// B, made when first needed: outside the lattice and for certificates.
  private double[] b() {
    double[] known = b;
    if (known != null) return known;
    if (space == null || !space.euclidean()) {
      known = vectors.length == rank * m ? vectors : Arrays.copyOf(vectors, rank * m);
    } else {
      known = new double[rank * m];
      space.embed(rank, vectors, known);
    }
    b = known;
    return known;
  }

  @Override
  public int size() {
    return m;
  }

  /// k, the number of Lanczos vectors.
  public int rank() {
    return rank;
  }

  /// How much too small a variance may be, as a fraction: what the shift of a thin root costs.
  public double shortfall() {
    return shortfall;
  }

  /// The largest entry of `|QᵀGQ − I|`: what rounding has cost the Lanczos vectors.
  public double orthogonalityLoss() {
    return loss;
  }

  @Override
  public double floor() {
    return kernel.maxVariance() * (128 * EPSILON + 4 * loss);
  }

  /// `Sw` for a stencil.
  private void root(int[] index, double[] weight, double[] out, int oo) {
    for (int j = 0; j < rank; j++) out[oo + j] = 0;
    for (int k = 0; k < weight.length; k++) {
      double w = weight[k];
      int row = index[k] * rank;
      for (int j = 0; j < rank; j++) out[oo + j] += w * s[row + j];
    }
  }

  /// `Sw` for several stencils, one row each.
  private double[] roots(Stencils points) {
    double[] all =
        new double
            [Budget.numbers(
                points.count(),
                rank,
                "the covariance with many points",
                "ask for fewer points at once")];
    Parallel.chunks(
        points.count(),
        256,
        (chunk, from, to) -> {
          for (int p = from; p < to; p++) root(points, p, all, p * rank);
        });
    return all;
  }

  @Override
  public double variance(int[] index, double[] weight) {
    double[] root = new double[rank];
    root(index, weight, root, 0);
    double sum = 0;
    for (double r : root) sum += r * r;
    return kernel.quadratic(index, weight) - sum;
  }

  /// The variances of several points.
  public double[] variances(Stencils points) {
    double[] out = kernel.quadratics(points);
    Parallel.chunks(
        out.length,
        256,
        (chunk, from, to) -> {
          double[] root = new double[rank];
          for (int p = from; p < to; p++) {
            Arrays.fill(root, 0);
            root(points, p, root, 0);
            out[p] -= Blas.dot(rank, root, 0, root, 0);
          }
        });
    return out;
  }

  /// Adds `Sw` for one of several stencils.
  private void root(Stencils points, int p, double[] out, int oo) {
    int k = 0;
    for (; k + 3 < points.width(); k += 4) { // four rows at a time: out is read and written less
      double w0 = points.weight(p, k);
      double w1 = points.weight(p, k + 1);
      double w2 = points.weight(p, k + 2);
      double w3 = points.weight(p, k + 3);
      int r0 = points.index(p, k) * rank;
      int r1 = points.index(p, k + 1) * rank;
      int r2 = points.index(p, k + 2) * rank;
      int r3 = points.index(p, k + 3) * rank;
      for (int j = 0; j < rank; j++)
        out[oo + j] += w0 * s[r0 + j] + w1 * s[r1 + j] + w2 * s[r2 + j] + w3 * s[r3 + j];
    }
    for (; k < points.width(); k++) {
      double w = points.weight(p, k);
      int row = points.index(p, k) * rank;
      for (int j = 0; j < rank; j++) out[oo + j] += w * s[row + j];
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] between(Stencils a, Stencils c) {
    double[] out = kernel.between(a, c);
    double[] left = roots(a);
    double[] right = a == c ? left : roots(c);
    // one row at a time: an entry must not depend on which other rows are asked for
    for (int i = 0; i < a.count(); i++)
      for (int j = 0; j < c.count(); j++)
        out[i * c.count() + j] -= Blas.dot(rank, left, i * rank, right, j * rank);
    return out;
  }

  @Override
  public StencilMatrix stencil() {
    StencilMatrix known = stencil;
    if (known != null) return known;
    if (!(kernel.lattice() instanceof Grid grid && grid.dimensions() < 4))
      throw new UnsupportedOperationException(
          "only a grid of up to three axes has one stencil matrix");
    StencilGram sum = new StencilGram(kernel.stencil());
    sum.add(-1, rank, s);
    stencil = known = sum.matrix();
    return known;
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    kernel.applyBlock(count, v, pv);
    double[] t = new double[count * rank];
    Blas.gemm(false, false, count, rank, m, 1, v, 0, m, s, 0, rank, 0, t, 0, rank);
    Blas.gemm(false, true, count, m, rank, -1, t, 0, rank, s, 0, rank, 1, pv, 0, m);
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double explained(double[] k1, double[] k2) {
    double[] z1 = outsideRoot(k1);
    double[] z2 = k1 == k2 ? z1 : outsideRoot(k2);
    return Blas.dot(rank, z1, 0, z2, 0);
  }

  @Override
  public double[] cross(double[] k, Stencils inside) {
    double[] z = outsideRoot(k);
    double[] roots = roots(inside);
    double[] out = new double[inside.count()];
    for (int p = 0; p < out.length; p++)
      out[p] = inside.dot(p, k, 0) - Blas.dot(rank, z, 0, roots, p * rank);
    return out;
  }

  private double[] outsideRoot(double[] k) {
    double[] z = new double[rank];
    Blas.gemv(false, rank, m, 1, b(), 0, m, k, 0, 0, z, 0);
    return z;
  }

  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    int batch = 64;
    int count = points.count();
    double[] width = new double[count];
    double[] above = new double[count];
    double[] rounding = new double[count];
    for (int from = 0; from < count; from += batch)
      width(points, from, Math.min(batch, count - from), width, above, rounding);
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    for (int p = 0; p < count; p++) {
      points.copy(p, index, weight);
      double v = variance(index, weight);
      lower[p] = Math.max(0, v - width[p] - rounding[p]);
      upper[p] = Math.max(v + above[p], 0) * (1 + shortfall) + rounding[p];
    }
  }

  @Override
  public long bytes() {
    return 16L * rank * m;
  }

  @Override
  public Engine engine() {
    return Engine.KRYLOV;
  }

  @Override
  public String describe() {
    return "love, rank " + rank;
  }

  /// With `g = Gx` for the implied solution x and `e = K(w − g)`: `‖ρ‖² = eᵀGe − 2σ²eᵀg + σ⁴‖x‖²`
  /// and `ρᵀx = eᵀg − σ²‖x‖²`. The variance of the interpolated process lies in `[v − ‖ρ‖²/σ² −
  /// ρᵀx, v − ρᵀx]`; `ρᵀx` is zero while the Lanczos vectors are orthogonal, and `‖x‖ = ‖L⁻ᵀSw‖` up
  /// to their loss. What rounding can do to a variance, either way, is what it can do to K, to G
  /// and to A as the variance depends on them: `(w−g)ᵀδK(w−g)`, `eᵀδGe/σ²`, `xᵀδAx`.
  private void width(
      Stencils points, int first, int count, double[] widths, double[] above, double[] roundings) {
    double[] w = new double[count * m];
    double[] root = new double[count * rank];
    for (int p = 0; p < count; p++) {
      points.scatter(first + p, 1, w, p * m);
      root(points, first + p, root, p * rank);
    }
    double[] squares =
        space instanceof FactorSpace factor
            ? factor.residuals(count, factor.root().contract(count, w), rank, vectors, root)
            : new double[0];
    double[] g = new double[count * m];
    Blas.gemm(false, false, count, m, rank, 1, root, 0, rank, b(), 0, m, 0, g, 0, m);
    double[] left = new double[count];
    for (int p = 0; p < count; p++)
      for (int i = p * m; i < (p + 1) * m; i++) {
        w[i] -= g[i];
        left[p] += Math.abs(w[i]);
      }
    double norm = 0; // of T, from its factor
    for (int j = 0; j < rank; j++) norm = Math.max(norm, diagonal[j] + Math.abs(below[j]));
    double[] e = new double[count * m];
    kernel.applyBlock(count, w, e);
    gram.applyBlock(count, e, w);
    for (int p = 0; p < count; p++) {
      double x = 0;
      double next = 0;
      for (int j = rank - 1; j >= 0; j--) {
        double carry = j + 1 < rank ? below[j + 1] * next : 0;
        next = (root[p * rank + j] - carry) / diagonal[j];
        x += next * next;
      }
      double ege = Blas.dot(m, e, p * m, w, p * m);
      double eg = Blas.dot(m, e, p * m, g, p * m);
      double squared = ege - 2 * noise * eg + noise * noise * x;
      double unsure = rank * loss * x; // of ‖x‖²
      // the three terms cancel; what they lose is counted in
      double rounding = 16 * EPSILON * (ege + noise * noise * x) + noise * noise * unsure;
      // ρᵀx, which cancels too
      double inner = eg - noise * x;
      double terms = noise * x;
      for (int i = p * m; i < (p + 1) * m; i++) terms += Math.abs(e[i] * g[i]);
      double slack = noise * unsure + 16 * EPSILON * terms;
      // a thin space knows the residual without cancellation
      if (squares.length > 0) squared = squares[p];
      widths[first + p] = (Math.max(squared, 0) + rounding) / noise + Math.max(0, inner + slack);
      above[first + p] = Math.max(0, slack - inner);
      roundings[first + p] =
          floor()
              + 8 * EPSILON * (kernel.maxVariance() * left[p] * left[p] + norm * norm * x)
              + gramRounding.quadratic(e, p * m) / noise;
    }
  }

  /// Draws of full rank with exactly this covariance, which is the posterior's as closely as
  /// [#certify] tells.
  @Override
  public CovarianceRoot root() {
    return new CacheRoot(this, kernel, noise);
  }

  /// L⁻¹ times each of `count` rows.
  void whitenRows(int count, double[] x) {
    for (int c = 0; c < count; c++)
      for (int j = 0; j < rank; j++) {
        double carry = j > 0 ? below[j] * x[c * rank + j - 1] : 0;
        x[c * rank + j] = (x[c * rank + j] - carry) / diagonal[j];
      }
  }
}
