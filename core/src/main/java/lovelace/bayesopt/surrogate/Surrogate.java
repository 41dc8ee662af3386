package lovelace.bayesopt.surrogate;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What is known of the objective on the unit cube, given the observations. Immutable.
///
/// The function is latent (without noise) and in the units in which the model learns. Points are
/// row-major.
public interface Surrogate {

  /// Coordinates of a point.
  int dimensions();

  /// The variance of the noise of an observation.
  double noise();

  /// Fills means and variances of `count` points.
  void predict(int count, double[] points, double[] means, double[] variances);

  /// Fills `out` with `[mean, variance, ∂mean/∂x…, ∂variance/∂x…]` at x.
  void gradient(double[] x, double[] out);

  /// The surrogate as if its mean had been observed at x, noise included: nothing but variances
  /// changes.
  Surrogate believing(double[] x);

  /// Joint draws at the points, `count × t` row-major. Draws need not know of points only believed
  /// in.
  double[] sample(double[] points, int count, RandomGenerator random);

  /// Draws of functions.
  List<FunctionDraw> functions(int count, RandomGenerator random);

  /// Places of a regular grid over the cube, row-major, where predictions are cheap enough to scan
  /// them all; null where spread points serve better.
  default double @Nullable [] scan() {
    return null;
  }

  /// What it is, in a few words.
  String describe();

  /// One function drawn from a surrogate: the same at every call.
  @FunctionalInterface
  interface FunctionDraw {

    /// The value at x; overwrites `gradient`.
    double evaluate(double[] x, double[] gradient);
  }
}
