/// How observations depend on the function: counts, classes, amounts, outliers. Start with
/// [lovelace.likelihood.Likelihood].
@NullMarked
package lovelace.likelihood;

import org.jspecify.annotations.NullMarked;
