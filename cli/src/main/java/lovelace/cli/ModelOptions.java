package lovelace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.Model;
import lovelace.data.Trust;
import picocli.CommandLine.Option;

/// How commands read model files.
final class ModelOptions {

  @Option(
      names = "--trust-code",
      description =
          "Load a network that is code (TorchScript, or a class that the file names). Use it "
              + "only with model files from people you trust.")
  private boolean code = false;

  Trust trust() {
    return code ? Trust.CODE : Trust.DATA;
  }

  /// Reads a model file that must be there.
  Model load(Path file) throws IOException {
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "there is no model '" + file + "'; make one with 'lovelace fit … --model FILE'");
    if (Files.isDirectory(file))
      throw new IllegalArgumentException("'" + file + "' is a folder; name a model file");
    return Model.load(file, trust());
  }
}
