package lovelace.markov;

import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.linear.LinearOperator;
import lovelace.statistics.BandGramRoot;
import lovelace.statistics.GridStatistics;

/// A Matérn-1/2, -3/2 or -5/2 process on a regular axis, conditioned on grid statistics, exactly
/// and in O(m). The Markov engine uses it. As a [LinearOperator] it is P, the posterior covariance
/// of the grid values.
///
/// With `u ~ N(0, K)` on the grid, `G = WWᵀ`, `b = Wy` and `A = WᵀKW + σ²I`:
///
///     P = K − KWA⁻¹WᵀK        a = P b/σ²        log|A| = n log σ² + log|I + KG/σ²|
///
/// The prior is a [MaternChain]. The data are m observations of four neighbours each
/// ([BandGramRoot]). The posterior is again a chain ([PosteriorChain]), so solves, the
/// log-determinant, the stencil of P, draws and gradients are passes along the axis. P is only ever
/// computed as a product of roots, so no variance is negative.
///
/// The accuracy is that of G itself, about `ε · outputscale · G/σ²` relative.
///
/// Immutable; safe to share between threads.
public final class MarkovSolution implements LinearOperator {
  private static final int STENCIL = BandGramRoot.WIDTH;

  private final int m;
  private final PosteriorChain chain;
  private final double[] mean;
  private final double[] dual;
  private final double logMarginalLikelihood;
  private final double[] gradient;

  /// Conditions the process with covariance `outputscale · Matérn_{order/2}(r/lengthscale)` (order
  /// 1, 3 or 5) on the statistics of centred data. `gramDiagonals[q][i]` is entry (i, i + q) of G
  /// for q = 0 … 3, b = Wy, yy = yᵀy, n is the number of observations, and `sumLogWeights` is Σ log
  /// dᵢ over the observation weights. Keeps none of the arrays.
  public static MarkovSolution of(
      int order,
      double lengthscale,
      double outputscale,
      double noise,
      double step,
      int m,
      double[][] gramDiagonals,
      double[] b,
      double yy,
      double n,
      double sumLogWeights) {
    if (order != 1 && order != 3 && order != 5) {
      throw new IllegalArgumentException(
          "order must be 1, 3 or 5 (Matérn-1/2, -3/2, -5/2), got " + order);
    }
    requirePositive("lengthscale", lengthscale);
    requirePositive("outputscale", outputscale);
    requirePositive("noise", noise);
    requirePositive("step", step);
    if (m < 1) throw new IllegalArgumentException("the axis must have at least 1 point, got " + m);
    if (gramDiagonals.length != STENCIL || b.length != m) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "G must come as 4 diagonals and b with %d entries, got %d and %d",
              m,
              gramDiagonals.length,
              b.length));
    }
    for (int q = 0; q < STENCIL; q++) {
      if (gramDiagonals[q].length < m - q) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "diagonal %d of G must have at least %d entries, got %d",
                q,
                m - q,
                gramDiagonals[q].length));
      }
    }
    var prior = new MaternChain(order, lengthscale, outputscale, step);
    double[] observations = times(1 / Math.sqrt(noise), BandGramRoot.of(gramDiagonals, m));
    var chain = new PosteriorChain(prior, m, observations);
    double[] mean = new double[m];
    double shocks = chain.smooth(times(1 / noise, b), mean); // aᵀK⁻¹a
    double[] dual = new double[m];
    double fit = yy; // |y − Wᵀa|²
    double trace = 0; // tr(PG)/σ²
    for (int i = 0; i < m; i++) {
      double ga = bandRow(gramDiagonals, mean, i);
      dual[i] = (b[i] - ga) / noise;
      fit += mean[i] * (ga - 2 * b[i]);
      trace += chain.covariance(i, 0) * gramDiagonals[0][i] / noise;
      for (int q = 1; q < STENCIL && q <= i; q++) {
        trace += 2 * chain.covariance(i, q) * gramDiagonals[q][i - q] / noise;
      }
    }
    fit = Math.max(fit, 0);
    double logLikelihood =
        -0.5
            * (fit / noise
                + shocks
                + chain.logRatio
                + n * Math.log(2 * Math.PI * noise)
                - sumLogWeights);
    double slope = prior.quadraticSlope(dual) - chain.traceSlope; // in τ = √order h/ℓ
    double[] gradient = {
      -slope * prior.tau / lengthscale,
      (shocks - trace) / (2 * outputscale),
      (fit / noise - (n - trace)) / (2 * noise)
    };
    return new MarkovSolution(m, chain, mean, dual, logLikelihood, gradient);
  }

  /// Conditions the same process on statistics over one axis, minus a prior mean given as a grid
  /// vector.
  public static MarkovSolution of(
      int order,
      double lengthscale,
      double outputscale,
      double noise,
      GridStatistics statistics,
      double[] priorMean) {
    Grid grid = statistics.grid();
    if (grid.dimensions() != 1) {
      throw new IllegalArgumentException("the Markov engine needs a grid of one axis, got " + grid);
    }
    StencilMatrix gram = statistics.stencil();
    double[][] diagonals = {gram.diagonal(0), gram.diagonal(1), gram.diagonal(2), gram.diagonal(3)};
    var centred = statistics.centred(priorMean);
    return of(
        order,
        lengthscale,
        outputscale,
        noise,
        grid.axis(0).step(),
        grid.size(),
        diagonals,
        centred.projected(),
        centred.squares(),
        (double) statistics.count(),
        statistics.logWeights());
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be > 0 and finite, got " + value);
    }
  }

  private MarkovSolution(
      int m,
      PosteriorChain chain,
      double[] mean,
      double[] dual,
      double logMarginalLikelihood,
      double[] gradient) {
    this.m = m;
    this.chain = chain;
    this.mean = mean;
    this.dual = dual;
    this.logMarginalLikelihood = logMarginalLikelihood;
    this.gradient = gradient;
  }

  @Override
  public int size() {
    return m;
  }

  /// `y ← P x`, by one pass in each direction. Reads x and overwrites y.
  @Override
  public void apply(double[] x, double[] y) {
    chain.smooth(x, y);
  }

  /// a, the posterior mean of the grid values.
  public double[] mean() {
    return mean.clone();
  }

  /// `Wα = (b − Ga)/σ²`. The gradient of the likelihood along a prior mean with grid values c is
  /// `cᵀWα`.
  public double[] dual() {
    return dual.clone();
  }

  /// Entry (i, j) of P for |i − j| ≤ 3.
  public double covariance(int i, int j) {
    int k = Math.max(i, j);
    int lag = k - Math.min(i, j);
    Objects.checkIndex(k, m);
    if (lag >= STENCIL) throw new IllegalArgumentException("|i − j| must be at most 3, got " + lag);
    return chain.covariance(k, lag);
  }

  /// The diagonals of P within one stencil: entry `[q][i]` is entry (i, i + q) of P, and 0 if i + q
  /// ≥ m.
  public double[][] covarianceDiagonals() {
    double[][] diagonals = new double[STENCIL][m];
    for (int q = 0; q < STENCIL; q++) {
      for (int i = 0; i + q < m; i++) diagonals[q][i] = covariance(i, i + q);
    }
    return diagonals;
  }

  /// `wᵀPw` for weights on the grid points first … first + 3. It is a sum of squares, so never
  /// negative.
  public double variance(int first, double[] weights) {
    Objects.checkFromIndexSize(first, STENCIL, m);
    return chain.variance(first, weights);
  }

  /// A draw of the grid values from N(a, P).
  public double[] sample(RandomGenerator random) {
    double[] f = chain.sample(random);
    for (int i = 0; i < m; i++) f[i] += mean[i];
    return f;
  }

  /// The number of normals that [#draw] takes.
  int normals() {
    return chain.normals();
  }

  /// Writes a draw from N(0, P) from `f[fo]` on, made of the standard normals from `xi[xo]` on.
  void draw(double[] xi, int xo, double[] f, int fo) {
    System.arraycopy(chain.draw(xi, xo), 0, f, fo, m);
  }

  /// log p(y), the marginal likelihood of the interpolated process.
  public double logMarginalLikelihood() {
    return logMarginalLikelihood;
  }

  /// The derivatives of [#logMarginalLikelihood()] in lengthscale, outputscale and noise.
  public double[] gradient() {
    return gradient.clone();
  }

  private static double bandRow(double[][] diagonals, double[] x, int i) {
    double sum = diagonals[0][i] * x[i];
    for (int q = 1; q < STENCIL; q++) {
      if (i + q < x.length) sum += diagonals[q][i] * x[i + q];
      if (i >= q) sum += diagonals[q][i - q] * x[i - q];
    }
    return sum;
  }

  private static double[] times(double factor, double[] a) {
    double[] scaled = new double[a.length];
    for (int i = 0; i < a.length; i++) scaled[i] = factor * a[i];
    return scaled;
  }
}
