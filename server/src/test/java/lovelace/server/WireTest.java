package lovelace.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests are read by the rules of HTTP (RFC 9112), however their bytes arrive.
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
class WireTest {

  private static final String INFER = "/v2/models/line/infer";
  private static final String BODY = AttackParts.infer("1.5", "");

  @TempDir static Path folder;
  static Server server;

  @BeforeAll
  static void start() throws IOException {
    Trial.line(60, 1).save(folder.resolve("line.lvl"));
    ServerOptions options = Trial.options(folder.resolve("line.lvl"));
    server =
        Trial.start(
            options.withLimits(
                options.limits().withBody(1 << 20).withTimeout(Duration.ofMillis(800))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// The bytes that the web server sees, if they arrive a few at a time, until they end.
  private static String seen(String bytes, int step) {
    int[] at = {0};
    DataReader in =
        DataReader.create(
            () -> {
              if (at[0] == bytes.length()) return null;
              int end = Math.min(bytes.length(), at[0] + step);
              byte[] some = bytes.substring(at[0], end).getBytes(ISO_8859_1);
              at[0] = end;
              return some;
            });
    Wire wire = new Wire(in, out -> {}, refusal -> {}, Duration.ofMinutes(1), 1000);
    StringBuilder all = new StringBuilder();
    try {
      while (true) all.append(new String(wire.get(), ISO_8859_1));
    } catch (CloseConnectionException e) {
      return all.toString();
    }
  }

  private static String chunked(String chunks) {
    return "POST /a HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
  }

  /// The bytes of the chunks, and that a request after them is found.
  private static String dechunked(String chunks, int step) {
    String next = "GET /next HTTP/1.1\r\nHost: b\r\n\r\n";
    String seen = seen(chunked(chunks) + next, step);
    assertTrue(seen.endsWith("0\r\n\r\n" + next), seen);
    String rest = seen.substring(seen.indexOf("\r\n\r\n") + 4, seen.length() - next.length());
    StringBuilder data = new StringBuilder();
    while (!rest.startsWith("0\r\n")) {
      int line = rest.indexOf("\r\n");
      int size = Integer.parseInt(rest.substring(0, line), 16);
      data.append(rest, line + 2, line + 2 + size);
      assertEquals("\r\n", rest.substring(line + 2 + size, line + 4 + size));
      rest = rest.substring(line + 4 + size);
    }
    return data.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5\r\nhello\r\n0\r\n\r\n",
        "005\r\nhello\r\n000\r\n\r\n",
        "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
        "2;a=b\r\nhe\r\n3 ; c=\"d;e\"\r\nllo\r\n0;last\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nA: b\r\nLong-Name: c d\r\n\r\n"
      })
  void chunksAreReadHoweverTheyArrive(String chunks) {
    for (int step : new int[] {1, 2, 3, 7, 1000}) assertEquals("hello", dechunked(chunks, step));
  }

  @Test
  void sizesOfChunksMayHaveCapitals() {
    assertEquals("a".repeat(27), dechunked("1B\r\n" + "a".repeat(27) + "\r\n0\r\n\r\n", 5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n",
        "-5\r\nhello\r\n",
        "+5\r\nhello\r\n",
        " 5\r\nhello\r\n",
        "0x5\r\nhello\r\n",
        "5 5\r\nhello\r\n",
        "\r\nhello\r\n",
        ";a=b\r\nhello\r\n",
        "5\nhello\r\n",
        "5\r\nhello",
        "5\r\nhelloX\r\n",
        "5\r\nhello\n\r\n",
        "5\r\nhell",
        "5;a\u0001\r\nhello\r\n",
        "0\r\n",
        "0\r\nA: b\r\n",
        "0\r\nno colon\r\n\r\n",
        "0\r\n: b\r\n\r\n",
        "0\r\nA: b\n\r\n\r\n"
      })
  void whatIsNoChunkIsRefusedAndNothingAfterItIsRead(String chunks) {
    for (int step : new int[] {1, 3, 1000}) {
      Refusal refusal = assertThrows(Refusal.class, () -> seen(chunked(chunks), step));
      assertEquals(400, refusal.status(), refusal.getMessage());
      assertTrue(refusal.hangingUp());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3e9",
        "ffffffffff",
        "7fffffff",
        "80000000",
        "ffffffffffffffff",
        "10000000000000000"
      })
  void chunksBeyondTheMostAreTooLargeWhateverTheirDigits(String size) {
    Refusal refusal = assertThrows(Refusal.class, () -> seen(chunked(size + "\r\n"), 100));
    assertEquals(413, refusal.status(), refusal.getMessage());
  }

  @Test
  void chunksThatAddUpBeyondTheMostAreTooLarge() {
    String chunk = "1f4\r\n" + "a".repeat(500) + "\r\n";
    assertEquals("a".repeat(1000), dechunked(chunk + chunk + "0\r\n\r\n", 64));
    Refusal refusal =
        assertThrows(Refusal.class, () -> seen(chunked(chunk + chunk + "1\r\na\r\n"), 64));
    assertEquals(413, refusal.status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | GET /
          400 | GET  / HTTP/1.1
          400 | G\u0001T / HTTP/1.1
          400 | GET / HTTP/2.0
          400 | GET / http/1.1
          400 | GET x HTTP/1.1
          400 | GET /%zz HTTP/1.1
          400 | GET /# HTTP/1.1
          405 | CONNECT b:80 HTTP/1.1
          400 | GET / HTTP/1.1~Host: a~Host: b
          400 | GET / HTTP/1.1~X : 1
          400 | GET / HTTP/1.1~X: a~ b
          400 | GET / HTTP/1.1~X
          400 | GET / HTTP/1.1~X: a\u0007b
          400 | POST / HTTP/1.1~Content-Length: -5
          400 | POST / HTTP/1.1~Content-Length: +5
          400 | POST / HTTP/1.1~Content-Length: 5, 5
          400 | POST / HTTP/1.1~Content-Length: 5~Content-Length: 5
          400 | POST / HTTP/1.1~Content-Length: 5~Transfer-Encoding: chunked
          400 | POST / HTTP/1.1~Transfer-Encoding: gzip, chunked
          400 | POST / HTTP/1.0~Transfer-Encoding: chunked
          417 | POST / HTTP/1.1~Expect: more
          """)
  void headsThatMeanNothingOrTwoThingsAreRefused(int status, String head) {
    String bytes = head.replace("~", "\r\n") + (head.contains("Host") ? "" : "\r\nHost: b");
    for (int step : new int[] {1, 1000}) {
      RequestException refusal =
          assertThrows(RequestException.class, () -> seen(bytes + "\r\n\r\n", step));
      assertEquals(status, refusal.status().code(), refusal.getMessage());
      assertTrue(refusal.safeMessage() && String.valueOf(refusal.getMessage()).length() > 20);
    }
  }

  @Test
  void headsAreToldInOneForm() {
    assertEquals(
        "GET /a?b HTTP/1.1\r\nX: y z\r\nEmpty: \r\nHost: c:1\r\n\r\n",
        seen("\r\n\r\nGET /a?b HTTP/1.1\r\nhOST:c:1\r\nX:\ty z \r\nEmpty:\r\n\r\n", 1));
    assertEquals(
        "GET /?q HTTP/1.1\r\nHost: inner:1\r\n\r\n",
        seen("GET HTTP://inner:1?q HTTP/1.1\r\nHost: outer\r\n\r\n", 9));
    assertEquals(
        "GET / HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n",
        seen("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 9));
  }

  @Test
  void bodiesOfAnnouncedLengthEndThere() {
    String post = "POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 3\r\n\r\n";
    String seen = seen(post + "abc" + post + "def", 4);
    assertTrue(seen.matches("(?s)POST .*\r\n\r\nabcPOST .*\r\n\r\ndef"), seen);
    Refusal refusal = assertThrows(Refusal.class, () -> seen(post + "ab", 4));
    assertEquals(400, refusal.status());
  }

  private static RawClient.Answer ask(String request) throws IOException {
    return RawClient.send(server.port(), request.getBytes(ISO_8859_1), true).getFirst();
  }

  /// As nginx asks the servers behind it unless told otherwise.
  @Test
  void clientsOfTheFirstVersionAreAnswered() throws Exception {
    String length = "\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
    RawClient.Answer newer =
        ask("POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nConnection: close" + length);
    RawClient.Answer older =
        ask("POST " + INFER + " HTTP/1.0\r\nHost: localhost\r\nConnection: close" + length);
    assertEquals(200, older.status(), older.body());
    assertEquals(newer.body(), older.body());
    RawClient.Answer bare = ask("GET /v2/health/live HTTP/1.0\r\n\r\n");
    assertEquals(200, bare.status());
    assertTrue(bare.head().contains("connection: close"), bare.head());
    assertEquals(403, ask("GET /v2 HTTP/1.0\r\nHost: evil.example\r\n\r\n").status());
  }

  /// Fits tell their steps in chunks, which the first version does not know.
  @Test
  void streamsAreToldToClientsOfTheFirstVersionAtTheirEnd() throws Exception {
    String id =
        Trial.json(Trial.post(server, "/studio/api/sessions", "{\"model\":\"line\"}"))
            .path("state")
            .path("id")
            .asText();
    RawClient.Answer learned =
        ask("POST /studio/api/sessions/" + id + "/learn HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
    assertEquals(200, learned.status());
    assertFalse(learned.head().contains("transfer-encoding"), learned.head());
    List<String> lines = learned.body().lines().toList();
    assertTrue(lines.getLast().contains("milliseconds"), learned.body());
  }

  @Test
  void compressedBodiesAreToldSo() throws Exception {
    RawClient.Answer answer =
        ask(
            "POST "
                + INFER
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd");
    assertEquals(415, answer.status());
    assertTrue(answer.body().contains("uncompressed"), answer.body());
  }

  /// A head that comes a byte at a time, each of them in time: the whole is not.
  @Test
  void slowHeadsAreTooLate() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      String head = "GET /v2 HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(4000);
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  for (int i = 0; i < head.length(); i++) {
                    socket.getOutputStream().write(head.charAt(i));
                    Thread.sleep(50);
                  }
                } catch (IOException | InterruptedException e) {
                  // hung up on
                }
              });
      String answer = new String(socket.getInputStream().readNBytes(400), ISO_8859_1);
      assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
      assertTrue(answer.contains("the head did not arrive within 0.8 s"), answer);
    }
  }
}
