package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Commands in this process on tables in a folder: `@name` in a line is a file of the folder, and
/// single quotes keep words together.
final class Trial {

  private final Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  Trial(Path folder) {
    this.folder = folder;
  }

  int run(String line) {
    List<String> args = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    for (char c : (line.strip() + " ").toCharArray()) {
      if (c == '\'') quoted = !quoted;
      else if (c == ' ' && !quoted) {
        if (!word.isEmpty()) args.add(word.toString().replace("@", folder + "/"));
        word.setLength(0);
      } else word.append(c);
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
  }

  /// Runs a command that must succeed, and returns what it printed.
  String ok(String line) {
    assertEquals(0, run(line), () -> line + "\n" + err);
    return out.toString();
  }

  /// Runs a command that must be refused, and returns what it said.
  String refused(String line) {
    assertEquals(Errors.WRONG_USE, run(line), () -> line + "\n" + err);
    return err.toString().replace(folder + "/", "@");
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  /// Rows of x, y with y positive.
  static String wave(int from, int to) {
    var random = new SplittableRandom(8);
    StringBuilder csv = new StringBuilder("x,y\n");
    for (int i = 0; i < to; i++) {
      double x = 6 * random.nextDouble();
      double y = Math.exp(0.5 * Math.sin(2 * x) + 0.1 * random.nextGaussian());
      if (i >= from) csv.append("%s,%s%n".formatted(x, y));
    }
    return csv.toString();
  }
}
