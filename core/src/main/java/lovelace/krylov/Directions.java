package lovelace.krylov;

import java.util.Arrays;
import lovelace.inference.LatticeProblem;
import lovelace.inference.RootSpace;
import lovelace.linear.Blas;
import lovelace.linear.Lanczos;
import lovelace.modes.ModeStatistics;
import org.jspecify.annotations.Nullable;

/// Functions on the lattice that carry most of a kernel and are orthonormal under the data, `PᵀGP =
/// I`. They are combinations `P = FT` of the kernel's heaviest Fourier modes. A product with these
/// costs no more than one with K. For kernels without such modes they combine Lanczos vectors from
/// the paper's probe.
///
/// T holds the eigenvectors of `Λ^½HΛ^½`, `H = FᵀGF`, that stand out of the noise. Immutable.
final class Directions {

  static final Directions NONE = new Directions(null, new double[0], 0);

  /// Eigenvalues below this fraction of the noise cost a Krylov method nothing.
  private static final double FAINT = 1e-2;

  /// Eigenvectors of eigenvalues below this fraction of the largest are not orthonormal to working
  /// precision.
  private static final double ROUNDING = 1e-11;

  private final int rank;
  private final @Nullable ModeStatistics modes; // F, unless there are no directions
  private final int width; // columns of F
  private final double[] t; // rank × width

  private Directions(@Nullable ModeStatistics modes, double[] weights, double least) {
    this.modes = modes;
    width = weights.length;
    double[] vectors = modes == null ? new double[0] : modes.gram().clone();
    for (int i = 0; i < width; i++)
      for (int j = 0; j <= i; j++) vectors[i * width + j] *= Math.sqrt(weights[i] * weights[j]);
    double[] values = new double[width];
    Blas.eigen(width, vectors, values);
    double floor = width == 0 ? 0 : Math.max(least, ROUNDING * values[width - 1]);
    int first = 0;
    while (first < width && !(values[first] > floor)) first++;
    rank = width - first;
    t = Arrays.copyOfRange(vectors, first * width, width * width);
    for (int i = 0; i < rank; i++)
      for (int j = 0; j < width; j++) t[i * width + j] *= Math.sqrt(weights[j] / values[first + i]);
  }

  /// At most `most` directions for a problem; none if `most` is 0.
  static Directions of(LatticeProblem problem, RootSpace space, int most) {
    // more directions than the rank of the data are useless
    int bound = Math.min(most, space.size());
    if (bound < 1) return NONE;
    double least = FAINT * problem.noise();
    ModeStatistics modes = heaviest(problem, bound);
    if (modes != null) return new Directions(modes, modes.weights(problem.kernel()), least);
    Lanczos run = new Lanczos(space, problem.probe(space));
    run.run(Math.min(bound, 128));
    if (run.steps() == 0) return NONE;
    double[] weights = new double[run.steps()];
    Arrays.fill(weights, 1);
    ModeStatistics explicit =
        ModeStatistics.ofRows(problem.statistics(), run.steps(), run.lifted());
    return new Directions(explicit, weights, least * least);
  }

  /// The heaviest modes of the kernel: nearly `most`, or all if there are fewer. Null if it has
  /// none.
  private static @Nullable ModeStatistics heaviest(LatticeProblem problem, int most) {
    ModeStatistics best = null;
    double factor;
    for (double tolerance = 0.03; tolerance > 1e-9; tolerance *= factor) {
      ModeStatistics found =
          ModeStatistics.of(problem.statistics(), problem.kernel(), tolerance, most);
      if (found == null) break;
      factor = best != null && found.rank() < 1.2 * best.rank() ? 0.1 : 0.5;
      best = found;
    }
    return best;
  }

  int rank() {
    return rank;
  }

  /// `C ← PᵀU` for `count` lattice vectors. Each gets one row of coefficients.
  void contract(int count, double[] u, double[] c) {
    if (modes == null || rank == 0) return;
    double[] x = new double[count * width];
    modes.analyse(count, u, x);
    Blas.gemm(false, true, count, rank, width, x, t, c);
  }

  /// `U ← PC` for `count` rows of coefficients.
  void expand(int count, double[] c, double[] u) {
    if (modes == null) return;
    double[] x = new double[count * width];
    Blas.gemm(false, false, count, width, rank, c, t, x);
    modes.synthesise(count, x, u);
  }
}
