/// Code that tests of several modules share. Entry type: [lovelace.testing.Needs].
@NullMarked
package lovelace.testing;

import org.jspecify.annotations.NullMarked;
