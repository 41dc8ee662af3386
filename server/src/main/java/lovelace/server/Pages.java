package lovelace.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The pages in this module's resources, read into memory at start: what is in `pages/files.txt` is
/// served under its own name, `index.html` also as `/`, and nothing else exists.
final class Pages implements HttpService {

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", "application/json",
          "csv", "text/csv; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2",
          "ico", "image/x-icon");

  /// Only what comes from this server, and in no other site's frame.
  private static final List<Header> SECURITY =
      List.of(
          HeaderValues.createCached(
              "Content-Security-Policy",
              "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
                  + " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors"
                  + " 'none'"),
          HeaderValues.createCached("X-Frame-Options", "DENY"),
          HeaderValues.createCached("Referrer-Policy", "no-referrer"),
          HeaderValues.createCached("Cross-Origin-Opener-Policy", "same-origin"),
          HeaderValues.createCached("Cache-Control", "no-cache"));

  private final Map<String, byte[]> files = new LinkedHashMap<>();

  Pages() {
    String list = new String(resource("pages/files.txt"), StandardCharsets.UTF_8);
    list.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(name -> files.put(name, resource("pages/" + name)));
  }

  /// A resource of this package.
  static byte[] resource(String name) {
    try (InputStream in = Pages.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("there is no resource " + name);
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether a path is that of a page.
  boolean has(String path) {
    return path.equals("/") || files.containsKey(path.substring(1));
  }

  @Override
  public void routing(HttpRules rules) {
    for (String name : files.keySet()) {
      rules.get("/" + name, (request, response) -> send(name, response));
      if (name.equals("index.html")) rules.get("/", (request, response) -> send(name, response));
    }
  }

  private void send(String name, ServerResponse response) {
    for (Header header : SECURITY) response.header(header);
    String extension = name.substring(name.lastIndexOf('.') + 1);
    response.header(
        HeaderNames.CONTENT_TYPE, TYPES.getOrDefault(extension, "application/octet-stream"));
    response.send(files.getOrDefault(name, new byte[0]));
  }
}
