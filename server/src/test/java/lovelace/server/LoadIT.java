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
      Load.run(server.port(), 8, single, 1);
      Load.run(server.port(), 4, batch, 1);
      long before = Load.heap();
      Load.Result rows = Load.run(server.port(), 8, single, SECONDS / 2);
      Load.Result batches = Load.run(server.port(), 4, batch, SECONDS / 2);
      long after = Load.heap();
      assertTrue(rows.statuses().matches("\\{200=\\d+}"), rows.statuses());
      assertTrue(batches.statuses().matches("\\{200=\\d+}"), batches.statuses());
      System.out.printf(
          "soak of %.0f s, %,d requests: heap %.1f MB, then %.1f MB%n",
          SECONDS, rows.requests() + batches.requests(), before / 1e6, after / 1e6);
      assertTrue(after < before + 8_000_000, before + " bytes grew to " + after);
      assertEquals(0, server.gate().reserved());
    }
  }
}
