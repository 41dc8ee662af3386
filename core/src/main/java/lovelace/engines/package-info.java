/// The engines on a lattice by name, and which of them is cheapest for some data. Start at
/// [lovelace.engines.Engines].
@NullMarked
package lovelace.engines;

import org.jspecify.annotations.NullMarked;
