package lovelace.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Serves the pages in this module's resources. They are read into memory at start. Each file in
/// `pages/files.txt` is served under its own name, and `index.html` also as `/`. Each has a tag
/// made from its content (`ETag`), so a browser fetches only changed pages.
///
/// docs/decisions/static-content.md says why Helidon's own service is not used.
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

  /// Allow only content from this server, and no frame of another site.
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

  private static final class File {
    final byte[] bytes;
    final Header type;
    final String tag;

    File(String name, byte[] bytes) {
      this.bytes = bytes;
      type =
          HeaderValues.createCached(
              "Content-Type",
              TYPES.getOrDefault(
                  name.substring(name.lastIndexOf('.') + 1), "application/octet-stream"));
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
        tag = '"' + HexFormat.of().formatHex(hash, 0, 16) + '"';
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e); // every Java has this algorithm
      }
    }
  }

  private final Map<String, File> files = new LinkedHashMap<>();

  Pages() {
    String list = new String(resource("pages/files.txt"), StandardCharsets.UTF_8);
    list.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(name -> files.put(name, new File(name, resource("pages/" + name))));
  }

  /// A resource of this package.
  static byte[] resource(String name) {
    try (InputStream in = Pages.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("resource " + name + " is missing");
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether there is a page at a path.
  boolean has(String path) {
    return path.equals("/") || files.containsKey(path.substring(1));
  }

  @Override
  public void routing(HttpRules rules) {
    Addresses addresses = new Addresses(rules);
    files.forEach(
        (name, file) -> {
          Handler handler = (request, response) -> send(file, request, response);
          addresses.get("/" + name, handler).head("/" + name, handler);
          if (name.equals("index.html")) addresses.get("/", handler).head("/", handler);
        });
    addresses.close();
  }

  private static void send(File file, ServerRequest request, ServerResponse response) {
    for (Header header : SECURITY) response.header(header);
    response.header(HeaderNames.ETAG, file.tag);
    if (isKnown(file.tag, request)) {
      response.status(304).send();
      return;
    }
    response.header(file.type);
    if (request.prologue().method().equals(Method.HEAD)) {
      response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(file.bytes.length));
      response.send();
    } else {
      response.send(file.bytes);
    }
  }

  /// Whether the client has this content already, by the weak comparison of RFC 9110, section
  /// 13.1.2.
  private static boolean isKnown(String tag, ServerRequest request) {
    if (!request.headers().contains(HeaderNames.IF_NONE_MATCH)) return false;
    for (String line : request.headers().get(HeaderNames.IF_NONE_MATCH).allValues())
      for (String each : line.split(",", -1)) {
        String known = each.strip();
        if (known.equals("*") || (known.startsWith("W/") ? known.substring(2) : known).equals(tag))
          return true;
      }
    return false;
  }
}
