package lovelace.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import lovelace.Model;
import lovelace.options.Options;

/// A model as the disk holds it: the model file, and the journal beside it with observations that a
/// server has acknowledged and not yet written to the file. Reading changes nothing and needs no
/// lock. A writer must have held the [lovelace.io.WriteLock] of the file since before it was read.
public final class KeptModel {

  private final KeptContent kept;
  private final Model model;

  private KeptModel(KeptContent kept, Model model) {
    this.kept = kept;
    this.model = model;
  }

  /// Reads a model file.
  @FunctionalInterface
  public interface Reader {
    Model read(Path file) throws IOException;
  }

  /// Reads a model file with its journal. A server may write both meanwhile.
  ///
  /// @param maker the maker of the model with the observations
  public static KeptModel read(Path file, Reader reader, Options.Maker maker) throws IOException {
    KeptContent kept = KeptContent.read(file, path -> new ModelContent(reader.read(path)), maker);
    return new KeptModel(kept, ((ModelContent) kept.content()).model());
  }

  /// Whether a model file has a journal beside it.
  public static boolean hasJournal(Path file) throws IOException {
    return KeptContent.hasJournal(file);
  }

  /// The model with all observations of the journal that can be read.
  public Model model() {
    return model;
  }

  /// The number of rows of the model that are only in the journal.
  public int rows() {
    return kept.rows();
  }

  /// Whether the file can be replaced without loss. It cannot if a journal of this model has
  /// observations that the file lacks, or may have some.
  public boolean isWhole() {
    return kept.isWhole();
  }

  /// A remark for the user on the state of the journal.
  public Optional<String> remark() {
    return kept.remark();
  }

  /// Writes another model in place of this one, and returns the file's length. First it puts the
  /// observations of the journal into the file and deletes the journal. So a crash at any moment
  /// leaves each of them in one of the two.
  ///
  /// @throws IllegalArgumentException if the journal is damaged
  /// @throws IOException also if another process has replaced the file since it was read
  public long replace(Model next, boolean covariance) throws IOException {
    return kept.replace(new ModelContent(next), covariance);
  }
}
