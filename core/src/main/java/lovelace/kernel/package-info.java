/// Kernels, their parameters and the prior mean, which define a Gaussian process before it sees
/// data. Start with [lovelace.kernel.Kernel]. Kernels of your own implement
/// [lovelace.kernel.KernelFunction].
@NullMarked
package lovelace.kernel;

import org.jspecify.annotations.NullMarked;
