package lovelace.krylov;

import java.util.Arrays;
import lovelace.inference.RootSpace;
import lovelace.linear.Cholesky;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import lovelace.linear.Space;

/// The Schur complement of `A = VᵀKV + σ²I` on the vectors orthogonal to the orthonormal vectors `U
/// = VᵀP`, with [Directions] P and `G = VVᵀ`:
///
/// ```
/// E = UᵀAU = PᵀGKGP + σ²I        R x = x − U E⁻¹ UᵀA x        S x = (I − UUᵀ) A R x
/// log|A| = log|E| + log|S|        ∂S = Rᵀ ∂A R        A⁻¹b = U E⁻¹ Uᵀb + R S⁻¹ Rᵀb
/// ```
///
/// If U holds the leading directions of A, S is well conditioned, so solves and Lanczos runs are
/// short. S is then also near a multiple of the identity, so random probes have little left to
/// estimate. P does not depend on the parameters, so the split is smooth in them. A step costs two
/// products with K. Without directions it costs one, and S is A.
final class DeflatedSpace implements Space {

  private static final int CHUNK = 32;

  private final RootSpace whole;
  private final LinearOperator gram;
  private final Directions directions;
  private final int rank;
  private final Cholesky block; // of E

  /// Makes a space without directions, in which S is A.
  DeflatedSpace(RootSpace whole) {
    this(whole, whole.kernel(), Directions.NONE);
  }

  DeflatedSpace(RootSpace whole, LinearOperator gram, Directions directions) {
    this.whole = whole;
    this.gram = gram;
    this.directions = directions;
    rank = directions.rank();
    double[] e = new double[rank * rank];
    int m = whole.liftedSize();
    Parallel.chunks(
        rank,
        CHUNK,
        (chunk, from, to) -> {
          int count = to - from;
          double[] unit = new double[count * rank];
          for (int i = 0; i < count; i++) unit[i * rank + from + i] = 1;
          double[] g = weighted(count, unit);
          double[] r = new double[count * m];
          whole.kernel().applyBlock(count, g, r);
          double[] own = contracted(count, r);
          System.arraycopy(own, 0, e, from * rank, own.length);
        });
    for (int i = 0; i < rank; i++) {
      for (int j = 0; j < i; j++) e[i * rank + j] = 0.5 * (e[i * rank + j] + e[j * rank + i]);
      e[i * rank + i] += whole.shift();
    }
    block = Cholesky.adopt(e, rank);
  }

  /// `GPc` for rows c of coefficients.
  private double[] weighted(int count, double[] c) {
    int m = whole.liftedSize();
    double[] u = new double[count * m];
    double[] g = new double[count * m];
    directions.expand(count, c, u);
    gram.applyBlock(count, u, g);
    return g;
  }

  /// `PᵀGr` for lattice vectors r.
  private double[] contracted(int count, double[] r) {
    double[] g = new double[count * whole.liftedSize()];
    gram.applyBlock(count, r, g);
    double[] c = new double[count * rank];
    directions.contract(count, g, c);
    return c;
  }

  int rank() {
    return rank;
  }

  /// `log|E|`.
  double logDeterminant() {
    return rank == 0 ? 0 : block.logDeterminant();
  }

  /// Rows from ≤ i < to of `L⁻¹PᵀG`, where `E = LLᵀ`. `∂ log|E|` is the sum of their quadratic
  /// forms with ∂K, apart from its part in σ².
  double[] whitened(int from, int to) {
    int count = to - from;
    double[] c = new double[rank * count];
    for (int i = 0; i < count; i++) c[(from + i) * count + i] = 1;
    block.solveLowerTransposed(count, c);
    double[] rows = new double[count * rank];
    for (int i = 0; i < count; i++)
      for (int j = 0; j < rank; j++) rows[i * rank + j] = c[j * count + i];
    return weighted(count, rows);
  }

  /// `tr E⁻¹`.
  double inverseTrace() {
    if (rank == 0) return 0;
    double[] inverse = block.inverse();
    double sum = 0;
    for (int i = 0; i < rank; i++) sum += inverse[i * rank + i];
    return sum;
  }

  /// `Uᵀx` for one vector.
  private double[] coordinates(double[] x) {
    double[] u = new double[whole.liftedSize()];
    double[] c = new double[rank];
    whole.embed(1, x, u);
    directions.contract(1, u, c);
    return c;
  }

  /// Adds `scale U c` to a vector.
  private void add(double scale, double[] c, double[] x) {
    double[] u = new double[whole.liftedSize()];
    double[] v = new double[size()];
    directions.expand(1, c, u);
    whole.project(1, u, v);
    for (int i = 0; i < v.length; i++) x[i] += scale * v[i];
  }

  /// Removes the component of a vector along U.
  void deflate(double[] x) {
    if (rank > 0) add(-1, coordinates(x), x);
  }

  /// `E⁻¹UᵀAx` for vectors x orthogonal to U, given `r = KVx`.
  private double[] coefficients(int count, double[] r) {
    double[] c = contracted(count, r);
    for (int i = 0; i < count; i++) {
      double[] own = Arrays.copyOfRange(c, i * rank, (i + 1) * rank);
      block.solve(own);
      System.arraycopy(own, 0, c, i * rank, rank);
    }
    return c;
  }

  /// `Rᵀb = (I − UUᵀ)(b − A U E⁻¹ Uᵀb)`, the right-hand side for S.
  double[] reduced(double[] b) {
    double[] x = b.clone();
    if (rank == 0) return x;
    double[] c = coordinates(b);
    block.solve(c);
    double[] r = new double[liftedSize()];
    whole.kernel().apply(weighted(1, c), r);
    double[] image = new double[size()];
    whole.project(1, r, image);
    for (int i = 0; i < x.length; i++) x[i] -= image[i];
    deflate(x);
    return x;
  }

  /// `A⁻¹b` from `z = S⁻¹Rᵀb`.
  double[] solution(double[] b, double[] z) {
    double[] x = z.clone();
    if (rank == 0) return x;
    double[] r = new double[whole.liftedSize()];
    whole.lift(1, z, r);
    double[] c = coordinates(b);
    block.solve(c);
    double[] e = coefficients(1, r);
    for (int i = 0; i < rank; i++) c[i] -= e[i];
    add(1, c, x);
    return x;
  }

  /// `Σ‖Rx‖²` over vectors orthogonal to U.
  double squares(int count, double[] x) {
    double sum = 0;
    for (int i = 0; i < count * size(); i++) sum += x[i] * x[i];
    if (rank == 0) return sum;
    double[] r = new double[count * whole.liftedSize()];
    whole.lift(count, x, r);
    for (double c : coefficients(count, r)) sum += c * c;
    return sum;
  }

  @Override
  public int size() {
    return whole.size();
  }

  @Override
  public int liftedSize() {
    return whole.liftedSize();
  }

  @Override
  public double shift() {
    return whole.shift();
  }

  @Override
  public boolean euclidean() {
    return true;
  }

  @Override
  public void metric(int count, double[] x, double[] g) {
    System.arraycopy(x, 0, g, 0, count * size());
  }

  @Override
  public void lift(int count, double[] g, double[] r) {
    double[] grid = new double[count * liftedSize()];
    embed(count, g, grid);
    whole.kernel().applyBlock(count, grid, r);
  }

  @Override
  public void project(int count, double[] r, double[] y) {
    if (rank == 0) {
      whole.project(count, r, y);
      return;
    }
    double[] u = new double[count * liftedSize()];
    directions.expand(count, contracted(count, r), u);
    for (int i = 0; i < u.length; i++) u[i] = r[i] - u[i];
    whole.project(count, u, y);
  }

  /// `V R g`.
  @Override
  public void embed(int count, double[] g, double[] grid) {
    whole.embed(count, g, grid);
    if (rank == 0) return;
    double[] r = new double[count * liftedSize()];
    whole.kernel().applyBlock(count, grid, r);
    double[] along = weighted(count, coefficients(count, r));
    for (int i = 0; i < along.length; i++) grid[i] -= along[i];
  }
}
