package lovelace.modes;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.inference.LatticeProblem;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.ModeProducts;
import lovelace.latticekernel.StationaryPart;
import lovelace.latticekernel.ThinKernelRoot;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// The heaviest eigenvectors of a separable kernel on a grid of two or three axes. `K = k(0) R₁ ⊗ …
/// ⊗ R_d` with `R_a = V_a diag(λ_a) V_aᵀ` has the eigenvectors `V₁ ⊗ … ⊗ V_d`. No other vectors
/// represent K with so few. The spectral engine computes with them as with any modes. But they move
/// with the kernel's parameters, which adds to the slopes of a likelihood ([#pullBack]).
///
/// The error of `log p` is of the order of `n` times the mean variance at a grid point of the
/// eigenvectors left out, as a share of σ².
public final class EigenModes {

  /// The largest number of eigenvectors kept.
  public static final int MOST = 3000;

  private static final int LONGEST = 400;
  private static final int WIDEST = 4000; // eigenvectors before any are left out

  private final LatticeProblem problem;
  private final StationaryPart part;
  private final ThinKernelRoot vectors; // the first columns of V_a, heaviest first
  private final double[][] values; // of each axis, the same number
  private final int[] kept; // positions in the product of these
  private final double[] eigenvalues;

  private EigenModes(
      LatticeProblem problem,
      StationaryPart part,
      ThinKernelRoot vectors,
      double[][] values,
      int[] kept,
      double[] eigenvalues) {
    this.problem = problem;
    this.part = part;
    this.vectors = vectors;
    this.values = values;
    this.kept = kept;
    this.eigenvalues = eigenvalues;
  }

  /// Whether the problem has the right form.
  public static boolean applies(LatticeProblem problem) {
    if (!(problem.statistics().lattice() instanceof Grid grid)
        || !(problem.statistics().gram() instanceof StencilMatrix)
        || grid.dimensions() < 2
        || grid.dimensions() > 3) return false;
    for (int a = 0; a < grid.dimensions(); a++) if (grid.axis(a).points() > LONGEST) return false;
    LatticeKernel.Block block = problem.kernel().blocks().getFirst();
    return block.parts().size() == 1
        && block.parts().getFirst() instanceof StationaryPart part
        && part.isSeparable();
  }

  /// The modes of a problem that [#applies], or null if there would be more than `most`.
  /// Eigenvalues are left out whose sum, divided by the number of grid points, is at most
  /// `tolerance` σ².
  public static @Nullable EigenModes of(LatticeProblem problem, double tolerance, int most) {
    Grid grid = (Grid) problem.statistics().lattice();
    int d = grid.dimensions();
    StationaryPart part = (StationaryPart) problem.kernel().blocks().getFirst().parts().getFirst();
    int[] points = new int[d];
    double[][] rows = new double[d][]; // row i of V_aᵀ: the i-th heaviest
    double[][] values = new double[d][];
    double[] products = {part.variance()};
    for (int a = 0; a < d; a++) {
      points[a] = grid.axis(a).points();
      values[a] = new double[points[a]];
      rows[a] = eigenvectors(part.factor(a), values[a]);
      double[] next = new double[products.length * points[a]];
      for (int i = 0; i < products.length; i++)
        for (int j = 0; j < points[a]; j++)
          next[i * points[a] + j] = products[i] * Math.max(0, values[a][j]);
      products = next;
    }
    double floor = floor(products, tolerance * problem.noise() * grid.size());
    int[] ranks = new int[d];
    int count = 0;
    for (int i = 0; i < products.length; i++) {
      if (!(products[i] > floor)) continue;
      count++;
      for (int a = d - 1, rest = i; a >= 0; rest /= points[a--])
        ranks[a] = Math.max(ranks[a], rest % points[a] + 1);
    }
    long wide = 1;
    for (int r : ranks) wide *= r;
    if (count == 0 || count > Math.min(most, MOST) || (d == 2 && wide > WIDEST)) return null;
    double[][] factors = new double[d][];
    for (int a = 0; a < d; a++) {
      factors[a] = new double[points[a] * ranks[a]];
      for (int i = 0; i < points[a]; i++)
        for (int j = 0; j < ranks[a]; j++)
          factors[a][i * ranks[a] + j] = rows[a][j * points[a] + i];
    }
    int[] kept = new int[count];
    double[] eigenvalues = new double[count];
    int next = 0;
    for (int i = 0; i < products.length; i++) {
      if (!(products[i] > floor)) continue;
      int at = 0;
      for (int a = 0, stride = products.length, rest = i; a < d; a++) {
        stride /= points[a];
        at = at * ranks[a] + rest / stride;
        rest %= stride;
      }
      kept[next] = at;
      eigenvalues[next++] = products[i];
    }
    return new EigenModes(
        problem, part, ThinKernelRoot.of(points, ranks, factors), values, kept, eigenvalues);
  }

  /// Returns the eigenvectors of a symmetric Toeplitz matrix as rows, heaviest first.
  private static double[] eigenvectors(double[] first, double[] values) {
    int n = first.length;
    double[] a = new double[n * n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = first[Math.abs(i - j)];
    double[] ascending = new double[n];
    Blas.eigen(n, a, ascending);
    double[] rows = new double[n * n];
    for (int i = 0; i < n; i++) {
      values[i] = ascending[n - 1 - i];
      System.arraycopy(a, (n - 1 - i) * n, rows, i * n, n);
    }
    return rows;
  }

  /// The largest product that may be left out together with all smaller ones.
  private static double floor(double[] products, double budget) {
    double[] sorted = products.clone();
    Arrays.sort(sorted);
    double sum = 0;
    double floor = 0;
    for (double p : sorted) {
      sum += p;
      if (sum > budget) break;
      floor = p;
    }
    return floor;
  }

  public int rank() {
    return kept.length;
  }

  double[] eigenvalues() {
    return eigenvalues;
  }

  ModeProducts products() {
    return new ModeProducts(vectors, kept);
  }

  /// The statistics of the data in these modes.
  public ModeStatistics modes() {
    return ModeStatistics.of(problem.statistics(), this);
  }

  /// Adds `½ αᵀWᵀ∂KWα − ½ tr(WA⁻¹Wᵀ∂K)` to g, given `dual = Wα` and `inverse = M⁻¹`, `M = I +
  /// Λ^½HΛ^½/σ²`. With U the eigenvectors,
  ///
  /// ```
  /// tr(WA⁻¹Wᵀ ∂K) = tr((I − M⁻¹) Λ^−½ Uᵀ∂KU Λ^−½)
  /// ```
  ///
  /// is a sum over pairs of eigenvectors that differ along one axis only, since `∂K = ∂k(0) R +
  /// k(0) Σ_a R₁ ⊗ … ∂R_a … ⊗ R_d`.
  void pullBack(double[] dual, double[] inverse, double[] g) {
    problem.kernel().gradient(1, dual, dual, 0.5, g);
    double variance = part.variance();
    int r = kept.length;
    double atZero = r; // the factor of ∂k(0)
    for (int i = 0; i < r; i++) atZero -= inverse[i * r + i];
    for (int a = 0; a < values.length; a++) {
      double[] weights = onAxis(a, inverse);
      double[] rho = part.factor(a);
      atZero -= Blas.dot(rho.length, weights, 0, rho, 0);
      for (int i = 0; i < weights.length; i++) weights[i] *= -0.5 / variance;
      part.gradient(a, weights, g);
    }
    double[] first = new double[part.factor(0).length];
    first[0] = -0.5 * atZero / variance;
    part.gradient(0, first, g);
  }

  /// The factors of ∂ρ at 0, 1, … steps along an axis.
  private double[] onAxis(int axis, double[] inverse) {
    int r = kept.length;
    int q = vectors.rank(axis);
    int stride = 1;
    for (int a = values.length - 1; a > axis; a--) stride *= vectors.rank(a);
    double[] y = new double[q * q];
    // pairs that share all other positions lie in one line of the product
    int[] place = new int[vectors.rank()];
    Arrays.fill(place, -1);
    for (int i = 0; i < r; i++) place[kept[i]] = i;
    for (int i = 0; i < r; i++) {
      int own = kept[i] / stride % q;
      int start = kept[i] - own * stride;
      for (int other = 0; other < q; other++) {
        int j = place[start + other * stride];
        if (j < 0) continue;
        y[own * q + other] += (i == j ? 1 : 0) - inverse[i * r + j];
      }
    }
    for (int i = 0; i < q; i++)
      for (int j = 0; j < q; j++) y[i * q + j] /= Math.sqrt(values[axis][i] * values[axis][j]);
    double[] v = vectors.factor(axis);
    int points = v.length / q;
    double[] vy = new double[points * q];
    Blas.gemm(false, false, points, q, q, v, y, vy);
    double[] full = new double[points * points];
    Blas.gemm(false, true, points, points, q, vy, v, full);
    double[] sums = new double[points];
    for (int i = 0; i < points; i++)
      for (int j = 0; j < points; j++) sums[Math.abs(i - j)] += full[i * points + j];
    return sums;
  }
}
