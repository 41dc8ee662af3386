package lovelace.latent;

import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.neighbours.VecchiaLikelihood;

/// Laplace's approximation to the evidence of many rows under a likelihood that is not Gaussian,
/// with the prior of [LatentPrior]. Let f̂ be the mode and W the likelihood's curvature there:
///
///     log Z = log p(y | f̂) − ½ (f̂ − μ)ᵀ Q (f̂ − μ) − ½ log det (Q + W) + ½ log det Q
///
/// (Kündig and Sigrist 2024). The mode is found by conjugate gradients ([LatentMode]), and the
/// determinants are estimated with fixed probes ([LatentDeterminant]). The gradient is that of the
/// estimate, including the movement of the mode: with `s = −½ ∂logdet/∂W ∘ ∂W/∂f` and `a = (Q +
/// W)⁻¹ s`, a parameter that changes the equation `g = Q(f − μ)` of the mode by e adds `aᵀe`.
///
/// Neighbours are nearest in units of lengthscales, as in [VecchiaLikelihood], and stay the same
/// under all parameters. Immutable. Results have the same bits for any number of threads.
public final class VecchiaLaplace implements Learnable {

  /// The number of probes of the determinant.
  static final int PROBES = 32;

  /// The number of probes that suffices to distinguish poor start values from better ones.
  private static final int ROUGH_PROBES = 8;

  private final PlacedRows rows;
  private final int k;
  private final int[] neighbours;
  private final int probes;
  private final long seed;

  /// The values of an earlier mode.
  private static final class Start implements WarmStart {
    final double[] values;

    Start(double[] values) {
      this.values = values;
    }
  }

  private VecchiaLaplace(PlacedRows rows, int k, int[] neighbours, int probes, long seed) {
    this.rows = rows;
    this.k = k;
    this.neighbours = neighbours;
    this.probes = probes;
    this.seed = seed;
  }

  /// The evidence with neighbours by the lengthscales of some hyperparameters.
  ///
  /// @param k the number of neighbours of a place, at least 1
  /// @param seed of the order and of the probes
  public static VecchiaLaplace of(Dataset data, Hyperparameters h, int k, long seed) {
    if (k < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + k);
    if (h.likelihood().isVarying())
      throw new IllegalArgumentException(
          "noise that varies cannot be learned from the neighbours of rows; use at most 5,000 rows,"
              + " engine exact, or likelihood student-t");
    PlacedRows rows = PlacedRows.of(data, h.likelihood(), seed);
    int most = Math.max(1, Math.min(k, rows.size() - 1));
    int[] neighbours =
        LatentPrior.neighbours(rows.places, most, VecchiaLikelihood.scales(rows.places, h));
    return new VecchiaLaplace(rows, most, neighbours, PROBES, seed);
  }

  /// The same with another number of probes.
  VecchiaLaplace withProbes(int count) {
    if (count < 1) throw new IllegalArgumentException("probes must be >= 1, got " + count);
    return new VecchiaLaplace(rows, k, neighbours, count, seed);
  }

  @Override
  public String name() {
    return "neighbours";
  }

  @Override
  public Learnable rough() {
    return withProbes(Math.min(probes, ROUGH_PROBES));
  }

  LatentPrior prior(Hyperparameters h) {
    return new LatentPrior(rows.places, neighbours, k, h);
  }

  private double[] mean(Hyperparameters h) {
    int d = rows.places.dimensions();
    double[] mean = new double[rows.size()];
    for (int j = 0; j < mean.length; j++) mean[j] = h.mean().at(rows.places.inputs(), j * d);
    return mean;
  }

  Dataset places() {
    return rows.places;
  }

  /// The mode under a prior of the same parameters.
  LatentMode mode(LatentPrior prior, Hyperparameters h, WarmStart start) {
    boolean known = start instanceof Start s && s.values.length == rows.size();
    double[] from = known ? ((Start) start).values.clone() : new double[rows.size()];
    return LatentMode.find(prior, rows.with(h.likelihood()), mean(h), from);
  }

  /// The standard error is that of the probes.
  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatentPrior prior = prior(h);
    LatentMode mode;
    try {
      mode = mode(prior, h, start);
    } catch (ArithmeticException e) {
      return Evidence.impossible(h);
    }
    return evidence(h, prior, mode);
  }

  /// The evidence at the mode.
  Evidence evidence(Hyperparameters h, LatentPrior prior, LatentMode mode) {
    int n = rows.size();
    LatentSystem system = new LatentSystem(prior, mode.curvatures);
    LatentDeterminant det =
        new LatentDeterminant(prior, system, probes, new SplittableRandom(seed).split().nextLong());
    double value = mode.objective - 0.5 * det.value;
    double[] byCurvature = new double[n];
    double[] s = new double[n];
    for (int j = 0; j < n; j++) {
      byCurvature[j] = -0.5 * det.byCurvatures[j];
      s[j] = byCurvature[j] * mode.curvatureSlopes[j];
    }
    double[] a = system.solve(s, 1e-8, 0);
    double[] kernel = kernelSlopes(prior, det, mode.values, a);
    double[] ofLikelihood = rows.with(h.likelihood()).parameterSlopes(mode.f, a, byCurvature);
    double[] moved = new double[n];
    for (int j = 0; j < n; j++) moved[j] = mode.values[j] + a[j];
    double[] dual = new double[n];
    prior.precision(moved, dual);
    double[] ofMean = meanSlopes(h, dual);
    double[] gradient = new double[kernel.length + ofLikelihood.length + ofMean.length];
    System.arraycopy(kernel, 0, gradient, 0, kernel.length);
    System.arraycopy(ofLikelihood, 0, gradient, kernel.length, ofLikelihood.length);
    System.arraycopy(ofMean, 0, gradient, kernel.length + ofLikelihood.length, ofMean.length);
    return new Evidence(value, gradient, 0.5 * det.standardError).before(new Start(mode.values));
  }

  /// The slopes of `−½ rᵀQr − aᵀQr − ½ log det` with fixed r and a.
  private static double[] kernelSlopes(
      LatentPrior prior, LatentDeterminant det, double[] r, double[] a) {
    int n = prior.size();
    double[] d = prior.variances();
    double[] byWeights = det.byWeights;
    for (int i = 0; i < byWeights.length; i++) byWeights[i] *= -0.5;
    double[] errors = new double[n];
    double[] moves = new double[n];
    prior.residuals(r, errors);
    prior.residuals(a, moves);
    double[] byVariances = new double[n];
    double[] both = new double[n];
    for (int j = 0; j < n; j++) {
      errors[j] /= d[j];
      moves[j] /= d[j];
      both[j] = r[j] + a[j];
      byVariances[j] = -0.5 * det.byVariances[j] + errors[j] * (0.5 * errors[j] + moves[j]);
    }
    prior.addCouplings(1, errors, both, byWeights);
    prior.addCouplings(1, moves, r, byWeights);
    return prior.slopes(byWeights, byVariances);
  }

  private double[] meanSlopes(Hyperparameters h, double[] dual) {
    double[] basis = new double[h.mean().size()];
    double[] slopes = new double[basis.length];
    for (int j = 0; j < dual.length; j++) {
      h.mean().basis(rows.places.inputs(), j * rows.places.dimensions(), basis, 0);
      for (int c = 0; c < slopes.length; c++) slopes[c] += dual[j] * basis[c];
    }
    return slopes;
  }
}
