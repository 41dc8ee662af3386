package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import lovelace.Model;
import lovelace.io.Fingerprint;
import lovelace.io.WriteLock;
import lovelace.options.Options;
import lovelace.server.KeptModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Commands that write one model file at the same time: every row of every command that ended well
/// is in the file, once.
class ConcurrentUpdatesTest {

  private static final String FIT =
      " --target y --engine exact --no-train --set lengthscale=0.8 --set outputscale=0.3"
          + " --set noise=0.01 --set mean=0.1 --model ";

  private static final int COMMANDS = 40;
  private static final int PROCESSES = Boolean.getBoolean("lovelace.long") ? 40 : 3;

  @TempDir Path folder;

  @BeforeEach
  void fit() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 60));
    trial.ok("fit @t.csv" + FIT + "@m.lvl");
    for (int i = 0; i < COMMANDS; i++)
      trial.write("t" + i + ".csv", Trial.wave(60 + 5 * i, 65 + 5 * i));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static int run(StringWriter said, String... args) {
    PrintWriter all = new PrintWriter(said, true);
    return Main.run(all, all, args);
  }

  private void assertHolds(Path model, int rows) throws IOException {
    Fingerprint all = new Fingerprint();
    Trial.wave(0, rows)
        .lines()
        .skip(1)
        .map(line -> line.split(",", -1))
        .forEach(
            row ->
                all.add(
                    new double[] {Double.parseDouble(row[0])},
                    0,
                    1,
                    Double.parseDouble(row[1]),
                    1));
    Model found = Model.load(model);
    assertEquals(rows, found.count());
    assertEquals(all.value(), found.provenance().fingerprint());
  }

  private void assertTidy() throws IOException {
    if (OS.WINDOWS.isCurrentOs()) return; // which keeps lock files
    try (var files = Files.list(folder)) {
      List<String> hidden =
          files.map(f -> f.getFileName().toString()).filter(n -> n.startsWith(".")).toList();
      assertEquals(List.of(), hidden);
    }
  }

  @Test
  void updatesByThreadsLoseNoRow() throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<String>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(COMMANDS)) {
      for (int i = 0; i < COMMANDS; i++) {
        String table = path("t" + i + ".csv");
        Callable<String> update =
            () -> {
              start.await();
              StringWriter said = new StringWriter();
              int code = run(said, "update", path("m.lvl"), table, "--model", path("m.lvl"));
              return code == 0 ? "" : said.toString();
            };
        all.add(threads.submit(update));
      }
      start.countDown();
      for (Future<String> one : all) assertEquals("", one.get());
    }
    assertHolds(folder.resolve("m.lvl"), 60 + 5 * COMMANDS);
    assertTidy();
  }

  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static void assertDone(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), said);
  }

  @Test
  void updatesByProcessesLoseNoRow() throws Exception {
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++)
      all.add(start("update", path("m.lvl"), path("t" + i + ".csv"), "--model", path("m.lvl")));
    for (Process process : all) assertDone(process);
    assertHolds(folder.resolve("m.lvl"), 60 + 5 * PROCESSES);
    assertTidy();
  }

  @Test
  @DisabledOnOs(
      value = OS.WINDOWS,
      disabledReason = "on Windows a symbolic link needs a right that users do not have")
  void whereLinksNeedNoRightALinkIsLockedAsTheFileThatItNames() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("link.lvl"), Path.of("../m.lvl"));
    Path door = Files.createSymbolicLink(folder.resolve("door"), Path.of("."));
    List<String> names = List.of(path("m.lvl"), link.toString(), door.resolve("m.lvl").toString());
    List<Future<Integer>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
      for (int i = 0; i < 12; i++) {
        String model = names.get(i % 3);
        String table = path("t" + i + ".csv");
        all.add(
            threads.submit(
                () -> run(new StringWriter(), "update", model, table, "--model", model)));
      }
      for (Future<Integer> one : all) assertEquals(0, one.get());
    }
    assertTrue(Files.isSymbolicLink(link));
    assertHolds(folder.resolve("m.lvl"), 60 + 5 * 12);
    assertTidy();
  }

  @Test
  void fitAndMergeWaitForTheLockToo() throws Exception {
    Trial trial = new Trial(folder);
    trial.ok("fit @t0.csv" + FIT + "@part.lvl");
    List<String[]> commands =
        List.of(
            ("fit " + path("t.csv") + FIT + path("m.lvl")).split(" ", -1),
            new String[] {
              "merge", path("m.lvl"), path("part.lvl"), "--model", path("m.lvl"),
            });
    for (String[] command : commands) {
      StringWriter said = new StringWriter();
      Thread writer;
      byte[] before = Files.readAllBytes(folder.resolve("m.lvl"));
      try (WriteLock lock = WriteLock.brief(folder.resolve("m.lvl"), () -> {})) {
        assertFalse(lock.isMissing());
        writer = Thread.ofPlatform().start(() -> run(said, command));
        while (!said.toString().contains("another command is writing")) {
          assertTrue(writer.isAlive(), said::toString);
          Thread.sleep(10);
        }
        assertArrayEquals(before, Files.readAllBytes(folder.resolve("m.lvl")));
      }
      writer.join();
    }
    assertHolds(folder.resolve("m.lvl"), 65);
  }

  @Test
  void aLockFileThatACrashLeftLocksNothing() throws Exception {
    Files.writeString(folder.resolve(".m.lvl.lock"), "left by a crash of somebody");
    String[] args = {"update", path("m.lvl"), path("t0.csv"), "--model", path("m.lvl")};
    assertEquals(0, run(new StringWriter(), args));
    assertHolds(folder.resolve("m.lvl"), 65);
    assertTidy();
  }

  @Test
  void aFileThatSomebodyReplacesMeanwhileIsNotOverwritten() throws Exception {
    Path file = folder.resolve("m.lvl");
    new Trial(folder).ok("fit @t0.csv" + FIT + "@other.lvl");
    byte[] other = Files.readAllBytes(folder.resolve("other.lvl"));
    KeptModel read = KeptModel.read(file, Model::load, Options.Maker.LIBRARY);
    Files.write(file, other); // by a program that knows no locks
    var e = assertThrows(IOException.class, () -> read.replace(read.model(), true));
    assertTrue(String.valueOf(e.getMessage()).contains("somebody else has replaced it"));
    assertArrayEquals(other, Files.readAllBytes(file));
  }
}
