package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lovelace.testing.NpmPackages;
import lovelace.testing.Programs;
import org.jspecify.annotations.Nullable;

/// A process that runs ONNX graphs outside of Java: Node or a browser. It asks for graphs and rows
/// over HTTP and sends its answers back. Each starts when it is first needed and ends with this
/// JVM.
final class Elsewhere {

  private static final String PACKAGES = "onnxruntime";
  private static final long PATIENCE = 120; // seconds that a graph may take on a busy machine
  private static final Map<Kind, Elsewhere> STARTED = new ConcurrentHashMap<>();

  /// Where graphs run.
  enum Kind {
    NODE,
    BROWSER;

    /// Whether this machine has it. A test that cannot do without says so by
    /// [lovelace.testing.Needs].
    boolean isThere() {
      return NpmPackages.INSTALLED.missing(PACKAGES).isEmpty()
          && (this == NODE || Programs.INSTALLED.find("chromium").isPresent());
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A graph to evaluate, and what came of it.
  private record Task(
      Path model,
      List<Map<String, Object>> inputs,
      List<byte[]> bytes,
      Map<String, double[]> outputs,
      CompletableFuture<Map<String, double[]>> answer) {}

  private final SynchronousQueue<Task> waiting = new SynchronousQueue<>();
  private final Running running;
  private volatile @Nullable Task current;

  private Elsewhere(Kind kind) throws IOException {
    Path packages = NpmPackages.INSTALLED.require(PACKAGES);
    Site site =
        new Site()
            .on("/task/", this::task)
            .on("/worker.mjs", exchange -> worker())
            .files("/dist/", packages.resolve("node_modules/onnxruntime-web/dist"))
            .page("/", PAGE);
    running =
        kind == Kind.BROWSER
            ? Running.browser(site.address())
            : Running.node(worker(), site.address() + "task/", packages);
    Running own = running;
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try (site;
                      own) {
                    // both end
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }));
  }

  private static final String PAGE =
      """
      <!doctype html><script type="module">
      import * as ort from "/dist/ort.wasm.min.mjs";
      import { work } from "/worker.mjs";
      await work(ort, "/task/");
      </script>
      """;

  /// The outputs of a graph, by kind of place and by output. Places that this machine does not have
  /// are left out.
  static Map<Kind, Map<String, double[]>> evaluate(Path model, Map<String, OnnxTensorLike> inputs)
      throws OrtException {
    Map<Kind, Map<String, double[]>> all = new LinkedHashMap<>();
    for (Kind kind : Kind.values())
      if (kind.isThere()) all.put(kind, evaluate(kind, model, inputs));
    return all;
  }

  static Map<String, double[]> evaluate(Kind kind, Path model, Map<String, OnnxTensorLike> inputs)
      throws OrtException {
    List<Map<String, Object>> heads = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    for (var input : inputs.entrySet()) {
      OnnxTensor tensor = (OnnxTensor) input.getValue();
      TensorInfo info = tensor.getInfo();
      Map<String, Object> head = new LinkedHashMap<>();
      heads.add(head);
      head.put("name", input.getKey());
      head.put("shape", info.getShape());
      byte[] own = new byte[0];
      switch (info.type) {
        case DOUBLE -> head.put("type", "float64");
        case FLOAT -> head.put("type", "float32");
        case STRING -> {
          head.put("type", "string");
          head.put("words", tensor.getValue());
        }
        default -> throw new AssertionError(info);
      }
      if (!head.containsKey("words")) {
        ByteBuffer buffer = tensor.getByteBuffer();
        own = new byte[buffer.remaining()];
        buffer.get(own);
      }
      bytes.add(own);
    }
    Task task = new Task(model, heads, bytes, new ConcurrentHashMap<>(), new CompletableFuture<>());
    return STARTED
        .computeIfAbsent(
            kind,
            k -> {
              try {
                return new Elsewhere(k);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })
        .run(kind, task);
  }

  /// Hands a task over and waits for its answer. One at a time.
  private synchronized Map<String, double[]> run(Kind kind, Task task) {
    try {
      if (waiting.offer(task, PATIENCE, TimeUnit.SECONDS))
        return task.answer.get(PATIENCE, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException | ExecutionException e) {
      throw new AssertionError(kind + ": " + e + "\n" + running.said(), e);
    }
    throw new AssertionError(
        kind + " (running: " + running.isAlive() + ") asks for nothing\n" + running.said());
  }

  private byte @Nullable [] task(HttpExchange exchange) throws IOException, InterruptedException {
    String[] path = Site.path(exchange).split("/", -1); // "", "task", what, which
    if (path[2].equals("next")) {
      Task next = waiting.poll(20, TimeUnit.SECONDS);
      if (next == null) return null;
      current = next;
      return new ObjectMapper().writeValueAsBytes(next.inputs);
    }
    Task task = Objects.requireNonNull(current);
    byte[] body = exchange.getRequestBody().readAllBytes();
    switch (path[2]) {
      case "model" -> {
        return Files.readAllBytes(task.model);
      }
      case "input" -> {
        return task.bytes.get(Integer.parseInt(path[3]));
      }
      case "output" -> {
        double[] values = new double[body.length / Double.BYTES];
        ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
        task.outputs.put(path[3], values);
      }
      case "done" -> task.answer.complete(task.outputs);
      case "failed" ->
          task.answer.completeExceptionally(new AssertionError(new String(body, UTF_8)));
      default -> throw new IOException(path[2]);
    }
    return new byte[0];
  }

  private static byte[] worker() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(Elsewhere.class.getResourceAsStream("worker.mjs"))) {
      return in.readAllBytes();
    }
  }
}
