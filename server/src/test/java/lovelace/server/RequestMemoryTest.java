package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reading a request takes memory that was reserved, whatever its body holds. What is counted is
/// all that the process allocates, garbage included, which is more than it holds at once.
class RequestMemoryTest {

  private static final int BODY = 4_000_000;
  private static final long MEMORY = 20L << 20;

  /// Arrays that grow by doubling allocate twice what they hold; client and server pass the body
  /// through a few buffers.
  private static final long MOST = 2 * MEMORY + 6L * BODY;

  private static final String HEAD = "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":";

  @TempDir static Path folder;
  static Server server;

  @BeforeAll
  static void start() throws Exception {
    Trial.line(40, 1).save(folder.resolve("line.lvl"));
    ServerOptions options =
        Trial.options(folder.resolve("line.lvl")).withUpdates(true).withThreads(2);
    server =
        Trial.start(options.withLimits(options.limits().withMemory(MEMORY).withRows(20_000_000)));
    post("/v2/models/line/infer", HEAD.getBytes(US_ASCII)); // classes are loaded
    post("/studio/api/tables", "a,b\n1,2\n".getBytes(US_ASCII));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> post(String path, byte[] body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) request.headers(headers);
    return Trial.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /// A body that repeats a text, whose `#` are other names each time.
  private static byte[] body(int length, String head, String repeated) {
    byte[] body = new byte[length];
    Arrays.fill(body, (byte) ' ');
    byte[] first = head.getBytes(US_ASCII);
    System.arraycopy(first, 0, body, 0, first.length);
    int size = first.length;
    for (int i = 0; ; i++) {
      byte[] more = repeated.replace("#", "a" + i).getBytes(US_ASCII);
      if (size + more.length > length) return body;
      System.arraycopy(more, 0, body, size, more.length);
      size += more.length;
    }
  }

  private static void refusedCheaply(String what, String path, byte[] body, String... headers)
      throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getTotalThreadAllocatedBytes();
    HttpResponse<String> answer = post(path, body, headers);
    long made = threads.getTotalThreadAllocatedBytes() - before;
    assertTrue(List.of(400, 413).contains(answer.statusCode()), "status " + answer.statusCode());
    assertTrue(made <= MOST, what + ": " + made + " bytes were allocated, not " + MOST);
    long end = System.nanoTime() + 10_000_000_000L;
    while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(1);
    assertEquals(0, server.gate().reserved());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          inputs of nothing      | {"inputs":[     | {},
          inputs with a name     | {"inputs":[     | {"name":"#"},
          outputs of nothing     | {"outputs":[    | {},
          fields nobody knows    | {               | "#":0,
          fields deeper down     | {"z":{          | "#":0,
          parameters of no use   | {"parameters":{"headers":{ | "#":0,
          fields of an input     | {"inputs":[{    | "#":0,
          fields of an output    | {"outputs":[{   | "#":0,
          """)
  void whatJsonMakesIsReserved(String what, String head, String repeated) throws Exception {
    refusedCheaply(what, "/v2/models/line/infer", body(BODY, head, repeated));
    refusedCheaply(what, "/v2/models/line/observe", body(BODY, head, repeated));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          numbers                | "FP64"  | 1,
          texts                  | "BYTES" | "",
          missing numbers        | "FP64"  | null,
          missing texts          | "BYTES" | null,
          lists of lists         | "FP64"  | [],
          """)
  void whatDataMakeIsReserved(String what, String type, String repeated) throws Exception {
    refusedCheaply(
        what, "/v2/models/line/infer", body(BODY, HEAD + type + ",\"data\":[", repeated));
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT8", "BYTES"})
  void whatBytesMakeIsReserved(String type) throws Exception {
    int size = BODY - 400;
    String json = HEAD + "\"" + type + "\",\"parameters\":{\"binary_data_size\":" + size + "}}]}";
    json = json.replace("\"shape\":[1]", "\"shape\":[" + size + "]");
    byte[] body = new byte[json.length() + size];
    System.arraycopy(json.getBytes(US_ASCII), 0, body, 0, json.length());
    refusedCheaply(
        type,
        "/v2/models/line/infer",
        body,
        "Inference-Header-Content-Length",
        Integer.toString(json.length()));
  }

  /// The characters of such a table take 10 MB at most; what is made of them is more than the other
  /// 10.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          empty cells | 1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,, | ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
          times       | 2020-01                                   | 2020-01
          """)
  void whatATableMakesIsReserved(String what, String first, String row) throws Exception {
    byte[] table = body(2_400_000, first + "\n", row + "\n");
    HttpResponse<String> answer = post("/studio/api/tables", table);
    assertEquals(413, answer.statusCode(), what);
    assertTrue(answer.body().contains("bytes of memory"), answer.body());
  }

  /// The bodies of the studio's other addresses are parsed into trees.
  @Test
  void whatTheStudioParsesIsReserved() throws Exception {
    byte[] body = body(1 << 18, "{\"z\":[", "{},");
    try (Gate.Pass others = server.gate().enter()) {
      others.reserve(MEMORY - (4 << 20));
      HttpResponse<String> answer = post("/studio/api/searches", body);
      assertEquals(429, answer.statusCode(), answer.body());
    }
  }
}
