package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.server.Log;
import lovelace.server.Server;

/// Runs a page of the documentation from top to bottom, in this process, and compares each block of
/// `text` and `json` with what the block before it printed.
///
/// A line that is shown must be printed, in the order shown; lines that are printed may be left
/// out. Numbers may differ by a thousandth, as processors round differently, or by one in the last
/// digit shown.
final class PageRun {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\S+)((?: \\w+)*)\n(.*?)^```$");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String FILE = "(data|checks)(/\\S*)?|[\\w-]+\\.(csv|lvl|png|tif|onnx)";

  private final Path folder;
  private final String page;
  private String printed = "";
  private int compared = 0;

  PageRun(Path folder, String name) throws IOException {
    this.folder = folder;
    this.page = Files.readString(Path.of("../docs", name));
  }

  /// Runs the page and returns how many blocks were compared.
  int run() throws Exception {
    Matcher block = BLOCK.matcher(page);
    boolean skipped = false;
    while (block.find()) {
      String body = block.group(3);
      boolean peer = block.group(2).contains("peer");
      switch (block.group(1)) {
        case "sh" -> {
          skipped = block.group(2).contains("long") && !Boolean.getBoolean("lovelace.long");
          if (skipped) parse(body);
          else printed = body.contains("lovelace serve") ? serve(body) : type(body);
        }
        case "r" -> {
          skipped = false;
          Files.writeString(folder.resolve("peer.R"), body);
          printed = shell("Rscript peer.R 2>&1");
        }
        case "python", "java" -> skipped = peer || skipped;
        case "text" -> {
          if (!skipped) compare(body);
        }
        case "json" -> {
          if (!skipped) figures(body, printed);
        }
        default -> fail("a block of " + block.group(1) + " is not known here");
      }
    }
    return compared;
  }

  private static List<String> commands(String body) {
    return body.replace("\\\n", " ").lines().map(String::strip).toList();
  }

  private void parse(String body) {
    for (String line : commands(body))
      if (line.startsWith("lovelace ")) Main.all().parseArgs(words(line));
  }

  private String type(String body) throws Exception {
    StringBuilder all = new StringBuilder();
    StringBuilder others = new StringBuilder();
    for (String line : commands(body)) {
      if (line.startsWith("lovelace ")) {
        all.append(shell(others.toString()));
        others.setLength(0);
        all.append(lovelace(line));
      } else others.append(line).append('\n');
    }
    return all.append(shell(others.toString())).toString();
  }

  private String lovelace(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words(line));
    assertEquals(0, code, () -> line + "\n" + err);
    return out.toString().replace(folder + "/", "");
  }

  /// The words of a command behind `lovelace`; files are those of the folder.
  private String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(line.replaceAll(" +# .*| &$", ""));
    while (matcher.find()) {
      String word = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      words.add(word.matches(FILE) ? folder + "/" + word : word);
    }
    return words.subList(1, words.size()).toArray(String[]::new);
  }

  private String shell(String script) throws Exception {
    if (script.isBlank()) return "";
    Process process =
        new ProcessBuilder("sh", "-ec", script)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> script + "\n" + out);
    return out;
  }

  /// Returns the answer of the block's server to its request, on a free port.
  private String serve(String body) throws Exception {
    String start = commands(body).getFirst();
    var parsed = Main.all().parseArgs(words(start)).subcommand().commandSpec();
    ServeCommand command = (ServeCommand) parsed.userObject();
    Matcher request = Pattern.compile("(?s)curl -s localhost:\\d+(/\\S+) -d '(.*?)'").matcher(body);
    assertTrue(request.find(), body);
    try (Server server =
            Server.start(command.options().withAddress("127.0.0.1", 0), new Log(line -> {}));
        HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(server.address() + request.group(1)))
                  .POST(HttpRequest.BodyPublishers.ofString(request.group(2)))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private void compare(String shown) {
    List<String> lines = printed.lines().toList();
    int at = 0;
    for (String line : shown.lines().toList()) {
      while (at < lines.size() && !same(line, lines.get(at))) at++;
      if (at == lines.size())
        fail("the page shows\n%s\nbut printed is\n%s".formatted(line, printed));
      at++;
    }
    compared++;
  }

  private void figures(String shown, String answer) {
    assertTrue(
        same(squeezed(shown), squeezed(answer)), () -> shown + "\nbut answered is\n" + answer);
    compared++;
  }

  private static String squeezed(String json) {
    return json.replaceAll("\\s+", "");
  }

  private static boolean same(String shown, String printed) {
    if (!skeleton(shown).equals(skeleton(printed))) return false;
    Matcher here = NUMBER.matcher(shown);
    Matcher there = NUMBER.matcher(printed);
    while (here.find() && there.find()) {
      double a = Double.parseDouble(here.group());
      double b = Double.parseDouble(there.group());
      if (!(Math.abs(a - b) <= Math.max(1e-3 * Math.abs(b), lastDigit(here.group())))) return false;
    }
    return true;
  }

  private static String skeleton(String line) {
    return NUMBER.matcher(line).replaceAll("#").replaceAll("\\s+", " ").strip();
  }

  /// One in the last digit of a number with a point; whole numbers are exact.
  private static double lastDigit(String number) {
    int point = number.indexOf('.');
    if (point < 0) return 0;
    String digits = number.substring(point + 1).replaceFirst("[eE].*", "");
    double exponent =
        number.matches(".*[eE].*") ? Double.parseDouble(number.replaceFirst(".*[eE]", "")) : 0;
    return 1.001 * Math.pow(10, exponent - digits.length());
  }
}
