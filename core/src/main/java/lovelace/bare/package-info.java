/// A posterior without its wrappers: [lovelace.bare.Bare] takes off the drift and the features. No
/// other class does.
@NullMarked
package lovelace.bare;

import org.jspecify.annotations.NullMarked;
