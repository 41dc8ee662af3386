package lovelace.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// Which way of computing a posterior to take, or which one was taken.
public enum Engine {
  /// The cheapest that meets the tolerance.
  AUTO,
  /// By the modes of a stationary kernel on a lattice.
  SPECTRAL,
  /// A Matérn kernel over one input as a Markov chain: exact, its nodes at the places of the rows;
  /// on a lattice where grid points, ranges or the shape grid are asked for.
  MARKOV,
  /// A rough stationary kernel on a large lattice, by a sparse precision: sums and products of
  /// Matérn kernels.
  SPARSE,
  /// By products with the kernel on a lattice, iteratively: any kernel, any size.
  KRYLOV,
  /// By dense matrices on a lattice: any kernel, and at most a few thousand points and
  /// observations.
  DENSE,
  /// The process of the rows themselves, by a dense matrix of them.
  EXACT,
  /// The process of the rows, each prediction by the nearest of them: any number of inputs.
  NEIGHBOURS;

  /// The engine called `auto`, `spectral`, `markov`, `sparse`, `krylov`, `dense`, `exact` or
  /// `neighbours`.
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
