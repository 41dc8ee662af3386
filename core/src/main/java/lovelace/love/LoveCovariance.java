package lovelace.love;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.StencilGram;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.FactorSpace;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.linear.Blas;
import lovelace.linear.Dense;
import lovelace.linear.Lanczos;
import lovelace.linear.Parallel;
import lovelace.linear.Space;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// The covariance of LOVE (Pleiss et al. 2018, Algorithm 1) in the coordinates of a lattice: `P ≈ K
/// − SᵀS`.
///
/// Lanczos on `A = WᵀKW + σ²I` gives `A⁻¹ ≈ Q T⁻¹ Qᵀ`. With `T = LLᵀ`, L bidiagonal, and `B =
/// L⁻¹QWᵀ` (k × m), the caches are B and `S = BK`. Since `QT⁻¹Qᵀ ⪯ A⁻¹` (Galerkin), LOVE never
/// understates a variance v. The implied solve x has a residual ρ, which bounds the excess: the
/// variance of the interpolated process lies in `[v − ‖ρ‖²/σ² − ρᵀx, v − ρᵀx]`, up to rounding.
/// `ρᵀx` is 0 as long as the Lanczos vectors are orthogonal. [#certify] computes the interval.
public final class LoveCovariance extends LatticeCovariance {

  private final int m;
  private final int rank;
  private final double[] s; // m × rank: row i is column i of S
  private final double[] diagonal; // L[j, j]
  private final double[] below; // L[j, j−1]
  private final double loss;
  private final double shortfall; // how much too small a variance may be, relative to it
  private final @Nullable FactorSpace thin; // the space whose coordinates the vectors use
  private final double[] vectors; // B in these coordinates
  private final Supplier<double[]> embedded;
  private volatile double @Nullable [] b; // rank × m

  private LoveCovariance(
      LatticeProblem problem,
      double[] s,
      double[] diagonal,
      double[] below,
      double loss,
      @Nullable FactorSpace thin,
      double shortfall,
      double[] vectors,
      Supplier<double[]> embedded) {
    super(problem.statistics(), problem.kernel(), problem.noise());
    m = kernel.size();
    rank = diagonal.length;
    this.s = s;
    this.diagonal = diagonal;
    this.below = below;
    this.loss = loss;
    this.thin = thin;
    this.shortfall = shortfall;
    this.vectors = vectors;
    this.embedded = embedded;
  }

  /// Takes over the arrays of the run, which must not be used again.
  static LoveCovariance of(LatticeProblem problem, Lanczos run, Space space) {
    int rank = run.steps();
    double loss = rank == 0 ? 0 : run.orthogonalityLoss();
    double[] diagonal = new double[rank];
    double[] below = new double[rank];
    for (int j = 0; j < rank; j++) {
      if (j > 0) below[j] = run.beta(j - 1) / diagonal[j - 1];
      // the smallest eigenvalue of T is at least σ²; this keeps rounding from making it smaller
      diagonal[j] = Math.sqrt(Math.max(run.alpha(j) - below[j] * below[j], problem.noise()));
    }
    double[] rows = run.lifted();
    whiten(diagonal, below, space.liftedSize(), rows);
    double[] columns = Dense.transposed(rank, space.liftedSize(), rows);
    FactorSpace thin = space instanceof FactorSpace factor ? factor : null;
    double[] vectors = run.images();
    whiten(diagonal, below, space.size(), vectors);
    int m = problem.kernel().size();
    return new LoveCovariance(
        problem,
        thin == null ? columns : thin.root().expandColumns(rank, columns),
        diagonal,
        below,
        loss,
        thin,
        thin == null ? 0 : thin.shortfall(),
        vectors,
        () -> {
          if (!space.euclidean())
            return vectors.length == rank * m ? vectors : Arrays.copyOf(vectors, rank * m);
          double[] b = new double[rank * m];
          space.embed(rank, vectors, b);
          return b;
        });
  }

  /// Puts the caches together from the parts that the accessors return. Takes over the arrays.
  public static LoveCovariance assemble(
      LatticeProblem problem,
      double[] pointCache,
      double[] dataCache,
      double[] diagonal,
      double[] subdiagonal,
      double orthogonalityLoss,
      double shortfall) {
    long size = (long) problem.kernel().size() * diagonal.length;
    if (pointCache.length != size
        || dataCache.length != size
        || subdiagonal.length != diagonal.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "caches of rank %d over %d lattice points hold %d numbers, got %d and %d",
              diagonal.length,
              problem.kernel().size(),
              size,
              pointCache.length,
              dataCache.length));
    return new LoveCovariance(
        problem,
        pointCache,
        diagonal,
        subdiagonal,
        orthogonalityLoss,
        null,
        shortfall,
        new double[0],
        () -> dataCache);
  }

  /// S, lattice points × rank. Not a copy: read only.
  public double[] pointCache() {
    return s;
  }

  /// B, rank × lattice points. Not a copy: read only.
  public double[] dataCache() {
    double[] known = b;
    if (known == null) b = known = embedded.get(); // for points beyond the lattice and certificates
    return known;
  }

  /// The diagonal of L in `T = LLᵀ`. A copy.
  public double[] diagonal() {
    return diagonal.clone();
  }

  /// The entries below the diagonal of L; the first is 0. A copy.
  public double[] subdiagonal() {
    return below.clone();
  }

  /// `X ← L⁻¹X`. All rows have the same length.
  private static void whiten(double[] diagonal, double[] below, int length, double[] x) {
    Parallel.chunks(
        length,
        4096,
        (index, from, to) -> {
          for (int j = 0; j < diagonal.length; j++) {
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

  /// k, the number of Lanczos vectors.
  public int rank() {
    return rank;
  }

  /// How much too small a variance may be, relative to it. The shift of a thin root causes this.
  public double shortfall() {
    return shortfall;
  }

  /// The largest entry of `|QᵀGQ − I|`: how much orthogonality the Lanczos vectors lost to
  /// rounding.
  public double orthogonalityLoss() {
    return loss;
  }

  @Override
  public double floor() {
    return kernel.maxVariance() * (128 * EPSILON + 4 * loss);
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
          for (int p = from; p < to; p++) points.contract(p, rank, s, all, p * rank);
        });
    return all;
  }

  @Override
  public double[] variances(Stencils points) {
    double[] out = kernel.quadratics(points);
    Parallel.chunks(
        out.length,
        256,
        (chunk, from, to) -> {
          double[] root = new double[rank];
          for (int p = from; p < to; p++) {
            Arrays.fill(root, 0);
            points.contract(p, rank, s, root, 0);
            out[p] -= Blas.dot(rank, root, 0, root, 0);
          }
        });
    return out;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] between(Stencils a, Stencils c) {
    double[] out = kernel.between(a, c);
    double[] left = roots(a);
    double[] right = a == c ? left : roots(c);
    // one row at a time, because an entry must not depend on which other rows are asked for
    for (int i = 0; i < a.count(); i++)
      for (int j = 0; j < c.count(); j++)
        out[i * c.count() + j] -= Blas.dot(rank, left, i * rank, right, j * rank);
    return out;
  }

  @Override
  public StencilMatrix stencil() {
    if (!(kernel.lattice() instanceof Grid grid && grid.dimensions() < 4))
      throw new UnsupportedOperationException(
          "only a grid of up to three axes has one stencil matrix");
    StencilGram sum = new StencilGram(kernel.stencil());
    sum.add(-1, rank, s);
    return sum.matrix();
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
    Blas.gemv(false, rank, m, 1, dataCache(), 0, m, k, 0, 0, z, 0);
    return z;
  }

  @Override
  public double outsideFloor(double[] k) {
    return floor();
  }

  /// For the implied solution x let `g = Gx` and `e = K(w − g)`. Then `‖ρ‖² = eᵀGe − 2σ²eᵀg +
  /// σ⁴‖x‖²` and `ρᵀx = eᵀg − σ²‖x‖²`. The variance of the interpolated process lies in `[v −
  /// ‖ρ‖²/σ² − ρᵀx, v − ρᵀx]`. While the Lanczos vectors are orthogonal, `ρᵀx` is zero; up to their
  /// loss `‖x‖ = ‖L⁻ᵀSw‖`. The effect of rounding on a variance, either way, is its effect on K, G
  /// and A, as the variance depends on them: `(w−g)ᵀδK(w−g)`, `eᵀδGe/σ²`, `xᵀδAx`.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    int count = points.count();
    double[] prior = kernel.quadratics(points);
    double[] root = roots(points);
    double[] w = new double[count * m];
    for (int p = 0; p < count; p++) points.scatter(p, 1, w, p * m);
    double[] squares =
        thin == null
            ? new double[0]
            : thin.residuals(count, thin.root().contract(count, w), rank, vectors, root);
    double[] g = new double[count * m];
    Blas.gemm(false, false, count, m, rank, 1, root, 0, rank, dataCache(), 0, m, 0, g, 0, m);
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
    statistics.gram().applyBlock(count, e, w);
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
      // the three terms cancel; the digits lost are added to the bound
      double lost = 16 * EPSILON * (ege + noise * noise * x) + noise * noise * unsure;
      // ρᵀx, which cancels too
      double inner = eg - noise * x;
      double terms = noise * x;
      for (int i = p * m; i < (p + 1) * m; i++) terms += Math.abs(e[i] * g[i]);
      double slack = noise * unsure + 16 * EPSILON * terms;
      // a thin space knows the residual without cancellation
      if (thin != null) squared = squares[p];
      double width = (Math.max(squared, 0) + lost) / noise + Math.max(0, inner + slack);
      double rounding =
          floor()
              + 8 * EPSILON * (kernel.maxVariance() * left[p] * left[p] + norm * norm * x)
              + gramRounding.quadratic(e, p * m) / noise;
      double v = prior[p] - Blas.dot(rank, root, p * rank, root, p * rank);
      lower[p] = Math.max(0, v - width - rounding);
      upper[p] = Math.max(v + Math.max(0, slack - inner), 0) * (1 + shortfall) + rounding;
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

  /// Draws have full rank and exactly this covariance, which approximates that of the posterior as
  /// closely as [#certify] reports.
  @Override
  public PosteriorRoot root() {
    return new LovePosteriorRoot(this, kernel, noise);
  }

  /// Multiplies each of `count` rows by L⁻¹.
  void whitenRows(int count, double[] x) {
    for (int c = 0; c < count; c++)
      for (int j = 0; j < rank; j++) {
        double carry = j > 0 ? below[j] * x[c * rank + j - 1] : 0;
        x[c * rank + j] = (x[c * rank + j] - carry) / diagonal[j];
      }
  }
}
