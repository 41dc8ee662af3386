package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.Model;
import lovelace.posterior.Prediction;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of a map as other programs read them.
class MapFilesIT {

  @TempDir private Path folder;

  /// A map of two months of a leap year, wider than a tile.
  private Trial map() throws IOException {
    var trial = new Trial(folder);
    var random = new SplittableRandom(4);
    StringBuilder rows = new StringBuilder("east,north,day,rain\n");
    for (int i = 0; i < 60; i++) {
      double x = 500_000 + 30_000 * random.nextDouble();
      double y = 5_300_000 + 1_000 * random.nextDouble();
      rows.append(
          String.format(
              Locale.ROOT,
              "%s,%s,2024-0%d-1%d,%s%n",
              x,
              y,
              1 + i % 3,
              i % 10,
              Math.sin(x / 5_000) + random.nextDouble()));
    }
    trial.write("t.csv", rows.toString());
    trial.ok(
        "map @t.csv --target rain --crs EPSG:32632 --engine exact --no-train --kernel rbf"
            + " --set lengthscale=4000,4000,40 --set outputscale=1 --set noise=0.1 --set mean=0"
            + " --extent 500000,5300000,530000,5301000 --resolution 100 --model @m.lvl"
            + " --times 2024-01-31/2024-02-29/P1M --out @m.tif --out @m.html");
    return trial;
  }

  private static String run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return out;
  }

  @Test
  @Needs("gdal")
  void gdalFindsPlaceSystemNoDataAndDates() throws Exception {
    map();
    String gdalinfo = Programs.require("gdal").toString();
    JsonNode info =
        new ObjectMapper()
            .readTree(run(List.of(gdalinfo, "-json", folder.resolve("m.tif").toString())));
    assertEquals("[300,10]", info.get("size").toString());
    assertEquals(
        List.of(500_000.0, 100.0, 0.0, 5_301_000.0, 0.0, -100.0),
        numbers(info.get("geoTransform")));
    assertTrue(info.at("/coordinateSystem/wkt").asText().contains("UTM zone 32N"));
    assertEquals("2024-02-29: mean of rain", info.at("/bands/2/description").asText());
    assertEquals("NaN", info.at("/bands/2/noDataValue").asText());
    Path location = Path.of(gdalinfo).resolveSibling("gdallocationinfo");
    Model model = Model.load(folder.resolve("m.lvl"));
    double day = model.columns().get(2).time().orElseThrow().parse("2024-02-29");
    for (int column : new int[] {255, 256}) { // both sides of a tile's edge
      String value =
          run(List.of(
                  location.toString(),
                  "-valonly",
                  "-b",
                  "3",
                  folder.resolve("m.tif").toString(),
                  Integer.toString(column),
                  "4"))
              .strip();
      double mean = model.predict(500_050 + 100.0 * column, 5_300_550, day).mean(0);
      assertEquals(mean, Double.parseDouble(value), 1e-6 * Math.max(1, Math.abs(mean)));
    }
  }

  @Test
  @Needs("rasterio")
  void rasterioFindsPlaceSystemNoDataAndDates() throws Exception {
    map();
    // a lake without values, so that no-data is among the pixels
    trial()
        .write(
            "land.geojson",
            """
            {"type": "Polygon", "crs": {"type": "name", "properties": {"name": "EPSG:32632"}},
             "coordinates": [[[500000, 5300000], [530000, 5300000], [530000, 5300800], [500000, 5300800], [500000, 5300000]]]}
            """);
    trial()
        .ok(
            "map @m.lvl --extent 500000,5300000,530000,5301000 --resolution 100 --mask @land.geojson"
                + " --times 2024-01-31/2024-02-29/P1M --out @land.tif");
    String file = folder.resolve("land.tif").toString();
    String rio = Programs.require("rasterio").toString();
    JsonNode info =
        new ObjectMapper().readTree(run(List.of(rio, "info", file)).replace("NaN", "\"NaN\""));
    assertEquals("[300,10]", "[" + info.get("width") + "," + info.get("height") + "]");
    assertEquals("EPSG:32632", info.get("crs").asText());
    assertEquals(List.of(100.0, 100.0), numbers(info.get("res")));
    assertEquals(
        List.of(500_000.0, 5_300_000.0, 530_000.0, 5_301_000.0), numbers(info.get("bounds")));
    assertEquals("NaN", info.get("nodata").asText());
    assertEquals("float32", info.get("dtype").asText());
    List<String> descriptions = new ArrayList<>();
    info.get("descriptions").forEach(node -> descriptions.add(node.asText()));
    assertEquals(
        List.of(
            "2024-01-31: mean of rain",
            "2024-01-31: standard deviation of rain",
            "2024-02-29: mean of rain",
            "2024-02-29: standard deviation of rain"),
        descriptions);
    Model model = Model.load(folder.resolve("m.lvl"));
    int[] columns = {0, 255, 256, 299}; // both sides of a tile's edge
    List<double[]> read = sample(rio, file, columns);
    for (int k = 0; k < columns.length; k++) {
      for (int t = 0; t < 2; t++) {
        String date = t == 0 ? "2024-01-31" : "2024-02-29";
        double day = model.columns().get(2).time().orElseThrow().parse(date);
        Prediction p = model.predict(500_050 + 100.0 * columns[k], 5_300_550, day);
        assertEquals((float) p.mean(0), (float) read.get(2 * k)[2 * t], "mean at " + k);
        assertEquals((float) p.deviation(0), (float) read.get(2 * k)[2 * t + 1], "sd at " + k);
      }
      for (double none : read.get(2 * k + 1)) assertTrue(Double.isNaN(none), "the lake at " + k);
    }
  }

  private Trial trial() {
    return new Trial(folder);
  }

  /// All bands at the middles of some pixels on land and in the lake.
  private List<double[]> sample(String rio, String file, int[] columns) throws Exception {
    var points = new StringBuilder();
    for (int column : columns)
      for (double y : new double[] {5_300_550, 5_300_950})
        points.append("[%s, %s]\n".formatted(500_050 + 100.0 * column, y));
    Path asked = Files.writeString(folder.resolve("points"), points);
    Process process = new ProcessBuilder(rio, "sample", file).redirectInput(asked.toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.lines()
        .map(line -> line.replaceAll("[\\[\\] ]", "").split(",", -1))
        .map(row -> Arrays.stream(row).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  private static List<Double> numbers(JsonNode list) {
    List<Double> all = new ArrayList<>();
    list.forEach(node -> all.add(node.asDouble()));
    return all;
  }

  @Test
  @Needs("chromium")
  void thePageZoomsMovesAndShowsValuesAndTimes() throws Exception {
    map();
    String act =
        """
        <script>
        window.onerror = m => { document.body.dataset.wrong = m; };
        setTimeout(() => {
          const out = {};
          whole();
          const before = view.scale;
          out.value = valueAt(525650, 5300550, quantities[0], 1);
          canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -400, clientX: 300, clientY: 200, cancelable: true }));
          out.zoomed = view.scale > before;
          const x = view.x;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
          out.moved = view.x > x;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "." }));
          out.date = byId("date").textContent;
          byId("quantity").value = "1";
          byId("quantity").dispatchEvent(new Event("change"));
          out.name = quantities[quantity].name;
          canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
          out.whole = view.scale === before;
          const box = canvas.getBoundingClientRect();
          canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + toX(525650), clientY: box.top + toY(5300550) }));
          out.read = byId("read").textContent;
          document.body.dataset.result = JSON.stringify(out);
        }, 300);
        </script>
        """;
    Path page = folder.resolve("tried.html");
    Files.writeString(page, Files.readString(folder.resolve("m.html")) + act);
    String dom =
        run(
            List.of(
                Programs.require("chromium").toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--window-size=1000,700",
                "--virtual-time-budget=5000",
                "--dump-dom",
                page.toUri().toString()));
    assertTrue(!dom.contains("data-wrong"), "an error of the page");
    Matcher found = Pattern.compile("data-result=\"([^\"]*)\"").matcher(dom);
    assertTrue(found.find(), "the page did not run");
    JsonNode out = new ObjectMapper().readTree(found.group(1).replace("&quot;", "\""));
    Model model = Model.load(folder.resolve("m.lvl"));
    double day = model.columns().get(2).time().orElseThrow().parse("2024-02-29");
    // 65,535 steps of a range of about 3
    assertEquals(model.predict(525_650, 5_300_550, day).mean(0), out.get("value").asDouble(), 1e-4);
    assertTrue(out.get("zoomed").asBoolean() && out.get("moved").asBoolean(), out.toString());
    assertTrue(out.get("whole").asBoolean(), out.toString());
    assertEquals("2024-02-29", out.get("date").asText());
    assertEquals("standard deviation of rain", out.get("name").asText());
    assertTrue(out.get("read").asText().contains("at 2024-02-29"), out.toString());
  }
}
