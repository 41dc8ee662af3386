/// How long a computation may take and how much memory it may use. Start with [Budget]. The package
/// imports nothing, and every package may import it.
@NullMarked
package lovelace.budget;

import org.jspecify.annotations.NullMarked;
