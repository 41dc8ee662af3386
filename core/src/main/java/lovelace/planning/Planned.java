package lovelace.planning;

import lovelace.engines.Engines;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Plan;

/// The next step of a fit.
public sealed interface Planned {
  Plan plan();

  /// The start values of the parameters, or the parameters themselves.
  Hyperparameters from();

  /// Whether the rows must be read again to go from another plan to this one.
  default boolean isElsewhere(Planned before) {
    if (this instanceof OnLattice on && before instanceof OnLattice old)
      return !on.chosen().lattice().equals(old.chosen().lattice());
    return !getClass().equals(before.getClass());
  }

  /// The process of all rows, or of the nearest.
  ///
  /// @param asked whether it was asked for
  record OnRows(Plan plan, Hyperparameters from, boolean asked) implements Planned {}

  /// The chain over the places of the rows.
  ///
  /// @param settled whether it stays a chain for any learned values
  record OnPlaces(Plan plan, Hyperparameters from, boolean settled) implements Planned {}

  /// A lattice with the rows as sites between its nodes.
  ///
  /// @param asked whether sites were asked for
  record OnSites(Plan plan, Hyperparameters from, boolean asked) implements Planned {}

  /// An engine on a lattice.
  ///
  /// @param judged complete hyperparameters by which the engine was chosen
  /// @param choice the engine of the plan
  /// @param learning whether parameters are learned there
  /// @param regrid why the previous lattice was dropped; empty for the first one
  record OnLattice(
      Plan plan,
      Hyperparameters from,
      Hyperparameters judged,
      Engines.Choice choice,
      ChosenLattice chosen,
      boolean learning,
      String regrid)
      implements Planned {}
}
