package lovelace.maps;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// Polygons of a GeoJSON file (RFC 7946): a FeatureCollection, a Feature, a GeometryCollection, a
/// Polygon or a MultiPolygon, with their properties.
///
/// @param crs the coordinate system that the file names in the member `crs` of older GeoJSON; if
///   empty, coordinates are longitudes and latitudes of WGS 84
public record Polygons(List<Polygon> polygons, Optional<String> crs) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// The fewest corners of a ring. The last one is the first one again.
  private static final int RING = 4;

  public Polygons {
    polygons = List.copyOf(polygons);
  }

  /// Reads a file. An object that is not a polygon or has no area is refused, with its position in
  /// the file.
  public static Polygons read(Path file) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no file '" + file + "'; name a GeoJSON file", e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' is not GeoJSON: line %d, %s; give polygons as GeoJSON, as 'ogr2ogr -f GeoJSON' writes them",
              file,
              e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
              e.getOriginalMessage()
                  .replaceAll("\\s*\\(start marker at \\[Source[^\\]]*\\]\\)", "")),
          e);
    }
    Reader reader = new Reader(file.toString());
    reader.read(root, "the file", new LinkedHashMap<>());
    if (reader.found.isEmpty())
      throw new IllegalArgumentException(
          "'%s' has no polygons; give a Polygon, a MultiPolygon, or features with them"
              .formatted(file));
    JsonNode name = root.path("crs").path("properties").path("name");
    return new Polygons(
        reader.found, name.isTextual() ? Optional.of(name.asText()) : Optional.empty());
  }

  /// The system of the corners: the one that the file names. Without a name it is longitudes and
  /// latitudes of WGS 84, or `other`, the system of the model or map, if they cannot be that.
  public Crs system(Crs other) {
    if (crs.isPresent()) return Crs.parse(crs.get());
    Polygon far = polygons.stream().filter(p -> !p.mayBeLonLat()).findFirst().orElse(null);
    if (far == null) return Crs.parse("EPSG:4326");
    if (other.isGeographic())
      throw new IllegalArgumentException(
          "%s: its corners (%s) are not longitudes and latitudes, which GeoJSON needs; correct them, or transform the file, for example with 'ogr2ogr -t_srs EPSG:4326'"
              .formatted(far.name(), far.range()));
    return other;
  }

  /// The properties of all polygons by name, in the order of their first use.
  public List<String> properties() {
    return polygons.stream().flatMap(p -> p.properties().keySet().stream()).distinct().toList();
  }

  private static final class Reader {
    private final String file;
    private final List<Polygon> found = new ArrayList<>();

    Reader(String file) {
      this.file = file;
    }

    private IllegalArgumentException wrong(String where, String what) {
      return new IllegalArgumentException("'%s', %s: %s".formatted(file, where, what));
    }

    void read(JsonNode node, String where, SequencedMap<String, Object> properties) {
      String type = node.path("type").asText("");
      switch (type) {
        case "FeatureCollection" -> {
          JsonNode features = node.path("features");
          for (int i = 0; i < features.size(); i++)
            read(features.get(i), String.format(Locale.ROOT, "feature %,d", i + 1), properties);
        }
        case "Feature" -> {
          SequencedMap<String, Object> own = properties(node);
          String name = named(where, own);
          JsonNode geometry = node.path("geometry");
          if (geometry.isMissingNode() || geometry.isNull())
            throw wrong(name, "the geometry is empty; remove the feature or give it a polygon");
          read(geometry, name, own);
        }
        case "GeometryCollection" -> {
          List<double[]> rings = new ArrayList<>();
          for (JsonNode part : node.path("geometries")) rings.addAll(rings(part, where));
          add(where, properties, rings);
        }
        default -> add(where, properties, rings(node, where));
      }
    }

    private void add(String where, SequencedMap<String, Object> properties, List<double[]> rings) {
      Polygon polygon = new Polygon(where, properties, rings);
      if (rings.isEmpty() || !(polygon.width() > 0 && polygon.height() > 0))
        throw wrong(
            where,
            rings.isEmpty()
                ? "the polygon is empty: it has no rings; remove it or give it corners"
                : "the polygon is empty: all its corners lie on one line, so it has no area; remove it or correct its corners");
      found.add(polygon);
    }

    /// The rings of a geometry. Together they are filled by the even-odd rule.
    private List<double[]> rings(JsonNode geometry, String where) {
      JsonNode coordinates = geometry.path("coordinates");
      List<double[]> rings = new ArrayList<>();
      switch (geometry.path("type").asText("")) {
        case "Polygon" -> {
          for (JsonNode ring : coordinates) rings.add(ring(ring, where, rings.size() + 1));
        }
        case "MultiPolygon" -> {
          for (JsonNode part : coordinates)
            for (JsonNode ring : part) rings.add(ring(ring, where, rings.size() + 1));
        }
        case "" ->
            throw wrong(
                where,
                "the object has no 'type' of GeoJSON; give a Polygon, a MultiPolygon, or features with them");
        default ->
            throw wrong(
                where,
                "a %s has no area; give a Polygon or a MultiPolygon, or remove it"
                    .formatted(geometry.path("type").asText()));
      }
      return rings;
    }

    private double[] ring(JsonNode ring, String where, int number) {
      String place = String.format(Locale.ROOT, "%s, ring %d", where, number);
      if (ring.size() < RING)
        throw wrong(
            place,
            String.format(
                Locale.ROOT,
                "the ring has %d corners; it needs at least %d, with the first one repeated at the end; remove or correct it",
                ring.size(),
                RING));
      double[] xy = new double[2 * ring.size()];
      for (int i = 0; i < ring.size(); i++)
        for (int j = 0; j < 2; j++) {
          JsonNode value = ring.get(i).path(j);
          xy[2 * i + j] = value.isNumber() ? value.asDouble() : Double.NaN;
          if (!Double.isFinite(xy[2 * i + j]))
            throw wrong(
                place,
                String.format(
                    Locale.ROOT,
                    "corner %,d is %s; it must be two finite numbers, east and north; correct it",
                    i + 1,
                    ring.get(i)));
        }
      int last = xy.length - 2;
      if (xy[0] != xy[last] || xy[1] != xy[last + 1])
        throw wrong(
            place,
            String.format(
                Locale.ROOT,
                "the ring is not closed: it starts at %s, %s and ends at %s, %s; repeat the first corner at the end",
                xy[0],
                xy[1],
                xy[last],
                xy[last + 1]));
      return xy;
    }

    private static String named(String where, Map<String, Object> properties) {
      for (String key : List.of("name", "NAME", "Name", "id", "ID"))
        if (properties.get(key) != null) return where + " ('" + properties.get(key) + "')";
      return where;
    }

    /// The properties of a feature: numbers, texts and booleans; others as JSON. The feature's own
    /// id comes first.
    private static SequencedMap<String, Object> properties(JsonNode feature) {
      SequencedMap<String, Object> all = new LinkedHashMap<>();
      JsonNode id = feature.path("id");
      if (id.isValueNode() && !id.isNull() && !feature.path("properties").has("id"))
        all.put("id", value(id));
      for (Map.Entry<String, JsonNode> entry : feature.path("properties").properties())
        if (!entry.getValue().isNull()) all.put(entry.getKey(), value(entry.getValue()));
      return all;
    }

    private static Object value(JsonNode node) {
      if (node.isIntegralNumber() && node.canConvertToLong()) return node.asLong();
      if (node.isNumber()) return node.asDouble();
      return node.isValueNode() ? node.asText() : node.toString();
    }
  }
}
