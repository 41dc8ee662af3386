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

  @Option(
      names = "--missing",
      paramLabel = "error|skip",
      description = "What to do with rows that lack a value (default: error).")
  Table.Missing missing = Table.Missing.ERROR;
}
