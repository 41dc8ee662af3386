package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables that are the answers of queries.
class SqlTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static final String GIVEN =
      "--target y --no-train --kernel rbf --grid 40 --set lengthscale=0.5 --set outputscale=1"
          + " --set noise=0.1 --set mean=0 --model @m.lvl";

  @BeforeEach
  void writeTables() throws IOException {
    var random = new SplittableRandom(8);
    StringBuilder rows = new StringBuilder("day,x,y\n");
    for (int i = 0; i < 60; i++) {
      double x = i / 60.0;
      rows.append(
          String.format(
              Locale.ROOT,
              "2024-01-%02d,%s,%s%n",
              1 + i % 28,
              x,
              Math.sin(6 * x) + 0.1 * random.nextGaussian()));
    }
    Files.writeString(folder.resolve("t.csv"), rows);
  }

  private int run(String line, String... more) {
    List<String> args = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
    args.addAll(Arrays.asList(more));
    args.replaceAll(a -> a.replaceAll("(?<!\\w)@", folder + "/"));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
  }

  private void ok(String line, String... more) {
    assertEquals(0, run(line, more), err::toString);
  }

  @Test
  void queryOverFilesIsATable() throws IOException {
    ok("fit " + GIVEN, "--sql", "select x, y from '@t.csv' where x < 0.5;");
    assertTrue(out.toString().contains("rows        30"), out::toString);
    ok("predict @m.lvl --out @p.csv", "--sql", "select x * 0.5 as x, day from '@t.csv' limit 7");
    List<String> lines = Files.readAllLines(folder.resolve("p.csv"));
    assertEquals("x,day,mean,variance,lower,upper,outside", lines.getFirst());
    assertEquals(8, lines.size());
    ok("sample @m.lvl @t.csv --draws 2 --out @s.csv", "--sql", "select x from input limit 3");
    assertEquals(4, Files.readAllLines(folder.resolve("s.csv")).size());
  }

  @Test
  void databaseAnswersThroughItsDriver() throws Exception {
    Path file = folder.resolve("shop.db");
    try (var connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        var statement = connection.createStatement()) {
      statement.execute(
          "create table sales as select day::date as day, x::decimal(12, 9) as x, y, 'a' as t, (x > 0.5) as late"
              + " from '"
              + folder
              + "/t.csv'");
      statement.execute("insert into sales values (null, null, 3, null, null)");
    }
    ok(
        "fit jdbc:duckdb:" + file + " --inputs x --missing skip " + GIVEN,
        "--sql",
        "select * from sales");
    assertTrue(out.toString().contains("rows        60"), out::toString);
    assertTrue(out.toString().contains("1 rows that lack a value"), out::toString);
    ok(
        "predict @m.lvl jdbc:duckdb:" + file + " --out @p.parquet",
        "--sql",
        "select x, t, late, day from sales where x < 0.1");
    assertEquals(2, run("fit jdbc:duckdb:" + file + " " + GIVEN));
    assertTrue(err.toString().contains("say what to read with --sql"), err::toString);
    assertEquals(
        2, run("fit jdbc:duckdb:" + file + " " + GIVEN, "--sql", "select nothing from sales"));
    assertTrue(err.toString().contains("cannot be read"), err::toString);
  }

  @Test
  void passwordsAreNeverSaid() throws IOException {
    String url = "jdbc:postgresql://me:geheim@host/db?password=secret1";
    assertEquals(2, run("fit " + url + " " + GIVEN, "--sql", "select 1"));
    assertTrue(
        err.toString().contains("there is no JDBC driver for 'jdbc:postgresql://me:***@"),
        err::toString);
    assertFalse(err.toString().contains("geheim") || err.toString().contains("secret1"));
    ok("fit " + GIVEN, "--sql", "select x, y from '@t.csv' -- password=geheim");
    assertFalse(
        Files.readString(folder.resolve("m.lvl"), java.nio.charset.StandardCharsets.ISO_8859_1)
            .contains("geheim"));
  }

  @Test
  void causeOfAFailedConnectionIsNamedWithoutItsWords() {
    var cause = new UnknownHostException("me:geheim@host");
    var e = new SQLException("The connection attempt failed.", cause);
    String said =
        String.valueOf(Database.unreadable("jdbc:postgresql://me:geheim@host/db", e).getMessage());
    assertTrue(said.endsWith("attempt failed. (unknown host)"), said);
    assertFalse(said.contains("geheim"), said);
  }

  @Test
  void whatIsNoQueryIsRefused() {
    assertEquals(2, run("fit " + GIVEN, "--sql", "drop table x"));
    assertTrue(err.toString().contains("--sql must be a query"), err::toString);
    assertEquals(2, run("fit " + GIVEN));
    assertTrue(err.toString().contains("name a TABLE"), err::toString);
    assertEquals(2, run("fit " + GIVEN, "--sql", "install httpfs"));
    assertEquals(2, run("fit " + GIVEN, "--sql", "select * from '@none.csv'"));
    assertTrue(err.toString().contains("cannot be read"), err::toString);
  }
}
