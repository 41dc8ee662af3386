/// Deep kernels: a network of DJL turns many columns into few features, and a Gaussian process on a
/// grid learns from those.
///
/// Start at [lovelace.deep.DeepKernel]; the result is a [lovelace.Model] like any other, which
/// holds its network as a [lovelace.deep.NetworkMap]. Imports core and DJL.
@NullMarked
package lovelace.deep;

import org.jspecify.annotations.NullMarked;
