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
  /// Treats a Matérn kernel over one input as a Markov chain over the points of a lattice.
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
  /// Works on the rows, and treats a Matérn kernel over one input as a Markov chain over their
  /// places. It is exact.
  CHAIN,
  /// Works on the rows under a rough stationary kernel. Their places and the points of a grid have
  /// a sparse precision.
  SITES,
  /// Works on the rows, and makes each prediction from the nearest rows: any number of inputs.
  NEIGHBOURS;

  /// Returns the engine called `auto`, `spectral`, `markov`, `sparse`, `krylov`, `dense`, `exact`,
  /// `chain`, `sites` or `neighbours`.
  public static Engine parse(String name) {
    for (Engine engine : values()) if (engine.toString().equals(name)) return engine;
    throw new IllegalArgumentException(
        "engine must be one of %s, got '%s'"
            .formatted(
                Arrays.stream(values()).map(Engine::toString).collect(Collectors.joining(", ")),
                name));
  }

  /// Whether it works on the rows themselves and on nothing else, so that its models hold them.
  public boolean holdsRows() {
    return switch (this) {
      case EXACT, CHAIN, SITES, NEIGHBOURS -> true;
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE -> false;
    };
  }

  /// The name as [#parse] reads it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
