package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a command's results go that are no table: printed as JSON, or written to files.
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

  /// Says what is wrong with the names, before any work is done.
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

  /// The folder for pictures; null where none is named.
  @Nullable Path folder() {
    return out.stream().filter(file -> !isFile(file)).findFirst().orElse(null);
  }

  /// Writes the results to the files that are named; what is done is kept.
  void keep(Object results) throws IOException {
    for (Path file : out) if (isFile(file)) Output.write(file, Json.of(results) + "\n");
  }

  /// Prints the results where JSON was asked for; whether it was.
  boolean print(PrintWriter print, Object results) {
    if (json) print.println(Json.of(results));
    return json;
  }

  private static boolean isFile(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".json");
  }
}
