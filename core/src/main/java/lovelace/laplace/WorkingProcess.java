package lovelace.laplace;

import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;

/// A Gaussian process of working observations: targets z with noise variances 1/w at fixed places,
/// while w and z change from one Newton step to the next. An engine does the algebra. K is the
/// prior covariance between the places and μ the prior mean, `A = K + diag(1/w)` and `P = (K⁻¹ +
/// diag(w))⁻¹`. Immutable.
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
  /// @param weights w, all > 0; not copied
  /// @param targets z; not copied
  /// @param start the result of [Solution#next] for an earlier solution
  Solution solve(Hyperparameters working, double[] weights, double[] targets, WarmStart start);

  /// The process given working observations. Each result is computed only when it is asked for.
  interface Solution {

    /// f, the posterior means at the places: `f = z − (1/w) A⁻¹(z − μ)`. Not to be modified.
    double[] means();

    /// The posterior variances at the places, `diag P`. Not to be modified.
    double[] variances();

    /// `log N(z; μ, A)`; −∞ if the engine cannot compute it.
    double evidence();

    /// The gradient of [#evidence] at fixed z and w, in the order of the working parameters, plus
    /// `(A⁻¹δ)ᵀ ∂(μ + K A⁻¹(z − μ))/∂θ`, which is its slope as the targets move along δ.
    double[] gradient(double[] delta);

    /// `P diag(w) δ`: the change of the means if the targets move by δ.
    double[] response(double[] delta);

    /// The start for a solution at similar weights or parameters.
    WarmStart next();
  }
}
