package lovelace.linear;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.budget.Budget;

/// Lanczos tridiagonalisation of a self-adjoint operator, resumable and with full
/// reorthogonalisation.
///
/// After k steps the rows of Q are orthonormal in the space's inner product and `Q M A Qᵀ = T`,
/// tridiagonal with diagonal α and off-diagonal β (Golub and Van Loan, section 10.1). The lifted
/// rows `R = K V Q` come for free. Each new vector is orthogonalised against all earlier ones, and
/// once more after severe cancellation (Daniel, Gragg, Kaufman and Stewart 1976). When the Krylov
/// space of a probe is exhausted, the run goes on with a new probe, orthogonal to all rows so far,
/// with β = 0 in between. When nothing is left, [#exhausted] is true and T is exact. The cost is
/// one product with M and K per step, and `4 size k²` flops in all.
///
/// Not thread-safe. The arrays that it returns are its own, and valid until the next [#run].
public final class Lanczos {

  private static final double BREAKDOWN = 1e-13;

  private final Space space;
  private final int n;
  private final int m;
  private final SplittableRandom random;
  private int steps;
  private double[] q;
  private double[] g;
  private double[] r;
  private double[] alpha = new double[16];
  private double[] beta = new double[16];
  private final double[] next;
  private final double[] nextImage;
  private double scale;
  private boolean exhausted;

  /// Starts from `probe`, a vector of the space.
  public Lanczos(Space space, double[] probe) {
    this.space = space;
    n = space.size();
    m = space.liftedSize();
    if (probe.length != n)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "probe must have the space's length %d, got %d", n, probe.length));
    random = new SplittableRandom(0x10ce);
    q = new double[0];
    g = space.euclidean() ? q : new double[0];
    r = new double[0];
    next = probe.clone();
    nextImage = new double[n];
    if (!normalise(0)) restart();
  }

  /// Takes up to `count` further steps. Takes fewer only if the space is exhausted.
  public void run(int count) {
    reserve(Math.min(steps + count, Math.max(n, 1)));
    double[] lifted = new double[m];
    double[] u = new double[n];
    double[] c = new double[steps + count + 1];
    for (int s = 0; s < count && !exhausted; s++) {
      Budget.check();
      int j = steps;
      System.arraycopy(next, 0, q, j * n, n);
      if (!space.euclidean()) System.arraycopy(nextImage, 0, g, j * n, n);
      space.lift(1, nextImage, lifted);
      System.arraycopy(lifted, 0, r, j * m, m);
      space.project(1, lifted, u);
      Vectors.axpy(n, space.shift(), next, 0, u, 0);
      double a = Vectors.dot(n, u, 0, nextImage, 0);
      Vectors.axpy(n, -a, next, 0, u, 0);
      if (j > 0 && beta[j - 1] != 0) Vectors.axpy(n, -beta[j - 1], q, (j - 1) * n, u, 0);
      steps = j + 1;
      scale = Math.max(scale, Math.abs(a));
      Vectors.project(steps, n, images(), u, c);
      Vectors.remove(steps, n, q, c, u);
      alpha[j] = a + c[j];
      System.arraycopy(u, 0, next, 0, n);
      double lost = 0;
      for (int i = 0; i < steps; i++) lost += c[i] * c[i];
      if (normalise(lost)) {
        beta[j] = lastNorm;
      } else {
        beta[j] = 0;
        restart();
      }
    }
  }

  private double lastNorm;

  /// Normalises `next`. Orthogonalises again if `lost`, the squared length that the last pass
  /// removed, is not small beside the rest.
  private boolean normalise(double lost) {
    double squared = norm();
    if (lost > 1e-4 * squared && steps > 0) {
      double[] c = new double[steps];
      Vectors.project(steps, n, images(), next, c);
      Vectors.remove(steps, n, q, c, next);
      squared = norm();
    }
    lastNorm = Math.sqrt(Math.max(squared, 0));
    if (!(lastNorm > BREAKDOWN * scale)) return false;
    double s = 1 / lastNorm;
    for (int i = 0; i < n; i++) {
      next[i] *= s;
      nextImage[i] *= s;
    }
    return true;
  }

  private double norm() {
    space.metric(1, next, nextImage);
    return Vectors.dot(n, next, 0, nextImage, 0);
  }

  /// Draws a random probe orthogonal to all rows. Gives up if three in a row add nothing new.
  private void restart() {
    double[] c = new double[steps];
    for (int attempt = 0; attempt < 3 && steps < n; attempt++) {
      for (int i = 0; i < n; i++) next[i] = random.nextDouble() - 0.5;
      double before = norm();
      for (int pass = 0; pass < 3; pass++) {
        Vectors.project(steps, n, images(), next, c);
        Vectors.remove(steps, n, q, c, next);
      }
      double after = norm();
      if (after > 1e-16 * before && after > 0) {
        double s = 1 / Math.sqrt(after);
        for (int i = 0; i < n; i++) {
          next[i] *= s;
          nextImage[i] *= s;
        }
        return;
      }
    }
    exhausted = true;
  }

  /// The number of vectors to make room for when `now` are too few. It doubles the room, up to
  /// `most` and to what an array can hold, but never returns less than `rows`.
  static int capacity(int rows, int now, int most, int length) {
    int fit = (Integer.MAX_VALUE - 8) / Math.max(1, length);
    return (int) Math.max(rows, Math.min(Math.min(2L * now, fit), Math.max(most, 1)));
  }

  private void reserve(int rows) {
    if (alpha.length < rows) {
      int capacity = capacity(rows, alpha.length, n, Math.max(n, m));
      alpha = Arrays.copyOf(alpha, capacity);
      beta = Arrays.copyOf(beta, capacity);
    }
    Budget.numbers(
        alpha.length, Math.max(n, m), "a run of Lanczos", "use a looser tolerance, a smaller grid");
    if (q.length < alpha.length * n || r.length < alpha.length * m)
      Budget.require(
          8L * alpha.length * ((space.euclidean() ? n : 2L * n) + m),
          String.format(
              Locale.ROOT, "%,d Lanczos vectors of length %,d", alpha.length, Math.max(n, m)),
          "use a looser tolerance, a smaller grid,");
    if (q.length < alpha.length * n) {
      q = Arrays.copyOf(q, alpha.length * n);
      g = space.euclidean() ? q : Arrays.copyOf(g, alpha.length * n);
    }
    if (r.length < alpha.length * m) r = Arrays.copyOf(r, alpha.length * m);
  }

  /// The number of steps taken, the rank of the projection.
  public int steps() {
    return steps;
  }

  /// Whether the rows span everything that can be reached. T then represents A exactly.
  public boolean exhausted() {
    return exhausted;
  }

  /// Row j of Q occupies `[j·size, (j+1)·size)`.
  public double[] basis() {
    return q;
  }

  /// `M Q`, laid out as [#basis]; the same array where the inner product is Euclid's.
  public double[] images() {
    return g;
  }

  /// `R = K V Q`, row j at `[j·liftedSize, (j+1)·liftedSize)`: the paper's R.
  public double[] lifted() {
    return r;
  }

  /// `T[j, j]`.
  public double alpha(int j) {
    return alpha[j];
  }

  /// `T[j, j+1]`. At the last step this is the norm of the remainder.
  public double beta(int j) {
    return beta[j];
  }

  /// The largest entry of `|Q M Qᵀ − I|`: how much orthogonality was lost to rounding.
  public double orthogonalityLoss() {
    double[] gram = new double[steps * steps];
    Blas.gemm(false, true, steps, steps, n, 1, q, 0, n, images(), 0, n, 0, gram, 0, steps);
    double worst = 0;
    for (int i = 0; i < steps; i++)
      for (int j = 0; j < steps; j++)
        worst = Math.max(worst, Math.abs(gram[i * steps + j] - (i == j ? 1 : 0)));
    return worst;
  }
}
