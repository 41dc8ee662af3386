/// Kernels, their parameters and the prior mean: what a Gaussian process is before it sees data.
/// Entry type: [lovelace.kernel.Kernel]; kernels of one's own come in by
/// [lovelace.kernel.KernelFunction]. Imports nothing of Lovelace.
@NullMarked
package lovelace.kernel;

import org.jspecify.annotations.NullMarked;
