package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pictures of `forecast --plot` and `backtest --plot`.
class SeriesGalleryTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    trial.write("sales.csv", "unique_id,ds,y\n" + String.join("", ForecastCommandTest.sales()));
  }

  private JsonNode page(String file) throws IOException {
    String page = Files.readString(trial.file(file));
    String start = "const forecasts =\n";
    int at = page.indexOf(start) + start.length();
    return new ObjectMapper().readTree(page.substring(at, page.indexOf(";\n", at)));
  }

  /// The numbers of a series as the page has them.
  private static double[] numbers(JsonNode page, int which) {
    ByteBuffer data = ByteBuffer.wrap(Base64.getDecoder().decode(page.get("data").asText()));
    data.order(ByteOrder.LITTLE_ENDIAN);
    int from = 0;
    int count = 0;
    for (int i = 0; i <= which; i++) {
      from += count;
      JsonNode one = page.get("series").get(i);
      count = one.get("count").asInt();
      for (JsonNode fan : one.get("fans")) count += 7 * fan.get(1).asInt();
    }
    JsonNode one = page.get("series").get(which);
    double[] all = new double[count];
    for (int i = 0; i < count; i++)
      all[i] =
          one.get("level").asDouble() + one.get("size").asDouble() * data.getFloat(4 * (from + i));
    return all;
  }

  @Test
  void aPageHoldsTheHistoryAndTheWrittenForecasts() throws IOException {
    String said = trial.ok("forecast @sales.csv --horizon 3 --plot @f.html --out @f.csv");
    assertTrue(said.contains("f.html, 6 of 6 series"), said);
    JsonNode page = page("f.html");
    assertEquals(6, page.get("ids").size());
    assertEquals("shop 2", page.get("ids").get(2).asText());
    double[] all = numbers(page, 2);
    List<String> history =
        ForecastCommandTest.sales().stream().filter(row -> row.startsWith("shop 2,")).toList();
    assertEquals(history.size() + 3 * 7, all.length);
    for (int i = 0; i < history.size(); i++)
      assertEquals(Double.parseDouble(history.get(i).split(",", -1)[2]), all[i], 1e-4);
    List<String> rows =
        Files.readAllLines(trial.file("f.csv")).stream()
            .filter(r -> r.startsWith("shop 2,"))
            .toList();
    for (int k = 0; k < 3; k++) {
      String[] part = rows.get(k).split(",", -1); // median, mean, lo-80, hi-80, lo-95, hi-95
      int at = history.size() + 7 * k;
      assertEquals(Double.parseDouble(part[2]), all[at + 3], 1e-3);
      assertEquals(Double.parseDouble(part[4]), all[at + 1], 1e-3);
      assertEquals(Double.parseDouble(part[7]), all[at + 6], 1e-3);
    }
  }

  @Test
  void aBacktestDrawsWindowsThatDoNotOverlap() throws IOException {
    trial.ok("backtest @sales.csv --horizon 3 --windows 5 --step 2 --plot @b.html");
    JsonNode page = page("b.html");
    assertTrue(page.get("subtitle").asText().contains("one in 2 is drawn"));
    for (JsonNode one : page.get("series")) {
      JsonNode fans = one.get("fans");
      assertEquals(3, fans.size());
      long end = one.get("first").asLong() + one.get("count").asLong();
      assertEquals(end - 3, fans.get(2).get(0).asLong());
      assertEquals(end - 7, fans.get(1).get(0).asLong());
    }
    assertEquals(2, page.get("panels").size());
    assertEquals(3, page.get("table").size());
    String scores = trial.ok("backtest @sales.csv --horizon 3 --windows 5 --step 2 --json");
    double mase = 0;
    for (JsonNode one : page.get("series")) mase += one.get("facts").get(0).asDouble() / 6;
    double told = new ObjectMapper().readTree(scores).get("lovelace").get("mase").asDouble();
    assertEquals(told, mase, 1e-3);
  }

  @Test
  void wrongFilesAreRefusedBeforeAnyWork() {
    for (String command : List.of("forecast", "backtest")) {
      String line = command + " @sales.csv --horizon 3 --plot ";
      String said = trial.refused(line + "@f.gif");
      assertTrue(said.contains("--plot: picture '@f.gif' must end in .png, .svg or .html"), said);
      said = trial.refused(line + "@nowhere/f.html");
      assertTrue(said.contains("--plot: there is no folder '@nowhere'"), said);
      assertFalse(Files.exists(trial.file("f.gif")));
    }
  }

  @Test
  void aTableWithoutForecastsIsRefusedAndLeavesNoPicture() throws IOException {
    trial.write(
        "empty.csv",
        "unique_id,ds,y\na,2024-01-01,1\na,2024-01-02,2\na,2024-01-04,3\nb,2024-01-01,\n");
    for (String end : List.of("html", "svg", "png")) {
      String said =
          trial.refused("forecast @empty.csv --horizon 2 --from 2030-01-01 --plot @e." + end);
      assertTrue(said.contains("none of the 2 series"), said);
      assertFalse(Files.exists(trial.file("e." + end)));
    }
  }

  @Test
  @Needs("chromium")
  void aPageIsSearchedSortedReadAndZoomed() throws Exception {
    List<String> rows = ForecastCommandTest.sales();
    String nasty = "<img src=x onerror=alert(1)>";
    trial.write(
        "sales.csv",
        "unique_id,ds,y\n" + String.join("", rows).replace("shop 3,", "\"" + nasty + "\","));
    trial.ok("forecast @sales.csv --horizon 3 --plot @f.html");
    String act =
        """
        <script>
        window.onerror = m => { document.body.dataset.wrong = m; };
        setTimeout(() => {
          const out = {};
          out.cards = document.querySelectorAll(".card").length;
          choice.value = "1";
          choice.dispatchEvent(new Event("change"));
          out.largest = document.querySelector(".card span").textContent;
          turn.click();
          out.smallest = document.querySelector(".card span").textContent;
          search.value = "IMG";
          search.dispatchEvent(new Event("input"));
          out.found = byId("found").textContent;
          document.querySelector(".card").click();
          out.id = byId("id").textContent;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
          out.read = byId("read").textContent;
          const width = view.high - view.low;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
          out.zoomed = view.high - view.low < width;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
          out.whole = view.low === everything().low;
          byId("numbers").open = true;
          setTimeout(() => {
            out.rows = document.querySelectorAll("#table tbody tr").length;
            out.drawn = document.querySelectorAll(".card canvas").length;
            document.body.dataset.result = JSON.stringify(out);
          }, 100);
        }, 300);
        </script>
        """;
    Path page = trial.file("tried.html");
    Files.writeString(page, Files.readString(trial.file("f.html")) + act);
    Process chromium =
        new ProcessBuilder(
                Programs.require("chromium").toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--window-size=1000,700",
                "--virtual-time-budget=5000",
                "--dump-dom",
                page.toUri().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String dom = new String(chromium.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, chromium.waitFor());
    assertFalse(dom.contains("data-wrong"), "an error of the page");
    assertFalse(dom.contains("<img"), "a name became markup");
    Matcher found = Pattern.compile("data-result=\"([^\"]*)\"").matcher(dom);
    assertTrue(found.find(), "the page did not run");
    String result =
        found.group(1).replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    JsonNode out = new ObjectMapper().readTree(result);
    assertEquals(6, out.get("cards").asInt(), result);
    assertEquals("shop 5", out.get("largest").asText());
    assertEquals("shop 0", out.get("smallest").asText());
    assertEquals("1 of 6 series", out.get("found").asText());
    assertEquals(nasty, out.get("id").asText());
    // shop 3 has 54 months
    assertTrue(out.get("read").asText().startsWith("2019-07-01: median "), result);
    assertTrue(out.get("zoomed").asBoolean() && out.get("whole").asBoolean(), result);
    assertEquals(3, out.get("rows").asInt());
  }
}
