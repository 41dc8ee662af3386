package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that is there is read under its own name, whatever characters that has; a pattern reads
/// the files that it matches.
@DisabledOnOs(
    value = OS.WINDOWS,
    disabledReason = "Windows does not allow these characters in the name of a file")
class PosixFileNamesTest {

  /// Files that patterns made of the awkward names would match.
  private static final List<String> OTHERS =
      List.of("run1", "aXb", "qq", "backslash", "a", "b", "d1/z", "its", "c", "year=3/y");

  @TempDir Path folder;

  private void write(String name, double value) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, name.endsWith(".json") ? "{\"x\": " + value + "}\n" : "x,y\n" + value + ",0\n");
  }

  /// The values in the rows of whatever is read, in ascending order.
  private double[] read(String location) throws IOException {
    List<Double> all = new ArrayList<>();
    try (Table table =
        Table.open(folder.resolve(location).toString(), InputStream.nullInputStream())) {
      table.read(
          Reading.of(Reading.Missing.ERROR, table.column("x")),
          (count, columns) -> {
            for (int i = 0; i < count; i++) all.add(columns[0][i]);
          });
    }
    return all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run[1]",
        "a*b",
        "q?",
        "back\\slash",
        "{a,b}",
        "d[1]/z",
        "it's",
        "\"a\"",
        "[ab]",
        "-c",
        "~/c",
        "http:/c",
        "br]x",
        "a%41",
        "$HOME",
        "[[1]",
        "[!a]",
        "**",
        "%s",
        "a;b",
        "a b"
      })
  void aFileThatIsThereIsReadUnderItsOwnName(String name) throws IOException {
    for (String end : List.of(".csv", ".json")) {
      for (String other : OTHERS) write(other + end, 1);
      write(name + end, 7);
      assertArrayEquals(new double[] {7}, read(name + end), name + end);
    }
  }

  @Test
  void parquetIsReadAndWrittenUnderItsOwnName() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t[1].csv", Trial.wave(0, 60));
    trial.write("t1.csv", Trial.wave(60, 70));
    String fit =
        " --target y --no-train --set lengthscale=0.8 --set outputscale=0.3 --set noise=0.01"
            + " --set mean=0.1 --model ";
    assertTrue(trial.ok("fit @t[1].csv" + fit + "@m.lvl").contains("rows        60"), trial.out());
    trial.ok("predict @m.lvl @t[1].csv --out @t[1].parquet");
    trial.ok("predict @m.lvl @t1.csv --out @t1.parquet");
    assertEquals(60, read("t[1].parquet").length);
    assertEquals(10, read("t1.parquet").length);
    assertTrue(
        trial.ok("fit @t[1].parquet --inputs x" + fit + "@p.lvl").contains("rows        60"),
        trial.out());
  }

  @Test
  void aPatternReadsTheFilesThatItMatches() throws IOException {
    for (int i = 1; i <= 3; i++) write("run" + i + ".csv", i);
    for (int i = 1; i <= 2; i++) write("d[1]/run" + i + ".csv", 10 + i);
    write("d1/run1.csv", 20);
    write("all[x].csv", 30);
    assertArrayEquals(new double[] {1, 2, 3}, read("run*.csv"));
    assertArrayEquals(new double[] {2, 3}, read("run[23].csv"));
    assertArrayEquals(new double[] {1}, read("run[1].csv"), "no file has this name");
    assertArrayEquals(new double[] {1, 2, 3}, read("run?.csv"));
    assertArrayEquals(new double[] {11, 12}, read("d[1]/*.csv"), "the folder is as it is written");
    assertArrayEquals(new double[] {11, 12, 20}, read("d*/*.csv"));
    assertArrayEquals(new double[] {30}, read("all*.csv"), "the first that matches has brackets");
  }

  @Test
  void aNameOfAProtocolOrATildeIsAFileOfThisFolder() {
    assertEquals("./~/c.csv", FilePattern.exactly("~/c.csv"));
    assertEquals("./http://c.csv", FilePattern.exactly("http://c.csv"));
    assertEquals("./file:/c[[]1].csv", FilePattern.exactly("file:/c[1].csv"));
    assertEquals("-c.csv", FilePattern.exactly("-c.csv"));
    assertEquals("s3://bucket/*.csv", FilePattern.of("s3://bucket/*.csv"), "not a file here");
  }

  @Test
  void aNameThatNoPatternCanSayIsRefused() throws IOException {
    write("b\\[1].csv", 1);
    var e = assertThrows(IllegalArgumentException.class, () -> read("b\\[1].csv"));
    assertTrue(
        String.valueOf(e.getMessage()).contains("has both a backslash and one of"), e::toString);
  }
}
