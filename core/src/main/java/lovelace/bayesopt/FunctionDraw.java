package lovelace.bayesopt;

/// One function drawn from a surrogate: the same at every call.
@FunctionalInterface
interface FunctionDraw {

  /// The value at x; overwrites `gradient`.
  double evaluate(double[] x, double[] gradient);
}
