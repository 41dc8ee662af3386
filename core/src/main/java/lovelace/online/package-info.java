/// Posteriors that follow a stream of rows, in memory. Start at [lovelace.online.Online].
@NullMarked
package lovelace.online;

import org.jspecify.annotations.NullMarked;
