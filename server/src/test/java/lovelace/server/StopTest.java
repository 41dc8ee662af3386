package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import lovelace.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that did not start, or that stops, leaves nothing behind. Another one can then serve
/// the same files: a model whose journal is locked would fail its start.
class StopTest {

  @TempDir private Path folder;

  private Path model(String name) throws Exception {
    Path file = folder.resolve(name + ".lvl");
    Trial.line(60, 1).save(file);
    return file;
  }

  @Test
  void keysThatCannotBeReadLeaveNoLockBehind() throws Exception {
    Path file = model("a");
    ServerOptions options = Trial.options(file).withUpdates(true);
    Path wrong = Files.writeString(folder.resolve("wrong.pem"), "no key");
    for (int i = 0; i < 2; i++)
      assertThrows(
          RuntimeException.class,
          () -> Trial.start(options.withTls(new ServerOptions.Tls(wrong, wrong))).close());
    Trial.start(options).close();
  }

  @Test
  void aFileThatIsReadWhileTheServerStopsIsNotLocked() throws Exception {
    Path first = model("a");
    CompletableFuture<Thread> reading = new CompletableFuture<>();
    CountDownLatch read = new CountDownLatch(1);
    Server server =
        Server.start(
            Trial.options().withFolder(folder).withUpdates(true),
            new Log(Trial.LINES::add),
            (file, trust) -> {
              if (file.endsWith("b.lvl")) {
                reading.complete(Thread.currentThread());
                boolean waiting = true;
                while (waiting) // whoever reads is not interrupted
                try {
                    read.await();
                    waiting = false;
                  } catch (InterruptedException e) {
                    waiting = true;
                  }
              }
              return Model.load(file, trust);
            });
    Path second = model("b");
    Thread reloads = reading.get();
    assertTrue(server.stop());
    Trial.start(Trial.options(first).withUpdates(true)).close(); // while b is still read
    read.countDown();
    reloads.join();
    try (Server next = Trial.start(Trial.options(first, second).withUpdates(true))) {
      assertEquals(2, next.models().names().size());
    }
  }
}
