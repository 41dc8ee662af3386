package lovelace.chain;

import java.util.Arrays;
import lovelace.linear.Orthogonal;
import lovelace.markov.MaternStep;

/// One step `x′ = Φx + Γu` of a chain under its posterior, by square roots.
///
/// The information of the observations at x′ and beyond about x′ is `exp(−½|Yᵀx′ − z|²)`, up to a
/// factor. With `u ~ N(0, I)`, an orthogonal Θ turns it into information about x and about u (the
/// array algorithms of Kailath, Sayed and Hassibi 2000, chapter 12, run backwards):
///
///     [ I  ΓᵀY ]        [ R   0   0 ]
///     [ 0  ΦᵀY ] Θ  =   [ B   Y′  0 ]        u ~ N(κ − M x, (RRᵀ)⁻¹),  M = R⁻ᵀBᵀ,  κ = R⁻ᵀz₁
///     [ 0   zᵀ ]        [ z₁ᵀ z′ᵀ e ]        and a factor exp(−½e²)/|R|
///
/// There are only orthogonal transformations and sums of squares: no differences of covariances,
/// and no inverse of a kernel matrix. The information about a state is packed: the lower triangle
/// of Y row by row, then z.
///
/// A workspace for one thread.
final class Link {

  final int d;

  /// κ − M m, where m is the mean before the step; set by [#mean].
  final double[] push;

  /// `[−MX, R⁻ᵀ]`, d × 2d: the effect of X and of fresh noise on u; set by [#root].
  final double[] shocks;

  /// `[(Φ − ΓM)X, ΓR⁻ᵀ]`, d × 2d, a root of the covariance of x′; set by [#root].
  final double[] spread;

  private final int width;
  private final double[] array;
  private final double[] gain; // M
  private final double[] drive; // κ
  private final double[] inverse; // R⁻ᵀ
  private final double[] scratch;
  private final double[] column;
  private double[] transition;
  private double[] innovation;

  Link(int d) {
    this.d = d;
    width = 2 * d + 1;
    array = new double[width * width];
    gain = new double[d * d];
    drive = new double[d];
    inverse = new double[d * d];
    push = new double[d];
    shocks = new double[2 * d * d];
    spread = new double[2 * d * d];
    scratch = new double[2 * d * d];
    column = new double[d];
    transition = inverse;
    innovation = inverse;
  }

  /// The length of the packed information about a state.
  static int packed(int d) {
    return d * (d + 3) / 2;
  }

  /// Processes the information about x′, packed from `said[at]`, together with an observation of
  /// f′. `root` is the root of its precision (0 for none), and `value` is its value times that
  /// root.
  void reduce(MaternStep step, double[] said, int at, double root, double value) {
    fill(step.transition(), step.innovation(), said, at, root, value);
    for (int j = 0; j < d; j++) {
      int row = (d + j) * width;
      Arrays.fill(array, row, row + d, 0);
      for (int c = 0; c < d; c++) {
        double sum = 0;
        for (int i = c; i < d; i++) sum += transition[i * d + j] * said[at + i * (i + 1) / 2 + c];
        array[row + d + c] = sum;
      }
      array[row + 2 * d] = transition[j] * root;
    }
    Orthogonal.lower(array, width, width);
  }

  /// As [#reduce], for the first state `x = Γ₀u`.
  void reduceFirst(MaternStep step, double[] said, int at, double root, double value) {
    fill(step.transition(), step.initial(), said, at, root, value);
    Arrays.fill(array, d * width, 2 * d * width, 0);
    Orthogonal.lower(array, width, width);
  }

  private void fill(
      double[] phi, double[] gamma, double[] said, int at, double root, double value) {
    transition = phi;
    innovation = gamma;
    int z = at + d * (d + 1) / 2;
    for (int i = 0; i < d; i++) {
      int row = i * width;
      for (int c = 0; c < d; c++) {
        array[row + c] = i == c ? 1 : 0;
        double sum = 0;
        for (int j = Math.max(i, c); j < d; j++)
          sum += gamma[j * d + i] * said[at + j * (j + 1) / 2 + c];
        array[row + d + c] = sum;
      }
      array[row + 2 * d] = gamma[i] * root; // zero except for i = 0
      array[2 * d * width + i] = 0;
      array[2 * d * width + d + i] = said[z + i];
    }
    array[2 * d * width + 2 * d] = value;
  }

  /// log|R|.
  double logShock() {
    double product = 1;
    for (int i = 0; i < d; i++) product *= array[i * width + i];
    return Math.log(Math.abs(product));
  }

  /// e².
  double misfit() {
    double e = array[width * width - 1];
    return e * e;
  }

  /// e² at the first state, which has no state before it.
  double misfitFirst() {
    double sum = 0;
    for (int c = d; c < width; c++) sum += array[2 * d * width + c] * array[2 * d * width + c];
    return sum;
  }

  /// Packs the information about x from `said[at]` on.
  void pack(double[] said, int at) {
    int z = at + d * (d + 1) / 2;
    for (int i = 0; i < d; i++) {
      System.arraycopy(array, (d + i) * width + d, said, at + i * (i + 1) / 2, i + 1);
      said[z + i] = array[2 * d * width + d + i];
    }
  }

  /// Computes M, κ and R⁻ᵀ, which all methods below need.
  void gains() {
    for (int i = 0; i < d; i++) {
      System.arraycopy(array, (d + i) * width, column, 0, d);
      backSubstitute();
      for (int k = 0; k < d; k++) gain[k * d + i] = column[k];
      Arrays.fill(column, 0);
      column[i] = 1;
      backSubstitute();
      for (int k = 0; k < d; k++) inverse[k * d + i] = column[k];
    }
    System.arraycopy(array, 2 * d * width, column, 0, d);
    backSubstitute();
    System.arraycopy(column, 0, drive, 0, d);
  }

  /// `column ← R⁻ᵀ column`.
  private void backSubstitute() {
    for (int i = d - 1; i >= 0; i--) {
      double sum = column[i];
      for (int j = i + 1; j < d; j++) sum -= array[j * width + i] * column[j];
      column[i] = sum / array[i * width + i];
    }
  }

  /// Writes the mean of x′ to d numbers from `next[to]`, given the mean of x from `m[at]`. The
  /// arrays may be the same.
  void mean(double[] m, int at, double[] next, int to) {
    for (int i = 0; i < d; i++) {
      double sum = drive[i];
      for (int r = 0; r < d; r++) sum -= gain[i * d + r] * m[at + r];
      push[i] = sum;
    }
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int j = 0; j < d; j++)
        sum += transition[i * d + j] * m[at + j] + innovation[i * d + j] * push[j];
      column[i] = sum;
    }
    System.arraycopy(column, 0, next, to, d);
  }

  /// Overwrites X, a lower root of the covariance of x, with one of x′. If the state before is
  /// known, X = 0, and the result is the root of the variance that the step adds.
  void root(double[] x) {
    spread(x);
    System.arraycopy(spread, 0, scratch, 0, scratch.length);
    Orthogonal.lower(scratch, d, 2 * d);
    for (int i = 0; i < d; i++) System.arraycopy(scratch, i * 2 * d, x, i * d, d);
  }

  /// Fills [#shocks] and [#spread].
  void spread(double[] x) {
    int columns = 2 * d;
    for (int i = 0; i < d; i++)
      for (int c = 0; c < d; c++) {
        double sum = 0;
        for (int r = c; r < d; r++) sum -= gain[i * d + r] * x[r * d + c];
        shocks[i * columns + c] = sum;
        shocks[i * columns + d + c] = inverse[i * d + c];
      }
    for (int i = 0; i < d; i++)
      for (int c = 0; c < columns; c++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += innovation[i * d + j] * shocks[j * columns + c];
        if (c < d) for (int j = c; j < d; j++) sum += transition[i * d + j] * x[j * d + c];
        spread[i * columns + c] = sum;
      }
  }

  /// `a ← (Φ − ΓM) a` for the d × d matrix a.
  void carry(double[] a) {
    for (int c = 0; c < d; c++) {
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int r = 0; r < d; r++) sum -= gain[i * d + r] * a[r * d + c];
        column[i] = sum;
      }
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++)
          sum += transition[i * d + j] * a[j * d + c] + innovation[i * d + j] * column[j];
        scratch[i] = sum;
      }
      for (int i = 0; i < d; i++) a[i * d + c] = scratch[i];
    }
  }
}
