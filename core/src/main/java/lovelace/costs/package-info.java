/// What a fit costs, in seconds and bytes.
@NullMarked
package lovelace.costs;

import org.jspecify.annotations.NullMarked;
