package lovelace.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The method that computes a posterior.
public enum Engine {
  /// The cheapest engine that meets the tolerance.
  AUTO,
  /// Uses the modes of a stationary kernel on a lattice.
  SPECTRAL,
  /// Treats a Matérn kernel over one input as a Markov chain. It is exact, with nodes at the inputs
  /// of the rows. It works on a lattice if grid points, ranges or the shape grid are asked for.
  MARKOV,
  /// Uses a sparse precision for a rough stationary kernel on a large lattice: sums and products of
  /// Matérn kernels.
  SPARSE,
  /// Works iteratively with products of the kernel on a lattice: any kernel, any size.
  KRYLOV,
  /// Uses dense matrices on a lattice: any kernel, but at most a few thousand points and
  /// observations.
  DENSE,
  /// Works on the rows themselves, with a dense matrix of them.
  EXACT,
  /// Works on the rows, and makes each prediction from the nearest rows: any number of inputs.
  NEIGHBOURS;

  /// Returns the engine called `auto`, `spectral`, `markov`, `sparse`, `krylov`, `dense`, `exact`
  /// or `neighbours`.
  public static Engine parse(String name) {
    for (Engine engine : values()) if (engine.toString().equals(name)) return engine;
    throw new IllegalArgumentException(
        "engine must be one of %s, got '%s'"
            .formatted(
                Arrays.stream(values()).map(Engine::toString).collect(Collectors.joining(", ")),
                name));
  }

  /// The name as [#parse] reads it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
