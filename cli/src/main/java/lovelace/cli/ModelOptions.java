package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.Model;
import lovelace.data.Trust;
import lovelace.options.Options;
import lovelace.server.KeptModel;
import picocli.CommandLine.Model.CommandSpec;
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

  /// Reads an existing model file with the observations in its journal, and remarks on these.
  Model load(CommandSpec spec, Path file) throws IOException {
    return kept(spec, file).model();
  }

  /// Like [#load], but also returns what the disk holds of the model.
  KeptModel kept(CommandSpec spec, Path file) throws IOException {
    requireFile(file);
    KeptModel kept = read(file);
    PrintWriter err = spec.commandLine().getErr();
    kept.remark().ifPresent(text -> err.println("lovelace: " + text));
    return kept;
  }

  /// Like [#kept], without remarks.
  KeptModel read(Path file) throws IOException {
    return KeptModel.read(
        file,
        model -> Model.load(model, trust()),
        new Options.Maker(Version.number(), "lovelace serve"));
  }

  /// Fails if a model file is missing.
  static void requireFile(Path file) {
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "there is no model '" + file + "'; make one with 'lovelace fit … --model FILE'");
    if (Files.isDirectory(file))
      throw new IllegalArgumentException("'" + file + "' is a folder; name a model file");
    ForecastFiles.refuse(file);
  }
}
