package lovelace.bayesopt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  @TempDir Path folder;
  Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("search.journal");
  }

  private List<String> read() {
    List<String[]> lines = new ArrayList<>();
    Journal.open(file, "späce", "tuning", lines).close();
    return lines.stream().map(line -> String.join(" ", line)).toList();
  }

  private byte[] written() throws IOException {
    try (Journal journal = Journal.open(file, "späce", "tuning", new ArrayList<>())) {
      for (int i = 0; i < 3; i++)
        journal.append(Journal.line("ask", new double[] {i + 0.25}, List.of()));
    }
    return Files.readAllBytes(file);
  }

  @Test
  void aFlippedBitIsNoticedAndNothingIsCut() throws IOException {
    byte[] full = written();
    assertEquals(List.of("ask 0.25", "ask 1.25", "ask 2.25"), read());
    for (int at = 0; at < full.length; at++) {
      byte[] flipped = full.clone();
      flipped[at] ^= 2;
      Files.write(file, flipped);
      assertThrows(IllegalArgumentException.class, this::read, "byte " + at);
      assertArrayEquals(flipped, Files.readAllBytes(file), "byte " + at);
    }
  }

  @Test
  void aFileCutAtAnyByteKeepsItsWholeLines() throws IOException {
    byte[] full = written();
    for (int cut = 0; cut <= full.length; cut++) {
      Files.write(file, Arrays.copyOf(full, cut));
      long whole = new String(full, 0, cut, UTF_8).chars().filter(c -> c == '\n').count();
      assertEquals(Math.max(0, whole - 1), read().size(), "cut at " + cut);
      assertEquals(Math.max(0, whole - 1), read().size(), "again, cut at " + cut);
    }
  }

  @Test
  void aFileThatIsNoJournalIsLeftAlone() throws IOException {
    Files.writeString(file, "one line without an end");
    assertThrows(IllegalArgumentException.class, this::read);
    assertEquals("one line without an end", Files.readString(file));
  }

  @Test
  void filesOfVersion1GoOnWithoutSums() throws IOException {
    Files.writeString(file, "lovelace-journal\t1\tspäce\ttuning\nask\t0.5\nask\t0.7");
    assertEquals(List.of("ask 0.5"), read());
    try (Journal journal = Journal.open(file, "späce", "tuning", new ArrayList<>())) {
      journal.append("ask\t0.25");
    }
    assertEquals(
        "lovelace-journal\t1\tspäce\ttuning\nask\t0.5\nask\t0.25\n", Files.readString(file));
  }

  @Test
  void aLineThatCannotBeWrittenLeavesNothingOrEndsTheJournal() throws IOException {
    byte[] before = written();
    FaultyChannel disk =
        new FaultyChannel(FileChannel.open(file, StandardOpenOption.WRITE).position(before.length));
    try (Journal journal = new Journal(file, disk, true)) {
      for (int room = 0; room < 18; room++) {
        disk.room = room;
        assertThrows(UncheckedIOException.class, () -> journal.append("ask\t3.25"));
        assertArrayEquals(before, Files.readAllBytes(file), "room for " + room);
      }
      disk.room = 1000;
      journal.append("ask\t3.25");
      disk.room = 5;
      disk.cut = false;
      assertThrows(UncheckedIOException.class, () -> journal.append("ask\t4.25"));
      disk.room = 1000;
      assertThrows(IllegalStateException.class, () -> journal.append("ask\t5.25"));
    }
    assertEquals(4, read().size());
  }

  @Test
  void aSyncThatFailsEndsTheJournal() throws IOException {
    byte[] before = written();
    FaultyChannel disk =
        new FaultyChannel(FileChannel.open(file, StandardOpenOption.WRITE).position(before.length));
    try (Journal journal = new Journal(file, disk, true)) {
      disk.sync = false;
      assertThrows(UncheckedIOException.class, () -> journal.append("ask\t3.25"));
      disk.sync = true;
      assertThrows(IllegalStateException.class, () -> journal.append("ask\t3.25"));
    }
  }

  @Test
  void aDamagedJournalIsNotHeldOpen() throws IOException {
    SearchSpace space = SearchSpace.of(Variable.real("x", 0, 1));
    try (Tuner tuner = Tuner.of(space, Tuning.DEFAULT, file)) {
      tuner.ask();
    }
    String whole = Files.readString(file);
    Files.writeString(file, whole.replace("\task\t", "\task\t1"));
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> Tuner.of(space, Tuning.DEFAULT, file).close());
    assertTrue(String.valueOf(e.getMessage()).contains("line 2"), e.getMessage());
    Files.writeString(
        file, whole.replaceFirst("\t2\t", "\t1\t").replaceFirst("[0-9a-f]{8}\task", "ash"));
    for (int i = 0; i < 2; i++) // the second time would find it in use
    assertThrows(
          IllegalArgumentException.class, () -> Tuner.of(space, Tuning.DEFAULT, file).close());
  }

  /// Opens a journal, and ends with code 3 if it is in use.
  static final class Opener {
    private Opener() {}

    public static void main(String[] args) {
      try {
        Journal.open(Path.of(args[0]), "späce", "tuning", new ArrayList<>()).close();
      } catch (IllegalStateException e) {
        System.exit(3);
      }
    }
  }

  private int openElsewhere() throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dfile.encoding=UTF-8",
            "-cp",
            System.getProperty("java.class.path"),
            Opener.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
  }

  @Test
  void oneProcessAtATimeHasAJournal() throws Exception {
    written();
    try (Journal journal = Journal.open(file, "späce", "tuning", new ArrayList<>())) {
      assertEquals(3, openElsewhere());
      assertThrows(IllegalStateException.class, this::read, "nor another thread");
      assertEquals(3, openElsewhere(), "the refusal ended nobody's lock");
      journal.append("ask\t3.25");
    }
    assertEquals(0, openElsewhere());
    assertEquals(List.of("ask 0.25", "ask 1.25", "ask 2.25", "ask 3.25"), read());
  }
}
