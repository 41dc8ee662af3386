package lovelace.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option that says where the rows of a result go.
final class RowOutput {

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the rows to this file: .csv, .tsv, .parquet or .json, text also with .gz "
              + "(default: CSV on standard output).")
  private @Nullable String file;

  @Option(
      names = "--json",
      description = "Print the rows on standard output as JSON, one object on each line.")
  private boolean json = false;

  /// The file, or the format for standard output. It is checked before any work is done.
  String checked() {
    String named = file;
    if (named == null) return json ? Output.STANDARD_JSON : Output.STANDARD;
    if (json)
      throw new IllegalArgumentException(
          "--json prints rows on standard output, and --out writes them to '%s'; leave out one of the two"
              .formatted(named));
    Named.check("--out", () -> Output.options(named));
    if (!Output.isStandard(named)) Output.checkFolder("--out", Path.of(named));
    return named;
  }
}
