package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import lovelace.cli.Reading.Missing;
import lovelace.cli.Table.Added;
import lovelace.cli.Table.Kind;
import lovelace.data.Column;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static Table open(Path file) throws IOException {
    return Table.open(file.toString(), InputStream.nullInputStream());
  }

  private static double[] read(Table table, Missing missing, String column) throws IOException {
    var all = new ArrayList<Double>();
    table.read(
        Reading.of(missing, table.column(column)),
        (count, columns) -> Arrays.stream(columns[0], 0, count).forEach(all::add));
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private double[] read(String content, String column) throws IOException {
    try (var table = open(file("t.csv", content))) {
      return read(table, Missing.ERROR, column);
    }
  }

  private String refusal(String content, String column) {
    var e = assertThrows(IllegalArgumentException.class, () -> read(content, column));
    return String.valueOf(e.getMessage()).replace(folder.toString() + "/", "");
  }

  @Test
  void columnsHaveNamesAndKinds() throws IOException {
    String csv =
        "depth,month,day,at,site,n\n1.5,1949-01,2020-01-31,2020-01-31 12:30:00,north,n/a\n2,1949-02,2020-02-01,2020-02-01 00:00:00,south,3\n";
    try (var table = open(file("t.csv", csv))) {
      assertEquals(
          List.of("depth NUMBER", "month TIME", "day TIME", "at TIME", "site TEXT", "n NUMBER"),
          table.fields().stream().map(f -> f.name() + " " + f.kind()).toList());
    }
  }

  @Test
  void awkwardFilesAreReadAsTheyLook() throws IOException {
    double[] expected = {1, 2.5};
    assertArrayEquals(expected, read("a,b\r\n1,x\r\n2.5,y\r\n", "a"), "CRLF");
    assertArrayEquals(expected, read("\ufeffa,b\n1,x\n2.5,y\n", "a"), "byte order mark");
    assertArrayEquals(expected, read("a,b\n1,x\n2.5,y", "a"), "no newline at the end");
    assertArrayEquals(expected, read("\"a column, quoted\",b\n1,x\n2.5,y\n", "a column, quoted"));
    assertArrayEquals(expected, read("\"say \"\"a\"\"\",b\n1,x\n2.5,y\n", "say \"a\""));
    assertArrayEquals(expected, read("a;b\n1;x\n2.5;y\n", "a"), "semicolons");
    assertArrayEquals(expected, read("a\n1\n2.5\n", "a"), "one column");
    assertArrayEquals(expected, read("a,b\n 1 ,x\n\"2.5\",y\n", "a"), "spaces and quotes");
    assertArrayEquals(new double[0], read("a,b\n", "a"), "names only");
    assertArrayEquals(
        new double[] {1e308, -1e-320, 1e22},
        read("a,b\n1e308,1\n-1e-320,2\n10000000000000000000000,3\n", "a"));
  }

  @Test
  void everyBitOfANumberIsKept() throws IOException {
    var random = new SplittableRandom(3);
    double[] values =
        random.longs(3000).mapToDouble(Double::longBitsToDouble).filter(Double::isFinite).toArray();
    var csv = new StringBuilder("a,b\n");
    for (double v : values) csv.append(v).append(",1\n");
    assertArrayEquals(values, read(csv.toString(), "a"), "seed 3");
    try (var table = open(folder.resolve("t.csv"))) {
      for (String out : List.of("o.csv", "o.parquet", "o.json", "o.csv.gz")) {
        Path written = folder.resolve(out);
        table
            .writer()
            .extend(
                Reading.of(Missing.ERROR, table.column("a")),
                List.of(Added.number("copy")),
                (count, in, added) -> System.arraycopy(in[0], 0, added[0], 0, count),
                written.toString(),
                OutputStream.nullOutputStream());
        try (var again = open(written)) {
          assertArrayEquals(values, read(again, Missing.ERROR, "copy"), out);
          assertArrayEquals(values, read(again, Missing.ERROR, "a"), out);
        }
      }
    }
  }

  @Test
  void wrongFilesAreNamed() throws IOException {
    assertEquals(
        "'t.csv' is empty; it needs a line of column names and rows below it", refusal("", "a"));
    assertEquals("'t.csv' has two columns named 'a'; rename one", refusal("a,b,a\n1,2,3\n", "a"));
    assertEquals(
        "'t.csv' begins with numbers, 1, 2.5; its first line must name the columns",
        refusal("1,2.5\n2,3\n", "a"));
    assertEquals(
        "'t.csv', row 1: '8,51' has a decimal comma; write numbers with points, such as 8.51",
        refusal("lon;lat;y\n8,51;47,2;3\n9,1;48,5;4\n", "lon"));
    assertEquals(
        "'t.csv' has no column 'dept', did you mean 'depth'? It has depth, y",
        refusal("depth,y\n1,2\n", "dept"));
    var missing =
        assertThrows(IllegalArgumentException.class, () -> open(folder.resolve("nowhere.csv")));
    assertTrue(missing.toString().contains("there is no file '"));
    var directory = assertThrows(IllegalArgumentException.class, () -> open(folder));
    assertTrue(directory.toString().contains("is a folder"));
    var broken =
        assertThrows(IllegalArgumentException.class, () -> open(file("b.parquet", "not parquet")));
    assertTrue(broken.toString().contains("b.parquet' cannot be read"), broken::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "n/a | is 'n/a', not a number",
        "`` | has no value",
        "NaN | has no value",
        "inf | is infinite",
        "1.2.3 | is '1.2.3', not a number",
      })
  void valueThatIsNoNumberIsNamedOrSkipped(String value, String said) throws IOException {
    String csv = "x,y\n1,1\n2," + value + "\n3,4\n";
    assertEquals(
        "row 2 of 't.csv': column 'y' "
            + said
            + "; correct or drop the row, or pass --missing skip or mean",
        refusal(csv, "y"));
    try (var table = open(folder.resolve("t.csv"))) {
      var count =
          table.read(Reading.of(Missing.SKIP, table.column("x"), table.column("y")), (n, c) -> {});
      assertEquals(new Table.Count(2, 1), count);
      assertArrayEquals(new double[] {1, 4}, read(table, Missing.SKIP, "y"));
    }
  }

  @Test
  void textFarDownANumericColumnIsNamedByItsRow() {
    var csv = new StringBuilder("a,b\n");
    for (int i = 1; i <= 60_000; i++) csv.append(i == 50_000 ? "oops" : "" + i).append(",1\n");
    assertTrue(
        refusal(csv.toString(), "a").startsWith("row 50,000 of 't.csv': column 'a' is 'oops'"));
  }

  @Test
  void timesBecomeNumbersOnTheirScale() throws IOException {
    assertArrayEquals(
        new double[] {1949, 1949 + 1 / 12.0}, read("m,y\n1949-01,1\n1949-02,2\n", "m"), 1e-12);
    assertArrayEquals(
        new double[] {0, 1, 31},
        read("d,y\n2020-01-31,1\n2020-02-01,2\n2020-03-02,2\n", "d"),
        1e-12);
    assertArrayEquals(
        new double[] {0, 90},
        read("t,y\n2020-01-31T12:30:00Z,1\n2020-01-31T14:00:00Z,2\n", "t"),
        1e-12);
    try (var table = open(file("t.csv", "d,y\n2020-01-31,1\nlater,2\n2020-02-02,2\n"))) {
      assertEquals(Kind.TEXT, table.field("d").kind());
    }
  }

  @ParameterizedTest
  @CsvSource({"t.csv.gz", "t.parquet", "t.json", "t.jsonl.gz", "t.tsv"})
  void everyFormatGivesTheSameNumbers(String name) throws IOException {
    String csv = "x,day,site\n1.25,2020-01-31,north\n-3,2020-02-02,south\n";
    Path out = folder.resolve(name);
    try (var table = open(file("in.csv", csv))) {
      table
          .writer()
          .extend(
              Reading.of(Missing.ERROR, table.column("x")),
              List.of(Added.number("double"), Added.flag("positive")),
              (count, in, added) -> {
                for (int i = 0; i < count; i++) {
                  added[0][i] = 2 * in[0][i];
                  added[1][i] = in[0][i] > 0 ? 1 : 0;
                }
              },
              out.toString(),
              OutputStream.nullOutputStream());
    }
    try (var table = open(out)) {
      assertEquals(
          List.of("x", "day", "site", "double", "positive"),
          table.fields().stream().map(Table.Field::name).toList());
      assertArrayEquals(new double[] {1.25, -3}, read(table, Missing.ERROR, "x"));
      assertArrayEquals(new double[] {2.5, -6}, read(table, Missing.ERROR, "double"));
      assertArrayEquals(new double[] {0, 2}, read(table, Missing.ERROR, "day"));
    }
    try (var piped = Files.newInputStream(out);
        var table = Table.open("-", piped)) {
      assertArrayEquals(new double[] {1.25, -3}, read(table, Missing.ERROR, "x"), "piped");
    }
  }

  @Test
  void rowsOfManyChunksAreMappedOnceAndInOrder() throws IOException {
    var text = new StringBuilder("x,name\n");
    for (int i = 0; i < 20_000; i++) text.append(i % 1000 == 7 ? "" : i).append(",n\n");
    Path out = folder.resolve("mapped.csv");
    var calls = new java.util.concurrent.atomic.AtomicLong();
    try (var table = open(file("many.csv", text.toString()))) {
      table
          .writer()
          .map(
              Reading.of(Missing.SKIP, table.column("x")),
              List.of(
                  Added.number("half"),
                  Added.expression("quarter", "half / 2"),
                  Added.flag("even")),
              (count, in, added) -> {
                calls.addAndGet(count);
                for (int i = 0; i < count; i++) {
                  added[0][i] = in[0][i] / 2;
                  added[1][i] = in[0][i] % 2 == 0 ? 1 : 0;
                }
              },
              out.toString(),
              OutputStream.nullOutputStream());
    }
    assertEquals(20_000, calls.get(), "rows given to the function");
    List<String> lines = Files.readAllLines(out);
    assertEquals("x,name,half,quarter,even", lines.getFirst());
    for (int i = 0; i < 20_000; i++)
      assertEquals(
          i % 1000 == 7
              ? ",n,,,"
              : String.format(Locale.ROOT, "%d,n,%s,%s,%s", i, i / 2.0, i / 4.0, i % 2 == 0),
          lines.get(i + 1));
  }

  @Test
  void pipeMayBeCompressed() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write("a,b\n1,2\n".getBytes(UTF_8));
    }
    try (var table = Table.open("-", new ByteArrayInputStream(bytes.toByteArray()))) {
      assertArrayEquals(new double[] {1}, read(table, Missing.ERROR, "a"));
    }
    var empty =
        assertThrows(
            IllegalArgumentException.class, () -> Table.open("-", InputStream.nullInputStream()));
    assertEquals(
        "standard input is empty; it needs a line of column names and rows below it",
        empty.getMessage());
  }

  @Test
  void resultGoesToTheStreamWithSkippedRowsEmpty() throws IOException {
    var out = new ByteArrayOutputStream();
    try (var table = open(file("t.csv", "x,y\n1,a\n,b\n3,c\n"))) {
      table
          .writer()
          .extend(
              Reading.of(Missing.SKIP, table.column("x")),
              List.of(Added.number("mean")),
              (count, in, added) -> {
                for (int i = 0; i < count; i++) added[0][i] = in[0][i] / 3;
              },
              "-",
              out);
    }
    assertEquals("x,y,mean\n1,a,0.3333333333333333\n,b,\n3,c,1.0\n", out.toString(UTF_8));
  }

  @Test
  void failedResultLeavesNoFile() throws IOException {
    Path out = folder.resolve("o.csv");
    try (var table = open(file("t.csv", "x,y\n1,a\nb,2\n"))) {
      Column x = table.column("x");
      assertThrows(
          IllegalArgumentException.class,
          () ->
              table
                  .writer()
                  .extend(
                      Reading.of(Missing.ERROR, x),
                      List.of(Added.number("z")),
                      (n, i, o) -> {},
                      out.toString(),
                      OutputStream.nullOutputStream()));
      var taken =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  table
                      .writer()
                      .extend(
                          Reading.of(Missing.SKIP, x),
                          List.of(Added.number("y")),
                          (n, i, o) -> {},
                          out.toString(),
                          OutputStream.nullOutputStream()));
      assertNotNull(taken.getMessage());
      assertTrue(taken.toString().contains("already has a column 'y', and the result adds one"));
      var kind = assertThrows(IllegalArgumentException.class, () -> Output.options("o.xlsx"));
      assertTrue(kind.toString().contains("'o.xlsx' must end in .csv"));
    }
    try (var files = Files.list(folder)) {
      assertEquals(List.of("t.csv"), files.map(f -> f.getFileName().toString()).toList());
    }
  }

  @Test
  void filesOfAGlobAreOneTable() throws IOException {
    file("p1.csv", "a,b\n1,x\n");
    file("p2.csv", "a,b\n2,y\n");
    try (var table = Table.open(folder + "/p*.csv", InputStream.nullInputStream())) {
      assertArrayEquals(new double[] {1, 2}, read(table, Missing.ERROR, "a"));
    }
  }
}
