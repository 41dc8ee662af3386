package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server with as little memory for requests as a heap of 200 MB gives, less than the longest
/// body: chunks count for what they are, not for what they might be.
class SmallHeapTest {

  private static final String GOOD =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}";

  @TempDir Path folder;
  private Server server;

  @BeforeEach
  void start() throws Exception {
    Trial.line(40, 1).save(folder.resolve("line.lvl"));
    ServerOptions options = Trial.options(folder.resolve("line.lvl"));
    server = Trial.start(options.withLimits(options.limits().withMemory(50L << 20)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpRequest chunked(String path, byte[] body) {
    return HttpRequest.newBuilder(URI.create(server.address() + path))
        .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
        .build();
  }

  @Test
  void shortChunkedBodiesAreAnsweredEvenManyAtOnce() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++)
      all.add(
          Trial.CLIENT.sendAsync(
              chunked("/v2/models/line/infer", GOOD.getBytes(US_ASCII)),
              HttpResponse.BodyHandlers.ofString()));
    for (CompletableFuture<HttpResponse<String>> one : all)
      assertEquals(200, one.get().statusCode(), one.get().body());
    HttpResponse<String> table =
        Trial.CLIENT.send(
            chunked("/studio/api/tables", "a,b\n1,2\n3,4\n".getBytes(US_ASCII)),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, table.statusCode(), table.body());
    awaitNothingReserved();
  }

  /// The announced length of a chunk must fit, because the chunk will be held.
  @Test
  void aChunkThatDoesNotFitIsRefusedBeforeItIsSent() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /v2/models/line/infer HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
      out.write((head + Integer.toHexString(60 << 20) + "\r\n12345").getBytes(US_ASCII));
      out.flush();
      byte[] answer = socket.getInputStream().readNBytes(12);
      assertEquals("HTTP/1.1 413", new String(answer, US_ASCII));
    }
    awaitNothingReserved();
  }

  @Test
  void whatArrivesInManyChunksIsCountedOnce() throws Exception {
    byte[] body = new byte[8 << 20];
    Arrays.fill(body, (byte) ' ');
    byte[] good = GOOD.getBytes(US_ASCII);
    System.arraycopy(good, 0, body, 0, good.length);
    HttpResponse<String> answer =
        Trial.CLIENT.send(
            chunked("/v2/models/line/infer", body), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    awaitNothingReserved();
  }

  private void awaitNothingReserved() throws InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(1);
    assertEquals(0, server.gate().reserved());
    assertTrue(server.gate().inside() == 0);
  }
}
