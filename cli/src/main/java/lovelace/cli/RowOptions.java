package lovelace.cli;

import picocli.CommandLine.Mixin;

/// The options, beside TABLE, of a command that reads observations.
final class RowOptions {

  @Mixin final TableOptions tables = new TableOptions();

  @Mixin final SizeOptions sizes = new SizeOptions();
}
