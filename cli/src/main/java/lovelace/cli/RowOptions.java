package lovelace.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a command that reads observations has beside TABLE.
final class RowOptions {

  @Mixin final TableOptions tables = new TableOptions();

  @Option(
      names = "--weights",
      paramLabel = "COLUMN",
      description = "Weights of the rows: weight w has noise variance noise/w.")
  @Nullable String weights;
}
