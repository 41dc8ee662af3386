/// The `lovelace` command line. Entry type: [lovelace.cli.Main]; every command is one class that
/// [lovelace.cli.Main] lists as a subcommand.
///
/// A command writes results to `spec.commandLine().getOut()` and remarks to `getErr()`, throws
/// [IllegalArgumentException] for wrong use or bad input (exit code 2) and any other exception for
/// a failure (exit code 1). It need not know about threads: it already runs in the pool that
/// `--threads` asked for.
@NullMarked
package lovelace.cli;

import org.jspecify.annotations.NullMarked;
