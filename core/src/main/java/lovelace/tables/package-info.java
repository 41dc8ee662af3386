/// How a table with many columns is modelled: what rows held out say; and the kernel of a map.
/// Start at [lovelace.tables.TableChoice].
@NullMarked
package lovelace.tables;

import org.jspecify.annotations.NullMarked;
