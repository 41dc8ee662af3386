package lovelace.laplace;

import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;

/// A Gaussian process of working observations: targets z with noise variances 1/w at places that
/// stay the same, while w and z change from one Newton step to the next. An engine behind it does
/// the algebra. With K the prior covariance between the places and μ the prior mean, `A = K +
/// diag(1/w)` and `P = (K⁻¹ + diag(w))⁻¹`. Immutable.
public interface WorkingProcess {

  /// The engine.
  String name();

  /// The number of places.
  int size();

  /// μ at the places.
  double[] prior(Hyperparameters working);

  /// Conditions on working observations.
  ///
  /// @param working kernel and mean; the noise is 1 and held
  /// @param weights w, all > 0; kept
  /// @param targets z; kept
  /// @param start what [Solution#next] of an earlier solution handed on
  Solution solve(Hyperparameters working, double[] weights, double[] targets, WarmStart start);

  /// The process given working observations. What is not asked for is not computed.
  interface Solution {

    /// f, the posterior means at the places: `f = z − (1/w) A⁻¹(z − μ)`. Not to be modified.
    double[] means();

    /// The posterior variances at the places, `diag P`. Not to be modified.
    double[] variances();

    /// `log N(z; μ, A)`; −∞ where the engine cannot tell.
    double evidence();

    /// The gradient of [#evidence] at fixed z and w, in the order of the working parameters, plus
    /// `(A⁻¹δ)ᵀ ∂(μ + K A⁻¹(z − μ))/∂θ`, the slope of what moving the targets along δ does to it.
    double[] gradient(double[] delta);

    /// `P diag(w) δ`, how far the means move as the targets move by δ.
    double[] response(double[] delta);

    /// What a solution at similar weights or parameters may start from.
    WarmStart next();
  }
}
