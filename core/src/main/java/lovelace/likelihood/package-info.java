/// How observations depend on the function: counts, classes, amounts, outliers. Start at
/// [lovelace.likelihood.Likelihood].
@NullMarked
package lovelace.likelihood;

import org.jspecify.annotations.NullMarked;
