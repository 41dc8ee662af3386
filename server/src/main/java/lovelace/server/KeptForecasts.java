package lovelace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import lovelace.options.Options;

/// Forecasts as the disk holds them: their file, and the journal beside it with values that a
/// server has acknowledged and not yet written to the file. Reading changes nothing and needs no
/// lock. A writer must have held the [lovelace.io.WriteLock] of the file since before it was read.
public final class KeptForecasts {

  private final Path file;
  private final KeptContent kept;

  private KeptForecasts(Path file, KeptContent kept) {
    this.file = file;
    this.kept = kept;
  }

  /// Whether a file has a journal beside it.
  public static boolean hasJournal(Path file) throws IOException {
    return KeptContent.hasJournal(file);
  }

  /// Reads a file with its journal. A server may write both meanwhile.
  public static KeptForecasts read(Path file) throws IOException {
    return new KeptForecasts(
        file, KeptContent.read(file, ForecastContent::load, Options.Maker.LIBRARY));
  }

  /// Whether the file can be replaced without loss. It cannot if its journal has values that the
  /// file lacks, or may have some.
  public boolean isWhole() {
    return kept.isWhole();
  }

  /// A remark for the user on the state of the journal.
  public Optional<String> remark() {
    return kept.remark();
  }

  /// A file with all values: the file itself, or a copy with those of the journal. The copy lasts
  /// until the program ends.
  public Path whole() throws IOException {
    if (kept.rows() == 0) return file;
    Path copy = Files.createTempFile("lovelace", ".lvf");
    copy.toFile().deleteOnExit();
    kept.content().save(copy, true);
    return copy;
  }

  /// Puts the values of the journal into the file, and deletes the journal. A crash at any moment
  /// leaves each of them in one of the two.
  ///
  /// @throws IllegalArgumentException if the journal is damaged
  public void settle() throws IOException {
    kept.settle();
  }
}
