package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import lovelace.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// New and changed files are served soon, whatever lies beside them.
class ReloadTest {

  @TempDir Path folder;

  @Test
  void aFileThatTakesLongHoldsUpNoOther() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    Map<Path, Integer> begun = new ConcurrentHashMap<>();
    Trial.line(50, 1).save(folder.resolve("b.lvl"));
    ServerOptions options = Trial.options().withFolder(folder);
    options = options.withLimits(options.limits().withTimeout(Duration.ofMillis(400)));
    Repository.Loader loader =
        (file, trust) -> {
          begun.merge(file, 1, Integer::sum);
          try {
            if (file.endsWith("a.lvl")) slow.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Model.load(file, trust);
        };
    try (Server server = Server.start(options, new Log(Trial.LINES::add), loader)) {
      Trial.line(60, 2).save(folder.resolve("a.lvl"));
      Trial.line(70, 3).save(folder.resolve("b.lvl"));
      Trial.line(80, 4).save(folder.resolve("c.lvl"));
      awaits(server, "b", 70);
      awaits(server, "c", 80);
      assertEquals(404, Trial.get(server, "/v2/models/a").statusCode());
      Files.delete(folder.resolve("c.lvl"));
      long end = System.nanoTime() + 60_000_000_000L;
      while (server.models().names().contains("c") && System.nanoTime() < end)
        server.models().reload();
      assertEquals(404, Trial.get(server, "/v2/models/c").statusCode());
      slow.countDown();
      awaits(server, "a", 60);
      assertEquals(1, begun.get(folder.resolve("a.lvl")));
    }
  }

  private static void awaits(Server server, String model, long rows) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (System.nanoTime() < end) {
      server.models().reload();
      Served served = server.models().served(model, null);
      if (served != null && served.model().count() == rows) return;
    }
    assertTrue(false, model + " is not served");
  }
}
