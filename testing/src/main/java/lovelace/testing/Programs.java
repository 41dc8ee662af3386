package lovelace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Finds the programs that tests need besides a JDK. The list is `programs.txt` beside this class,
/// which `testing/programs` (called by `./check`) reads too. A program is there if one of its
/// commands is on the path and runs with `--version`. A command `python3:MODULE` is there if a
/// Python on the path has that module.
public final class Programs {

  /// The programs on this process's path.
  public static final Programs INSTALLED =
      new Programs(Objects.requireNonNullElse(System.getenv("PATH"), ""));

  private static final long PATIENCE = 30; // seconds that a command may take to show that it runs

  private final List<Path> folders;
  private final Map<String, Optional<Path>> found = new ConcurrentHashMap<>();

  Programs(String path) {
    folders =
        Arrays.stream(path.split(File.pathSeparator))
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList();
  }

  /// The command of a program in the list; empty if the program is missing.
  public Optional<Path> find(String name) {
    List<String> commands = commands(name);
    return found.computeIfAbsent(
        name,
        n ->
            commands.stream()
                .flatMap(
                    command -> {
                      List<String> parts = Arrays.asList(command.split(":", 2));
                      List<String> check =
                          parts.size() == 1
                              ? List.of("--version")
                              : List.of("-c", "import " + parts.get(1));
                      return folders.stream()
                          .map(folder -> folder.resolve(parts.getFirst()))
                          .filter(file -> runs(file, check));
                    })
                .findFirst());
  }

  /// The command of a program that a test [Needs].
  public static Path require(String name) {
    return INSTALLED
        .find(name)
        .orElseThrow(
            () ->
                new AssertionError(
                    "this test needs %s; annotate it with @Needs(\"%s\")".formatted(name, name)));
  }

  private static List<String> commands(String name) {
    try (InputStream in = Programs.class.getResourceAsStream("programs.txt")) {
      if (in == null) throw new IllegalStateException("programs.txt is missing");
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split("\\|"))
          .filter(entry -> entry[0].strip().equals(name))
          .findFirst()
          .map(entry -> List.of(entry[1].strip().split(" +")))
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "'%s' is not in programs.txt; add it there".formatted(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean runs(Path command, List<String> check) {
    if (!Files.isExecutable(command) || Files.isDirectory(command)) return false;
    try {
      Process process =
          new ProcessBuilder(Stream.concat(Stream.of(command.toString()), check.stream()).toList())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      if (process.waitFor(PATIENCE, TimeUnit.SECONDS)) return process.exitValue() == 0;
      process.destroyForcibly();
      return false;
    } catch (IOException e) {
      return false; // a file that cannot be started
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
