package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables with dates and quarters as inputs.
class DatesTest {

  private static final String FIT =
      " --target y --no-train --set lengthscale=1 --set outputscale=1 --set noise=0.1"
          + " --set mean=1 --model @m.lvl";

  @TempDir private Path folder;

  private Trial table(String name, IntFunction<String> day, Map<Integer, String> wrong)
      throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder csv = new StringBuilder("d,y\n");
    for (int i = 1; i <= 60; i++)
      csv.append(wrong.getOrDefault(i, day.apply(i))).append(',').append(i % 7).append('\n');
    trial.write(name, csv.toString());
    return trial;
  }

  private static String day(int row) {
    return LocalDate.of(2020, 1, 1).plusDays(row).toString();
  }

  @Test
  void messagesNameTheRowOfADate() throws IOException {
    Trial trial = table("a.csv", DatesTest::day, Map.of(31, "2020-13-40", 45, "unknown"));
    assertTrue(
        trial
            .refused("fit @a.csv" + FIT)
            .contains("row 31 of '@a.csv': column 'd' is '2020-13-40', not a date"),
        trial.err());
    trial = table("b.csv", DatesTest::day, Map.of(45, "unknown"));
    assertTrue(
        trial
            .refused("fit @b.csv" + FIT)
            .contains("row 45 of '@b.csv': column 'd' is 'unknown', not a date"),
        trial.err());
    for (String missing : List.of("", " --missing skip")) {
      trial = table("c.csv", DatesTest::day, Map.of(44, "2020-02-14T10:00:00Z"));
      assertTrue(
          trial
              .refused("fit @c.csv" + FIT + missing)
              .contains(
                  "row 44 of '@c.csv': column 'd' is '2020-02-14T10:00:00Z', a time with a zone"),
          trial.err());
    }
  }

  /// A model that is there already knows the scale of its times, so every row is read by it.
  @Test
  void messagesNameTheRowOfATimeForAModel() throws IOException {
    Trial trial = table("a.csv", DatesTest::day, Map.of());
    trial.ok("fit @a.csv" + FIT);
    table("b.csv", DatesTest::day, Map.of(50, "2020-02-20T10:00:00Z"));
    assertTrue(
        trial
            .refused("predict @m.lvl @b.csv --out @p.csv")
            .contains("row 50 of '@b.csv': column 'd' is '2020-02-20T10:00:00Z', a time with"),
        trial.err());
  }

  @Test
  void wrongDatesCanBeSkipped() throws IOException {
    Trial trial = table("a.csv", DatesTest::day, Map.of(31, "2020-13-40", 45, "unknown"));
    trial.ok("fit @a.csv --missing skip" + FIT);
    assertTrue(trial.ok("inspect @m.lvl").contains("58"), trial.out());
  }

  @Test
  void quartersAreTheirFirstMonths() throws IOException {
    String[] forms = {"%1$dQ%2$d", "%1$d-Q%2$d", "Q%2$d %1$d", "%2$dQ%1$d"};
    String extend = " --extend d=2000-01:%s";
    Trial trial = table("months.csv", DatesTest::month, Map.of());
    trial.ok("fit @months.csv --engine spectral" + FIT + extend.formatted("2016-04"));
    trial.ok("predict @m.lvl @months.csv --out @months.out.csv");
    List<String> expected = columns(trial.file("months.out.csv"));
    for (String form : forms) {
      table(
          "q.csv",
          i -> String.format(Locale.ROOT, form, 2000 + (i - 1) / 4, (i - 1) % 4 + 1),
          Map.of());
      String until = String.format(Locale.ROOT, form, 2016, 2).replace(" ", "-");
      trial.ok("fit @q.csv --engine spectral" + FIT + extend.formatted(until));
      trial.ok("predict @m.lvl @q.csv --out @q.out.csv");
      assertEquals(expected, columns(trial.file("q.out.csv")), form);
    }
  }

  private static String month(int row) {
    return String.format(Locale.ROOT, "%d-%02d", 2000 + (row - 1) / 4, 3 * ((row - 1) % 4) + 1);
  }

  /// The rows without their first column.
  private static List<String> columns(Path csv) throws IOException {
    return Files.readAllLines(csv).stream().map(row -> row.replaceFirst("[^,]*,", "")).toList();
  }
}
