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

  /// A request of an attacker.
  ///
  /// @param open whether the client keeps its side open, as if more were to come
  @SuppressWarnings("ArrayRecordComponent") // handed over, not kept
  record Attack(String kind, byte[] bytes, boolean open) {}

  private final long seed;
  private final String session;

  /// Attacks of a seed on a server whose studio has a copy of a model under this name.
  Attacks(long seed, String session) {
    this.seed = seed;
    this.session = session;
  }

  /// One of all attacks.
  Attack attack(int index) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + index);
    random.nextLong();
    String[] base = AttackParts.SEEDS[random.nextInt(AttackParts.SEEDS.length)];
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
              of(random, AttackParts.HEADERS) + "\r\n" + headers(body),
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
      case 0 -> line(of(random, AttackParts.METHODS), path);
      case 1 -> line(method, of(random, AttackParts.TARGETS));
      case 2 -> method + " " + path + " " + of(random, AttackParts.VERSIONS);
      case 3 -> method + " " + "/a".repeat(1 + random.nextInt(4000)) + " HTTP/1.1";
      default ->
          of(random, AttackParts.METHODS)
              + of(random, " ", "", "\t", "  ")
              + of(random, AttackParts.TARGETS);
    };
  }

  private static String headers(String body) {
    return "Host: localhost\r\nContent-Length: " + body.getBytes(UTF_8).length;
  }

  private static String framing(SplittableRandom random) {
    return of(random, AttackParts.FRAMINGS) + "\r\nHost: localhost";
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
      if (random.nextInt(4) == 0) chunks.append(of(random, AttackParts.CHUNKS));
    }
    chunks
        .append(of(random, AttackParts.CHUNKS))
        .append(of(random, "", "0\r\n\r\n", "0\r\nA: b\r\n\r\n"));
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
      String[] base = AttackParts.SEEDS[random.nextInt(AttackParts.SEEDS.length)];
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
      case 0 -> body.substring(0, at) + of(random, AttackParts.VALUES) + body.substring(at);
      case 1 -> {
        String old = numbers.get(random.nextInt(numbers.size()));
        yield body.replace(old, of(random, AttackParts.VALUES));
      }
      case 2 ->
          body.replaceFirst(
              "\\{",
              "{\"" + of(random, AttackParts.NAMES) + "\":" + of(random, AttackParts.VALUES) + ",");
      case 3 -> "[".repeat(1 + random.nextInt(5000)) + body;
      case 4 -> body.substring(0, at) + "{\"a\":".repeat(random.nextInt(200)) + body.substring(at);
      case 5 ->
          body.replaceFirst(
              "\"" + of(random, AttackParts.NAMES) + "\"",
              "\"" + of(random, AttackParts.NAMES) + "\"");
      case 6 ->
          body.replaceFirst("\\]", "," + (of(random, AttackParts.VALUES) + ",").repeat(50) + "1]");
      case 7 -> of(random, AttackParts.VALUES);
      default -> body.substring(0, at);
    };
  }
}
