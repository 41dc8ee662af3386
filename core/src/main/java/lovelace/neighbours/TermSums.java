package lovelace.neighbours;

import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;

/// Sums of terms `log N(yᵢ | yₛ)` and their derivatives, where s is the neighbour set of row i. One
/// thread adds the terms.
///
/// Let C be the covariance of the rows (s, i) with the noise on its diagonal, r their residuals,
/// and `LLᵀ = C`. The last row of L is `(l, √D)`, and with `z = Lₛ⁻¹rₛ` the error of the regression
/// is `e = rᵢ − lᵀz`:
///
///     log N = −½ (log 2πD + e²/D)
///
/// With `v = (−Lₛ⁻ᵀl, 1)` and `u = (Lₛ⁻ᵀz, 0)`: `∂D = vᵀ∂C v` and `∂e = −uᵀ∂C v`, so one matrix of
/// weights over the pairs gives the derivatives in all parameters of the covariance.
///
/// Two rules guard against rounding. A neighbour that has less than 1e-10 of its variance left,
/// given the nearer ones, adds no information and is left out: its column of L is zero. And D is at
/// least 1e-10 of the row's own variance. Derivatives are those of the computed value.
final class TermSums {

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final Dataset data;
  private final Hyperparameters h;
  private final LocalSystem system;
  private final double[] basis;

  private double value;
  private double drawn; // the sum of the terms that were drawn at random, and of their squares
  private double squares;
  private double noiseSlope;
  private final double[] meanSlopes;

  /// Sums over no terms yet, each with up to k neighbours.
  TermSums(Dataset data, Hyperparameters h, int k) {
    this.data = data;
    this.h = h;
    this.system = new LocalSystem(data, h, k, true);
    this.basis = new double[h.mean().size()];
    this.meanSlopes = new double[basis.length];
  }

  /// Adds the term of a row, given the `count` rows in `neighbours` from entry `at` on. It
  /// represents `share` terms. A term with a share above 1 was drawn at random.
  void add(int row, int[] neighbours, int at, int count, double share) {
    int d = data.dimensions();
    system.around(data.inputs(), row * d);
    for (int a = 0; a < count; a++) system.row(a, neighbours[at + a]);
    system.row(count, row);
    double own = system.factor(count);
    double e = system.error();
    double rest = system.rest();
    boolean guarded = !(rest >= LocalSystem.ROUNDING * own);
    double variance = guarded ? LocalSystem.ROUNDING * own : rest;
    double term = -0.5 * (LOG_2PI + Math.log(variance) + e * e / variance);
    value += share * term;
    if (share > 1) {
      drawn += term;
      squares += term * term;
    }
    system.solve();
    double ofVariance = share * 0.5 * (e * e / variance - 1) / variance;
    double ofError = share * e / variance;
    noiseSlope +=
        guarded
            ? system.addSlopes(0, ofError, LocalSystem.ROUNDING * ofVariance)
            : system.addSlopes(ofVariance, ofError, 0);
    for (int a = 0; a <= count; a++) {
      int of = a < count ? neighbours[at + a] : row;
      h.mean().basis(data.inputs(), of * d, basis, 0);
      for (int c = 0; c < basis.length; c++) meanSlopes[c] += ofError * system.v[a] * basis[c];
    }
  }

  /// The sums, without their working memory.
  Total total() {
    double[] gradient = new double[h.size()];
    double[] slopes = system.slopes();
    int[] places = h.kernel().latentPlaces();
    int p = h.kernel().parameterCount();
    for (int i = 0; i < places.length; i++) gradient[places[i]] = slopes[i];
    gradient[p] = noiseSlope;
    System.arraycopy(meanSlopes, 0, gradient, p + 1, meanSlopes.length);
    h.kernel().whiteGradient(noiseSlope, gradient, 0);
    return new Total(value, drawn, squares, gradient);
  }

  /// The sum of the terms, of those drawn at random and of their squares, and the gradient in every
  /// parameter.
  static final class Total {
    final double value;
    final double drawn;
    final double squares;
    final double[] gradient;

    private Total(double value, double drawn, double squares, double[] gradient) {
      this.value = value;
      this.drawn = drawn;
      this.squares = squares;
      this.gradient = gradient;
    }
  }
}
