package lovelace.spectral;

import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Blas;
import lovelace.linear.Dense;
import lovelace.linear.Parallel;
import lovelace.modes.ModeStatistics;
import lovelace.statistics.GramRounding;

/// Bounds the errors of the variances of a [SpectralCovariance]. Immutable.
final class SpectralErrors {

  private final SpectralFactor factor;
  private final ModeStatistics system;
  private final LatticeKernel kernel;
  private final GramRounding gram;
  private final double noise;
  private final double rounding; // of B
  private final double solving; // relative, of L⁻¹

  /// @param gram the rounding error of G
  /// @param rounding that of B
  /// @param solving the relative error of L⁻¹
  SpectralErrors(
      SpectralFactor factor,
      LatticeKernel kernel,
      GramRounding gram,
      double rounding,
      double solving) {
    this.factor = factor;
    this.system = factor.system;
    this.kernel = kernel;
    this.gram = gram;
    this.noise = factor.noise;
    this.rounding = rounding;
    this.solving = solving;
  }

  /// The size of the rounding error of a variance.
  double floor() {
    return 4 * SpectralCovariance.EPSILON * SpectralCovariance.EPSILON * kernel.maxVariance();
  }

  /// Let e be the residual of the predictor for w, `e = w − GPw/σ²`. The modes left out add at most
  /// their prior variance times `‖e‖₁²` to the variance. Rounding of K, G, H and B counts as much
  /// as the variance depends on them: with `Pw = Fx` and `y = L⁻ᵀZw`, these are `eᵀδKe`,
  /// `(Pw)ᵀδG(Pw)/σ²`, `xᵀδHx/σ²`, `yᵀδBy`. Rounding of L⁻¹ counts by its condition.
  void certify(Stencils points, double[] lower, double[] upper) {
    double tail = system.tail(kernel, factor.scale);
    double own = system.rounding() * kernel.maxVariance();
    double sums = 16 * SpectralCovariance.EPSILON * system.statistics().weightSum();
    int m = kernel.size();
    int k = factor.active.length;
    int r = system.rank();
    int count = points.count();
    double[] phi = new double[count * r];
    Parallel.forEach(count, p -> system.features(points, p, phi, p * r));
    double[] y = factor.packed(count, phi);
    double[] z = new double[count * k];
    Blas.gemm(false, true, count, k, k, y, factor.lower, z);
    Blas.gemm(false, false, count, k, k, z, factor.lower, y);
    double[] x = factor.unpacked(count, Math.sqrt(noise), y);
    double[] pw = new double[m * count];
    double[] e = new double[m * count];
    if (system.statistics().gram() instanceof StencilMatrix matrix) {
      double[][] spread = system.spread(count, Dense.transposed(count, r, x));
      int lead = matrix.grid().axis(0).points();
      system.rows(count, spread, 0, lead, pw);
      matrix.applyColumns(count, pw, e);
    } else {
      system.synthesise(count, x, e);
      double[] image = new double[count * m];
      system.statistics().gram().applyBlock(count, e, image);
      pw = Dense.transposed(count, m, e);
      e = Dense.transposed(count, m, image);
    }
    for (int i = 0; i < e.length; i++) e[i] /= -noise;
    for (int p = 0; p < count; p++)
      for (int s = 0; s < points.width(); s++)
        e[points.index(p, s) * count + p] += points.weight(p, s);
    double[] norm = new double[count];
    for (int i = 0; i < m; i++)
      for (int p = 0; p < count; p++) norm[p] += Math.abs(e[i * count + p]);
    double[] moved = gram.quadratics(count, pw);
    for (int p = 0; p < count; p++) {
      double v = Blas.dot(k, z, p * k, z, p * k);
      double squared = norm[p] * norm[p];
      double error =
          own * squared
              + solving * Math.sqrt(v * kernel.maxVariance())
              + rounding * Blas.dot(k, y, p * k, y, p * k)
              + (sums * Blas.dot(r, x, p * r, x, p * r) + moved[p]) / noise
              + floor();
      lower[p] = Math.max(0, v - error);
      upper[p] = v + tail * squared + error;
    }
  }

  /// `‖e‖₁/√v` of [#certify] at every lattice point, given the smallest variance.
  private double predictor(double least) {
    double squares = 0; // tr B⁻¹, and tr(GP)/σ² = k − σ² tr B⁻¹
    for (double l : factor.lower) squares += l * l;
    double freedom =
        Math.max(0, factor.active.length - noise * squares) + 1e-9 * factor.active.length;
    return GramRounding.predictor(system.statistics(), least, freedom, noise);
  }

  /// The share of any variance that the modes left out add at most, given the smallest variance.
  double missing(double least) {
    double e = predictor(least);
    return system.tail(kernel, factor.scale) * e * e;
  }

  /// Like [#certify], with `‖y‖² ≤ v/σ²` because `B ⪰ σ²I`, and `‖x‖² ≤ λv` for the largest mode's
  /// λ.
  double everywhere(StencilMatrix entries) {
    double least = GramRounding.least(entries);
    if (!(least > 0)) return Double.POSITIVE_INFINITY;
    double e = predictor(least);
    double heaviest = 0;
    for (double s : factor.scale) heaviest = Math.max(heaviest, s * s);
    double sums = 16 * SpectralCovariance.EPSILON * system.statistics().weightSum();
    double error =
        system.rounding() * kernel.maxVariance() * e * e
            + solving * Math.sqrt(kernel.maxVariance() / least)
            + (rounding + sums * heaviest + gram.relative(entries)) / noise
            + floor() / least;
    return 2 * error + missing(least);
  }
}
