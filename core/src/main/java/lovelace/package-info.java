/// The front door: [lovelace.Fit] makes a [lovelace.Model] from data, and a model predicts in the
/// table's units. May import everything below.
@NullMarked
package lovelace;

import org.jspecify.annotations.NullMarked;
