package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Under load all is answered or refused, and memory does not grow. Rates are what [Load] prints.
class LoadIT {

  private static final double SECONDS = Boolean.getBoolean("lovelace.long") ? 120 : 6;

  @TempDir Path folder;

  /// Bodies that are read before a refusal, and bodies that are too long for that.
  @ParameterizedTest
  @ValueSource(ints = {20_000, 100_000})
  void overloadIsAnswered429AndPasses(int rows) throws Exception {
    Trial.plane(400, 1).save(folder.resolve("plane.lvl"));
    ServerOptions options = Trial.options(folder.resolve("plane.lvl"));
    byte[] batch = Load.batch(rows);
    try (Server server = Trial.start(options.withLimits(options.limits().withRequests(2)))) {
      Load.Result flood = Load.run(server.port(), 32, batch, 2);
      assertTrue(flood.statuses().contains("429="), flood.statuses());
      assertTrue(flood.statuses().contains("200="), flood.statuses());
      assertTrue(flood.statuses().matches("\\{200=\\d+, 429=\\d+}"), flood.statuses());
      Load.Result calm = Load.run(server.port(), 1, batch, 0.5);
      assertTrue(calm.statuses().matches("\\{200=\\d+}"), calm.statuses());
    }
  }

  @Test
  void aSoakLeavesNoMemoryBehind() throws Exception {
    Trial.line(400, 1).save(folder.resolve("line.lvl"));
    Trial.plane(400, 1).save(folder.resolve("plane.lvl"));
    try (Server server =
        Trial.start(Trial.options(folder.resolve("line.lvl"), folder.resolve("plane.lvl")))) {
      byte[] single = Load.single();
      byte[] batch = Load.batch(2_000);
      ask(server, 8, single, 1);
      ask(server, 4, batch, 1);
      long before = Load.heap();
      long requests = 0;
      // what the clients note down is forgotten before memory is looked at
      for (int part = 0; part < 3; part++) {
        requests += ask(server, 8, single, SECONDS / 6);
        requests += ask(server, 4, batch, SECONDS / 6);
      }
      long after = Load.heap();
      System.out.printf(
          "soak of %.0f s, %,d requests: heap %.1f MB, then %.1f MB%n",
          SECONDS, requests, before / 1e6, after / 1e6);
      assertTrue(after < before + 4_000_000, before + " bytes grew to " + after);
      assertEquals(0, server.gate().reserved());
    }
  }

  /// Asks for so long, and returns how often.
  private static long ask(Server server, int connections, byte[] request, double seconds)
      throws Exception {
    Load.Result result = Load.run(server.port(), connections, request, seconds);
    assertTrue(result.statuses().matches("\\{200=\\d+}"), result.statuses());
    return result.requests();
  }
}
