package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicLong;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Costly work is done by the threads that the server may compute with, however short the request,
/// and ends when its time is up.
class EffortTest {

  private static final int THREADS = 2;

  @TempDir Path folder;

  /// `exp(−r²/2)`, which remembers who asks for it and can be slow.
  static final class Watched implements KernelFunction.Stationary {
    static final Set<Object> POOLS = ConcurrentHashMap.newKeySet();
    static final AtomicLong SLEEP = new AtomicLong(); // milliseconds, once
    static final AtomicLong CALLS = new AtomicLong();
    static volatile boolean slow = false; // a millisecond each 300 times

    @Override
    public String name() {
      return "watched";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale());
    }

    @Override
    public double value(double[] distance, double[][] p) {
      ForkJoinPool pool = ForkJoinTask.getPool();
      POOLS.add(pool == null ? "none" : pool.getParallelism());
      boolean now = CALLS.incrementAndGet() % 300 == 0 && slow;
      long sleep = now ? 1 : SLEEP.getAndSet(0);
      try {
        if (sleep > 0) Thread.sleep(sleep);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      double s = 0;
      for (int i = 0; i < distance.length; i++) s += Math.pow(distance[i] / p[0][i], 2);
      return Math.exp(-s / 2);
    }
  }

  private static Model rows(int n, Engine engine) {
    SplittableRandom random = new SplittableRandom(7);
    double[] x = random.doubles(2L * n, 0, 10).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++)
      y[i] = Math.sin(x[2 * i]) + x[2 * i + 1] + 0.1 * random.nextGaussian();
    return Fit.DEFAULT
        .withKernel(Kernel.parse("1.0*watched(lengthscale=[1.0,1.0])", new Watched()))
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01)
        .withEngine(engine)
        .to(Dataset.of(x, 2, y));
  }

  private Server serve(Model model, Duration timeout) throws Exception {
    Path file = folder.resolve("rows.lvl");
    Trial.line(20, 1).save(file); // whose place the model takes
    ServerOptions options = Trial.options(file).withThreads(THREADS);
    return Server.start(
        options.withLimits(options.limits().withTimeout(timeout)),
        new Log(Trial.LINES::add),
        (path, trust) -> model);
  }

  private static HttpResponse<String> ask(Server server, int rows) throws Exception {
    String points = String.join(",", Collections.nCopies(2 * rows, "5"));
    return Trial.post(
        server,
        "/v2/models/rows/infer",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":["
            + rows
            + ",2],\"datatype\":\"FP64\",\"data\":["
            + points
            + "]}]}");
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "NEIGHBOURS"})
  void shortRequestsOfCostlyModelsAreComputedByThePool(Engine engine) throws Exception {
    try (Server server = serve(rows(600, engine), Duration.ofSeconds(30))) {
      Watched.POOLS.clear();
      assertEquals(200, ask(server, 200).statusCode());
      assertEquals(Set.of(THREADS), Watched.POOLS);
    }
  }

  @Test
  void whatIsQuickIsDoneWhereItWasAsked() {
    double[] inside = {1, 2, 3};
    Model line = Trial.line(50, 1);
    assertTrue(Effort.isQuick(line, inside, 5));
    assertFalse(Effort.isQuick(line, new double[] {1, 1e6}, 5), "beyond the grid");
    assertFalse(Effort.isQuick(line, new double[20_000], 5), "many rows");
    assertFalse(Effort.isQuick(rows(600, Engine.EXACT), new double[] {1, 1}, 5), "600² / 2 · 128");
  }

  /// One panel of an exact model, in which time runs out.
  @Test
  void workEndsInTheMiddleOfAFewRows() throws Exception {
    try (Server server = serve(rows(300, Engine.EXACT), Duration.ofMillis(300))) {
      assertEquals(200, ask(server, 2).statusCode());
      Watched.SLEEP.set(600);
      HttpResponse<String> late = ask(server, 2);
      assertEquals(504, late.statusCode(), late.body());
      assertEquals(200, ask(server, 2).statusCode());
    }
  }

  /// A curve of the studio that takes longer than a request may: nobody works on it afterwards.
  @Test
  void workOfTheStudioEndsWithItsRequest() throws Exception {
    try (Server server = serve(rows(300, Engine.EXACT), Duration.ofMillis(300))) {
      String id =
          Trial.json(Trial.post(server, "/studio/api/sessions", "{\"model\":\"rows\"}"))
              .path("state")
              .path("id")
              .asText();
      Watched.CALLS.set(0);
      Watched.slow = true;
      HttpResponse<String> late =
          Trial.post(
              server, "/studio/api/sessions/" + id + "/view", "{\"view\":{\"points\":2000}}");
      assertEquals(504, late.statusCode(), late.body());
      long before = -1;
      while (Watched.CALLS.get() != before) {
        before = Watched.CALLS.get();
        Thread.sleep(200);
      }
      assertTrue(before < 2000 * 300, "of 600,000 kernel values " + before);
    } finally {
      Watched.slow = false;
    }
  }
}
