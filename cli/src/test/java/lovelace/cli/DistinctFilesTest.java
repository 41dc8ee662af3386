package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Results replace no file that is read, and no other result.
class DistinctFilesTest {

  @TempDir private Path folder;

  private Trial trial;
  private String table;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    StringBuilder rows = new StringBuilder("ds,y\n");
    for (int t = 0; t < 20; t++) rows.append(2000 + t).append(',').append(t % 7).append('\n');
    table = rows.toString();
    trial.write("t.csv", table);
    trial.write("plan.csv", table);
  }

  private void refused(String line, String words) throws IOException {
    String said = trial.refused(line);
    assertTrue(said.contains(words), said);
    assertEquals(table, Files.readString(trial.file("t.csv")));
    assertEquals(table, Files.readString(trial.file("plan.csv")));
  }

  @Test
  void theTableStays() throws IOException {
    String forecast = "forecast @t.csv --horizon 2 ";
    for (String option : new String[] {"--out", "--fitted", "--anomalies", "--model"})
      refused(
          forecast + option + " @t.csv", option + " '@t.csv' would replace a file that is read");
    refused(forecast + "--out @./t.csv", "would replace a file that is read (the table)");
    refused(forecast + "--future @plan.csv --out @plan.csv", "that is read (--future)");
    refused("forecast '@t*.csv' --horizon 2 --out @t.csv", "would replace a file that is read");
    refused("backtest @t.csv --horizon 2 --out @t.csv", "would replace a file that is read");
  }

  @Test
  void resultsStayApart() throws IOException {
    refused(
        "forecast @t.csv --horizon 2 --out @x.csv --fitted @x.csv",
        "--out and --fitted both name '@x.csv'");
    trial.ok("forecast @t.csv --horizon 2 --model @m.lvf --out @x.csv");
    trial.write("more.csv", "ds,y\n2020,3\n");
    trial.ok("forecast --update @m.lvf @more.csv --model @m.lvf --out @x.csv");
    refused("forecast --model @m.lvf --out @m.lvf", "--model and --out both name");
  }

  @Test
  void nothingForecastIsRefused() throws IOException {
    refused("forecast @t.csv --horizon 2 --from 1990", "has no forecast: ");
    refused("forecast @t.csv --horizon 2 --sums total", "is read as one");
  }

  @Test
  void totalsHaveManyPathsAndFilesThoseAskedFor() throws IOException {
    trial.ok(
        "forecast @t.csv --horizon 3 --total 2 --total-out @a.csv --draws 3 --draws-out @d.csv");
    trial.ok("forecast @t.csv --horizon 3 --total 2 --total-out @b.csv");
    assertEquals(Files.readString(trial.file("a.csv")), Files.readString(trial.file("b.csv")));
    assertEquals(1 + 3 * 3, Files.readAllLines(trial.file("d.csv")).size());
  }
}
