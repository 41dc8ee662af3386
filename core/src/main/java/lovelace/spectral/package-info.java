/// Stationary kernels through a few modes, exact for the modes kept. Start at
/// [lovelace.spectral.SpectralEngine].
@NullMarked
package lovelace.spectral;

import org.jspecify.annotations.NullMarked;
