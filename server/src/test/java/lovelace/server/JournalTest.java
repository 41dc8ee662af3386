package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import lovelace.Model;
import lovelace.io.Stamp;
import lovelace.options.Options;
import lovelace.server.Replay.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  private static final Model LINE = Trial.line(100, 3);
  private static final Stamp NO_STAMP = new Stamp(FileTime.fromMillis(0), 0, null);
  private static final String OBSERVE = "/v2/models/line/observe";

  @TempDir Path folder;
  Path file;
  Path journal;
  ServerOptions options;

  @BeforeEach
  void save() throws IOException {
    file = folder.resolve("line.lvl");
    LINE.save(file);
    journal = Journal.beside(file);
    options = Trial.options(file).withUpdates(true);
  }

  private static String row(double x, double y) {
    return """
    {"inputs": [{"name": "x", "shape": [1, 1], "datatype": "FP64", "data": [%s]},
                {"name": "y", "shape": [1], "datatype": "FP64", "data": [%s]}]}
    """
        .formatted(x, y);
  }

  /// The files that a crash leaves after three observations: the model file as it was, and the
  /// journal.
  private byte[] crashed() throws Exception {
    byte[] model = Files.readAllBytes(file);
    byte[] bytes;
    try (Server server = Trial.start(options)) {
      for (int i = 0; i < 3; i++)
        assertEquals(200, Trial.post(server, OBSERVE, row(3 + i, 9)).statusCode());
      bytes = Files.readAllBytes(journal);
    }
    Files.write(file, model);
    return bytes;
  }

  @Test
  void damageInTheMiddleCutsNothingAndStopsUpdatesUntilAnOperatorActs() throws Exception {
    byte[] damaged = crashed();
    int entry = (damaged.length - 36) / 3;
    damaged[36 + entry + entry / 2] ^= 4; // in the second of three
    Files.write(journal, damaged);
    Path aside = folder.resolve("line.lvl.journal.damaged");
    for (int start = 0; start < 2; start++) {
      Trial.LINES.clear();
      try (Server server = Trial.start(options)) {
        assertEquals(101, server.models().require("line", null).model().count());
        HttpResponse<String> refused = Trial.post(server, OBSERVE, row(1, 1));
        assertEquals(507, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("line.lvl.journal.damaged"), refused.body());
        assertArrayEquals(damaged, Files.readAllBytes(aside));
      }
      assertEquals(101, Model.load(file).count(), "what was whole is in the model file");
      String log = String.join("\n", Trial.LINES);
      assertEquals(start == 0, log.contains("\"event\":\"journal damaged\""), log);
      if (start == 0) assertTrue(log.contains("\"replayed\":1,\"whole after\":1"), log);
    }
    try (Server server = Trial.start(options)) {
      Files.move(aside, folder.resolve("kept elsewhere"));
      assertEquals(200, Trial.post(server, OBSERVE, row(1, 1)).statusCode(), "an operator acted");
    }
    assertEquals(102, Model.load(file).count());
  }

  private Replay replay(byte[] bytes) {
    return new Replay(bytes, new ModelContent(LINE));
  }

  @Test
  void aFileCutAtAnyByteKeepsItsWholeEntriesAndAFlippedBitCutsNothing() throws Exception {
    byte[] full = crashed();
    int entry = 12 + 16 + 24;
    assertEquals(36 + 3 * entry, full.length);
    for (byte[] bytes : List.of(full, version1(full))) {
      int size = (bytes.length - 36) / 3;
      for (int cut = 0; cut <= bytes.length; cut++) {
        Replay replay = replay(Arrays.copyOf(bytes, cut));
        if (cut < 36) {
          assertEquals(State.DAMAGED, replay.state(), "cut at " + cut); // heads are never torn
          continue;
        }
        assertEquals((cut - 36) / size, replay.rows.size(), "cut at " + cut);
        boolean whole = (cut - 36) % size == 0;
        assertEquals(whole ? State.WHOLE : State.TORN, replay.state(), "cut at " + cut);
        assertEquals(36 + (cut - 36) / size * size, replay.end());
      }
      for (int at = 0; at < bytes.length; at++)
        for (int bit = 0; bit < 8; bit++) {
          byte[] flipped = bytes.clone();
          flipped[at] ^= (byte) (1 << bit);
          Replay replay = replay(flipped);
          String where = "bit " + bit + " of byte " + at;
          // the length of the last entry of version 1 is the one thing that cannot be known
          if (size < entry && at >= 36 + 2 * size && at < 36 + 2 * size + 4) continue;
          assertEquals(State.DAMAGED, replay.state(), where);
          assertEquals(Math.max(0, (at - 36) / size), replay.rows.size(), where);
        }
    }
  }

  /// The first byte of each of three entries, and of what follows them.
  private static int[] starts(byte[] bytes) {
    int entry = (bytes.length - 36) / 3;
    return new int[] {36, 36 + entry, 36 + 2 * entry, bytes.length};
  }

  /// A head, then entries by their numbers.
  private static byte[] arranged(byte[] bytes, int... entries) {
    int[] starts = starts(bytes);
    ByteBuffer out = ByteBuffer.allocate(36 + entries.length * bytes.length).put(bytes, 0, 36);
    for (int e : entries) out.put(bytes, starts[e], starts[e + 1] - starts[e]);
    return Arrays.copyOf(out.array(), out.position());
  }

  @Test
  void entriesThatStandTwiceCountOnce() throws Exception {
    byte[] full = crashed();
    for (byte[] bytes : List.of(full, version1(full)))
      for (int[] order :
          List.of(
              new int[] {0, 1, 2, 0, 1, 2},
              new int[] {0, 1, 2, 2},
              new int[] {0, 0, 1, 2},
              new int[] {0, 1, 0, 1, 2},
              new int[] {2, 1, 0})) {
        int whole = 1;
        while (whole < order.length && order[whole] == order[whole - 1] + 1) whole++;
        Replay replay = replay(arranged(bytes, order));
        assertEquals(State.DAMAGED, replay.state(), Arrays.toString(order));
        assertEquals(whole, replay.rows.size(), Arrays.toString(order));
      }
    Files.write(journal, arranged(full, 0, 1, 2, 0, 1, 2));
    try (Server server = Trial.start(options)) {
      assertEquals(103, server.models().require("line", null).model().count());
    }
    assertEquals(103, Model.load(file).count());
    assertArrayEquals(
        arranged(full, 0, 1, 2, 0, 1, 2), Files.readAllBytes(Journal.damaged(file)), "set aside");
  }

  @Test
  void anEntryWithoutRowsIsNoRepetition() throws Exception {
    byte[] full = crashed();
    int entry = (full.length - 36) / 3;
    byte[] empty = Journal.entry(Arrays.copyOfRange(full, 36 + entry + 12, 36 + entry + 28));
    ByteBuffer bytes = ByteBuffer.allocate(full.length + empty.length);
    bytes.put(full, 0, 36 + 2 * entry).put(empty).put(full, 36 + 2 * entry, entry);
    Replay replay = replay(bytes.array());
    assertEquals(State.WHOLE, replay.state(), replay.why());
    assertEquals(3, replay.rows.size());
  }

  @Test
  void entriesThatAreMissingAreNoticed() throws Exception {
    byte[] full = crashed();
    for (int[] order : List.of(new int[] {0, 2}, new int[] {1, 2}, new int[] {2})) {
      byte[] some = arranged(full, order);
      Files.write(journal, some);
      var e = assertThrows(IllegalArgumentException.class, () -> Trial.start(options).close());
      assertTrue(String.valueOf(e.getMessage()).contains("entries are missing"), e::toString);
      assertThrows(
          IllegalArgumentException.class,
          () -> KeptModel.read(file, Model::load, Options.Maker.LIBRARY));
      assertArrayEquals(some, Files.readAllBytes(journal), "as it was");
      assertEquals(100, Model.load(file).count());
    }
  }

  /// The same entries without the second checksum.
  private static byte[] version1(byte[] bytes) {
    ByteBuffer out = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(bytes, 0, 8).putInt(1).put(bytes, 12, 20);
    out.putInt(Replay.checksum(out.array(), 0, 32));
    int entry = (bytes.length - 36) / 3;
    for (int at = 36; at < bytes.length; at += entry)
      out.put(bytes, at, 8).put(bytes, at + 12, entry - 12);
    return Arrays.copyOf(out.array(), out.position());
  }

  @Test
  void aJournalOfVersion1ReplaysAndGoesOnAsVersion2() throws Exception {
    byte[] full = crashed();
    byte[] old = version1(full);
    Files.write(journal, Arrays.copyOf(old, old.length - 5)); // torn
    try (Updates updates = updates(new FaultyDisk(), 100)) {
      assertEquals(102, served.model().count());
      byte[] upgraded = Files.readAllBytes(journal);
      assertArrayEquals(Arrays.copyOf(full, full.length - 52), upgraded);
      assertEquals(103, take(updates, 7));
      assertEquals(3, replay(Files.readAllBytes(journal)).rows.size());
    }
  }

  // ---- a disk that fails ----

  Served served = new Served("none", "1", Path.of("none"), NO_STAMP, new ModelContent(LINE));
  volatile boolean writable = true;

  private Updates updates(FaultyDisk disk, int most) throws IOException {
    served = new Served("line", "1", file, Stamp.of(file), new ModelContent(Model.load(file)));
    return new Updates(
        served,
        most,
        new Options.Maker("", ""),
        (s, model) -> {
          if (!writable) throw new IOException("the disk is full");
          model.save(s.file(), true);
        },
        new Log(Trial.LINES::add),
        disk,
        Duration.ZERO);
  }

  /// The number of observations after one more; the status of the refusal where it is refused.
  private static long take(Updates updates, double x) throws Exception {
    try {
      return updates.add(List.of(ModelContent.row(x, 1, 1))).get(20, TimeUnit.SECONDS).count();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Refusal refusal) return refusal.status();
      throw e;
    } catch (Refusal e) {
      return e.status();
    }
  }

  private static long takeWhenRepaired(Updates updates, double x) throws Exception {
    long end = System.nanoTime() + 30_000_000_000L;
    long answer = take(updates, x);
    while (answer == 507 && System.nanoTime() < end) {
      Thread.sleep(20);
      answer = take(updates, x);
    }
    return answer;
  }

  /// The observations that a restart would find if the machine stopped now.
  private long found() throws IOException {
    Model model = Model.load(file);
    Replay replay = new Replay(Files.readAllBytes(journal), new ModelContent(model));
    assertTrue(replay.state() == State.WHOLE || replay.state() == State.TORN, replay.why());
    return model.count() + replay.rows.size();
  }

  @Test
  void whatPrecedesTheDamageStaysWhereTheModelFileCannotBeWritten() throws Exception {
    byte[] damaged = crashed();
    damaged[damaged.length - 1] ^= 1; // the last of three
    Files.write(journal, damaged);
    writable = false;
    assertThrows(IOException.class, () -> updates(new FaultyDisk(), 1000));
    assertArrayEquals(damaged, Files.readAllBytes(journal), "as it was");
    assertEquals(100, served.model().count());
    writable = true;
    updates(new FaultyDisk(), 1000).close();
    assertEquals(102, Model.load(file).count());
    assertArrayEquals(damaged, Files.readAllBytes(Journal.damaged(file)));
  }

  @Test
  @DisabledOnOs(
      value = OS.WINDOWS,
      disabledReason = "on Windows a symbolic link needs a right that users do not have")
  void whereLinksNeedNoRightTheJournalOfALinkLiesBesideTheFileThatItNames() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("line.lvl"), Path.of("../line.lvl"));
    Path wrong = Journal.beside(link);
    Files.writeString(wrong, "of an older server");
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Trial.start(Trial.options(link).withUpdates(true)).close());
    assertTrue(String.valueOf(e.getMessage()).contains("lies beside a link"), e::toString);
    Files.delete(wrong);
    try (Server server = Trial.start(Trial.options(link).withUpdates(true))) {
      assertEquals(200, Trial.post(server, OBSERVE, row(1, 1)).statusCode());
      assertThrows(IllegalArgumentException.class, () -> Trial.start(options).close());
      assertTrue(Files.exists(journal) && Files.notExists(wrong));
      for (Path name : List.of(link, file))
        assertEquals(101, KeptModel.read(name, Model::load, Options.Maker.LIBRARY).model().count());
    }
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(101, Model.load(file).count());
  }

  @Test
  void aJournalThatCannotBeOpenedStopsObservationsAndNothingElse() throws Exception {
    Files.createDirectory(journal);
    assertThrows(IOException.class, () -> Trial.start(options).close(), "given by name");
    try (Server server = Trial.start(Trial.options().withFolder(folder).withUpdates(true))) {
      assertEquals(507, Trial.post(server, OBSERVE, row(1, 1)).statusCode());
      HttpResponse<String> ready = Trial.get(server, "/v2/models/line/ready");
      assertEquals(200, ready.statusCode());
      assertTrue(Trial.json(ready).has("observations"), ready.body());
      String metric = "lovelace_observations_refused{model=\"line\",version=\"1\"} ";
      assertTrue(Trial.get(server, "/metrics").body().contains(metric + "1\n"));
      Files.delete(journal);
      server.models().reload();
      assertEquals(200, Trial.post(server, OBSERVE, row(1, 1)).statusCode());
      assertTrue(Trial.get(server, "/metrics").body().contains(metric + "0\n"));
    }
    assertEquals(101, Model.load(file).count());
  }

  @Test
  void aWriteThatFailsAnywhereLeavesNothingBehind() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Updates updates = updates(disk, 1000)) {
      long count = 100;
      for (int room = 0; room < 52; room += 3) {
        long length = Files.size(journal);
        disk.room.set(room);
        assertEquals(507, take(updates, 1), "room for " + room);
        assertEquals(length, Files.size(journal), "room for " + room);
        assertEquals(count, found());
        disk.repair();
        assertEquals(++count, take(updates, 2));
        assertEquals(count, found());
      }
    }
  }

  @Test
  void aHalfWrittenEntryThatCannotBeCutStopsTheJournalUntilItStartsAnew() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Updates updates = updates(disk, 1000)) {
      assertEquals(101, take(updates, 1));
      writable = false;
      disk.room.set(20);
      disk.cut = false;
      assertEquals(507, take(updates, 2));
      disk.repair(); // but what is half written is still there
      assertEquals(507, take(updates, 3));
      assertEquals(101, found(), "the half is torn, and nothing was put behind it");
      writable = true;
      assertEquals(102, takeWhenRepaired(updates, 4));
      assertEquals(102, found());
    }
    assertEquals(102, Model.load(file).count());
  }

  @Test
  void aSyncThatFailsStopsTheJournalUntilItStartsAnew() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Updates updates = updates(disk, 1000)) {
      assertEquals(101, take(updates, 1));
      disk.sync = false;
      assertEquals(507, take(updates, 2));
      assertEquals(507, take(updates, 2));
      assertEquals(101, served.model().count());
      disk.repair();
      assertEquals(102, takeWhenRepaired(updates, 4));
      assertEquals(102, found());
    }
  }

  @Test
  void rowsAreNotWrittenToAJournalWhoseNameIsNotDurable() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    try (Updates updates = updates(disk, 2)) {
      assertEquals(101, take(updates, 1));
      disk.syncNames = false;
      long last = take(updates, 2);
      for (int i = 0; i < 10 && last != 507; i++) last = take(updates, 3);
      assertEquals(507, last);
      long count = served.model().count();
      assertEquals(count, found());
      disk.repair();
      assertEquals(count + 1, takeWhenRepaired(updates, 4));
      assertEquals(count + 1, found());
    }
  }

  /// Some network file systems sync no folder. As model files do, journals then sync the file.
  @Test
  void aFileSystemThatSyncsNoFoldersIsWrittenTo() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    disk.syncFolders = false;
    try (Updates updates = updates(disk, 2)) {
      for (int i = 1; i <= 9; i++) assertEquals(100 + i, take(updates, i)); // and starts anew
    }
    assertEquals(109, Model.load(file).count());
  }

  @Test
  void aModelFileThatCannotBeWrittenBoundsWhatIsTaken() throws Exception {
    writable = false;
    try (Updates updates = updates(new FaultyDisk(), 3)) {
      long taken = 0;
      long answer = 0;
      for (int i = 0; i < 40 && answer != 507; i++) {
        answer = take(updates, 0.1 * i);
        if (answer != 507) taken++;
      }
      assertEquals(507, answer);
      assertEquals(6, taken);
      assertTrue(String.valueOf(updates.refusal()).contains("the disk is full"));
      assertEquals(106, found());
      writable = true;
      assertEquals(107, takeWhenRepaired(updates, 9));
    }
    assertEquals(107, Model.load(file).count());
  }
}
