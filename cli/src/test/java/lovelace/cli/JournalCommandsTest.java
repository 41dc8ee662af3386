package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.Model;
import lovelace.io.Fingerprint;
import lovelace.options.Options;
import lovelace.server.KeptModel;
import lovelace.server.Log;
import lovelace.server.Server;
import lovelace.server.ServerOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands on a model whose server has acknowledged six observations, and runs or was killed.
class JournalCommandsTest {

  private static final String FIT =
      " --target y --engine exact --no-train --set lengthscale=0.8 --set outputscale=0.3"
          + " --set noise=0.01 --set mean=0.1 --model ";
  private static final String REMARK = "6 of the 66 rows come from the journal '@m.lvl.journal'";

  @TempDir Path folder;
  private Trial trial = new Trial(Path.of("."));
  private Path file = Path.of(".");
  private Path journal = Path.of(".");

  @BeforeEach
  void fit() throws IOException {
    trial = new Trial(folder);
    file = folder.resolve("m.lvl");
    journal = folder.resolve("m.lvl.journal");
    trial.write("t.csv", Trial.wave(0, 60));
    trial.write("observed.csv", Trial.wave(60, 66));
    trial.write("more.csv", Trial.wave(66, 70));
    trial.write("same.csv", Trial.wave(0, 66));
    trial.ok("fit @t.csv" + FIT + "@m.lvl");
    trial.ok("fit @more.csv" + FIT + "@part.lvl");
  }

  private Server serve(boolean updates) throws IOException {
    return Server.start(
        ServerOptions.DEFAULT
            .withFiles(List.of(file))
            .withAddress("127.0.0.1", 0)
            .withUpdates(updates),
        new Log(line -> {}));
  }

  private void observe(Server server) throws Exception {
    for (String line : Files.readAllLines(folder.resolve("observed.csv")).subList(1, 7)) {
      String[] row = line.split(",", -1);
      double x = Double.parseDouble(row[0]);
      assertTrue(Observe.row(server.address(), "m", x, Double.parseDouble(row[1])));
    }
  }

  /// Leaves what a kill leaves: the file as it was, and the journal.
  private void crash() throws Exception {
    byte[] model = Files.readAllBytes(file);
    byte[] entries;
    try (Server server = serve(true)) {
      observe(server);
      entries = Files.readAllBytes(journal);
    }
    Files.write(file, model);
    Files.write(journal, entries);
  }

  private void assertHolds(int rows) throws IOException {
    assertHolds(file, rows);
  }

  private static void assertHolds(Path model, int rows) throws IOException {
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

  private void assertNothingIsSetAside() throws IOException {
    try (var files = Files.list(folder)) {
      List<String> aside =
          files.map(f -> f.getFileName().toString()).filter(f -> f.contains("journal.")).toList();
      assertEquals(List.of(), aside);
    }
  }

  private String said() {
    return trial.err().replace(folder + "/", "@");
  }

  @Test
  void everyCommandThatReadsAModelUsesTheJournalAndSaysSo() throws Exception {
    crash();
    byte[] entries = Files.readAllBytes(journal);
    trial.ok("update @part.lvl @t.csv --model @all.lvl");
    trial.ok("update @all.lvl @observed.csv --model @all.lvl");
    trial.ok("update @all.lvl @more.csv --forget --model @all.lvl"); // all 66, without a journal
    for (String command :
        List.of(
            "inspect %s --json",
            "predict %s @more.csv",
            "sample %s @more.csv --draws 2",
            "evaluate %s @more.csv --json",
            "diagnose %s @same.csv --out @diagnosis",
            "plot %s --out @p.svg",
            "export %s --grid 20 --out @table.csv",
            "update %s @more.csv --model @out.lvl --json",
            "merge %s @part.lvl --model @out.lvl --json")) {
      trial.ok(command.formatted("@m.lvl"));
      assertTrue(said().contains(REMARK), command + "\n" + said());
    }
    assertHolds(folder.resolve("out.lvl"), 70);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"rows\": 66"), trial.out());
    String with = trial.ok("predict @m.lvl @more.csv");
    assertPredictionsAlike(trial.ok("predict @all.lvl @more.csv"), with);
    try (Server server = serve(false)) { // one that takes no observations reads them too
      assertTrue(server.port() > 0);
    }
    assertHolds(60);
    assertArrayEquals(entries, Files.readAllBytes(journal), "reading changes nothing");
  }

  private static void assertPredictionsAlike(String expected, String actual) {
    String[] a = expected.split("[,\n]", -1);
    String[] b = actual.split("[,\n]", -1);
    assertEquals(a.length, b.length);
    for (int i = 0; i < a.length; i++)
      if (Relation.isNumber(a[i]))
        assertEquals(Double.parseDouble(a[i]), Double.parseDouble(b[i]), 1e-9);
  }

  @Test
  void updateFirstTakesInWhatTheServerAcknowledged() throws Exception {
    crash();
    trial.ok("update @m.lvl @more.csv --model @m.lvl");
    assertTrue(said().contains(REMARK), said());
    assertHolds(70);
    assertFalse(Files.exists(journal));
    serve(true).close();
    assertHolds(70);
    Files.deleteIfExists(journal);
    assertNothingIsSetAside();
  }

  @Test
  void anUpdateThatFailsChangesNeitherFileNorJournal() throws Exception {
    crash();
    byte[] model = Files.readAllBytes(file);
    byte[] entries = Files.readAllBytes(journal);
    trial.write("wrong.csv", "x,y\n1,2\n3,word\n");
    trial.refused("update @m.lvl @wrong.csv --model @m.lvl");
    assertArrayEquals(model, Files.readAllBytes(file));
    assertArrayEquals(entries, Files.readAllBytes(journal));
  }

  @Test
  void mergeIntoTheModelTakesInItsJournal() throws Exception {
    crash();
    trial.ok("merge @m.lvl @part.lvl --model @m.lvl");
    assertHolds(70);
    serve(true).close();
    assertHolds(70);
    Files.deleteIfExists(journal);
    assertNothingIsSetAside();
  }

  @Test
  void aModelWithObservationsWaitingIsNotReplacedByAnother() throws Exception {
    crash();
    byte[] model = Files.readAllBytes(file);
    for (String command :
        List.of("fit @t.csv" + FIT + "@m.lvl", "merge @part.lvl @t.lvl --model @m.lvl")) {
      trial.ok("fit @t.csv" + FIT + "@t.lvl");
      String said = trial.refused(command);
      assertTrue(said.contains("observations in its journal"), said);
      assertArrayEquals(model, Files.readAllBytes(file));
    }
    try (Server server = serve(true)) {
      assertTrue(server.port() > 0);
    }
    trial.ok("fit @t.csv" + FIT + "@m.lvl"); // nothing waits any more
    serve(true).close();
    Files.deleteIfExists(journal);
    assertNothingIsSetAside();
  }

  @Test
  void whileAServerRunsCommandsReadWhatItAcknowledgedAndMayNotWrite() throws Exception {
    try (Server server = serve(true)) {
      observe(server);
      assertTrue(trial.ok("inspect @m.lvl --json").contains("\"rows\": 66"), trial.out());
      assertTrue(said().contains(REMARK), said());
      for (String command :
          List.of(
              "update @m.lvl @more.csv --model @m.lvl",
              "update @part.lvl @more.csv --model @m.lvl",
              "merge @m.lvl @part.lvl --model @m.lvl",
              "fit @t.csv" + FIT + "@m.lvl")) {
        String said = trial.refused(command);
        assertTrue(said.contains("a server takes observations for '@m.lvl'"), said);
      }
      trial.ok("update @m.lvl @more.csv --model @out.lvl");
    }
    assertHolds(66);
    assertHolds(folder.resolve("out.lvl"), 70);
    trial.ok("update @m.lvl @more.csv --model @m.lvl");
    assertHolds(70);
    assertNothingIsSetAside();
  }

  /// Whichever is first, the other waits or refuses.
  @Test
  void anUpdateWhileAServerStartsIsInTheModelIfItSaysSo() throws Exception {
    Trial other = new Trial(folder);
    int rows = 60;
    for (int i = 0; i < 6; i++) {
      AtomicInteger code = new AtomicInteger(-1);
      String line = "update @m.lvl @more.csv --model @m.lvl";
      Thread update = Thread.ofPlatform().start(() -> code.set(other.run(line)));
      Thread.sleep(15L * i);
      try (Server server = serve(true)) {
        assertTrue(Observe.row(server.address(), "m", 1 + 0.5 * i, 1));
        update.join();
      }
      assertTrue(code.get() == 0 || code.get() == Errors.WRONG_USE, other.err());
      rows += 1 + (code.get() == 0 ? 4 : 0);
      assertEquals(rows, Model.load(file).count(), "update " + i + " ended with " + code.get());
    }
    Files.deleteIfExists(journal);
    assertNothingIsSetAside();
  }

  @Test
  void ofADamagedJournalReadersUseWhatIsWholeAndWritersRefuse() throws Exception {
    crash();
    byte[] entries = Files.readAllBytes(journal);
    int entry = (entries.length - 36) / 6;
    entries[36 + 3 * entry + entry / 2] ^= 4;
    Files.write(journal, entries);
    byte[] model = Files.readAllBytes(file);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"rows\": 63"), trial.out());
    assertTrue(said().contains("the journal '@m.lvl.journal' is damaged"), said());
    for (String command :
        List.of("update @m.lvl @more.csv --model @m.lvl", "fit @t.csv" + FIT + "@m.lvl")) {
      String said = trial.refused(command);
      assertTrue(said.contains("the journal '@m.lvl.journal' is damaged"), said);
      assertArrayEquals(model, Files.readAllBytes(file));
      assertArrayEquals(entries, Files.readAllBytes(journal));
    }
  }

  @Test
  void theJournalOfAnotherModelIsNamedAndLeftAlone() throws Exception {
    crash();
    trial.ok("fit @t.csv" + FIT + "@t.lvl");
    byte[] entries = Files.readAllBytes(journal);
    Files.copy(folder.resolve("part.lvl"), file, StandardCopyOption.REPLACE_EXISTING);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"rows\": 4"), trial.out());
    assertTrue(said().contains("belongs to another model"), said());
    trial.ok("update @m.lvl @t.csv --model @m.lvl");
    assertArrayEquals(entries, Files.readAllBytes(journal));
  }

  /// The journal is deleted after the file has its rows, so a kill between leaves both.
  @Test
  void aJournalWhoseRowsTheFileHasIsNotUsedAgain() throws Exception {
    crash();
    byte[] entries = Files.readAllBytes(journal);
    KeptModel kept = KeptModel.read(file, Model::load, Options.Maker.LIBRARY);
    kept.replace(kept.model(), true);
    assertHolds(66);
    Files.write(journal, entries);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"rows\": 66"), trial.out());
    assertEquals("", said());
    trial.ok("update @m.lvl @more.csv --model @m.lvl");
    assertHolds(70);
    assertFalse(Files.exists(journal), "it would look like that of another model");
  }
}
