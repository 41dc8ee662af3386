/// The front door: [lovelace.Fit] makes a [lovelace.Model] from data, and a model predicts in the
/// units of the table. This package may import all others.
@NullMarked
package lovelace;

import org.jspecify.annotations.NullMarked;
