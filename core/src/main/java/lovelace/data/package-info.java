/// Data as the models see it: validated tables, target transforms, dates, and the built-in series.
/// Start with [lovelace.data.Dataset].
@NullMarked
package lovelace.data;

import org.jspecify.annotations.NullMarked;
