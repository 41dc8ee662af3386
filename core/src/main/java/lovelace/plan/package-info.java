/// How a model is computed: which engine, why, and what that costs. Entry type: [Plan]. Imports
/// nothing; every package may import it.
@NullMarked
package lovelace.plan;

import org.jspecify.annotations.NullMarked;
