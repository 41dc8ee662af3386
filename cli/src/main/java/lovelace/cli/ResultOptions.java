package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options for results that are not tables: print them as JSON, or write them to files.
final class ResultOptions {

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the results to this .json file. Commands that draw pictures also accept a "
              + "folder for them. Give it twice for both.")
  private List<Path> out = new ArrayList<>();

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  private final boolean draws;

  /// @param draws whether the command draws pictures, which need a folder
  ResultOptions(boolean draws) {
    this.draws = draws;
  }

  /// Whether standard output holds JSON and nothing else.
  boolean json() {
    return json;
  }

  /// Refuses wrong file names before any work is done.
  void check() {
    int folders = 0;
    for (Path file : out) {
      if (isFile(file)) Output.checkFolder("--out", file);
      else if (!draws)
        throw new IllegalArgumentException(
            "--out must name a file that ends in .json, got '%s'; write --out results.json"
                .formatted(file));
      else if (++folders > 1)
        throw new IllegalArgumentException(
            "--out names a second folder, '%s'; name one folder, and files that end in .json"
                .formatted(file));
    }
  }

  /// The folder for pictures; null if none is named.
  @Nullable Path folder() {
    return out.stream().filter(file -> !isFile(file)).findFirst().orElse(null);
  }

  /// Writes the results so far to the named files.
  void keep(Object results) throws IOException {
    for (Path file : out) if (isFile(file)) Output.write(file, Json.of(results) + "\n");
  }

  /// Prints the results if JSON was asked for. Returns whether it was.
  boolean print(PrintWriter print, Object results) {
    if (json) print.println(Json.of(results));
    return json;
  }

  private static boolean isFile(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
  }
}
