package lovelace.inference;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.GridKernel;
import lovelace.grid.SparseRoot;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;

/// The posterior by dense algebra: `P = K − SᵀS`, `S = BK`, `B = L⁻¹Vᵀ` and `LLᵀ = VᵀKV + σ²I`,
/// `VVᵀ = G`. Exact; a variance is a difference, so what is below [#floor] is rounding.
public final class DenseCovariance implements GridCovariance {

  private static final double EPSILON = 0x1p-52;

  private final GridKernel kernel;
  private final int m;
  private final int rank;
  private final Cholesky factor;
  private final double[] b; // rank × m
  private final double[] s; // rank × m
  private final double trace; // of A′
  private final double noise;
  private final GramRounding gramRounding;

  DenseCovariance(GridSystem system, SparseRoot root) {
    kernel = system.kernel();
    m = kernel.size();
    rank = root.columns();
    if ((long) rank * Math.max(m, rank) > Integer.MAX_VALUE - 16)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d compressed observations on %,d lattice points are too many for dense algebra; use the krylov engine",
              rank,
              m));
    b = new double[rank * m];
    Parallel.chunks(
        rank,
        64,
        (chunk, from, to) -> {
          double[] unit = new double[rank];
          double[] column = new double[m];
          for (int c = from; c < to; c++) {
            unit[c] = 1;
            root.apply(unit, column);
            unit[c] = 0;
            System.arraycopy(column, 0, b, c * m, m);
          }
        });
    s = new double[rank * m];
    if (rank > 0) kernel.applyBlock(rank, b, s);
    double[] a = new double[rank * rank];
    Blas.gemm(false, true, rank, rank, m, 1, b, 0, m, s, 0, m, 0, a, 0, rank);
    noise = system.noise();
    gramRounding = GramRounding.of(system.statistics());
    double sum = 0;
    for (int c = 0; c < rank; c++) {
      a[c * rank + c] += noise;
      sum += a[c * rank + c];
    }
    trace = sum;
    factor = Cholesky.adopt(a, rank);
    if (rank > 0) {
      Blas.trsm(false, false, rank, m, 1, factor.factor(), 0, rank, b, 0, m);
      Blas.trsm(false, false, rank, m, 1, factor.factor(), 0, rank, s, 0, m);
    }
  }

  /// n′, the number of columns of V.
  public int rank() {
    return rank;
  }

  /// `A′⁻¹ x`, a new array.
  double[] solve(double[] x) {
    double[] y = x.clone();
    if (rank > 0) factor.solve(y);
    return y;
  }

  /// What the factorisation added to the diagonal of A′.
  double jitter() {
    return factor.jitter();
  }

  double logDeterminant() {
    return factor.logDeterminant();
  }

  double traceOfInverse() {
    double[] inverse = factor.inverse();
    double sum = 0;
    for (int c = 0; c < rank; c++) sum += inverse[c * rank + c];
    return sum;
  }

  /// B, `BᵀB = WA⁻¹Wᵀ`, rank × m; not to be modified.
  double[] dualRoot() {
    return b;
  }

  @Override
  public int size() {
    return m;
  }

  @Override
  public double floor() {
    return kernel.maxVariance() * EPSILON * (64 + Math.sqrt(trace / noise));
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
        64,
        (chunk, from, to) -> {
          for (int p = from; p < to; p++)
            for (int j = 0; j < rank; j++) all[p * rank + j] = points.dot(p, s, j * m);
        });
    return all;
  }

  @Override
  public double variance(int[] index, double[] weight) {
    double[] root = roots(Stencils.single(index, weight));
    return kernel.quadratic(index, weight) - Blas.dot(rank, root, 0, root, 0);
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] between(Stencils a, Stencils c) {
    double[] out = kernel.between(a, c);
    double[] left = roots(a);
    double[] right = a == c ? left : roots(c);
    // one entry at a time: it must not depend on which other rows are asked for
    for (int i = 0; i < a.count(); i++)
      for (int j = 0; j < c.count(); j++)
        out[i * c.count() + j] -= Blas.dot(rank, left, i * rank, right, j * rank);
    return out;
  }

  @Override
  public StencilMatrix stencil() {
    StencilGram gram = new StencilGram(kernel.stencil());
    gram.add(-1, rank, LoveCovariance.transposed(rank, m, s));
    return gram.matrix();
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    kernel.applyBlock(count, v, pv);
    if (rank == 0) return;
    double[] t = new double[count * rank];
    Blas.gemm(false, true, count, rank, m, 1, v, 0, m, s, 0, m, 0, t, 0, rank);
    Blas.gemm(false, false, count, m, rank, -1, t, 0, rank, s, 0, m, 1, pv, 0, m);
  }

  private double[] outside(double[] k) {
    double[] z = new double[rank];
    if (rank > 0) Blas.gemv(false, rank, m, 1, b, 0, m, k, 0, 0, z, 0);
    return z;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double explained(double[] k1, double[] k2) {
    double[] z1 = outside(k1);
    double[] z2 = k1 == k2 ? z1 : outside(k2);
    return Blas.dot(rank, z1, 0, z2, 0);
  }

  @Override
  public double[] cross(double[] k, Stencils inside) {
    double[] z = outside(k);
    double[] roots = roots(inside);
    double[] out = new double[inside.count()];
    for (int p = 0; p < out.length; p++)
      out[p] = inside.dot(p, k, 0) - Blas.dot(rank, z, 0, roots, p * rank);
    return out;
  }

  /// The factorisation is that of a matrix within `ε tr A′` of `A′ + jI`, which moves a variance by
  /// at most so much times `‖x‖²`, `x = (A′ + jI)⁻¹ŴᵀKw`. The jitter j makes it too large by at
  /// most `j(1 + j/σ²)‖x‖²`, since `A′ ⪰ σ²I`. Rounding of G moves it by `(Pw)ᵀδG(Pw)/σ²`.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    for (int p = 0; p < points.count(); p++) {
      points.copy(p, index, weight);
      double[] root = roots(Stencils.single(index, weight));
      double v = kernel.quadratic(index, weight) - Blas.dot(rank, root, 0, root, 0);
      if (rank > 0) factor.solveLowerTransposed(1, root);
      double[] w = new double[m];
      points.scatter(p, 1, w, 0);
      double[] pw = new double[m];
      apply(1, w, pw);
      double width =
          floor()
              + 8 * EPSILON * trace * Blas.dot(rank, root, 0, root, 0)
              + gramRounding.quadratic(pw, 0) / noise;
      double jitter = factor.jitter() * (1 + factor.jitter() / noise);
      lower[p] = Math.max(0, v - width - jitter * Blas.dot(rank, root, 0, root, 0));
      upper[p] = Math.max(v, 0) + width;
    }
  }

  @Override
  public long bytes() {
    return 8L * rank * (2L * m + rank);
  }

  @Override
  public Engine engine() {
    return Engine.DENSE;
  }

  @Override
  public String describe() {
    return "dense, rank " + rank;
  }

  @Override
  public CovarianceRoot root() {
    return new CacheRoot(
        describe(),
        kernel,
        noise,
        rank,
        b,
        s,
        true,
        (count, x) -> Blas.trsm(true, true, count, rank, 1, factor.factor(), 0, rank, x, 0, rank));
  }
}
