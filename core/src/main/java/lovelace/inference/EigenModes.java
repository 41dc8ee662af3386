package lovelace.inference;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.GridKernel;
import lovelace.grid.StationaryPart;
import lovelace.grid.StencilMatrix;
import lovelace.grid.ThinRoot;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The heaviest eigenvectors of a separable kernel on a grid of two or three axes, and the
/// likelihood by them. `K = k(0) R₁ ⊗ … ⊗ R_d` with `R_a = V_a diag(λ_a) V_aᵀ` has the eigenvectors
/// `V₁ ⊗ … ⊗ V_d`; no others carry K with so few.
///
/// With U the ones kept, Λ their eigenvalues, `H = UᵀGU`, `M = I + Λ^½HΛ^½/σ²`, `c = UᵀW(y − μ)`:
///
/// ```
/// −2 log p = ((y−μ)ᵀ(y−μ) − cᵀΛ^½M⁻¹Λ^½c/σ²)/σ² + n log σ² + log|M| + n log 2π
/// tr(WA⁻¹Wᵀ ∂K) = tr((I − M⁻¹) Λ^−½ Uᵀ∂KU Λ^−½)
/// ```
///
/// The last is a sum over pairs of eigenvectors that differ along one axis only, since `∂K = ∂k(0)
/// R
/// + k(0) Σ_a R₁ ⊗ … ∂R_a … ⊗ R_d`. What is left out of `log p` is of the order of `n` times the
///   share of σ² that the eigenvalues left out have at a grid point.
final class EigenModes {

  /// The most eigenvectors kept.
  static final int MOST = 3000;

  private static final int LONGEST = 400;
  private static final int WIDEST = 4000; // eigenvectors before any is left out
  private static final int BATCH = 32;

  private final GridSystem system;
  private final double tolerance;
  private final StationaryPart part;
  private final ThinRoot vectors; // the first columns of V_a, heaviest first
  private final double[][] values; // of each axis, as many
  private final int[] kept; // places in the product of these
  private final double[] weight; // Λ^½

  private EigenModes(
      GridSystem system,
      double tolerance,
      StationaryPart part,
      ThinRoot vectors,
      double[][] values,
      int[] kept,
      double[] weight) {
    this.system = system;
    this.tolerance = tolerance;
    this.part = part;
    this.vectors = vectors;
    this.values = values;
    this.kept = kept;
    this.weight = weight;
  }

  /// Whether the system is of the right form.
  static boolean applies(GridSystem system) {
    if (!(system.statistics().lattice() instanceof Grid grid)
        || !(system.statistics().gram() instanceof StencilMatrix)
        || grid.dimensions() < 2
        || grid.dimensions() > 3) return false;
    for (int a = 0; a < grid.dimensions(); a++) if (grid.axis(a).points() > LONGEST) return false;
    GridKernel.Block block = system.kernel().blocks().getFirst();
    return block.parts().size() == 1
        && block.parts().getFirst() instanceof StationaryPart part
        && part.isSeparable();
  }

  /// The modes of a system that [#applies], or null if there would be more than `most`. Left out
  /// are eigenvalues of a mean, over the grid's points, of at most `tolerance` σ².
  static @Nullable EigenModes of(GridSystem system, double tolerance, int most) {
    Grid grid = (Grid) system.statistics().lattice();
    int d = grid.dimensions();
    StationaryPart part = (StationaryPart) system.kernel().blocks().getFirst().parts().getFirst();
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
    double floor = floor(products, tolerance * system.noise() * grid.size());
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
    double[] weight = new double[count];
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
      weight[next++] = Math.sqrt(products[i]);
    }
    return new EigenModes(
        system, tolerance, part, ThinRoot.of(points, ranks, factors), values, kept, weight);
  }

  /// The eigenvectors of a symmetric Toeplitz matrix as rows, heaviest first.
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

  /// The largest product that may be left out with all that are smaller.
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

  int rank() {
    return kept.length;
  }

  /// Whether these are the modes of the same hyperparameters to the same tolerance.
  boolean carries(Hyperparameters h, double tolerance) {
    return this.tolerance == tolerance
        && system.hyperparameters().kernel().equals(h.kernel())
        && system.noise() == h.noise() + h.kernel().whiteVariance();
  }

  /// The data seen through these modes.
  SpectralSystem modes() {
    int d = values.length;
    double[][] factors = new double[d][];
    for (int a = 0; a < d; a++) factors[a] = vectors.factor(a);
    int[] selected = new int[d * kept.length];
    double[] eigenvalues = new double[kept.length];
    for (int j = 0; j < kept.length; j++) {
      eigenvalues[j] = weight[j] * weight[j];
      for (int a = d - 1, rest = kept[j]; a >= 0; rest /= vectors.rank(a--))
        selected[j * d + a] = rest % vectors.rank(a);
    }
    Grid grid = (Grid) system.statistics().lattice();
    return SpectralSystem.own(
        system.statistics(),
        system.kernel(),
        new ModeProducts(grid, factors, selected),
        eigenvalues);
  }

  /// `H = UᵀGU`.
  private double[] gram() {
    StencilMatrix gram = (StencilMatrix) system.statistics().gram();
    int r = kept.length;
    if (SpectralSystem.isFew(system.statistics(), r))
      return SpectralSystem.ofObservations(system.statistics(), r, this::analyse);
    double[] h = new double[r * r];
    if (gram.grid().dimensions() == 2) {
      double[] all = FactorSpace.contracted(vectors, gram);
      int wide = vectors.rank();
      for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) h[i * r + j] = all[kept[i] * wide + kept[j]];
      return h;
    }
    int m = gram.grid().size();
    int wide = vectors.rank();
    Parallel.chunks(
        r,
        BATCH,
        (chunk, from, to) -> {
          int count = to - from;
          double[] unit = new double[count * wide];
          for (int j = 0; j < count; j++) unit[j * wide + kept[from + j]] = 1;
          double[] image = new double[count * m];
          gram.applyBlock(count, vectors.expand(count, unit), image);
          double[] rows = new double[count * r];
          analyse(count, image, rows);
          System.arraycopy(rows, 0, h, from * r, rows.length);
        });
    return SpectralSystem.symmetric(r, h);
  }

  /// `x ← Uᵀv` for `count` lattice vectors.
  private void analyse(int count, double[] v, double[] x) {
    int r = kept.length;
    int wide = vectors.rank();
    double[] all = vectors.contract(count, v);
    for (int c = 0; c < count; c++)
      for (int i = 0; i < r; i++) x[c * r + i] = all[c * wide + kept[i]];
  }

  Evidence evidence() {
    int r = kept.length;
    double noise = system.noise();
    double n = system.statistics().count();
    double[] matrix = gram();
    for (int i = 0; i < r; i++) {
      for (int j = 0; j < r; j++) matrix[i * r + j] *= weight[i] * weight[j] / noise;
      matrix[i * r + i] += 1;
    }
    Cholesky factor = Cholesky.adopt(matrix, r);
    if (factor.jitter() > 0) return Evidence.impossible(system.hyperparameters());
    double[] b = system.projected();
    double[] wide = vectors.contract(1, b);
    double[] x = new double[r];
    for (int i = 0; i < r; i++) x[i] = weight[i] * wide[kept[i]] / noise;
    double[] c = x.clone();
    factor.solve(x);
    double explained = Blas.dot(r, c, 0, x, 0); // cᵀΛ^½M⁻¹Λ^½c/σ⁴
    double value =
        -0.5 * (system.squares() / noise - explained)
            - 0.5 * (n * Math.log(noise) + factor.logDeterminant())
            - 0.5 * n * Math.log(2 * Math.PI)
            + 0.5 * system.statistics().logWeights();
    Arrays.fill(wide, 0);
    for (int i = 0; i < r; i++) wide[kept[i]] = weight[i] * x[i];
    double[] mean = vectors.expand(1, wide);
    int m = mean.length;
    double[] fitted = new double[m];
    system.statistics().gram().apply(mean, fitted);
    double[] dual = new double[m];
    for (int i = 0; i < m; i++) dual[i] = (b[i] - fitted[i]) / noise;
    double residual =
        system.squares()
            - 2 * Blas.dot(m, b, 0, mean, 0)
            + Blas.dot(m, fitted, 0, mean, 0); // (y − Wᵀf)ᵀ(y − Wᵀf)
    double[] inverse = factor.inverse();
    double trace = r;
    for (int i = 0; i < r; i++) trace -= inverse[i * r + i];
    double slope = 0.5 * (residual / (noise * noise) - (n - trace) / noise);
    double[] g = new double[system.kernel().kernel().parameterCount()];
    system.kernel().gradient(1, dual, dual, 0.5, g);
    addTrace(inverse, trace, g);
    return new Evidence(value, Evidence.gradient(system, g, slope, dual), 0);
  }

  /// Adds `−½ tr(WA⁻¹Wᵀ ∂K)`.
  private void addTrace(double[] inverse, double trace, double[] g) {
    int d = values.length;
    double variance = part.variance();
    double atZero = trace;
    for (int a = 0; a < d; a++) {
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

  /// What multiplies ∂ρ at 0, 1, … steps along an axis.
  private double[] onAxis(int axis, double[] inverse) {
    int r = kept.length;
    int q = vectors.rank(axis);
    int stride = 1;
    for (int a = values.length - 1; a > axis; a--) stride *= vectors.rank(a);
    double[] y = new double[q * q];
    // pairs that share all other places lie in one line of the product
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
    Blas.gemm(false, false, points, q, q, 1, v, 0, q, y, 0, q, 0, vy, 0, q);
    double[] full = new double[points * points];
    Blas.gemm(false, true, points, points, q, 1, vy, 0, q, v, 0, q, 0, full, 0, points);
    double[] sums = new double[points];
    for (int i = 0; i < points; i++)
      for (int j = 0; j < points; j++) sums[Math.abs(i - j)] += full[i * points + j];
    return sums;
  }
}
