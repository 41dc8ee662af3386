/// Kernels, their parameters and the prior mean: what a Gaussian process is before it sees data.
/// Start with [lovelace.kernel.Kernel]. Kernels of your own implement
/// [lovelace.kernel.KernelFunction].
@NullMarked
package lovelace.kernel;

import org.jspecify.annotations.NullMarked;
