package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.data.Airline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// README's own `fit` and `evaluate`, read from its text.
class ReadmeForecastTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();

  @Test
  void readmesForecastIsAsGoodAsItsPicture() throws IOException {
    String page = Files.readString(Path.of("../README.md")).replace("\\\n", " ");
    writeMonths("airline.csv", 0, 96);
    writeMonths("later.csv", 96, 144);
    run(line(page, "fit demo/airline.csv"));
    assertTrue(
        !out.toString().contains("\nstart "), "every value of README's kernel is held:\n" + out);
    String evaluate = line(page, "evaluate air.lvl");
    run(evaluate);
    double rmse = number("RMSE +([0-9.]+)", out.toString());
    // demo's own figure, on the same months
    assertTrue(rmse < 24.2, out::toString);
    assertEquals(20.3, rmse, 0.3);
    assertEquals(number("RMSE ([0-9.]+)", evaluate), rmse, 0.05, "README's figure: " + evaluate);
    assertTrue(out.toString().contains("inside 95 % 100.0 %"), out::toString);
  }

  private void writeMonths(String name, int from, int to) throws IOException {
    StringBuilder csv = new StringBuilder("month,passengers\n");
    for (int i = from; i < to; i++)
      csv.append(Airline.months().get(i))
          .append(String.format(Locale.ROOT, ",%.0f%n", Airline.dataset().target()[i]));
    Files.createDirectories(folder.resolve("demo"));
    Files.writeString(folder.resolve("demo").resolve(name), csv);
  }

  private static String line(String page, String start) {
    return page.lines()
        .map(String::strip)
        .filter(l -> l.startsWith("./lovelace " + start))
        .findFirst()
        .orElseThrow();
  }

  private static double number(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), pattern + " in " + text);
    return Double.parseDouble(matcher.group(1));
  }

  /// The words of a line as a shell reads them: quotes, and a comment at the end.
  private void run(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = Pattern.compile("'([^']*)'|(\\S+)").matcher(line.replaceAll(" +#.*", ""));
    while (matcher.find())
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    String[] args =
        words.subList(1, words.size()).stream()
            .map(w -> w.startsWith("demo/") || w.endsWith(".lvl") ? folder + "/" + w : w)
            .toArray(String[]::new);
    out.getBuffer().setLength(0);
    StringWriter err = new StringWriter();
    assertEquals(
        0,
        Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args),
        () -> line + "\n" + err);
  }
}
