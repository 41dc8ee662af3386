package lovelace.onnx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import lovelace.testing.Programs;

/// A process with a folder of its own.
final class Running implements AutoCloseable {

  private final Path folder;
  private final Process process;

  private Running(Path folder, ProcessBuilder program) throws IOException {
    this.folder = folder;
    process =
        program.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    process.getOutputStream().close();
  }

  /// A browser without a window, on one page.
  static Running browser(String address) throws IOException {
    Path folder = Files.createTempDirectory("lovelace");
    return new Running(
        folder,
        new ProcessBuilder(
            Programs.require("chromium").toString(),
            "--headless",
            "--no-sandbox", // tests run as root in containers
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + folder.resolve("profile"),
            address));
  }

  /// Node with a script and an argument, where its packages are.
  static Running node(byte[] script, String argument, Path packages) throws IOException {
    Path folder = Files.createTempDirectory("lovelace");
    Path file = Files.write(folder.resolve("script.mjs"), script);
    return new Running(
        folder,
        new ProcessBuilder(Programs.require("node").toString(), file.toString(), argument)
            .directory(packages.toFile()));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// The output so far.
  String said() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Ends it with all that it started, and removes its folder.
  @Override
  public void close() throws IOException {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle each : all)
      each.onExit().completeOnTimeout(each, 10, TimeUnit.SECONDS).join();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
