/// How a model is computed: which engine, why, and at what cost. Start with [Plan]. The package
/// imports nothing, and every package may import it.
@NullMarked
package lovelace.plan;

import org.jspecify.annotations.NullMarked;
