/// Posteriors that follow a stream of rows, in memory. Start with [lovelace.online.Online].
@NullMarked
package lovelace.online;

import org.jspecify.annotations.NullMarked;
