package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Text files that cannot be read: the message says where and what to do.
class TextLimitsTest {

  @TempDir static Path folder;

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @BeforeAll
  static void writeFiles() throws IOException {
    Trial trial = new Trial(folder);
    String table = Trial.wave(0, 400);
    byte[] zipped = gzip(table);
    Files.write(folder.resolve("cut.csv.gz"), Arrays.copyOf(zipped, zipped.length / 2));
    byte[] damaged = zipped.clone();
    for (int i = 40; i < 60; i++) damaged[i] ^= 0x55;
    Files.write(folder.resolve("damaged.csv.gz"), damaged);
    trial.write("fake.csv.gz", table);
    Files.write(folder.resolve("none.csv.gz"), gzip(""));
    String field = "a".repeat(5_000_000);
    String long2 = "x,y,note\n1,2,short\n2,3," + field + "\n3,4,short\n";
    trial.write("long.csv", long2);
    Files.write(folder.resolve("long.csv.gz"), gzip(long2));
    trial.write("quoted.csv", "x;note;y\n1;\"a;b\";2\n2;\"a;" + field + "\";3\n");
    trial.write("longer.csv", "x,y,note\n1,2,short\n2,3," + field.repeat(6) + "\n");
    trial.write("late.csv", "x,y,note\n" + "1,2,b\n".repeat(30_000) + "1,2," + field + "\n");
    String far = "x,y,note\n" + "1,2,bcd\n2,3,efg\n".repeat(1_100_000);
    trial.write("farragged.csv", far + "1,2,3,4\n");
    trial.write("far.csv", far + "1,2," + field + "\n");
    trial.write("one.csv", field);
    String many = ",4".repeat(1_200_000);
    trial.write("many.csv", "x,y\n1,2\n3" + many + "\n");
    String names =
        IntStream.range(0, 10_000).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
    trial.write("wide.csv", names + "\n" + names.replace("c", "") + "\n");
    trial.write("ragged.csv", "x,y\n" + "1,2\n".repeat(30_000) + "1,2,3\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          cut.csv.gz     | '@cut.csv.gz' is damaged: it ends early; copy or compress the file again
          damaged.csv.gz | '@damaged.csv.gz' is damaged: its compressed bytes are not what was written
          fake.csv.gz    | '@fake.csv.gz' is not compressed by gzip, although its name ends in .gz; give it the name of what it is, such as '@fake.csv'
          none.csv.gz    | '@none.csv.gz' is empty; it needs a line of column names
          long.csv       | row 2 of '@long.csv', column 'note': a row of a text file may have at most 2,000,000 bytes; shorten
          long.csv.gz    | row 2 of '@long.csv.gz', column 'note': a row of a text
          quoted.csv     | row 2 of '@quoted.csv', column 'note': a row of a text
          longer.csv     | row 2 of '@longer.csv', column 'note': a row of a text
          late.csv       | row 30,001 of '@late.csv', column 'note': a row of a text
          far.csv        | row 2,200,001 of '@far.csv', column 'note': a row of a text
          farragged.csv  | CSV Error on Line: 2200002: Expected Number of Columns: 3 Found: 4
          one.csv        | the first line of '@one.csv' is longer than 2,000,000 bytes
          many.csv       | row 2 of '@many.csv': a row of a text
          wide.csv       | the first line of '@wide.csv' names 10,000 columns, and a text file may have at most 5,000
          ragged.csv     | CSV Error on Line: 30002: Expected Number of Columns: 2 Found: 3
          """)
  void messageSaysWhereAndWhatToDo(String file, String message) {
    Trial trial = new Trial(folder);
    String said = trial.refused("fit @" + file + " --target y --model @m.lvl");
    assertTrue(said.startsWith("lovelace: "), said);
    assertTrue(said.contains(message), said);
    assertFalse(said.contains("Invalid result set"), said);
    assertFalse(Files.exists(folder.resolve("m.lvl")));
  }

  @Test
  void rowsWithinTheLimitsAreRead() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("near.csv", "x,y,note\n1,2,a\n2,3," + "a".repeat(1_900_000) + "\n3,5,c\n");
    trial.ok(
        "fit @near.csv --target y --inputs x --no-train --set lengthscale=1 --set outputscale=1"
            + " --set noise=0.1 --set mean=0 --model @near.lvl");
  }
}
