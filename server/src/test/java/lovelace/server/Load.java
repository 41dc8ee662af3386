package lovelace.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/// A load program: connections that ask one request over and over, and what came of it.
///
/// ```
/// java -cp … lovelace.server.Load [SECONDS]
/// ```
///
/// prints the rate of a constant answer and of single-row inference from the same server in the
/// same run, the rate of batches in bytes, and memory over a soak.
@SuppressWarnings("StringConcatToTextBlock") // HTTP ends its lines with two characters
final class Load {

  /// The results of a run.
  @SuppressWarnings("ArrayRecordComponent") // read once
  record Result(long requests, double seconds, double[] latencies, String statuses) {
    double rate() {
      return requests / seconds;
    }

    /// A quantile of the latency as milliseconds.
    double quantile(double p) {
      return latencies.length == 0 ? 0 : latencies[(int) (p * (latencies.length - 1))];
    }
  }

  private Load() {}

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 10;
    Path folder = Files.createTempDirectory("load");
    Trial.line(1000, 1).save(folder.resolve("line.lvl"));
    Trial.plane(1000, 1).save(folder.resolve("plane.lvl"));
    try (Server server =
        Trial.start(Trial.options(folder.resolve("line.lvl"), folder.resolve("plane.lvl")))) {
      byte[] hello = get("/v2/health/live");
      byte[] single = single();
      byte[] batch = batch(10_000);
      for (int warm = 0; warm < 2; warm++) {
        run(server.port(), 32, hello, seconds);
        run(server.port(), 32, single, seconds);
        run(server.port(), 4, batch, seconds / 4);
      }
      for (int time = 0; time < 4; time++) {
        Result constant = run(server.port(), 32, hello, seconds);
        Result inference = run(server.port(), 32, single, seconds);
        System.out.printf(
            "constant %,.0f/s; single row %,.0f/s = %.0f %%, p50 %.2f ms, p99 %.2f ms, %s%n",
            constant.rate(),
            inference.rate(),
            100 * inference.rate() / constant.rate(),
            inference.quantile(0.5),
            inference.quantile(0.99),
            inference.statuses());
      }
      Result rows = run(server.port(), 4, batch, seconds);
      System.out.printf(
          "batches of 10,000 rows as bytes: %,.0f rows/s, p99 %.1f ms, %s%n",
          10_000 * rows.rate(), rows.quantile(0.99), rows.statuses());
      System.out.println(soak(server.port(), single, batch, seconds));
    }
  }

  /// Heap after a collection, over a mix of requests.
  static String soak(int port, byte[] single, byte[] batch, double seconds) throws Exception {
    StringBuilder text = new StringBuilder("soak, heap in use after a collection as MB:");
    for (int part = 0; part < 5; part++) {
      run(port, 16, single, seconds / 8);
      run(port, 4, batch, seconds / 8);
      text.append(String.format(Locale.ROOT, " %.1f", heap() / 1e6));
    }
    return text.toString();
  }

  static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  static byte[] get(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII);
  }

  static byte[] single() {
    return post(
        "/v2/models/line/infer",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,1],\"datatype\":\"FP64\",\"data\":[3.25]}],"
            + "\"outputs\":[{\"name\":\"mean\"},{\"name\":\"variance\"}]}",
        new byte[0]);
  }

  /// A request with rows of two columns as bytes that asks for mean and variance as bytes.
  static byte[] batch(int rows) {
    SplittableRandom random = new SplittableRandom(1);
    ByteBuffer bytes = ByteBuffer.allocate(16 * rows).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) bytes.putDouble(5 * random.nextDouble());
    return post(
        "/v2/models/plane/infer",
        String.format(
            Locale.ROOT,
            ("{\"inputs\":[{\"name\":\"x\",\"shape\":[%d,2],\"datatype\":\"FP64\",\"parameters\":{\"binary_data_size\":%d}}],"
                + "\"outputs\":[{\"name\":\"mean\"},{\"name\":\"variance\"}],"
                + "\"parameters\":{\"binary_data_output\":true}}"),
            rows,
            16 * rows),
        bytes.array());
  }

  static byte[] post(String path, String json, byte[] bytes) {
    byte[] head =
        String.format(
                Locale.ROOT,
                ("POST %s HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Content-Length: %d\r\n"
                    + "Inference-Header-Content-Length: %d\r\n\r\n"
                    + "%s"),
                path,
                json.length() + bytes.length,
                json.length(),
                json)
            .getBytes(US_ASCII);
    byte[] all = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, all, head.length, bytes.length);
    return all;
  }

  /// Sends one request over several connections for some time.
  static Result run(int port, int connections, byte[] request, double seconds) throws Exception {
    ConcurrentSkipListMap<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
    List<double[]> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    for (int c = 0; c < connections; c++)
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    double[] own = new double[1024];
                    int count = 0;
                    try (Connection connection = new Connection(port)) {
                      while (System.nanoTime() < end) {
                        long sent = System.nanoTime();
                        int status = connection.ask(request);
                        statuses.computeIfAbsent(status, k -> new LongAdder()).increment();
                        if (status == 429) Thread.sleep(5);
                        if (count == own.length) own = Arrays.copyOf(own, 2 * count);
                        own[count++] = (System.nanoTime() - sent) / 1e6;
                      }
                    } catch (IOException | InterruptedException e) {
                      statuses.computeIfAbsent(-1, k -> new LongAdder()).increment();
                    }
                    synchronized (all) {
                      all.add(Arrays.copyOf(own, count));
                    }
                  }));
    for (Thread thread : threads) thread.join();
    double time = (System.nanoTime() - start) / 1e9;
    double[] latencies = all.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
    return new Result(latencies.length, time, latencies, statuses.toString());
  }

  /// A connection that is kept, and opened again where the server closed it.
  private static final class Connection implements AutoCloseable {
    private final int port;
    private Socket socket;
    private InputStream in;
    private byte[] room = new byte[1 << 16];

    Connection(int port) throws IOException {
      this.port = port;
      socket = open();
      in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    }

    private Socket open() throws IOException {
      Socket made = new Socket(InetAddress.getLoopbackAddress(), port);
      made.setTcpNoDelay(true);
      made.setSoTimeout(30_000);
      return made;
    }

    int ask(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
      int status = 0;
      int length = 0;
      boolean closing = false;
      while (true) {
        String line = line();
        if (line.isEmpty()) break;
        if (status == 0) status = Integer.parseInt(line.substring(9, 12));
        else if (line.regionMatches(true, 0, "Content-Length:", 0, 15))
          length = Integer.parseInt(line.substring(15).trim());
        else if (line.regionMatches(true, 0, "Connection: close", 0, 17)) closing = true;
      }
      if (room.length < length) room = new byte[length];
      if (in.readNBytes(room, 0, length) != length) throw new IOException("short answer");
      if (closing) {
        socket.close();
        socket = open();
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
      }
      return status;
    }

    private String line() throws IOException {
      int count = 0;
      while (true) {
        int c = in.read();
        if (c < 0) throw new IOException("closed");
        if (c == '\n') return new String(room, 0, Math.max(0, count - 1), ISO_8859_1);
        room[count++] = (byte) c;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
