package lovelace.way;

import lovelace.grid.Lattice;

/// The names of two models in messages.
public record Pair(String first, String other) {

  /// The error that the models differ in something that they must share.
  public IllegalArgumentException unlike(String what, Object mine, Object theirs) {
    return new IllegalArgumentException(
        "'%s' and '%s' have different %s, %s and %s; fit both the same way to merge them"
            .formatted(first, other, what, mine, theirs));
  }

  /// The error that the models have different lattices.
  IllegalArgumentException differentGrids(Lattice mine, Lattice theirs) {
    return new IllegalArgumentException(
        "'%s' and '%s' lie on different grids, a %s and a %s; fit both with the same grid and bounds to merge them"
            .formatted(first, other, mine, theirs));
  }
}
