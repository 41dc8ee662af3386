package lovelace.neighbours;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;

/// Sums of terms `log N(yᵢ | yₛ)` and their derivatives, where s is the neighbour set of row i; one
/// thread adds terms to it.
///
/// Let C be the covariance of the rows (s, i), with the noise on its diagonal, r their residuals,
/// `LLᵀ = C`. The last row of L is `(l, √D)`, and with `z = Lₛ⁻¹rₛ` the error of the regression is
/// `e = rᵢ − lᵀz`:
///
///     log N = −½ (log 2πD + e²/D)
///
/// With `v = (−Lₛ⁻ᵀl, 1)` and `u = (Lₛ⁻ᵀz, 0)`: `∂D = vᵀ∂C v` and `∂e = −uᵀ∂C v`, so one matrix of
/// weights over the pairs gives the derivatives in all parameters of the covariance.
///
/// Rounding is guarded in two places. A neighbour that has less than 1e-10 of its variance left,
/// given the nearer ones, says nothing new and is left out: its column of L is zero. And D is at
/// least 1e-10 of the row's own variance. Derivatives are those of what is computed.
final class TermSums {

  /// Below this part of its variance, what is left of a row given others is rounding.
  private static final double ROUNDING = 1e-10;

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  private final Dataset data;
  private final Hyperparameters h;
  private final double noise;
  private final Kernel kernel; // of the latent function
  private final boolean stationary;
  private final double[] origin;
  private final double peak;
  private final double[] x; // the places of the rows, neighbours first
  private final double[] lags; // their differences where the kernel is stationary
  private final double[] values; // of the kernel for each pair, then their weights
  private final double[] l;
  private final double[] inverse; // of the pivots, 0 for a neighbour that is left out
  private final double[] variances;
  private final double[] u;
  private final double[] v;
  private final double[] basis;
  private double diagonal; // the weight of k(0) where the kernel is stationary

  double value;
  double drawn; // the sum of the terms that were drawn at random, and of their squares
  double squares;
  final double[] kernelSlopes;
  double noiseSlope;
  final double[] meanSlopes;

  /// Sums over no terms yet, of up to k neighbours each.
  TermSums(Dataset data, Hyperparameters h, Kernel latent, double noise, int k) {
    this.data = data;
    this.h = h;
    this.noise = noise;
    this.kernel = latent;
    int d = data.dimensions();
    int m = k + 1;
    this.stationary = kernel.isStationary();
    this.origin = new double[d];
    this.peak = stationary ? kernel.variance(origin, 0) : Double.NaN;
    this.x = new double[m * d];
    this.lags = new double[stationary ? m * k / 2 * d : 0];
    this.values = new double[stationary ? m * k / 2 : m * m];
    this.l = new double[m * m];
    this.inverse = new double[m];
    this.variances = new double[m];
    this.u = new double[m];
    this.v = new double[m];
    this.basis = new double[h.mean().size()];
    this.kernelSlopes = new double[kernel.parameterCount()];
    this.meanSlopes = new double[basis.length];
  }

  /// Adds the term of a row, given the `count` rows in `neighbours` from entry `at` on. It stands
  /// for `share` terms; those of a share above 1 were drawn at random.
  void add(int row, int[] neighbours, int at, int count, double share) {
    int d = data.dimensions();
    for (int a = 0; a <= count; a++) {
      int of = a < count ? neighbours[at + a] : row;
      System.arraycopy(data.inputs(), of * d, x, a * d, d);
      u[a] = data.target()[of] - h.mean().at(x, a * d);
      variances[a] = noise / data.weight(of);
    }
    covariances(count + 1);
    double own = l[count * (count + 2)];
    factor(count);
    double e = u[count];
    double rest = l[count * (count + 2)];
    boolean guarded = !(rest >= ROUNDING * own);
    double variance = guarded ? ROUNDING * own : rest;
    double term = -0.5 * (LOG_2PI + Math.log(variance) + e * e / variance);
    value += share * term;
    if (share > 1) {
      drawn += term;
      squares += term * term;
    }
    for (int b = 0; b < count; b++) v[b] = -l[count * (count + 1) + b];
    v[count] = 1;
    u[count] = 0;
    solveTransposed(count);
    double ofVariance = share * 0.5 * (e * e / variance - 1) / variance;
    double ofError = share * e / variance;
    weigh(count, row, neighbours, at, guarded ? 0 : ofVariance, ofError);
    if (guarded) weighOwn(row, count, ROUNDING * ofVariance);
    for (int a = 0; a <= count; a++) {
      h.mean().basis(x, a * d, basis, 0);
      for (int c = 0; c < basis.length; c++) meanSlopes[c] += ofError * v[a] * basis[c];
    }
  }

  /// Adds what is left for the end; then the slopes are complete.
  void finish() {
    if (stationary) kernel.gradient(origin, 0, origin, 0, diagonal, kernelSlopes, 0);
  }

  /// The lower triangle of C for the first m rows, in `l`.
  private void covariances(int m) {
    int d = origin.length;
    if (stationary) {
      int pair = 0;
      for (int a = 1; a < m; a++)
        for (int b = 0; b < a; b++)
          for (int c = 0; c < d; c++) lags[pair++] = x[a * d + c] - x[b * d + c];
      kernel.matrix(origin, 1, lags, m * (m - 1) / 2, values);
      for (int a = 0; a < m; a++) {
        System.arraycopy(values, a * (a - 1) / 2, l, a * m, a);
        l[a * m + a] = peak + variances[a];
      }
    } else {
      kernel.matrix(x, m, x, m, l);
      for (int a = 0; a < m; a++) l[a * m + a] += variances[a];
    }
  }

  /// Factors C, whose last diagonal entry becomes D, and turns the residuals in u into z, the last
  /// of them into e.
  private void factor(int count) {
    int m = count + 1;
    for (int a = 0; a < m; a++) {
      int row = a * m;
      for (int b = 0; b < a; b++) l[row + b] = (l[row + b] - dot(b, row, l, b * m)) * inverse[b];
      double pivot = l[row + a];
      double rest = pivot - dot(a, row, l, row);
      u[a] -= dot(a, row, u, 0);
      if (a == count) {
        l[row + a] = rest;
        return;
      }
      inverse[a] = rest >= ROUNDING * pivot ? 1 / Math.sqrt(rest) : 0;
      u[a] *= inverse[a];
    }
  }

  /// The product of the first n entries of a row of L and some of y; four sums side by side.
  private double dot(int n, int row, double[] y, int yo) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      s0 += l[row + i] * y[yo + i];
      s1 += l[row + i + 1] * y[yo + i + 1];
      s2 += l[row + i + 2] * y[yo + i + 2];
      s3 += l[row + i + 3] * y[yo + i + 3];
    }
    for (; i < n; i++) s0 += l[row + i] * y[yo + i];
    return s0 + s1 + (s2 + s3);
  }

  /// `v ← L⁻ᵀv` and `u ← L⁻ᵀu` for the neighbours.
  private void solveTransposed(int count) {
    int m = count + 1;
    for (int a = count - 1; a >= 0; a--) {
      double va = v[a] * inverse[a];
      double ua = u[a] * inverse[a];
      v[a] = va;
      u[a] = ua;
      for (int b = 0; b < a; b++) {
        v[b] -= l[a * m + b] * va;
        u[b] -= l[a * m + b] * ua;
      }
    }
  }

  /// Adds the derivatives in the covariance by its weights `α vvᵀ + β(uvᵀ + vuᵀ)/2`.
  private void weigh(int count, int row, int[] neighbours, int at, double alpha, double beta) {
    int m = count + 1;
    for (int a = 0; a < m; a++) {
      double byV = 2 * alpha * v[a] + beta * u[a];
      double byU = beta * v[a];
      int to = stationary ? a * (a - 1) / 2 : a * m;
      for (int b = 0; b < a; b++) values[to + b] = byV * v[b] + byU * u[b];
      double own = alpha * v[a] * v[a] + beta * u[a] * v[a];
      noiseSlope += own / data.weight(a < count ? neighbours[at + a] : row);
      if (stationary) diagonal += own;
      else {
        values[to + a] = own;
        Arrays.fill(values, to + a + 1, to + m, 0);
      }
    }
    if (stationary) kernel.gradientSum(origin, 1, lags, m * count / 2, values, kernelSlopes);
    else kernel.gradientSum(x, m, x, m, values, kernelSlopes);
  }

  /// Adds the derivatives of the row's own variance.
  private void weighOwn(int row, int count, double weight) {
    noiseSlope += weight / data.weight(row);
    if (stationary) diagonal += weight;
    else {
      int own = count * origin.length;
      kernel.gradient(x, own, x, own, weight, kernelSlopes, 0);
    }
  }
}
