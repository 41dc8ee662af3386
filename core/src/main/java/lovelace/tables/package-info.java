/// Chooses how a table with many columns is modelled, by rows held out, and the kernel of a map.
/// Start at [lovelace.tables.TableChoice].
@NullMarked
package lovelace.tables;

import org.jspecify.annotations.NullMarked;
