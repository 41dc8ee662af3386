package lovelace.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `curl` of the pages, as far as they use it. A port of this machine where a page serves
/// models stands for the port where the server of the test listens.
final class Curl {

  private static final Pattern LOCAL =
      Pattern.compile("^(?:https?://)?(?:localhost|127\\.0\\.0\\.1):(\\d+)");

  private Curl() {}

  /// Asks, and writes the answer. An answer that is no success fails, since no page shows one.
  static int run(Map<String, String> servers, PrintWriter out, PrintWriter err, List<String> words)
      throws IOException, InterruptedException {
    String method = null;
    String data = null;
    Path file = null;
    List<String> headers = new ArrayList<>();
    String address = null;
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      switch (word) {
        case "-s", "-S", "-sS", "-f", "-sf", "-fsS", "-i", "-N" -> {}
        case "-X" -> method = words.get(++i);
        case "-H" -> headers.add(words.get(++i));
        case "-o" -> file = Path.of(words.get(++i));
        case "-d", "--data", "--data-binary" -> data = words.get(++i);
        default -> {
          if (word.startsWith("-"))
            throw new IllegalArgumentException("the test's curl has no option " + word);
          address = word;
        }
      }
    }
    if (address == null) throw new IllegalArgumentException("curl without an address");
    Matcher local = LOCAL.matcher(address);
    if (local.find()) {
      String server = servers.get(local.group(1));
      if (server == null) return 7; // nobody listens there yet
      address = local.replaceFirst(server);
    }
    if (data != null && data.startsWith("@")) data = Files.readString(Path.of(data.substring(1)));
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (data != null)
      request.method(method == null ? "POST" : method, BodyPublishers.ofString(data));
    else if (method != null) request.method(method, BodyPublishers.noBody());
    for (String header : headers) {
      String[] parts = header.split(": *", 2);
      request.header(parts[0], parts[1]);
    }
    HttpResponse<byte[]> answer;
    try (HttpClient client = HttpClient.newHttpClient()) {
      answer = client.send(request.build(), BodyHandlers.ofByteArray());
    }
    if (file == null) out.print(new String(answer.body(), UTF_8));
    else Files.write(file, answer.body());
    if (answer.statusCode() < 300) return 0;
    err.println(address + " answered " + answer.statusCode());
    return 22;
  }
}
