package lovelace.io;

import java.nio.file.Path;

/// Thrown if a file is not a model, is damaged, or has a format that this version does not know.
public final class ModelFormatException extends IllegalArgumentException {

  ModelFormatException(Path file, String problem) {
    super("'" + file + "' " + problem);
  }

  ModelFormatException(Path file, String problem, Throwable cause) {
    super("'" + file + "' " + problem, cause);
  }
}
