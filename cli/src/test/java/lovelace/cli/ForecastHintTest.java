package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastHintTest {

  @TempDir private Path folder;

  /// The line that a fit prints about forecasts.
  private static String hint(String said) {
    List<String> lines = said.lines().filter(line -> line.startsWith("forecast ")).toList();
    assertEquals(1, lines.size(), said);
    return lines.getFirst();
  }

  @Test
  void aFitOfOneSeriesTellsTheScoreOfItsBacktest() throws IOException {
    var trial = new Trial(folder);
    StringBuilder rows = new StringBuilder("month,sold\n");
    ForecastCommandTest.sales().stream()
        .filter(row -> row.startsWith("shop 5,"))
        .forEach(row -> rows.append(row.substring("shop 5,".length())));
    trial.write("one.csv", rows.toString());
    String line = hint(trial.ok("fit @one.csv --target sold --kernel rbf --model @m.lvl"));
    JsonNode all =
        new ObjectMapper().readTree(trial.ok("backtest @one.csv --horizon 12 --windows 3 --json"));
    String scores =
        String.format(
            Locale.ROOT,
            "(MASE %.3f in a backtest, seasonal naive %.3f)",
            all.get("lovelace").get("mase").asDouble(),
            all.get("seasonal_naive").get("mase").asDouble());
    assertTrue(line.contains(scores), line + scores);
    assertTrue(line.endsWith("--time month --target sold --horizon 12"), line);
    trial.ok(line.substring(line.indexOf("lovelace forecast") + "lovelace ".length()));
  }

  @Test
  void seriesThatAreManyOrShortGetTheCommandWithoutAScore() throws IOException {
    var trial = new Trial(folder);
    trial.write("many.csv", "shop,month,sold\n" + String.join("", ForecastCommandTest.sales()));
    trial.write("short.csv", "day,y\n2024-01-01,1\n2024-01-02,2\n2024-01-03,2\n2024-01-04,3\n");
    for (String table : List.of("many.csv --target sold", "short.csv --target y")) {
      String line = hint(trial.ok("fit @" + table + " --kernel rbf --model @m.lvl"));
      assertFalse(line.contains("MASE"), line);
      assertTrue(line.contains("to continue the series of this table, type lovelace forecast"));
    }
  }
}
