package lovelace.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import lovelace.io.WriteLock.HeldException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WriteLockTest {

  @TempDir Path folder;

  /// A process that holds a lock until it is killed: FILE brief|lasting, or that adds one to the
  /// number in a file several times: FILE count TIMES.
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      if (args[1].equals("count")) {
        for (int i = 0; i < Integer.parseInt(args[2]); i++) increment(file);
        return;
      }
      WriteLock lock =
          args[1].equals("brief")
              ? WriteLock.brief(file, WriteLockTest::nothing)
              : WriteLock.lasting(file, Duration.ofSeconds(5));
      System.out.println(lock.isMissing() ? "missing" : "held");
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void nothing() {}

  private static void increment(Path file) throws IOException {
    try (WriteLock lock = WriteLock.brief(file, WriteLockTest::nothing)) {
      assertFalse(lock.isMissing());
      Files.writeString(file, "" + (1 + Long.parseLong(Files.readString(file))));
    }
  }

  private static Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add(Holder.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
  }

  private List<String> hidden() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith(".")).toList();
    }
  }

  private void assertTidy() throws IOException {
    if (!OS.WINDOWS.isCurrentOs()) // which keeps lock files
    assertEquals(List.of(), hidden(), "the lock file is deleted");
  }

  @Test
  void oneHolderAtATimeAmongThreadsAndProcesses() throws Exception {
    int processes = 2;
    int threads = 8;
    int times = 15;
    Path file = Files.writeString(folder.resolve("n"), "0");
    List<Process> others = new ArrayList<>();
    for (int i = 0; i < processes; i++) others.add(start(file.toString(), "count", "" + times));
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++)
        all.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < times; i++) increment(file);
                  return null;
                }));
      for (Future<?> one : all) one.get();
    }
    for (Process other : others) assertEquals(0, other.waitFor());
    assertEquals("" + (processes + threads) * times, Files.readString(file));
    assertTidy();
  }

  @Test
  void aLockEndsWithItsProcess() throws Exception {
    Path file = folder.resolve("n");
    for (String use : List.of("brief", "lasting")) {
      Process holder = start(file.toString(), use);
      assertEquals("held", holder.inputReader(UTF_8).readLine());
      assertEquals(List.of(".n.lock"), hidden());
      if (use.equals("lasting")) {
        assertThrows(HeldException.class, () -> WriteLock.brief(file, WriteLockTest::nothing));
        assertThrows(HeldException.class, () -> WriteLock.requireNotHeld(file));
        assertThrows(HeldException.class, () -> WriteLock.lasting(file, Duration.ofSeconds(9)));
      } else {
        WriteLock.requireNotHeld(file);
        assertThrows(IOException.class, () -> WriteLock.lasting(file, Duration.ZERO));
        AtomicBoolean waited = new AtomicBoolean();
        Thread killer =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        while (!waited.get()) Thread.sleep(5);
                        kill(holder);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    });
        WriteLock.brief(file, () -> waited.set(true)).close();
        assertTrue(waited.get());
        killer.join();
      }
      kill(holder);
      WriteLock.requireNotHeld(file);
      WriteLock.lasting(file, Duration.ofSeconds(5)).close();
      assertTidy();
    }
  }

  /// A refusal opens the lock file, and closing it must not end the lock of this process.
  @Test
  void whoIsRefusedEndsNobodysLock() throws Exception {
    Path file = folder.resolve("n");
    try (WriteLock lock = WriteLock.lasting(file, Duration.ZERO)) {
      assertFalse(lock.isMissing());
      assertThrows(HeldException.class, () -> WriteLock.brief(file, WriteLockTest::nothing));
      assertThrows(HeldException.class, () -> WriteLock.lasting(file, Duration.ZERO));
      assertThrows(HeldException.class, () -> WriteLock.requireNotHeld(file));
      Process other = start(file.toString(), "count", "1");
      assertEquals(1, other.waitFor(), "the other process is refused");
    }
    WriteLock.brief(file, WriteLockTest::nothing).close();
  }

  @Test
  void locksThatComeAndGoNeverOverlap() throws Exception {
    long seed = System.nanoTime();
    Path file = Files.writeString(folder.resolve("n"), "0");
    AtomicBoolean inside = new AtomicBoolean();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(6)) {
      for (int t = 0; t < 6; t++) {
        SplittableRandom random = new SplittableRandom(seed + t);
        all.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    boolean lasting = random.nextInt(4) == 0;
                    try (WriteLock lock =
                        lasting
                            ? WriteLock.lasting(file, Duration.ofMillis(random.nextInt(50)))
                            : WriteLock.brief(file, WriteLockTest::nothing)) {
                      assertFalse(lock.isMissing());
                      assertFalse(inside.getAndSet(true), "seed " + seed);
                      Thread.sleep(random.nextInt(3));
                      inside.set(false);
                    } catch (HeldException | IOException e) {
                      // somebody else has it
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) one.get();
    }
    assertTidy();
  }

  @Test
  void aPipeOrDeviceNeedsNoLock() throws Exception {
    Path device = Path.of("/dev/null");
    if (!Files.exists(device)) return;
    try (WriteLock first = WriteLock.brief(device, WriteLockTest::nothing);
        WriteLock second = WriteLock.brief(device, WriteLockTest::nothing)) {
      assertFalse(first.isMissing() || second.isMissing());
    }
  }
}
