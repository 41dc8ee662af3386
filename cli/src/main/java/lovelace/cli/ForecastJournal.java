package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.server.KeptForecasts;

/// The values that a server took for a file of forecasts, and that wait in the journal beside it.
final class ForecastJournal {

  private ForecastJournal() {}

  /// A file with all values: the one that is named, or a copy with those of its journal.
  static Path whole(Path file) throws IOException {
    return KeptForecasts.hasJournal(file) ? KeptForecasts.read(file).whole() : file;
  }

  /// Says how many values come from the journal.
  static void tell(Path file, PrintWriter err) throws IOException {
    if (Files.isRegularFile(file) && KeptForecasts.hasJournal(file))
      KeptForecasts.read(file).remark().ifPresent(text -> err.println("lovelace: " + text));
  }

  /// Prepares to replace a file, whose lock is held, by what was made from another, or from
  /// nothing. The values of its journal go into the file if that is the one that was read, and are
  /// not lost otherwise: then this refuses.
  static void settle(Path read, Path target) throws IOException {
    if (!Files.isRegularFile(target) || !KeptForecasts.hasJournal(target)) return;
    KeptForecasts kept = KeptForecasts.read(target);
    if (Files.exists(read) && Files.isSameFile(read, target)) kept.settle();
    else if (!kept.isWhole())
      throw new IllegalArgumentException(
          "'%s' has values in its journal that the new file would not hold: %s; write another file, or move both away first"
              .formatted(target, kept.remark().orElse("")));
  }
}
