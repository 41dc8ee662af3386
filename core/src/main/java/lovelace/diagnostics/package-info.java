/// Checks of a posterior by the rows that it has learned from: each left out in turn, and the
/// variogram.
@NullMarked
package lovelace.diagnostics;

import org.jspecify.annotations.NullMarked;
