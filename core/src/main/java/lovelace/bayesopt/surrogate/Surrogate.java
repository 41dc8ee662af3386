package lovelace.bayesopt.surrogate;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A model of the objective on the unit cube, given the observations. Immutable.
///
/// The function is latent (without noise), in the units in which the model learns. Points are
/// row-major.
public interface Surrogate {

  /// The number of coordinates of a point.
  int dimensions();

  /// The variance of the noise of an observation.
  double noise();

  /// Fills means and variances of `count` points.
  void predict(int count, double[] points, double[] means, double[] variances);

  /// Fills `out` with `[mean, variance, ∂mean/∂x…, ∂variance/∂x…]` at x.
  void gradient(double[] x, double[] out);

  /// Returns this surrogate as if its mean had been observed at x, with noise. Only variances
  /// change.
  Surrogate believing(double[] x);

  /// Joint draws at the points, `count × t` row-major. Draws may ignore points that are only
  /// believed in.
  double[] sample(double[] points, int count, RandomGenerator random);

  /// Draws of functions.
  List<FunctionDraw> functions(int count, RandomGenerator random);

  /// The points of a regular grid over the cube, row-major, if predictions are cheap enough to scan
  /// them all; null if spread points are better.
  default double @Nullable [] scan() {
    return null;
  }

  /// A short description of the model.
  String describe();

  /// One function drawn from a surrogate. It is the same at every call.
  @FunctionalInterface
  interface FunctionDraw {

    /// The value at x. Overwrites `gradient`.
    double evaluate(double[] x, double[] gradient);
  }
}
