package lovelace.sparse;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.PosteriorRoot;
import lovelace.linear.Blas;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// The posterior covariance of the sparse engine: `P = Λ⁻¹` by its factor, 0 at pinned nodes.
/// Conjugate gradients check at some places how far it is from that of the true kernel. The
/// smallest eigenvalue in that bound is an estimate, so nothing is certified. Immutable.
public final class SparseCovariance extends LatticeCovariance {

  /// The relative accuracy with which a check computes the true variance.
  private static final double CLOSE = 5e-4;

  /// At a place with at most this share of the prior variance, the variance comes only from the
  /// rounding of a pinned node's place.
  private static final double KNOWN = 1e-12;

  private final Conditioned sparse;
  private final TrueKernel exact;
  private volatile @Nullable StencilMatrix entries;

  SparseCovariance(Conditioned sparse, TrueKernel exact) {
    super(sparse.problem.statistics(), sparse.problem.kernel(), sparse.problem.noise());
    this.sparse = sparse;
    this.exact = exact;
  }

  TrueKernel exact() {
    return exact;
  }

  /// The number of nodes that each node is regressed on.
  public int neighbours() {
    return sparse.frame.neighbours;
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    sparse.covariance(count, v, pv);
  }

  @Override
  public StencilMatrix stencil() {
    StencilMatrix known = entries;
    if (known == null) entries = known = sparse.stencil();
    return known;
  }

  @Override
  public double[] variances(Stencils points) {
    StencilMatrix p = stencil();
    double[] out = new double[points.count()];
    for (int i = 0; i < out.length; i++) {
      double sum = 0;
      for (int a = 0; a < points.width(); a++) {
        double weight = points.weight(i, a);
        if (weight == 0) continue;
        for (int b = 0; b < a; b++)
          sum += 2 * weight * points.weight(i, b) * p.entry(points.index(i, a), points.index(i, b));
        sum += weight * weight * p.entry(points.index(i, a), points.index(i, a));
      }
      out[i] = sum;
    }
    return out;
  }

  @Override
  protected double[] panel(Stencils sums, int from, int count) {
    int m = size();
    double[] v =
        new double[Budget.numbers(PANEL, m, "a panel of the lattice", "use fewer grid points")];
    for (int c = 0; c < count; c++) sums.scatter(from + c, 1, v, c * m);
    return sparse.quadratics(PANEL, v);
  }

  /// 0 if nodes are pinned, because their variance is 0.
  @Override
  public double floor() {
    return sparse.pinned()
        ? 0
        : 16 * EPSILON * kernel.kernel().variance(new double[dimensions()], 0);
  }

  private int dimensions() {
    return statistics.lattice().dimensions();
  }

  @Override
  public double explained(double[] k1, double[] k2) {
    if (!sparse.pinned()) return super.explained(k1, k2);
    double[] x = extended(k2);
    double[] q = new double[x.length];
    sparse.prior(1, x, q);
    return Blas.dot(x.length, extended(k1), 0, q, 0);
  }

  /// Values at pinned nodes, and their kriging elsewhere.
  private double[] extended(double[] k) {
    double[] x = k.clone();
    sparse.krige(1, x);
    return x;
  }

  @Override
  public double outsideFloor(double[] k) {
    if (!sparse.pinned()) return super.outsideFloor(k);
    return 64 * EPSILON * kernel.kernel().variance(new double[dimensions()], 0);
  }

  @Override
  public double[] cross(double[] k, Stencils inside) {
    if (!sparse.pinned()) return super.cross(k, inside);
    double[] x = extended(k);
    double[] out = new double[inside.count()];
    for (int p = 0; p < out.length; p++) out[p] = inside.dot(p, k, 0) - inside.dot(p, x, 0);
    return out;
  }

  /// Intervals that contain both the stated variance and that of the true kernel.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    int m = size();
    int count = points.count();
    double[] w = new double[Budget.numbers(count, m, "a check of variances", "use fewer points")];
    for (int p = 0; p < count; p++) points.scatter(p, 1, w, p * m);
    double[] own = variances(points);
    double[] enough = new double[count];
    for (int p = 0; p < count; p++) enough[p] = CLOSE * own[p];
    exact.bounds(count, w, enough, lower, upper);
    double prior = kernel.kernel().variance(new double[dimensions()], 0);
    for (int p = 0; p < count; p++) {
      boolean known = sparse.pinned() && own[p] <= KNOWN * prior;
      lower[p] = known ? 0 : Math.min(lower[p], own[p]);
      upper[p] = known ? 0 : Math.max(upper[p], own[p]);
    }
  }

  /// True if all rows lie on nodes. Otherwise the process is the interpolated one.
  @Override
  public boolean kriges() {
    return sparse.nodes() != null;
  }

  @Override
  public boolean certifies() {
    return false;
  }

  @Override
  public PosteriorRoot root() {
    int free = sparse.frame.fronts.order().size();
    return new PosteriorRoot() {
      @Override
      public int size() {
        return sparse.size();
      }

      @Override
      public int normals() {
        return free;
      }

      @Override
      public void apply(int count, double[] xi, double[] u) {
        double[] b = new double[count * free];
        for (int c = 0; c < count; c++)
          for (int i = 0; i < free; i++) b[i * count + c] = xi[c * free + i];
        sparse.factor.solveLowerTransposed(count, b);
        java.util.Arrays.fill(u, 0, count * sparse.size(), 0);
        sparse.scatter(count, b, 1, u);
      }

      @Override
      public String describe() {
        return SparseCovariance.this.describe();
      }
    };
  }

  @Override
  public long bytes() {
    return 8 * sparse.frame.fronts.numbers() + 8L * sparse.frame.padded.entries();
  }

  @Override
  public Engine engine() {
    return Engine.SPARSE;
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "sparse, %d neighbours%s",
        neighbours(),
        sparse.pinned() ? ", observed nodes pinned" : "");
  }
}
