/// Statistics of the data in terms of a few modes of the kernel: Fourier modes, its own
/// eigenvectors, or Lanczos vectors. The spectral and the Krylov engine use them. Start at
/// [lovelace.modes.ModeStatistics].
@NullMarked
package lovelace.modes;

import org.jspecify.annotations.NullMarked;
