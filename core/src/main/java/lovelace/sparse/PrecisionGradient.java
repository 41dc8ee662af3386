package lovelace.sparse;

/// The derivative of a sum of terms in Q, in all parameters of the kernel at once, with the
/// conditioning sets held. Terms are added first; they become sums of each shape, and [#into] takes
/// these through the regressions, for any number of terms at once.
///
/// With M = xxᵀ or a given matrix: `tr(M ∂Q) = Σᵢ [2 ∂vᵢᵀ Mvᵢ/Dᵢ − vᵢᵀMvᵢ ∂Dᵢ/Dᵢ²]`.
public final class PrecisionGradient {

  private final LatticePrecision precision;
  private final LocalRegressions regressions;
  private final double[][] products; // Σ M v of each shape
  private double determinant;

  PrecisionGradient(LatticePrecision precision) {
    this.precision = precision;
    regressions = precision.regressions();
    products = new double[regressions.sets().shapes()][];
    for (int s = 0; s < products.length; s++) products[s] = new double[regressions.row(s).length];
  }

  /// Adds `weight · xᵀQx`.
  public PrecisionGradient quadratic(double weight, double[] x) {
    ConditioningSets sets = regressions.sets();
    double[] t = new double[x.length];
    precision.residuals(x, t);
    for (int i = 0; i < x.length; i++) {
      double[] sum = products[sets.shapeOf(i)];
      int[] jumps = sets.jumps(sets.shapeOf(i));
      double scale = weight * t[i];
      for (int q = 0; q < sum.length; q++) sum[q] += scale * x[i + jumps[q]];
    }
    return this;
  }

  /// Adds `weight · tr(Z Q)` for a symmetric Z that is held, given by its entries on a pattern that
  /// holds Q's: with the entries of an inverse Λ⁻¹ the derivative of log|Λ|, Λ = Q + a constant.
  public PrecisionGradient trace(double weight, SparsePattern on, double[] z) {
    precision.contract(on, z, weight, products);
    return this;
  }

  /// Adds `weight · log|Q|`.
  public PrecisionGradient logDeterminant(double weight) {
    determinant += weight;
    return this;
  }

  /// Adds the derivative of all terms to g, natural scale, in the order of the kernel's values.
  public void into(double[] g) {
    ConditioningSets sets = regressions.sets();
    double[][] w = new double[products.length][];
    double[] c = new double[products.length];
    for (int s = 0; s < w.length; s++) {
      double variance = regressions.variance(s);
      double[] v = regressions.row(s);
      w[s] = new double[v.length];
      double sum = 0;
      for (int q = 0; q < v.length; q++) {
        w[s][q] = 2 * products[s][q] / variance;
        sum += products[s][q] * v[q];
      }
      c[s] = -sum / (variance * variance) - determinant * sets.nodesOf(s) / variance;
    }
    regressions.gradient(w, c, g);
  }
}
