package lovelace.io;

import java.nio.file.Path;

/// A file that is not a model, is damaged, or was written in a format this version does not know.
public final class ModelFormatException extends IllegalArgumentException {

  ModelFormatException(Path file, String problem) {
    super("'" + file + "' " + problem);
  }

  ModelFormatException(Path file, String problem, Throwable cause) {
    super("'" + file + "' " + problem, cause);
  }
}
