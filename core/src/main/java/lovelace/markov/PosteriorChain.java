package lovelace.markov;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.linear.Orthogonal;
import lovelace.statistics.BandGramRoot;

/// A [MaternChain] conditioned on observations of its values, each a combination of four
/// neighbours.
///
/// The chain `sₖ = T sₖ₋₁ + Γ uₖ` has the state `s = (fₖ, fₖ₋₁, fₖ₋₂, fₖ₋₃, derivatives at k)`. A
/// pass from the right carries the information `Λ = YYᵀ` of later observations about a state, as a
/// square root (the array algorithms of Kailath, Sayed and Hassibi 2000, chapter 12, run
/// backwards):
///
///     [ I  ΓᵀY ]        [ R  0 ]
///     [ 0  TᵀY ] Θ  =   [ B  Y′]     Θ orthogonal, Y with the column wₖ of observation k
///
/// Under the posterior `uₖ ~ N(κₖ − M sₖ₋₁, (RRᵀ)⁻¹)` with `M = R⁻ᵀBᵀ`, which factors P. The
/// determinant of K divided by that of P is `Π|R|²`, and a pass from the left gives the root of
/// every stencil's block of P. There are only orthogonal transformations and sums of squares: no
/// differences of covariances, and no inverse of a kernel matrix.
final class PosteriorChain {
  static final int STENCIL = BandGramRoot.WIDTH;
  private static final int PACKED = STENCIL * (STENCIL + 1) / 2;

  private final MaternChain prior;
  private final int m;
  private final int d; // number of entries of the prior chain's state
  private final int p; // number of entries of s: three more
  private final double[] gain; // M, d × p for each k
  private final double[] shock; // R, d × d lower for each k
  private final double[] stencil; // X, root of P over (k, k−1, k−2, k−3), lower, packed

  /// log|K| − log|P| = log|I + KG/σ²|.
  final double logRatio;

  /// ½ tr(WA⁻¹Wᵀ ∂K/∂τ).
  final double traceSlope;

  /// Takes m observations of unit noise. Observation k has its weights on k, k−1, k−2, k−3 at
  /// `observations[4k]`.
  PosteriorChain(MaternChain prior, int m, double[] observations) {
    this.prior = prior;
    this.m = m;
    this.d = prior.dimension;
    this.p = d + STENCIL - 1;
    this.gain = new double[d * p * m];
    this.shock = new double[d * d * m];
    this.stencil = new double[PACKED * m];
    double[] information = new double[p * (p + 1) / 2 * m];
    this.logRatio = collectInformation(observations, information);
    this.traceSlope = spread(observations, information);
  }

  /// Entry (k, k − lag) of P for lag ≤ 3. Row 0 of the root has only one entry.
  double covariance(int k, int lag) {
    return stencil[PACKED * k] * stencil[PACKED * k + lag * (lag + 1) / 2];
  }

  /// `wᵀPw` for weights on the points first … first + 3.
  double variance(int first, double[] weights) {
    int at = PACKED * (first + STENCIL - 1);
    double sum = 0;
    for (int c = 0; c < STENCIL; c++) {
      double t = 0;
      for (int r = c; r < STENCIL; r++) {
        t += stencil[at + r * (r + 1) / 2 + c] * weights[STENCIL - 1 - r];
      }
      sum += t * t;
    }
    return sum;
  }

  /// A draw from N(0, P).
  double[] sample(RandomGenerator random) {
    double[] xi = new double[normals()];
    for (int i = 0; i < xi.length; i++) xi[i] = random.nextGaussian();
    return draw(xi, 0);
  }

  /// The number of normals that a draw takes.
  int normals() {
    return d * m;
  }

  /// A draw from N(0, P) made of the standard normals from `xi[xo]` on.
  double[] draw(double[] xi, int xo) {
    double[] u = Arrays.copyOfRange(xi, xo, xo + d * m);
    for (int k = 0; k < m; k++) backSubstitute(k, u, d * k);
    double[] f = new double[m];
    follow(u, f);
    return f;
  }

  /// `f ← P v`. Returns fᵀK⁻¹f, the squared norm of the shocks that make the prior chain follow f.
  double smooth(double[] v, double[] f) {
    double[] u = new double[d * m];
    double[] lambda = new double[p];
    double[] next = new double[p];
    double[] push = new double[d];
    for (int k = m - 1; k >= 0; k--) {
      lambda[0] += v[k];
      double[] gamma = k == 0 ? prior.initial : prior.innovation;
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = i; j < d; j++) sum += gamma[j * d + i] * lambda[at(j)];
        push[i] = sum;
      }
      for (int j = 0; j < d; j++) {
        double sum = j == 0 ? lambda[1] : 0;
        for (int i = 0; i < d; i++) sum += prior.transition[i * d + j] * lambda[at(i)];
        next[at(j)] = sum;
      }
      next[1] = lambda[2];
      next[2] = lambda[3];
      next[3] = 0;
      for (int r = 0; r < p; r++) {
        double sum = next[r];
        for (int i = 0; i < d; i++) sum -= gain[(k * d + i) * p + r] * push[i];
        lambda[r] = sum;
      }
      for (int i = 0; i < d; i++) {
        double sum = push[i];
        for (int j = 0; j < i; j++) sum -= shock[(k * d + i) * d + j] * push[j];
        push[i] = sum / shock[(k * d + i) * d + i];
      }
      backSubstitute(k, push, 0);
      System.arraycopy(push, 0, u, d * k, d);
    }
    return follow(u, f);
  }

  /// Passes from the right. Fills the gains M and R, and for each k the root of the information of
  /// data after k about state k. Returns log|I + KG/σ²|.
  private double collectInformation(double[] observations, double[] information) {
    int columns = d + p + 1;
    double[] array = new double[(d + p) * columns];
    double[] y = new double[p * (p + 1)];
    double logDeterminant = 0;
    for (int k = m - 1; k >= 0; k--) {
      pack(y, p + 1, p, information, k * (p * (p + 1) / 2));
      observe(observations, k, y);
      double[] gamma = k == 0 ? prior.initial : prior.innovation;
      for (int i = 0; i < d; i++) {
        for (int c = 0; c < d; c++) array[i * columns + c] = i == c ? 1 : 0;
        for (int c = 0; c <= p; c++) {
          double sum = 0;
          for (int j = i; j < d; j++) sum += gamma[j * d + i] * y[at(j) * (p + 1) + c];
          array[i * columns + d + c] = sum;
        }
      }
      for (int r = 0; r < p; r++) {
        for (int c = 0; c < d; c++) array[(d + r) * columns + c] = 0;
      }
      for (int c = 0; c <= p; c++) {
        int out = d * columns + d + c;
        for (int j = 0; j < d; j++) {
          double sum = j == 0 ? y[p + 1 + c] : 0;
          for (int i = 0; i < d; i++) sum += prior.transition[i * d + j] * y[at(i) * (p + 1) + c];
          array[out + at(j) * columns] = sum;
        }
        array[out + columns] = y[2 * (p + 1) + c];
        array[out + 2 * columns] = y[3 * (p + 1) + c];
        array[out + 3 * columns] = 0;
      }
      Orthogonal.lower(array, d + p, columns);
      for (int i = 0; i < d; i++) {
        System.arraycopy(array, i * columns, shock, (k * d + i) * d, d);
        logDeterminant += Math.log(Math.abs(array[i * columns + i]));
      }
      double[] column = new double[d];
      for (int r = 0; r < p; r++) {
        System.arraycopy(array, (d + r) * columns, column, 0, d);
        backSubstitute(k, column, 0);
        for (int i = 0; i < d; i++) gain[(k * d + i) * p + r] = column[i];
        System.arraycopy(array, (d + r) * columns + d, y, r * (p + 1), p);
      }
    }
    return 2 * logDeterminant;
  }

  /// Passes from the left. Fills the stencil roots X. Returns ½ tr(WA⁻¹Wᵀ ∂K/∂τ) as Σ ⟨YᵀZ, Yᵀ∂Z⟩,
  /// where the columns `Z = [(T − ΓM)X, ΓR⁻ᵀ]` make the next root.
  private double spread(double[] observations, double[] information) {
    int columns = p + d;
    double[] x = new double[p * p];
    double[] z = new double[p * columns];
    double[] slope = new double[d * columns];
    double[] controlled = new double[columns * d]; // [−M X, R⁻ᵀ], one column after another
    double[] y = new double[p * (p + 1)];
    double trace = 0;
    for (int k = 0; k < m; k++) {
      double[] gamma = k == 0 ? prior.initial : prior.innovation;
      Arrays.fill(controlled, 0);
      for (int c = 0; c < p; c++) {
        for (int i = 0; i < d; i++) {
          double sum = 0;
          for (int r = c; r < p; r++) sum -= gain[(k * d + i) * p + r] * x[r * p + c];
          controlled[c * d + i] = sum;
        }
      }
      for (int i = 0; i < d; i++) {
        controlled[(p + i) * d + i] = 1;
        backSubstitute(k, controlled, (p + i) * d);
      }
      for (int c = 0; c < columns; c++) {
        for (int i = 0; i < d; i++) {
          double sum = 0;
          double change = 0;
          for (int j = 0; j < d; j++) {
            sum += gamma[i * d + j] * controlled[c * d + j];
            change += prior.innovationSlope[i * d + j] * controlled[c * d + j];
            if (c < p) {
              sum += prior.transition[i * d + j] * x[at(j) * p + c];
              change += prior.transitionSlope[i * d + j] * x[at(j) * p + c];
            }
          }
          z[at(i) * columns + c] = sum;
          slope[i * columns + c] = change;
        }
        for (int lag = 1; lag < STENCIL; lag++)
          z[lag * columns + c] = c < p ? x[(lag - 1) * p + c] : 0;
      }
      if (k > 0) {
        unpack(information, k * (p * (p + 1) / 2), p, y, p + 1);
        observe(observations, k, y);
        trace += correlate(y, z, slope);
      }
      Orthogonal.lower(z, p, columns);
      for (int r = 0; r < p; r++) System.arraycopy(z, r * columns, x, r * p, p);
      pack(x, p, STENCIL, stencil, PACKED * k);
    }
    return trace;
  }

  /// ⟨YᵀZ, Yᵀ∂Z⟩.
  private double correlate(double[] y, double[] z, double[] slope) {
    int columns = p + d;
    double sum = 0;
    for (int c = 0; c <= p; c++) {
      for (int j = 0; j < columns; j++) {
        double value = 0;
        double change = 0;
        for (int r = 0; r < p; r++) value += y[r * (p + 1) + c] * z[r * columns + j];
        for (int i = 0; i < d; i++) change += y[at(i) * (p + 1) + c] * slope[i * columns + j];
        sum += value * change;
      }
    }
    return sum;
  }

  /// Runs the posterior chain `sₖ = T sₖ₋₁ + Γ(uₖ − M sₖ₋₁)` from given u, and writes its values to
  /// f. Returns Σ|uₖ − M sₖ₋₁|².
  private double follow(double[] u, double[] f) {
    double[] s = new double[p];
    double[] x = new double[d];
    double[] push = new double[d];
    double squares = 0;
    for (int k = 0; k < m; k++) {
      double[] gamma = k == 0 ? prior.initial : prior.innovation;
      for (int i = 0; i < d; i++) {
        double sum = u[d * k + i];
        for (int r = 0; r < p; r++) sum -= gain[(k * d + i) * p + r] * s[r];
        push[i] = sum;
        squares += sum * sum;
      }
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++)
          sum += prior.transition[i * d + j] * s[at(j)] + gamma[i * d + j] * push[j];
        x[i] = sum;
      }
      s[3] = s[2];
      s[2] = s[1];
      s[1] = s[0];
      for (int i = 0; i < d; i++) s[at(i)] = x[i];
      f[k] = s[0];
    }
    return squares;
  }

  /// `x ← R⁻ᵀ x` at step k, where x has d entries from `from` on.
  private void backSubstitute(int k, double[] x, int from) {
    for (int i = d - 1; i >= 0; i--) {
      double sum = x[from + i];
      for (int j = i + 1; j < d; j++) sum -= shock[(k * d + j) * d + i] * x[from + j];
      x[from + i] = sum / shock[(k * d + i) * d + i];
    }
  }

  /// The position in s of entry i of the chain's own state.
  private static int at(int i) {
    return i == 0 ? 0 : STENCIL - 1 + i;
  }

  /// Writes observation k to the last column of y.
  private void observe(double[] observations, int k, double[] y) {
    for (int r = 0; r < p; r++)
      y[r * (p + 1) + p] = r < STENCIL ? observations[STENCIL * k + r] : 0;
  }

  private static void pack(double[] a, int columns, int size, double[] packed, int at) {
    for (int r = 0; r < size; r++)
      System.arraycopy(a, r * columns, packed, at + r * (r + 1) / 2, r + 1);
  }

  private static void unpack(double[] packed, int at, int size, double[] a, int columns) {
    for (int r = 0; r < size; r++) {
      System.arraycopy(packed, at + r * (r + 1) / 2, a, r * columns, r + 1);
      for (int c = r + 1; c < size; c++) a[r * columns + c] = 0;
    }
  }
}
