/// The models that a tuner uses: exact, on a grid, or over features. Start at
/// [lovelace.bayesopt.surrogate.Surrogates].
@NullMarked
package lovelace.bayesopt.surrogate;

import org.jspecify.annotations.NullMarked;
