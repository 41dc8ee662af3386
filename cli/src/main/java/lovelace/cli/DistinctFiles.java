package lovelace.cli;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Refuses results that would replace a file that is read, or one another.
final class DistinctFiles {

  private static final Set<String> READ = Set.of("--future", "--new", "--at", "--holidays");

  private static final Set<String> WRITTEN =
      Set.of(
          "--out",
          "--draws-out",
          "--total-out",
          "--report",
          "--components",
          "--fitted",
          "--anomalies",
          "--coefficients",
          "--plot",
          "--model",
          "--update");

  /// A file that goes on may be written where it was read.
  private static final Set<String> GOES_ON = Set.of("--model", "--update");

  private DistinctFiles() {}

  /// Compares the files of a command before any work is done.
  static void check(CommandSpec spec) {
    var parsed = spec.commandLine().getParseResult();
    Map<String, String> read = new LinkedHashMap<>();
    for (PositionalParamSpec each : parsed.matchedPositionals())
      for (String file : each.stringValues()) read.put("the table", file);
    for (OptionSpec each : parsed.matchedOptions())
      if (READ.contains(each.longestName()))
        for (String file : each.stringValues()) read.put(each.longestName(), file);
    Map<String, String> written = new LinkedHashMap<>();
    for (OptionSpec each : parsed.matchedOptions()) {
      String option = each.longestName();
      if (!WRITTEN.contains(option)) continue;
      for (String file : each.stringValues()) {
        read.forEach(
            (reader, other) -> {
              if (isSame(other, file))
                throw new IllegalArgumentException(
                    "%s '%s' would replace a file that is read (%s); name another file"
                        .formatted(option, file, reader));
            });
        written.forEach(
            (writer, other) -> {
              boolean both = GOES_ON.contains(option) && GOES_ON.contains(writer);
              if (!both && isSame(other, file))
                throw new IllegalArgumentException(
                    "%s and %s both name '%s', and one result would replace the other; name different files"
                        .formatted(writer, option, file));
            });
        written.put(option, file);
      }
    }
  }

  /// Whether a name, which may be a pattern of several files, means a file.
  private static boolean isSame(String name, String file) {
    if (Output.isStandard(name) || Output.isStandard(file)) return false;
    Optional<Path> a = path(name);
    Optional<Path> b = path(file);
    if (a.isEmpty() || b.isEmpty()) return false;
    if (a.get().equals(b.get())) return true;
    if (Files.exists(a.get()) || !Files.exists(b.get()) || !name.matches(".*[*?\\[].*"))
      return false;
    return FileSystems.getDefault().getPathMatcher("glob:" + a.get()).matches(b.get());
  }

  /// The place of a file; empty for what is no file, such as an address.
  private static Optional<Path> path(String name) {
    if (name.contains("://")) return Optional.empty();
    try {
      Path path = Path.of(name).toAbsolutePath().normalize();
      return Optional.of(Files.exists(path) ? path.toRealPath() : path);
    } catch (InvalidPathException | IOException e) {
      return Optional.empty();
    }
  }
}
