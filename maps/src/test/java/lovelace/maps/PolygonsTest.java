package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import lovelace.maps.Polygon.Cells;
import lovelace.maps.Polygon.Cut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Polygons of GeoJSON files, and the cells that they are cut into.
class PolygonsTest {

  private static final Cut USUAL = new Cut(1000, 0, false, true);

  @TempDir private Path folder;

  private Polygons read(String json) throws IOException {
    Path file = folder.resolve("polygons.geojson");
    Files.writeString(file, json.replace('\'', '"'));
    return Polygons.read(file);
  }

  private static final String SQUARE = "[[0,0],[4,0],[4,4],[0,4],[0,0]]";
  private static final String HOLE = "[[1,1],[3,1],[3,3],[1,3],[1,1]]";

  private Polygon one(String... rings) throws IOException {
    return read("{'type':'Polygon','coordinates':[" + String.join(",", rings) + "]}")
        .polygons()
        .getFirst();
  }

  @Test
  void featuresBringTheirProperties() throws IOException {
    Polygons all =
        read(
            "{'type':'FeatureCollection','crs':{'type':'name','properties':{'name':'EPSG:32632'}},"
                + "'features':[{'type':'Feature','id':7,'properties':{'name':'Lake','depth':3.5,'x':null},"
                + "'geometry':{'type':'Polygon','coordinates':["
                + SQUARE
                + "]}},{'type':'Feature','properties':{'open':true},'geometry':"
                + "{'type':'MultiPolygon','coordinates':[["
                + SQUARE
                + "],["
                + HOLE
                + "]]}}]}");
    assertEquals(List.of("id", "name", "depth", "open"), all.properties());
    assertEquals(Optional.of("EPSG:32632"), all.crs());
    assertEquals(7L, all.polygons().get(0).properties().get("id"));
    assertEquals(3.5, all.polygons().get(0).properties().get("depth"));
    assertEquals("feature 1 ('Lake')", all.polygons().get(0).name());
    assertEquals(2, all.polygons().size());
  }

  /// The points inside are found by the definition, one by one.
  @Test
  void cellsLieInsideByTheEvenOddRule() throws IOException {
    for (Polygon polygon :
        List.of(
            one(SQUARE),
            one(SQUARE, HOLE),
            one("[[0,0],[5,4],[0,4],[5,0],[0,0]]"), // crosses itself
            one("[[0,0],[3,1],[5,5],[2,2.5],[-1,4],[0,0]]"))) {
      Cells cells = polygon.cut(USUAL);
      int count = cells.xy().length / 2;
      assertTrue(count >= 800 && count < 1300, polygon.name() + " has " + count);
    }
    Cells ring = one(SQUARE, HOLE).cut(new Cut(0, 0.1, false, true));
    assertEquals(1200, ring.xy().length / 2); // 1600 less 400
    for (int i = 0; i < ring.xy().length; i += 2) {
      double far = Math.max(Math.abs(ring.xy()[i] - 2), Math.abs(ring.xy()[i + 1] - 2));
      assertTrue(far > 1 && far < 2, () -> "a cell at " + far + " from the middle");
    }
  }

  @Test
  void cellsThatAreTooLargeAreNamed() throws IOException {
    Polygon ring = one(SQUARE, HOLE);
    var wrong =
        assertThrows(IllegalArgumentException.class, () -> ring.cut(new Cut(0, 9, false, true)));
    assertTrue(
        String.valueOf(wrong.getMessage())
            .contains("no cell of 9.0 has its centre inside the polygon"),
        wrong::toString);
  }

  /// Area and centre of gravity are those of the polygon, whatever the size of the cells.
  @Test
  void cellsHaveTheAreaOfThePolygon() throws IOException {
    record Case(Polygon polygon, double area, double x, double y) {}
    for (Case c :
        List.of(
            new Case(one("[[0,0],[6,0],[0,3],[0,0]]"), 9, 2, 1),
            new Case(one(SQUARE, HOLE), 12, 2, 2),
            // a box whose hole has edges that no row of cells ends at
            new Case(
                one(SQUARE, "[[1.03,1.37],[1.03,2.01],[2.9,2.01],[2.9,1.37],[1.03,1.37]]"),
                16 - 1.87 * 0.64,
                (32 - 1.87 * 0.64 * 1.965) / (16 - 1.87 * 0.64),
                (32 - 1.87 * 0.64 * 1.69) / (16 - 1.87 * 0.64)),
            // two triangles that meet in a point
            new Case(one("[[0,0],[4,4],[4,0],[0,4],[0,0]]"), 8, 2, 2)))
      for (double size : new double[] {0.7, 0.31, 0.05}) {
        Cells cells = c.polygon.cut(new Cut(0, size, false, true));
        double area = 0;
        double x = 0;
        double y = 0;
        for (int i = 0; i < cells.shares().length; i++) {
          area += cells.shares()[i];
          x += cells.shares()[i] * cells.xy()[2 * i];
          y += cells.shares()[i] * cells.xy()[2 * i + 1];
        }
        String where = c + " in cells of " + size;
        double cell =
            c.polygon.width()
                / Math.ceil(c.polygon.width() / size)
                * c.polygon.height()
                / Math.ceil(c.polygon.height() / size);
        assertEquals(c.area, area * cell, 0.002 * size * c.area, where);
        assertEquals(c.x, x / area, 0.005 * size, where);
        assertEquals(c.y, y / area, 0.005 * size, where);
      }
  }

  @Test
  void aPolygonThinnerThanACellIsCutFiner() throws IOException {
    Cells cells = one("[[0,0],[100,100],[100,100.01],[0,0.01],[0,0]]").cut(USUAL);
    int count = cells.xy().length / 2;
    assertTrue(count >= 100 && count < 2000, "has " + count);
    for (int i = 0; i < cells.xy().length; i += 2) {
      double over = cells.xy()[i + 1] - cells.xy()[i];
      assertTrue(over >= 0 && over <= 0.01, "a cell lies " + over + " above the lower edge");
    }
  }

  /// Cells of longitudes and latitudes are square on the ground and weigh its area.
  @Test
  void cellsOfLatitudesWeighTheirArea() throws IOException {
    Cells cells = one("[[0,50],[10,50],[10,70],[0,70],[0,50]]").cut(new Cut(1000, 0, true, true));
    double mean = 0;
    double sum = 0;
    for (int i = 0; i < cells.weights().length; i++) {
      double latitude = cells.xy()[2 * i + 1];
      assertEquals(Math.cos(Math.toRadians(latitude)), cells.weights()[i], 1e-15);
      mean += cells.weights()[i] * Math.sin(Math.toRadians(latitude));
      sum += cells.weights()[i];
    }
    // on a sphere, area is even in the sine of the latitude
    double expected = 0.5 * (Math.sin(Math.toRadians(50)) + Math.sin(Math.toRadians(70)));
    assertEquals(expected, mean / sum, 1e-4);
    double first = cells.xy()[0];
    assertEquals(1 / Math.cos(Math.toRadians(60)), first / (70 - cells.xy()[1]), 0.1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'type':'Polygon','coordinates':[]} | the file: the polygon is empty: it has no rings",
        "{'type':'Polygon','coordinates':[[[0,0],[1,1],[2,2],[0,0]]]} | the polygon is empty",
        "{'type':'Polygon','coordinates':[[[0,0],[1,0],[2,0],[0,0]]]} | all its corners lie on one line",
        "{'type':'Polygon','coordinates':[[[0,0],[1,0],[1,1],[0,1]]]} | ring 1: the ring is not closed: it starts at 0.0, 0.0 and ends at 0.0, 1.0",
        "{'type':'Polygon','coordinates':[[[0,0],[1,0],[0,0]]]} | has 3 corners; it needs at least 4",
        "{'type':'Polygon','coordinates':[[[0,0],[1,'a'],[1,1],[0,0]]]} | corner 2 is [1,\\\"a\\\"]",
        "{'type':'Point','coordinates':[0,0]} | a Point has no area",
        "{'type':'FeatureCollection','features':[]} | has no polygons",
        "{'type':'FeatureCollection','features':[{'type':'Feature','id':'a','properties':{},'geometry':null}]} | feature 1 ('a'): the geometry is empty",
        "{'a':1} | the object has no 'type'",
        "x,y,z | is not GeoJSON: line 1"
      })
  void wrongFilesAreNamedByPlaceAndRule(String json, String message) throws IOException {
    var wrong =
        assertThrows(
            IllegalArgumentException.class, () -> read(json).polygons().forEach(p -> p.cut(USUAL)));
    assertTrue(
        String.valueOf(wrong.getMessage()).contains(message.replace("\\\"", "\"")),
        wrong::toString);
  }
}
