package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import lovelace.Model;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import triton.client.InferInput;
import triton.client.InferRequestedOutput;
import triton.client.InferResult;
import triton.client.InferenceException;
import triton.client.InferenceServerClient;
import triton.client.pojo.DataType;

/// The Java client of NVIDIA's Triton server, as it lies on Maven Central, drives this server
/// unchanged.
@SuppressWarnings("try") // its close() may throw anything
class TritonClientIT {

  private static final double[] POINTS = {1.5, 2.5, 0.25, 4, 3, 1};

  /// Held, as the logging library forgets settings of loggers that nobody holds.
  private static final Logger ITS = Logger.getLogger("triton.client");

  @TempDir static Path folder;
  static Model plane = Trial.plane(200, 2);
  static Server server;

  @BeforeAll
  static void start() throws IOException {
    ITS.setLevel(Level.OFF);
    plane.save(folder.resolve("plane.lvl"));
    server = Trial.start(Trial.options(folder.resolve("plane.lvl")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static InferenceServerClient client() throws IOException {
    return new InferenceServerClient("127.0.0.1:" + server.port(), 20_000, 20_000);
  }

  private static InferInput points(boolean binary) {
    InferInput x = new InferInput("x", new long[] {3, 2}, DataType.FP64);
    x.setData(POINTS, binary);
    return x;
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void predictionsArriveInEveryForm(boolean in, boolean out) throws Exception {
    try (InferenceServerClient client = client()) {
      List<InferRequestedOutput> outputs = new ArrayList<>();
      for (String name : List.of("mean", "variance", "upper", "outside"))
        outputs.add(new InferRequestedOutput(name, out));
      InferResult result = client.infer("plane", List.of(points(in)), outputs);
      Prediction expected = plane.predict(POINTS);
      assertArrayEquals(expected.means(), result.getOutputAsDouble("mean"));
      assertArrayEquals(expected.variances(), result.getOutputAsDouble("variance"));
      for (int i = 0; i < 3; i++)
        assertTrue(result.getOutputAsDouble("upper")[i] > expected.mean(i));
      assertArrayEquals(new boolean[3], result.getOutputAsBool("outside"));
    }
  }

  @Test
  void withoutOutputsAllComeAsBytesAndTheIdComesBack() throws Exception {
    try (InferenceServerClient client = client()) {
      var arguments =
          new InferenceServerClient.InferArguments("plane", points(true))
              .setModelVersion("1")
              .setRequestId("7")
              .setPriority(1)
              .setSequenceId(3)
              .setTimeout(20_000_000);
      InferResult result = client.infer(arguments);
      assertArrayEquals(plane.predict(POINTS).means(), result.getOutputAsDouble("mean"));
    }
  }

  @Test
  void columnsAsTensorsOfOtherTypes() throws Exception {
    try (InferenceServerClient client = client()) {
      InferInput depth = new InferInput("depth", new long[] {2}, DataType.FP32);
      depth.setData(new float[] {1.5f, 3}, true);
      InferInput age = new InferInput("age", new long[] {2, 1}, DataType.INT32);
      age.setData(new int[] {2, 4}, true);
      InferResult result =
          client.infer("plane", List.of(depth, age), List.of(new InferRequestedOutput("mean")));
      assertArrayEquals(plane.predict(1.5, 2, 3, 4).means(), result.getOutputAsDouble("mean"));
    }
  }

  @Test
  void itsErrorsAreOurs() throws Exception {
    try (InferenceServerClient client = client()) {
      client.setRetryCnt(1);
      InferenceException none =
          assertThrows(
              InferenceException.class,
              () -> client.infer("none", List.of(points(true)), List.of()));
      assertTrue(none.toString().contains("there is no model 'none'"), none.toString());
      InferInput x = new InferInput("x", new long[] {2, 3}, DataType.FP64);
      x.setData(POINTS, true);
      InferenceException shape =
          assertThrows(
              InferenceException.class, () -> client.infer("plane", List.of(x), List.of()));
      assertTrue(shape.toString().contains("it must be [rows, 2]"), shape.toString());
    }
  }

  @Test
  void manyOfThemAtOnce() throws Exception {
    double[] expected = plane.predict(POINTS).means();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int c = 0; c < 4; c++)
      all.add(
          CompletableFuture.runAsync(
              () -> {
                try (InferenceServerClient client = client()) {
                  for (int i = 0; i < 50; i++)
                    assertArrayEquals(
                        expected,
                        client
                            .infer(
                                "plane",
                                List.of(points(i % 2 == 0)),
                                List.of(new InferRequestedOutput("mean", i % 3 == 0)))
                            .getOutputAsDouble("mean"));
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    for (CompletableFuture<Void> one : all) one.get();
  }
}
