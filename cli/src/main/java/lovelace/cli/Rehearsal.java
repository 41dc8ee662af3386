package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/// Runs the everyday commands once so that the JVM can keep the classes they load. The launcher
/// calls it after a build with `-XX:AOTCacheOutput` (see `docs/decisions`). The output is dropped.
final class Rehearsal {

  private Rehearsal() {}

  public static void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Path folder = Files.createTempDirectory("lovelace-rehearsal");
    try {
      String table = folder.resolve("rows.csv").toString();
      String rough = folder.resolve("rough.lvl").toString();
      String smooth = folder.resolve("smooth.lvl").toString();
      String out = folder.resolve("out.csv").toString();
      Files.writeString(Path.of(table), rows());
      run("--version");
      run("--help");
      run("--hepl");
      run("fit", "--help");
      run("fit", table, "--target", "y", "--model", rough, "--kernel", "matern32");
      run("fit", table, "--target", "y", "--model", smooth, "--engine", "spectral");
      for (String model : new String[] {rough, smooth}) {
        run("inspect", model);
        run("inspect", model, "--json");
        run("predict", model, table);
        run("predict", model, table, "--of", "observation", "--out", out);
        run("evaluate", model, table);
        run("plot", model, table, "--out", folder.resolve("plot.png").toString());
      }
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) Files.delete(file);
      }
      Files.delete(folder);
    }
    System.exit(0); // as commands end, so that these classes are kept too
  }

  /// A table of a hundred rows of a wave.
  private static String rows() {
    var text = new StringBuilder("x,y\n");
    for (int i = 0; i < 100; i++)
      text.append(String.format(Locale.ROOT, "%.2f,%.4f%n", i / 10.0, Math.sin(i / 10.0)));
    return text.toString();
  }

  private static void run(String... command) {
    var nowhere = new PrintWriter(Writer.nullWriter());
    Main.run(nowhere, nowhere, command);
  }
}
