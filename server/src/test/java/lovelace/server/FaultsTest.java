package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever a client sends, the answer is a 4xx that says what is wrong, and the server stays up.
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
class FaultsTest {

  private static final String INFER = "/v2/models/line/infer";
  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}";

  @TempDir static Path folder;
  static Server server;

  @BeforeAll
  static void start() throws IOException {
    Path file = folder.resolve("line.lvl");
    Trial.line(100, 4).save(file);
    ServerOptions options = Trial.options(file).withUpdates(true);
    server =
        Trial.start(
            options.withLimits(
                options
                    .limits()
                    .withBody(1 << 20)
                    .withRows(1000)
                    .withTimeout(Duration.ofSeconds(2))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void stillAnswers() throws Exception {
    assertEquals(200, Trial.post(server, INFER, GOOD).statusCode());
    long end = System.nanoTime() + 5_000_000_000L;
    while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(1);
    assertEquals(0, server.gate().inside());
    assertEquals(0, server.gate().reserved());
  }

  private static void refused(int status, HttpResponse<String> response) throws IOException {
    assertEquals(status, response.statusCode(), response.body());
    JsonNode error = Trial.json(response).get("error");
    assertTrue(error.isTextual() && error.asText().length() > 10, response.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "42",
        "\"x\"",
        "{\"inputs\":[]}",
        "{\"inputs\":{}}",
        "{\"inputs\":[1]}",
        "{\"inputs\":[{}]}",
        "{\"inputs\":[{\"name\":\"x\"}]}",
        "{\"inputs\":[{\"name\":7,\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\"}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP64\",\"data\":[1,2]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[-1],\"datatype\":\"FP64\",\"data\":[]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[0],\"datatype\":\"FP64\",\"data\":[]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1.5],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[9e99],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[4611686018427387904,4],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[2,1],\"datatype\":\"FP64\",\"data\":[[1],[2,3]]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[2,1],\"datatype\":\"FP64\",\"data\":[[1],2]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[2,1],\"datatype\":\"FP64\",\"data\":[[1,2]]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[NaN]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1e999]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[\"1\"]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[null]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[true]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[{}]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":1}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"INT8\",\"data\":[200]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"INT32\",\"data\":[0.5]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1e39]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"BOOL\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"a\"]}]}",
        "{\"inputs\":[{\"name\":\"z\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],\"outputs\":[{\"name\":\"z\"}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],\"parameters\":{\"interval\":1}}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],\"parameters\":{\"draws\":0}}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],\"parameters\":{\"sed\":1}}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],\"id\":7}",
        "{\"id\":\"a\",\"id\":\"b\",\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1],\"data\":[2]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]} x",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"parameters\":{\"binary_data_size\":8}}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"parameters\":{\"binary_data_size\":-8}}]}"
      })
  void whatIsNoRequestIsToldSo(String body) throws Exception {
    refused(400, Trial.post(server, INFER, body));
    HttpResponse<String> observed = Trial.post(server, "/v2/models/line/observe", body);
    refused(400, observed);
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    refused(400, Trial.post(server, INFER, "[".repeat(100_000)));
    refused(400, Trial.post(server, INFER, "{\"inputs\":[{\"data\":" + "[".repeat(50_000)));
    refused(400, Trial.post(server, INFER, "{\"a\":".repeat(50_000)));
  }

  @Test
  void bytesThatAreNotFiniteAreRefused() throws Exception {
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"parameters\":{\"binary_data_size\":8}}]}";
    ByteBuffer body =
        ByteBuffer.allocate(json.length() + 8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(json.getBytes(UTF_8));
    body.putDouble(Double.NaN);
    for (String length :
        List.of("" + json.length(), "-1", "99999", "abc", "" + (json.length() + 3)))
      refused(
          400,
          Trial.CLIENT.send(
              HttpRequest.newBuilder(URI.create(server.address() + INFER))
                  .header("Inference-Header-Content-Length", length)
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
                  .build(),
              HttpResponse.BodyHandlers.ofString()));
  }

  @Test
  void randomBytesAreRefused() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = GOOD.getBytes(UTF_8);
      for (int k = 0; k < 1 + i % 4; k++)
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      HttpResponse<String> response =
          Trial.CLIENT.send(
              HttpRequest.newBuilder(URI.create(server.address() + INFER))
                  .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertTrue(response.statusCode() == 200 || response.statusCode() == 400, "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v2/models/none",
        "/v2/models/none/infer",
        "/v2/models/line/versions/7",
        "/v2/models/..%2f..%2fetc%2fpasswd",
        "/v2/models/%2e%2e/ready",
        "/v2/models/..%5cline",
        "/v2/models/line%00",
        "/..%2f..%2fetc/passwd",
        "/pages/files.txt",
        "/files.txt",
        "/nothing"
      })
  void namesAreNotPaths(String path) throws Exception {
    for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
      int status =
          raw(
              method
                  + " "
                  + path
                  + " HTTP/1.1\r\n"
                  + "Host: localhost\r\n"
                  + "Content-Length: 0\r\n"
                  + "Connection: close\r\n\r\n");
      assertTrue(
          status == 404 || status == 400 || status == 405, method + " " + path + " " + status);
    }
    for (String plain :
        List.of("/v2/models/../../etc/passwd", "/../../../etc/passwd", "//etc/passwd")) {
      int status =
          raw("GET " + plain + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertTrue(status == 404 || status == 400, plain + " " + status);
    }
  }

  /// Sends bytes on a socket and returns the status of the answer, -1 if the connection was closed.
  private static int raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return status(socket);
    }
  }

  private static int status(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) line.append((char) c);
    } catch (SocketException e) {
      return -1;
    }
    return line.length() < 12 ? -1 : Integer.parseInt(line.substring(9, 12));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "POST /v2/models/line/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "POST /v2/models/line/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /v2/models/line/infer HTTP/1.1\r\n"
            + "Host: localhost\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "zz\r\n"
      })
  void brokenHttpIsToldSo(String request) throws Exception {
    int status = raw(request);
    assertEquals(400, status);
  }

  @Test
  void gigabytesAreRefusedBeforeTheyAreRead() throws Exception {
    String head = "POST /v2/models/line/infer HTTP/1.1\r\nHost: localhost\r\n";
    assertEquals(413, raw(head + "Content-Length: 1073741824\r\n\r\n"));
    assertEquals(
        413,
        raw(head + "Content-Length: 1073741824\r\nExpect: 100-continue\r\n\r\n"),
        "before it is sent");
    assertEquals(
        431, raw("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(1 << 16) + "\r\n\r\n"));
  }

  /// Those who read nothing until they have sent everything learn of it too.
  @Test
  void gigabytesAreThrownAwayAndTheRefusalIsReadAfterwards() throws Exception {
    byte[] plain = new byte[1 << 16];
    byte[] chunk = ("10000\r\n" + " ".repeat(1 << 16) + "\r\n").getBytes(US_ASCII);
    for (String path : List.of(INFER, "/v2/models/none/infer"))
      for (String framing : List.of("Content-Length: 1073741824", "Transfer-Encoding: chunked")) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          OutputStream out = socket.getOutputStream();
          String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + framing;
          out.write((head + "\r\n\r\n").getBytes(US_ASCII));
          byte[] part = framing.startsWith("T") ? chunk : plain;
          long most = path.equals(INFER) || framing.startsWith("C") ? 1L << 30 : 1L << 27;
          for (long sent = 0; sent < most; sent += 1 << 16) out.write(part);
          int status = status(socket);
          int expected = path.equals(INFER) || framing.startsWith("C") ? 413 : 404;
          assertEquals(expected, status, path + " " + framing);
        }
        assertTrue(server.gate().reserved() < 2 << 20);
      }
  }

  /// The rest of a refused request's body is no request.
  @Test
  void theRestOfARefusedRequestIsNotTakenForTheNext() throws Exception {
    String inner = "GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (String framing :
        List.of(
            "Content-Length: 3000000",
            "Content-Length: " + inner.length(),
            "Transfer-Encoding: chunked")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        String head = "POST /v2/models/none/infer HTTP/1.1\r\nHost: localhost\r\n" + framing;
        socket.getOutputStream().write((head + "\r\n\r\n" + inner).getBytes(US_ASCII));
        socket.shutdownOutput();
        String all = new String(socket.getInputStream().readAllBytes(), US_ASCII);
        assertTrue(all.contains(" 404 ") || all.contains(" 413 "), all);
        assertEquals(all.indexOf("HTTP/1.1"), all.lastIndexOf("HTTP/1.1"), all);
      }
    }
  }

  @Test
  void rowsAndDrawsHaveLimits() throws Exception {
    String many = "0,".repeat(1000) + "0";
    refused(
        413,
        Trial.post(
            server,
            INFER,
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[1001],\"datatype\":\"FP64\",\"data\":["
                + many
                + "]}]}"));
    refused(
        413,
        Trial.post(
            server,
            INFER,
            GOOD.substring(0, GOOD.length() - 1) + ",\"parameters\":{\"draws\":2000000000}}"));
  }

  @Test
  void slowClientsAreGivenUpAndBotherNobody() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(20_000);
        slow.add(socket);
        String start =
            i % 2 == 0
                ? "POST /v2/models/line/infer HT"
                : "POST /v2/models/line/infer HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Content-Length: 1000\r\n\r\n"
                    + "{";
        socket.getOutputStream().write(start.getBytes(US_ASCII));
      }
      long start = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        assertEquals(200, Trial.post(server, INFER, GOOD).statusCode());
        for (Socket socket : slow) drip(socket);
        Thread.sleep(200);
      }
      for (int i = 0; i < slow.size(); i++) {
        int status = status(slow.get(i));
        assertTrue(status == -1 || status == 408 || status == 400, i + ": " + status);
      }
      assertFalse(System.nanoTime() - start > 60_000_000_000L);
    } finally {
      for (Socket socket : slow) socket.close();
    }
  }

  /// Those who ask for much and read none of it.
  @Test
  void clientsThatDoNotReadAreGivenUp() throws Exception {
    String rows = "0,".repeat(999) + "0";
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1000],\"datatype\":\"FP64\",\"data\":["
            + rows
            + "]}]}";
    String request =
        "POST " + INFER + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + json.length();
    byte[] bytes = (request + "\r\n\r\n" + json).getBytes(US_ASCII);
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        idle.add(socket);
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) socket.getOutputStream().write(bytes);
                  } catch (IOException e) {
                    // given up
                  }
                });
      }
      long end = System.nanoTime() + 10_000_000_000L;
      while (server.gate().inside() < 4 && System.nanoTime() < end) Thread.sleep(5);
      assertTrue(server.gate().inside() >= 4, "answers are stuck");
      assertEquals(200, Trial.post(server, INFER, GOOD).statusCode());
      end = System.nanoTime() + 20_000_000_000L;
      while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(20);
      assertEquals(0, server.gate().inside());
    } finally {
      for (Socket socket : idle) socket.close();
    }
  }

  /// More draws than the time allows: refused, and the processor is free again.
  @Test
  void longComputationsEndAtTheirTime() throws Exception {
    String many =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}],"
            + "\"parameters\":{\"draws\":1000%s}}";
    refused(504, Trial.post(server, INFER, many.formatted(",\"timeout\":1")));
    assertEquals(200, Trial.post(server, INFER, many.formatted("")).statusCode());
    ServerOptions options = Trial.options(folder.resolve("line.lvl"));
    try (Server hasty =
        Trial.start(options.withLimits(options.limits().withTimeout(Duration.ofMillis(300))))) {
      long start = System.nanoTime();
      refused(
          504,
          Trial.post(hasty, INFER, GOOD.replace("}]}", "}],\"parameters\":{\"draws\":1000000}}")));
      assertTrue(System.nanoTime() - start < 20_000_000_000L);
      assertEquals(200, Trial.post(hasty, INFER, GOOD).statusCode());
    }
  }

  private static void drip(Socket socket) {
    try {
      socket.getOutputStream().write('T');
    } catch (IOException e) {
      // hung up on
    }
  }
}
