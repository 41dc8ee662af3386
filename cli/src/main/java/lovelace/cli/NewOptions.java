package lovelace.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for series that have no values yet.
final class NewOptions {

  @Option(
      names = "--new",
      paramLabel = "FILE",
      description =
          "Also forecast the ids of this table, which TABLE does not have, by series that are "
              + "alike. It has the ids and columns that stay the same in a series, such as region "
              + "or size. --future may have such ids too.")
  private @Nullable String file;

  @Option(
      names = "--static",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "The columns that stay the same in a series, and tell which series are alike (default: "
              + "all such columns that both tables have).")
  private List<String> statics = List.of();

  /// Refuses wrong values before any work is done.
  ///
  /// @param sums whether sums of series are forecast
  /// @param file whether a file of forecasts is read or written
  void check(KnownOptions known, boolean sums, boolean file) {
    Optional<String> asked = this.file == null ? known.asked() : Optional.of("--new");
    if (asked.isPresent() && sums)
      throw new IllegalArgumentException(
          "--sums forecasts sums from their own histories, which %s does not explain; leave out one of the two"
              .formatted(asked.get()));
    if (asked.isPresent() && file)
      throw new IllegalArgumentException(
          "files of forecasts hold values and no columns, so %s cannot go with --model or --update; keep the table, and forecast it again"
              .formatted(asked.get()));
    String named = this.file;
    if (named != null && Output.isStandard(named))
      throw new IllegalArgumentException("--new must be a file, got '-'; name one");
    if (!statics.isEmpty() && named == null && !known.hasFuture())
      throw new IllegalArgumentException(
          "--static names columns by which new ids are forecast, and neither --new nor --future has such ids; add --new FILE");
  }

  /// Whether there is a table of new ids.
  boolean given() {
    return file != null;
  }

  List<String> statics() {
    return statics.stream().map(String::strip).toList();
  }

  /// Opens the table of new ids.
  Optional<Table> open() throws IOException {
    String named = file;
    return named == null ? Optional.empty() : Optional.of(Table.of("--new", named));
  }
}
