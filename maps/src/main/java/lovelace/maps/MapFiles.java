package lovelace.maps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lovelace.plot.MapPage;
import lovelace.plot.PixelMap;

/// Pictures, pages and contours of a map, from an overview of it.
///
/// @param title the subject of the map
/// @param subtitle more about it
/// @param x the label of the axis that runs east, with its unit
/// @param y the label of the axis that runs north
/// @param metres the length of a unit of a plane, 0 if it is not known or is a degree
/// @param names the labels of the quantities, without times
/// @param bands the quantities
/// @param times the labels of the times; one empty label for a map without times
public record MapFiles(
    String title,
    String subtitle,
    String x,
    String y,
    double metres,
    List<String> names,
    List<MapBand> bands,
    List<String> times) {

  private static final double DEGREE = 111_319.490793; // metres of longitude at the equator

  /// The map with some of its times.
  public MapFiles at(List<String> some) {
    return new MapFiles(title, subtitle, x, y, metres, names, bands, some);
  }

  private static boolean geographic(Frame frame) {
    return frame.crs().map(Crs::isGeographic).orElse(false);
  }

  private double[] band(Overview overview, int first, int time, int band) {
    return overview.band((first + time) * bands.size() + band);
  }

  private String name(int time, int band) {
    return (times.get(time).isEmpty() ? "" : times.get(time) + ": ") + names.get(band);
  }

  /// A picture with one panel for each band, with the map's true shape.
  ///
  /// @param first the position of its first time among those of the overview
  public PixelMap picture(Overview overview, int first) {
    Frame frame = overview.frame();
    double[] xs = new double[frame.width()];
    double[] ys = new double[frame.height()];
    Arrays.setAll(xs, frame::x);
    Arrays.setAll(ys, j -> frame.y(ys.length - 1 - j));
    double middle = (frame.north() + frame.south()) / 2;
    double cos = Math.max(0.05, Math.cos(Math.toRadians(middle)));
    PixelMap map = PixelMap.titled(title).subtitle(subtitle).labels(x, y).grid(xs, ys);
    map.stretch(geographic(frame) ? 1 / cos : 1);
    double unit = geographic(frame) ? DEGREE * cos : metres;
    if (unit > 0) map.scaleBar(unit);
    for (int t = 0; t < times.size(); t++)
      for (int b = 0; b < bands.size(); b++) {
        double[] values = turned(band(overview, first, t, b), xs.length, ys.length);
        switch (bands.get(b)) {
          case MapBand.Deviation d -> map.doubts(name(t, b), values);
          case MapBand.Exceeds e -> map.probabilities(name(t, b), values);
          default -> map.values(name(t, b), values);
        }
      }
    return map;
  }

  /// Converts rows that run south to columns that run north.
  private static double[] turned(double[] values, int width, int height) {
    double[] turned = new double[values.length];
    for (int i = 0; i < width; i++)
      for (int j = 0; j < height; j++)
        turned[i * height + j] = values[(height - 1 - j) * width + i];
    return turned;
  }

  /// A page to zoom, with the contour lines of the first band.
  public String page(Overview overview, int first, List<List<Contours.Line>> lines) {
    Frame frame = overview.frame();
    MapPage page =
        MapPage.titled(title)
            .subtitle(subtitle)
            .labels(x, y)
            .pixels(
                frame.west(), frame.north(), frame.dx(), frame.dy(), frame.width(), frame.height())
            .times(times);
    if (geographic(frame)) page.geographic();
    else page.metres(metres);
    for (int b = 0; b < bands.size(); b++) {
      List<double[]> values = new ArrayList<>();
      for (int t = 0; t < times.size(); t++) values.add(band(overview, first, t, b));
      switch (bands.get(b)) {
        case MapBand.Deviation d -> page.doubts(names.get(b), values);
        case MapBand.Exceeds e -> page.probabilities(names.get(b), values);
        default -> page.values(names.get(b), values);
      }
    }
    for (int t = 0; t < lines.size(); t++)
      for (Contours.Line line : lines.get(t)) page.line(t, line.level(), places(frame, line));
    return page.html();
  }

  /// The lines of equal values of the first band at each time. The levels are given, or about
  /// `count` round ones, which are the same at all times.
  public List<List<Contours.Line>> contours(
      Overview overview, int first, int count, double... levels) {
    Frame frame = overview.frame();
    List<double[]> values = new ArrayList<>();
    for (int t = 0; t < times.size(); t++) values.add(band(overview, first, t, 0));
    double[] own = levels;
    if (levels.length == 0)
      own =
          Contours.levels(
              values.stream().flatMapToDouble(Arrays::stream).toArray(), Math.max(1, count));
    List<List<Contours.Line>> all = new ArrayList<>();
    for (double[] some : values) all.add(Contours.of(some, frame.width(), frame.height(), own));
    return all;
  }

  private static double[] places(Frame frame, Contours.Line line) {
    double[] places = line.places();
    for (int i = 0; i < places.length; i += 2) {
      places[i] = frame.west() + (places[i] + 0.5) * frame.dx();
      places[i + 1] = frame.north() - (places[i + 1] + 0.5) * frame.dy();
    }
    return places;
  }

  /// Lines as GeoJSON. If the map's coordinate system is known, they are in longitude and latitude
  /// of WGS 84, as RFC 7946 requires; otherwise in the map's coordinates.
  public String geoJson(Overview overview, List<List<Contours.Line>> lines) throws IOException {
    Optional<Crs> crs = overview.frame().crs();
    Crs.Transform transform = crs.isEmpty() ? null : crs.get().to(Crs.parse("EPSG:4326"));
    var text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.writeStartObject();
      out.writeStringField("type", "FeatureCollection");
      out.writeArrayFieldStart("features");
      for (int t = 0; t < lines.size(); t++)
        for (Contours.Line line : lines.get(t)) {
          double[] places = places(overview.frame(), line);
          if (transform != null) transform.apply(places, places.length / 2);
          out.writeRaw('\n');
          out.writeStartObject();
          out.writeStringField("type", "Feature");
          out.writeObjectFieldStart("properties");
          out.writeNumberField("value", line.level());
          out.writeStringField("band", names.getFirst());
          if (!times.get(t).isEmpty()) out.writeStringField("time", times.get(t));
          out.writeEndObject();
          out.writeObjectFieldStart("geometry");
          out.writeStringField("type", "LineString");
          out.writeArrayFieldStart("coordinates");
          for (int i = 0; i < places.length; i += 2) {
            out.writeStartArray();
            for (int k = 0; k < 2; k++)
              out.writeNumber(
                  transform == null ? places[i + k] : Math.rint(places[i + k] * 1e7) / 1e7);
            out.writeEndArray();
          }
          out.writeEndArray();
          out.writeEndObject();
          out.writeEndObject();
        }
      out.writeEndArray();
      out.writeEndObject();
    }
    return text + "\n";
  }
}
