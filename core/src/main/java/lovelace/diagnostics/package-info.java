/// Checks of a posterior with the rows that it has learned from: leave-one-out predictions and the
/// variogram.
@NullMarked
package lovelace.diagnostics;

import org.jspecify.annotations.NullMarked;
