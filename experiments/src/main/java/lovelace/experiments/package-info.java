/// Benchmarks, and the paper's tables and figures with peers side by side.
@NullMarked
package lovelace.experiments;

import org.jspecify.annotations.NullMarked;
