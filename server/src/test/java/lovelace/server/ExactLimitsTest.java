package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Work whose memory grows with the square of the rows, or with rows times observations, is counted
/// before it is done.
class ExactLimitsTest {

  @TempDir Path folder;

  private Path exact(int n) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    double[] x = random.doubles(n, 0, 10).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(x[i]) + 0.1 * random.nextGaussian();
    Path file = folder.resolve("exact.lvl");
    Fit.DEFAULT
        .withKernel("1.0*rbf(lengthscale=1.0)")
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01)
        .withEngine(Engine.EXACT)
        .to(Dataset.of(x, 1, y))
        .save(file);
    return file;
  }

  private static Server serve(Path file, long memory) throws IOException {
    ServerOptions options = Trial.options(file).withThreads(2);
    return Trial.start(options.withLimits(options.limits().withMemory(memory)));
  }

  private static HttpResponse<String> ask(
      Server server, String model, int rows, String value, String output) throws Exception {
    return Trial.post(
        server,
        "/v2/models/" + model + "/infer",
        String.format(
            Locale.ROOT,
            """
        {"inputs":[{"name":"x","shape":[%d],"datatype":"FP64","data":[%s]}],
         "outputs":[{"name":"%s"}]}""",
            rows,
            String.join(",", Collections.nCopies(rows, value)),
            output));
  }

  private static void refused(HttpResponse<String> response, String... words) throws IOException {
    assertEquals(413, response.statusCode(), response.body());
    String error = Trial.json(response).get("error").asText();
    for (String word : words) assertTrue(error.contains(word), error);
  }

  @Test
  void jointSamplesOfAnExactModelHaveARowLimit() throws Exception {
    try (Server server = serve(exact(40), 1L << 32)) {
      refused(ask(server, "exact", 4097, "1", "samples"), "4,097", "4,096", "ask for fewer rows");
      assertEquals(200, ask(server, "exact", 4097, "1", "mean").statusCode());
      assertEquals(200, ask(server, "exact", 100, "1", "samples").statusCode());
    }
  }

  /// 1,000 rows: a covariance, its factor and a trial of 8 MB each.
  @Test
  void jointSamplesOfAnExactModelReserveTheirCovariance() throws Exception {
    try (Server server = serve(exact(40), 20L << 20)) {
      refused(ask(server, "exact", 1000, "1", "samples"), "24,", "20,971,520", "fewer rows");
      assertEquals(200, ask(server, "exact", 200, "1", "samples").statusCode());
      assertEquals(200, ask(server, "exact", 1000, "1", "mean").statusCode());
    }
  }

  /// 500 observations: a panel of 128 rows is 512 kB.
  @Test
  void predictionsOfAnExactModelReserveTheirSolves() throws Exception {
    try (Server server = serve(exact(500), 450_000)) {
      refused(ask(server, "exact", 1, "1", "mean"), "512,", "450,000");
    }
    try (Server server = serve(exact(500), 4_000_000)) {
      assertEquals(200, ask(server, "exact", 1000, "1", "mean").statusCode());
    }
  }

  /// Beyond the grid a row also keeps its covariances with every point of the grid.
  @Test
  void rowsBeyondTheGridReserveTheirColumns() throws Exception {
    Path file = folder.resolve("line.lvl");
    Trial.line(40, 1).save(file);
    try (Server server = serve(file, 1L << 30)) {
      var lattice = server.models().require("line", null).model().lattice().orElseThrow();
      long points = lattice.statistics().lattice().size();
      long needed = 8 * 300 * points + 32L * 300 * 300;
      try (Server small = serve(file, needed - 1)) {
        refused(
            ask(small, "line", 300, "99", "samples"),
            "bytes of memory",
            String.format(Locale.ROOT, "%,d", needed - 1));
        assertEquals(200, ask(small, "line", 300, "1", "samples").statusCode());
      }
      assertEquals(200, ask(server, "line", 300, "99", "samples").statusCode());
    }
  }

  @Test
  void curvesOfTheStudioReserveTheirDraws() throws Exception {
    try (Server server = serve(exact(40), 20L << 20)) {
      String view = "{\"model\":\"exact\",\"view\":{\"points\":1000,\"draws\":%d}}";
      HttpResponse<String> drawn = Trial.post(server, "/studio/api/sessions", view.formatted(2));
      refused(drawn, "20,971,520", "fewer");
      assertEquals(200, Trial.post(server, "/studio/api/sessions", view.formatted(0)).statusCode());
    }
  }

  /// Work that goes on after its request was given up keeps no memory reserved for ever.
  @Test
  void whoHasLeftReservesNothing() {
    Gate gate = new Gate(2, 1000);
    Gate.Pass pass = gate.enter();
    pass.reserve(600);
    pass.close();
    assertThrows(Refusal.class, () -> pass.reserve(100));
    pass.release(600);
    assertEquals(0, gate.reserved());
  }

  /// A request that can never be served is refused for good, and not told to come back later.
  @Test
  void whatAdvancesPastTheMemoryInStepsIsNotToldToTryLater() {
    Gate gate = new Gate(2, 1000);
    try (Gate.Pass pass = gate.enter()) {
      pass.reserve(600);
      Refusal refusal = null;
      try {
        pass.reserve(600);
      } catch (Refusal e) {
        refusal = e;
      }
      assertEquals(413, refusal == null ? 0 : refusal.status());
    }
    assertEquals(0, gate.reserved());
  }

  @Test
  void answersLongerThanAnArrayAreRefused() {
    JsonBytes json = new JsonBytes(16);
    json.raw("{}");
    for (long more : new long[] {Integer.MAX_VALUE - 8, 5_000_000_000L}) {
      var refusal = assertThrows(Refusal.class, () -> json.toArray(more));
      assertEquals(413, refusal.status());
      assertTrue(refusal.toString().contains("ask for fewer rows"), refusal.getMessage());
    }
  }
}
