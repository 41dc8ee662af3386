/// Functions to try optimisation on.
@NullMarked
package lovelace.example;

import org.jspecify.annotations.NullMarked;
