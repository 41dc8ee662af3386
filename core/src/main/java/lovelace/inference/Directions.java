package lovelace.inference;

import java.util.Arrays;
import lovelace.krylov.Lanczos;
import lovelace.linear.Blas;
import lovelace.linear.LinearOperator;
import org.jspecify.annotations.Nullable;

/// Functions on the lattice that carry most of a kernel and are orthonormal under the data, `PᵀGP =
/// I`: combinations `P = FT` of the kernel's heaviest Fourier modes, products with which cost no
/// more than those with K; for kernels that have no such modes, of Lanczos vectors from the paper's
/// probe.
///
/// T holds the eigenvectors of `Λ^½HΛ^½`, `H = FᵀGF`, that stand out of the noise. Immutable.
final class Directions {

  static final Directions NONE =
      new Directions(0, null, new double[0], new double[0], new double[0], 0);

  /// Eigenvalues below this part of the noise cost a Krylov method nothing.
  private static final double FAINT = 1e-2;

  /// Eigenvalues below this part of the largest are not orthonormal to working precision.
  private static final double ROUNDING = 1e-11;

  private final int rank;
  private final int size;
  private final @Nullable SpectralSystem modes;
  private final double[] rows; // of F, where it is explicit
  private final int width; // columns of F
  private final double[] t; // rank × width

  private Directions(
      int size,
      @Nullable SpectralSystem modes,
      double[] rows,
      double[] gram,
      double[] weights,
      double least) {
    this.size = size;
    this.modes = modes;
    this.rows = rows;
    width = weights.length;
    double[] vectors = new double[width * width];
    for (int i = 0; i < width; i++)
      for (int j = 0; j <= i; j++)
        vectors[i * width + j] = gram[i * width + j] * Math.sqrt(weights[i] * weights[j]);
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

  /// At most `most` directions for a system; none where `most` is 0.
  static Directions of(GridSystem system, RootSpace space, int most) {
    int m = system.kernel().size();
    LinearOperator gram = system.statistics().gram();
    // what is left of the data's own rank is not worth more directions than that
    int bound = Math.min(most, space.size());
    if (bound < 1) return NONE;
    SpectralSystem modes = heaviest(system, bound);
    if (modes != null)
      return new Directions(
          m,
          modes,
          new double[0],
          modes.gram(),
          modes.weights(system.kernel()),
          FAINT * system.noise());
    Lanczos run = new Lanczos(space, system.probe(space));
    run.run(Math.min(bound, 128));
    int k = run.steps();
    double[] rows = Arrays.copyOf(run.lifted(), k * m);
    double[] image = new double[k * m];
    gram.applyBlock(k, rows, image);
    double[] h = new double[k * k];
    Blas.gemm(false, true, k, k, m, 1, rows, 0, m, image, 0, m, 0, h, 0, k);
    double[] weights = new double[k];
    Arrays.fill(weights, 1);
    double least = FAINT * system.noise();
    return new Directions(m, null, rows, h, weights, least * least);
  }

  /// The heaviest modes of the kernel, nearly as many as allowed unless all of them are fewer; null
  /// where it has none.
  private static @Nullable SpectralSystem heaviest(GridSystem system, int most) {
    SpectralSystem best = null;
    double factor;
    for (double tolerance = 0.03; tolerance > 1e-9; tolerance *= factor) {
      SpectralSystem found =
          SpectralSystem.of(system.statistics(), system.kernel(), tolerance, most);
      if (found == null) break;
      factor = best != null && found.rank() < 1.2 * best.rank() ? 0.1 : 0.5;
      best = found;
    }
    return best;
  }

  int rank() {
    return rank;
  }

  /// `C ← PᵀU` for `count` lattice vectors, one row of coefficients each.
  void contract(int count, double[] u, double[] c) {
    if (rank == 0) return;
    double[] x = new double[count * width];
    if (modes != null) modes.analyse(count, u, x);
    else Blas.gemm(false, true, count, width, size, 1, u, 0, size, rows, 0, size, 0, x, 0, width);
    Blas.gemm(false, true, count, rank, width, 1, x, 0, width, t, 0, width, 0, c, 0, rank);
  }

  /// `U ← PC` for `count` rows of coefficients.
  void expand(int count, double[] c, double[] u) {
    double[] x = new double[count * width];
    Blas.gemm(false, false, count, width, rank, 1, c, 0, rank, t, 0, width, 0, x, 0, width);
    if (modes != null) modes.synthesise(count, x, u);
    else Blas.gemm(false, false, count, size, width, 1, x, 0, width, rows, 0, size, 0, u, 0, size);
  }
}
