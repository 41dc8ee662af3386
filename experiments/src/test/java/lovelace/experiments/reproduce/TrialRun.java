package lovelace.experiments.reproduce;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Every experiment at a size that means nothing, made once for all tests.
final class TrialRun {

  private static final Path MADE = make();

  private TrialRun() {}

  /// The folder of a finished run; tests read it and copy what they change.
  static Path folder() {
    return MADE;
  }

  /// Runs what is not done yet in a folder; what the log says.
  static String run(Path out, List<String> names) throws IOException {
    StringWriter log = new StringWriter();
    new Reproduction(names, Size.TRIAL, null, out, "the command").run(new PrintWriter(log, true));
    return log.toString();
  }

  private static Path make() {
    try {
      Path folder = Files.createTempDirectory("lovelace-trial");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
      run(folder, Reproduction.names());
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
