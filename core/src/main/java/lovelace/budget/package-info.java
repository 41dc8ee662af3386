/// How long a computation may take and how much memory it may use. Entry type: [Budget]. Imports
/// nothing; every package may import it.
@NullMarked
package lovelace.budget;

import org.jspecify.annotations.NullMarked;
