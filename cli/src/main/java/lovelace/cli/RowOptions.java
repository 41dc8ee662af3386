package lovelace.cli;

import picocli.CommandLine.Mixin;

/// What a command that reads observations has beside TABLE.
final class RowOptions {

  @Mixin final TableOptions tables = new TableOptions();

  @Mixin final SizeOptions sizes = new SizeOptions();
}
