/// Data as the models see it: validated tables, target transforms, dates, and the built-in series.
/// Entry type: [lovelace.data.Dataset]. Imports nothing of Lovelace.
@NullMarked
package lovelace.data;

import org.jspecify.annotations.NullMarked;
