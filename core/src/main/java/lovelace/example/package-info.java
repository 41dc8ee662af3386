/// Test functions for optimisation.
@NullMarked
package lovelace.example;

import org.jspecify.annotations.NullMarked;
