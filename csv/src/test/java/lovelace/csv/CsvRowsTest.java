package lovelace.csv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvRowsTest {

  @TempDir Path folder;

  private static List<List<String>> all(CsvRows rows) throws IOException {
    List<List<String>> all = new ArrayList<>();
    try (rows) {
      for (String[] row = rows.next(); row != null; row = rows.next()) all.add(List.of(row));
    }
    return all;
  }

  private static List<List<String>> all(String text) throws IOException {
    return all(CsvRows.of(text, ','));
  }

  private static String error(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> all(text)).getMessage());
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void quotesSpacesBlankLinesAndLineEndsAreRead() throws IOException {
    assertEquals(
        List.of(List.of("a,b", "c \"d\""), List.of("1", ""), List.of("x\ny", "2")),
        all("\uFEFF\"a,b\",\"c \"\"d\"\"\"\r\n\n   \n 1 ,\r\"x\ny\",2"));
    assertEquals(List.of(List.of("1", "2,5")), all(CsvRows.of("1;2,5\n", ';')));
    assertEquals(List.of(), all(""));
  }

  @Test
  void rowsAreCountedWithoutHeaderAndBlankLines() throws IOException {
    try (CsvRows rows = CsvRows.of("a,b\n\n1,2\n\n3,n\n", ',')) {
      assertEquals(List.of("a", "b"), rows.header());
      assertEquals(List.of("1", "2"), List.of(Objects.requireNonNull(rows.next())));
      assertEquals(1, rows.row());
      assertEquals(List.of("3", "n"), List.of(Objects.requireNonNull(rows.next())));
      assertEquals(
          "row 2: column 'b' is 'n', not a number; drop the row",
          String.valueOf(rows.wrong(1, "n", "not a number", "drop the row").getMessage()));
      assertTrue(rows.next() == null);
    }
  }

  @Test
  void wrongRowsAreNamed() throws IOException {
    assertEquals(
        "row 2 has 3 values, the first row has 2; check its separators and quotes",
        error("1,2\n1,2,3\n"));
    assertTrue(error("1,2\n1\n").startsWith("row 2 has 1 values"));
    assertTrue(error("1,2\n\"1,2\n").startsWith("row 2: a quote is not closed"));
    assertTrue(error("1,2\n\"1\"x,2\n").startsWith("row 2: a quote is not closed, or text"));
    assertThrows(IllegalArgumentException.class, () -> CsvRows.of(" \n", ',').header());
  }

  @Test
  void manyColumnsAreLeftToTheReader() throws IOException {
    assertEquals(100_000, all("1,".repeat(99_999) + "1").getFirst().size());
  }

  @Test
  void gzippedFilesAreRead() throws IOException {
    Path file = folder.resolve("a.csv.gz");
    Files.write(file, gzip("\uFEFFa,é\n1,2\n"));
    assertEquals(List.of(List.of("a", "é"), List.of("1", "2")), all(CsvRows.ofGzip(file)));
    Files.write(file, gzip("1,2\n3\n"));
    String said =
        assertThrows(IllegalArgumentException.class, () -> all(CsvRows.ofGzip(file))).toString();
    assertTrue(said.contains("a.csv.gz, row 2 has 1 values"), said);
  }

  @Test
  void whatGzipCannotReadIsNamedWithTheRemedy() throws IOException {
    Path file = folder.resolve("a.csv.gz");
    byte[] whole = gzip("1,2\n".repeat(100_000));
    for (byte[] wrong : List.of("1,2\n".getBytes(UTF_8), Arrays.copyOf(whole, 300), new byte[0])) {
      Files.write(file, wrong);
      String said =
          assertThrows(IllegalArgumentException.class, () -> all(CsvRows.ofGzip(file))).toString();
      assertTrue(said.contains("a.csv.gz") && said.contains("run gzip"), said);
    }
    assertThrows(IOException.class, () -> CsvRows.ofGzip(folder.resolve("none.csv.gz")));
  }

  @Test
  void numbersAreDecimalAndFinite() {
    assertEquals(-1.5e3, CsvRows.number("-1.5e3"));
    assertEquals(0.5, CsvRows.number(".5"));
    assertEquals(7, CsvRows.number("+7."));
    for (String wrong : List.of("", "1d", "0x1p3", "NaN", "Infinity", "1e999", "a", "1,5", "-"))
      assertEquals(Double.NaN, CsvRows.number(wrong), wrong);
    for (String missing : List.of("", "NA", "n/a", "NaN", "Null", "none", "?"))
      assertTrue(CsvRows.isMissing(missing), missing);
    assertTrue(!CsvRows.isMissing("0") && !CsvRows.isMissing("nothing"));
  }
}
