package lovelace.posterior.internal;

import lovelace.posterior.Prediction;

/// The posterior of rows whose mean is linear in their target. V is the covariance of the
/// observations. Each other target of the same rows costs a solve with V.
public interface LinearRows extends RowPosterior {

  /// The process of the same rows with another target.
  LinearRows of(double[] target);

  /// Other targets of the same rows under a prior mean of zero, one array each. They need not be
  /// targets of the residuals' process.
  Others others(double[][] targets);

  /// The prediction at points. Also writes the posterior means there of processes that observed
  /// other targets of the same rows.
  ///
  /// @param others the result of [#others], of this process or of [#of]
  /// @param means overwritten, row-major, one row per point
  Prediction predict(double[] points, Others others, double[] means);

  /// The gradient of the likelihood with `½ tᵀV⁻¹ ∂V V⁻¹t` added for each of some targets t. This
  /// is the gain of the likelihood if coefficients of a mean are integrated out. The likelihood is
  /// quadratic in its target, so each term is the slope for t minus that for 0.
  default double[] restrictedGradient(double[][] targets) {
    double[] sum = likelihoodGradient();
    if (targets.length == 0) return sum;
    double[] none = of(new double[data().size()]).likelihoodGradient();
    for (double[] target : targets) {
      double[] own = of(target).likelihoodGradient();
      for (int k = 0; k < sum.length; k++) sum[k] += own[k] - none[k];
    }
    return sum;
  }

  /// The solutions for other targets.
  interface Others {

    /// A copy of `V⁻¹t` for the j-th target.
    double[] dual(int j);

    /// The posterior means at points, row-major, one row per point.
    double[] means(double[] points);

    /// The weighted means over areas of the posterior means, row-major, one row per area.
    default double[] means(Areas areas) {
      int points = areas.size(0, areas.count());
      double[] all = means(areas.points(0, areas.count()));
      return areas.means(all.length / Math.max(1, points), all);
    }
  }
}
