package lovelace.bayesopt.surrogate;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Parameter;
import lovelace.kernel.Radial;

/// The options of the model of the objective that a [lovelace.bayesopt.Tuner] keeps.
///
/// @param kind the form; AUTO decides by dimension, number of observations and likelihood
/// @param shape `matern52`, `rbf`, `matern32`, `matern12`, or a stationary kernel of your own that
///   has a lengthscale and no variance; with all values unset
/// @param groups coordinates that act together, for an additive model; empty to learn them
/// @param features a learner of the features in which the model works, if any
/// @param exactLimit the number of observations above which a model that fits on a grid uses one
/// @param gridPoints the number of points per axis of the grid; 0 to follow the lengthscales
public record Surrogates(
    Kind kind,
    Kernel shape,
    List<List<Integer>> groups,
    Optional<FeatureLearner> features,
    int exactLimit,
    int gridPoints) {

  /// The form of the model.
  public enum Kind {
    /// One kernel over all coordinates: exact for few observations, and on a grid for more in one
    /// or two dimensions. From six coordinates on, additive if that is likelier.
    AUTO,
    /// An exact Gaussian process.
    EXACT,
    /// A grid (KISS-GP with LOVE), up to three coordinates.
    GRID,
    /// A sum of functions of few coordinates each (Kandasamy et al. 2015).
    ADDITIVE
  }

  public static final Surrogates DEFAULT =
      new Surrogates(Kind.AUTO, Kernel.matern52(), List.of(), Optional.empty(), 1500, 0);

  public Surrogates {
    if (!serves(shape))
      throw new IllegalArgumentException(
          "shape must be rbf, matern12, matern32 or matern52, or a stationary kernel of your own with"
              + " a lengthscale and no variance, its values unset, got '%s'".formatted(shape));
    if (exactLimit < 2)
      throw new IllegalArgumentException("exactLimit must be >= 2, got " + exactLimit);
    if (gridPoints != 0 && gridPoints < 8)
      throw new IllegalArgumentException("gridPoints must be 0 or >= 8, got " + gridPoints);
    groups = groups.stream().map(List::copyOf).toList();
    List<Integer> all = groups.stream().flatMap(List::stream).toList();
    if (all.stream().distinct().count() < all.size() || groups.stream().anyMatch(List::isEmpty))
      throw new IllegalArgumentException(
          "groups must be non-empty and share no coordinate, got " + groups);
  }

  public Surrogates withKind(Kind value) {
    return new Surrogates(value, shape, groups, features, exactLimit, gridPoints);
  }

  private static boolean serves(Kernel shape) {
    if (!(shape instanceof Leaf leaf) || leaf.columns().length > 0 || leaf.dimensions() > 0)
      return false;
    if (leaf.categories().length > 0) return false;
    boolean known =
        leaf instanceof Radial radial
            ? radial.shape() != Radial.Shape.RATIONAL_QUADRATIC
            : !leaf.functions().isEmpty() && leaf.isStationary() && leaf.lengthscaleOffset() >= 0;
    return known
        && shape.parameters().stream().noneMatch(p -> p.role() == Parameter.Role.VARIANCE)
        && Arrays.stream(shape.values()).allMatch(Double::isNaN);
  }

  /// Sets a shape by its name. A kernel of your own is found as a service.
  public Surrogates withShape(String value) {
    return withShape(Kernel.parse(value));
  }

  public Surrogates withShape(Kernel value) {
    return new Surrogates(kind, value, groups, features, exactLimit, gridPoints);
  }

  /// An additive model of these groups of coordinates, counted from 0. Each coordinate in no group
  /// gets its own.
  public Surrogates withGroups(List<List<Integer>> value) {
    return new Surrogates(Kind.ADDITIVE, shape, value, features, exactLimit, gridPoints);
  }

  /// A model in learned features.
  public Surrogates withFeatures(FeatureLearner value) {
    return new Surrogates(kind, shape, groups, Optional.of(value), exactLimit, gridPoints);
  }

  public Surrogates withExactLimit(int value) {
    return new Surrogates(kind, shape, groups, features, value, gridPoints);
  }

  public Surrogates withGridPoints(int value) {
    return new Surrogates(kind, shape, groups, features, exactLimit, value);
  }

  /// The same text for the same settings; journals hold it.
  @Override
  public String toString() {
    return "Surrogates[kind=%s, shape=%s, groups=%s, features=%s, exactLimit=%s, gridPoints=%s]"
        .formatted(kind, shape, groups, features.orElse(null), exactLimit, gridPoints);
  }
}
