package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who reaches a server that others can reach: those with the token, under its own names.
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
class AccessTest {

  private static final String ROW =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]},"
          + "{\"name\":\"y\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}";

  @TempDir Path folder;

  private ServerOptions wide() throws IOException {
    Path file = folder.resolve("line.lvl");
    Trial.line(40, 1).save(file);
    return Trial.options(file).withUpdates(true).withAddress("0.0.0.0", 0);
  }

  /// Sends to `/observe` like a browser that took the server for the host of a page's own name.
  private static int observe(Server server, String host, String... headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      StringBuilder request = new StringBuilder("POST /v2/models/line/observe HTTP/1.1\r\n");
      request.append("Host: ").append(host).append("\r\nConnection: close\r\n");
      for (String header : headers) request.append(header).append("\r\n");
      request.append("Content-Length: ").append(ROW.length()).append("\r\n\r\n").append(ROW);
      socket.getOutputStream().write(request.toString().getBytes(US_ASCII));
      byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      return Integer.parseInt(new String(line, US_ASCII).substring(9));
    }
  }

  @Test
  void otherMachinesNeedATokenUnlessEverybodyMayAsk() throws IOException {
    ServerOptions options = wide();
    String said =
        assertThrows(IllegalArgumentException.class, () -> Trial.start(options).close()).toString();
    for (String word : List.of("0.0.0.0", "--token-file", "--insecure"))
      assertTrue(said.contains(word), said);
    Trial.start(options.withToken("secret")).close();
    Trial.start(options.withInsecure(true)).close();
    for (ServerOptions wrong :
        List.of(
            options.withInsecure(true).withToken("secret"),
            options.withInsecure(true).withAddress("127.0.0.1", 0),
            options.withInsecure(true).withAddress("no.such.host.invalid", 0)))
      assertThrows(IllegalArgumentException.class, () -> Trial.start(wrong).close());
  }

  @Test
  void everybodyMayAskAnInsecureServerButNoForeignPage() throws IOException {
    try (Server server =
        Trial.start(wide().withInsecure(true).withHosts(List.of("Models.example.org")))) {
      assertEquals(403, observe(server, "evil.example", "Origin: http://evil.example"));
      assertEquals(403, observe(server, "localhost", "Origin: http://evil.example"));
      assertEquals(200, observe(server, "models.example.org:443"));
      assertEquals(200, observe(server, "models.EXAMPLE.org."));
      assertEquals(403, observe(server, "other.models.example.org"));
    }
  }

  /// As behind a proxy on the same machine.
  @Test
  void loopbackAnswersUnderAllowedNamesOnly() throws IOException {
    ServerOptions options = wide().withAddress("127.0.0.1", 0);
    try (Server server = Trial.start(options.withHosts(List.of("models.example.org")))) {
      assertEquals(200, observe(server, "models.example.org"));
      assertEquals(200, observe(server, "localhost:80"));
      assertEquals(403, observe(server, "192.168.1.7"));
      assertEquals(403, observe(server, "evil.example"));
    }
    for (String wrong :
        List.of("*", "", "http://a.org", "a.org:80", "a:80", "a.org/b", "a b", "[a]"))
      assertThrows(IllegalArgumentException.class, () -> options.withHosts(List.of(wrong)), wrong);
  }

  /// DNS rebinding: the name of a page points to this server's address. Its origin is its own.
  @Test
  void foreignNamesAreRefusedOnEveryAddress() throws IOException {
    try (Server server = Trial.start(wide().withToken("secret"))) {
      String port = ":" + server.port();
      String token = "Authorization: Bearer secret";
      assertEquals(
          403, observe(server, "evil.example" + port, token, "Origin: http://evil.example" + port));
      assertEquals(403, observe(server, "localhost.evil.example", token));
      assertEquals(403, observe(server, "127.0.0.1.evil.example", token));
      for (String none : List.of("", "[evil.example]", "[::1", "evil.example:80:80")) {
        int status = observe(server, none, token);
        assertTrue(status == 400 || status == 403, none + ": " + status);
      }
      for (String own : List.of("localhost", "LocalHost", "127.0.0.1", "192.168.1.7", "[::1]"))
        assertEquals(200, observe(server, own + port, token), own);
      assertEquals(401, observe(server, "localhost" + port));
    }
  }
}
