package lovelace.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import lovelace.io.AtomicFile;
import lovelace.io.Stamp;
import lovelace.options.Options;
import org.jspecify.annotations.Nullable;

/// Content as the disk holds it: a file, and the journal beside it with observations that a server
/// has acknowledged and not yet written to the file. Reading changes nothing and needs no lock. A
/// writer must have held the [lovelace.io.WriteLock] of the file since before it was read.
final class KeptContent {

  private static final int TRIES = 20;

  /// Reads a file.
  @FunctionalInterface
  interface Reader {
    Content read(Path file) throws IOException;
  }

  private final Path file;
  private final Path journal;
  private final @Nullable Replay replay; // null: there is no journal
  private final Content content;
  private Stamp stamp;

  private KeptContent(
      Path file, Path journal, @Nullable Replay replay, Content content, Stamp stamp) {
    this.file = file;
    this.journal = journal;
    this.replay = replay;
    this.content = content;
    this.stamp = stamp;
  }

  /// Reads a file with its journal. A server may write both meanwhile.
  ///
  /// @param maker the maker of the content with the observations
  static KeptContent read(Path file, Reader reader, Options.Maker maker) throws IOException {
    Path journal = Journal.of(file);
    for (int i = 1; ; i++) {
      Stamp stamp = Stamp.of(file);
      Content held = reader.read(file);
      byte @Nullable [] bytes = bytes(journal);
      // the server writes the file first, so an unchanged file fits the journal that was read after
      // it
      if (i < TRIES && !stamp.equals(Stamp.of(file))) continue;
      if (bytes == null) return new KeptContent(file, journal, null, held, stamp);
      Replay replay = new Replay(bytes, held);
      return new KeptContent(file, journal, replay, replay.onto(maker, journal), stamp);
    }
  }

  private static byte @Nullable [] bytes(Path journal) throws IOException {
    try {
      return Files.readAllBytes(journal);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /// Whether a file has a journal beside it.
  static boolean hasJournal(Path file) throws IOException {
    return Files.exists(Journal.of(file));
  }

  /// The content with all observations of the journal that can be read.
  Content content() {
    return content;
  }

  /// The number of rows that are only in the journal.
  int rows() {
    return replay == null ? 0 : replay.rows.size();
  }

  /// Whether the file can be replaced without loss. It cannot if a journal of this model has
  /// observations that the file lacks, or may have some.
  boolean isWhole() {
    return replay == null || (rows() == 0 && replay.state() != Replay.State.DAMAGED);
  }

  /// A remark for the user on the state of the journal.
  Optional<String> remark() {
    if (replay == null) return Optional.empty();
    return switch (replay.state()) {
      case FOREIGN ->
          Optional.of(
              "the journal '%s' belongs to another model, so its observations are not in '%s'; observe them again, or move it away"
                  .formatted(journal, file));
      case DAMAGED ->
          Optional.of(
              String.format(
                  Locale.ROOT,
                  "the journal '%s' is damaged: %s; %,d rows before that are used, and 'lovelace serve --allow-updates' sets it aside",
                  journal,
                  replay.why(),
                  rows()));
      case WHOLE, TORN ->
          rows() == 0
              ? Optional.empty()
              : Optional.of(
                  String.format(
                      Locale.ROOT,
                      "%,d of the %,d rows come from the journal '%s', which is not written to '%s' yet",
                      rows(),
                      content.count(),
                      journal,
                      file));
    };
  }

  /// Writes other content in place of this, and returns the file's length. First it puts the
  /// observations of the journal into the file and deletes the journal. So a crash at any moment
  /// leaves each of them in one of the two.
  ///
  /// @throws IllegalArgumentException if the journal is damaged
  /// @throws IOException also if another process has replaced the file since it was read
  long replace(Content next, boolean covariance) throws IOException {
    settle();
    return write(next, covariance);
  }

  /// Puts the observations of the journal into the file, and deletes the journal.
  void settle() throws IOException {
    if (replay == null || replay.state() == Replay.State.FOREIGN) return;
    if (replay.state() == Replay.State.DAMAGED)
      throw new IllegalArgumentException(
          "the journal '%s' is damaged: %s; start 'lovelace serve --allow-updates', which keeps what is whole and sets it aside, or move it away"
              .formatted(journal, replay.why()));
    if (rows() > 0) write(content, true);
    Files.deleteIfExists(journal);
    AtomicFile.syncName(file, FileChannel::open);
  }

  private long write(Content whole, boolean covariance) throws IOException {
    long[] length = {0};
    AtomicFile.write(
        file,
        next -> {
          length[0] = whole.save(next, covariance);
          if (!Stamp.of(file).equals(stamp))
            throw new IOException(
                "somebody else has replaced it since it was read; run the command again");
        });
    stamp = Stamp.of(file);
    return length[0];
  }
}
