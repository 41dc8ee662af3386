package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import lovelace.Model;
import lovelace.io.Fingerprint;
import lovelace.options.Options;
import lovelace.server.KeptModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that take observations and commands that add rows are killed in turn, all on one model
/// file: every row that was acknowledged, by an answer or by exit code 0, is kept once.
class KilledCommandsIT {

  private static final int KILLS = Boolean.getBoolean("lovelace.long") ? 200 : 6;
  private static final int ROWS = 3; // of a table

  @TempDir Path folder;
  private final long seed = System.nanoTime();
  private final SplittableRandom random = new SplittableRandom(seed);
  private Path file = Path.of(".");
  private long count;
  private long fingerprint;
  private long acknowledged = 0;
  private int atWork = 0;
  private int writingKilled = 0;

  private record Row(double x, double y) {
    static Row draw(SplittableRandom random) {
      return new Row(6 * random.nextDouble(), random.nextGaussian());
    }
  }

  private static long fingerprint(List<Row> rows) {
    Fingerprint sum = new Fingerprint();
    for (Row row : rows) sum.add(new double[] {row.x}, 0, 1, row.y, 1);
    return sum.value();
  }

  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("err").toFile()))
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
  }

  /// Goes on from what file and journal hold, which must be what is certain and some of the rows
  /// that are not.
  private void check(List<Row> certain, List<List<Row>> unsure, String where) throws IOException {
    KeptModel kept = KeptModel.read(file, Model::load, Options.Maker.LIBRARY);
    long found = kept.model().count();
    long print = kept.model().provenance().fingerprint();
    boolean explained = false;
    for (int some = 0; some < 1 << unsure.size(); some++) {
      List<Row> rows = new ArrayList<>(certain);
      for (int k = 0; k < unsure.size(); k++) if ((some >> k & 1) != 0) rows.addAll(unsure.get(k));
      explained |= found == count + rows.size() && print == fingerprint + fingerprint(rows);
    }
    assertTrue(
        explained,
        () ->
            "seed %s, %s: %s rows, %s before and %s acknowledged; %s"
                .formatted(seed, where, found, count, certain.size(), said()));
    acknowledged += certain.size();
    count = found;
    fingerprint = print;
  }

  private String said() {
    try {
      return Files.readString(folder.resolve("err"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// A server takes rows from two clients until it is killed.
  private void killServer(String where) throws Exception {
    Process server = start("serve", file.toString(), "--allow-updates", "--port", "0", "--quiet");
    List<Row> kept = new ArrayList<>();
    List<List<Row>> unsure = new ArrayList<>();
    try (BufferedReader out = server.inputReader(UTF_8)) {
      String address = out.readLine();
      assertNotNull(address, () -> where + ": " + said());
      List<Thread> clients = new ArrayList<>();
      for (int c = 0; c < 2; c++) {
        SplittableRandom own = random.split();
        clients.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        while (true) {
                          Row row = Row.draw(own);
                          boolean done = Observe.row(address, "m", row.x, row.y);
                          synchronized (kept) {
                            if (done) kept.add(row);
                            else unsure.add(List.of(row));
                          }
                          if (!done) return;
                        }
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                    }));
      }
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (System.nanoTime() < end) {
        synchronized (kept) {
          if (kept.size() >= 6) break;
        }
        Thread.sleep(1);
      }
      Thread.sleep(random.nextInt(20));
      kill(server);
      for (Thread client : clients) client.join();
    }
    assertTrue(kept.size() >= 6, () -> where + ": " + said());
    check(kept, unsure, where);
  }

  private List<Row> table() throws IOException {
    List<Row> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder("x,y\n");
    for (int i = 0; i < ROWS; i++) {
      Row row = Row.draw(random);
      rows.add(row);
      text.append(row.x).append(',').append(row.y).append('\n');
    }
    Files.writeString(folder.resolve("t.csv"), text);
    return rows;
  }

  private Process update() throws IOException {
    String model = file.toString();
    return start("update", model, folder.resolve("t.csv").toString(), "--model", model);
  }

  /// An update is killed some time after it has taken the lock, or after it has begun to write.
  private void killUpdate(boolean writing, String where) throws Exception {
    List<Row> rows = table();
    deleteLeftovers();
    Process update = update();
    String sign = writing ? ".lovelace-" : ".m.lvl.lock";
    while (update.isAlive() && hidden().stream().noneMatch(f -> f.startsWith(sign)))
      Thread.onSpinWait();
    long wait = random.nextInt(writing ? 20_000_000 : 300_000_000);
    long start = System.nanoTime();
    while (System.nanoTime() - start < wait && update.isAlive()) Thread.onSpinWait();
    kill(update);
    boolean done = update.exitValue() == 0;
    if (!done) atWork++;
    if (!done && hidden().stream().anyMatch(f -> f.startsWith(".lovelace-"))) writingKilled++;
    check(done ? rows : List.of(), done ? List.of() : List.of(rows), where);
  }

  private List<String> hidden() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).filter(f -> f.startsWith(".")).toList();
    }
  }

  /// Deletes the leftovers of a killed update: its lock file, and the folder of the file it was
  /// writing.
  private void deleteLeftovers() throws IOException {
    for (String name : hidden()) {
      try (var files = Files.walk(folder.resolve(name))) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
      }
    }
  }

  /// Rows of an update that is left alone are in, and so is what a killed server left.
  private void update(String where) throws Exception {
    List<Row> rows = table();
    Process update = update();
    assertTrue(update.waitFor(5, TimeUnit.MINUTES));
    assertEquals(0, update.exitValue(), () -> where + ": " + said());
    check(rows, List.of(), where);
    assertEquals(count, Model.load(file).count(), where);
    assertTrue(Files.notExists(folder.resolve("m.lvl.journal")), where);
  }

  @Test
  void killedServersAndUpdatesLoseNoRowAndCountNoneTwice() throws Exception {
    Trial trial = new Trial(folder);
    file = folder.resolve("m.lvl");
    trial.write("first.csv", Trial.wave(0, 60));
    trial.ok(
        "fit @first.csv --target y --grid 60 --bounds x=0:6 --no-train --set lengthscale=0.8"
            + " --set outputscale=0.3 --set noise=0.01 --set mean=0.1 --model @m.lvl");
    Model model = Model.load(file);
    count = model.count();
    fingerprint = model.provenance().fingerprint();
    for (int i = 0; i < KILLS; i += 2) {
      killServer("server " + i);
      killUpdate(i % 4 == 0, "update " + i);
      if (i % 10 == 4) update("whole update " + i);
    }
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of(),
          files.map(f -> f.getFileName().toString()).filter(f -> f.contains("journal.")).toList(),
          "journals set aside");
    }
    assertTrue(acknowledged >= 3L * KILLS);
    System.out.println(
        "%s kills, %s of updates at work, %s of these writing; %s rows acknowledged, none lost, none twice"
            .formatted(KILLS, atWork, writingKilled, acknowledged));
  }
}
