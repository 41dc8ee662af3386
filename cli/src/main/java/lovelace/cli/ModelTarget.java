package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.Model;
import lovelace.io.WriteLock;
import lovelace.io.WriteLock.HeldException;
import lovelace.server.KeptModel;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// The model file that a command writes. It is locked from before it is read until it is written.
/// If two commands change a file, the second begins with the result of the first.
final class ModelTarget implements AutoCloseable {

  private final CommandSpec spec;
  private final Path file;
  private final ModelOptions options;
  private final WriteLock lock;
  private @Nullable KeptModel found;

  private ModelTarget(CommandSpec spec, Path file, ModelOptions options, WriteLock lock) {
    this.spec = spec;
    this.file = file;
    this.options = options;
    this.lock = lock;
  }

  /// Fails if a file cannot be written. Called before any work is done.
  ///
  /// @param option the option that names the file
  static void check(String option, Path file) throws IOException {
    Output.checkFolder(option, file);
    try {
      WriteLock.requireNotHeld(file);
    } catch (HeldException e) {
      throw served(file, e);
    }
  }

  /// Writes a model file in place of one that was not read, and returns its length.
  static long write(CommandSpec spec, Path file, Model model, boolean covariance)
      throws IOException {
    try (ModelTarget target = lock(spec, file, new ModelOptions())) {
      return target.save(model, covariance);
    }
  }

  /// Like [#check(String, Path)], for a command that does not read the model that it replaces. It
  /// also fails if observations that wait in a journal would be lost.
  static void checkNew(String option, Path file) throws IOException {
    check(option, file);
    if (Files.isRegularFile(file)) pending(file, new ModelOptions());
  }

  /// Waits until no other process writes the file.
  static ModelTarget lock(CommandSpec spec, Path file, ModelOptions options) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    WriteLock lock;
    try {
      lock =
          WriteLock.brief(
              file,
              () ->
                  err.println(
                      "lovelace: another command is writing '%s'; waiting for its end"
                          .formatted(file)));
    } catch (HeldException e) {
      throw served(file, e);
    }
    if (lock.isMissing())
      err.println(
          "lovelace: the file system of '%s' has no locks; let only one command at a time write it"
              .formatted(file));
    return new ModelTarget(spec, file, options, lock);
  }

  static IllegalArgumentException served(Path file, HeldException e) {
    return new IllegalArgumentException(
        "a server takes observations for '%s', so nothing else may write it; send the rows to the server, stop it, or write another file"
            .formatted(file),
        e);
  }

  /// Reads a model, which may be the one to be replaced.
  Model load(Path model) throws IOException {
    KeptModel kept = options.kept(spec, model);
    if (Files.exists(file) && Files.isSameFile(model, file)) found = kept;
    return kept.model();
  }

  /// Writes the file, and returns its length.
  long save(Model model, boolean covariance) throws IOException {
    KeptModel old = found == null && Files.isRegularFile(file) ? pending(file, options) : found;
    return old == null ? model.save(file, covariance) : old.replace(model, covariance);
  }

  /// The model that is to be replaced without being read, if it has a journal; otherwise null.
  private static @Nullable KeptModel pending(Path file, ModelOptions options) throws IOException {
    if (!KeptModel.hasJournal(file)) return null;
    KeptModel old = options.read(file);
    if (old.isWhole()) return old;
    throw new IllegalArgumentException(
        "'%s' has observations in its journal that the new model would not hold: %s; write another file, or move both away first"
            .formatted(file, old.remark().orElse("")));
  }

  @Override
  public void close() {
    lock.close();
  }
}
