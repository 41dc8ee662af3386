package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import lovelace.maps.Frame;
import lovelace.maps.Raster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoMapTest {

  @TempDir private Path folder;

  @Test
  void gaugesBecomeAMapThatKnowsThem() throws Exception {
    Trial trial = new Trial(folder);
    String out = trial.ok("demo map --out @d");
    Path made = folder.resolve("d");
    for (String name : List.of("rain.csv", "rain.lvl", "rain.tif", "rain.png", "rain.html"))
      assertTrue(Files.size(made.resolve(name)) > 10_000, name);
    assertTrue(out.contains("> lovelace fit ") && out.contains("> lovelace map "), out);
    assertTrue(out.contains("NOAA") && out.contains("public domain"), out);
    assertTrue(out.contains("km east"), "lengthscales are in kilometres: " + out);
    List<String> gauges = Files.readAllLines(made.resolve("rain.csv"));
    assertEquals("lon,lat,elevation,rain", gauges.getFirst());
    assertEquals(807, gauges.size());
    double[] places = new double[2 * 806];
    double[] rain = new double[806];
    for (int i = 0; i < 806; i++) {
      double[] row =
          Arrays.stream(gauges.get(i + 1).split(",", -1))
              .mapToDouble(Double::parseDouble)
              .toArray();
      places[2 * i] = row[0];
      places[2 * i + 1] = row[1];
      rain[i] = row[3];
    }
    try (Raster raster = Raster.open(made.resolve("rain.tif"))) {
      Frame frame = raster.frame();
      assertEquals(0.05, frame.dx(), 1e-9);
      assertTrue(frame.crs().orElseThrow().isGeographic());
      assertEquals(4, raster.bands());
      // the map follows the gauges: rows and columns, or north and south, in another order would
      // not
      double[] means = raster.sample(0, null, places);
      double[] chances = raster.sample(raster.band("P(rain > 100)"), null, places);
      double same = 0;
      double all = 0;
      double above = 0;
      double expected = 0;
      for (int i = 0; i < 806; i++) {
        if (Double.isNaN(means[i])) continue; // at the edge
        same += Math.pow(means[i] - rain[i], 2);
        all += Math.pow(76.3 - rain[i], 2);
        above += rain[i] > 100 ? 1 : 0;
        expected += chances[i];
      }
      assertTrue(same < 0.4 * all, "squared errors " + same + " of " + all);
      assertEquals(above, expected, 0.25 * above, "gauges above 100 mm");
    }
    var picture = ImageIO.read(made.resolve("rain.png").toFile());
    assertTrue(picture.getWidth() > 1000 && picture.getHeight() > 1000);
  }
}
