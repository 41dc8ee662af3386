/// Deep kernels: a network of DJL turns many columns into few features, and a Gaussian process on a
/// grid learns from those.
///
/// Start with [lovelace.deep.DeepKernel]. The result is a [lovelace.Model] like any other; it holds
/// its network as a [lovelace.deep.NetworkMap]. The package imports core and DJL.
@NullMarked
package lovelace.deep;

import org.jspecify.annotations.NullMarked;
