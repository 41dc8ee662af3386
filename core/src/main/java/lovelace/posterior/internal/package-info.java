/// Code that posteriors share and users do not need: checks of points, joint normal draws,
/// posteriors that hold their rows.
@NullMarked
package lovelace.posterior.internal;

import org.jspecify.annotations.NullMarked;
