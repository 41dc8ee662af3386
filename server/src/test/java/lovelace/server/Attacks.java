package lovelace.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;

/// Malformed requests at random: case `i` of a seed is always the same bytes.
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
final class Attacks {

  /// What is sent.
  ///
  /// @param open whether the client keeps its side open, as if more were to come
  @SuppressWarnings("ArrayRecordComponent") // handed over, not kept
  record Attack(String kind, byte[] bytes, boolean open) {}

  /// Requests that are right, or wrong only in what they ask for: method, address, body.
  private static final String[][] SEEDS = {
    {"POST", "/v2/models/line/infer", infer("1.5", "")},
    {"POST", "/v2/models/line/infer", infer("1.5", ",\"parameters\":{\"draws\":3,\"seed\":7}")},
    {"POST", "/v2/models/rows/infer", infer("2", ",\"parameters\":{\"quantiles\":[0.1,0.9]}")},
    {"POST", "/v2/models/words/infer", words("\"red\"", "\"2020-02-01\"")},
    {"POST", "/v2/models/line/versions/1/infer", infer("3", ",\"outputs\":[{\"name\":\"mean\"}]")},
    {"POST", "/v2/models/line/observe", observe("2", "0.5")},
    {"POST", "/v2/models/none/infer", infer("1", "")},
    {"GET", "/v2", ""},
    {"GET", "/v2/models", ""},
    {"GET", "/v2/models/line", ""},
    {"GET", "/v2/models/line/ready", ""},
    {"GET", "/v2/models/words/versions/1", ""},
    {"GET", "/v2/health/live", ""},
    {"GET", "/v2/health/ready", ""},
    {"GET", "/metrics", ""},
    {"GET", "/openapi.json", ""},
    {"GET", "/", ""},
    {"GET", "/studio/api/about", ""},
    {"GET", "/studio/api/examples/airline.csv", ""},
    {"POST", "/studio/api/tables", "a,b\n1,2\n2,3\n4,5\n"},
    {"POST", "/studio/api/sessions", "{\"model\":\"line\",\"view\":{\"points\":20,\"draws\":1}}"},
    {"POST", "/studio/api/sessions", "{\"table\":\"none\",\"target\":\"b\",\"inputs\":[\"a\"]}"},
    {"POST", "/studio/api/sessions/SESSION/view", "{\"view\":{\"x\":0,\"points\":9,\"at\":[1]}}"},
    {"POST", "/studio/api/sessions/SESSION/observe", "{\"row\":[1,2],\"view\":{\"slices\":3}}"},
    {"POST", "/studio/api/sessions/SESSION/parameters", "{\"values\":{\"noise\":[0.01]}}"},
    {"POST", "/studio/api/sessions/SESSION/undo", "{}"},
    {"POST", "/studio/api/sessions/SESSION/checks", "{}"},
    {"GET", "/studio/api/sessions/SESSION", ""},
    {"GET", "/studio/api/sessions/SESSION/model", ""},
    {"POST", "/studio/api/jobs/0/cancel", "{}"},
    {"POST", "/studio/api/searches", "{\"function\":\"branin\",\"seed\":1}"},
    {"POST", "/studio/api/searches/none/step", "{}"},
  };

  private static final String[] VALUES = {
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "null",
    "true",
    "{}",
    "[]",
    "[[[[]]]]",
    "\"\"",
    "\"x\"",
    "1e308",
    "-1e308",
    "5e-324",
    "9223372036854775807",
    "-9223372036854775808",
    "1e15",
    "-0.0",
    "123456789012345678901234567890",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "0.1e",
    "--1",
    "{\"a\":1}",
    "\"9999-99-99\"",
    "\"2020-02-01\"",
    "\"red\"",
    "0",
    "-1",
    "2147483648",
    "[1,2,3]",
    "\"0x1p3\""
  };

  private static final String[] NAMES = {
    "inputs",
    "outputs",
    "parameters",
    "name",
    "shape",
    "datatype",
    "data",
    "id",
    "draws",
    "seed",
    "interval",
    "of",
    "noise",
    "quantiles",
    "timeout",
    "unseen",
    "binary_data_size",
    "binary_data",
    "binary_data_output",
    "model",
    "table",
    "view",
    "x",
    "y",
    "at",
    "points",
    "nx",
    "row",
    "values",
    "size",
    "likelihood",
    "kernel",
    "function",
    "",
    "priority"
  };

  private static final String[] CHUNKS = {
    "zz\r\n",
    "-5\r\n",
    "ffffffffff\r\n",
    "ffffffffffffffffffffffff\r\n",
    "\r\n",
    "5",
    "5\n",
    "5;a=b",
    " 5\r\nabcde\r\n",
    "+5\r\nabcde\r\n",
    "0x5\r\nabcde\r\n",
    "5\r\nabcdef\r\n",
    "5\r\nabc",
    "0",
    "0\r\n",
    "0\r\nX",
    "0\r\nA:b\r\n",
    "0\r\n: b\r\n\r\n",
    "5;\u0001\r\nabcde\r\n",
    "00000000000000000000\r\n",
    "7fffffff\r\n",
    "80000000\r\n",
    "8000000000000000\r\n",
    "5\rabcde\r\n",
    "5\r\nabcde\n\r\n"
  };

  private static final String[] FRAMINGS = {
    "Content-Length: -5",
    "Content-Length: x",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 99999999999999999999",
    "Content-Length: 9223372036854775807",
    "Content-Length: +4",
    "Content-Length: 4, 4",
    "Content-Length:",
    "Content-Length: 0x10",
    "Content-Length: 1073741824",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: chunked, gzip",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: \u000bchunked",
    "Transfer-Encoding: CHUNKED",
    "Content-Length: 4 4",
    "Content-Encoding: gzip\r\nContent-Length: 4",
    "Content-Encoding: br\r\nContent-Length: 4",
    "Content-Encoding: \r\nContent-Length: 4",
    "Expect: 100-continue\r\nContent-Length: 4",
    "Expect: 200-maybe\r\nContent-Length: 4",
    "Content-Length : 4"
  };

  private static final String[] HEADERS = {
    "Host: evil.example",
    "Host: a\r\nHost: b",
    "Host:",
    "Host: [::1",
    "Host: a:b",
    "Host: a:99999999",
    "Host: localhost:-1",
    "X",
    "X Y: 1",
    ": 1",
    "X: \u0000",
    "X: a\u0007b",
    "X: caf\u00e9",
    "X: a\r\n b",
    "X: a\rb",
    "Connection: close",
    "Connection: \u0001",
    "Connection: upgrade\r\nUpgrade: h2c",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Origin: http://evil.example",
    "Origin: \u00ff",
    "Origin: null",
    "Origin: ://",
    "Authorization: Bearer",
    "Inference-Header-Content-Length: 5",
    "Inference-Header-Content-Length: -1",
    "Inference-Header-Content-Length: 99999999999",
    "If-None-Match: \"",
    "If-None-Match: W/",
    "Accept: \"",
    "Accept: ;;;",
    "Content-Type: \"/",
    "Content-Type: ///;=;",
    "Cookie: =;=\u00e4;",
    "Range: bytes=-1",
    "TE: trailers",
    "Trailer: X",
    "Accept-Encoding: gzip",
    "Accept-Encoding: \u0001",
    "A: b",
    "U: x"
  };

  private static final String[] TARGETS = {
    "",
    "*",
    "x",
    "//",
    "/%",
    "/%zz",
    "/%00",
    "/%ff%fe",
    "/v2/models/%2e%2e/ready",
    "/v2/../..",
    "/?",
    "/v2?%",
    "/v2?a=%zz",
    "/v2#f",
    "/v2?a#b",
    "http://localhost/v2",
    "http://",
    "http:///v2",
    "http://a@localhost/v2",
    "ftp://localhost/v2",
    "/\u00e9",
    "/\u0001",
    "/v2\t",
    "/\"<>",
    "/[",
    "/{a}",
    "/v2/models/line/versions/99999999999999999999/infer",
    "/v2/models//infer",
    "/v2/models/%/infer",
    "localhost:80",
    "[v1.x]:80",
    "/v2/models/line/infer/",
    "/studio/api/sessions/%00/view",
    "/;a=b"
  };

  private static final String[] METHODS = {
    "",
    "get",
    "G\u0001ET",
    "G ET",
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
    "CONNECT",
    "OPTIONS",
    "HEAD",
    "PRI",
    "\u0000",
    "\u007f",
    "GET\t",
    "B\u00e4",
    "X".repeat(200),
    "(",
    "POST\r"
  };

  private static final String[] VERSIONS = {
    "",
    "HTTP",
    "HTTP/",
    "HTTP/1",
    "HTTP/0.9",
    "HTTP/1.0",
    "HTTP/1.2",
    "HTTP/2.0",
    "HTTP/9.9",
    "http/1.1",
    "HTTP/1.1 x",
    "HTTP/1.1\u0000",
    "HTTP/11",
    "HTTP/1.x",
    "ICY/1.1"
  };

  private final long seed;
  private final String session;

  /// Attacks of a seed on a server whose studio has a copy of a model under this name.
  Attacks(long seed, String session) {
    this.seed = seed;
    this.session = session;
  }

  static String infer(String value, String more) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + value
        + "]}]"
        + more
        + "}";
  }

  private static String words(String word, String day) {
    return "{\"inputs\":[{\"name\":\"colour\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":["
        + word
        + "]},{\"name\":\"day\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":["
        + day
        + "]}]}";
  }

  private static String observe(String x, String y) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + x
        + "]},{\"name\":\"y\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":["
        + y
        + "]}]}";
  }

  /// One of all attacks.
  Attack attack(int index) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + index);
    random.nextLong();
    String[] base = SEEDS[random.nextInt(SEEDS.length)];
    String path = base[1].replace("SESSION", session);
    String body = base[2];
    boolean open = random.nextInt(40) == 0;
    return switch (index % 10) {
      case 0 -> attack("request line", open, line(random, base[0], path), headers(body), body);
      case 1 ->
          attack(
              "header",
              open,
              line(base[0], path),
              of(random, HEADERS) + "\r\n" + headers(body),
              body);
      case 2 -> attack("framing", open, "POST " + path + " HTTP/1.1", framing(random), body);
      case 3 -> chunked(random, open, path, body);
      case 4 -> cut(random, open, request(base[0], path, body));
      case 5 -> flipped(random, open, request(base[0], path, body));
      case 6 -> bytes(random, open);
      case 7 -> pipelined(random, open);
      default -> {
        String changed = body;
        for (int k = random.nextInt(3); k >= 0; k--) changed = json(random, changed);
        yield new Attack("json", request(base[0], path, changed), open);
      }
    };
  }

  private static String of(SplittableRandom random, String... from) {
    return from[random.nextInt(from.length)];
  }

  private static String line(String method, String path) {
    return method + " " + path + " HTTP/1.1";
  }

  private static String line(SplittableRandom random, String method, String path) {
    return switch (random.nextInt(5)) {
      case 0 -> line(of(random, METHODS), path);
      case 1 -> line(method, of(random, TARGETS));
      case 2 -> method + " " + path + " " + of(random, VERSIONS);
      case 3 -> method + " " + "/a".repeat(1 + random.nextInt(4000)) + " HTTP/1.1";
      default -> of(random, METHODS) + of(random, " ", "", "\t", "  ") + of(random, TARGETS);
    };
  }

  private static String headers(String body) {
    return "Host: localhost\r\nContent-Length: " + body.getBytes(UTF_8).length;
  }

  private static String framing(SplittableRandom random) {
    return of(random, FRAMINGS) + "\r\nHost: localhost";
  }

  private static byte[] request(String method, String path, String body) {
    return (line(method, path) + "\r\n" + headers(body) + "\r\n\r\n" + body).getBytes(UTF_8);
  }

  private static Attack attack(String kind, boolean open, String line, String head, String body) {
    byte[] bytes = (line + "\r\n" + head + "\r\n\r\n" + body).getBytes(ISO_8859_1);
    return new Attack(kind, bytes, open);
  }

  private static Attack chunked(SplittableRandom random, boolean open, String path, String body) {
    StringBuilder chunks = new StringBuilder();
    for (int at = 0; at < body.length(); ) {
      int size = Math.min(body.length() - at, 1 + random.nextInt(40));
      chunks.append(Integer.toHexString(size)).append(of(random, "", "", ";a=b", " ; a=\"b;c\""));
      chunks.append("\r\n").append(body, at, at + size).append("\r\n");
      at += size;
      if (random.nextInt(4) == 0) chunks.append(of(random, CHUNKS));
    }
    chunks.append(of(random, CHUNKS)).append(of(random, "", "0\r\n\r\n", "0\r\nA: b\r\n\r\n"));
    String head = "Host: localhost\r\nTransfer-Encoding: chunked";
    return attack("chunks", open, line("POST", path), head, chunks.toString());
  }

  private static Attack cut(SplittableRandom random, boolean open, byte[] request) {
    byte[] part = new byte[1 + random.nextInt(request.length)];
    System.arraycopy(request, 0, part, 0, part.length);
    return new Attack("cut", part, open);
  }

  private static Attack flipped(SplittableRandom random, boolean open, byte[] request) {
    for (int k = random.nextInt(6); k >= 0; k--)
      request[random.nextInt(request.length)] = (byte) random.nextInt(256);
    return new Attack("flipped", request, open);
  }

  /// The binary extension, with lengths that lie.
  private static Attack bytes(SplittableRandom random, boolean open) {
    String type = of(random, "FP64", "FP32", "FP16", "INT64", "UINT8", "BYTES", "BOOL", "fp64");
    long[] sizes = {0, 1, 7, 8, 16, -8, Integer.MAX_VALUE, Long.MAX_VALUE, 1L << 40};
    long size = sizes[random.nextInt(sizes.length)];
    String json =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":["
            + of(random, "1", "2", "0", "1,1", "4294967297", "9223372036854775807,2")
            + "],\"datatype\":\""
            + type
            + "\",\"parameters\":{\"binary_data_size\":"
            + size
            + "}}]}";
    ByteBuffer tensor = ByteBuffer.allocate(random.nextInt(4) * 8).order(ByteOrder.LITTLE_ENDIAN);
    while (tensor.hasRemaining())
      tensor.putDouble(random.nextInt(3) == 0 ? Double.NaN : random.nextDouble());
    String length =
        random.nextInt(4) == 0
            ? of(random, "-1", "0", "99999", "x", "", "9999999999", "3")
            : Integer.toString(json.length());
    String head =
        line("POST", "/v2/models/line/" + of(random, "infer", "observe"))
            + "\r\nHost: localhost\r\nInference-Header-Content-Length: "
            + length
            + "\r\nContent-Length: "
            + (json.length() + tensor.capacity())
            + "\r\n\r\n"
            + json;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head.getBytes(UTF_8));
    all.writeBytes(tensor.array());
    return new Attack("bytes", all.toByteArray(), open);
  }

  /// A few requests at once, one of them wrong.
  private Attack pipelined(SplittableRandom random, boolean open) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int count = 2 + random.nextInt(4);
    int wrong = random.nextInt(count);
    for (int k = 0; k < count; k++) {
      String[] base = SEEDS[random.nextInt(SEEDS.length)];
      String path = base[1].replace("SESSION", session);
      byte[] request = request(base[0], path, base[2]);
      if (k == wrong)
        request = flipped(random, open, random.nextBoolean() ? request : request.clone()).bytes();
      all.writeBytes(request);
    }
    return new Attack("pipelined", all.toByteArray(), open);
  }

  /// JSON with one thing changed.
  private static String json(SplittableRandom random, String body) {
    int at = body.isEmpty() ? 0 : random.nextInt(body.length());
    List<String> numbers = List.of("1.5", "[1]", "\"x\"", "1", "0.5", "7", "\"FP64\"", "\"mean\"");
    return switch (random.nextInt(9)) {
      case 0 -> body.substring(0, at) + of(random, VALUES) + body.substring(at);
      case 1 -> {
        String old = numbers.get(random.nextInt(numbers.size()));
        yield body.replace(old, of(random, VALUES));
      }
      case 2 ->
          body.replaceFirst("\\{", "{\"" + of(random, NAMES) + "\":" + of(random, VALUES) + ",");
      case 3 -> "[".repeat(1 + random.nextInt(5000)) + body;
      case 4 -> body.substring(0, at) + "{\"a\":".repeat(random.nextInt(200)) + body.substring(at);
      case 5 -> body.replaceFirst("\"" + of(random, NAMES) + "\"", "\"" + of(random, NAMES) + "\"");
      case 6 -> body.replaceFirst("\\]", "," + (of(random, VALUES) + ",").repeat(50) + "1]");
      case 7 -> of(random, VALUES);
      default -> body.substring(0, at);
    };
  }
}
