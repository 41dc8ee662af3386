/// Makes engines on a lattice by name, and finds the cheapest one for some data. Start at
/// [lovelace.engines.Engines].
@NullMarked
package lovelace.engines;

import org.jspecify.annotations.NullMarked;
