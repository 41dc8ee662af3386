/// Data and functions to try things on: the airline series, test functions of optimisation.
@NullMarked
package lovelace.example;

import org.jspecify.annotations.NullMarked;
